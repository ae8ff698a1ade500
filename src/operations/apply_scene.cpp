#include "operations/apply_scene.hpp"

#include <algorithm>
#include <ranges>
#include <set>

#include "core/sorting.hpp"
#include "core/text_format.hpp"
#include "formats/contract/arguments.hpp"
#include "formats/contract/format.hpp"
#include "formats/contract/node_transform_edit.hpp"
#include "layout/path_steps.hpp"
#include "layout/write_value.hpp"
#include "operations/operations.hpp"
#include "operations/scene_nodes.hpp"
#include "operations/scene_properties.hpp"
#include "scene/light_match.hpp"
#include "scene/material_match.hpp"
#include "scene/node_name_suffixes.hpp"
#include "scene/transforms.hpp"
#include "scene/units.hpp"

namespace dio {

namespace {

using scene::Index;
using scene::k_none;

bool is_element(std::string_view path) { return path.ends_with(']'); }
/// The list of an element, and its index in it.
std::pair<std::string, u64> split_element_path(std::string_view path) {
  const size_t open = path.find_last_of('[');
  std::string_view index = path.substr(open);
  return {std::string(path.substr(0, open)), take_index(index).value_or(0)};
}

/// Paths as they are when elements before them are gone.
class Renumbered {
 public:
  explicit Renumbered(const std::vector<std::string>& removed) {
    for (const std::string& path : removed) {
      const auto [list, index] = split_element_path(path);
      gone_[list].push_back(index);
    }
  }
  std::string path_after_removal(std::string_view path) const {
    return *remap_path(path, [&](const std::string& list, u64 index) -> std::optional<u64> {
      const auto gone = gone_.find(list);
      if (gone == gone_.end()) return index;
      return index - u64(std::ranges::count_if(gone->second, [&](u64 g) { return g < index; }));
    });
  }

 private:
  std::map<std::string, std::vector<u64>> gone_;  // by list, as it was
};

/// Elements that stand later come first, and what is inside an element comes before the element.
bool is_later_or_nested_in(std::string_view a, std::string_view b) {
  while (!a.empty() && !b.empty()) {
    const auto i = take_index(a), j = take_index(b);
    if (i && j) {
      if (*i != *j) return *i > *j;
      continue;
    }
    if (a.front() != b.front()) return a.front() > b.front();
    a.remove_prefix(1), b.remove_prefix(1);
  }
  return a.size() > b.size();
}

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

class SceneEditApplier {
 public:
  SceneEditApplier(Editing& editing, const ReadAs& as, scene::Scene& edited, Referrers referrers, std::string_view file,
                   std::span<const Companion> companions)
      : e_(editing),
        file_(editing.document()),
        as_(as),
        edited_(edited),
        referrers_(referrers),
        path_(file),
        companions_(companions) {}

  Result<SceneEdits> run() {
    auto staged = scenes().to_scene(file_, scene_options());
    if (!staged) return refuse(staged.error().id == "scene.none" ? foreign_scene_error() : std::move(staged.error()));
    own_ = std::move(staged->scene);
    scene::convert_units(edited_, own_.metres_per_unit);
    is_part_of_game_ = !path_.empty() && !scenes().prepare_comparison && keep_part_of_file(edited_, path_, scenes());
    own_places_ = scene::world_transforms(own_), places_ = scene::world_transforms(edited_);
    auto matched =
        match_scene_nodes(own_, edited_, scenes(), [&](std::string_view p) { return e_.spans().find(p).has_value(); });
    there_ = std::move(matched.edited_nodes), of_ = std::move(matched.original_nodes),
    doubt_ = std::move(matched.doubt);
    if (!matched.is_of_file && !scenes().write_triangles) return refuse(foreign_scene_error());
    is_known_ = matched.is_of_file;
    if (is_part_of_game_) doubt_.clear();  // the scene says which file it shows; a world has other names
    find_what_exporters_leave_out();
    find_animated_nodes();
    if (auto done = find_lamps(); !done) return refuse(std::move(done.error()));
    const auto made = e_.run_as_transaction([&]() -> Result<bool> {
      if (auto done = move(); !done) return done;
      if (auto done = take_properties(); !done) return done;
      if (auto done = remove(); !done) return done;
      if (auto done = copy(); !done) return done;
      if (auto done = add(); !done) return done;
      if (auto done = write_triangles(); !done) return done;
      note_edited_lights(), note_properties(), note_renamed_nodes(), note_moved_roots(), note_moved_illustrations();
      return true;
    });
    if (!made) {
      Diagnostic why = made.error();
      if (!doubt_.empty() && why.id != "scene.source")
        why.hint += (why.hint.empty() ? "" : "; ") + ("was the scene made from this file? " + doubt_);
      return refuse(std::move(why));
    }
    if (!doubt_.empty() && result_.any())
      result_.notes.push_back(make_diagnostic(Severity::warning, "scene.other", {},
                                              {.message = doubt_ + ": was the scene made from this file?"}));
    return std::move(result_);
  }

 private:
  const Scenes& scenes() const { return *as_.format->scenes; }
  /// Of the scene to compare with.
  SceneOptions scene_options() const {
    SceneOptions out;
    if (scenes().needs_companions) out.companions = companions_;
    return out;
  }
  const scene::Node& own(Index i) const { return own_.nodes[i]; }
  std::string_view path_of(Index own) const { return path_from_extras(own_.nodes[own].extras); }

  Diagnostic with_node_name(Diagnostic d, std::string_view node) const {
    d.place.path = std::string(node);
    return d;
  }

  bool is_below_same_parent(Index own_node, Index node) const {
    const Index parent = own(own_node).parent, edited_parent = edited_.nodes[node].parent;
    return edited_parent == k_none ? parent == k_none : parent != k_none && of_[edited_parent] == parent;
  }
  /// The values that bring an element to where a node of the edited scene is; none if it is there.
  Result<std::vector<Assignment>> compute_pose_values(Index own_node, Index node) {
    const Index parent = own(own_node).parent;
    const scene::Pose before = scene::decompose_trs(own(own_node));
    // Below the same node, where that was, it is where it says: a transform that was taken apart may be another one.
    const bool is_below_same =
        is_below_same_parent(own_node, node) &&
        (parent == k_none || nearly_equal(own_places_[parent], places_[edited_.nodes[node].parent]));
    if (is_below_same && is_same_pose(before, scene::decompose_trs(edited_.nodes[node])))
      return std::vector<Assignment>();
    const auto back =
        parent == k_none ? scene::Affine{} : scene::inverse(own_places_[parent]).value_or(scene::Affine{});
    const scene::Affine place = back * places_[node];
    // Programs that know no hidden nodes give them no size.
    if (scene::determinant(place.linear) == 0 && scene::determinant(scene::local_transform(before).linear) != 0)
      return std::vector<Assignment>();
    const std::string& name = edited_.nodes[node].name;
    const std::optional<scene::Pose> after =
        is_below_same ? scene::decompose_trs(edited_.nodes[node]) : scene::decompose_trs(place);
    if (!after)
      return refuse("scene.place", name, {.message = "the node is skewed, but the file cannot store skewed nodes"});
    if (is_same_pose(before, *after)) return std::vector<Assignment>();
    const auto values = scenes().place(file_, {own(own_node).extras, before, *after});
    if (!values) return refuse(with_node_name(values.error(), name));
    std::vector<Assignment> out;
    for (const Argument& a : *values) out.push_back({a.name, a.value});
    return out;
  }

