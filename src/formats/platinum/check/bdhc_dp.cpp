// bdhc_dp.cpp: checks of the Diamond and Pearl BDHC: indices, planes, cells and strips.
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
constexpr Rule k_bdhc_dp_rule_table[] = {
    {"platinum.heights-cut", error, "a Diamond or Pearl heights file contains all the arrays whose sizes it gives",
     "If a heights file is too short, the game continues reading in the next file of the archive.",
     "Get a complete copy of the file, or rebuild its heights with {edit GAME make-map}.",
     "src/formats/platinum/README.md#heights-of-diamond-and-pearl"},
    {"platinum.cell-grid", error, "the grid of cells has as many rows as columns, and the file has all of its cells",
     "To find a cell, the game multiplies the row by the row count instead of the column count. If the counts differ, "
     "the game reads past the end of the cells.",
     "Make the row and column counts of the grid equal, or edit any triangle, which rebuilds the grid.",
     "src/formats/platinum/README.md#heights-of-diamond-and-pearl"},
    {"platinum.cell-strips", error, "the cells of the grid refer to strips that exist",
     "If a strip does not exist, the game reads past the end of the strips.",
     "Change the cell so that it refers to existing strips, or edit any triangle, which rebuilds the cells.",
     "src/formats/platinum/README.md#heights-of-diamond-and-pearl"},
    {"platinum.triangle-turned", warning,
     "the corners of every triangle in a strip run counterclockwise, seen from above with north at the top",
     "The game finds no point in a clockwise triangle, so the floor has a hole there.",
     "Swap two of the three corners of the triangle.", "src/formats/platinum/README.md#heights-of-diamond-and-pearl"},
    {"platinum.triangle-plane", hint,
     "the corners of every triangle in a strip are within one unit of the triangle's plane",
     "The game uses the plane of the triangle and ignores the heights of the corners.",
     "Correct the normal and the constant of the triangle, or the heights of its corners.",
     "src/formats/platinum/README.md#heights-of-diamond-and-pearl"},
};

constexpr f64 k_plane_error = 1;     // units: tolerance for corners
constexpr f64 k_unit_error = 0.003;  // tolerance for normals rounded to 1/4096

std::string triangle_path(const std::string& prefix, size_t i) { return text(prefix, "triangles[", i, "]"); }

void check_triangle_indices(Reporter& r, const BdhcDp& b, const std::string& prefix) {
  const auto check_index_range = [&](size_t i, const std::string& field, u16 index, size_t count) {
    if (index >= count)
      r.report("platinum.bdhc-index", triangle_path(prefix, i) + "." + field,
               {.message = text(field, " is ", index, ", but the table has only ", count,
                                count == 1 ? " entry" : " entries", ", counted from 0")});
  };
  for (size_t i = 0; i < b.triangles.size(); ++i) {
    for (size_t k = 0; k < 3; ++k)
      check_index_range(i, text("corners[", k, "]"), b.triangles[i].corners[k], b.points.size());
    check_index_range(i, "normal", b.triangles[i].normal, b.normals.size());
  }
}

void check_triangle_planes(Reporter& r, const BdhcDp& b, const std::string& prefix) {
  const std::set<u16> listed(b.access_list.begin(), b.access_list.end());
  std::set<u16> odd;  // reported normals
  for (const u16 i : listed) {
    if (i >= b.triangles.size()) continue;
    const DpTriangle& t = b.triangles[i];
    if (t.normal >= b.normals.size()) continue;
    const BdhcNormal& n = b.normals[t.normal];
    if (n.y.raw == 0)
      r.report("platinum.plate-upright", triangle_path(prefix, i) + ".normal",
               {.message = "the plane is vertical: the y of its normal is 0"});
    const f64 length = elementary::hypot(n.x.value(), n.y.value(), n.z.value());
    if (std::abs(length - 1) > k_unit_error && odd.insert(t.normal).second)
      r.report("platinum.normal-length", text(prefix, "normals[", t.normal, "]"),
               {.message = text("the normal has length ", std::round(length * 1000) / 1000, " instead of 1")});
    if (std::ranges::any_of(t.corners, [&](u16 p) { return p >= b.points.size(); }) || n.y.raw == 0) continue;
    const DpPoint &one = b.points[t.corners[0]], &two = b.points[t.corners[1]], &three = b.points[t.corners[2]];
    const f64 area = (two.x.value() - one.x.value()) * (three.z.value() - one.z.value()) -
                     (three.x.value() - one.x.value()) * (two.z.value() - one.z.value());
    if (area > 0)
      r.report("platinum.triangle-turned", triangle_path(prefix, i) + ".corners",
               {.message = "the corners run clockwise: the game finds no point in this triangle"});
    for (const DpPoint* p : {&one, &two, &three}) {
      const f64 height = -(n.x.value() * p->x.value() + n.z.value() * p->z.value() + t.constant.value()) / n.y.value();
      if (std::abs(height - p->height.value()) <= k_plane_error) continue;
      r.report("platinum.triangle-plane", triangle_path(prefix, i),
               {.message = text("at one corner, the plane is at height ", std::round(height * 100) / 100,
                                ", but the height of the corner is ", p->height.value())});
      break;
    }
  }
}

