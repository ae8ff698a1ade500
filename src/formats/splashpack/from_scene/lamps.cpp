// lamps.cpp: light on vertices. Source: KHR_lights_punctual; lit surfaces reflect equally in all directions, like rough
// surfaces in glTF: 1 / pi of the light that they receive.
#include <cmath>
#include <numbers>

#include "core/elementary.hpp"
#include "formats/splashpack/from_scene/parts.hpp"

namespace dio::splashpack {

PackLighting::PackLighting(const scene::Scene& scene, std::span<const Affine> places, std::span<const Role> roles,
                           const MakeSettings& settings)
    : metres_(scene.metres_per_unit), ambient_(settings.ambient) {
  if (!settings.bake) return;
  for (size_t i = 0; i < scene.nodes.size(); ++i) {
    const scene::Node& node = scene.nodes[i];
    if (node.light == k_none || roles[i] == Role::ignore || is_runtime_light(node)) continue;
    const scene::Light& light = scene.lights[node.light];
    PackLight& out = lamps_.emplace_back();
    out.kind = light.kind;
    out.at = places[i].origin;
    const Point back = scene::unit(places[i].linear.columns[2]);
    out.direction = {-back[0], -back[1], -back[2]};
    for (size_t k = 0; k < 3; ++k)
      out.light[k] = f64(light.color[k]) * light.intensity * settings.exposure / std::numbers::pi;
    out.range = light.range;
    out.inner = elementary::cos(f64(light.inner_cone));
    out.outer = elementary::cos(f64(light.outer_cone));
  }
}

Point PackLighting::light_at(const Point& place, const Point& normal) const {
  Point sum{ambient_, ambient_, ambient_};
  for (const PackLight& lamp : lamps_) {
    Point from{-lamp.direction[0], -lamp.direction[1], -lamp.direction[2]};
    f64 strength = 1;
    if (lamp.kind != scene::Light::Kind::directional) {
      from = {lamp.at[0] - place[0], lamp.at[1] - place[1], lamp.at[2] - place[2]};
      const f64 away = scene::length(from), metres = away * metres_;
      if (!(away > 0) || !std::isfinite(away)) continue;
      from = {from[0] / away, from[1] / away, from[2] / away};
      constexpr f64 k_nearest = 0.01;  // metres: closer point lights would be arbitrarily bright
      strength = 1 / std::max(metres * metres, k_nearest * k_nearest);
      if (lamp.range > 0) strength *= std::clamp(1 - elementary::pow(away / lamp.range, 4), 0.0, 1.0);
    }
    if (lamp.kind == scene::Light::Kind::spot) {
      const f64 inside = -scene::dot(from, lamp.direction);
      const f64 edge = std::clamp((inside - lamp.outer) / std::max(lamp.inner - lamp.outer, 0.001), 0.0, 1.0);
      strength *= edge * edge;
    }
    strength *= std::max(scene::dot(from, normal), 0.0);
    for (size_t k = 0; k < 3; ++k) sum[k] += lamp.light[k] * strength;
  }
  return sum;
}

}  // namespace dio::splashpack