  /// Whether a program has applied the transforms of all nodes that stand for something of the file, so that none says
  /// where that is.
  bool has_applied_transforms() const {
    const scene::Pose none;
    bool had_any = false;
    for (Index i = 0; i < own_.nodes.size(); ++i) {
      // Programs apply the transforms of lights and cameras separately.
      const bool stands_for_part = is_placed(scenes(), own(i)) || (scenes().move_node && !path_of(i).empty() &&
                                                                   own(i).light == k_none && own(i).camera == k_none);
      if (there_[i].empty() || !stands_for_part || is_animated_[there_[i].front()] ||
          is_same_pose(scene::decompose_trs(own(i)), none))
        continue;
      if (!is_same_pose(scene::decompose_trs(edited_.nodes[there_[i].front()]), none)) return false;
      had_any = true;
    }
    return had_any;
  }
  void note_applied_transforms() {
    result_.notes.push_back(
        make_diagnostic(Severity::hint, "scene.kept", {},
                        {.message = "all positions, rotations and scales of elements have been applied to the "
                                    "objects, so the elements of the file stay where they are",
                         .hint = "to move elements, do not apply the transforms of their objects"}));
  }
  Result<bool> move() {
    if (scenes().place && has_applied_transforms()) {
      note_applied_transforms();
      return true;
    }
    std::vector<Assignment> all;
    for (Index i = 0; i < own_.nodes.size(); ++i) {
      if (there_[i].empty() || !is_placed(scenes(), own(i))) continue;
      const auto values = compute_pose_values(i, there_[i].front());
      if (!values) return refuse(values.error());
      if (values->empty()) continue;
      ++result_.moved;
      all.insert(all.end(), values->begin(), values->end());
    }
    if (all.empty()) return true;
    if (auto made = e_.set(all); !made) return refuse(std::move(made.error()));
    return true;
  }

  /// The values of an element that a property in the extras of its node states otherwise than in the scene of the file.
  /// False: the file has no such value, or none of this form.
  bool collect_property_values(const std::string& path, const Value* was, const Value& stored,
                               std::vector<Assignment>& out) const {
    const Value now = property_as_before(was, stored);
    if (was && is_same_property(*was, now)) return true;
    if (!now.is(Value::Kind::list)) {
      if (!e_.spans().find(path)) return false;
      out.push_back({path, now});
      return true;
    }
    const size_t count = now.members().size();
    if (!was || !was->is(Value::Kind::list) || was->members().size() != count) return false;
    bool has_all = true;
    for (size_t k = 0; k < count; ++k)
      has_all &= collect_property_values(path + "[" + std::to_string(k) + "]", was->at(k), *now.at(k), out);
    return has_all;
  }
  /// An edited property that the file takes from somewhere else.
  bool is_read_elsewhere(const Value& extras, std::string_view name) const {
    return scenes().reads_property && scenes().reads_property(file_, extras, name);
  }
  bool is_companion_property(std::string_view name) const {
    return std::ranges::find(scenes().companion_properties, name) != scenes().companion_properties.end();
  }
  /// The values of an element whose properties in extras were edited; poses follow from the nodes.
  void take_properties_of(const std::string& owner, const Value& was, const Value& now, std::vector<Assignment>& all) {
    static const std::set<std::string_view> k_names = {"path", "file", "files", "parts"};
    static const std::set<std::string_view> k_not_values = {"kind",     "handles",  "framed",
                                                            "rotation", "position", "scale"};
    const size_t before = all.size();
    for (const auto& [name, value] : now.members()) {
      const Value* old = was.find(name);
      if (k_names.contains(name) || (old && is_same_property(*old, value)) || is_read_elsewhere(now, name)) continue;
      const std::string_view path = path_from_extras(was);
      std::vector<Assignment> values;
      const bool is_taken = is_element(path) && !k_not_values.contains(name) &&
                            collect_property_values(std::string(path) + "." + name, old, value, values);
      if (is_taken)
        all.insert(all.end(), values.begin(), values.end());
      else if (old)
        not_taken_.push_back(owner + ": " + name);
      else if (is_element(path) && was.find("kind") && !is_companion_property(name))
        unknown_properties_.push_back(owner + ": " + name);
    }
    result_.changed += all.size() != before;
  }
  bool is_of_this_file(Index edited) const { return !shows_other_file(edited_, edited, path_); }

  /// The materials of the file with those of the edited scene that state the same paths, or have the same names.
  std::vector<std::pair<const scene::Material*, const scene::Material*>> match_materials() const {
    std::map<std::string_view, const scene::Material*> by_path, by_name;
    std::set<std::string_view> names;
    for (const scene::Material& m : own_.materials) {
      if (is_element(path_from_extras(m.extras))) by_path.emplace(path_from_extras(m.extras), &m);
      if (names.insert(m.name).second)
        by_name.emplace(m.name, &m);
      else
        by_name.erase(m.name);
    }
    if (with_lamps_)
      for (const scene::Material& m : with_lamps_->materials)
        if (names.insert(m.name).second) by_name.emplace(m.name, &m);
    std::set<scene::Index> used;
    for (Index i = 0; i < edited_.nodes.size(); ++i) {
      if (edited_.nodes[i].mesh == k_none || !is_of_this_file(i)) continue;
      for (const scene::Primitive& p : edited_.meshes[edited_.nodes[i].mesh].primitives)
        if (p.material != k_none && !edited_.materials[p.material].extras.find("picture_of")) used.insert(p.material);
    }
    std::vector<std::pair<const scene::Material*, const scene::Material*>> out;
    for (const Index i : used) {
      const scene::Material& m = edited_.materials[i];
      const std::string_view path = path_from_extras(m.extras);
      const auto& known = is_element(path) ? by_path : by_name;
      const auto found = known.find(is_element(path) ? path : scene::original_material_name(m, names));
      if (found != known.end() && path == path_from_extras(found->second->extras)) out.emplace_back(found->second, &m);
    }
    return out;
  }
  /// Properties in the extras of nodes, materials and the scene that were edited.
  Result<bool> take_properties() {
    std::vector<Assignment> all;
    for (Index i = 0; i < own_.nodes.size(); ++i) {
      if (there_[i].empty()) continue;
      const scene::Node& node = edited_.nodes[there_[i].front()];
      const bool has_extras = path_from_extras(node.extras) == path_of(i);  // otherwise the program has dropped them
      if (has_extras && !node.extras.find("files") && is_of_this_file(there_[i].front()))
        take_properties_of(node.name, own(i).extras, node.extras, all);
    }
    for (const auto& [was, now] : match_materials()) take_properties_of(now->name, was->extras, now->extras, all);
    const Value* digest = edited_.extras.find(k_digest_in_scenes);
    if (digest ? digest->text() == digest_of(e_.view()) : !is_part_of_game_)
      take_properties_of("the scene", own_.extras, edited_.extras, all);
    if (all.empty()) return true;
    if (auto made = e_.set(all); !made) return refuse(std::move(made.error()));
    return true;
  }
  void note_properties() {
    result_.lost += not_taken_.size();
    if (!not_taken_.empty())
      result_.notes.push_back(make_diagnostic(
          Severity::warning, "scene.property", {},
          {.message = (not_taken_.size() == 1 ? std::string("1 edited property is")
                                              : std::to_string(not_taken_.size()) + " edited properties are") +
                      " not applied: " + join_first_few(not_taken_),
           .hint = "the file computes these properties from other values; edit those values"}));
    result_.lost += unknown_properties_.size();
    if (!unknown_properties_.empty())
      result_.notes.push_back(make_diagnostic(
          Severity::warning, "scene.property", {},
          {.message = "the file has no value for " + std::to_string(unknown_properties_.size()) +
                      (unknown_properties_.size() == 1 ? " new custom property: " : " new custom properties: ") +
                      join_first_few(unknown_properties_),
           .hint = "{explain FILE#PATH} lists the values of an element"}));
  }
  /// Names and parents of nodes that are known by their properties.
  void note_renamed_nodes() {
    if (is_part_of_game_) return;
    constexpr size_t k_longest = 63;  // in Blender
    std::vector<std::string> renamed, elsewhere;
    for (Index i = 0; i < own_.nodes.size(); ++i) {
      if (there_[i].empty() || path_of(i).empty()) continue;
      const scene::Node& now = edited_.nodes[there_[i].front()];
      if (path_from_extras(now.extras) != path_of(i)) continue;
      const std::string_view name = scene::strip_copy_suffix(now.name), was = scene::strip_copy_suffix(own(i).name);
      if (name.substr(0, k_longest) != was.substr(0, k_longest))
        renamed.push_back(own(i).name + " (now " + now.name + ")");
      const Index parent = now.parent == k_none ? k_none : of_[now.parent];
      if (parent != k_none && own(i).parent != k_none && parent != own(i).parent) elsewhere.push_back(now.name);
    }
    const auto note = [&](const std::vector<std::string>& nodes, std::string_view what, std::string_view hint) {
      if (!nodes.empty())
        result_.notes.push_back(
            make_diagnostic(Severity::hint, "scene.kept", {},
                            {.message = std::string(what) + join_first_few(nodes), .hint = std::string(hint)}));
    };
    note(renamed, "nodes keep their names in the file: ", "");
    note(elsewhere,
         "nodes keep their parents in the file: ", "to move an element to another list, copy an element of that list");
  }

