// bdhc_dp.cpp: builds the tables of a Diamond and Pearl BDHC from its triangles, by the rules found in game files:
// README.md, "Heights of Diamond and Pearl".
#include "formats/platinum/layout/bdhc_dp.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <span>
#include <tuple>

#include "core/sorting.hpp"

namespace dio::platinum {
namespace {

constexpr size_t k_most_in_cell = 40;              // triangles; with more, the game's tools made more cells
constexpr u16 k_most_columns = 16;                 // columns of a new grid
constexpr u16 k_most_kept = 64;                    // columns or rows of a kept grid
constexpr size_t k_most_listed = size_t(1) << 20;  // entries of the access list, far more than the game's limit

/// Extent of a triangle that points upwards; others are not listed.
struct TriangleExtent {
  u16 triangle;
  std::array<DpPoint, 3> corners;
  i32 west, north, east, south;
};
std::vector<TriangleExtent> compute_triangle_extents(const BdhcDp& b) {
  std::vector<TriangleExtent> out;
  for (size_t i = 0; i < b.triangles.size() && i <= BdhcDp::k_most; ++i) {
    const DpTriangle& t = b.triangles[i];
    if (t.normal >= b.normals.size() || b.normals[t.normal].y.raw <= 0) continue;
    TriangleExtent r{u16(i), {}, 0, 0, 0, 0};
    bool is_whole = true;
    for (size_t k = 0; k < 3; ++k)
      if (t.corners[k] < b.points.size())
        r.corners[k] = b.points[t.corners[k]];
      else
        is_whole = false;
    if (!is_whole) continue;
    const auto& [p, q, s] = r.corners;
    std::tie(r.west, r.east) = std::minmax({p.x.raw, q.x.raw, s.x.raw});
    std::tie(r.north, r.south) = std::minmax({p.z.raw, q.z.raw, s.z.raw});
    out.push_back(r);
  }
  return out;
}

/// A rectangle of the grid; raw coordinates.
struct Area {
  i32 west, north, east, south;
};
/// Whether a triangle touches a cell.
bool touches_cell(const TriangleExtent& r, const Area& cell) {
  if (r.north > cell.south || r.south < cell.north || r.west > cell.east || r.east < cell.west) return false;
  // Compare the x of the triangle's part between north and south of the cell, multiplied to stay exact.
  bool is_west = false, is_east = false;  // part of the triangle is not east, or not west, of the cell
  const auto compare_x = [&](f64 x, f64 times) {
    is_west |= x <= cell.east * times;
    is_east |= x >= cell.west * times;
  };
  for (size_t k = 0; k < 3; ++k) {
    DpPoint a = r.corners[k], b = r.corners[(k + 1) % 3];
    if (a.z.raw >= cell.north && a.z.raw <= cell.south) compare_x(a.x.raw, 1);
    if (a.z.raw > b.z.raw) std::swap(a, b);
    const f64 depth = f64(b.z.raw) - a.z.raw;
    for (const i32 z : {cell.north, cell.south})
      if (a.z.raw < z && z < b.z.raw) compare_x(a.x.raw * depth + (f64(z) - a.z.raw) * (f64(b.x.raw) - a.x.raw), depth);
  }
  return is_west && is_east;
}

/// Whether a cell lists a triangle: more than its northern or southern edge must be in the cell.
bool overlaps_cell(const TriangleExtent& r, const Area& cell) {
  return r.north < cell.south && r.south > cell.north && touches_cell(r, cell);
}

/// The edges of the cells in one direction. The game's tools added in single precision.
std::vector<i32> compute_cell_edges(i32 low, i32 high, u16 cells) {
  const auto raw = [](f32 units) { return i32(std::lround(units * 4096)); };
  f32 at = f32(low) / 4096 - 1;
  const f32 size = (f32(i64(high) - low) / 4096 + 1) / cells + 0.5f;
  std::vector<i32> out{raw(at)};
  for (u16 i = 0; i < cells; ++i) out.push_back(raw(at += size));
  return out;
}

struct Edges {
  std::vector<i32> x, z;
  u16 columns() const { return u16(x.size() - 1); }
  u16 rows() const { return u16(z.size() - 1); }
  Area cell(size_t column, size_t row) const { return {x[column], z[row], x[column + 1], z[row + 1]}; }
};
struct Extent {
  i32 west = 0, north = 0, east = 0, south = 0;
  Edges split_into_cells(u16 columns, u16 rows) const {
    return {compute_cell_edges(west, east, columns), compute_cell_edges(north, south, rows)};
  }
};
std::optional<Extent> compute_extent(const BdhcDp& b) {
  constexpr i32 k_far = 1 << 26;  // 16,384 units: beyond it, no cell of the right size can be stored
  if (b.points.empty()) return {};
  Extent e{b.points[0].x.raw, b.points[0].z.raw, b.points[0].x.raw, b.points[0].z.raw};
  for (const DpPoint& p : b.points) {
    e.west = std::min(e.west, p.x.raw), e.east = std::max(e.east, p.x.raw);
    e.north = std::min(e.north, p.z.raw), e.south = std::max(e.south, p.z.raw);
  }
  if (e.west < -k_far || e.north < -k_far || e.east > k_far || e.south > k_far) return {};
  return e;
}

bool has_crowded_cell(const std::vector<TriangleExtent>& all, const Edges& edges) {
  for (size_t row = 0; row < edges.rows(); ++row)
    for (size_t column = 0; column < edges.columns(); ++column) {
      const Area cell = edges.cell(column, row);
      size_t count = 0;
      for (const TriangleExtent& r : all)
        if (touches_cell(r, cell) && ++count > k_most_in_cell) return true;
    }
  return false;
}
Edges choose_cell_edges(const BdhcDp& b, const Extent& extent, const std::vector<TriangleExtent>& all) {
  const DpGrid& g = b.grid;
  if (g.columns && g.columns == g.rows && g.columns <= k_most_kept)
    if (Edges edges = extent.split_into_cells(g.columns, g.rows); !has_crowded_cell(all, edges)) return edges;
  u16 columns = 1;
  while (columns < k_most_columns && has_crowded_cell(all, extent.split_into_cells(columns, columns))) columns *= 2;
  return extent.split_into_cells(columns, columns);
}

void add_cell(BdhcDp& b, const std::vector<TriangleExtent>& all, const Area& cell) {
  std::vector<const TriangleExtent*> members;
  std::vector<i32> lines;
  for (const TriangleExtent& r : all) {
    if (!overlaps_cell(r, cell)) continue;
    members.push_back(&r);
    for (const DpPoint& p : r.corners) lines.push_back(std::clamp(p.z.raw, cell.north, cell.south));
  }
  if (members.empty()) return b.cells.push_back({0, 0});
  sort_stably(lines);
  lines.erase(std::unique(lines.begin(), lines.end()), lines.end());
  lines.erase(lines.begin());  // the northernmost z ends no strip
  std::vector<std::vector<u16>> lists(lines.size());
  size_t listed = b.access_list.size();
  for (const TriangleExtent* r : members)
    // From the strip that ends south of the triangle's north, to the one that ends at its south or at the cell's.
    for (auto i = size_t(std::ranges::upper_bound(lines, r->north) - lines.begin());
         i < lines.size() && (i == 0 || lines[i - 1] < r->south) && listed < k_most_listed; ++i, ++listed)
      lists[i].push_back(r->triangle);
  b.cells.push_back({u16(lines.size()), u16(b.strips.size())});
  b.most_strips = std::max(b.most_strips, u16(lines.size()));
  for (size_t i = 0; i < lines.size(); ++i) {
    b.strips.push_back({u16(lists[i].size()), {lines[i]}, u32(b.access_list.size())});
    b.access_list.insert(b.access_list.end(), lists[i].begin(), lists[i].end());
    b.most_triangles = std::max(b.most_triangles, u16(lists[i].size()));
  }
}

/// Keeps used entries in order, and the first of equal ones.
template <class T>
void compact_table(std::vector<T>& table, auto key, std::vector<u16*>& uses) {
  std::vector<bool> used(table.size());
  for (const u16* i : uses) used[*i] = true;
  std::map<decltype(key(table.front())), u16> seen;
  std::vector<u16> place(table.size());
  std::vector<T> kept;
  for (size_t i = 0; i < table.size(); ++i) {
    if (!used[i]) continue;
    const auto [known, fresh] = seen.try_emplace(key(table[i]), u16(kept.size()));
    place[i] = known->second;
    if (fresh) kept.push_back(table[i]);
  }
  for (u16* i : uses) *i = place[*i];
  table = std::move(kept);
}

}  // namespace

void rebuild_cells(BdhcDp& b) {
  b.most_strips = b.most_triangles = 0;
  b.cells.clear();
  b.strips.clear();
  b.access_list.clear();
  const auto extent = compute_extent(b);
  if (!extent) {
    b.grid = {1, 1, {}, {}, {}, {}, {4096}, {4096}};
    b.cells = {{0, 0}};
    return;
  }
  const std::vector<TriangleExtent> all = compute_triangle_extents(b);
  const Edges edges = choose_cell_edges(b, *extent, all);
  const auto size = [](i32 low, i32 high, u16 cells) {
    return fx32{i32(std::lround(((f32(i64(high) - low) / 4096 + 1) / cells + 0.5f) * 4096))};
  };
  b.grid = {edges.columns(),
            edges.rows(),
            {edges.x.front()},
            {edges.z.front()},
            {edges.x.back()},
            {edges.z.back()},
            size(extent->west, extent->east, edges.columns()),
            size(extent->north, extent->south, edges.rows())};
  for (size_t row = 0; row < edges.rows(); ++row)
    for (size_t column = 0; column < edges.columns(); ++column) add_cell(b, all, edges.cell(column, row));
}

void compact_tables(BdhcDp& b) {
  std::vector<u16*> points, normals;
  for (DpTriangle& t : b.triangles) {
    for (u16& p : t.corners) {
      if (p >= b.points.size()) return;  // an invalid index could become valid in a shorter table
      points.push_back(&p);
    }
    if (t.normal >= b.normals.size()) return;
    normals.push_back(&t.normal);
  }
  compact_table(b.points, [](const DpPoint& p) { return std::tuple(p.x.raw, p.height.raw, p.z.raw); }, points);
  compact_table(b.normals, [](const Xyz<fx32>& n) { return std::tuple(n.x.raw, n.y.raw, n.z.raw); }, normals);
}

std::optional<CellFault> find_cell_fault(const BdhcDp& b) {
  using enum CellFault::Kind;
  const DpGrid& g = b.grid;
  if (!g.columns || g.columns != g.rows || size_t(g.columns) * g.rows != b.cells.size() || g.width.raw <= 0 ||
      g.depth.raw <= 0)
    return CellFault{grid, 0};
  size_t steps = 0;
  constexpr size_t k_most_steps = 1 << 24;  // limits the work for damaged files
  for (size_t c = 0; c < b.cells.size(); ++c) {
    const DpCell& cell = b.cells[c];
    if (size_t(cell.first) + cell.count > b.strips.size()) return CellFault{run, c};
    for (size_t i = 0; i < cell.count; ++i) {
      const DpStrip& strip = b.strips[size_t(cell.first) + i];
      if (i && strip.scanline.raw <= b.strips[size_t(cell.first) + i - 1].scanline.raw)
        return CellFault{order, c, size_t(cell.first) + i};
      if (u64(strip.first) + strip.count > b.access_list.size() || (steps += strip.count) > k_most_steps)
        return CellFault{range, c, size_t(cell.first) + i};
      for (size_t e = 0; e < strip.count; ++e)
        if (b.access_list[strip.first + e] >= b.triangles.size()) return CellFault{triangle, c, size_t(cell.first) + i};
    }
  }
  // Every triangle must be in all strips that it crosses, in all cells where the game looks for its points. A cell that
  // only touches its edge need not list it.
  const std::vector<TriangleExtent> all = compute_triangle_extents(b);
  const auto cell_edge = [](fx32 low, fx32 size, size_t i, size_t count) {
    constexpr i64 k_far = std::numeric_limits<i32>::max();  // outer cells are unbounded
    if (i == 0) return i32(-k_far);
    return i32(i == count ? k_far : std::min(k_far, i64(low.raw) + i64(i) * size.raw));
  };
  for (size_t row = 0; row < g.rows; ++row)
    for (size_t column = 0; column < g.columns; ++column) {
      const size_t c = row * g.columns + column;
      const Area area{cell_edge(g.west, g.width, column, g.columns) + 1, cell_edge(g.north, g.depth, row, g.rows) + 1,
                      cell_edge(g.west, g.width, column + 1, g.columns) - 1,
                      cell_edge(g.north, g.depth, row + 1, g.rows) - 1};
      if ((steps += all.size()) > k_most_steps) return {};
      for (const TriangleExtent& r : all) {
        if (!overlaps_cell(r, area)) continue;
        const i64 north = std::max(r.north, area.north), south = std::min(r.south, area.south);
        if (south - north <= 2) continue;  // the edges of cells were rounded
        if (!b.cells[c].count) return CellFault{missing, c, 0, r.triangle};
        for (size_t i = 0; i < b.cells[c].count; ++i) {
          const size_t s = size_t(b.cells[c].first) + i;
          const DpStrip& strip = b.strips[s];
          if (i && b.strips[s - 1].scanline.raw >= south - 1) break;
          if (i + 1 < b.cells[c].count && strip.scanline.raw <= north + 1) continue;
          const auto list = std::span(b.access_list).subspan(strip.first, strip.count);
          if ((steps += list.size()) > k_most_steps) return {};
          if (std::ranges::find(list, r.triangle) == list.end()) return CellFault{missing, c, s, r.triangle};
        }
      }
    }
  return {};
}

}  // namespace dio::platinum
