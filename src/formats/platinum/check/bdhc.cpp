// bdhc.cpp: checks of BDHC: indices, planes, strips and overlapping plates.
#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>

#include "core/elementary.hpp"
#include "formats/contract/findings.hpp"
#include "formats/platinum/check/land.hpp"

namespace dio::platinum {

namespace {

using enum Severity;
constexpr Rule k_bdhc_rule_table[] = {
    {"platinum.bdhc-size", error, "the arrays of a heights file (BDHC) take at most 36,864 bytes",
     "The game reads the arrays into a 36,864-byte buffer without checking their size.",
     "Remove plates, or join neighbouring plates of the same height.", "pret/pokeplatinum, bdhc.c"},
    {"platinum.bdhc-index", error, "plates and triangles refer to points, normals and constants that exist",
     "If an index is too high, the game reads past the end of the array.",
     "Use the index of an existing entry, or add the entry.",
     "pret/pokeplatinum, bdhc.c; src/formats/platinum/README.md#heights"},
    {"platinum.plate-upright", error, "the y of the normal of a plate or triangle is not 0",
     "To compute the height of a plate or triangle, the game divides by the y of its normal.",
     "Tilt the plate or triangle by giving its normal a y other than 0.",
     "pret/pokeplatinum, bdhc.c; src/formats/platinum/README.md#heights"},
    {"platinum.strip-order", error, "the scanlines of the strips are in strictly ascending order",
     "If the scanlines are out of order, the game's binary search finds the wrong strip.",
     "Sort the strips by scanline, or edit any plate with {edit FILE}, which rebuilds the strips.",
     "pret/pokeplatinum, bdhc.c; src/formats/platinum/README.md#heights"},
    {"platinum.strip-cover", warning, "every strip lists all plates or triangles that it crosses",
     "If a plate is missing from the list of a strip, the game does not find the plate, so the floor has a hole where "
     "the height is 0.",
     "Add the missing plate to the list of the strip, or edit any plate with {edit FILE}, which rebuilds the strips.",
     "pret/pokeplatinum, bdhc.c; src/formats/platinum/README.md#heights"},
    {"platinum.plates-over-point", warning, "at most 10 plates or triangles overlap at any point",
     "At each point, the game considers only the first 10 plates or triangles and ignores all further ones.",
     "Remove plates with {edit FILE remove-plate}, or make them smaller.",
     "pret/pokeplatinum, bdhc.c; src/formats/platinum/README.md#heights"},
    {"platinum.plates-near", hint, "floors above each other on a walkable tile are at least 20 units apart",
     "The game chooses the floor nearest to the player's height. If two floors are too close, the player may move from "
     "one floor to the other.",
     "Raise or lower one of the two floors with {edit FILE raise-plate}, or remove it with {edit FILE remove-plate}.",
     "pret/pokeplatinum, bdhc.c; src/formats/platinum/README.md#heights"},
    {"platinum.normal-length", hint, "normals have length 1",
     "A normal of any length gives the right height if its constant matches. A length other than 1 only shows that a "
     "tool did not normalise the vector.",
     "No action is needed.", "measured on 666 maps; src/formats/platinum/README.md#heights"},
    {"platinum.normal-down", hint, "normals point upwards",
     "A plane with the opposite normal and constant gives the same height, so a downward normal hardly matters.",
     "No action is needed.", "measured on 666 maps; src/formats/platinum/README.md#heights"},
    {"platinum.plate-empty", hint, "every plate has a width and a depth",
     "A plate without a width or depth covers hardly any points.",
     "Remove the plate with {edit FILE remove-plate}, or give it a width and a depth.",
     "measured on 666 maps; src/formats/platinum/README.md#heights"},
    {"platinum.plate-corners", hint, "the first of the two corners of a plate has the smaller x and z",
     "The game sorts the two corners of a plate, but some tools may not.", "Swap the two corners of the plate.",
     "measured on 666 maps; src/formats/platinum/README.md#heights"},
    {"platinum.bdhc-unused", hint, "every point, normal and constant is used, and none is stored twice",
     "Unused and duplicate entries waste space.",
     "Write the file with {--canonical}, which removes unused and duplicate entries.",
     "measured on 666 maps; src/formats/platinum/README.md#heights"},
    {"platinum.bdhc-magic", hint, "a heights file starts with the magic \"BDHC\"",
     "The game ignores the magic. Heights files for games patched with BDHCAM have sizes in place of the magic, and "
     "cameras after the heights.",
     "No action is needed if the game is patched for BDHCAM; otherwise, set the magic to \"BDHC\".",
     "Pokemon DS Map Studio (PDSMS); src/formats/platinum/README.md#heights"},
};

constexpr i32 k_rounding = 4096;       // heights that differ by less belong to one floor
constexpr f64 k_length_error = 0.003;  // tolerance for normals rounded to 1/4096

std::string plate_path(const std::string& prefix, size_t i) { return text(prefix, "plates[", i, "]"); }

void check_plates(Reporter& r, const Bdhc& b, const std::string& prefix) {
  for (size_t i = 0; i < b.plates.size(); ++i) {
    const Plate& p = b.plates[i];
    const auto check_index_range = [&](const char* field, u16 index, size_t count) {
      if (index >= count)
        r.report("platinum.bdhc-index", plate_path(prefix, i) + "." + field,
                 {.message = text(field, " is ", index, ", but the table has only ", count,
                                  count == 1 ? " entry" : " entries", ", counted from 0")});
    };
    check_index_range("first_point", p.first_point, b.points.size());
    check_index_range("second_point", p.second_point, b.points.size());
    check_index_range("normal", p.normal, b.normals.size());
    check_index_range("constant", p.constant, b.constants.size());
    const auto shape = find_plate_shape(b, i);
    if (!shape) continue;
    if (shape->low.x == shape->high.x || shape->low.z == shape->high.z)
      r.report("platinum.plate-empty", plate_path(prefix, i),
               {.message = shape->low.x == shape->high.x ? "the plate has no width" : "the plate has no depth"});
    if (b.points[p.first_point] != shape->low || b.points[p.second_point] != shape->high)
      r.report("platinum.plate-corners", plate_path(prefix, i) + ".first_point",
               {.message = "the first corner does not have the smaller x and z"});
    if (shape->normal.y.raw < 0)
      r.report("platinum.normal-down", plate_path(prefix, i) + ".normal",
               {.message = text("the normal points downwards: its y is ", shape->normal.y.value())});
    if (shape->normal.y.raw == 0)
      r.report("platinum.plate-upright", plate_path(prefix, i) + ".normal",
               {.message = "the plane is vertical: the y of its normal is 0"});
  }
  for (size_t i = 0; i < b.normals.size(); ++i) {
    const BdhcNormal& n = b.normals[i];
    const f64 length = elementary::hypot(n.x.value(), n.y.value(), n.z.value());
    if (std::abs(length - 1) > k_length_error)
      r.report("platinum.normal-length", text(prefix, "normals[", i, "]"),
               {.message = text("the normal has length ", std::round(length * 1000) / 1000, " instead of 1")});
  }
}

void check_strips(Reporter& r, const Bdhc& b, const std::string& prefix) {
  const auto fault = find_strip_fault(b);
  if (!fault) return;
  const std::string path = text(prefix, "strips[", fault->strip, "]");
  switch (fault->kind) {
    using enum StripFault::Kind;
    case order:
      return r.report("platinum.strip-order", path + ".scanline",
                      {.message = text("the scanline is ", b.strips[fault->strip].scanline.value(),
                                       "; it must be greater than that of the previous strip, ",
                                       b.strips[fault->strip - 1].scanline.value())});
    case range:
      return r.report(
          "platinum.strip-cover", path,
          {.message = text("the strip uses ", b.strips[fault->strip].count,
                           b.strips[fault->strip].count == 1 ? " entry" : " entries", " starting at entry ",
                           b.strips[fault->strip].first, ", but the access list has only ", b.access_list.size())});
    case plate:
      return r.report("platinum.strip-cover", path,
                      {.message = text("the strip lists a plate that does not exist; the file has ",
                                       format_count(b.plates.size(), "plate"))});
    case end:
      return r.report("platinum.strip-cover", path + ".scanline",
                      {.message = text("the last scanline is ", b.strips[fault->strip].scanline.value(),
                                       ", which is not the greatest z of all plates")});
    case missing:
      // without strips, report at the plate
      return r.report(
          "platinum.strip-cover", b.strips.empty() ? plate_path(prefix, fault->plate) : path,
          {.message = b.strips.empty() ? std::string("the file has no strips")
                                       : text("the strip crosses plate ", fault->plate, " but does not list it")});
  }
}

template <class T>
void check_table(Reporter& r, const Bdhc& b, const std::string& prefix, const char* name, const std::vector<T>& table,
                 auto key, auto... fields) {
  std::vector<bool> used(table.size());
  const auto mark_used = [&](u16 i) {
    if (i < used.size()) used[i] = true;
  };
  for (const Plate& p : b.plates) (mark_used(p.*fields), ...);
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
           {.message = text(unused, " unused and ", twice, " duplicate ", name),
            .hint = "saving with {--canonical} removes unused and duplicate entries"});
}

}  // namespace

