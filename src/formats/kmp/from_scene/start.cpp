#include "formats/kmp/from_scene/start.hpp"

#include <algorithm>
#include <cmath>

#include "formats/kmp/from_scene/paths.hpp"
#include "formats/kmp/scene/start_grid.hpp"

namespace dio::kmp {

namespace {

StartPoint start_before(const RoadSample& line, f64 line_ahead) {
  StartPoint s{};
  s.player = -1;
  s.rotation = rotation_towards(line.ahead_x, line.ahead_z);
  s.position = to_vec3(
      {line.position[0] - line.ahead_x * line_ahead, line.position[1], line.position[2] - line.ahead_z * line_ahead});
  return s;
}

/// Whether the grid before a lap line is over the road, and not far above it.
bool has_grid_on_road(const RoadSample& line, f64 line_ahead, const Ground& ground, const GridShape& shape) {
  if (!line.has_road) return false;
  constexpr f64 k_most_below = 600;  // units; the grid is flat
  const StartPoint pole = start_before(line, line_ahead);
  const std::vector<scene::Vec3> places = start_grid(pole, shape.pole_right, shape.narrow);
  if (!find_grid_places_off_road(ground, places).empty()) return false;
  return std::ranges::all_of(places, [&](const scene::Vec3& p) {
    const auto hit = ground.find_surface_below({p[0], p[1], p[2]}, k_most_below);
    return hit && pole.position.y - hit->height < k_most_below;
  });
}

}  // namespace

std::optional<StartPlace> choose_start(const Curve& main, f64 line_ahead, const Ground& ground,
                                       const GridShape& shape) {
  constexpr f64 k_step = 200, k_most_places = 2000;
  const f64 step = std::max(k_step, main.length() / k_most_places);
  const std::vector<RoadSample> samples = sample_curve(main, step, ground);
  const i64 count = i64(samples.size()), back = std::llround(line_ahead / step);
  const auto sample = [&](i64 i) -> const RoadSample& { return samples[size_t((i % count + count) % count)]; };
  for (i64 k = 0; k < count; ++k) {
    const i64 offset = k % 2 ? (k + 1) / 2 : -(k / 2);  // alternately further ahead and further back
    const auto fits = [&](i64 line) { return has_grid_on_road(sample(line), line_ahead, ground, shape); };
    if (k == 0 && fits(0)) return {};
    if (k == 0 || !fits(offset - 1) || !fits(offset) || !fits(offset + 1)) continue;  // samples may be a step apart
    const RoadSample& s = sample(offset - back);
    return StartPlace{{s.position, std::array{s.ahead_x, s.ahead_z}}, f64(offset) * step};
  }
  return {};
}

void write_start(Kmp& k, const Road& road, const std::vector<RoadCheckpoint>& checkpoints,
                 const std::optional<Point>& at, f64 line_ahead) {
  StartPoint s = start_before(road.sections[0].samples[checkpoints.at(0).sample], line_ahead);
  if (at) s.position = to_vec3(*at);
  k.ktpt.emplace().entries.push_back(s);
}

}  // namespace dio::kmp
