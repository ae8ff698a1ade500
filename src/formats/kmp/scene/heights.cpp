#include "formats/kmp/scene/heights.hpp"

#include <cmath>
#include <limits>

#include "core/elementary.hpp"
#include "formats/kmp/scene/route.hpp"
#include "formats/kmp/semantics.hpp"

namespace dio::kmp {

f32 nearest_path_height(const Kmp& k, const scene::Vec3& place) {
  f64 nearest = std::numeric_limits<f64>::max();
  f32 height = 0;
  for (const EnemyPoint& e : entries(k.enpt)) {
    const scene::Vec3 p = to_finite_position(e.position);
    const f64 d = elementary::hypot(f64(p[0]) - place[0], f64(p[2]) - place[2]);
    if (d < nearest) nearest = d, height = p[1];
  }
  return height;
}

}  // namespace dio::kmp
