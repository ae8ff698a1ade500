// laps.cpp: checks of checkpoint values: laps, keys, respawn points, neighbours.
#include <bitset>

#include "formats/kmp/check/checks.hpp"

namespace dio::kmp {

namespace {

using enum Severity;
constexpr Rule k_lap_rules[] = {
    {"kmp.ckpt-none", error, "a race course has checkpoints", "Without checkpoints, no lap counts.",
     "Add checkpoints and a checkpoint group.", "Wiimm's wkmpt"},
    {"kmp.ckpt-lap", error, "a race course has exactly one lap line",
     "Without a lap line, no lap counts. With several lap lines, race positions are wrong in online races.",
     "Set the type of the first checkpoint in group 0 to 0, and do not use type 0 for any other checkpoint.",
     "Wiimm's wkmpt", Severities{hint}},
    {"kmp.ckpt-lap0", warning, "the lap line is the first checkpoint of group 0",
     "The game measures the progress of a lap from group 0.",
     "Make the lap line the first checkpoint of group 0: renumber the checkpoints, or move the start of the group.",
     "decompiled game (riidefi/mkw, Kinoko); 307 of 307 real courses"},
    {"kmp.ckpt-key", hint, "key checkpoints are numbered 1, 2, 3 and so on, and each number occurs once in a group",
     "The game remembers the highest key that a kart has passed, so gaps in the numbers are harmless. If two "
     "consecutive keys have the same number, the first of the two keys has no effect.",
     "Number the keys without gaps if you like; a course with gaps also works.",
     "decompiled game (riidefi/mkw, Kinoko); Wiimm's wkmpt", Severities{warning}},
    {"kmp.ckpt-type", warning, "a checkpoint's type is -1, 0, or a key from 1 to 127",
     "If the type is below -1 or above 127, the checkpoint is neither normal, nor a lap line, nor a key checkpoint.",
     "Set `type` to -1 for a normal checkpoint, 0 for the lap line, or 1 to 127 for a key.",
     "decompiled game (riidefi/mkw, Kinoko)"},
    {"kmp.ckpt-respawn", error, "a checkpoint refers to a respawn point that exists, or to none (128 to 255)",
     "If the respawn point does not exist, the game follows a null pointer when it respawns a kart.",
     "Set `respawn` to the index of a respawn point (section JGPT), or add the respawn point.",
     "decompiled game (riidefi/mkw, Kinoko); Wiimm's wkmpt"},
    {"kmp.ckpt-links", warning,
     "the `previous` and `next` fields of a checkpoint refer to the neighbouring checkpoints of the group, and are 255 "
     "at the ends of the group",
     "The game follows the links between checkpoints, not their order in the group.",
     "Set `previous` and `next` to the indices of the neighbouring checkpoints, and to 255 at the ends of the group.",
     "decompiled game (riidefi/mkw, Kinoko); Wiimm's wkmpt"},
    {"kmp.jgpt-none", error, "a race course has a respawn point",
     "A driver who falls off the course returns to a respawn point; without any, the game follows a null pointer.",
     "Add a respawn point (section JGPT), and set `respawn` of the checkpoints to its index.",
     "decompiled game (riidefi/mkw, Kinoko)"},
    {"kmp.jgpt-127", warning, "a course has at most 128 respawn points",
     "Checkpoints can refer only to respawn points 0 to 127; the game treats larger numbers as none.",
     "Remove respawn points, and let several checkpoints share one respawn point.",
     "decompiled game (riidefi/mkw, Kinoko)"},
    {"kmp.jgpt-unused", hint, "every respawn point is used by a checkpoint",
     "No kart ever respawns at an unused respawn point.",
     "Let a checkpoint refer to the respawn point, or remove the respawn point.", "Wiimm's wkmpt"},
    {"kmp.arena-ckpt", hint, "an arena has no checkpoints",
     "Arenas have no laps, so the game does not use their checkpoints.",
     "No action is needed; the checkpoints can be removed.", "Wiimm's wkmpt"},
};

constexpr size_t k_reachable_respawns = 128;  // as an i8; others keep the last one
constexpr int k_normal = -1;

std::string point(size_t i, std::string_view field) { return entry("CKPT", i, field); }

void check_lap_lines(Check& c, const std::vector<CheckPoint>& points) {
  const CheckPoint *first = nullptr, *second = nullptr;
  size_t lines = 0;
  for (const CheckPoint& p : points) {
    if (p.type) continue;
    if (!first)
      first = &p;
    else if (!second)
      second = &p;
    ++lines;
  }
  if (!lines)
    return c.report("kmp.ckpt-lap", "CKPT", {.message = "the course has no lap line: no checkpoint has type 0"});
  if (lines > 1)
    c.report(hint, "kmp.ckpt-lap", point(size_t(second - points.data()), "type"),
             {.message = text("the course has ", lines, " lap lines")});
  const auto& groups = entries(c.course.ckph);
  if (groups.empty() || groups[0].first >= points.size() || !points[groups[0].first].type) return;
  c.report(
      "kmp.ckpt-lap0", point(groups[0].first, "type"),
      {.message = text("the lap line is checkpoint ", first - points.data(), ", not the first checkpoint of group 0")});
}

void check_keys(Check& c, const std::vector<CheckPoint>& points) {
  std::array<u32, 128> where{};  // 1 + the first checkpoint of a key
  size_t highest = 0;
  for (size_t i = 0; i < points.size(); ++i) {
    const int type = points[i].type;
    if (type < k_normal)
      c.report("kmp.ckpt-type", point(i, "type"), {.message = text("type ", type, " is out of range (-1 to 127)")});
    if (type <= 0) continue;
    highest = std::max(highest, size_t(type));
    if (!where[size_t(type)]) where[size_t(type)] = u32(i + 1);
  }
  for_each_run(
      1, highest, [&](size_t key) { return !where[key]; },
      [&](size_t first, size_t last) {
        c.report("kmp.ckpt-key", point(where[last + 1] - 1, "type"),
                 {.message = text(first == last ? "key checkpoint " : "key checkpoints ", first,
                                  first == last ? "" : text(" to ", last), first == last ? " is" : " are",
                                  " missing before key ", last + 1)});
      });
  for (const Group& g : linkable(entries(c.course.ckph))) {
    std::bitset<128> seen;
    const size_t end = std::min(size_t(g.first) + g.count, points.size());
    for (size_t i = g.first; i < end; ++i) {
      if (points[i].type <= 0) continue;
      if (seen[size_t(points[i].type)])
        c.report(warning, "kmp.ckpt-key", point(i, "type"),
                 {.message = text("key ", points[i].type, " occurs twice in this group")});
      seen.set(size_t(points[i].type));
    }
  }
}

void check_neighbours(Check& c, const std::vector<CheckPoint>& points) {
  const auto name = [](size_t i) { return i == k_no_link ? std::string("none") : text("checkpoint ", i); };
  for (const Group& g : linkable(entries(c.course.ckph))) {
    const size_t end = size_t(g.first) + g.count;
    for (size_t i = g.first; i < std::min(end, points.size()); ++i) {
      const size_t previous = i == g.first ? k_no_link : i - 1, next = i + 1 == end ? k_no_link : i + 1;
      if (points[i].previous != previous)
        c.report("kmp.ckpt-links", point(i, "previous"),
                 {.message = text("the previous checkpoint is ", name(points[i].previous), "; it should be ",
                                  name(previous))});
      if (points[i].next != next)
        c.report("kmp.ckpt-links", point(i, "next"),
                 {.message = text("the next checkpoint is ", name(points[i].next), "; it should be ", name(next))});
    }
  }
}

void check_respawns(Check& c, const std::vector<CheckPoint>& points) {
  if (!c.is_reliable(c.course.jgpt)) return;
  const size_t respawns = entries(c.course.jgpt).size();
  std::bitset<k_reachable_respawns> used;
  for (size_t i = 0; i < points.size(); ++i) {
    const u8 respawn = points[i].respawn;
    if (respawn >= k_reachable_respawns) continue;
    used.set(respawn);
    if (respawn >= respawns)
      c.report("kmp.ckpt-respawn", point(i, "respawn"),
               {.message = text("respawn point ", respawn, " does not exist; JGPT has ",
                                format_count(respawns, "respawn point"), ", counted from 0")});
  }
  if (c.kind.arena) return;
  if (!respawns && !points.empty())
    c.report("kmp.jgpt-none", c.count_field_path(c.course.jgpt), {.message = "the course has no respawn point"});
  for_each_run(
      0, std::min(respawns, k_reachable_respawns), [&](size_t i) { return !used[i]; },
      [&](size_t first, size_t last) {
        c.report("kmp.jgpt-unused", entry("JGPT", first),
                 {.message = text("no checkpoint uses ", describe_index_range(first, last, "respawn point"))});
      });
  if (respawns > k_reachable_respawns)
    c.report("kmp.jgpt-127", entry("JGPT", k_reachable_respawns),
             {.message = text("the course has ", respawns, " respawn points; checkpoints can use only the first ",
                              k_reachable_respawns)});
}

void check_laps(Check& c) {
  const auto& ckpt = c.course.ckpt;
  if (!c.is_reliable(ckpt)) return;
  const std::vector<CheckPoint>& points = entries(ckpt);
  if (c.kind.arena) {
    if (!points.empty())
      c.report(
          "kmp.arena-ckpt", c.count_field_path(ckpt),
          {.message = text("the course is an arena and does not use its ", format_count(points.size(), "checkpoint"))});
  } else if (points.empty())
    c.report("kmp.ckpt-none", c.count_field_path(ckpt), {.message = "the course has no checkpoints"});
  else
    check_lap_lines(c, points);
  check_keys(c, points);
  check_neighbours(c, points);
  check_respawns(c, points);
}

}  // namespace

constinit const Topic k_lap_checks{k_lap_rules, check_laps};

}  // namespace dio::kmp
