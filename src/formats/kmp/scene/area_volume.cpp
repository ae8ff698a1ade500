#include "formats/kmp/scene/area_volume.hpp"

#include <cmath>

#include "formats/kmp/scene/route.hpp"
#include "formats/kmp/scene/start_grid.hpp"

namespace dio::kmp {

AreaVolume::AreaVolume(const Area& a)
    : position_(to_finite_position(a.position)), scale_(a.scale), is_cylinder_(a.shape == 1) {
  const scene::Vec4 q = rotation_from_degrees(a.rotation);
  back_ = scene::to_matrix({-q[0], -q[1], -q[2], q[3]});
}

bool AreaVolume::has(const scene::Vec3& p) const {
  const scene::Vec3 at = scene::transform(back_, scene::sub(p, position_));
  constexpr f32 k_half = 5000, k_high = 10000;
  const f32 x = at[0] / (k_half * scale_.x), z = at[2] / (k_half * scale_.z);
  if (!(at[1] >= 0 && at[1] <= k_high * scale_.y)) return false;
  return is_cylinder_ ? x * x + z * z <= 1 : std::fabs(x) <= 1 && std::fabs(z) <= 1;
}

}  // namespace dio::kmp
