#include "formats/platinum/from_scene/prop_model_builder.hpp"

#include <algorithm>
#include <cmath>

#include "core/text_format.hpp"
#include "formats/contract/arguments.hpp"
#include "formats/contract/reporter.hpp"
#include "formats/nitro/parts.hpp"
#include "scene/clipping.hpp"
#include "scene/extras.hpp"
#include "scene/transforms.hpp"

namespace dio::platinum {

using scene::Index;
using scene::k_none;

namespace {

constexpr size_t k_longest_name = 16;  // characters of a model name

/// For each node, whether it is `top` or below it.
std::vector<bool> select_subtree(const scene::Scene& s, Index top) {
  std::vector<bool> out(s.nodes.size());
  for (Index i = top; i < s.nodes.size(); ++i)
    out[i] = i == top || (s.nodes[i].parent != k_none && out[s.nodes[i].parent]);
  return out;
}
bool subtree_has_mesh(const scene::Scene& s, Index top) {
  const auto in = select_subtree(s, top);
  for (Index i = 0; i < s.nodes.size(); ++i)
    if (in[i] && s.nodes[i].mesh != k_none) return true;
  return false;
}
}  // namespace

void PropModelBuilder::add_prop(const SceneProp& p) { taken_.push_back(p); }

PropModelBuilder::Variant PropModelBuilder::compute_variant(const SceneProp& p) const {
  Variant v;
  v.name = p.name;
  const scene::Affine place = scene::world_transforms(s_)[p.node];
  const auto pose = scene::decompose_trs(place);
  const Vector& size = p.record.scale;
  // The game scales after the model's own rotation, so a non-uniform scale requires no rotation.
  const bool is_even = size.x == size.y && size.y == size.z;
  const bool can_bake = subtree_has_mesh(s_, p.node);  // otherwise the mesh belongs to another object
  if (can_bake && (!pose || scene::determinant(place.linear) < 0)) {
    v.is_baked = place.linear;
    return v;
  }
  if (!pose) return v;
  scene::Vec4 turn = pose->rotation;
  if (turn[3] < 0)
    for (f32& x : turn) x = -x;
  v.rotation = turn;
  bool is_turned = false;
  for (size_t i = 0; i < 4; ++i) {
    v.turn[i] = i32(std::lround(turn[i] * 1000));
    is_turned |= i < 3 && v.turn[i] != 0;
  }
  if (is_turned && !is_even && can_bake) v.is_baked = place.linear;
  return v;
}

std::optional<size_t> PropModelBuilder::find_model_index(const SceneProp& p) const {
  const auto it = std::ranges::find(variants_, compute_variant(p));
  if (it == variants_.end()) return {};
  return size_t(it - variants_.begin());
}

void PropModelBuilder::normalize_scale(SceneProp& p) const {
  const auto model = find_model_index(p);
  if (model && variants_[*model].is_baked) p.record.scale = {fx32{4096}, fx32{4096}, fx32{4096}};
}

/// The scene with only the subtree of the source node, at the origin.
scene::Scene PropModelBuilder::extract_variant_scene(const Variant& v) const {
  scene::Scene out = s_;
  const std::vector<bool> in = select_subtree(s_, v.source);
  std::vector<bool> used(s_.materials.size());
  for (Index i = 0; i < out.nodes.size(); ++i) {
    scene::Node& n = out.nodes[i];
    if (in[i] && n.mesh != k_none)
      for (const scene::Primitive& p : s_.meshes[n.mesh].primitives)
        if (p.material != k_none) used[p.material] = true;
    if (!in[i]) n.mesh = n.skin = k_none;
    n.camera = n.light = k_none;
    n.extras = i == v.source ? Value() : n.extras;
  }
  if (v.is_baked) {
    const scene::Point at = scene::world_transforms(s_)[v.source].origin;
    return scene::clip_scene_to_area(out, {}, {f32(at[0]), f32(at[1]), f32(at[2])});
  }
  scene::Node& top = out.nodes[v.source];
  top.parent = k_none;
  top.visible = true;
  top.translation = {0, 0, 0}, top.rotation = v.rotation, top.scale = {1, 1, 1};
  for (scene::Animation& a : out.animations) {
    const auto is_out = [&](const auto& c) { return !in[c.node] || c.node == v.source; };
    std::erase_if(a.channels, is_out);
    std::erase_if(a.visibility_channels, [&](const auto& c) { return !in[c.node]; });
    std::erase_if(a.material_channels, [&](const auto& c) { return !used[c.material]; });
    a.fov_channels.clear();
  }
  // The game plays one animation per kind, so merge all animations into one.
  scene::Animation all;
  for (scene::Animation& a : out.animations) {
    const auto merge_channels = [](auto& to, auto& from, auto same) {
      for (auto& c : from)
        if (std::ranges::none_of(to, [&](const auto& o) { return same(o, c); })) to.push_back(std::move(c));
    };
    const auto same_target = [](const auto& x, const auto& y) { return x.node == y.node && x.target == y.target; };
    merge_channels(all.channels, a.channels, same_target);
    merge_channels(all.visibility_channels, a.visibility_channels,
                   [](const auto& x, const auto& y) { return x.node == y.node; });
    merge_channels(all.material_channels, a.material_channels,
                   [](const auto& x, const auto& y) { return x.material == y.material && x.target == y.target; });
    if (all.name.empty()) all.name = a.name;
    if (!all.extras.size()) all.extras = std::move(a.extras);
  }
  out.animations.clear();
  if (!all.channels.empty() || !all.visibility_channels.empty() || !all.material_channels.empty())
    out.animations.push_back(std::move(all));
  return out;
}

Result<PropModelBuilder::Made> PropModelBuilder::build() {
  Made out;
  for (const SceneProp& p : taken_) {
    Variant v = compute_variant(p);
    if (std::ranges::find(variants_, v) != variants_.end()) continue;
    const auto source = std::ranges::find_if(
        taken_, [&](const SceneProp& o) { return o.name == p.name && subtree_has_mesh(s_, o.node); });
    if (source == taken_.end()) continue;
    v.source = v.is_baked ? p.node : source->node;
    variants_.push_back(std::move(v));
  }
  for (const SceneProp& p : taken_) {
    const auto model = find_model_index(p);
    if (!model || p.node == variants_[*model].source || !subtree_has_mesh(s_, p.node)) continue;
    const auto fingerprint_node = [&](Index node) {
      Variant v = variants_[*model];
      v.source = node, v.is_baked.reset();
      return TriangleFingerprints(extract_variant_scene(v), 1);
    };
    const auto [known, fresh] = looks_.try_emplace(*model);
    if (fresh) known->second = fingerprint_node(variants_[*model].source);
    // Nodes that share a mesh and have no children need no comparison.
    const scene::Node &one = s_.nodes[p.node], &first = s_.nodes[variants_[*model].source];
    if (!(one.mesh == first.mesh && one.mesh != k_none) && !(fingerprint_node(p.node) == known->second))
      out.notes.push_back(
          make_diagnostic(Severity::warning, "platinum.make-prop-twice", {},
                          {.message = text("objects ", given(s_.nodes[variants_[*model].source].name), " and ",
                                           given(s_.nodes[p.node].name), " both stand for the prop ", given(p.name),
                                           ", but they look different; the prop gets the mesh of the first object")}));
  }
  for (size_t i = 0; i < variants_.size(); ++i) {
    const Variant& v = variants_[i];
    const auto before = std::count_if(variants_.begin(), variants_.begin() + std::ptrdiff_t(i),
                                      [&](const Variant& o) { return o.name == v.name; });
    const std::string suffix = before ? text("_", before + 1) : "";
    NewProp prop;
    prop.name = v.name.substr(0, k_longest_name - suffix.size()) + suffix;
    prop.is_deferred = scene::read_flag_extra(s_.nodes[v.source].extras, "deferred").value_or(false);
    scene::Scene part = extract_variant_scene(v);
    part.name = prop.name;
    auto made = nitro::make_model(part, options_.of_model);
    if (!made) {
      made.error().message = text("object ", given(s_.nodes[v.source].name), ": ", made.error().message);
      return refuse(std::move(made.error()));
    }
    for (Diagnostic& d : made->notes) out.notes.push_back(std::move(d));
    for (size_t f = 0; f < made->files.size(); ++f) {
      Bytes& bytes = made->files[f].bytes;
      if (f == 0)
        prop.model = std::move(bytes);
      else if (made->files[f].extension == ".nsbtx")
        prop.textures = std::move(bytes);
      else
        prop.animations.push_back(std::move(bytes));
    }
    out.props.push_back(std::move(prop));
  }
  return out;
}

}  // namespace dio::platinum
