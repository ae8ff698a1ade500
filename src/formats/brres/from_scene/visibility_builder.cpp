#include "formats/brres/from_scene/visibility_builder.hpp"

#include <algorithm>
#include <map>

#include "formats/brres/from_scene/clips.hpp"
#include "formats/brres/from_scene/names.hpp"
#include "scene/channels.hpp"
#include "scene/extras.hpp"

namespace dio::brres {

namespace {

using scene::Index;
using scene::k_none;
using ChannelsByNode = std::map<Index, const scene::VisibilityChannel*>;

ChannelsByNode group_visibility_channels(const scene::Animation& a) {
  ChannelsByNode out;
  for (const scene::VisibilityChannel& c : a.visibility_channels) out[c.node] = &c;
  return out;
}
bool is_visible(const scene::VisibilityChannel& c, f64 seconds, bool at_first) {
  return scene::value_at(c, seconds + k_near_key, at_first);
}

// ---- patterns ----

class PatFilesBuilder {
 public:
  PatFilesBuilder(const scene::Scene& s, std::span<const MadeMaterial> materials,
                  const std::function<std::string(Index image)>& texture_name)
      : s_(s), materials_(materials), texture_name_(texture_name) {
    for (Index i = 0; i < s.nodes.size(); ++i)
      if (is_picture_node(s.nodes[i]))
        if (const auto material = scene::read_text_extra(s.nodes[i].extras, "material"))
          pictures_[std::string(*material)].push_back(i);
  }

  BuiltPatFiles run() {
    for (const scene::Animation& a : s_.animations) add_animation(a);
    return std::move(out_);
  }

 private:
  void add_animation(const scene::Animation& from) {
    const ChannelsByNode moving = group_visibility_channels(from);
    const Clip clip = read_clip(from);
    std::set<Index>& taken = out_.taken.emplace_back();
    PatAnimation a;
    a.frame_count = clip.frames, a.loop = clip.is_loop;
    std::vector<std::string> names;
    std::vector<std::vector<std::pair<u32, std::string>>> all;  // of each material: frames and textures
    for (const MadeMaterial& m : materials_) {
      const auto pictures = pictures_.find(s_.materials[m.in_scene].name);
      if (pictures == pictures_.end()) continue;
      std::vector<Index> nodes;
      for (const Index node : pictures->second)
        if (moving.contains(node) && find_image(node) != k_none) nodes.push_back(node);
      if (nodes.empty()) continue;
      taken.insert(nodes.begin(), nodes.end());
      for (const auto& [node, channel] : moving)
        if (!is_picture_node(s_.nodes[node]) && shows_material(node, m.in_scene)) taken.insert(node);
      if (std::ranges::find(a.materials, m.name, &PatMaterial::name) != a.materials.end()) continue;
      a.materials.emplace_back().name = m.name;
      all.push_back(find_textures(m, nodes, moving, clip));
      for (const auto& [frame, texture] : all.back()) names.push_back(texture);
    }
    if (a.materials.empty()) return;
    std::ranges::sort(names);
    names.erase(std::unique(names.begin(), names.end()), names.end());
    for (const std::string& name : names) a.texture_names.emplace_back().name = name;
    for (size_t i = 0; i < all.size(); ++i) add_track(a.materials[i], all[i], names);
    a.name = names_(from.name, "course");
    out_.files.push_back({std::move(a), {}});
  }

  /// The image of the picture that a node shows.
  Index find_image(Index node) const {
    const Index mesh = s_.nodes[node].mesh;
    if (mesh == k_none) return k_none;
    for (const scene::Primitive& p : s_.meshes[mesh].primitives)
      if (p.material != k_none && s_.materials[p.material].texture != k_none)
        return s_.textures[s_.materials[p.material].texture].image;
    return k_none;
  }
  bool shows_material(Index node, Index material) const {
    const Index mesh = s_.nodes[node].mesh;
    return mesh != k_none && std::ranges::any_of(s_.meshes[mesh].primitives,
                                                 [&](const scene::Primitive& p) { return p.material == material; });
  }
  /// The textures of a material, with the frames from which they are shown.
  std::vector<std::pair<u32, std::string>> find_textures(const MadeMaterial& m, const std::vector<Index>& nodes,
                                                         const ChannelsByNode& moving, const Clip& clip) {
    const Index own = s_.textures[s_.materials[m.in_scene].texture].image;
    std::vector<std::pair<u32, std::string>> out;
    Index before = k_none;
    for (u32 f = 0; f <= clip.frames; ++f) {
      const auto shown = std::ranges::find_if(
          nodes, [&](Index node) { return is_visible(*moving.at(node), clip.seconds(f), s_.nodes[node].visible); });
      const Index image = shown == nodes.end() ? own : find_image(*shown);
      if (f == 0 || image != before) out.push_back({f, texture_name_(image)});
      before = image;
    }
    return out;
  }
  static void add_track(PatMaterial& m, const std::vector<std::pair<u32, std::string>>& textures,
                        const std::vector<std::string>& names) {
    constexpr u32 k_animated = 1, k_constant = 2, k_texture = 4;
    const auto number = [&](const std::string& name) {
      return u16(std::ranges::lower_bound(names, name) - names.begin());
    };
    PatTrack& t = m.tracks[0];
    m.flags = k_animated | k_texture;
    if (textures.size() == 1) {
      m.flags |= k_constant;
      t.texture = number(textures[0].second);
      return;
    }
    for (const auto& [frame, name] : textures) t.keys.push_back({f32(frame), number(name), 0});
    t.frame_scale = compute_frame_scale(t.keys.back().frame);
  }

