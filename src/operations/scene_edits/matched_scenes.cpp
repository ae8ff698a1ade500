#include "operations/scene_edits/matched_scenes.hpp"

#include <algorithm>

#include "formats/contract/node_transform_edit.hpp"
#include "operations/scene_nodes.hpp"
#include "scene/transforms.hpp"
#include "scene/units.hpp"

namespace dio {

using scene::Index;
using scene::k_none;

namespace {

void find_animated_nodes(MatchedScenes& s) {
  s.is_animated.assign(s.edited.nodes.size(), false);
  std::vector<bool> original_animated(s.original.nodes.size());
  for (const scene::Animation& a : s.edited.animations)
    for (const scene::Channel& c : a.channels)
      if (c.node != k_none) s.is_animated[c.node] = true;
  for (const scene::Animation& a : s.original.animations)
    for (const scene::Channel& c : a.channels)
      if (c.node != k_none) original_animated[c.node] = true;
  for (const scene::Skin& skin : s.edited.skins)
    for (const Index joint : skin.joints) s.is_animated[joint] = true;
  for (Index n = 0; n < s.edited.nodes.size(); ++n)
    for (Index above = n; above != k_none && !s.is_animated[n]; above = s.edited.nodes[above].parent) {
      const Index original = s.original_nodes[above];
      if (s.is_animated[above] || (original != k_none && original_animated[original])) s.is_animated[n] = true;
    }
}
/// The scene of a file may have lights only on request.
Result<bool> find_lamps(MatchedScenes& s) {
  const auto& options = s.format().options;
  if (s.has_no_lights || !s.original.lights.empty() || std::ranges::find(options, "lamps") == options.end())
    return true;
  auto staged = s.format().to_scene(s.file, {.lamps = true});
  if (!staged) return refuse(std::move(staged.error()));
  s.with_lamps = std::move(staged->scene);
  return true;
}

}  // namespace

SceneOptions MatchedScenes::options() const {
  SceneOptions out;
  if (format().needs_companions) out.companions = companions;
  return out;
}
bool MatchedScenes::is_of_this_file(Index n) const { return !shows_other_file(edited, n, path); }
bool MatchedScenes::is_below_same_parent(Index original_node, Index n) const {
  const Index parent = original.nodes[original_node].parent, edited_parent = edited.nodes[n].parent;
  return edited_parent == k_none ? parent == k_none : parent != k_none && original_nodes[edited_parent] == parent;
}
std::vector<bool> MatchedScenes::find_known_nodes() const {
  std::vector<bool> out;
  for (Index n = 0; n < edited.nodes.size(); ++n) out.push_back(original_nodes[n] != k_none && is_of_this_file(n));
  return out;
}
bool MatchedScenes::has_applied_transforms() const {
  const scene::Pose none;
  bool had_any = false;
  for (Index i = 0; i < original.nodes.size(); ++i) {
    const scene::Node& node = original.nodes[i];
    // Programs apply the transforms of lights and cameras separately.
    const bool stands_for_part = is_placed(format(), node) || (format().move_node && !path_of(i).empty() &&
                                                               node.light == k_none && node.camera == k_none);
    if (edited_nodes[i].empty() || !stands_for_part || is_animated[edited_nodes[i].front()] ||
        is_same_pose(scene::decompose_trs(node), none))
      continue;
    if (!is_same_pose(scene::decompose_trs(edited.nodes[edited_nodes[i].front()]), none)) return false;
    had_any = true;
  }
  return had_any;
}

Result<MatchedScenes> match_scenes(const Editing& editing, const ReadAs& as, scene::Scene edited, std::string_view file,
                                   std::span<const Companion> companions) {
  MatchedScenes s{
      .file = editing.document(), .as = as, .path = file, .companions = companions, .edited = std::move(edited)};
  auto staged = s.format().to_scene(s.file, s.options());
  if (!staged) return refuse(staged.error().id == "scene.none" ? foreign_scene_error() : std::move(staged.error()));
  s.original = std::move(staged->scene);
  scene::convert_units(s.edited, s.original.metres_per_unit);
  s.is_part_of_game = !file.empty() && !s.format().prepare_comparison && keep_part_of_file(s.edited, file, s.format());
  s.original_places = scene::world_transforms(s.original), s.edited_places = scene::world_transforms(s.edited);
  auto matched = match_scene_nodes(s.original, s.edited, s.format(),
                                   [&](std::string_view p) { return editing.spans().find(p).has_value(); });
  s.edited_nodes = std::move(matched.edited_nodes), s.original_nodes = std::move(matched.original_nodes),
  s.doubt = std::move(matched.doubt);
  if (!matched.is_of_file && !s.format().write_triangles) return refuse(foreign_scene_error());
  s.is_known = matched.is_of_file;
  if (s.is_part_of_game) s.doubt.clear();  // the scene says which file it shows; a world has other names
  // Exporters omit cameras and lights by default.
  s.has_no_cameras = std::ranges::all_of(s.edited.nodes, [](const scene::Node& n) { return n.camera == k_none; });
  s.has_no_lights = std::ranges::all_of(s.edited.nodes, [](const scene::Node& n) { return n.light == k_none; });
  find_animated_nodes(s);
  if (auto done = find_lamps(s); !done) return refuse(std::move(done.error()));
  return s;
}

Diagnostic foreign_scene_error() {
  return make_diagnostic("scene.source", {},
                         {.message = "no node of the scene comes from this file",
                          .hint = "make a scene from this file with {convert}, and include custom properties when "
                                  "you export the edited scene"});
}

}  // namespace dio
