#include "operations/scene_nodes.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "core/text_format.hpp"
#include "formats/contract/node_transform_edit.hpp"
#include "operations/operations.hpp"
#include "scene/node_name_suffixes.hpp"
#include "scene/transforms.hpp"

namespace dio {

namespace {

using scene::Index;
using scene::k_none;

class SceneNodeMatcher {
 public:
  SceneNodeMatcher(const scene::Scene& original, const scene::Scene& edited, const Scenes& scenes,
                   const std::function<bool(std::string_view)>& has_value)
      : own_(original), edited_(edited), scenes_(scenes), has_value_(has_value) {}

  SceneNodeMatch run() {
    index_original();
    out_.edited_nodes.resize(own_.nodes.size());
    out_.original_nodes.assign(edited_.nodes.size(), k_none);
    for (Index i = 0; i < edited_.nodes.size(); ++i)
      if (const Index own = find_original(i); own != k_none) add(own, i);
    match_by_parents();
    match_by_meshes();
    match_renamed_nodes();
    out_.is_of_file = any_;
    if (!absent_.empty())
      out_.doubt = "the scene contains " + join_first_few(absent_) + ", which this file does not have";
    else if (renamed_ > same_ && !edited_.extras.find(k_digest_in_scenes))
      out_.doubt = "most nodes in the scene have different names in this file";
    // The first is the one that has the name of the original, if one has.
    for (Index i = 0; i < own_.nodes.size(); ++i) {
      auto& all = out_.edited_nodes[i];
      const auto same = std::ranges::find_if(all, [&](Index n) { return edited_.nodes[n].name == own(i).name; });
      if (same != all.end()) std::rotate(all.begin(), same, same + 1);
    }
    return std::move(out_);
  }

 private:
  const scene::Node& own(Index i) const { return own_.nodes[i]; }
  std::string_view path_of(Index i) const { return path_from_extras(own(i).extras); }

  void index_original() {
    std::set<std::string_view> ambiguous;
    for (Index i = 0; i < own_.nodes.size(); ++i) {
      const std::string_view path = path_of(i);
      // Of several nodes with one path, the one that can be placed counts.
      if (!path.empty() && (is_placed(scenes_, own(i)) || !by_path_.contains(path))) by_path_[path] = i;
      if (!path.empty()) by_path_and_name_.try_emplace({path, own(i).name}, i);
      if (const std::string_view mesh = mesh_name(own_, own(i)); !path.empty() && !mesh.empty())
        by_path_and_mesh_.try_emplace({path, mesh}, i);
      if (!by_name_.try_emplace(own(i).name, i).second) ambiguous.insert(own(i).name);
    }
    for (const std::string_view name : ambiguous) by_name_.erase(name);
  }
  void add(Index original, Index edited) {
    out_.original_nodes[edited] = original;
    out_.edited_nodes[original].push_back(edited);
    any_ |= !path_of(original).empty();
  }
  static std::string_view mesh_name(const scene::Scene& s, const scene::Node& n) {
    return n.mesh == k_none ? std::string_view() : std::string_view(s.meshes[n.mesh].name);
  }
  static bool has_same_kind(const scene::Node& a, const scene::Node& b) {
    const Value *kind = a.extras.find("kind"), *other = b.extras.find("kind");
    return !kind || !other || kind->text() == other->text();
  }
  Index find_original(Index node) {
    const scene::Node& n = edited_.nodes[node];
    const std::string_view path = path_from_extras(n.extras);
    const bool has_own_path = !path.empty() && !is_foreign_node(edited_, node);
    auto found = has_own_path ? by_path_.find(path) : by_path_.end();
    if (found != by_path_.end() && !has_same_kind(n, own(found->second)))
      found = by_path_.end();  // another node of the same value
    if (found != by_path_.end() && !is_placed(scenes_, own(found->second))) {
      if (const Index part = find_part(path, n); part != k_none) return ++same_, part;
    }
    if (found != by_path_.end()) {
      ++(own(found->second).name == scene::strip_copy_suffix(n.name) ? same_ : renamed_);
      return found->second;
    }
    if (has_own_path && !has_value_(path)) absent_.emplace_back(path);
    found = by_name_.find(n.name);
    if (found == by_name_.end()) found = by_name_.find(scene::strip_copy_suffix(n.name));
    if (found == by_name_.end()) return k_none;
    // With the extras of something else it is not meant.
    return path.empty() || path == path_of(found->second) ? found->second : k_none;
  }

