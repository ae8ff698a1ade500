#include "formats/kmp/scene/moving_objects.hpp"

#include <map>

#include "formats/kmp/scene/route.hpp"
#include "formats/kmp/semantics.hpp"

namespace dio::kmp {

namespace {

constexpr f32 k_frames_a_second = 60, k_frames = 30 * k_frames_a_second;
constexpr f32 k_frames_a_key = 6;
constexpr size_t k_most_objects = 256;  // animated objects; no course has more, and more would take long

/// Whether a key is redundant: on the line between its neighbours at its time.
bool is_redundant_key(const MovingObject& m, const scene::Vec3& after, f32 seconds) {
  constexpr f64 k_close = 1;  // unit
  const size_t n = m.times.size();
  const f32 part = (m.times[n - 1] - m.times[n - 2]) / (seconds - m.times[n - 2]);
  return scene::distance(scene::lerp(m.places[n - 2], after, part), m.places[n - 1]) < k_close;
}

/// The keys of a route, without redundant ones.
MovingObject sample_route_keys(const Route& r) {
  MovingObject out{};
  build_route_curve(r).sample_frames(k_frames, k_frames_a_key, 0, r.back_and_forth != 0,
                                     [&](f32 frame, const scene::Vec3& at) {
                                       const f32 seconds = frame / k_frames_a_second;
                                       if (!out.times.empty() && seconds <= out.times.back()) return;
                                       if (out.times.size() > 1 && is_redundant_key(out, at, seconds))
                                         out.times.pop_back(), out.places.pop_back();
                                       out.times.push_back(seconds), out.places.push_back(at);
                                     });
  return out;
}

bool has_speed(const Route& r) {
  for (const RoutePoint& p : r.points)
    if (p.speed) return true;
  return false;
}

}  // namespace

std::vector<MovingObject> animate_moving_objects(const Kmp& k) {
  const auto& objects = entries(k.gobj);
  const auto& routes = entries(k.poti);
  std::map<u16, MovingObject> ways;
  std::vector<MovingObject> out;
  for (size_t i = 0; i < objects.size() && out.size() < k_most_objects; ++i) {
    const u16 route = objects[i].route;
    if (route >= routes.size() || routes[route].points.size() < 2 || !has_speed(routes[route])) continue;
    auto [way, is_new] = ways.try_emplace(route);
    if (is_new) way->second = sample_route_keys(routes[route]);
    if (way->second.times.size() < 2) continue;
    out.push_back(way->second);
    out.back().object = i;
  }
  return out;
}

}  // namespace dio::kmp
