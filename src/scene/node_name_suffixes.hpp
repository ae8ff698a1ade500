// node_name_suffixes.hpp: nodes whose names define their meaning and that are not drawn.
#pragma once
#include "scene/scene.hpp"

namespace dio::scene {

/// The possible marks. All except object and nav_region also count at the start of a node name.
inline constexpr std::string_view k_marks[] = {"object",   "navmesh",       "player_start", "collider",
                                               "trigger",  "nav_region",    "room",         "portal",
                                               "waypoint", "runtime_light", "ignore"};

/// The mark of a node: its property `kind`, or else its name in any case, up to a dot, `_`, `-` or a digit
/// (navmesh.001). A room or portal with a material is ordinary geometry. Empty if there is none.
std::string_view node_mark_kind(const Scene&, const Node&);

/// `object 3` for `object 3.001`, because programs name copies of nodes and materials this way.
constexpr std::string_view strip_copy_suffix(std::string_view name) {
  const size_t dot = name.find_last_of('.');
  if (dot == name.npos || name.size() - dot < 4) return name;
  return name.find_first_not_of("0123456789", dot + 1) == name.npos ? name.substr(0, dot) : name;
}

/// Whether a node or one of its ancestors is marked as not drawn.
std::vector<bool> excluded_by_name_suffix(const Scene&);

}  // namespace dio::scene
