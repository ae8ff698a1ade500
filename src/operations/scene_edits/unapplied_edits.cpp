#include "operations/scene_edits/unapplied_edits.hpp"

#include <algorithm>
#include <ranges>

#include "core/text_format.hpp"
#include "formats/contract/arguments.hpp"
#include "formats/contract/node_transform_edit.hpp"
#include "operations/scene_nodes.hpp"
#include "scene/light_match.hpp"
#include "scene/material_match.hpp"
#include "scene/node_name_suffixes.hpp"
#include "scene/transforms.hpp"

namespace dio {

using scene::Index;
using scene::k_none;

namespace {

void note_edited_light(const scene::Scene& original, const scene::LightDifference& d, SceneEdits& result) {
  std::vector<std::string> edited;
  if (d.removed) edited.emplace_back("removed");
  if (d.kind) edited.emplace_back("type");
  if (d.color) edited.emplace_back("colour");
  if (d.brightness) edited.emplace_back("brightness");
  if (d.range) edited.emplace_back("range");
  if (d.cone) edited.emplace_back("cone");
  if (d.place) edited.emplace_back("direction or position");
  ++result.lost;
  result.notes.push_back(make_diagnostic(Severity::warning, "scene.light", {},
                                         {.message = "edits to the light " + given(original.nodes[d.node].name) +
                                                     " cannot be applied: " + join_first_few(edited),
                                          .hint = "edit the lights in the file, or make a new file from the scene"}));
}
void collect_light_properties(const MatchedScenes& s, const std::vector<bool>& parts, PropertyEdits& properties) {
  std::vector<Assignment> none;
  for (const scene::Node& was : s.with_lamps->nodes) {
    if (was.light == k_none) continue;
    for (Index n = 0; n < s.edited.nodes.size(); ++n)
      if (s.edited.nodes[n].name == was.name && parts[n])
        properties.collect(was.name, was.extras, s.edited.nodes[n].extras, none);
  }
}

void note_edited_material(const MatchedScenes& s, const scene::MaterialDifference& d, SceneEdits& result) {
  std::vector<std::string> edited;
  if (d.color && !s.is_part_of_game) edited.emplace_back("colour");
  if (d.picture) edited.emplace_back("picture");
  if (d.transparency) edited.emplace_back("transparency");
  if (edited.empty()) return;
  ++result.lost;
  result.notes.push_back(make_diagnostic(
      Severity::warning, "scene.material", {},
      {.message = "edits to the material " + given(d.name) + " cannot be applied: " + join_first_few(edited),
       .hint = "edit the material's values and pictures in the file, or make a new file from the scene"}));
}

bool is_reshaped(const scene::EditedPrimitive& p) {
  return p.added || p.removed || std::ranges::any_of(p.triangles, [](const scene::EditedTriangle& t) {
           return std::ranges::any_of(t.vertices, [](const scene::EditedVertex& v) { return v.position.has_value(); });
         });
}
/// With other files, scenes have models instead of the meshes that mark elements.
bool shows_same_mesh(const MatchedScenes& s, Index i, Index n) {
  const Index mesh = s.edited.nodes[n].mesh;
  return mesh != k_none && scene::strip_copy_suffix(s.edited.meshes[mesh].name) ==
                               scene::strip_copy_suffix(s.original.meshes[s.original.nodes[i].mesh].name);
}

}  // namespace

void note_edited_lights(const MatchedScenes& s, const std::set<Index>& moved, PropertyEdits& properties,
                        SceneEdits& result) {
  if (s.has_no_lights) return;
  const scene::Scene& original = s.with_lamps ? *s.with_lamps : s.original;
  std::vector<bool> parts;
  for (Index n = 0; n < s.edited.nodes.size(); ++n) parts.push_back(s.is_of_this_file(n));
  for (scene::LightDifference d : scene::compare_lights(original, s.edited, parts)) {
    if (!s.with_lamps && moved.contains(d.node)) d.place = false;
    if (d.any()) note_edited_light(original, d, result);
  }
  if (s.with_lamps) collect_light_properties(s, parts, properties);
}

void note_edited_materials(const MatchedScenes& s, const std::vector<bool>& original_parts,
                           const std::vector<bool>& edited_parts, SceneEdits& result) {
  for (const scene::MaterialDifference& d :
       scene::compare_materials(s.original, s.edited, original_parts, edited_parts))
    note_edited_material(s, d, result);
  if (!s.with_lamps) return;
  std::set<std::string_view> names;
  for (const scene::Material& m : s.original.materials) names.insert(m.name);
  const std::vector<bool> all(s.with_lamps->nodes.size(), true);
  for (const scene::MaterialDifference& d : scene::compare_materials(*s.with_lamps, s.edited, all, edited_parts))
    if (!names.contains(d.name)) note_edited_material(s, d, result);
}

void note_edited_markers(const MatchedScenes& s, SceneEdits& result) {
  if (s.has_applied_transforms()) return;
  scene::Scene original = s.original;
  std::vector<bool> original_parts(original.nodes.size()), edited_parts(s.edited.nodes.size());
  for (Index i = 0; i < original.nodes.size(); ++i) {
    scene::Node& node = original.nodes[i];
    node.parent = k_none;
    if (node.mesh == k_none || node.skin != k_none || s.edited_nodes[i].empty()) continue;
    const Index n = s.edited_nodes[i].front();
    const auto pose = scene::decompose_trs(s.edited_places[n]);
    if (!shows_same_mesh(s, i, n) || !s.is_of_this_file(n) || !pose ||
        scene::determinant(s.edited_places[n].linear) == 0)
      continue;
    node.translation = pose->translation, node.rotation = pose->rotation, node.scale = pose->scale;
    original_parts[i] = edited_parts[n] = true;
  }
  std::set<Index> reshaped;
  const auto differences = scene::match_triangles(original, s.edited, s.original_nodes, original_parts, edited_parts);
  for (const scene::EditedPrimitive& p : differences.primitives)
    if (is_reshaped(p)) reshaped.insert(p.node);
  if (reshaped.empty()) return;
  std::vector<std::string> names;
  for (const Index i : reshaped) names.push_back(original.nodes[i].name);
  result.lost += reshaped.size();
  result.notes.push_back(make_diagnostic(
      Severity::warning, "scene.place", {},
      {.message = "edits to the meshes of these nodes cannot be applied, because the meshes only mark elements: " +
                  join_first_few(names),
       .hint = "move the object instead of its vertices"}));
}

void note_edited_overlays(const MatchedScenes& s, const scene::TriangleDifferences& differences, SceneEdits& result) {
  for (const scene::EditedPrimitive& p : differences.primitives) {
    const bool is_gone = s.edited_nodes[p.node].empty();
    if (is_gone || !is_reshaped(p)) continue;  // exporters leave out what is hidden
    ++result.lost;
    result.notes.push_back(
        make_diagnostic(Severity::warning, "scene.place", s.original.nodes[p.node].name,
                        {.message = "edits to this mesh cannot be applied: the mesh only visualizes values in the file",
                         .hint = "edit these values in the file"}));
  }
}

void note_renamed_nodes(const MatchedScenes& s, SceneEdits& result) {
  if (s.is_part_of_game) return;
  constexpr size_t k_longest = 63;  // in Blender
  std::vector<std::string> renamed, elsewhere;
  for (Index i = 0; i < s.original.nodes.size(); ++i) {
    if (s.edited_nodes[i].empty() || s.path_of(i).empty()) continue;
    const scene::Node &own = s.original.nodes[i], &now = s.edited.nodes[s.edited_nodes[i].front()];
    if (path_from_extras(now.extras) != s.path_of(i)) continue;
    const std::string_view name = scene::strip_copy_suffix(now.name), was = scene::strip_copy_suffix(own.name);
    if (name.substr(0, k_longest) != was.substr(0, k_longest)) renamed.push_back(own.name + " (now " + now.name + ")");
    const Index parent = now.parent == k_none ? k_none : s.original_nodes[now.parent];
    if (parent != k_none && own.parent != k_none && parent != own.parent) elsewhere.push_back(now.name);
  }
  const auto note = [&](const std::vector<std::string>& nodes, std::string_view what, std::string_view hint) {
    if (!nodes.empty())
      result.notes.push_back(
          make_diagnostic(Severity::hint, "scene.kept", {},
                          {.message = std::string(what) + join_first_few(nodes), .hint = std::string(hint)}));
  };
  note(renamed, "nodes keep their names in the file: ", "");
  note(elsewhere,
       "nodes keep their parents in the file: ", "to move an element to another list, copy an element of that list");
}

void note_moved_roots(const MatchedScenes& s, SceneEdits& result) {
  const scene::Pose none;
  for (Index n = 0; n < s.edited.nodes.size(); ++n) {
    const scene::Node& root = s.edited.nodes[n];
    const bool has_parts = std::ranges::any_of(std::views::iota(Index(0), Index(s.edited.nodes.size())), [&](Index c) {
      const Index own = s.original_nodes[c];
      return s.edited.nodes[c].parent == n && own != k_none && s.original.nodes[own].parent == k_none;
    });
    if (root.parent != k_none || s.original_nodes[n] != k_none || !has_parts || is_foreign_node(s.edited, n)) continue;
    scene::Pose pose = scene::decompose_trs(root);
    pose.scale = none.scale;
    if (is_same_pose(pose, none)) continue;
    ++result.lost;
    result.notes.push_back(make_diagnostic(
        Severity::warning, "scene.place", root.name,
        {.message = "the root node was moved or turned, which the file cannot store for all of its parts",
         .hint = "move the nodes below the root node"}));
  }
}

void note_moved_illustrations(const MatchedScenes& s, SceneEdits& result) {
  if (s.has_applied_transforms()) return;
  std::vector<std::string> moved;
  for (Index i = 0; i < s.original.nodes.size(); ++i) {
    const scene::Node& own = s.original.nodes[i];
    if (s.edited_nodes[i].empty() || !is_auxiliary_node(s.format(), own)) continue;
    const Index n = s.edited_nodes[i].front();
    const scene::Node& now = s.edited.nodes[n];
    const bool is_hidden = scene::determinant(scene::local_transform(now).linear) == 0;
    if (!s.is_animated[n] && !is_hidden && s.is_of_this_file(n) && s.is_below_same_parent(i, n) &&
        !is_same_pose(scene::decompose_trs(own), scene::decompose_trs(now)))
      moved.push_back(now.name);
  }
  if (moved.empty()) return;
  result.lost += moved.size();
  result.notes.push_back(make_diagnostic(
      Severity::warning, "scene.place", {},
      {.message = "the new transforms of these nodes are ignored, because they only illustrate an element: " +
                  join_first_few(moved),
       .hint = "move the node of the element"}));
}

void note_applied_transforms(SceneEdits& result) {
  result.notes.push_back(
      make_diagnostic(Severity::hint, "scene.kept", {},
                      {.message = "all positions, rotations and scales of elements have been applied to the "
                                  "objects, so the elements of the file stay where they are",
                       .hint = "to move elements, do not apply the transforms of their objects"}));
}

}  // namespace dio
