#include "bridge/raster/lighting.hpp"

#include <algorithm>
#include <numbers>

#include "scene/math.hpp"

namespace dio::raster {

using namespace scene;

Lighting compute_lighting(const Triangles& t, const Vec3& normal, const Vec3& position) {
  constexpr f32 k_pi = std::numbers::pi_v<f32>;
  Lighting out;
  const Vec3 eye =
      t.parallel ? Vec3{0, 0, 1} : unit(-f64(position[0]), -f64(position[1]), -f64(position[2]), {0, 0, 1});
  if (t.lamps.empty()) {  // a lamp at the eye, so that shapes are visible
    const f32 facing = std::max(0.0f, f32(dot(normal, eye)));
    const f32 light = 0.35f + 0.65f * facing;
    out.diffuse = {light, light, light};
    return out;
  }
  for (const ViewLight& lamp : t.lamps) {
    Vec3 to_light = lamp.to_light;
    f32 strength = 1;
    if (lamp.kind != Light::Kind::directional) {
      const Vec3 way = sub(lamp.position, position);
      const f32 metres = f32(length(way)) * t.metres_per_unit;
      to_light = unit(way, {0, 0, 1});
      strength = 1 / std::max(metres * metres, 0.01f);
      if (lamp.range > 0) {
        const f32 part = metres / lamp.range, window = std::clamp(1 - part * part * part * part, 0.0f, 1.0f);
        strength *= window * window;
      }
      if (lamp.kind == Light::Kind::spot) {
        const f32 cosine = f32(dot(to_light, lamp.to_light));
        const f32 part =
            std::clamp((cosine - lamp.cos_outer) / std::max(lamp.cos_inner - lamp.cos_outer, 1e-6f), 0.0f, 1.0f);
        strength *= part * part * (3 - 2 * part);
      }
    }
    const f32 facing = f32(dot(normal, to_light));
    if (!(facing > 0)) continue;
    const Vec3 half = unit(add(to_light, eye), normal);
    const f32 view = std::max(0.0f, f32(dot(normal, eye)));
    const f32 away = 1 - std::clamp(f32(dot(eye, half)), 0.0f, 1.0f), away2 = away * away;
    const f32 fresnel = 0.04f + 0.96f * away2 * away2 * away;
    const f32 shine = fresnel * 0.5f / std::max(facing + view, 1e-6f) / k_pi;
    for (size_t c = 0; c < 3; ++c) {
      const f32 light = lamp.color[c] * strength * facing;
      out.diffuse[c] += light / k_pi;
      out.shine[c] += light * shine;
    }
  }
  return out;
}

Vec3 face_normal(const Vertex& a, const Vertex& b, const Vertex& c) {
  const Vec3 n = unit(cross(sub(b.position, a.position), sub(c.position, a.position)), {0, 0, 1});
  return dot(n, a.position) > 0 ? mul(n, -1) : n;
}

std::array<Vec4, 3> lit_vertex_colors(const Triangles& all, const Triangle& t, const Surface& surface) {
  std::array<Vec4, 3> out;
  for (size_t i = 0; i < 3; ++i) {
    const Vertex& v = all.vertices[t.vertices[i]];
    out[i] = surface.material->color;
    for (size_t k = 0; k < 4; ++k) out[i][k] *= v.color[k];
    if (!surface.lit || !t.shaded) continue;
    Vec3 normal = unit(v.normal, {0, 0, 0});
    if (normal == Vec3{0, 0, 0})
      normal = face_normal(all.vertices[t.vertices[0]], all.vertices[t.vertices[1]], all.vertices[t.vertices[2]]);
    else if (t.from_behind && surface.material->double_sided)
      normal = mul(normal, -1);
    const Lighting light = compute_lighting(all, normal, v.position);
    for (size_t k = 0; k < 3; ++k) out[i][k] = out[i][k] * light.diffuse[k] + light.shine[k];
  }
  return out;
}

}  // namespace dio::raster
