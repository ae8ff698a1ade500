// floor.cpp: rules about the floor that the player walks on: navmeshes, and the regions that replaced them.
#include <algorithm>
#include <cmath>

#include "core/elementary.hpp"
#include "formats/splashpack/check/checks.hpp"

namespace dio::splashpack {
namespace {

constexpr Rule k_floor_rule_table[] = {
    {"splashpack.nav-none", error, "a pack of an old layout (from 2025) has a navmesh",
     "The 2025 version of the engine looks for the floor in the first navmesh of the pack without checking that the "
     "navmesh exists.",
     "Add a navmesh to the scene.", "psxsplash at b5b0ae4"},
    {"splashpack.nav-many", warning, "a pack has only one navmesh",
     "The 2025 version of the engine uses only the first navmesh of a pack.",
     "Join the navmeshes of the scene into one navmesh.", "psxsplash at b5b0ae4"},
    {"splashpack.nav-size", error, "each triangle of a navmesh has 36 bytes",
     "An early exporter followed the first description of the format and wrote 18 bytes for each navmesh triangle. The "
     "engine reads 36 bytes for each triangle, so it reads half of the triangles from the data after the navmesh.",
     "Export the scene again with a current exporter.", "SplashEdit at b3da188; psxsplash; measured on 11 real packs"},
    {"splashpack.nav-overflow", warning,
     "the edges of floor triangles are at most 1,100 raw units long (1,100/4,096 = 0.27)",
     "If an edge is longer than 1,100 raw units, a multiplication in the 2025 version of the engine overflows. The "
     "engine then does not detect that the player stands on the floor.",
     "Split the floor triangles until no edge exceeds 1,100 raw units.", "psxsplash, navmesh.cpp"},
    {"splashpack.nav-degenerate", warning, "seen from above, triangles and regions of the floor have an area",
     "The engine divides by the area of floor triangles and regions, and skips triangles and regions without an area.",
     "Remove floor triangles and regions without an area.", "psxsplash, navmesh.cpp"},
    {"splashpack.nav-cover", warning, "the player starts above the floor",
     "If there is no floor below the player, the engine moves the player to the nearest edge of the floor.",
     "Move the start position of the player, or extend the floor until it is below the start position.",
     "psxsplash, navmesh.cpp"},
};

constexpr i64 k_longest_edge = 1100;

/// Twice the area of the triangle, seen from above. Products of hostile numbers do not fit in integers.
f64 doubled_ground_area(const NavTriangle& t) {
  const auto& p = t.positions;
  const auto minus = [](fx32 a, fx32 b) { return f64(i64(a.raw) - b.raw); };
  return minus(p[1].x, p[0].x) * minus(p[2].z, p[0].z) - minus(p[1].z, p[0].z) * minus(p[2].x, p[0].x);
}

/// Whether a position is inside a polygon or on its edge, seen from above, whatever its winding.
template <class At>
bool polygon_contains(size_t corners, At at, i64 x, i64 z) {
  bool left = false, right = false;
  for (size_t i = 0; i < corners; ++i) {
    const auto [ax, az] = at(i);
    const auto [bx, bz] = at((i + 1) % corners);
    const f64 side = f64(bx - ax) * f64(z - az) - f64(bz - az) * f64(x - ax);
    left |= side > 0;
    right |= side < 0;
  }
  return corners > 2 && !(left && right);
}

void check_navmeshes(Reporter& r, const Pack& p) {
  if (p.navmeshes.empty()) r.report("splashpack.nav-none", "navmeshes", {.message = "the pack has no navmesh"});
  if (p.navmeshes.size() > 1)
    r.report("splashpack.nav-many", "navmeshes[1]",
             {.message = text("the pack has ", p.navmeshes.size(), " navmeshes; the engine uses only the first")});
  std::vector<u64> starts;
  const auto collect_offsets = [&](const auto& list) {
    for (const auto& e : list) starts.push_back(e.offset);
  };
  collect_offsets(p.scripts), collect_offsets(p.objects), collect_offsets(p.navmeshes), collect_offsets(p.atlases),
      collect_offsets(p.cluts);
  bool covered = false, readable = true;
  for (size_t i = 0; i < p.navmeshes.size(); ++i) {
    const Navmesh& n = p.navmeshes[i];
    const std::string path = text("navmeshes[", i, "]");
    const u64 half = (n.offset + n.triangles.size() * 18 + 3) & ~u64(3);
    if (!n.triangles.empty() && std::find(starts.begin(), starts.end(), half) != starts.end()) {
      r.report("splashpack.nav-size", path + ".triangles",
               {.message = "the navmesh triangles have 18 bytes instead of 36; the next block starts where triangles "
                           "of 18 bytes would end"});
      readable = false;
      continue;
    }
    for (size_t k = 0; k < n.triangles.size(); ++k) {
      const NavTriangle& t = n.triangles[k];
      const std::string triangle = text(path, ".triangles[", k, "]");
      f64 longest = 0;
      for (size_t c = 0; c < 3; ++c) {
        const Vec32 &a = t.positions[c], &b = t.positions[(c + 1) % 3];
        longest = std::max(longest, elementary::hypot(f64(i64(b.x.raw) - a.x.raw), f64(i64(b.z.raw) - a.z.raw)));
      }
      if (longest > k_longest_edge)
        r.report("splashpack.nav-overflow", triangle,
                 {.message = text("an edge is ", i64(longest), " raw units long (limit: ", k_longest_edge, ")")});
      if (doubled_ground_area(t) == 0)
        r.report("splashpack.nav-degenerate", triangle, {.message = "seen from above, the triangle has no area"});
      covered |= i == 0 && doubled_ground_area(t) != 0 &&
                 polygon_contains(
                     3, [&](size_t c) { return std::pair(i64(t.positions[c].x.raw), i64(t.positions[c].z.raw)); },
                     p.start.x.raw, p.start.z.raw);
    }
  }
  if (u32(p.form) >= k_player && readable && !p.navmeshes.empty() && !covered)
    r.report("splashpack.nav-cover", "start",
             {.message = "the player does not start above a triangle of navmeshes[0]"});
}

void check_regions(Reporter& r, const Pack& p) {
  if (!p.nav) return;
  bool covered = false;
  for (size_t i = 0; i < p.nav->regions.size(); ++i) {
    const NavRegion& n = p.nav->regions[i];
    const size_t corners = std::min<size_t>(n.corner_count, 8);
    f64 area = 0;
    for (size_t c = 0; c < corners; ++c) {
      const size_t d = (c + 1) % corners;
      area += f64(n.xs[c].raw) * n.zs[d].raw - f64(n.zs[c].raw) * n.xs[d].raw;
    }
    if (area == 0)
      r.report("splashpack.nav-degenerate", text("nav.regions[", i, "]"),
               {.message = "seen from above, the region has no area"});
    covered |= area != 0 && polygon_contains(
                                corners, [&](size_t c) { return std::pair(i64(n.xs[c].raw), i64(n.zs[c].raw)); },
                                p.start.x.raw, p.start.z.raw);
  }
  if (!covered)
    r.report("splashpack.nav-cover", "start", {.message = "the player does not start above a region of the floor"});
}

}  // namespace
const std::span<const Rule> k_floor_rules = k_floor_rule_table;

void check_floor(Reporter& r, const Pack& p) {
  if (!is_old(p))
    check_regions(r, p);
  else if (u32(p.form) >= k_navmeshes)
    check_navmeshes(r, p);
}

}  // namespace dio::splashpack