  /// Nodes that show parts of one value are known by their names, or those of their meshes.
  Index find_part(std::string_view path, const scene::Node& n) const {
    const std::string_view mesh = mesh_name(edited_, n);
    for (const auto& [known, name] :
         {std::pair(&by_path_and_name_, std::string_view(n.name)), std::pair(&by_path_and_mesh_, mesh),
          std::pair(&by_path_and_mesh_, scene::strip_copy_suffix(mesh)),
          std::pair(&by_path_and_name_, scene::strip_copy_suffix(n.name))}) {
      const auto found = known->find({path, name});
      if (found != known->end()) return has_same_kind(n, own(found->second)) ? found->second : k_none;
    }
    return k_none;
  }

  /// Nodes without extras whose names are unique only below their parents.
  void match_by_parents() {
    std::map<std::pair<Index, std::string_view>, Index> by_parent;
    std::set<std::pair<Index, std::string_view>> ambiguous;
    for (Index i = 0; i < own_.nodes.size(); ++i)
      if (const std::pair key(own(i).parent, std::string_view(own(i).name)); !by_parent.try_emplace(key, i).second)
        ambiguous.insert(key);
    for (bool has_found = true; has_found;) {
      has_found = false;
      for (Index n = 0; n < edited_.nodes.size(); ++n) {
        const scene::Node& node = edited_.nodes[n];
        const Index parent = node.parent == k_none ? k_none : out_.original_nodes[node.parent];
        if (out_.original_nodes[n] != k_none || parent == k_none || !path_from_extras(node.extras).empty()) continue;
        const std::pair key(parent, scene::strip_copy_suffix(node.name));
        const auto found = by_parent.find(key);
        if (found == by_parent.end() || ambiguous.contains(key)) continue;
        add(found->second, n);
        has_found = true;
      }
    }
  }

  /// Nodes without extras whose names are not unique or were changed, but whose meshes have a unique name.
  void match_by_meshes() {
    std::map<std::string_view, Index> by_mesh;
    for (Index i = 0; i < own_.nodes.size(); ++i)
      if (const std::string_view mesh = mesh_name(own_, own(i)); !mesh.empty())
        if (const auto [known, is_new] = by_mesh.try_emplace(mesh, i); !is_new) known->second = k_none;
    for (Index n = 0; n < edited_.nodes.size(); ++n) {
      const scene::Node& node = edited_.nodes[n];
      if (out_.original_nodes[n] != k_none || node.mesh == k_none || !path_from_extras(node.extras).empty() ||
          is_foreign_node(edited_, n))
        continue;
      const auto found = by_mesh.find(scene::strip_copy_suffix(mesh_name(edited_, node)));
      if (found == by_mesh.end() || found->second == k_none) continue;
      out_.original_nodes[n] = found->second;
      out_.edited_nodes[found->second].push_back(n);
    }
  }

  /// Nodes that were renamed in a program that has dropped their extras: they are where the missing ones were.
  void match_renamed_nodes() {
    for (Index i = 0; i < own_.nodes.size(); ++i) {
      if (!out_.edited_nodes[i].empty() || !is_placed(scenes_, own(i))) continue;
      const scene::Pose pose = scene::decompose_trs(own(i));
      for (Index n = 0; n < edited_.nodes.size(); ++n) {
        const scene::Node& node = edited_.nodes[n];
        const Index parent = node.parent == k_none ? k_none : out_.original_nodes[node.parent];
        if (out_.original_nodes[n] != k_none || parent != own(i).parent || !path_from_extras(node.extras).empty() ||
            !is_same_pose(pose, scene::decompose_trs(node)))
          continue;
        out_.original_nodes[n] = i;
        out_.edited_nodes[i].push_back(n);
        break;
      }
    }
  }

