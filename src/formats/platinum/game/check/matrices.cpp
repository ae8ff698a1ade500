// matrices.cpp: checks of matrix cells, and of the edges between neighbouring lands.
#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "formats/platinum/game/check/checks.hpp"
#include "formats/platinum/layout/behaviors.hpp"
#include "formats/platinum/layout/heights.hpp"

namespace dio::platinum {

namespace {

constexpr u32 k_main_matrix = 0, k_underground = 2;
constexpr u32 k_main_width = 30, k_underground_cells = 225, k_underground_lands = 16;
constexpr i32 k_step = 20 * 4096;  // a height difference that blocks

u16 tile_attributes_at(const LandData& land, u32 x, u32 z) {
  return z < land.attributes.size() ? land.attributes[z][x] : u16(k_collision);
}
std::optional<i32> ground_height_at_tile(const LandData& land, u32 x, u32 z, i32 from = 0) {
  return ground_height_at(land.bdhc, tile_middle(x), tile_middle(z), from);
}
bool is_sloped(const Bdhc& b) {
  return std::any_of(b.normals.begin(), b.normals.end(), [](const BdhcNormal& n) { return n.x.raw || n.z.raw; });
}

/// One edge between two cells: the tiles on both sides.
struct Edge {
  bool east;  // the other cell is to the east, otherwise to the south
  std::pair<u32, u32> here(u32 i) const { return east ? std::pair(k_tiles - 1, i) : std::pair(i, k_tiles - 1); }
  std::pair<u32, u32> there(u32 i) const { return east ? std::pair(0u, i) : std::pair(i, 0u); }
};

/// Calls `f` for each pair of neighbouring lands in a matrix, with their cells.
void for_each_shared_edge(const Matrix& m, const std::function<void(size_t cell, size_t other, Edge)>& f) {
  for (size_t c = 0; c < m.cells(); ++c) {
    if (m.lands[c] == k_no_land) continue;
    const size_t x = c % m.width, z = c / m.width;
    if (x + 1 < m.width && m.lands[c + 1] != k_no_land) f(c, c + 1, {true});
    if (z + 1 < m.height && m.lands[c + m.width] != k_no_land) f(c, c + m.width, {false});
  }
}

}  // namespace

void GameCheck::check_matrices() {
  const u32 land_count = t.files().of(FileRole::lands).count();
  const bool has_special_code = t.files().edition() != Edition::heart_gold_soul_silver;
  for (u32 i = 0; i < t.matrices.size(); ++i) {
    if (!t.matrices[i]) continue;
    const Matrix& m = *t.matrices[i];
    const std::string file = path(FileRole::matrices, i);
    if (i == k_main_matrix && has_special_code && (m.width != k_main_width || m.headers.empty()))
      out.report(
          "platinum.matrix-main", dio::Location::in_file(file, "width"),
          {.message = text("matrix 0 is ", m.width, " cells wide", m.headers.empty() ? " and has no headers" : "",
                           "; it must be 30 cells wide and have headers")});
    for (size_t c = 0; c < m.cells(); ++c)
      if (m.lands[c] != k_no_land && land_count && m.lands[c] >= land_count)
        out.report("platinum.matrix-range", cell_location(i, "land_data_ids", c),
                   {.message = text("land ", m.lands[c], " does not exist; there are ",
                                    format_count(land_count, "land"), ", counted from 0"),
                    .hint = "65535 leaves the cell empty"});
    for (size_t c = 0; c < m.headers.size() && !t.headers.empty(); ++c) {
      if (m.headers[c] >= t.headers.size())
        out.report("platinum.matrix-range", cell_location(i, "map_header_ids", c),
                   {.message = text("header ", m.headers[c], " does not exist; there are ",
                                    format_count(t.headers.size(), "header"), ", counted from 0")});
      else if (m.headers[c] != k_everywhere && t.headers[m.headers[c]].matrix != i)
        out.report("platinum.matrix-foreign", cell_location(i, "map_header_ids", c),
                   {.message = text(header_text(m.headers[c]), " belongs to matrix ", t.headers[m.headers[c]].matrix,
                                    ", not to matrix ", i)});
    }
    if (has_special_code && i >= 256 && (i & 0xFF) == k_main_matrix)
      out.report("platinum.matrix-low-byte", dio::Location::in_file(file),
                 {.message = text("matrix number ", i, " has the low byte 0, like matrix 0")});
    if (i == k_underground && has_special_code) {
      std::set<u16> lands(m.lands.begin(), m.lands.end());
      const bool hole = lands.erase(u16(k_no_land)) != 0;
      if (m.cells() > k_underground_cells || lands.size() != k_underground_lands || hole)
        out.report("platinum.matrix-underground", dio::Location::in_file(file, "land_data_ids"),
                   {.message = text("the Underground has ", format_count(m.cells(), "cell"), " and ",
                                    format_count(lands.size(), "different land"), hole ? ", and empty cells" : "",
                                    "; it must have at most ", k_underground_cells, " cells and exactly ",
                                    k_underground_lands, " lands, without empty cells")});
    }
    std::set<u16> told;
    for (size_t c = 0; c < m.altitudes.size(); ++c) {
      if (!m.altitudes[c] || m.lands[c] == k_no_land || !told.insert(m.lands[c]).second) continue;
      const auto land = t.land(m.lands[c]);
      if (!land) continue;
      std::vector<std::string> what;
      if (!land->props.empty()) what.push_back(format_count(land->props.size(), "prop"));
      if (is_sloped(land->bdhc)) what.emplace_back("slopes");
      size_t walkable = 0;
      for (const TileRow& row : land->attributes)
        walkable += size_t(std::count_if(row.begin(), row.end(), [](u16 tile) { return !is_blocked(tile); }));
      if (walkable) what.push_back(format_count(walkable, "walkable tile"));
      if (!what.empty())
        out.report("platinum.matrix-altitude", cell_location(i, "altitudes", c),
                   {.message = text("land ", m.lands[c], " is raised by ", u32(m.altitudes[c]) * 8, " units, but has ",
                                    join_first_names(what), ", which are not raised")});
    }
  }
}

void GameCheck::check_land_seams() {
  // Reports a pair of neighbouring lands only once.
  std::set<std::tuple<u16, u16, bool>> looked_at;
  for (u32 i = 0; i < t.matrices.size(); ++i) {
    if (!t.matrices[i] || t.matrices[i]->cells() > k_most_cells) continue;
    const Matrix& m = *t.matrices[i];
    std::set<std::pair<u32, u32>> borders;
    const auto area_in = [&](size_t c) -> std::optional<u32> {  // fillers belong to no map and no area
      if (m.headers.empty() || m.headers[c] == k_everywhere) return {};
      return t.find_cell_area(m, c, k_everywhere);
    };
    for_each_shared_edge(m, [&](size_t cell, size_t other, Edge edge) {
      const auto area = area_in(cell), next = area_in(other);
      const bool border = area && next && *area != *next;
      const bool is_new = looked_at.insert({m.lands[cell], m.lands[other], edge.east}).second;
      if (!border && !is_new) return;
      const auto a = t.land(m.lands[cell]), b = t.land(m.lands[other]);
      if (!a || !b) return;
      u32 steps = 0, passages = 0;
      i32 worst = 0;
      for (u32 k = 0; k < k_tiles; ++k) {
        const auto [ax, az] = edge.here(k);
        const auto [bx, bz] = edge.there(k);
        if (is_blocked(tile_attributes_at(*a, ax, az)) || is_blocked(tile_attributes_at(*b, bx, bz))) continue;
        const auto here = ground_height_at_tile(*a, ax, az);
        if (!here) continue;
        const i32 step = std::abs(ground_height_at_tile(*b, bx, bz, *here).value_or(0) - *here);
        if (step >= k_step)
          ++steps, worst = std::max(worst, step);
        else
          ++passages;
      }
      const std::string_view side = edge.east ? " to the east" : " to the south";
      if (is_new && steps)
        out.report("platinum.land-seam", cell_location(i, "land_data_ids", cell),
                   {.message = text("where land ", m.lands[cell], " meets land ", m.lands[other], side, ", ",
                                    format_count(steps, "step"), " between walkable tiles ", steps == 1 ? "is" : "are",
                                    " up to ", worst / 4096, " units high; 20 or more block the player")});
      if (border && passages && borders.insert(std::minmax(*area, *next)).second)
        out.report(
            "platinum.area-border", cell_location(i, "map_header_ids", cell),
            {.message = text("the player can walk from area ", *area, " (land ", m.lands[cell], ") to area ", *next,
                             " (land ", m.lands[other], ")", side, " over ", format_count(passages, "tile"))});
    });
  }
}

void GameCheck::check_reachable_ground() {
  constexpr u32 k_off = ~u32(0);
  for (u32 i = 0; i < t.matrices.size(); ++i) {
    if (!t.matrices[i] || t.matrices[i]->cells() > k_most_cells) continue;
    const Matrix& m = *t.matrices[i];
    const auto find_cell = [&](u32 x, u32 z) -> u32 {
      const u32 cx = x / k_tiles, cz = z / k_tiles;
      return cx < m.width && cz < m.height && m.lands[cz * m.width + cx] != k_no_land ? cz * m.width + cx : k_off;
    };
    struct EventStandPoint {
      u32 x, z;
      i32 height;
    };
    std::vector<EventStandPoint> open;
    std::vector<std::vector<bool>> seen(m.cells());
    std::map<u16, u32> holes;  // by land
    std::map<u16, std::shared_ptr<const LandData>> lands;
    const auto visit_tile = [&](u32 x, u32 z, std::optional<i32> from) {
      const u32 cell = find_cell(x, z);
      if (cell == k_off) return;
      auto& marks = seen[cell];
      marks.resize(k_tiles * k_tiles);
      const u32 tx = x % k_tiles, tz = z % k_tiles;
      if (marks[tz * k_tiles + tx]) return;
      auto& land = lands[m.lands[cell]];
      if (!land) land = t.land(m.lands[cell]);
      if (!land || (from && is_blocked(tile_attributes_at(*land, tx, tz)))) return;
      const auto ground = ground_height_at_tile(*land, tx, tz, from.value_or(0));
      if (from && std::abs(ground.value_or(0) - *from) >= k_step) return;
      marks[tz * k_tiles + tx] = true;
      if (ground)
        open.push_back({x, z, *ground});
      else
        ++holes[m.lands[cell]];
    };
    for (u32 h = 0; h < t.headers.size(); ++h) {
      const Header& header = t.headers[h];
      if (header.matrix != i || header.events >= t.events.size() || !t.events[header.events]) continue;
      for (const WarpEvent& w : t.events[header.events]->warp_events) visit_tile(w.x, w.z, {});
    }
    while (!open.empty()) {
      const EventStandPoint at = open.back();
      open.pop_back();
      visit_tile(at.x + 1, at.z, at.height);
      visit_tile(at.x, at.z + 1, at.height);
      if (at.x) visit_tile(at.x - 1, at.z, at.height);
      if (at.z) visit_tile(at.x, at.z - 1, at.height);
    }
    for (const auto& [land, n] : holes)
      out.report("platinum.ground-missing",
                 dio::Location::in_file(path(FileRole::lands, land), text("bdhc.", path_of_plates(lands[land]->bdhc))),
                 {.message = text(format_count(n, "tile"), " that the player can reach in matrix ", i,
                                  n == 1 ? " has no " : " have no ", name_of_plates(lands[land]->bdhc))});
  }
}

}  // namespace dio::platinum
