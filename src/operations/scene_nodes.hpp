// scene_nodes.hpp: which nodes of an edited scene are which of the scene that its file makes.
#pragma once
#include <functional>

#include "formats/contract/scenes.hpp"

namespace dio {

struct SceneNodeMatch {
  std::vector<std::vector<scene::Index>> edited_nodes;  // by node of the original: copies come after it
  std::vector<scene::Index> original_nodes;             // by node of the edited scene; k_none: it is of none
  bool is_of_file = false;                              // some node is of the file
  std::string doubt;                                    // why the scene may be of another file; empty: it is not
};

/// Nodes are known by the paths in their extras, or by their names where a program has dropped extras; those that can
/// be placed also by where they are. `has_value`: whether the file has a value of this path.
SceneNodeMatch match_scene_nodes(const scene::Scene& original, const scene::Scene& edited, const Scenes&,
                                 const std::function<bool(std::string_view path)>& has_value);

/// If a scene shows more than a file, such as the world around a map: leaves the nodes that are of this file, seen from
/// the topmost of them. `file`: its path, as extras of nodes have it, or the end of that, perhaps with the game before
/// it. False: no node says that it is of this file, so that the scene stays as it is.
bool keep_part_of_file(scene::Scene&, std::string_view file, const Scenes&);

/// Whether a node, or one above it, shows another file, or what a check or a simulation has found. Skinned meshes are
/// written without a parent: they belong to their joints.
bool is_foreign_node(const scene::Scene&, scene::Index node);

/// Like `is_foreign_node`, except that nodes of this file may name it. `file`: as for `keep_part_of_file`.
bool shows_other_file(const scene::Scene&, scene::Index node, std::string_view file);

}  // namespace dio
