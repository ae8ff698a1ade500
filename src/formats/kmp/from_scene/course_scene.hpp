// course_scene.hpp: the parts of a scene that become the files of a course.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "scene/scene.hpp"

namespace dio::kmp {

/// The use of a node with all its descendants, by its name or its property `kind`. README.md, "From glTF".
enum class NodeRole : u8 {
  course,     // visible and solid
  collision,  // only solid
  model,      // only visible
  sky,
  minimap,
  data,  // entries of the KMP file: curves, empties, areas
};
std::vector<NodeRole> classify_nodes(const scene::Scene&);

/// The name of a node in lower case, with single spaces, without the suffix of a copy: `course path`.
std::string normalize_node_name(std::string_view);
/// Whether such a name is the word, or the word followed by others.
bool starts_with_word(std::string_view name, std::string_view word);

/// The scene without nodes that are not kept; ancestors of kept nodes and joints of their skins remain, without meshes.
/// Animations keep their channels of remaining nodes and of all materials.
scene::Scene extract_nodes(const scene::Scene&, const std::vector<bool>& keep);

/// The parts that become the course model, and those that become the collision. If parts of the scene are marked as
/// collision, only these become collision; otherwise all that is visible, except materials with `collision` false.
scene::Scene extract_model(const scene::Scene&, const std::vector<NodeRole>&);
scene::Scene extract_collision(const scene::Scene&, const std::vector<NodeRole>&);
scene::Scene extract_role(const scene::Scene&, const std::vector<NodeRole>&, NodeRole);

}  // namespace dio::kmp