  /// The scene of a file may have lights only on request.
  Result<bool> find_lamps() {
    const auto& options = scenes().options;
    if (has_no_lights_ || !own_.lights.empty() || std::ranges::find(options, "lamps") == options.end()) return true;
    auto staged = scenes().to_scene(file_, {.lamps = true});
    if (!staged) return refuse(std::move(staged.error()));
    with_lamps_ = std::move(staged->scene);
    return true;
  }
  /// Lights are not read back.
  void note_edited_lights() {
    if (has_no_lights_) return;
    const scene::Scene& original = with_lamps_ ? *with_lamps_ : own_;
    std::vector<bool> parts;
    for (Index i = 0; i < edited_.nodes.size(); ++i) parts.push_back(is_of_this_file(i));
    for (scene::LightDifference d : scene::compare_lights(original, edited_, parts)) {
      if (!with_lamps_ && moved_nodes_.contains(d.node)) d.place = false;
      if (d.any()) note_edited_light(original, d);
    }
    if (with_lamps_) note_light_properties(original, parts);
  }
  /// Nodes above those of the file, which only state its units.
  void note_moved_roots() {
    const scene::Pose none;
    for (Index n = 0; n < edited_.nodes.size(); ++n) {
      const scene::Node& root = edited_.nodes[n];
      const bool has_parts = std::ranges::any_of(std::views::iota(Index(0), Index(edited_.nodes.size())), [&](Index c) {
        return edited_.nodes[c].parent == n && of_[c] != k_none && own(of_[c]).parent == k_none;
      });
      if (root.parent != k_none || of_[n] != k_none || !has_parts || is_foreign_node(edited_, n)) continue;
      scene::Pose pose = scene::decompose_trs(root);
      pose.scale = none.scale;
      if (is_same_pose(pose, none)) continue;
      ++result_.lost;
      result_.notes.push_back(make_diagnostic(
          Severity::warning, "scene.place", root.name,
          {.message = "the root node was moved or turned, which the file cannot store for all of its parts",
           .hint = "move the nodes below the root node"}));
    }
  }
  /// Nodes that only illustrate an element, such as its movement.
  void note_moved_illustrations() {
    if (has_applied_transforms()) return;
    std::vector<std::string> moved;
    for (Index i = 0; i < own_.nodes.size(); ++i) {
      if (there_[i].empty() || !is_auxiliary_node(scenes(), own(i))) continue;
      const Index n = there_[i].front();
      const bool is_hidden = scene::determinant(scene::local_transform(edited_.nodes[n]).linear) == 0;
      if (!is_animated_[n] && !is_hidden && is_of_this_file(n) && is_below_same_parent(i, n) &&
          !is_same_pose(scene::decompose_trs(own(i)), scene::decompose_trs(edited_.nodes[n])))
        moved.push_back(edited_.nodes[n].name);
    }
    if (moved.empty()) return;
    result_.lost += moved.size();
    result_.notes.push_back(make_diagnostic(
        Severity::warning, "scene.place", {},
        {.message = "the new transforms of these nodes are ignored, because they only illustrate an element: " +
                    join_first_few(moved),
         .hint = "move the node of the element"}));
  }
  void note_edited_light(const scene::Scene& original, const scene::LightDifference& d) {
    std::vector<std::string> edited;
    if (d.removed) edited.emplace_back("removed");
    if (d.kind) edited.emplace_back("type");
    if (d.color) edited.emplace_back("colour");
    if (d.brightness) edited.emplace_back("brightness");
    if (d.range) edited.emplace_back("range");
    if (d.cone) edited.emplace_back("cone");
    if (d.place) edited.emplace_back("direction or position");
    ++result_.lost;
    result_.notes.push_back(
        make_diagnostic(Severity::warning, "scene.light", {},
                        {.message = "edits to the light " + given(original.nodes[d.node].name) +
                                    " cannot be applied: " + join_first_few(edited),
                         .hint = "edit the lights in the file, or make a new file from the scene"}));
  }
  void note_light_properties(const scene::Scene& original, const std::vector<bool>& parts) {
    std::vector<Assignment> none;
    for (const scene::Node& was : original.nodes) {
      if (was.light == k_none) continue;
      for (Index i = 0; i < edited_.nodes.size(); ++i)
        if (edited_.nodes[i].name == was.name && parts[i])
          take_properties_of(was.name, was.extras, edited_.nodes[i].extras, none);
    }
  }

  /// Whether exporters have left out what the node of an element shows: a camera or a light, of which the scene has
  /// none.
  bool is_left_out(Index i) const {
    return (own(i).camera != k_none && has_no_cameras_) || (own(i).light != k_none && has_no_lights_);
  }
  void find_what_exporters_leave_out() {
    has_no_cameras_ = std::ranges::all_of(edited_.nodes, [](const scene::Node& n) { return n.camera == k_none; });
    has_no_lights_ = std::ranges::all_of(edited_.nodes, [](const scene::Node& n) { return n.light == k_none; });
  }