void check_points(Reporter& r, const Bdhc& b, const std::string& prefix, std::span<const TileRow> attributes) {
  const auto path = [&](size_t i) { return text(prefix, path_of_plates(b), "[", i, "]"); };
  for (u32 z = 0; z < k_tiles; ++z)
    for (u32 x = 0; x < k_tiles; ++x) {
      const auto over = find_listed_grounds(b, tile_middle(x), tile_middle(z));
      if (over.size() >= k_most_candidates) {
        size_t all = 0;
        for (size_t p = 0; p < plate_count(b); ++p)
          if (const auto shape = find_plate_shape(b, p)) all += shape->contains(tile_middle(x), tile_middle(z));
        if (all > k_most_candidates)
          r.report("platinum.plates-over-point", path(over.back().plate),
                   {.message = text(all, " ", plural_of_plates(b), " overlap at tile ", x, ",", z,
                                    "; the game compares only ", k_most_candidates)});
      }
      const bool walkable = z >= attributes.size() || !is_blocked(attributes[z][x]);
      for (size_t i = 1; walkable && i < over.size(); ++i)
        for (size_t j = 0; j < i; ++j)
          if (const i64 gap = std::abs(i64(over[i].height) - over[j].height);
              gap >= k_rounding && gap < k_blocking_step)
            return r.report(
                "platinum.plates-near", path(over[i].plate),
                {.message = text("at tile ", x, ",", z, ", the ", name_of_plates(b), " is only ", f64(gap) / 4096,
                                 " units from ", name_of_plates(b), " ", over[j].plate, " (minimum 20)")});
    }
}