  const scene::Scene& s_;
  const std::span<const MadeMaterial> materials_;
  const std::function<std::string(Index image)>& texture_name_;
  std::map<std::string, std::vector<Index>> pictures_;  // nodes by the name of their material
  BuiltPatFiles out_;
  UniqueNames names_;
};

// ---- visibility ----

/// Whether a shape is visible at each frame.
std::vector<bool> sample_shape(const scene::Scene& s, const MadeShape& shape, const ChannelsByNode& moving,
                               const Clip& clip) {
  std::vector<bool> out;
  for (u32 f = 0; f <= clip.frames; ++f) {
    bool is_shown = true;
    for (Index i = shape.node; i != k_none && i != shape.root && is_shown; i = s.nodes[i].parent) {
      const auto channel = moving.find(i);
      is_shown = channel == moving.end() ? s.nodes[i].visible
                                         : is_visible(*channel->second, clip.seconds(f), s.nodes[i].visible);
    }
    out.push_back(is_shown);
  }
  return out;
}

VisBone build_vis_bone(const std::string& name, const std::vector<bool>& visible) {
  VisBone out;
  out.name = name;
  if (std::ranges::find(visible, !visible[0]) == visible.end()) {
    out.flags = VisBone::k_constant | visible[0];
    return out;
  }
  out.visible.resize((visible.size() - 1) / 32 + 1);
  for (size_t f = 0; f < visible.size(); ++f)
    if (visible[f]) out.visible[f / 32] |= 0x80000000u >> f % 32;
  return out;
}

}  // namespace

bool is_picture_node(const scene::Node& n) { return scene::read_text_extra(n.extras, "kind") == "picture"; }

BuiltPatFiles build_pat_files(const scene::Scene& s, std::span<const MadeMaterial> materials,
                              const std::function<std::string(Index image)>& texture_name) {
  return PatFilesBuilder(s, materials, texture_name).run();
}

BuiltVisFiles build_vis_files(const scene::Scene& s, std::span<const MadeShape> shapes,
                              std::span<const std::set<Index>> patterns) {
  BuiltVisFiles out;
  UniqueNames names;
  for (size_t i = 0; i < s.animations.size(); ++i) {
    const scene::Animation& from = s.animations[i];
    std::set<Index>& taken = out.taken.emplace_back();
    ChannelsByNode moving = group_visibility_channels(from);
    for (const Index node : patterns[i]) moving.erase(node);
    if (moving.empty()) continue;
    const Clip clip = read_clip(from);
    VisAnimation a;
    a.frame_count = clip.frames, a.loop = clip.is_loop;
    std::set<std::string> bones;  // that are shown and hidden
    std::map<std::string, std::vector<bool>> visible;
    for (const bool animated : {true, false})  // first the shapes that are, then others of the same bones
      for (const MadeShape& shape : shapes) {
        bool is_animated = false;
        for (Index node = shape.node; node != k_none && node != shape.root; node = s.nodes[node].parent)
          if (moving.contains(node)) taken.insert(node), is_animated = true;
        if (is_animated != animated || (!animated && !bones.contains(shape.bone))) continue;
        std::vector<bool> now = sample_shape(s, shape, moving, clip);
        const auto [known, is_new] = visible.try_emplace(shape.bone, now);
        if (is_new) bones.insert(shape.bone), a.bones.push_back(build_vis_bone(shape.bone, now));
        if (known->second != now) out.mixed.insert(shape.bone);
      }
    if (a.bones.empty()) continue;
    a.name = names(from.name, "course");
    out.files.push_back({std::move(a), {}});
  }
  return out;
}

}  // namespace dio::brres
