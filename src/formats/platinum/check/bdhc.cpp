// bdhc.cpp: BDHC: indices, planes, strips, and plates over one another.
#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>

#include "formats/contract/findings.hpp"
#include "formats/platinum/check/land.hpp"

namespace dio::platinum {

namespace {

using enum Severity;
constexpr Rule k_bdhc_rule_table[] = {
    {"platinum.bdhc-size", error, "the arrays of BDHC take at most 36,864 bytes",
     "The game reads them into a buffer of that size without looking.", "specification 17, LND-7"},
    {"platinum.bdhc-index", error, "plates refer to points, normals and constants that exist",
     "The game reads behind the array.", "specification 17, BDH-1"},
    {"platinum.plate-upright", error, "the normal of a plate has a y", "The game divides by it.",
     "specification 17, BDH-2"},
    {"platinum.strip-order", error, "scanlines of strips ascend, and no two are the same",
     "The game halves the list to find a strip, and finds a wrong one.", "specification 17, BDH-3"},
    {"platinum.strip-cover", warning, "strips have, within the access list, all plates that they cross",
     "There is a hole in the floor: the height there is 0. An edited file gets new strips.", "specification 17, BDH-4"},
    {"platinum.plates-over-point", warning, "at most 10 plates lie over a point",
     "The game compares 10 and passes over the rest.", "specification 17, BDH-5"},
    {"platinum.plates-near", hint, "two floors over a tile where one can walk are 20 units apart or more",
     "Who stands on one may be put on the other: the nearest to the present height is taken.",
     "specification 17, BDH-6"},
    {"platinum.normal-length", hint, "normals have length 1", "The plane is right all the same.",
     "specification 17, BDH-7"},
    {"platinum.normal-down", hint, "normals point upwards", "The height is right all the same.",
     "specification 17, BDH-7"},
    {"platinum.plate-empty", hint, "plates have an area", "Hardly any point is on one that has none.",
     "specification 17, BDH-7"},
    {"platinum.plate-corners", hint, "the first corner of a plate is that of the least x and z",
     "The game orders them; other tools may not.", "specification 17, BDH-7"},
    {"platinum.bdhc-unused", hint, "points, normals and constants are used, and no two are the same",
     "They take space for nothing; canonical output has each once.", "specification 17, BDH-8"},
    {"platinum.bdhc-magic", hint, "BDHC starts with its name",
     "The game does not look at it. Patched games have sizes in its place, and cameras behind the heights (BDHCAM).",
     "specification 17, BDH-9"},
};

constexpr u64 k_buffer_size = 0x9000;
constexpr i32 k_rounding = 4096;       // heights that differ by less are those of one floor
constexpr f64 k_length_error = 0.003;  // of normals that were rounded to 1/4096

std::string plate_path(const std::string& prefix, size_t i) { return text(prefix, "plates[", i, "]"); }

void check_plates(Reporter& r, const Bdhc& b, const std::string& prefix) {
  for (size_t i = 0; i < b.plates.size(); ++i) {
    const Plate& p = b.plates[i];
    const auto in_range = [&](const char* field, u16 index, size_t count) {
      if (index >= count)
        r.report("platinum.bdhc-index", plate_path(prefix, i) + "." + field,
                 {.expected = text("a number below ", count), .found = text(index)});
    };
    in_range("first_point", p.first_point, b.points.size());
    in_range("second_point", p.second_point, b.points.size());
    in_range("normal", p.normal, b.normals.size());
    in_range("constant", p.constant, b.constants.size());
    const auto shape = shape_of(b, i);
    if (!shape) continue;
    if (shape->low.x == shape->high.x || shape->low.z == shape->high.z)
      r.report("platinum.plate-empty", plate_path(prefix, i),
               {.expected = "a plate with an area",
                .found = shape->low.x == shape->high.x ? "one of no width" : "one of no depth"});
    if (b.points[p.first_point] != shape->low || b.points[p.second_point] != shape->high)
      r.report("platinum.plate-corners", plate_path(prefix, i) + ".first_point",
               {.expected = "the corner of the least x and z", .found = "another corner"});
    if (shape->normal.y.raw < 0)
      r.report("platinum.normal-down", plate_path(prefix, i) + ".normal",
               {.expected = "a normal that points upwards", .found = text("y is ", shape->normal.y.value())});
    if (shape->normal.y.raw == 0)
      r.report("platinum.plate-upright", plate_path(prefix, i) + ".normal",
               {.expected = "a plane that is not upright", .found = "y is 0"});
  }
  for (size_t i = 0; i < b.normals.size(); ++i) {
    const BdhcNormal& n = b.normals[i];
    const f64 length = std::hypot(n.x.value(), n.y.value(), n.z.value());
    if (std::abs(length - 1) > k_length_error)
      r.report("platinum.normal-length", text(prefix, "normals[", i, "]"),
               {.expected = "length 1", .found = text("length ", std::round(length * 1000) / 1000)});
  }
}

void check_strips(Reporter& r, const Bdhc& b, const std::string& prefix) {
  const auto fault = strip_fault(b);
  if (!fault) return;
  const std::string path = text(prefix, "strips[", fault->strip, "]");
  switch (fault->kind) {
    using enum StripFault::Kind;
    case order:
      return r.report("platinum.strip-order", path + ".scanline",
                      {.expected = text("more than ", b.strips[fault->strip - 1].scanline.value()),
                       .found = text(b.strips[fault->strip].scanline.value())});
    case range:
      return r.report("platinum.strip-cover", path,
                      {.expected = text("entries within the ", b.access_list.size(), " of the access list"),
                       .found = text(b.strips[fault->strip].count, " entries from ", b.strips[fault->strip].first)});
    case plate:
      return r.report("platinum.strip-cover", path,
                      {.expected = text("numbers below ", b.plates.size()), .found = "an entry that is no plate"});
    case end:
      return r.report(
          "platinum.strip-cover", path + ".scanline",
          {.expected = "the greatest z of all plates", .found = text(b.strips[fault->strip].scanline.value())});
    case missing:
      // without strips there is nothing else to point at
      return r.report("platinum.strip-cover", b.strips.empty() ? plate_path(prefix, fault->plate) : path,
                      {.expected = "the plates that it crosses",
                       .found = text(b.strips.empty() ? "no strips, so not" : "all but", " plate ", fault->plate)});
  }
}

template <class T>
void check_table(Reporter& r, const Bdhc& b, const std::string& prefix, const char* name, const std::vector<T>& table,
                 auto key, auto... fields) {
  std::vector<bool> used(table.size());
  const auto use = [&](u16 i) {
    if (i < used.size()) used[i] = true;
  };
  for (const Plate& p : b.plates) (use(p.*fields), ...);
  std::set<decltype(key(table.front()))> seen;
  size_t unused = 0, twice = 0, first = table.size();
  for (size_t i = 0; i < table.size(); ++i) {
    const bool again = !seen.insert(key(table[i])).second;
    unused += !used[i];
    twice += again;
    if ((again || !used[i]) && first == table.size()) first = i;
  }
  if (first == table.size()) return;
  r.report("platinum.bdhc-unused", text(prefix, name, "[", first, "]"),
           {.expected = "each once, and used",
            .found = text(unused, " without a plate, ", twice, " that are there before")});
}

void check_points(Reporter& r, const Bdhc& b, const std::string& prefix, std::span<const TileRow> attributes) {
  for (u32 z = 0; z < k_tiles; ++z)
    for (u32 x = 0; x < k_tiles; ++x) {
      const auto over = candidates_at(b, tile_middle(x), tile_middle(z));
      if (over.size() >= k_most_candidates) {
        size_t all = 0;
        for (size_t p = 0; p < b.plates.size(); ++p)
          if (const auto shape = shape_of(b, p)) all += shape->contains(tile_middle(x), tile_middle(z));
        if (all > k_most_candidates)
          r.report(
              "platinum.plates-over-point", plate_path(prefix, over.back().plate),
              {.expected = text("at most ", k_most_candidates), .found = text(all, " plates over tile ", x, ",", z)});
      }
      const bool walkable = z >= attributes.size() || !is_blocked(attributes[z][x]);
      for (size_t i = 1; walkable && i < over.size(); ++i)
        for (size_t j = 0; j < i; ++j)
          if (const i64 gap = std::abs(i64(over[i].height) - over[j].height);
              gap >= k_rounding && gap < k_blocking_step)
            return r.report(
                "platinum.plates-near", plate_path(prefix, over[i].plate),
                {.expected = "20 units or more",
                 .found = text(f64(gap) / 4096, " units from plate ", over[j].plate, " over tile ", x, ",", z)});
    }
}

}  // namespace
const std::span<const Rule> k_bdhc_rules = k_bdhc_rule_table;

void check_bdhc(Reporter& r, const Bdhc& b, const std::string& prefix, std::span<const TileRow> attributes) {
  if (b.dp) return;
  const u64 size = 8 * b.points.size() + 12 * b.normals.size() + 4 * b.constants.size() + 8 * b.plates.size() +
                   8 * b.strips.size() + 2 * b.access_list.size();
  if (size > k_buffer_size)
    r.report("platinum.bdhc-size", prefix + "access_list",
             {.expected = text("at most ", k_buffer_size), .found = text(size, " bytes")});
  if (b.sizes)
    r.report("platinum.bdhc-magic", prefix + "sizes",
             {.expected = "BDHC",
              .found = "sizes, and cameras behind the heights (BDHCAM)",
              .hint = "only a patched game shows the cameras"});
  else if (!(b.magic == fourcc("BDHC")))
    r.report("platinum.bdhc-magic", prefix + "magic", {.expected = "BDHC", .found = "something else"});
  check_plates(r, b, prefix);
  check_strips(r, b, prefix);
  check_table(
      r, b, prefix, "points", b.points, [](auto& p) { return std::tuple(p.x.raw, p.z.raw); }, &Plate::first_point,
      &Plate::second_point);
  check_table(
      r, b, prefix, "normals", b.normals, [](auto& n) { return std::tuple(n.x.raw, n.y.raw, n.z.raw); },
      &Plate::normal);
  check_table(r, b, prefix, "constants", b.constants, [](auto& c) { return c.raw; }, &Plate::constant);
  check_points(r, b, prefix, attributes);
}

void check(const Bdhc& b, Findings& findings) {
  Reporter r(findings);
  check_bdhc(r, b, "", {});
}

}  // namespace dio::platinum