const std::span<const Rule> k_bdhc_rules = k_bdhc_rule_table;

u64 bdhc_arrays_size(const Bdhc& b) {
  if (b.dp) {
    const auto align_to_4 = [](u64 n) { return (n + 3) / 4 * 4; };
    const BdhcDp& dp = *b.dp;
    return wire_size<DpGrid>() + wire_size<DpPoint>() * dp.points.size() + wire_size<BdhcNormal>() * dp.normals.size() +
           wire_size<DpTriangle>() * dp.triangles.size() + wire_size<DpCell>() * dp.cells.size() +
           align_to_4(wire_size<DpStrip>() * dp.strips.size()) + align_to_4(sizeof(u16) * dp.access_list.size());
  }
  return 8 * b.points.size() + 12 * b.normals.size() + 4 * b.constants.size() + 8 * b.plates.size() +
         8 * b.strips.size() + 2 * b.access_list.size();
}

void check_bdhc(Reporter& r, const Bdhc& b, const std::string& prefix, std::span<const TileRow> attributes) {
  const u64 size = bdhc_arrays_size(b);
  if (size > k_bdhc_buffer)
    r.report("platinum.bdhc-size", prefix + (b.dp ? "dp.access_list" : "access_list"),
             {.message = text("the arrays of the heights take ", size, " bytes (at most ", k_bdhc_buffer, ")")});
  if (b.dp) {
    check_triangles(r, *b.dp, prefix + "dp.");
    if (size <= k_bdhc_buffer) check_points(r, b, prefix, attributes);
    return;
  }
  if (b.sizes)
    r.report("platinum.bdhc-magic", prefix + "sizes",
             {.message = "the file starts with sizes instead of the magic, and cameras follow the heights (BDHCAM)",
              .hint = "only a patched game uses the cameras"});
  else if (!(b.magic == fourcc("BDHC")))
    r.report("platinum.bdhc-magic", prefix + "magic", {.message = "the magic is not \"BDHC\""});
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
