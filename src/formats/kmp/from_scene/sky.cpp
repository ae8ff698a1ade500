#include "formats/kmp/from_scene/sky.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/elementary.hpp"
#include "scene/math.hpp"

namespace dio::kmp {

scene::Scene build_sky(const kcl::Kcl& file) {
  constexpr size_t k_around = 16;
  struct Ring {
    f64 height;  // of the sine
    scene::Vec4 color;
  };
  constexpr Ring k_rings[] = {{-0.25, {0.78f, 0.88f, 0.95f, 1}}, {0.02, {0.78f, 0.88f, 0.95f, 1}},
                              {0.2, {0.55f, 0.76f, 0.94f, 1}},   {0.5, {0.33f, 0.60f, 0.90f, 1}},
                              {0.85, {0.2f, 0.46f, 0.84f, 1}},   {0.999, {0.17f, 0.42f, 0.82f, 1}}};
  // The game draws the sky around the camera, behind everything else.
  f64 farthest = 50000;
  for (const kcl::Vec3& p : file.positions)
    for (const f32 x : {p.x, p.z})
      if (std::isfinite(x)) farthest = std::max(farthest, std::min(f64(std::abs(x)), 5e5));
  const f64 radius = 2 * farthest;
  scene::Primitive p;
  for (const Ring& ring : k_rings)
    for (size_t k = 0; k < k_around; ++k) {
      const f64 angle = 2 * std::numbers::pi * f64(k) / f64(k_around), flat = std::sqrt(1 - ring.height * ring.height);
      p.positions.push_back({f32(radius * flat * elementary::cos(angle)), f32(radius * ring.height),
                             f32(radius * flat * elementary::sin(angle))});
      p.colors.push_back(scene::srgb_to_linear(ring.color));
    }
  for (u32 r = 0; r + 1 < std::size(k_rings); ++r)
    for (u32 k = 0; k < k_around; ++k) {
      const u32 a = r * k_around + k, b = r * k_around + (k + 1) % k_around, c = a + k_around, d = b + k_around;
      for (const u32 i : {a, b, d, a, d, c}) p.indices.push_back(i);
    }
  scene::Scene s;
  s.metres_per_unit = 0.01f;
  scene::Material m;
  m.name = "sky", m.double_sided = true;
  s.materials.push_back(m);
  p.material = 0;
  s.meshes.push_back({"sky", {std::move(p)}});
  scene::Node n;
  n.name = "sky", n.mesh = 0;
  s.nodes.push_back(std::move(n));
  return s;
}

}  // namespace dio::kmp
