// paths.cpp: ENPT, ITPT, CKPT as paths: groups of points and the links between groups.
#include "formats/kmp/check/checks.hpp"

namespace dio::kmp {

namespace {

using enum Severity;
constexpr Rule k_path_rules[] = {
    {"kmp.grp-empty", error,
     "a race course has groups of enemy points, item points and checkpoints, and every group has points",
     "If a group or its points are missing, the game freezes.", "Add a group with points.", "Wiimm's wkmpt",
     Severities{warning}},
    {"kmp.grp-range", error, "a group contains only points that exist",
     "If a point of the group does not exist, the game reads past the last point.",
     "Correct `first` and `count` of the group, or add the missing points.",
     "decompiled game (riidefi/mkw, Kinoko); Wiimm's wkmpt"},
    {"kmp.grp-contig", warning, "the groups contain every point exactly once, in order",
     "A point in no group is on no path. If a checkpoint is in no group, the lap counter follows a null pointer.",
     "Extend a group to include the points that are in no group, or remove these points.",
     "decompiled game (riidefi/mkw, Kinoko); Wiimm's wkmpt"},
    {"kmp.grp-link-range", error, "a group links only to groups that exist",
     "If a linked group does not exist, the game follows a null pointer.",
     "Set the link to an existing group, or to 255 for none.", "decompiled game (riidefi/mkw, Kinoko); Wiimm's wkmpt"},
    {"kmp.grp-link-packed", error, "a group's used links come before its empty ones",
     "The game only counts the used links. If a group has 2 used links, the game follows the first 2 link slots of the "
     "group, even if one of the two slots is empty.",
     "Move the used links to the front of the list of links.",
     "decompiled game (riidefi/mkw, Kinoko); 320 real courses"},
    {"kmp.grp-next", error, "every group has a next group",
     "If a group has no next group, the game freezes where the path ends.",
     "Set one of the next links of the group to the group that follows on the course.", "Wiimm's wkmpt",
     Severities{warning}},
    {"kmp.grp-prev", warning, "in a race, every group has a previous group",
     "If a group has no previous group, drivers respawn in the wrong place.",
     "Set one of the previous links of the group to the preceding group on the course.", "Wiimm's wkmpt"},
    {"kmp.grp-symmetric", warning,
     "if group A lists group B as next, then group B lists group A as previous, and vice versa",
     "If only one of two groups links to the other, the path is not the same in both directions. In arenas, one-way "
     "links are intended at dispatch points.",
     "Add the missing link to the other group.", "Custom Mario Kart Wiiki; 320 real courses"},
    {"kmp.grp-reach", warning, "in a race, every group can be reached from group 0",
     "Unreachable checkpoints are not part of the lap, and unreachable enemy and item points are never used. This rule "
     "does not apply to arenas, where drivers start anywhere.",
     "Add a link from a group that can be reached, or remove the group.", "decompiled game (riidefi/mkw, Kinoko)"},
    {"kmp.grp-dup", hint, "a group links to another group only once",
     "A group that is linked twice is chosen twice as often.",
     "Remove one of the two links, unless the game should choose the linked group twice as often.",
     "Custom Mario Kart Wiiki; Lorenzi's kmp-editor"},
    {"kmp.itph-default", error, "the first link of an item group is set",
     "Shells follow the first link of a group by default.",
     "Set the first link to the group that follows on the course.", "Wiimm's wkmpt"},
    {"kmp.itph-self1", warning, "no item group with a single point is its own next group",
     "If a group with a single point leads to itself, the game lags heavily when a red shell reaches the group.",
     "Add a point to the group, or set the link to another group.", "Wiimm's wkmpt"},
    {"kmp.itph-self", hint, "no item group is its own next group",
     "An item that follows a link from a group to itself circles within the group.",
     "Set the link to the group that follows on the course.", "Wiimm's wkmpt"},
    {"kmp.itph-1pt", hint, "an item group has at least two points",
     "A group with a single point gives items no direction.",
     "Add a point to the group, or join the group to the preceding group.", "Wiimm's wkmpt"},
    {"kmp.pt-count", error, "enemy paths, item paths and checkpoints each have at most 255 points and 255 groups",
     "Point and group numbers are stored in one byte, and 255 means none. With more than 255 enemy points or item "
     "points, the game freezes while loading.",
     "Remove points until at most 255 are left. Do the same for groups.", "Lorenzi's kmp-editor"},
    {"kmp.pt-online", error,
     "enemy and item points are above height 0, and less than 131,071 units from the origin along each axis",
     "In online races, item positions are sent in a compressed form that cannot represent positions below height 0 or "
     "too far from the origin.",
     "Raise the point to a height of at least 1, preferably 5, and move it closer to the origin.", "Wiimm's wkmpt",
     Severities{warning, hint}},
    {"kmp.pt-dev", hint, "an enemy point has a deviation above 0, and an item point has a range above 0",
     "If the value is 0 or less, drivers (on enemy paths) or a Bullet Bill (on item paths) cannot move to either side "
     "of the path.",
     "Set `deviation` of the enemy point, or `range` of the item point, to a value above 0.", "Lorenzi's kmp-editor"},
    {"kmp.arena-itpt", hint, "an arena has no item points", "The game does not use item points in arenas.",
     "No action is needed; the points can be removed.", "Wiimm's wkmpt"},
};

/// A section of groups and the section of their points.
struct Paths {
  struct Kind {
    Severity lost_point = warning;  // of a point in no group
    bool is_items = false;
    bool both_ways = false;  // used in both directions, as in arenas
  };
  std::string_view section, point_section;
  std::span<const Group> groups;  // the groups that links can reach
  size_t points;
  Kind kind;

