// octree.cpp: checks by brute force that the octree can be walked and that its lists contain all prisms that can be
// hit.
#include <set>

#include "formats/kcl/check/checks.hpp"

namespace dio::kcl {

namespace {

using enum Severity;
constexpr Rule k_octree_rules[] = {
    {"kcl.oct-area", error, "area_min, area_mask, block_shift, x_shift and xy_shift agree with each other",
     "If the fields of the octree contradict each other, the game looks up positions in the wrong cells. In each mask, "
     "all 1 bits must come before all 0 bits. x_shift and xy_shift must leave room for the first-level cells that "
     "result from the masks and block_shift.",
     "Rebuild the octree with {edit FILE rebuild-octree}.", "Kinoko (decompiled game)"},
    {"kcl.oct-node", error,
     "every octree node points to a block of nodes or to a list in the octree, and every list has an end",
     "If a node points elsewhere or a list has no end, the game reads other data as octree nodes or lists, and may "
     "crash.",
     "Rebuild the octree with {edit FILE rebuild-octree}.", "Kinoko (decompiled game)"},
    {"kcl.oct-list", error, "octree lists contain only prisms that exist",
     "For a prism that does not exist, the game reads whatever happens to be in memory after the last prism.",
     "Rebuild the octree with {edit FILE rebuild-octree}.", "Kinoko (decompiled game)"},
    {"kcl.oct-missing", warning, "a cell's list contains every prism that can be hit from inside the cell",
     "Karts and items fall through prisms that are missing from the list of a cell.",
     "Rebuild the octree with {edit FILE rebuild-octree}.", "Kinoko (decompiled game); real files"},
    {"kcl.oct-near", hint,
     "a cell's list contains every prism that a sphere of the largest radius can hit from inside the cell",
     "Large objects collide too late with prisms that are missing from the list of a cell.",
     "Rebuild the octree with {edit FILE rebuild-octree}.", "Kinoko (decompiled game); real Mario Kart Wii files"},
    {"kcl.oct-never", warning, "every prism is in a list of the octree", "A prism that is in no list cannot be hit.",
     "Rebuild the octree with {edit FILE rebuild-octree}.", "Kinoko (decompiled game)"},
    {"kcl.oct-outside", warning, "all triangles are inside the octree's area",
     "A triangle outside the octree's area cannot be hit.", "Rebuild the octree with {edit FILE rebuild-octree}.",
     "Kinoko (decompiled game)"},
    {"kcl.oct-more", hint, "at least half of the entries in the cells' lists are prisms that can be hit from the cell",
     "Unneeded entries make the file larger, and the game tests more prisms than necessary.",
     "Rebuild the octree with {edit FILE rebuild-octree}.", "three quarters of the entries in real files"},
    {"kcl.oct-large", hint, "the octree has few enough cells to be checked",
     "Checking a very large octree takes too long, so the cells of this octree were not checked.",
     "Rebuild the octree with {edit FILE rebuild-octree}.", "real files have some 10,000 cells"},
};

constexpr std::string_view k_rebuild = "rebuild the octree with {edit FILE rebuild-octree}";

/// Prisms missing from cells, and the number of these cells.
struct MissingPrisms {
  std::vector<u32> prisms;
  u64 cells = 0;
  void report(Check& c, std::string_view id, std::string_view how) const {
    if (prisms.empty()) return;
    c.report(id, text("prisms[", prisms[0], "]"),
             {.message = text(cells, cells == 1 ? " cell does" : " cells do", " not list ",
                              prisms.size() == 1 ? "prism " : "prisms ", format_ranges(prisms), ", which ", how,
                              cells == 1 ? " from inside the cell" : " from inside these cells"),
              .hint = std::string(k_rebuild)});
  }
};

void check_lists(Check& c, const OctreeView& octree) {
  const Kcl& k = c.kcl;
  const Depths depths = hit_depths(k);
  std::vector<bool> listed(k.prisms.size());
  std::set<u32> no_list, no_block, beyond;
  u64 numbers = 0, unneeded = 0;
  std::vector<std::optional<PrismHitVolume>> reaches;
  for (size_t i = 0; i < k.prisms.size(); ++i)
    reaches.push_back(c.prisms[i].triangle
                          ? std::optional(PrismHitVolume(*c.prisms[i].triangle, c.prisms[i].shape->face, depths))
                          : std::nullopt);
  u64 visits = octree.most_visits();
  const bool whole = octree.for_each_cell(
      [&](const Cell& cell, std::span<const u16> list) {
        const f64 half = cell.size / 2;
        const Point middle{cell.min[0] + half, cell.min[1] + half, cell.min[2] + half};
        numbers += list.size();
        for (const u16 n : list) {
          if (n > k.prisms.size()) {
            beyond.insert(cell.node);
            continue;
          }
          listed[n - 1u] = true;
          const auto& reach = reaches[n - 1u];
          unneeded += !reach || !reach->may_touch_cube(middle, half + 2);
        }
      },
      [&](const OctreeView::Broken& b) { (b.is_list ? no_list : no_block).insert(b.node); }, nullptr, visits);
  if (!whole) {
    c.report("kcl.oct-large", "octree.nodes", {.message = "the octree has too many cells to check"});
    return;
  }
  const auto report_broken = [&](const std::set<u32>& nodes, const Check::FindingText& words) {
    std::vector<u32> inside;
    for (const u32 n : nodes)
      if (n < k.octree.nodes.size()) inside.push_back(n);
    c.report_all("kcl.oct-node", "octree.nodes", inside, words, k_rebuild);
    if (inside.size() < nodes.size())
      c.report("kcl.oct-node", "octree.nodes",
               {.message = "the octree ends within its first level", .hint = std::string(k_rebuild)});
  };
  report_broken(no_list, {"node", "nodes", "points to no list, or to a list without an end",
                          "point to no list, or to a list without an end"});
  report_broken(no_block, {"node", "nodes", "points to no block of eight nodes", "point to no block of eight nodes"});
  c.report_all("kcl.oct-list", "octree.nodes", {beyond.begin(), beyond.end()},
               {"node", "nodes", "points to a list with prisms that do not exist",
                "point to lists with prisms that do not exist"},
               k_rebuild);
  if (unneeded > numbers / 2 && unneeded > 100)
    c.report("kcl.oct-more", "octree.lists",
             {.message = text(unneeded, " of ", numbers,
                              " entries in the cells' lists are prisms that cannot be hit from the cell")});
  MissingPrisms solid, near;
  std::vector<u32> never, outside;
  u64 left = 64 * octree.most_visits();
  const Point low = point_of(k.area_min);
  const Point high{low[0] + f64(~k.area_mask.x) + 1, low[1] + f64(~k.area_mask.y) + 1,
                   low[2] + f64(~k.area_mask.z) + 1};
  for (u32 i = 0; i < k.prisms.size(); ++i) {
    if (!c.prisms[i].is_solid()) continue;
    bool is_outside = false;
    for (const Point& p : *c.prisms[i].triangle)
      for (size_t axis = 0; axis < 3; ++axis) is_outside |= p[axis] < low[axis] - 1 || p[axis] > high[axis] + 1;
    if (is_outside) outside.push_back(i);
    if (!listed[i]) {
      never.push_back(i);
      continue;
    }
    const PrismHitVolume behind(*c.prisms[i].triangle, c.prisms[i].shape->face,
                                {0, std::max(0.0, depths.thickness - 1)});
    const PrismHitVolume& reach = *reaches[i];
    u64 missing_solid = 0, missing_near = 0;
    const OctreeView::Box box{reach.min, reach.max};
    const bool done = octree.for_each_cell(
        [&](const Cell& cell, std::span<const u16> list) {
          if (std::ranges::find(list, u16(i + 1)) != list.end()) return;
          const f64 half = cell.size / 2, inside = half - 1;  // the game cuts positions to whole units
          const Point middle{cell.min[0] + half, cell.min[1] + half, cell.min[2] + half};
          if (behind.may_touch_cube(middle, inside))
            ++missing_solid;
          else if (k.is_mario_kart_wii() && reach.is_within_hit_distance(middle, inside))
            ++missing_near;
        },
        {}, &box, left);
    if (!done) break;
    if (missing_solid) solid.prisms.push_back(i), solid.cells += missing_solid;
    if (missing_near) near.prisms.push_back(i), near.cells += missing_near;
  }
  c.report_all("kcl.oct-outside", "prisms", outside,
               {"prism", "prisms", "is outside the octree's area", "are outside the octree's area"}, k_rebuild);
  c.report_all("kcl.oct-never", "prisms", never,
               {"prism", "prisms", "is in no list of the octree", "are in no list of the octree"}, k_rebuild);
  solid.report(c, "kcl.oct-missing", "can be hit");
  near.report(c, "kcl.oct-near", "can be hit by large spheres");
}

void check_octree(Check& c) {
  if (!root_cell_counts(c.kcl)[0]) {
    c.report("kcl.oct-area", "area_mask",
             {.message = "area_min, area_mask, block_shift, x_shift and xy_shift contradict each other",
              .hint = std::string(k_rebuild)});
    return;
  }
  check_lists(c, OctreeView(c.kcl));
}

}  // namespace

const Topic k_octree_checks{k_octree_rules, check_octree};

}  // namespace dio::kcl