  /// Whether a node was taken out of the scene, and is not only missing together with what it was below.
  bool is_deleted(Index i) const { return !is_left_out(i) && is_missing_alone(i); }
  bool is_missing_alone(Index i) const {
    if (!there_[i].empty()) return false;
    const Index parent = own(i).parent;
    if (parent != k_none) return !there_[parent].empty() || goes_[parent];
    for (Index n = 0; n < own_.nodes.size(); ++n)  // beside what is still there
      if (own(n).parent == k_none && n != i && !there_[n].empty()) return true;
    return false;
  }

  Result<bool> remove() {
    // An element that is shown by a node above those of its parts goes with all of them: a route, a group of points.
    std::vector<u32> parts(own_.nodes.size()), gone_parts(own_.nodes.size());
    for (Index i = u32(own_.nodes.size()); i-- > 0;) {
      const bool counts = is_placed(scenes(), own(i)) || (parts[i] && is_element(path_of(i)));
      if (!counts || own(i).parent == k_none) continue;
      ++parts[own(i).parent];
      gone_parts[own(i).parent] += there_[i].empty() && !is_left_out(i);
    }
    goes_.assign(own_.nodes.size(), false);
    u64 kept = 0, left_out = 0;
    for (Index i = 0; i < own_.nodes.size(); ++i) {
      if (!is_element(path_of(i))) continue;
      const bool placed = is_placed(scenes(), own(i));
      if (!placed && !(parts[i] && gone_parts[i] == parts[i])) continue;
      goes_[i] = is_deleted(i);
      left_out += is_left_out(i) && is_missing_alone(i);
      kept += placed && there_[i].empty() && !goes_[i] && !(is_left_out(i) && is_missing_alone(i));
      if (!goes_[i]) continue;
      const bool is_inside =
          std::ranges::any_of(removed_, [&](const std::string& r) { return path_of(i).starts_with(r + "."); });
      if (!is_inside) removed_.emplace_back(path_of(i));
      result_.removed += placed;
    }
    if (left_out)
      result_.notes.push_back(
          make_diagnostic(Severity::hint, "scene.kept", {},
                          {.message = "the scene has no " + std::string(has_no_cameras_ ? "cameras" : "lights") +
                                      " (exporters omit them by default); " + format_count(left_out, "element") +
                                      " of the file " + (left_out == 1 ? "stays unchanged" : "stay unchanged"),
                           .hint = "to edit these elements, include " +
                                   std::string(has_no_cameras_ ? "cameras" : "lights") + " in the export"}));
    if (kept)
      result_.notes.push_back(make_diagnostic(
          Severity::hint, "scene.kept", {},
          {.message = format_count(kept, "element") + " of the file " +
                      (kept == 1 ? "is missing from the scene together with its parent node and stays unchanged"
                                 : "are missing from the scene together with their parent nodes and stay unchanged")}));
    result_.deleted = removed_.size();
    if (removed_.empty()) return true;
    if (auto made = e_.remove(removed_, referrers_); !made) return refuse(std::move(made.error()));
    return true;
  }

  Result<bool> copy() {
    std::vector<Index> originals;
    for (Index i = 0; i < own_.nodes.size(); ++i)
      if (there_[i].size() > 1 && is_placed(scenes(), own(i)) && is_element(path_of(i))) originals.push_back(i);
    sort_stably(originals, [&](Index a, Index b) { return is_later_or_nested_in(path_of(a), path_of(b)); });
    const Renumbered renumbered(removed_);
    for (const Index i : originals) {
      const std::string path = renumbered.path_after_removal(path_of(i));
      const auto [list, index] = split_element_path(path);
      const std::string copied = list + "[" + std::to_string(index + 1) + "]";
      for (size_t c = there_[i].size(); c-- > 1;) {
        const Index node = there_[i][c];
        auto values = compute_pose_values(i, node);
        if (!values) return refuse(values.error());
        if (auto made = e_.duplicate(path); !made)
          return refuse(with_node_name(made.error(), edited_.nodes[node].name));
        ++result_.added;
        if (is_of_this_file(node) && path_from_extras(edited_.nodes[node].extras) == path_of(i))
          take_properties_of(edited_.nodes[node].name, own(i).extras, edited_.nodes[node].extras, *values);
        for (Assignment& a : *values) a.path = copied + a.path.substr(path_of(i).size());
        if (values->empty()) continue;
        if (auto made = e_.set(*values); !made) return refuse(with_node_name(made.error(), edited_.nodes[node].name));
      }
    }
    return true;
  }

  /// The list whose elements have their nodes directly below a node; empty if there is none.
  std::string find_child_element_list(Index section) const {
    std::string list;
    for (Index i = 0; i < own_.nodes.size(); ++i) {
      if (own(i).parent != section || !is_placed(scenes(), own(i)) || !is_element(path_of(i))) continue;
      const std::string of = split_element_path(path_of(i)).first;
      if (!list.empty() && of != list) return {};
      list = of;
    }
    return list;
  }

  /// Whether somebody has put an empty into the scene: nothing of the file is below it, nor is it what programs put
  /// below cameras and lights.
  bool is_made_by_hand(Index i) const {
    const scene::Node& n = edited_.nodes[i];
    if (n.camera != k_none || n.light != k_none || n.skin != k_none || n.mesh != k_none) return false;
    if (n.parent != k_none && (of_[n.parent] != k_none || edited_.nodes[n.parent].mesh != k_none)) return false;
    return std::ranges::none_of(edited_.nodes, [&](const scene::Node& other) { return other.parent == i; });
  }

  Result<bool> add() {
    std::vector<std::string> left_out;
    const Renumbered renumbered(removed_);
    for (Index i = 0; i < edited_.nodes.size(); ++i) {
      const scene::Node& n = edited_.nodes[i];
      if (of_[i] != k_none || is_foreign_node(edited_, i)) continue;
      if (is_auxiliary_node(scenes(), n)) continue;
      const Index section = n.parent == k_none ? k_none : of_[n.parent];
      const std::string list =
          section == k_none ? std::string() : renumbered.path_after_removal(find_child_element_list(section));
      if (list.empty()) {
        if (n.extras.find("kind") && !is_placed(scenes(), n)) continue;  // it groups nodes of the file
        const bool is_drawn = n.mesh != k_none && !scenes().write_triangles;
        if (is_drawn || is_made_by_hand(i)) left_out.push_back(n.name);
        continue;
      }
      const auto spot = e_.spans().find(list);
      const u64 at_end = spot ? e_.spans().length(spot->span) : 0;
      const std::string element = list + "[" + std::to_string(at_end) + "]";
      Destination to;
      if (at_end) to.after = at_end - 1;
      if (auto made = e_.add(list, {}, to); !made) return refuse(with_node_name(made.error(), n.name));
      ++result_.added;
      // What its extras say of fields that it has.
      std::vector<Assignment> fields;
      for (const auto& [name, value] : n.extras.members()) {
        const bool is_number = value.is(Value::Kind::integer) && e_.spans().find(element + "." + name);
        if (!is_number) continue;
        fields.push_back({element + "." + name, value});
      }
      if (!fields.empty())
        if (auto made = e_.set(fields); !made) return refuse(with_node_name(made.error(), n.name));
      const auto back = scene::inverse(own_places_[section]).value_or(scene::Affine{});
      const auto pose = scene::decompose_trs(back * places_[i]);
      if (!pose)
        return refuse("scene.place", n.name, {.message = "the node is skewed, but the file cannot store skewed nodes"});
      std::vector<Argument> told;
      const auto add_pose_argument = [&](const char* name, const auto& numbers) {
        std::string text;
        for (const f32 x : numbers) text += (text.empty() ? "" : ",") + format_real(f64(x), true);
        told.push_back({name, std::move(text)});
      };
      add_pose_argument("translation", pose->translation), add_pose_argument("rotation", pose->rotation),
          add_pose_argument("scale", pose->scale);
      if (auto made = e_.place(element, told); !made) return refuse(with_node_name(made.error(), n.name));
    }
    if (left_out.empty()) return true;
    // Without extras, what shows other files (the model of a course) cannot be told from what is new.
    const bool has_extras =
        std::ranges::any_of(edited_.nodes, [](const scene::Node& n) { return !path_from_extras(n.extras).empty(); });
    if (has_extras) result_.lost += left_out.size();
    result_.notes.push_back(
        has_extras ? make_diagnostic(
                         Severity::warning, "scene.new", {},
                         {.message = "the file cannot store these new nodes of the scene: " + join_first_few(left_out),
                          .hint = "copy an existing node, or make the new node a child of a section node"})
                   : make_diagnostic(Severity::hint, "scene.new", {},
                                     {.message = "these nodes are ignored, because they are new or show other files: " +
                                                 join_first_few(left_out),
                                      .hint = "include custom properties in the export to distinguish new nodes"}));
    return true;
  }