  const scene::Scene& own_;
  const scene::Scene& edited_;
  const Scenes& scenes_;
  const std::function<bool(std::string_view)>& has_value_;
  std::map<std::string_view, Index> by_path_, by_name_;
  std::map<std::pair<std::string_view, std::string_view>, Index> by_path_and_name_, by_path_and_mesh_;
  std::vector<std::string> absent_;  // paths of edited nodes that the file does not have
  size_t same_ = 0, renamed_ = 0;    // of those known by their paths
  bool any_ = false;
  SceneNodeMatch out_;
};

/// Whether the extras of a node name this file, by its path or the end of it.
bool names_file(const scene::Node& n, std::string_view file) {
  const Value* of = n.extras.find("file");
  if (!of) return false;
  const std::string_view name = of->text();
  const auto is_end = [](std::string_view whole, std::string_view end) {
    return whole.size() > end.size() && whole.ends_with(end) && whole[whole.size() - end.size() - 1] == '/';
  };
  return file == name || is_end(file, name) || is_end(name, file);
}
/// Whether a node or one above it satisfies a condition. Skinned meshes belong to their joints.
bool has_ancestor(const scene::Scene& s, Index node, auto&& condition) {
  Index i = node;
  if (const Index skin = s.nodes[i].skin; skin != k_none && s.nodes[i].parent == k_none)
    if (const auto& joints = s.skins[skin].joints; !joints.empty()) i = joints.front();
  for (; i != k_none; i = s.nodes[i].parent)
    if (condition(s.nodes[i])) return true;
  return false;
}

}  // namespace

SceneNodeMatch match_scene_nodes(const scene::Scene& original, const scene::Scene& edited, const Scenes& scenes,
                                 const std::function<bool(std::string_view)>& has_value) {
  return SceneNodeMatcher(original, edited, scenes, has_value).run();
}

bool keep_part_of_file(scene::Scene& s, std::string_view file, const Scenes& scenes) {
  const auto is_own = [&](const scene::Node& n) { return names_file(n, file); };
  const auto top = std::ranges::find_if(s.nodes, is_own);
  if (top == s.nodes.end()) return false;
  const Index first = Index(top - s.nodes.begin());
  scene::Node& root = s.nodes[first];
  const scene::Pose none;
  root.parent = k_none, root.translation = none.translation, root.rotation = none.rotation, root.scale = none.scale;
  // What is below something that is placed shows another file: the model of a prop.
  std::vector<bool> is_part(s.nodes.size()), is_element(s.nodes.size());
  for (Index i = first; i < s.nodes.size(); ++i) {
    scene::Node& n = s.nodes[i];
    is_part[i] = i == first || (n.parent != k_none && is_part[n.parent] && !is_element[n.parent]);
    if (is_part[i] && is_own(n)) {
      is_element[i] = is_placed(scenes, n);
      Value extras = Value::object();
      for (const auto& [name, value] : n.extras.members())
        if (name != "file") extras.add(name, value);
      n.extras = std::move(extras);
    }
  }
  for (Index i = 0; i < s.nodes.size(); ++i) {
    if (is_part[i]) continue;
    scene::Node& n = s.nodes[i];  // with its number, as others refer to it
    n.mesh = n.camera = n.light = n.skin = k_none;
    n.extras = Value::object();
    n.extras.add("file", "another");
  }
  return true;
}

bool is_foreign_node(const scene::Scene& s, scene::Index node) {
  return has_ancestor(s, node, [](const scene::Node& n) { return n.extras.find("file") || n.extras.find("rule"); });
}
bool shows_other_file(const scene::Scene& s, scene::Index node, std::string_view file) {
  return has_ancestor(s, node, [&](const scene::Node& n) {
    return n.extras.find("rule") || (n.extras.find("file") && !names_file(n, file));
  });
}

}  // namespace dio
