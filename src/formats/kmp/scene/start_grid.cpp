#include "formats/kmp/scene/start_grid.hpp"

#include "core/elementary.hpp"

namespace dio::kmp {

bool is_finite(const Vec3& v) { return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z); }

scene::Vec4 rotation_from_degrees(const Vec3& degrees) {
  return is_finite(degrees) ? scene::from_euler_degrees({degrees.x, degrees.y, degrees.z}) : scene::k_no_rotation;
}

std::vector<scene::Vec3> start_grid(const StartPoint& pole, bool right, bool narrow) {
  constexpr int across[12] = {-10, -2, 6, -6, 2, 10, -10, -2, 6, -6, 2, 10},
                back[12] = {0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3};
  constexpr f64 half_width = 800;
  const f64 angle = narrow ? 25 : 30, row = 1200, pair = narrow ? 250 : 400, odd = narrow ? 0 : 100;
  const f64 slope = elementary::tan(angle * std::numbers::pi / 180) * (right ? -1 : 1);
  const auto lateral = [&](int place) { return half_width * ((right ? -across[place] : across[place]) + 10) / 10.0; };
  const scene::Vec4 turn = rotation_from_degrees(pole.rotation);
  const scene::Vec3 backward = scene::rotate(turn, {0, 0, -1}), sideways = scene::rotate(turn, {-1, 0, 0});
  std::vector<scene::Vec3> grid;
  for (int i = 0; i < 12; ++i) {
    const f64 along =
        row * back[i] + pair * (back[i] / 2) + odd * ((back[i] + 1) / 2) + slope * (lateral(i) - lateral(0));
    grid.push_back(
        scene::add(to_finite_position(pole.position),
                   scene::add(scene::mul(sideways, f32(lateral(i) - half_width)), scene::mul(backward, f32(along)))));
  }
  return grid;
}

}  // namespace dio::kmp
