#include "operations/scene_edits/property_edits.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "core/text_format.hpp"
#include "operations/operations.hpp"
#include "operations/scene_edits/element_paths.hpp"
#include "operations/scene_properties.hpp"
#include "scene/material_match.hpp"

namespace dio {

using scene::Index;
using scene::k_none;

namespace {

/// The materials of the edited scene that meshes of the file use.
std::set<Index> find_used_materials(const MatchedScenes& s) {
  std::set<Index> out;
  for (Index n = 0; n < s.edited.nodes.size(); ++n) {
    const scene::Node& node = s.edited.nodes[n];
    if (node.mesh == k_none || !s.is_of_this_file(n)) continue;
    for (const scene::Primitive& p : s.edited.meshes[node.mesh].primitives)
      if (p.material != k_none && !s.edited.materials[p.material].extras.find("picture_of")) out.insert(p.material);
  }
  return out;
}
/// The materials of the file with those of the edited scene that state the same paths, or have the same names.
std::vector<std::pair<const scene::Material*, const scene::Material*>> match_materials(const MatchedScenes& s) {
  std::map<std::string_view, const scene::Material*> by_path, by_name;
  std::set<std::string_view> names;
  for (const scene::Material& m : s.original.materials) {
    if (is_element(path_from_extras(m.extras))) by_path.emplace(path_from_extras(m.extras), &m);
    if (names.insert(m.name).second)
      by_name.emplace(m.name, &m);
    else
      by_name.erase(m.name);
  }
  if (s.with_lamps)
    for (const scene::Material& m : s.with_lamps->materials)
      if (names.insert(m.name).second) by_name.emplace(m.name, &m);
  std::vector<std::pair<const scene::Material*, const scene::Material*>> out;
  for (const Index i : find_used_materials(s)) {
    const scene::Material& m = s.edited.materials[i];
    const std::string_view path = path_from_extras(m.extras);
    const auto& known = is_element(path) ? by_path : by_name;
    const auto found = known.find(is_element(path) ? path : scene::original_material_name(m, names));
    if (found != known.end() && path == path_from_extras(found->second->extras)) out.emplace_back(found->second, &m);
  }
  return out;
}

/// Properties that are no values of the file: they say what a node is, or follow from its place.
bool is_about_node(std::string_view name) {
  static const std::set<std::string_view> k_names = {"kind", "handles", "framed", "rotation", "position", "scale"};
  return k_names.contains(name);
}
/// Properties that say where a node is from.
bool is_origin(std::string_view name) {
  static const std::set<std::string_view> k_names = {"path", "file", "files", "parts"};
  return k_names.contains(name);
}
bool is_scene_of(ByteView file, const MatchedScenes& s) {
  const Value* digest = s.edited.extras.find(k_digest_in_scenes);
  return digest ? digest->text() == digest_of(file) : !s.is_part_of_game;
}

}  // namespace

PropertyEdits::PropertyEdits(Editing& editing, const MatchedScenes& scenes, SceneEdits& result)
    : e_(editing), s_(scenes), result_(result), has_scene_of_file_(is_scene_of(editing.view(), scenes)) {}

/// The values of a new element that a property states otherwise than the file. False: the file has no such value, or
/// none of this form.
bool PropertyEdits::collect_new_values(const std::string& path, const Value& stored,
                                       std::vector<Assignment>& out) const {
  const auto spot = e_.spans().find(path);
  if (!spot) return false;
  const Value was = e_.spans().value(*spot), now = property_as_before(&was, stored);
  if (is_same_property(was, now)) return true;
  const bool is_list = was.is(Value::Kind::list), is_object = was.is(Value::Kind::object);
  if (!is_list && !is_object && !now.is(Value::Kind::list) && !now.is(Value::Kind::object)) {
    out.push_back({path, now});
    return true;
  }
  if (!(is_list && now.is(Value::Kind::list)) && !(is_object && now.is(Value::Kind::object))) return false;
  if (is_list && was.size() != now.size()) return false;
  bool has_all = true;
  for (size_t k = 0; k < now.members().size(); ++k) {
    const auto& [name, value] = now.members()[k];
    has_all &= collect_new_values(is_list ? path + "[" + std::to_string(k) + "]" : path + "." + name, value, out);
  }
  return has_all;
}

/// The values of an element that a property in the extras of its node states otherwise than in the scene of the file.
/// False: the file has no such value, or none of this form.
bool PropertyEdits::collect_values(const std::string& path, const Value* was, const Value& stored,
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
  // A vector has coordinates with names instead of elements: left.x, left.z.
  std::vector<std::string> members;
  for (const char* axis : {".x", ".y", ".z"})
    if (e_.spans().find(path + axis)) members.push_back(path + axis);
  bool has_all = true;
  for (size_t k = 0; k < count; ++k)
    has_all &= collect_values(members.size() == count ? members[k] : path + "[" + std::to_string(k) + "]", was->at(k),
                              *now.at(k), out);
  return has_all;
}
/// An edited property that the file takes from somewhere else.
bool PropertyEdits::is_read_elsewhere(const Value& extras, std::string_view name) const {
  return s_.format().reads_property && s_.format().reads_property(s_.file, extras, name);
}
bool PropertyEdits::is_companion_property(std::string_view name) const {
  return std::ranges::find(s_.format().companion_properties, name) != s_.format().companion_properties.end();
}

void PropertyEdits::collect(const std::string& owner, const Value& was, const Value& now,
                            std::vector<Assignment>& out) {
  const size_t before = out.size();
  for (const auto& [name, value] : now.members()) {
    const Value* old = was.find(name);
    if (is_origin(name) || (old && is_same_property(*old, value)) || is_read_elsewhere(now, name)) continue;
    const std::string_view path = path_from_extras(was);
    std::vector<Assignment> values;
    const bool is_taken =
        is_element(path) && !is_about_node(name) && collect_values(std::string(path) + "." + name, old, value, values);
    if (is_taken)
      out.insert(out.end(), values.begin(), values.end());
    else if (old)
      not_taken_.push_back(owner + ": " + name);
    else if (is_element(path) && was.find("kind") && !is_companion_property(name))
      unknown_.push_back(owner + ": " + name);
  }
  result_.changed += out.size() != before;
}

void PropertyEdits::collect_new(const std::string& owner, const std::string& element,
                                const std::set<std::string>& computed, const Value& extras,
                                std::vector<Assignment>& out) {
  for (const auto& [name, value] : extras.members()) {
    if (is_origin(name) || is_about_node(name) || is_companion_property(name) || is_read_elsewhere(extras, name))
      continue;
    std::vector<Assignment> values;
    if (collect_new_values(element + "." + name, value, values))
      out.insert(out.end(), values.begin(), values.end());
    else if (e_.spans().find(element + "." + name))
      not_taken_.push_back(owner + ": " + name);
    else if (!computed.contains(name))
      unknown_.push_back(owner + ": " + name);
  }
}

Result<bool> PropertyEdits::apply() {
  std::vector<Assignment> all;
  for (Index i = 0; i < s_.original.nodes.size(); ++i) {
    if (s_.edited_nodes[i].empty()) continue;
    const Index n = s_.edited_nodes[i].front();
    const scene::Node& node = s_.edited.nodes[n];
    const bool has_extras = path_from_extras(node.extras) == s_.path_of(i);  // otherwise the program has dropped them
    if (has_extras && !node.extras.find("files") && s_.is_of_this_file(n))
      collect(node.name, s_.original.nodes[i].extras, node.extras, all);
  }
  for (const auto& [was, now] : match_materials(s_)) collect(now->name, was->extras, now->extras, all);
  if (has_scene_of_file_) collect("the scene", s_.original.extras, s_.edited.extras, all);
  if (all.empty()) return true;
  if (auto made = e_.set(all); !made) return refuse(std::move(made.error()));
  return true;
}

void PropertyEdits::note_not_applied() {
  result_.lost += not_taken_.size();
  if (!not_taken_.empty())
    result_.notes.push_back(make_diagnostic(
        Severity::warning, "scene.property", {},
        {.message = (not_taken_.size() == 1 ? std::string("1 edited property is")
                                            : std::to_string(not_taken_.size()) + " edited properties are") +
                    " not applied: " + join_first_few(not_taken_),
         .hint = "the file computes these properties from other values; edit those values"}));
  result_.lost += unknown_.size();
  if (!unknown_.empty())
    result_.notes.push_back(
        make_diagnostic(Severity::warning, "scene.property", {},
                        {.message = "the file has no value for " + std::to_string(unknown_.size()) +
                                    (unknown_.size() == 1 ? " new custom property: " : " new custom properties: ") +
                                    join_first_few(unknown_),
                         .hint = "{explain FILE#PATH} lists the values of an element"}));
}

}  // namespace dio
