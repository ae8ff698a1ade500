#include "formats/kmp/scene/opening_cameras.hpp"

#include <algorithm>
#include <cmath>

#include "core/sorting.hpp"
#include "formats/kmp/course_kind.hpp"
#include "formats/kmp/scene/area_volume.hpp"
#include "formats/kmp/scene/route.hpp"
#include "formats/kmp/scene/start_grid.hpp"
#include "scene/math.hpp"

namespace dio::kmp {

namespace {

constexpr f32 k_second = 60;  // frames
constexpr f32 k_step = 6;     // frames between keys

/// The field of view some frames after the camera took over.
f32 compute_fov(const Camera& c, f32 frame) {
  const f32 begin = std::isfinite(c.zoom_begin) ? c.zoom_begin : 60,
            end = std::isfinite(c.zoom_end) ? c.zoom_end : begin;
  const f32 turn = f32(c.zoom_speed) / 100 * frame;
  return fov_in_radians(end > begin ? std::min(end, begin + turn) : std::max(end, begin - turn));
}

bool add_key(PlayedCamera& to, f32 frame, const scene::Vec3& eye, const scene::Vec3& target, f32 fov) {
  const f32 seconds = frame / k_second;
  if (!to.times.empty() && seconds <= to.times.back()) return false;
  to.times.push_back(seconds);
  to.eyes.push_back(eye);
  to.rotations.push_back(scene::look_at(eye, target));
  to.fovs.push_back(fov);
  return true;
}

/// The route that a camera travels along, if any.
const Route* find_camera_route(const Kmp& k, const Camera& c) {
  const auto& routes = entries(k.poti);
  return c.route < routes.size() && !routes[c.route].points.empty() ? &routes[c.route] : nullptr;
}

// ---- replays ----

constexpr f32 k_kart_speed = 80;  // units per frame, near the top speed of most karts
constexpr f32 k_longest_lap = 300 * k_second, k_longest_route = 60 * k_second;
constexpr size_t k_most_areas = 256;  // with cameras; no course has more, and more would take long
constexpr f32 k_kart_middle = 100;    // above the road
constexpr scene::Vec3 k_usual_follow{0, 250, -600};

/// The enemy points of a lap: the first group, then always the first next group.
std::vector<scene::Vec3> build_lap_points(const Kmp& k) {
  const auto& points = entries(k.enpt);
  const auto& groups = entries(k.enph);
  std::vector<scene::Vec3> lap;
  std::vector<bool> is_done(groups.size());
  for (size_t at = 0; at < groups.size() && !is_done[at];) {
    is_done[at] = true;
    const Group& g = groups[at];
    for (size_t i = g.first; i < size_t(g.first) + g.count && i < points.size(); ++i)
      lap.push_back(to_finite_position(points[i].position));
    at = g.next[0];
  }
  if (!lap.empty()) lap.push_back(lap.front());
  return lap;
}

/// An area with a camera.
struct CameraArea {
  const Area* area;
  AreaVolume volume;
};
std::vector<CameraArea> collect_camera_areas(const Kmp& k) {
  std::vector<CameraArea> out;
  for (const Area& a : entries(k.area))
    if (a.type == 0 && a.camera < entries(k.came).size() && out.size() < k_most_areas)
      out.push_back({&a, AreaVolume(a)});
  sort_stably(out, [](const CameraArea& a, const CameraArea& b) { return a.area->priority > b.area->priority; });
  return out;
}

/// The position of a camera that looks at the kart.
scene::Vec3 compute_eye_position(const Camera& c, const std::vector<scene::Vec3>& along_route, f32 frame,
                                 const scene::Vec3& kart, const scene::Vec3& ahead) {
  if (c.type == 1 || c.type == 4) return to_finite_position(c.position);
  if (!along_route.empty()) return along_route[std::min(size_t(frame / k_step), along_route.size() - 1)];
  const scene::Vec3 own = to_finite_position(c.view_begin),
                    from = c.type == 3 && scene::length(own) > 0 ? own : k_usual_follow;
  const scene::Vec3 side = scene::unit(scene::cross(scene::k_axis_y, ahead), scene::k_axis_x);
  return scene::add(kart, scene::add(scene::add(scene::mul(side, from[0]), scene::mul(scene::k_axis_y, from[1])),
                                     scene::mul(ahead, from[2])));
}

}  // namespace

f32 fov_in_radians(f32 degrees) {
  return std::isfinite(degrees) ? std::clamp(degrees, 1.0f, 179.0f) * std::numbers::pi_v<f32> / 180 : 1;
}

PlayedCamera build_opening_pan(const Kmp& k) {
  const auto& list = entries(k.came);
  PlayedCamera out;
  if (!k.came) return out;
  std::vector<size_t> chain;
  for (size_t i = k.came->header.opening; i < list.size() && (list[i].type == 4 || list[i].type == 5);
       i = list[i].next) {
    if (std::find(chain.begin(), chain.end(), i) != chain.end()) break;  // a pan that never ends is shown once
    chain.push_back(i);
  }
  constexpr f32 k_longest = 60 * k_second;  // of one camera
  f32 started = 0;
  for (size_t i : chain) {
    const Camera& c = list[i];
    const f32 frames = std::isfinite(c.time) ? std::clamp(c.time, 1.0f, k_longest) : 1;
    const auto key = [&](f32 frame, const scene::Vec3& eye) {
      const scene::Vec3 from = to_finite_position(c.view_begin), to = to_finite_position(c.view_end);
      const f64 way = scene::distance(from, to), gone = f64(c.view_speed) / 100 * frame;
      const scene::Vec3 target = way > 0 ? scene::lerp(from, to, f32(std::min(1.0, gone / way))) : to;
      // the last key of a camera is just before the first key of the next: a cut, not a flight
      add_key(out, started + (frame + 1 > frames ? frames - 0.05f : frame), eye, target, compute_fov(c, frame));
    };
    if (const Route* r = c.type == 5 ? find_camera_route(k, c) : nullptr)
      build_route_curve(*r).sample_frames(frames, k_step, f32(c.route_speed) / 100, r->back_and_forth != 0, key);
    else
      for (f32 frame = 0; frame <= frames; frame = frame < frames && frame + k_step > frames ? frames : frame + k_step)
        key(frame, to_finite_position(c.position));
    out.cuts.push_back({i, started / k_second});
    started += frames;
  }
  return out;
}

PlayedCamera build_replay(const Kmp& k) {
  PlayedCamera out;
  const auto lap = build_lap_points(k);
  const auto areas = collect_camera_areas(k);
  size_t now = entries(k.came).size(), piece = 0;
  f64 gone = 0;  // on the piece
  f32 since = 0;
  scene::Vec3 ahead = scene::k_axis_z, target{};
  std::vector<scene::Vec3> along_route;
  for (f32 frame = 0; piece + 1 < lap.size() && frame < k_longest_lap; frame += k_step) {
    const f64 way = scene::distance(lap[piece], lap[piece + 1]);
    const scene::Vec3 road = scene::lerp(lap[piece], lap[piece + 1], way > 0 ? f32(gone / way) : 0);
    ahead = scene::unit(lap[piece + 1][0] - lap[piece][0], 0, lap[piece + 1][2] - lap[piece][2], ahead);
    target = scene::add(road, {0, k_kart_middle, 0});
    const auto in = std::find_if(areas.begin(), areas.end(), [&](const CameraArea& w) { return w.volume.has(road); });
    const auto add_replay_key = [&](f32 at) {
      const Camera& c = entries(k.came)[now];
      const scene::Vec3 eye = compute_eye_position(c, along_route, at - since, target, ahead);
      // Starts at 0: Blender's exporter fails on animations that begin between two frames.
      if (out.times.empty() && at > 0 && add_key(out, 0, eye, target, compute_fov(c, 0))) out.karts.push_back(road);
      if (add_key(out, at, eye, target, compute_fov(c, at - since))) out.karts.push_back(road);
    };
    if (in != areas.end() && in->area->camera != now) {
      if (!out.times.empty()) add_replay_key(frame - 0.05f);  // until just before the cut
      now = in->area->camera;
      since = frame;
      out.cuts.push_back({now, frame / k_second});
      const Camera& c = entries(k.came)[now];
      along_route.clear();
      if (const Route* r = c.type == 2 || c.type == 5 || c.type == 6 ? find_camera_route(k, c) : nullptr)
        build_route_curve(*r).sample_frames(k_longest_route, k_step, f32(c.route_speed) / 100, r->back_and_forth != 0,
                                            [&](f32, const scene::Vec3& p) { along_route.push_back(p); });
    }
    if (now < entries(k.came).size()) add_replay_key(frame);
    gone += f64(k_kart_speed) * k_step;
    for (f64 length = way; piece + 1 < lap.size() && gone >= length;
         length = piece + 1 < lap.size() ? scene::distance(lap[piece], lap[piece + 1]) : 0)
      gone -= length, ++piece;
  }
  return out;
}

}  // namespace dio::kmp