  std::string group(size_t i) const { return entry(section, i); }
  std::string link(size_t i, std::string_view list, size_t slot) const {
    return entry(section, i, list, "[", slot, "]");
  }
  bool exists(u8 group) const { return group < groups.size(); }
};

bool contains_link(const std::array<u8, 6>& links, size_t group) {
  return std::find(links.begin(), links.end(), u8(group)) != links.end();
}
bool has_no_links(const std::array<u8, 6>& links) {
  return std::all_of(links.begin(), links.end(), [](u8 l) { return l == k_no_link; });
}

void check_group_points(Check& c, const Paths& p) {
  size_t expected = 0;  // the first point after the last group
  for (size_t i = 0; i < p.groups.size(); ++i) {
    const Group& g = p.groups[i];
    const size_t end = size_t(g.first) + g.count;
    if (!g.count) {
      c.report(warning, "kmp.grp-empty", p.group(i) + ".count", {.message = "the group has no points"});
      continue;
    }
    if (end > p.points)
      c.report("kmp.grp-range", p.group(i) + (g.first < p.points ? ".count" : ".first"),
               {.message = text("the group contains points ", g.first, " to ", end - 1, ", but ",
                                p.points ? text("the last point of ", p.point_section, " is ", p.points - 1)
                                         : text(p.point_section, " has no points"))});
    else if (g.first != expected)
      c.report(p.kind.lost_point, "kmp.grp-contig", p.group(i) + ".first",
               {.message = text("the group starts at point ", g.first, " instead of ", expected)});
    expected = end;
  }
  if (expected < p.points && !p.groups.empty() && p.groups.size() < k_most_indices)
    c.report(p.kind.lost_point, "kmp.grp-contig", entry(p.point_section, expected),
             {.message = text(describe_index_range(expected, p.points - 1, "point"),
                              expected + 1 == p.points ? " is" : " are", " in no group")});
}

void check_link_list(Check& c, const Paths& p, size_t i, std::string_view list, const std::array<u8, 6>& links,
                     bool packed) {
  bool after_empty = false;
  for (size_t j = 0; j < links.size(); ++j) {
    if (links[j] == k_no_link) {
      after_empty = true;
      continue;
    }
    if (!p.exists(links[j]))
      c.report("kmp.grp-link-range", p.link(i, list, j),
               {.message = text("the group links to group ", links[j], ", but the course has only ", p.groups.size(),
                                " groups, counted from 0")});
    if (after_empty && packed) {
      c.report("kmp.grp-link-packed", p.link(i, list, j),
               {.message = text("the link to group ", links[j], " comes after an empty link")});
      packed = false;
    }
    if (std::find(links.begin(), links.begin() + std::ptrdiff_t(j), links[j]) != links.begin() + std::ptrdiff_t(j))
      c.report("kmp.grp-dup", p.link(i, list, j),
               {.message = text("group ", links[j], " is linked twice"),
                .hint = "a double link is fine if drivers or items should choose the linked group twice as often"});
  }
}

void check_links(Check& c, const Paths& p) {
  // If no group has a next group, that is one fault: the groups were never linked.
  const bool linked = std::ranges::any_of(p.groups, [](const Group& g) { return !has_no_links(g.next); });
  if (!linked && p.groups.size() > 1)
    c.report("kmp.grp-next", p.group(0) + ".next",
             {.message = text("none of the ", p.groups.size(), " groups has a next group")});
  for (size_t i = 0; i < p.groups.size(); ++i) {
    const Group& g = p.groups[i];
    const bool no_default = p.kind.is_items && g.next[0] == k_no_link, no_previous = has_no_links(g.previous);
    check_link_list(c, p, i, "previous", g.previous, true);
    check_link_list(c, p, i, "next", g.next, !no_default);
    const bool is_said = !linked && p.groups.size() > 1;
    if (no_default && !is_said)
      c.report("kmp.itph-default", p.link(i, "next", 0),
               {.message = "the first link is empty, but items follow it by default"});
    else if (has_no_links(g.next) && !is_said)
      c.report("kmp.grp-next", p.group(i) + ".next", {.message = "the group has no next group"});
    if (no_previous && !c.kind.arena)
      c.report("kmp.grp-prev", p.group(i) + ".previous", {.message = "the group has no previous group"});
    if (p.kind.both_ways && g.count == 1 && no_previous && !has_no_links(g.next) && g.next[1] == k_no_link)
      c.report(warning, "kmp.grp-next", p.group(i) + ".next",
               {.message = "only one group follows this dispatch point; two groups are needed"});

    if (p.kind.is_items && g.next[0] == i)
      c.report(g.count == 1 ? "kmp.itph-self1" : "kmp.itph-self", p.link(i, "next", 0),
               {.message = "the group is its own next group"});

    if (p.kind.both_ways) continue;
    for (size_t j = 0; j < 6; ++j) {
      if (p.exists(g.next[j]) && !contains_link(p.groups[g.next[j]].previous, i))
        c.report("kmp.grp-symmetric", p.link(i, "next", j),
                 {.message = text("group ", i, " lists group ", g.next[j], " as next, but group ", g.next[j],
                                  " does not list group ", i, " as previous")});
      if (p.exists(g.previous[j]) && !contains_link(p.groups[g.previous[j]].next, i))
        c.report("kmp.grp-symmetric", p.link(i, "previous", j),
                 {.message = text("group ", i, " lists group ", g.previous[j], " as previous, but group ",
                                  g.previous[j], " does not list group ", i, " as next")});
    }
  }
}

void check_single_points(Check& c, const Paths& p) {
  for_each_run(
      0, p.groups.size(), [&](size_t i) { return p.groups[i].count == 1 && p.groups[i].next[0] != i; },
      [&](size_t first, size_t last) {
        c.report("kmp.itph-1pt", p.group(first) + ".count",
                 {.message = first == last ? "the group has a single point"
                                           : describe_index_range(first, last, "group") + " have a single point each"});
      });
}

void check_reachability(Check& c, const Paths& p) {
  const size_t n = p.groups.size();
  std::array<bool, k_most_indices> reached{};
  std::array<u8, k_most_indices> open;  // each group enters once
  size_t waiting = 0;
  const auto visit_group = [&](u8 group) {
    if (group >= n || reached[group]) return;
    reached[group] = true;
    open[waiting++] = group;
  };
  visit_group(0);
  while (waiting) {
    const Group& g = p.groups[open[--waiting]];
    for (u8 next : g.next) visit_group(next);
  }
  for_each_run(
      0, n,
      [&](size_t i) {
        return !reached[i] && !has_no_links(p.groups[i].previous);
      },  // a group without one has its own finding
      [&](size_t first, size_t last) {
        c.report("kmp.grp-reach", p.group(first),
                 {.message = describe_index_range(first, last, "group") + " cannot be reached from group 0"});
      });
}

void check_paths_of(Check& c, const Paths& p) {
  check_group_points(c, p);
  check_links(c, p);
  if (p.kind.is_items) check_single_points(c, p);
  if (!c.kind.arena) check_reachability(c, p);
}

/// Reports only the coordinate furthest out: one finding per section is enough for a course that is too large.
template <class Point>
void check_online_range(Check& c, std::string_view section, const std::vector<Point>& points, std::string_view name,
                        f32 Vec3::* axis, bool upwards) {
  constexpr f32 k_limit = 131071;  // 17 bits
  const Point *furthest = nullptr, *lowest = nullptr;
  for (const Point& p : points) {
    if (!furthest || std::abs(p.position.*axis) > std::abs(furthest->position.*axis)) furthest = &p;
    if (!lowest || p.position.*axis < lowest->position.*axis) lowest = &p;
  }
  const auto report = [&](Severity severity, const Point& p, std::string expected) {
    const f32 at = p.position.*axis;
    c.report(severity, "kmp.pt-online", entry(section, u64(&p - points.data()), "position.", name),
             {.message = text(name, " is ", at, "; ", expected)});
  };
  if (!furthest) return;
  if (upwards && std::round(lowest->position.*axis) < 5) {
    const f32 y = std::round(lowest->position.*axis);
    return report(y < 0 ? error : y < 1 ? warning : hint, *lowest, "it must be at least 1, preferably 5");
  }
  const f32 far = std::abs(furthest->position.*axis);
  if (far > k_limit - 10000)
    report(
        far > k_limit - 2500   ? error
        : far > k_limit - 5000 ? warning
                               : hint,
        *furthest,
        "online play can transmit coordinates up to 131,071 units, and moving items need some room below this limit");
}

template <class Point>
void check_positions(Check& c, std::string_view section, const std::vector<Point>& points, f32 Point::* width,
                     std::string_view width_name) {
  check_online_range(c, section, points, "x", &Vec3::x, false);
  check_online_range(c, section, points, "y", &Vec3::y, true);
  check_online_range(c, section, points, "z", &Vec3::z, false);
  if (!width) return;
  for_each_run(
      0, points.size(), [&](size_t i) { return points[i].*width <= 0; },
      [&](size_t first, size_t last) {
        c.report(
            "kmp.pt-dev", entry(section, first, width_name),
            {.message = first == last ? text(width_name, " is ", points[first].*width, "; it should be above 0")
                                      : text(width_name, " is 0 or less at ",
                                             describe_index_range(first, last, "point"), "; it should be above 0")});
      });
}

template <class S>
void check_count(Check& c, const std::optional<S>& section, std::string_view what) {
  if (entries(section).size() > k_most_indices)
    c.report(
        "kmp.pt-count", c.count_field_path(section),
        {.message = text("the course has ", section->entries.size(), " ", what, "; the maximum is ", k_most_indices)});
}

/// Checks two sections that belong together, such as ENPH and ENPT.
template <class Groups, class Points>
void check_groups_and_points(Check& c, const std::optional<Groups>& groups, const std::optional<Points>& points,
                             std::optional<Severity> if_empty, Paths::Kind kind) {
  if (if_empty && entries(groups).empty() && c.is_reliable(groups))
    c.report(*if_empty, "kmp.grp-empty", c.count_field_path(groups),
             {.message = text("section ", Groups::k_name, " has no groups")});
  check_count(c, groups, text("groups in ", Groups::k_name));
  check_count(c, points, text("points in ", Points::k_name));
  if (groups && c.is_reliable(points))
    check_paths_of(c, {Groups::k_name, Points::k_name, linkable(groups->entries), entries(points).size(), kind});
}

void check_paths(Check& c) {
  const Kmp& k = c.course;
  const bool arena = c.kind.arena;
  const std::optional<Severity> if_empty = arena ? std::nullopt : std::optional(error);
  check_groups_and_points(c, k.enph, k.enpt, arena ? warning : error,
                          {.both_ways = arena && c.kind.dispatch_points > 0});
  check_groups_and_points(c, k.itph, k.itpt, if_empty, {.is_items = true});
  check_groups_and_points(c, k.ckph, k.ckpt, if_empty, {.lost_point = error});
  if (arena && !entries(k.itpt).empty())
    c.report("kmp.arena-itpt", c.count_field_path(k.itpt),
             {.message = text("the course is an arena and does not use its ",
                              format_count(k.itpt->entries.size(), "item point"))});

  const bool has_width = c.entry_size(k.enpt) > wire_size<Vec3>();
  check_positions(c, "ENPT", entries(k.enpt), has_width ? &EnemyPoint::deviation : nullptr, "deviation");
  check_positions(c, "ITPT", entries(k.itpt), &ItemPoint::range, "range");
}

}  // namespace

constinit const Topic k_path_checks{k_path_rules, check_paths};

}  // namespace dio::kmp
