#include "formats/brres/scene/visibility_motion.hpp"

#include <map>

namespace dio::brres {

namespace {

using scene::Index;
using scene::k_none;

constexpr u64 k_most_keys = u64(1) << 21;      // of all shapes and animations; crafted files get fewer
constexpr u64 k_most_vertices = u64(1) << 22;  // of all shapes with other textures
constexpr size_t k_most_looks = 256;           // of a material

/// A frame from which something is shown.
struct Step {
  f64 frame = 0;
  size_t shown = 0;
};

f32 seconds_at(f64 frame) { return f32(frame / k_frames_per_second); }

/// Adds a channel that shows a node while it is its turn. The last key is at the end of the animation.
void add_visibility(scene::Animation& out, Index node, const std::vector<Step>& steps, size_t own, u32 frames) {
  scene::VisibilityChannel c{.node = node, .times = {}, .visible = {}};
  for (const Step& s : steps) {
    const u8 is_shown = s.shown == own;
    if (!c.visible.empty() && c.visible.back() == is_shown) continue;
    c.times.push_back(seconds_at(s.frame)), c.visible.push_back(is_shown);
  }
  if (c.times.empty()) return;
  if (seconds_at(frames) > c.times.back()) c.times.push_back(seconds_at(frames)), c.visible.push_back(c.visible.back());
  out.visibility_channels.push_back(std::move(c));
}

std::vector<Step> read_steps(const VisBone& b, u32 frames) {
  std::vector<Step> out;
  if (b.flags & VisBone::k_constant) return {{0, b.flags & 1}};
  for (u32 f = 0; f <= frames && f / 32 < b.visible.size(); ++f) {
    const size_t is_shown = b.visible[f / 32] >> (31 - f % 32) & 1;
    if (out.empty() || out.back().shown != is_shown) out.push_back({f64(f), is_shown});
  }
  return out;
}

/// A texture of a material at some time.
struct Look {
  std::string texture, palette;
  Index material = k_none;
  bool operator==(const Look& o) const { return texture == o.texture && palette == o.palette; }
};

class PatternsBuilder {
 public:
  PatternsBuilder(std::span<const SceneShape> shapes, const AddTexture& add_texture, scene::Scene& s)
      : shapes_(shapes), add_texture_(add_texture), s_(s) {}

  /// False if the animation does not change the texture of the material.
  bool animate(const PatAnimation& a, const PatMaterial* moves, const SceneMaterial& m, scene::Animation& out) {
    if (!m.sampler || !moves || m.sampler->slot >= moves->tracks.size()) return false;
    const u32 flags = moves->flags >> 4 * m.sampler->slot & 15;
    constexpr u32 k_enabled = 1, k_constant = 2, k_texture = 4, k_palette = 8;
    if (!(flags & k_enabled)) return false;
    const PatTrack& track = moves->tracks[m.sampler->slot];
    std::vector<Step> steps;
    const auto add = [&](f64 frame, u16 texture, u16 palette) {
      Sampler now = *m.sampler;
      if (flags & k_texture && texture < a.texture_names.size()) now.texture = a.texture_names[texture].name;
      if (flags & k_palette && palette < a.palette_names.size()) now.palette = a.palette_names[palette].name;
      if (steps.empty()) frame = 0;  // the first texture counts from the start
      if (!(frame <= a.frame_count) || (!steps.empty() && !(seconds_at(frame) > seconds_at(steps.back().frame))))
        return;
      const size_t look = get_or_add_look(m, now);
      if (steps.empty() || steps.back().shown != look) steps.push_back({frame, look});
    };
    if (flags & k_constant)
      add(0, track.texture, track.palette);
    else
      for (const PatKey& k : track.keys) add(k.frame, k.texture, k.palette);
    if (steps.empty() || (steps.size() == 1 && steps[0].shown == 0)) return false;
    for (const SceneShape& shape : shapes_)
      if (shape.model == m.model && shape.material == m.material && !shape.is_hidden) show(shape, m, steps, a, out);
    return true;
  }