void check_grid_cells(Reporter& r, const BdhcDp& b, const std::string& prefix) {
  const auto fault = find_cell_fault(b);
  if (!fault) return;
  const std::string cell = text(prefix, "cells[", fault->cell, "]"), strip = text(prefix, "strips[", fault->strip, "]");
  switch (fault->kind) {
    using enum CellFault::Kind;
    case grid:
      return r.report("platinum.cell-grid", prefix + "grid",
                      {.message = text("the grid has ", b.grid.columns, " x ", b.grid.rows, " cells of ",
                                       b.grid.width.value(), " x ", b.grid.depth.value(), " units; the file has ",
                                       format_count(b.cells.size(), "cell"))});
    case run:
      return r.report(
          "platinum.cell-strips", cell,
          {.message = text("the cell uses ", format_count(b.cells[fault->cell].count, "strip"), " starting at strip ",
                           b.cells[fault->cell].first, ", but the file has only ", b.strips.size())});
    case order:
      return r.report("platinum.strip-order", strip + ".scanline",
                      {.message = text("the scanline is ", b.strips[fault->strip].scanline.value(),
                                       "; it must be greater than that of the previous strip of the cell, ",
                                       b.strips[fault->strip - 1].scanline.value())});
    case range:
      return r.report(
          "platinum.strip-cover", strip,
          {.message = text("the strip uses ", b.strips[fault->strip].count,
                           b.strips[fault->strip].count == 1 ? " entry" : " entries", " starting at entry ",
                           b.strips[fault->strip].first, ", but the access list has only ", b.access_list.size())});
    case triangle:
      return r.report("platinum.strip-cover", strip,
                      {.message = text("the strip lists a triangle that does not exist; the file has ",
                                       format_count(b.triangles.size(), "triangle"))});
    case missing:
      return r.report("platinum.strip-cover", b.cells[fault->cell].count ? strip : cell,
                      {.message = b.cells[fault->cell].count
                                      ? text("the strip crosses triangle ", fault->triangle, " but does not list it")
                                      : text("triangle ", fault->triangle, " reaches into the cell, which is empty")});
  }
}

template <class T>
void check_table_entries(Reporter& r, const std::string& path, const char* name, const std::vector<T>& table, auto key,
                         const std::set<u16>& used) {
  std::set<decltype(key(table.front()))> seen;
  size_t unused = 0, twice = 0, first = table.size();
  for (size_t i = 0; i < table.size(); ++i) {
    const bool again = !seen.insert(key(table[i])).second, idle = !used.contains(u16(i));
    unused += idle, twice += again;
    if ((again || idle) && first == table.size()) first = i;
  }
  if (first == table.size()) return;
  r.report("platinum.bdhc-unused", text(path, "[", first, "]"),
           {.message = text(unused, " unused and ", twice, " duplicate ", name),
            .hint = "saving with {--canonical} removes unused and duplicate entries"});
}

}  // namespace
const std::span<const Rule> k_bdhc_dp_rules = k_bdhc_dp_rule_table;

void check_triangles(Reporter& r, const BdhcDp& b, const std::string& prefix) {
  if (b.cut) {
    const CutBdhcDp& cut = *b.cut;
    return r.report("platinum.heights-cut", prefix + "cut",
                    {.message = text("the file ends within its arrays, after ", cut.triangles.size(), " of ",
                                     format_count(cut.triangle_count, "triangle"))});
  }
  check_triangle_indices(r, b, prefix);
  check_triangle_planes(r, b, prefix);
  check_grid_cells(r, b, prefix);
  std::set<u16> points, normals;
  for (const DpTriangle& t : b.triangles) {
    points.insert(t.corners.begin(), t.corners.end());
    normals.insert(t.normal);
  }
  check_table_entries(
      r, prefix + "points", "points", b.points,
      [](const DpPoint& p) { return std::tuple(p.x.raw, p.height.raw, p.z.raw); }, points);
  check_table_entries(
      r, prefix + "normals", "normals", b.normals,
      [](const BdhcNormal& n) { return std::tuple(n.x.raw, n.y.raw, n.z.raw); }, normals);
}

}  // namespace dio::platinum
