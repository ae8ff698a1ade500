#include "operations/scene_edits/element_edits.hpp"

#include <algorithm>
#include <set>

#include "core/sorting.hpp"
#include "core/text_format.hpp"
#include "formats/contract/arguments.hpp"
#include "formats/contract/node_transform_edit.hpp"
#include "layout/write_value.hpp"
#include "operations/operations.hpp"
#include "operations/scene_edits/element_paths.hpp"
#include "operations/scene_edits/unapplied_edits.hpp"
#include "operations/scene_nodes.hpp"
#include "scene/transforms.hpp"

namespace dio {

using scene::Index;
using scene::k_none;

namespace {

Diagnostic with_node_name(Diagnostic d, std::string_view node) {
  d.place.path = std::string(node);
  return d;
}
auto refuse_skewed(std::string_view node) {
  return refuse("scene.place", node, {.message = "the node is skewed, but the file cannot store skewed nodes"});
}

// ---- move ----

bool nearly_equal(const scene::Affine& a, const scene::Affine& b) {
  f64 size = 1, far = 0;
  for (size_t i = 0; i < 3; ++i) {
    size = std::max({size, std::fabs(a.origin[i]), std::fabs(b.origin[i])});
    far = std::max(far, std::fabs(a.origin[i] - b.origin[i]));
    for (size_t c = 0; c < 3; ++c)
      far = std::max(far, size * std::fabs(a.linear.columns[c][i] - b.linear.columns[c][i]));
  }
  return far < 1e-5 * size;
}
/// The values that bring an element to where a node of the edited scene is; none if it is there.
Result<std::vector<Assignment>> compute_pose_values(const MatchedScenes& s, Index original_node, Index node) {
  const scene::Node &was = s.original.nodes[original_node], &now = s.edited.nodes[node];
  const scene::Pose before = scene::decompose_trs(was);
  // Below the same node, where that was, it is where it says: a transform that was taken apart may be another one.
  const bool is_below_same =
      s.is_below_same_parent(original_node, node) &&
      (was.parent == k_none || nearly_equal(s.original_places[was.parent], s.edited_places[now.parent]));
  if (is_below_same && is_same_pose(before, scene::decompose_trs(now))) return std::vector<Assignment>();
  const auto back =
      was.parent == k_none ? scene::Affine{} : scene::inverse(s.original_places[was.parent]).value_or(scene::Affine{});
  const scene::Affine place = back * s.edited_places[node];
  // Programs that know no hidden nodes give them no size.
  if (scene::determinant(place.linear) == 0 && scene::determinant(scene::local_transform(before).linear) != 0)
    return std::vector<Assignment>();
  const std::optional<scene::Pose> after = is_below_same ? scene::decompose_trs(now) : scene::decompose_trs(place);
  if (!after) return refuse_skewed(now.name);
  if (is_same_pose(before, *after)) return std::vector<Assignment>();
  const auto values = s.format().place(s.file, {was.extras, before, *after});
  if (!values) return refuse(with_node_name(values.error(), now.name));
  std::vector<Assignment> out;
  for (const Argument& a : *values) out.push_back({a.name, a.value});
  return out;
}

// ---- remove ----

/// Whether exporters have left out what the node of an element shows: a camera or a light, of which the scene has none.
bool is_left_out(const MatchedScenes& s, Index i) {
  const scene::Node& node = s.original.nodes[i];
  return (node.camera != k_none && s.has_no_cameras) || (node.light != k_none && s.has_no_lights);
}
/// Whether a node was taken out of the scene, and is not only missing together with what it was below. `is_removed`: by
/// node above it, whether its element is to be removed.
bool is_missing_alone(const MatchedScenes& s, Index i, const std::vector<bool>& is_removed) {
  if (!s.edited_nodes[i].empty()) return false;
  const Index parent = s.original.nodes[i].parent;
  if (parent != k_none) return !s.edited_nodes[parent].empty() || is_removed[parent];
  for (Index n = 0; n < s.original.nodes.size(); ++n)  // beside what is still there
    if (s.original.nodes[n].parent == k_none && n != i && !s.edited_nodes[n].empty()) return true;
  return false;
}

struct MissingElements {
  std::vector<std::string> removed;  // without elements inside of others
  u64 removed_nodes = 0;             // that can be placed
  u64 kept = 0;                      // missing together with their parents
  u64 left_out = 0;                  // by exporters
  bool has_cameras_left_out = false, has_lights_left_out = false;
};
MissingElements find_missing_elements(const MatchedScenes& s) {
  const auto& nodes = s.original.nodes;
  // An element that is shown by a node above those of its parts goes with all of them: a route, a group of points.
  std::vector<u32> parts(nodes.size()), gone_parts(nodes.size());
  for (Index i = u32(nodes.size()); i-- > 0;) {
    const bool counts = is_placed(s.format(), nodes[i]) || (parts[i] && is_element(s.path_of(i)));
    if (!counts || nodes[i].parent == k_none) continue;
    ++parts[nodes[i].parent];
    gone_parts[nodes[i].parent] += s.edited_nodes[i].empty() && !is_left_out(s, i);
  }
  MissingElements out;
  std::vector<bool> is_removed(nodes.size());
  for (Index i = 0; i < nodes.size(); ++i) {
    if (!is_element(s.path_of(i))) continue;
    const bool placed = is_placed(s.format(), nodes[i]);
    if (!placed && !(parts[i] && gone_parts[i] == parts[i])) continue;
    const bool is_missing = is_missing_alone(s, i, is_removed), left_out = is_left_out(s, i);
    is_removed[i] = is_missing && !left_out;
    if (is_missing && left_out) {
      ++out.left_out;
      (s.has_no_cameras && nodes[i].camera != k_none ? out.has_cameras_left_out : out.has_lights_left_out) = true;
    }
    out.kept += placed && s.edited_nodes[i].empty() && !is_missing;
    if (!is_removed[i]) continue;
    const bool is_inside =
        std::ranges::any_of(out.removed, [&](const std::string& r) { return s.path_of(i).starts_with(r + "."); });
    if (!is_inside) out.removed.emplace_back(s.path_of(i));
    out.removed_nodes += placed;
  }
  return out;
}

void note_kept_elements(const MissingElements& missing, SceneEdits& result) {
  const u64 left_out = missing.left_out, kept = missing.kept;
  const bool has_both = missing.has_cameras_left_out && missing.has_lights_left_out;
  const std::string kinds = missing.has_lights_left_out ? "lights" : "cameras";
  if (left_out)
    result.notes.push_back(make_diagnostic(
        Severity::hint, "scene.kept", {},
        {.message = "the scene has no " + (has_both ? "cameras and no lights" : kinds) +
                    " (exporters omit them by default); " + format_count(left_out, "element") + " of the file " +
                    (left_out == 1 ? "stays unchanged" : "stay unchanged"),
         .hint = "to edit these elements, include " + (has_both ? "cameras and lights" : kinds) + " in the export"}));
  if (kept)
    result.notes.push_back(make_diagnostic(
        Severity::hint, "scene.kept", {},
        {.message = format_count(kept, "element") + " of the file " +
                    (kept == 1 ? "is missing from the scene together with its parent node and stays unchanged"
                               : "are missing from the scene together with their parent nodes and stay unchanged")}));
}

// ---- add ----

/// The list whose elements have their nodes directly below a node; empty if there is none.
std::string find_child_element_list(const MatchedScenes& s, Index section) {
  std::string list;
  for (Index i = 0; i < s.original.nodes.size(); ++i) {
    const scene::Node& node = s.original.nodes[i];
    if (node.parent != section || !is_placed(s.format(), node) || !is_element(s.path_of(i))) continue;
    const std::string of = split_element_path(s.path_of(i)).first;
    if (!list.empty() && of != list) return {};
    list = of;
  }
  return list;
}
/// Whether somebody has put an empty into the scene: nothing of the file is below it, nor is it what programs put
/// below cameras and lights.
bool is_made_by_hand(const MatchedScenes& s, Index node) {
  const scene::Node& n = s.edited.nodes[node];
  if (n.camera != k_none || n.light != k_none || n.skin != k_none || n.mesh != k_none) return false;
  if (n.parent != k_none && (s.original_nodes[n.parent] != k_none || s.edited.nodes[n.parent].mesh != k_none))
    return false;
  return std::ranges::none_of(s.edited.nodes, [&](const scene::Node& other) { return other.parent == node; });
}
/// The translation, rotation and scale as arguments of Editing::place.
std::vector<Argument> to_arguments(const scene::Pose& pose) {
  std::vector<Argument> out;
  const auto add = [&](const char* name, const auto& numbers) {
    std::string text;
    for (const f32 x : numbers) text += (text.empty() ? "" : ",") + format_real(f64(x), true);
    out.push_back({name, std::move(text)});
  };
  add("translation", pose.translation), add("rotation", pose.rotation), add("scale", pose.scale);
  return out;
}
/// The names of all properties that the scene of the file shows of the elements of a list.
std::set<std::string> find_property_names(const MatchedScenes& s, Index section) {
  std::set<std::string> out;
  for (const scene::Node& node : s.original.nodes)
    if (node.parent == section && is_placed(s.format(), node))
      for (const auto& [name, value] : node.extras.members()) out.insert(name);
  return out;
}
/// Adds an element for a new node below the node of a section.
Result<bool> add_element(Editing& editing, const MatchedScenes& s, const std::string& list, Index section, Index node,
                         PropertyEdits& properties, SceneEdits& result) {
  const scene::Node& n = s.edited.nodes[node];
  const auto spot = editing.spans().find(list);
  const u64 at_end = spot ? editing.spans().length(spot->span) : 0;
  const std::string element = list + "[" + std::to_string(at_end) + "]";
  Destination to;
  if (at_end) to.after = at_end - 1;
  if (auto made = editing.add(list, {}, to); !made) return refuse(with_node_name(made.error(), n.name));
  ++result.added;
  std::vector<Assignment> fields;
  properties.collect_new(n.name, element, find_property_names(s, section), n.extras, fields);
  if (!fields.empty())
    if (auto made = editing.set(fields); !made) return refuse(with_node_name(made.error(), n.name));
  const auto back = scene::inverse(s.original_places[section]).value_or(scene::Affine{});
  const auto pose = scene::decompose_trs(back * s.edited_places[node]);
  if (!pose) return refuse_skewed(n.name);
  if (auto made = editing.place(element, to_arguments(*pose)); !made)
    return refuse(with_node_name(made.error(), n.name));
  return true;
}
/// Names new nodes for which the file has no list.
void note_new_nodes(const MatchedScenes& s, const std::vector<std::string>& names, SceneEdits& result) {
  if (names.empty()) return;
  // Without extras, what shows other files (the model of a course) cannot be told from what is new.
  const bool has_extras =
      std::ranges::any_of(s.edited.nodes, [](const scene::Node& n) { return !path_from_extras(n.extras).empty(); });
  if (has_extras) result.lost += names.size();
  result.notes.push_back(
      has_extras
          ? make_diagnostic(Severity::warning, "scene.new", {},
                            {.message = "the file cannot store these new nodes of the scene: " + join_first_few(names),
                             .hint = "copy an existing node, or make the new node a child of a section node"})
          : make_diagnostic(Severity::hint, "scene.new", {},
                            {.message = "these nodes are ignored, because they are new or show other files: " +
                                        join_first_few(names),
                             .hint = "include custom properties in the export to distinguish new nodes"}));
}

}  // namespace

Result<bool> move_elements(Editing& editing, const MatchedScenes& s, SceneEdits& result) {
  if (s.format().place && s.has_applied_transforms()) {
    note_applied_transforms(result);
    return true;
  }
  std::vector<Assignment> all;
  for (Index i = 0; i < s.original.nodes.size(); ++i) {
    if (s.edited_nodes[i].empty() || !is_placed(s.format(), s.original.nodes[i])) continue;
    const auto values = compute_pose_values(s, i, s.edited_nodes[i].front());
    if (!values) return refuse(values.error());
    if (values->empty()) continue;
    ++result.moved;
    all.insert(all.end(), values->begin(), values->end());
  }
  if (all.empty()) return true;
  if (auto made = editing.set(all); !made) return refuse(std::move(made.error()));
  return true;
}

Result<std::vector<std::string>> remove_elements(Editing& editing, const MatchedScenes& s, Referrers referrers,
                                                 SceneEdits& result) {
  MissingElements missing = find_missing_elements(s);
  result.removed += missing.removed_nodes;
  note_kept_elements(missing, result);
  result.deleted = missing.removed.size();
  if (!missing.removed.empty())
    if (auto made = editing.remove(missing.removed, referrers); !made) return refuse(std::move(made.error()));
  return std::move(missing.removed);
}

Result<bool> copy_elements(Editing& editing, const MatchedScenes& s, const std::vector<std::string>& removed,
                           PropertyEdits& properties, SceneEdits& result) {
  std::vector<Index> originals;
  for (Index i = 0; i < s.original.nodes.size(); ++i)
    if (s.edited_nodes[i].size() > 1 && is_placed(s.format(), s.original.nodes[i]) && is_element(s.path_of(i)))
      originals.push_back(i);
  sort_stably(originals, [&](Index a, Index b) { return is_later_or_nested_in(s.path_of(a), s.path_of(b)); });
  const RenumberedPaths renumbered(removed);
  for (const Index i : originals) {
    const std::string path = renumbered.path_after_removal(s.path_of(i));
    const auto [list, index] = split_element_path(path);
    const std::string copied = list + "[" + std::to_string(index + 1) + "]";
    for (size_t c = s.edited_nodes[i].size(); c-- > 1;) {
      const Index node = s.edited_nodes[i][c];
      const scene::Node& copy = s.edited.nodes[node];
      auto values = compute_pose_values(s, i, node);
      if (!values) return refuse(values.error());
      if (auto made = editing.duplicate(path); !made) return refuse(with_node_name(made.error(), copy.name));
      ++result.added;
      if (s.is_of_this_file(node) && path_from_extras(copy.extras) == s.path_of(i))
        properties.collect(copy.name, s.original.nodes[i].extras, copy.extras, *values);
      for (Assignment& a : *values) a.path = copied + a.path.substr(s.path_of(i).size());
      if (values->empty()) continue;
      if (auto made = editing.set(*values); !made) return refuse(with_node_name(made.error(), copy.name));
    }
  }
  return true;
}

Result<bool> add_elements(Editing& editing, const MatchedScenes& s, const std::vector<std::string>& removed,
                          PropertyEdits& properties, SceneEdits& result) {
  std::vector<std::string> left_out;
  const RenumberedPaths renumbered(removed);
  for (Index i = 0; i < s.edited.nodes.size(); ++i) {
    const scene::Node& n = s.edited.nodes[i];
    if (s.original_nodes[i] != k_none || is_foreign_node(s.edited, i) || is_auxiliary_node(s.format(), n)) continue;
    const Index section = n.parent == k_none ? k_none : s.original_nodes[n.parent];
    const std::string list =
        section == k_none ? std::string() : renumbered.path_after_removal(find_child_element_list(s, section));
    if (!list.empty()) {
      if (auto done = add_element(editing, s, list, section, i, properties, result); !done) return done;
      continue;
    }
    if (n.extras.find("kind") && !is_placed(s.format(), n)) continue;  // it groups nodes of the file
    const bool is_drawn = n.mesh != k_none && !s.format().write_triangles;
    if (is_drawn || is_made_by_hand(s, i)) left_out.push_back(n.name);
  }
  note_new_nodes(s, left_out, result);
  return true;
}

}  // namespace dio
