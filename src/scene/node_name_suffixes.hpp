// node_name_suffixes.hpp: nodes that are named after what they mean, instead of being drawn.
#pragma once
#include "scene/scene.hpp"

namespace dio::scene {

/// What marks can say. All but object and nav_region also count at the start of a node's name.
inline constexpr std::string_view k_marks[] = {"object",   "navmesh",       "player_start", "collider",
                                               "trigger",  "nav_region",    "room",         "portal",
                                               "waypoint", "runtime_light", "ignore"};

/// The mark of a node: its property `kind`, else its name, whatever its case, before a dot, `_`, `-` or a digit
/// (navmesh.001). A room or a portal with a material is what it looks like. Empty: none.
std::string_view node_mark_kind(const Scene&, const Node&);

/// `object 3` of `object 3.001`, as programs name copies of nodes and materials.
constexpr std::string_view strip_copy_suffix(std::string_view name) {
  const size_t dot = name.find_last_of('.');
  if (dot == name.npos || name.size() - dot < 4) return name;
  return name.find_first_not_of("0123456789", dot + 1) == name.npos ? name.substr(0, dot) : name;
}

/// Whether a node or one above it is marked as something that is not drawn.
std::vector<bool> excluded_by_name_suffix(const Scene&);

}  // namespace dio::scene
