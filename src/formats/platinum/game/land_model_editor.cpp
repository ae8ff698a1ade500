#include "formats/platinum/game/land_model_editor.hpp"

#include <algorithm>
#include <map>

#include "core/text_format.hpp"
#include "formats/nitro/from_scene/shape_editor.hpp"
#include "formats/nitro/parts.hpp"
#include "formats/nitro/scene/surfaces.hpp"
#include "formats/platinum/game/check/checks.hpp"
#include "formats/platinum/game/parts.hpp"
#include "scene/extras.hpp"
#include "scene/node_name_suffixes.hpp"
#include "scene/transforms.hpp"

namespace dio::platinum {

using scene::Index;
using scene::k_none;

static bool is_raised_at_most(const scene::Affine& at) {
  f64 off = std::max(std::fabs(at.origin[0]), std::fabs(at.origin[2]));
  for (size_t c = 0; c < 3; ++c)
    for (size_t r = 0; r < 3; ++r) off = std::max(off, std::fabs(at.linear.columns[c][r] - (c == r)));
  return off < 1e-4;
}

LandModelEditor::LandModelEditor(const GameTables& t, const scene::Scene& edited)
    : t_(t), s_(edited), places_(scene::world_transforms(edited)), apart_(find_nodes_outside_map(edited)) {
  for (Index i = 0; i < s_.nodes.size(); ++i) {
    const scene::Node& n = s_.nodes[i];
    in_a_land_.push_back(scene::read_text_extra(n.extras, "kind") == "platinum.land" ||
                         (n.parent != k_none && in_a_land_[n.parent]));
  }
}

Index LandModelEditor::find_model_root(const ExportedLand& land) const {
  std::vector<bool> is_below(s_.nodes.size());
  for (Index i = land.node; i < s_.nodes.size(); ++i) {
    const scene::Node& n = s_.nodes[i];
    is_below[i] = i == land.node || (n.parent != k_none && is_below[n.parent]);
    if (is_below[i] && !apart_[i] && scene::read_text_extra(n.extras, "kind") == "nitro.model") return i;
  }
  return k_none;
}

std::optional<LandModelEditor::LandScene> LandModelEditor::isolate_land(const ExportedLand& land) const {
  const Index root = find_model_root(land);
  if (root == k_none) return {};
  const auto back = scene::inverse(places_[root]);
  // Undo the altitude; any other movement of the node moved everything below it.
  const scene::Affine at = scene::inverse(places_[land.node]).value_or(scene::Affine{}) * places_[root];
  if (!back || !is_raised_at_most(at)) return {};
  const std::vector<Index> more = find_new_objects(land);
  LandScene out;
  out.scene.materials = s_.materials;
  for (scene::Material& m : out.scene.materials) m.texture = k_none;
  out.scene.generator = s_.generator;
  std::vector<Index> now(s_.nodes.size(), k_none);
  for (Index i = 0; i < s_.nodes.size(); ++i) {
    const scene::Node& n = s_.nodes[i];
    const bool is_root = i == root || std::ranges::find(more, i) != more.end();
    const Index parent = n.parent == k_none ? k_none : now[n.parent];
    if (!is_root && parent == k_none) continue;
    now[i] = Index(out.scene.nodes.size());
    scene::Node& copy = out.scene.nodes.emplace_back(n);
    copy.parent = is_root ? k_none : parent;
    if (is_root) {
      const auto pose = scene::decompose_trs(*back * places_[i]);
      if (!pose) return {};
      copy.translation = pose->translation, copy.rotation = pose->rotation, copy.scale = pose->scale;
    }
    if (copy.skin != k_none) return {};  // no land of a game has one
    if (copy.mesh != k_none) {
      out.scene.meshes.push_back(s_.meshes[copy.mesh]);
      copy.mesh = Index(out.scene.meshes.size() - 1);
    }
    out.parts.push_back(!apart_[i] || i == root);
  }
  out.scene = nitro::without_alternate_pictures(out.scene);
  return out;
}

std::vector<Index> LandModelEditor::find_new_objects(const ExportedLand& land) const {
  std::vector<Index> out;
  const Index model = find_model_root(land);
  std::vector<bool> is_below(s_.nodes.size()), is_drawn(s_.nodes.size());  // below the land; below its model
  for (Index i = 0; i < s_.nodes.size(); ++i) {
    const scene::Node& n = s_.nodes[i];
    is_below[i] = i == land.node || (n.parent != k_none && is_below[n.parent]);
    is_drawn[i] = i == model || (n.parent != k_none && is_drawn[n.parent]);
    if (n.mesh == k_none || is_drawn[i] || apart_[i] || n.skin != k_none) continue;
    if (!scene::node_mark_kind(s_, n).empty()) continue;
    if (is_below[i]) out.push_back(i);
    if (in_a_land_[i]) continue;
    scene::Point low{1e30, 1e30, 1e30}, high{-1e30, -1e30, -1e30};
    for (const scene::Primitive& p : s_.meshes[n.mesh].primitives)
      for (const scene::Vec3& v : p.positions) {
        const scene::Point at = places_[i] * scene::Point{v[0], v[1], v[2]};
        for (size_t k = 0; k < 3; ++k) low[k] = std::min(low[k], at[k]), high[k] = std::max(high[k], at[k]);
      }
    const f64 x = (low[0] + high[0]) / 2 - land.x, z = (low[2] + high[2]) / 2 - land.z;
    if (std::max(std::fabs(x), std::fabs(z)) <= k_half_map) out.push_back(i);
  }
  return out;
}

std::shared_ptr<const nitro::Nsbtx> LandModelEditor::find_textures(const LandData& file, u32 land) const {
  std::shared_ptr<const nitro::Nsbtx> best;
  for (const Use& use : t_.list_land_uses()) {
    if (use.land != land || use.area >= t_.areas.size() || !t_.areas[use.area]) continue;
    auto set = t_.map_textures(t_.areas[use.area]->texture_set);
    if (!set) continue;
    if (file.model.models.empty() || missing_names(file.model.models[0], set->textures).empty()) return set;
    if (!best) best = std::move(set);
  }
  return best;
}

std::optional<nitro::Nsbmd> LandModelEditor::edit(const ExportedLand& land) const {
  const auto file = t_.land(land.land);
  const auto edited = isolate_land(land);
  if (!file || !edited) return {};
  const auto textures = find_textures(*file, land.land);
  const nitro::ModelScene own = nitro::build_model_scene(file->model, textures ? &textures->textures : nullptr);
  std::map<std::string_view, Index> by_name;
  for (Index i = 0; i < own.scene.nodes.size(); ++i)
    if (const auto [known, is_new] = by_name.try_emplace(own.scene.nodes[i].name, i); !is_new) known->second = k_none;
  std::vector<Index> original_nodes;
  for (const scene::Node& n : edited->scene.nodes) {
    auto found = by_name.find(n.name);
    if (found == by_name.end()) found = by_name.find(scene::strip_copy_suffix(n.name));
    original_nodes.push_back(found == by_name.end() ? k_none : found->second);
  }
  const scene::TriangleDifferences differences = scene::match_triangles(
      own.scene, edited->scene, original_nodes, std::vector<bool>(own.scene.nodes.size(), true), edited->parts);
  if (!differences.unplaced.empty()) return {};
  nitro::Nsbmd model = file->model;
  const auto taken = nitro::write_triangles(model, file->model, own, differences, {.keeps_lit_colors = true});
  if (taken.lost) return {};
  return model;
}

}  // namespace dio::platinum
