// semantics.hpp: the meaning of course values, shared by checks, scenes and plans. Sources: README.md.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "formats/kmp/course_kind.hpp"

namespace dio::kmp {

inline constexpr f64 k_metres = 0.01;  // of a unit: a kart is about 300 long

enum class CheckKind : u8 { normal, key, lap_line, neither };
constexpr CheckKind kind_of(const CheckPoint& c) {
  return c.type == 0   ? CheckKind::lap_line
         : c.type > 0  ? CheckKind::key
         : c.type < -1 ? CheckKind::neither
                       : CheckKind::normal;
}
inline constexpr std::string_view k_check_kind_names[] = {"normal", "key", "lap line", "neither"};
/// Otherwise, the kart keeps its last respawn point.
constexpr bool names_respawn(const CheckPoint& c) { return c.respawn < 0x80; }

constexpr bool is_entered_with_mushroom(const EnemyPoint& p) { return p.mode == 1; }
constexpr bool uses_mushroom(const EnemyPoint& p) { return p.mode == 2; }
constexpr bool holds_bullets(const ItemPoint& p) { return p.flags & 1; }
constexpr bool has_low_priority(const ItemPoint& p) { return (p.flags & 0x0A) == 0x0A; }

/// Where a fall boundary (an area) is active with LE-CODE or Pulsar: `at checkpoints 3 to 7`; empty if everywhere.
std::string fall_condition(const Area&);

/// Whether a camera looks at points of the course; others look at the kart.
constexpr bool has_view(const Camera& c) { return c.type == 4 || c.type == 5; }
/// The side of the pole position, and the spacing of the grid.
struct GridShape {
  bool pole_right = false, narrow = false;
};
inline GridShape grid_shape(const Kmp& k) {
  const auto& stages = entries(k.stgi);
  if (stages.empty()) return {};
  return {stages[0].pole == 1, stages[0].spacing == 1};
}

/// The existing points of a group: from `first` to before `end`.
struct PointRun {
  size_t first, end;
  bool is_empty() const { return first >= end; }
};
constexpr PointRun group_point_range(const Group& g, size_t points) {
  const size_t first = g.first;
  return {first, std::min(points, first + g.count)};
}
/// The first group that contains a point.
constexpr std::optional<size_t> find_group_of_point(const std::vector<Group>& groups, size_t point) {
  for (size_t i = 0; i < groups.size(); ++i)
    if (groups[i].first <= point && point < size_t(groups[i].first) + groups[i].count) return i;
  return {};
}
/// The first point of a group that another group leads to, if both exist.
constexpr std::optional<size_t> find_group_entrance(const std::vector<Group>& groups, u8 group, size_t points) {
  if (group >= groups.size() || groups[group].first >= points) return {};
  return groups[group].first;
}

/// The part of a lap before a checkpoint, and the part inside its sector. A group that cannot be reached from group 0
/// counts as before all others: at -1 times its part. Source: README.md, "Race".
struct LapPart {
  f32 before = 0, size = 0;
  std::optional<size_t> group = {};  // the first one that contains the checkpoint; without one, the parts are 0
};
/// For each checkpoint. lap_parts.cpp.
std::vector<LapPart> compute_lap_parts(const Kmp&);

/// `50.3 %`
std::string percent(f32 part);

}  // namespace dio::kmp
