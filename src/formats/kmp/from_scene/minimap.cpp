#include "formats/kmp/from_scene/minimap.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "formats/kcl/geometry.hpp"
#include "formats/kmp/race/uncovered.hpp"
#include "scene/transforms.hpp"

namespace dio::kmp {

namespace {

constexpr size_t k_most_vertices = 2400;  // below the limit of `kmp.model-vertices`

struct Roads {
  std::vector<scene::Vec3> positions;
  std::vector<u32> indices;
};

/// Joins all vertices in a cell of this size; triangles without an area disappear. Size 0: equal vertices are joined.
Roads cluster(const std::vector<kcl::Triangle>& triangles, f64 size) {
  Roads out;
  std::map<std::array<i64, 3>, u32> known;
  std::map<std::array<u32, 3>, bool> seen;
  for (const kcl::Triangle& t : triangles) {
    std::array<u32, 3> corners{};
    for (size_t c = 0; c < 3; ++c) {
      std::array<i64, 3> key{};
      for (size_t i = 0; i < 3; ++i) key[i] = std::llround(t[c][i] / std::max(size, 1.0));
      const auto [at, is_new] = known.try_emplace(key, u32(out.positions.size()));
      if (is_new) out.positions.push_back({f32(t[c][0]), f32(t[c][1]), f32(t[c][2])});
      corners[c] = at->second;
    }
    if (corners[0] == corners[1] || corners[1] == corners[2] || corners[2] == corners[0]) continue;
    std::array<u32, 3> sorted = corners;
    std::ranges::sort(sorted);
    if (!seen.try_emplace(sorted, true).second) continue;
    out.indices.insert(out.indices.end(), corners.begin(), corners.end());
  }
  return out;
}

}  // namespace

scene::Scene build_minimap(const kcl::Kcl& file, const Kmp& course) {
  const std::vector<bool> is_reachable = find_reachable_prisms(Sectors(course), file);
  std::vector<kcl::Triangle> roads, off_road;
  for (size_t i = 0; i < file.prisms.size(); ++i) {
    const kcl::Prism& p = file.prisms[i];
    if (!kcl::is_drivable(p.type) || !is_reachable[i]) continue;
    if (const auto t = kcl::compute_prism_triangle(file, p))
      (kcl::is_off_road(p.type) ? off_road : roads).push_back(*t);
  }
  if (roads.empty()) roads = std::move(off_road);
  Roads shown = cluster(roads, 0);
  for (f64 size = 100; shown.positions.size() > k_most_vertices && size < 1e5; size *= 1.3)
    shown = cluster(roads, size);
  scene::Scene s;
  s.metres_per_unit = 0.01f;
  scene::Material white;
  white.name = "road", white.double_sided = true;
  s.materials.push_back(white);
  scene::Primitive p;
  p.material = 0, p.positions = std::move(shown.positions), p.indices = std::move(shown.indices);
  s.meshes.push_back({"road", {std::move(p)}});
  scene::Node n;
  n.name = "road", n.mesh = 0;
  s.nodes.push_back(std::move(n));
  return s;
}

void add_minimap_corners(scene::Scene& s) {
  const auto has = [&](std::string_view name) {
    return std::ranges::find(s.nodes, name, &scene::Node::name) != s.nodes.end();
  };
  if (has("posLD") && has("posRU")) return;
  const std::vector<scene::Affine> places = scene::world_transforms(s);
  std::array<f64, 2> low{}, high{};
  bool is_first = true;
  for (size_t i = 0; i < s.nodes.size(); ++i) {
    if (s.nodes[i].mesh == scene::k_none) continue;
    for (const scene::Primitive& p : s.meshes[s.nodes[i].mesh].primitives)
      for (const scene::Vec3& v : p.positions) {
        const scene::Point at = places[i] * scene::Point{v[0], v[1], v[2]};
        for (size_t k = 0; k < 2; ++k) {
          low[k] = is_first ? at[2 * k] : std::min(low[k], at[2 * k]);
          high[k] = is_first ? at[2 * k] : std::max(high[k], at[2 * k]);
        }
        is_first = false;
      }
  }
  // A margin of about 2 %, as in most courses.
  const f64 margin = 0.021 * std::max(high[0] - low[0], high[1] - low[1]);
  const auto add = [&](const char* name, f64 x, f64 z) {
    scene::Node n;
    n.name = name;
    n.translation = {f32(x), 0, f32(z)};
    if (!has(name)) s.nodes.push_back(std::move(n));
  };
  add("posLD", low[0] - margin, high[1] + margin);
  add("posRU", high[0] + margin, low[1] - margin);
}

}  // namespace dio::kmp