  static Diagnostic foreign_scene_error() {
    return make_diagnostic("scene.source", {},
                           {.message = "no node of the scene comes from this file",
                            .hint = "make a scene from this file with {convert}, and include custom properties when "
                                    "you export the edited scene"});
  }
  /// By node of a scene, whether its mesh is a part of what the file draws, and no overlay.
  std::vector<bool> find_drawn_nodes(const scene::Scene& s) const {
    std::vector<bool> out;
    for (Index i = 0; i < s.nodes.size(); ++i) {
      const scene::Node& n = s.nodes[i];
      const Value* kind = n.extras.find("kind");
      const bool is_overlay = kind && std::ranges::any_of(scenes().kinds, [&](const NodeKind& k) {
                                return k.kind == kind->text() && (!k.overlay.empty() || k.shows_values);
                              });
      // What is shown below something that can be placed is its own: the model of a prop.
      const bool is_below_placed = n.parent != k_none && is_placed(scenes(), s.nodes[n.parent]);
      out.push_back(!is_overlay && !is_below_placed && !is_auxiliary_node(scenes(), n) &&
                    (n.parent == k_none || out[n.parent]));
    }
    for (Index i = 0; i < s.nodes.size(); ++i) out[i] = out[i] && !is_foreign_node(s, i);
    return out;
  }
  Result<bool> write_triangles() {
    if (!scenes().write_triangles) {
      note_edited_materials(std::vector<bool>(own_.nodes.size(), true), find_known_nodes());
      note_edited_markers();
      return true;
    }
    if (scenes().prepare_comparison) return compare_prepared();
    std::vector<bool> own_parts = find_drawn_nodes(own_), parts = find_drawn_nodes(edited_);
    for (Index i = 0; i < edited_.nodes.size(); ++i)  // without extras, overlays are known by their names
      if (of_[i] != k_none) parts[i] = parts[i] && own_parts[of_[i]];
    ComparedScenes alike = make_comparable(own_, own_parts, parts);
    auto differences = match(alike);
    if (auto done = move_nodes(alike, differences); !done) return done;
    result_.lost += alike.lost;
    result_.notes.insert(result_.notes.end(), alike.notes.begin(), alike.notes.end());
    if (auto done = note_differences(differences); !done) return done;
    note_edited_materials(own_parts, parts);
    own_parts.flip();
    std::vector<bool> overlays = find_known_nodes();
    for (Index i = 0; i < edited_.nodes.size(); ++i) overlays[i] = overlays[i] && own_parts[of_[i]];
    note_edited_materials(own_parts, overlays);
    for (Index i = 0; i < edited_.nodes.size(); ++i) parts[i] = of_[i] != k_none && own_parts[of_[i]];
    for (const Index i : named_nodes_)
      for (const Index n : there_[i]) own_parts[i] = parts[n] = false;
    std::vector<bool> own_moved(own_.nodes.size()), edited_moved(edited_.nodes.size());
    for (const Index i : moved_nodes_)
      for (const Index n : there_[i])
        own_moved[i] = own_parts[i], edited_moved[n] = parts[n], own_parts[i] = parts[n] = false;
    note_edited_overlays(scene::match_triangles(own_, edited_, of_, own_parts, parts));
    if (moved_) {
      scene::Scene rounded = edited_;
      for (const Index i : moved_nodes_) {
        const scene::Node& stored = moved_->nodes[i];
        scene::Node& now = rounded.nodes[there_[i].front()];
        now.translation = stored.translation, now.rotation = stored.rotation, now.scale = stored.scale;
      }
      note_edited_overlays(scene::match_triangles(*moved_, rounded, of_, own_moved, edited_moved));
    }
    result_.triangles.unchanged = u32(differences.unchanged);
    if (differences.primitives.empty()) return true;
    auto done = change_document([&](AnyDocument& d) { return scenes().write_triangles(d, differences); });
    if (done) discount_reassigned(differences);
    return done;
  }
  /// How a node was moved, turned or scaled below the same parent; nothing if it was not, or was copied, or is
  /// animated.
  std::optional<NodeTransformChange> find_transform_change(Index i) const {
    if (there_[i].size() != 1 || path_of(i).empty() || is_placed(scenes(), own(i))) return {};
    const Index n = there_[i].front();
    const scene::Node& now = edited_.nodes[n];
    const Index parent = now.parent == k_none ? k_none : of_[now.parent];
    NodeTransformChange change{own(i).extras, scene::decompose_trs(own(i)), scene::decompose_trs(now)};
    if (scene::determinant(scene::local_transform(now).linear) == 0)  // hidden: only its position is left
      change.after.rotation = change.before.rotation, change.after.scale = change.before.scale;
    if (parent != own(i).parent || is_same_pose(change.before, change.after) || is_animated_[n] || !is_of_this_file(n))
      return {};
    return change;
  }
  void find_animated_nodes() {
    is_animated_.assign(edited_.nodes.size(), false);
    std::vector<bool> own_animated(own_.nodes.size());
    for (const scene::Animation& a : edited_.animations)
      for (const scene::Channel& c : a.channels)
        if (c.node != k_none) is_animated_[c.node] = true;
    for (const scene::Animation& a : own_.animations)
      for (const scene::Channel& c : a.channels)
        if (c.node != k_none) own_animated[c.node] = true;
    for (const scene::Skin& s : edited_.skins)
      for (const Index joint : s.joints) is_animated_[joint] = true;
    for (Index n = 0; n < edited_.nodes.size(); ++n)
      for (Index above = n; above != k_none && !is_animated_[n]; above = edited_.nodes[above].parent)
        if (is_animated_[above] || (of_[above] != k_none && own_animated[of_[above]])) is_animated_[n] = true;
  }
  /// By node of the file, whether it or a node below it has a mesh of these parts.
  std::vector<bool> find_nodes_with_parts(const std::vector<bool>& parts) const {
    std::vector<bool> out(own_.nodes.size());
    for (Index i = 0; i < own_.nodes.size(); ++i)
      if (own(i).mesh != k_none && parts[i])
        for (Index above = i; above != k_none && !out[above]; above = own(above).parent) out[above] = true;
    return out;
  }
  /// Moves nodes in the file: those without triangles, and those whose triangles then differ less. Names nodes without
  /// triangles that cannot be moved.
  Result<bool> move_nodes(ComparedScenes& alike, scene::TriangleDifferences& differences) {
    if (!scenes().move_node) return true;
    const std::vector<bool> has_parts = find_nodes_with_parts(alike.original_parts);
    std::vector<Index> bare, drawn;
    for (Index i = 0; i < own_.nodes.size(); ++i)
      if (find_transform_change(i)) (has_parts[i] ? drawn : bare).push_back(i);
    if (!differences.primitives.empty() && !drawn.empty())
      if (auto done = move_drawn_nodes(drawn, alike, differences); !done) return done;
    return move_bare_nodes(find_out_of_place(bare));
  }
  /// The nodes whose meshes show something in another place, and those without meshes.
  std::vector<Index> find_out_of_place(const std::vector<Index>& bare) {
    std::vector<bool> own_parts(own_.nodes.size()), parts(edited_.nodes.size());
    for (const Index i : bare) own_parts[i] = parts[there_[i].front()] = own(i).mesh != k_none;
    std::set<Index> differ;
    for (const scene::EditedPrimitive& p : scene::match_triangles(own_, edited_, of_, own_parts, parts).primitives)
      differ.insert(p.node);
    const bool is_applied = has_applied_transforms();
    std::vector<Index> out;
    bool has_kept = false;
    for (const Index i : bare)
      if (own(i).mesh != k_none ? differ.contains(i) : !is_applied)
        out.push_back(i);
      else
        has_kept |= own(i).mesh == k_none;
    if (has_kept) note_applied_transforms();
    return out;
  }
  Result<bool> move_bare_nodes(const std::vector<Index>& nodes) {
    if (nodes.empty()) return true;
    auto loaded = as_.format->load(e_.view(), as_.options);
    if (!loaded) return refuse(std::move(loaded.error()));
    std::vector<std::string> left;
    for (const Index i : nodes)
      if (scenes().move_node(*loaded->document, *find_transform_change(i)))
        moved_nodes_.insert(i);
      else
        left.push_back(own(i).name), named_nodes_.insert(i);
    if (!left.empty()) {
      result_.lost += left.size();
      result_.notes.push_back(
          make_diagnostic(Severity::warning, "scene.place", {},
                          {.message = "the file cannot store the new transforms of " + join_first_few(left),
                           .hint = "edit these values in the file"}));
    }
    if (moved_nodes_.empty()) return true;
    auto bytes = loaded->document->save({});
    if (!bytes) return refuse(std::move(bytes.error()));
    auto staged = scenes().to_scene(*loaded->document, scene_options());
    if (!staged) return refuse(std::move(staged.error()));
    moved_ = std::move(staged->scene);
    result_.moved += moved_nodes_.size();
    return e_.replace(std::move(*bytes));
  }
  Result<bool> move_drawn_nodes(const std::vector<Index>& nodes, ComparedScenes& alike,
                                scene::TriangleDifferences& differences) {
    auto loaded = as_.format->load(e_.view(), as_.options);
    if (!loaded) return refuse(std::move(loaded.error()));
    std::vector<Index> moved;
    for (const Index i : nodes)
      if (scenes().move_node(*loaded->document, *find_transform_change(i))) moved.push_back(i);
    if (moved.empty()) return true;
    auto bytes = loaded->document->save({});
    if (!bytes) return true;
    auto staged = scenes().to_scene(*loaded->document, scene_options());
    if (!staged) return true;
    ComparedScenes after = make_comparable(staged->scene, alike.original_parts, alike.edited_parts);
    for (const Index i : moved) {  // the file rounds
      scene::Node& now = after.edited.nodes[there_[i].front()];
      const scene::Node& stored = after.original.nodes[i];
      now.translation = stored.translation, now.rotation = stored.rotation, now.scale = stored.scale;
    }
    auto left = match(after);
    if (count_differences(left) >= count_differences(differences)) return true;
    if (auto done = e_.replace(std::move(*bytes)); !done) return done;
    alike = std::move(after);
    differences = std::move(left);
    differences.original = &alike.original, differences.edited = &alike.edited;
    result_.moved += moved.size();
    return true;
  }
  scene::TriangleDifferences match(const ComparedScenes& s) const {
    return scene::match_triangles(s.original, s.edited, s.original_nodes, s.original_parts, s.edited_parts,
                                  {scenes().has_separate_nodes, scenes().flips_triangles});
  }
  static u64 count_differences(const scene::TriangleDifferences& d) {
    u64 out = 0;
    for (const scene::EditedPrimitive& p : d.primitives) out += p.changed + p.added + p.removed;
    return out;
  }
  ComparedScenes make_comparable(const scene::Scene& original, const std::vector<bool>& own_parts,
                                 const std::vector<bool>& parts) const {
    ComparedScenes out{.original = original,
                       .edited = scenes().without_alternates ? scenes().without_alternates(edited_) : edited_,
                       .original_nodes = of_,
                       .original_parts = own_parts,
                       .edited_parts = parts,
                       .notes = {}};
    if (scenes().encode_triangle_values) scenes().encode_triangle_values(file_, out);
    return out;
  }
  /// Of formats that make the scenes alike themselves.
  Result<bool> compare_prepared() {
    auto alike = scenes().prepare_comparison(file_, edited_);
    if (!alike) return refuse(std::move(alike.error()));
    auto differences = match(*alike);
    if (auto done = note_differences(differences); !done) return done;
    result_.lost += alike->lost;
    result_.notes.insert(result_.notes.end(), alike->notes.begin(), alike->notes.end());
    note_prepared_parts(*alike);
    auto done = change_document([&](AnyDocument& d) -> Result<SceneImportResult> {
      auto taken = scenes().write_triangles(d, differences);
      if (!taken || !scenes().write_overlays) return taken;
      auto more = scenes().write_overlays(d, edited_);
      if (!more) return more;
      taken->lost += more->lost;
      taken->notes.insert(taken->notes.end(), more->notes.begin(), more->notes.end());
      more->notes.clear();
      result_.overlays = std::move(*more);
      return taken;
    });
    if (done) discount_reassigned(differences);
    return done;
  }
  /// Whether each node of the file, or one above it, has a layer that only shows values over the map.
  std::vector<bool> find_layers_over_map() const {
    std::vector<bool> out;
    for (const scene::Node& n : own_.nodes) {
      const Value* kind = n.extras.find("kind");
      const bool is_over = kind && std::ranges::any_of(scenes().kinds, [&](const NodeKind& k) {
                             return k.kind == kind->text() && !k.layer.empty() && !k.is_content;
                           });
      out.push_back(is_over || (n.parent != k_none && out[n.parent]));
    }
    return out;
  }
  /// Materials, and overlays that the format does not read.
  void note_prepared_parts(const ComparedScenes& alike) {
    const std::vector<bool> over = find_layers_over_map();
    std::vector<bool> own_overlays(own_.nodes.size()), overlays(edited_.nodes.size()), own_parts(own_.nodes.size()),
        parts(edited_.nodes.size());
    for (Index i = 0; i < own_.nodes.size(); ++i) {
      if (own(i).mesh == k_none) continue;
      for (const Index n : there_[i]) {
        if (edited_.nodes[n].mesh == k_none || !is_of_this_file(n)) continue;
        own_parts[i] = parts[n] = true;
        if (over[i] && !alike.edited_overlays[n] && !alike.edited_parts[n]) own_overlays[i] = overlays[n] = true;
      }
    }
    note_edited_materials(own_parts, parts);
    note_edited_overlays(scene::match_triangles(own_, edited_, of_, own_overlays, overlays));
  }
  Result<bool> note_differences(scene::TriangleDifferences& differences) {
    differences.is_lit_by_game = is_part_of_game_;
    if (!is_known_ && !differences.known && !own_.meshes.empty()) return refuse(foreign_scene_error());
    note_unplaced(differences);
    if (!differences.posed.empty()) {
      std::vector<std::string> names;
      for (const Index n : differences.posed) names.push_back(edited_.nodes[n].name);
      result_.notes.push_back(make_diagnostic(
          Severity::hint, "scene.kept", {},
          {.message = "new positions below animated nodes are ignored, because animations may have caused them: " +
                      join_first_few(names),
           .hint = "to move such a mesh, move its vertices"}));
    }
    if (differences.hidden)
      result_.notes.push_back(
          make_diagnostic(Severity::hint, "scene.kept", {},
                          {.message = format_count(differences.hidden, "triangle") + " of hidden nodes" +
                                      (differences.hidden == 1 ? " is" : " are") + " missing from the scene and " +
                                      (differences.hidden == 1 ? "stays unchanged" : "stay unchanged")}));
    if (scene::has_shuffled_colors(edited_) && has_colors())
      result_.notes.push_back(
          make_diagnostic(Severity::hint, "scene.kept", {}, {.message = "vertex colours stay unchanged"}));
    return true;
  }
  /// Triangles with another material, and flipped ones, are removed from one part of the file and added to another.
  void discount_reassigned(const scene::TriangleDifferences& differences) {
    result_.deleted -= std::min(result_.deleted, differences.reassigned);
  }
  Result<bool> change_document(auto&& change) {
    auto loaded = as_.format->load(e_.view(), as_.options);
    if (!loaded) return refuse(std::move(loaded.error()));
    auto taken = change(*loaded->document);
    if (!taken) return refuse(std::move(taken.error()));
    result_.notes.insert(result_.notes.end(), taken->notes.begin(), taken->notes.end());
    result_.lost += taken->lost, result_.deleted += taken->removed;
    taken->notes.clear();
    result_.triangles = std::move(*taken);
    if (!result_.triangles.any() && !result_.overlays.any()) return true;
    auto bytes = loaded->document->save({});
    if (!bytes) return refuse(std::move(bytes.error()));
    return e_.replace(std::move(*bytes));
  }
  bool has_colors() const {
    return std::ranges::any_of(own_.meshes, [](const scene::Mesh& m) {
      return std::ranges::any_of(m.primitives, [](const scene::Primitive& p) { return !p.colors.empty(); });
    });
  }
  void note_unplaced(const scene::TriangleDifferences& differences) {
    for (const scene::UnplacedTriangles& u : differences.unplaced) {
      result_.lost += u.count;
      const std::string material = u.material.empty() ? "no material" : "the material " + given(u.material);
      result_.notes.push_back(make_diagnostic(
          Severity::warning, "scene.new", edited_.nodes[u.node].name,
          {.message = format_count(u.count, "triangle") + " with " + material + " cannot be added: the " +
                      (scenes().has_separate_nodes ? "object" : "file") + " draws nothing " +
                      (u.material.empty() ? "without a material" : "with this material"),
           .hint = std::string("assign a material that the ") + (scenes().has_separate_nodes ? "object" : "file") +
                   " uses, or make a new file from the scene"}));
    }
  }
  /// Materials and their pictures are not read back, nor is what moves. Parts: the nodes whose materials are compared.
  void note_edited_materials(const std::vector<bool>& own_parts, const std::vector<bool>& parts) {
    for (const scene::MaterialDifference& d : scene::compare_materials(own_, edited_, own_parts, parts))
      note_edited_material(d);
    if (!with_lamps_) return;
    std::set<std::string_view> names;
    for (const scene::Material& m : own_.materials) names.insert(m.name);
    const std::vector<bool> all(with_lamps_->nodes.size(), true);
    for (const scene::MaterialDifference& d : scene::compare_materials(*with_lamps_, edited_, all, parts))
      if (!names.contains(d.name)) note_edited_material(d);
  }
  void note_edited_material(const scene::MaterialDifference& d) {
    std::vector<std::string> edited;
    if (d.color && !is_part_of_game_) edited.emplace_back("colour");
    if (d.picture) edited.emplace_back("picture");
    if (d.transparency) edited.emplace_back("transparency");
    if (edited.empty()) return;
    ++result_.lost;
    result_.notes.push_back(make_diagnostic(
        Severity::warning, "scene.material", {},
        {.message = "edits to the material " + given(d.name) + " cannot be applied: " + join_first_few(edited),
         .hint = "edit the material's values and pictures in the file, or make a new file from the scene"}));
  }
  /// By node of the edited scene, whether it shows what a node of the file shows.
  std::vector<bool> find_known_nodes() const {
    std::vector<bool> out;
    for (Index i = 0; i < edited_.nodes.size(); ++i) out.push_back(of_[i] != k_none && is_of_this_file(i));
    return out;
  }
  static bool is_reshaped(const scene::EditedPrimitive& p) {
    return p.added || p.removed || std::ranges::any_of(p.triangles, [](const scene::EditedTriangle& t) {
             return std::ranges::any_of(t.vertices,
                                        [](const scene::EditedVertex& v) { return v.position.has_value(); });
           });
  }
  /// With other files, scenes have models instead of the meshes that mark elements.
  bool shows_same_mesh(Index i, Index n) const {
    const Index mesh = edited_.nodes[n].mesh;
    return mesh != k_none && scene::strip_copy_suffix(edited_.meshes[mesh].name) ==
                                 scene::strip_copy_suffix(own_.meshes[own(i).mesh].name);
  }
  /// Meshes that mark elements: each is compared where the edited scene has its node.
  void note_edited_markers() {
    if (has_applied_transforms()) return;
    scene::Scene original = own_;
    std::vector<bool> own_parts(own_.nodes.size()), parts(edited_.nodes.size());
    for (Index i = 0; i < own_.nodes.size(); ++i) {
      scene::Node& node = original.nodes[i];
      node.parent = k_none;
      if (node.mesh == k_none || node.skin != k_none || there_[i].empty()) continue;
      const Index n = there_[i].front();
      const auto pose = scene::decompose_trs(places_[n]);
      if (!shows_same_mesh(i, n) || !is_of_this_file(n) || !pose || scene::determinant(places_[n].linear) == 0)
        continue;
      node.translation = pose->translation, node.rotation = pose->rotation, node.scale = pose->scale;
      own_parts[i] = parts[n] = true;
    }
    std::set<Index> reshaped;
    for (const scene::EditedPrimitive& p : scene::match_triangles(original, edited_, of_, own_parts, parts).primitives)
      if (is_reshaped(p)) reshaped.insert(p.node);
    if (reshaped.empty()) return;
    std::vector<std::string> names;
    for (const Index i : reshaped) names.push_back(own(i).name);
    result_.lost += reshaped.size();
    result_.notes.push_back(make_diagnostic(
        Severity::warning, "scene.place", {},
        {.message = "edits to the meshes of these nodes cannot be applied, because the meshes only mark "
                    "elements: " +
                    join_first_few(names),
         .hint = "move the object instead of its vertices"}));
  }
  /// What only shows values of the file is not read back: heights, zones.
  void note_edited_overlays(const scene::TriangleDifferences& differences) {
    for (const scene::EditedPrimitive& p : differences.primitives) {
      const bool is_gone = there_[p.node].empty();
      if (is_gone || !is_reshaped(p)) continue;  // exporters leave out what is hidden
      ++result_.lost;
      result_.notes.push_back(make_diagnostic(
          Severity::warning, "scene.place", own(p.node).name,
          {.message = "edits to this mesh cannot be applied: the mesh only visualizes values in the file",
           .hint = "edit these values in the file"}));
    }
  }