 private:
  /// The number of a texture among those of the material; 0 is the one at rest.
  size_t get_or_add_look(const SceneMaterial& m, const Sampler& now) {
    std::vector<Look>& looks = looks_[m.in_scene];
    if (looks.empty()) looks.push_back({m.sampler->texture, m.sampler->palette, m.in_scene});
    Look look{now.texture, now.palette, k_none};
    const auto known = std::ranges::find(looks, look);
    if (known != looks.end()) return size_t(known - looks.begin());
    if (looks.size() >= k_most_looks) return 0;
    const Index texture = add_texture_(now);
    if (texture == k_none) return 0;
    scene::Material other = s_.materials[m.in_scene];
    other.name += "." + now.texture;
    other.texture = texture;
    other.extras = Value::object();
    other.extras.add("kind", "picture");
    other.extras.add("picture_of", s_.materials[m.in_scene].name);
    look.material = Index(s_.materials.size());
    s_.materials.push_back(std::move(other));
    looks.push_back(std::move(look));
    return looks.size() - 1;
  }
  void show(const SceneShape& shape, const SceneMaterial& m, const std::vector<Step>& steps, const PatAnimation& a,
            scene::Animation& out) {
    const std::vector<Look>& looks = looks_[m.in_scene];
    add_visibility(out, shape.node, steps, 0, a.frame_count);
    for (size_t i = 1; i < looks.size(); ++i) {
      const bool is_shown = std::ranges::any_of(steps, [&](const Step& s) { return s.shown == i; });
      if (!is_shown) continue;
      if (const Index node = get_or_add_node(shape, m, looks[i]); node != k_none)
        add_visibility(out, node, steps, i, a.frame_count);
    }
  }
  /// The node that shows the shape with another texture.
  Index get_or_add_node(const SceneShape& shape, const SceneMaterial& m, const Look& look) {
    const auto [known, is_new] = nodes_.try_emplace({shape.node, look.material}, k_none);
    if (!is_new) return known->second;
    scene::Mesh mesh = s_.meshes[s_.nodes[shape.node].mesh];
    for (scene::Primitive& p : mesh.primitives) {
      vertices_ += p.positions.size();
      if (p.material == m.in_scene) p.material = look.material;
      p.sources.clear();
    }
    if (vertices_ > k_most_vertices) return k_none;
    mesh.name += "." + look.texture;
    s_.meshes.push_back(std::move(mesh));
    const scene::Node& from = s_.nodes[shape.node];
    scene::Node node{.name = from.name + " as " + look.texture,
                     .parent = from.parent,
                     .mesh = Index(s_.meshes.size() - 1),
                     .skin = from.skin,
                     .visible = false,
                     .extras = Value::object()};
    node.extras.add("kind", "picture");
    node.extras.add("material", s_.materials[m.in_scene].name);
    known->second = Index(s_.nodes.size());
    s_.nodes.push_back(std::move(node));
    return known->second;
  }

  const std::span<const SceneShape> shapes_;
  const AddTexture& add_texture_;
  scene::Scene& s_;
  std::map<Index, std::vector<Look>> looks_;        // by material of the scene
  std::map<std::pair<Index, Index>, Index> nodes_;  // by node of the shape and material
  u64 vertices_ = 0;
};

}  // namespace

std::vector<size_t> add_vis_animations(const Brres& file, std::span<const SceneShape> shapes, scene::Scene& s) {
  std::vector<size_t> others;
  u64 keys = 0;
  for (size_t i = 0; i < file.vis_files.size(); ++i) {
    if (!file.vis_files[i].animation) continue;
    const VisAnimation& a = *file.vis_files[i].animation;
    scene::Animation out = start_animation(a, "vis_animation", "vis_files", i);
    const EntriesByName entries(a.bones);
    for (const SceneShape& shape : shapes) {
      if (shape.is_hidden || shape.bone >= shape.model->bones.size() || !is_played_on(file, a, *shape.model)) continue;
      const VisBone* moves = entries.find(shape.model->bones[shape.bone].name);
      if (!moves || keys > k_most_keys) continue;
      const std::vector<Step> steps = read_steps(*moves, a.frame_count);
      keys += steps.size() + 1;
      add_visibility(out, shape.node, steps, 1, a.frame_count);
    }
    if (out.visibility_channels.empty())
      others.push_back(i);
    else
      s.animations.push_back(std::move(out));
  }
  return others;
}

std::vector<size_t> add_pat_animations(const Brres& file, std::span<const SceneMaterial> materials,
                                       std::span<const SceneShape> shapes, const AddTexture& add_texture,
                                       scene::Scene& s) {
  std::vector<size_t> others;
  PatternsBuilder builder(shapes, add_texture, s);
  for (size_t i = 0; i < file.pat_files.size(); ++i) {
    if (!file.pat_files[i].animation) continue;
    const PatAnimation& a = *file.pat_files[i].animation;
    scene::Animation out = start_animation(a, "pat_animation", "pat_files", i);
    const EntriesByName entries(a.materials);
    bool is_shown = false;
    for (const SceneMaterial& m : materials)
      if (is_played_on(file, a, *m.model)) is_shown |= builder.animate(a, entries.find(m.source().name), m, out);
    if (!is_shown || out.visibility_channels.empty())
      others.push_back(i);
    else
      s.animations.push_back(std::move(out));
  }
  return others;
}

}  // namespace dio::brres
