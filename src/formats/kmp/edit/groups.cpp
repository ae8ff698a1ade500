// groups.cpp: named edits of the paths of a course, which are groups of points: enemies, items, checkpoints.
#include <algorithm>
#include <cmath>
#include <functional>

#include "core/elementary.hpp"
#include "core/text_format.hpp"
#include "formats/contract/arguments.hpp"
#include "formats/kmp/edit/edits.hpp"
#include "formats/kmp/parts.hpp"
#include "formats/kmp/semantics.hpp"
#include "scene/transforms.hpp"

namespace dio::kmp {

namespace {

using Done = Result<std::string>;

constexpr size_t k_most = 255;  // points or groups: their numbers have 8 bits, and 255 means none

enum Path : u8 { enemy, item, checkpoint };
constexpr EnumName k_path_words[] = {{enemy, "enemy"}, {item, "item"}, {checkpoint, "checkpoint"}};
constexpr EnumNames k_paths{k_path_words};

Done edit_argument_error(std::string message) { return refuse("edit.argument", {}, {.message = std::move(message)}); }

/// Calls `f` with the groups and points of a path; creates them if the course has none.
template <class F>
auto edit_path(Kmp& k, i64 path, F&& f) {
  const auto made = [](auto& section) -> auto& {
    if (!section) section.emplace();
    return section->entries;
  };
  if (path == enemy) return f(made(k.enph), made(k.enpt));
  if (path == item) return f(made(k.itph), made(k.itpt));
  return f(made(k.ckph), made(k.ckpt));
}

/// Renumbers the groups that links refer to; 255: the group was removed.
void renumber_group_links(std::vector<Group>& groups, const std::function<u8(u8)>& number) {
  for (Group& g : groups)
    for (auto* links : {&g.previous, &g.next}) {
      std::array<u8, 6> now;
      now.fill(k_no_link);
      size_t n = 0;
      for (const u8 link : *links)
        if (link != k_no_link)
          if (const u8 to = number(link); to != k_no_link) now[n++] = to;
      *links = now;
    }
}
void replace(std::array<u8, 6>& links, u8 from, u8 to) { std::ranges::replace(links, from, to); }
bool add_group_link(std::array<u8, 6>& links, u8 to) {
  const auto free = std::ranges::find(links, k_no_link);
  if (free == links.end()) return false;
  *free = to;
  return true;
}

// Only checkpoints have links to their neighbours.
void link_points(std::vector<CheckPoint>& points, size_t before, size_t after) {
  points[before].next = u8(after);
  points[after].previous = u8(before);
}
void link_points(auto&, size_t, size_t) {}
void unlink_points(std::vector<CheckPoint>& points, size_t before, size_t after) {
  points[before].next = points[after].previous = k_no_link;
}
void unlink_points(auto&, size_t, size_t) {}

/// Makes a point the first of a new group directly after its old one. Returns the problem, if any.
std::optional<Diagnostic> split_group_at(std::vector<Group>& groups, auto& points, size_t at) {
  const auto in = std::ranges::find_if(groups, [&](const Group& g) { return g.first < at && at < g.first + g.count; });
  const auto no = [](std::string message) {
    return make_diagnostic("edit.argument", {}, {.message = std::move(message)});
  };
  if (at >= points.size()) return no("there is no point " + std::to_string(at));
  if (in == groups.end())
    return no("point " + std::to_string(at) + " is already the first of its group, or in no group");
  if (groups.size() >= k_most) return no("the path would have more than 255 groups");
  const u8 own = u8(in - groups.begin());
  renumber_group_links(groups, [&](u8 g) { return g > own ? u8(g + 1) : g; });
  Group rest = groups[own];
  rest.first = u8(at);
  rest.count = u8(groups[own].first + groups[own].count - at);
  rest.previous.fill(k_no_link);
  rest.previous[0] = own;
  groups[own].count = u8(at - groups[own].first);
  for (const u8 next : rest.next)
    if (next != k_no_link && next < groups.size() + 1 && next != u8(own + 1)) {
      Group& follower = groups[next > own ? next - 1 : next];
      replace(follower.previous, own, u8(own + 1));
    }
  // If the group leads to itself, its new second half leads back to the first half.
  groups[own].next.fill(k_no_link);
  groups[own].next[0] = u8(own + 1);
  groups.insert(groups.begin() + own + 1, rest);
  unlink_points(points, at - 1, at);
  return {};
}

Done split_group(Kmp& k, Arguments a) {
  const i64 path = a.word("path", k_paths, 2), at = a.whole("at", 0, k_most);
  if (!a.done()) return refuse(std::move(*a.problem));
  return edit_path(k, path, [&](auto& groups, auto& points) -> Done {
    if (auto problem = split_group_at(groups, points, size_t(at))) return refuse(std::move(*problem));
    return "point " + std::to_string(at) + " now starts a new group";
  });
}

/// Joins a group with its only next group.
Done join_with_next_group(std::vector<Group>& groups, auto& points, u8 own) {
  const std::string name = "group " + std::to_string(own);
  if (own >= groups.size()) return edit_argument_error("there is no " + name);
  const auto find_sole_link = [](const std::array<u8, 6>& links) -> std::optional<u8> {
    std::optional<u8> found;
    for (const u8 link : links)
      if (link != k_no_link && link != found.value_or(link))
        return {};
      else if (link != k_no_link)
        found = link;
    return found;
  };
  const auto next = find_sole_link(groups[own].next);
  if (!next || *next >= groups.size() || *next == own)
    return edit_argument_error(name + " does not lead to exactly one other group");
  const Group joined = groups[*next];
  const std::string other = "group " + std::to_string(*next);
  if (find_sole_link(joined.previous) != own)
    return edit_argument_error(name + " is not the only group that leads to " + other);
  if (joined.first != groups[own].first + groups[own].count || joined.first + joined.count > points.size())
    return edit_argument_error("the points of " + other + " do not come directly after the points of " + name);
  if (groups[own].count + joined.count > int(k_most))
    return edit_argument_error(name + " would have more than 255 points");
  if (joined.first && joined.count && groups[own].count) link_points(points, joined.first - 1u, joined.first);
  groups[own].count = u8(groups[own].count + joined.count);
  groups[own].next = joined.next;
  const u8 gone = *next;
  for (Group& g : groups) replace(g.previous, gone, own), replace(g.next, gone, own);
  groups.erase(groups.begin() + gone);
  renumber_group_links(groups, [&](u8 g) { return g > gone ? u8(g - 1) : g; });
  return name + " now includes the points of " + other;
}

Done join_groups(Kmp& k, Arguments a) {
  const i64 path = a.word("path", k_paths, 2), group = a.whole("group", 0, k_most - 1);
  if (!a.done()) return refuse(std::move(*a.problem));
  return edit_path(k, path,
                   [&](auto& groups, auto& points) { return join_with_next_group(groups, points, u8(group)); });
}

/// A point of a path that is driven in the other direction.
void reverse_point(CheckPoint& c, u8 keys, const std::vector<u8>& places) {
  std::swap(c.left, c.right);
  std::swap(c.previous, c.next);
  for (u8* link : {&c.previous, &c.next})
    if (*link < places.size()) *link = places[*link];
  if (c.type > 0) c.type = i8(keys + 1 - c.type);
}
void reverse_point(auto&, u8, const std::vector<u8>&) {}
bool is_lap_line(const CheckPoint& c) { return kind_of(c) == CheckKind::lap_line; }
bool is_lap_line(const auto&) { return false; }

Done reverse_path(Kmp& k, Arguments a) {
  const i64 path = a.word("path", k_paths, 2);
  if (!a.done()) return refuse(std::move(*a.problem));
  return edit_path(k, path, [&](auto& groups, auto& points) -> Done {
    if (groups.empty()) return edit_argument_error("the course has no such path");
    std::vector<u8> places;
    for (size_t i = 0; i < points.size(); ++i) places.push_back(u8(i));
    std::vector<bool> taken(points.size(), false);
    for (size_t g = 0; g < groups.size(); ++g)
      for (size_t i = groups[g].first; i < size_t(groups[g].first) + groups[g].count; ++i) {
        if (i >= points.size() || taken[i])
          return edit_argument_error("group " + std::to_string(g) +
                                     " has points that do not exist or belong to another group");
        taken[i] = true;
      }
    // The lap line stays the first point of the first group: the points after it become a group that leads to it.
    // Reversing the path again joins the two groups.
    const bool is_line_alone = groups[0].count == 1 && is_lap_line(points[groups[0].first]);
    if (groups[0].count > 1 && is_lap_line(points[groups[0].first]))
      if (auto problem = split_group_at(groups, points, groups[0].first + 1u)) return refuse(std::move(*problem));
    for (Group& g : groups) {
      std::reverse(points.begin() + g.first, points.begin() + g.first + g.count);
      for (size_t i = 0; i < g.count; ++i) places[g.first + i] = u8(g.first + g.count - 1 - i);
      std::swap(g.previous, g.next);
    }
    u8 keys = 0;
    if constexpr (std::is_same_v<std::remove_cvref_t<decltype(points[0])>, CheckPoint>)
      for (const CheckPoint& c : points) keys = std::max(keys, u8(std::max<i8>(c.type, 0)));
    for (auto& p : points) reverse_point(p, keys, places);
    if (path == enemy && k.area)
      for (Area& area : k.area->entries)
        if (area.type == 4 && area.enemy_point < places.size()) area.enemy_point = places[area.enemy_point];
    if (is_line_alone) static_cast<void>(join_with_next_group(groups, points, 0));
    return "reversed " + format_count(points.size(), "point") + " in " + format_count(groups.size(), "group");
  });
}

/// The points typed as X,Y,Z;X,Y,Z, plus points between neighbours that are farther apart than `every`.
std::vector<scene::Point> parse_polyline(Arguments& a) {
  std::vector<scene::Point> corners, out;
  for (const std::string_view part : split(a.text("points"), ';')) {
    const Argument one{"points", std::string(part)};
    Arguments numbers(std::span(&one, 1));
    const auto p = numbers.list("points", 3, -k_farthest, k_farthest);
    if (numbers.problem) {
      a.refuse({.message = "points must list at least two points as X,Y,Z;X,Y,Z, not " + in_quotes(part)});
      return {};
    }
    corners.push_back({p[0], p[1], p[2]});
  }
  if (corners.size() < 2) a.refuse({.message = "points must list at least two points as X,Y,Z;X,Y,Z"});
  const f64 every = a.has("every") ? a.number("every", 1, k_farthest) : 0;
  if (a.problem) return {};
  for (size_t i = 0; i < corners.size(); ++i) {
    out.push_back(corners[i]);
    if (!every || i + 1 == corners.size()) continue;
    const scene::Point &from = corners[i], &to = corners[i + 1];
    const f64 length = elementary::hypot(to[0] - from[0], to[1] - from[1], to[2] - from[2]);
    const size_t parts = std::min(size_t(std::ceil(length / every)), 2 * k_most);
    for (size_t n = 1; n < parts; ++n) {
      const f64 t = f64(n) / f64(parts);
      out.push_back(
          {from[0] + (to[0] - from[0]) * t, from[1] + (to[1] - from[1]) * t, from[2] + (to[2] - from[2]) * t});
    }
  }
  return out;
}

EnemyPoint make_point(const scene::Point& p, const EnemyPoint&) {
  EnemyPoint e{};
  e.position = {f32(p[0]), f32(p[1]), f32(p[2])};
  e.deviation = 10;
  return e;
}
ItemPoint make_point(const scene::Point& p, const ItemPoint&) {
  ItemPoint e{};
  e.position = {f32(p[0]), f32(p[1]), f32(p[2])};
  e.range = 10;
  return e;
}
CheckPoint make_point(const scene::Point& p, const CheckPoint&) {
  CheckPoint c{};
  c.left = c.right = {f32(p[0]), f32(p[2])};
  c.respawn = k_no_link;
  c.type = -1;
  c.previous = c.next = k_no_link;
  return c;
}

/// Widens points to checkpoints across the path: `left` is on the left of a forward-driving kart.
void widen_checkpoints(std::vector<CheckPoint>& points, size_t first, f64 width) {
  const auto middle = [&](size_t i) { return scene::Point{points[i].left.x, 0, points[i].left.z}; };
  std::vector<scene::Point> way;
  for (size_t i = first; i < points.size(); ++i) way.push_back(middle(i));
  for (size_t i = 0; i < way.size(); ++i) {
    const scene::Point &from = way[i ? i - 1 : 0], &to = way[std::min(i + 1, way.size() - 1)];
    const f64 length = std::max(elementary::hypot(to[0] - from[0], to[2] - from[2]), 1e-6);
    const f64 x = (to[2] - from[2]) / length * width / 2, z = -(to[0] - from[0]) / length * width / 2;
    points[first + i].left = {f32(way[i][0] + x), f32(way[i][2] + z)};
    points[first + i].right = {f32(way[i][0] - x), f32(way[i][2] - z)};
    if (i) link_points(points, first + i - 1, first + i);
  }
}
void widen_checkpoints(auto&, size_t, f64) {}

Done add_path(Kmp& k, Arguments a) {
  const i64 path = a.word("path", k_paths, 2);
  const auto way = parse_polyline(a);
  const f64 width = path == checkpoint ? a.number("width", 1, k_farthest) : 0;
  constexpr EnumName k_yes_no[] = {{0, "no"}, {1, "yes"}};
  const bool closes = a.has("closed") && a.word("closed", EnumNames{k_yes_no}, 1);
  const auto group_in = [&](const char* name) -> std::optional<u8> {
    return a.has(name) ? std::optional(u8(a.whole(name, 0, k_most - 1))) : std::nullopt;
  };
  const auto after = group_in("after"), before = group_in("before");
  if (!a.done()) return refuse(std::move(*a.problem));
  return edit_path(k, path, [&](auto& groups, auto& points) -> Done {
    if (points.size() + way.size() > k_most || groups.size() >= k_most)
      return edit_argument_error("the path would have " + format_count(points.size() + way.size(), "point") + " in " +
                                 format_count(groups.size() + 1, "group") + "; the limit is 255 of each");
    const size_t first = points.size();
    const u8 own = u8(groups.size());
    for (const auto& g : {after, before})
      if (g && *g >= own) return edit_argument_error("there is no group " + std::to_string(*g));
    using Point = std::remove_cvref_t<decltype(points[0])>;
    for (const scene::Point& p : way) points.push_back(make_point(p, Point{}));
    widen_checkpoints(points, first, width);
    Group g{};
    g.first = u8(first), g.count = u8(way.size());
    g.previous.fill(k_no_link), g.next.fill(k_no_link);
    if (closes) add_group_link(g.previous, own), add_group_link(g.next, own);
    if (after && (!add_group_link(g.previous, *after) || !add_group_link(groups[*after].next, own)))
      return edit_argument_error("group " + std::to_string(*after) + " already leads to six groups");
    if (before && (!add_group_link(g.next, *before) || !add_group_link(groups[*before].previous, own)))
      return edit_argument_error("six groups already lead to group " + std::to_string(*before));
    groups.push_back(g);
    if constexpr (std::is_same_v<Point, CheckPoint>)  // the first of a course is the lap line
      if (!first) points[0].type = 0, points[0].respawn = 0;
    return "added " + format_count(way.size(), "point") + " as group " + std::to_string(own);
  });
}

constexpr Parameter k_split_group_parameters[] = {one_of("path", {"enemy", "item", "checkpoint"}),
                                                  required("at", "POINT", ParameterKind::integer)};
constexpr Parameter k_join_groups_parameters[] = {one_of("path", {"enemy", "item", "checkpoint"}),
                                                  required("group", "N", ParameterKind::integer)};
constexpr Parameter k_reverse_path_parameters[] = {one_of("path", {"enemy", "item", "checkpoint"})};
constexpr Parameter k_lay_path_parameters[] = {
    one_of("path", {"enemy", "item", "checkpoint"}),     required("points", "X,Y,Z;X,Y,Z...", ParameterKind::vector),
    optional("every", "UNITS", ParameterKind::number),   optional("after", "GROUP", ParameterKind::integer),
    optional("before", "GROUP", ParameterKind::integer), optional_one_of("closed", {"yes"}),
    optional("width", "UNITS", ParameterKind::number)};

}  // namespace

std::span<const Edit> group_edits() {
  static constexpr Edit k_edits[] = {
      {"split-group", k_split_group_parameters,
       "Starts a new group at a point. The points before it stay in the old group, which leads to the new one.",
       apply_course_edit<split_group>},
      {"join-groups", k_join_groups_parameters,
       "Joins a group with its next group. The group must lead only to its next group, no other group may lead to the "
       "next group, and the points of the two groups must be consecutive.",
       apply_course_edit<join_groups>},
      {"reverse-path", k_reverse_path_parameters,
       "Reverses a whole path: the order of points and links; for checkpoints also their left and right ends and the "
       "order of keys, with the lap line still first. Start positions and respawn points stay as they are.",
       apply_course_edit<reverse_path>},
      {"lay-path", k_lay_path_parameters,
       "Adds a group of points. every=UNITS inserts points between two points that are more than UNITS apart, "
       "after=GROUP and before=GROUP link the new group between these groups, and closed=yes links it to itself. "
       "Checkpoints need a width.",
       apply_course_edit<add_path>},
  };
  return k_edits;
}

}  // namespace dio::kmp