  Editing& e_;
  const AnyDocument& file_;  // before the edits
  const ReadAs& as_;
  scene::Scene& edited_;
  Referrers referrers_;
  const std::string_view path_;  // of the file
  const std::span<const Companion> companions_;
  bool is_part_of_game_ = false;  // the scene shows more than the file
  scene::Scene own_;
  std::optional<scene::Scene> with_lamps_;  // likewise with lights, if the edited scene has some
  std::vector<scene::Affine> own_places_, places_;
  std::vector<std::vector<Index>> there_;  // by node of the file: those of the edited scene, copies after the original
  std::vector<Index> of_;                  // by node of the edited scene
  std::vector<bool> is_animated_;          // by node of the edited scene, or one above it
  std::set<Index> moved_nodes_;            // of the file, without triangles
  std::set<Index> named_nodes_;            // likewise, which could not be moved
  std::optional<scene::Scene> moved_;      // the scene of the file after nodes were moved
  bool is_known_ = false;                  // some node of the edited scene is of the file
  std::string doubt_;                      // why the scene may be of another file
  bool has_no_cameras_ = false, has_no_lights_ = false;  // the edited scene
  std::vector<bool> goes_;
  std::vector<std::string> removed_;
  std::vector<std::string> not_taken_, unknown_properties_;
  SceneEdits result_;
};

}  // namespace

Result<SceneEdits> apply_scene_edits(Editing& editing, const ReadAs& as, scene::Scene edited, Referrers referrers,
                                     std::string_view file, std::span<const Companion> companions) {
  return SceneEditApplier(editing, as, edited, referrers, file, companions).run();
}

namespace {

std::string describe_triangles(const SceneImportResult& t, std::string_view noun) {
  std::string out = format_count(t.changed, noun) + " changed, " + std::to_string(t.unchanged) + " unchanged";
  if (t.added) out += ", " + std::to_string(t.added) + " added";
  if (t.removed) out += ", " + std::to_string(t.removed) + " removed";
  return out;
}
std::string describe_scene_edits(const Scenes& scenes, const SceneEdits& e) {
  std::string out;
  if (scenes.place)
    out = std::to_string(e.moved) + " moved, " + std::to_string(e.added) + " added, " + std::to_string(e.removed) +
          " removed";
  else if (e.moved)
    out = format_count(e.moved, "node") + " moved";
  if (e.changed) out += (out.empty() ? "" : ", ") + std::to_string(e.changed) + " with edited properties";
  if (!scenes.write_triangles) return out;
  out += (out.empty() ? "" : "; ") + describe_triangles(e.triangles, scenes.counted);
  if (e.overlays.any()) out += "; " + describe_triangles(e.overlays, scenes.overlays_counted);
  return out;
}

Result<ApplySceneResult> apply_to_file(const OpenedFile& file, scene::Scene edited, SaveOptions options,
                                       Referrers referrers, std::span<const Companion> companions) {
  const ReadAs as{file.format, file.options};
  const auto error_in_file = [&](Diagnostic d) {
    if (d.place.file.empty()) d.place.file = file.name;
    return refuse(std::move(d));
  };
  auto editing = Editing::begin(file, {.lossy = options.lossy});
  if (!editing) return error_in_file(std::move(editing.error()));
  auto taken = apply_scene_edits(*editing, as, std::move(edited), referrers, file.name, companions);
  if (!taken) return refuse(std::move(taken.error()));
  auto bytes = taken->any() ? editing->save(options) : Result<Bytes>(copy_of(file.bytes));
  if (!bytes) return error_in_file(std::move(bytes.error()));
  taken->notes.insert(taken->notes.end(), editing->notes().begin(), editing->notes().end());
  return ApplySceneResult{std::move(*bytes),
                          describe_scene_edits(*file.format->scenes, *taken),
                          taken->any() ? editing->last() : Changes(),
                          taken->deleted,
                          taken->lost,
                          std::move(taken->notes)};
}

/// Whether a scene says that it was made of other bytes.
bool was_made_from_other_bytes(const scene::Scene& s, const OpenedFile& file) {
  const Value* digest = s.extras.find(k_digest_in_scenes);
  return digest && digest->text() != digest_of(file.bytes);
}

}  // namespace

std::optional<Diagnostic> refuse_loss(const ApplySceneResult& result, std::string_view file, AcceptedLoss accepted) {
  constexpr u64 k_few = 3;
  if (result.deleted > k_few && !accepted.deletes)
    return make_diagnostic(
        "scene.deleted", {},
        {.message = std::to_string(result.deleted) + " parts of " + std::string(file) +
                    " are missing from the scene and would be removed",
         .hint = "{--delete} allows the removal; if the parts were omitted by mistake, export the whole scene"});
  if (result.lost && !accepted.partly)
    return make_diagnostic(
        "scene.lost", {},
        {.message = format_count(result.lost, "change") + " in the scene cannot be applied, so nothing is written",
         .hint = "{--partly} applies the other changes"});
  return {};
}

Result<ApplySceneResult> apply_scene(OpenedFile& file, scene::Scene edited, SaveOptions options, Referrers referrers,
                                     std::span<const Companion> companions) {
  const bool is_older = was_made_from_other_bytes(edited, file);
  auto out = apply_to_file(file, std::move(edited), options, referrers, companions);
  if (!out || !is_older || std::ranges::equal(out->bytes, file.bytes)) return out;
  if (std::ranges::find(out->notes, "scene.other", &Diagnostic::id) != out->notes.end()) return out;
  out->notes.insert(out->notes.begin(),
                    make_diagnostic(Severity::warning, "scene.older", {},
                                    {.message = "the scene was made from another file, or from an older version of "
                                                "this file: later changes to this file may be undone",
                                     .hint = "{convert} makes a scene from the current file"}));
  return out;
}

}  // namespace dio
