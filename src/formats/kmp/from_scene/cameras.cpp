#include "formats/kmp/from_scene/cameras.hpp"

#include <algorithm>
#include <cmath>

#include "core/elementary.hpp"

namespace dio::kmp {

namespace {

Camera make_camera(u8 type, f32 zoom_begin, f32 zoom_end, u16 zoom_speed, const Vec3& view_begin,
                   const Vec3& view_end) {
  Camera c{};
  c.type = type;
  c.next = c.route = k_no_link;
  c.zoom_begin = zoom_begin, c.zoom_end = zoom_end, c.zoom_speed = zoom_speed;
  c.view_begin = view_begin, c.view_end = view_end;
  return c;
}

/// The place `along` from 0 to 1 on the main road.
const RoadSample& sample_at(const Road& road, f64 along) {
  std::vector<const RoadSample*> all;
  u32 section = 0;
  do {
    for (const RoadSample& s : road.sections[section].samples) all.push_back(&s);
    section = road.sections[section].next[0];
  } while (section);
  return *all[std::min(all.size() - 1, size_t(along * f64(all.size())))];
}

/// A camera that flies along a part of the road and looks ahead.
void add_opening_camera(Kmp& k, const Road& road, f64 along, f64 height, f32 frames) {
  constexpr f64 k_span = 3000, k_view = 4000, k_aside = 800;
  const RoadSample& s = sample_at(road, along);
  const auto place = [&](f64 ahead, f64 up, f64 aside) {
    Point p = s.beside(aside);
    p[0] += s.ahead_x * ahead, p[1] += up, p[2] += s.ahead_z * ahead;
    return to_vec3(p);
  };
  constexpr f64 k_hundred = 100;  // speeds are in units per 100 frames
  const u16 speed = u16(std::lround(k_hundred * k_span / f64(frames)));
  Camera c = make_camera(5, 55, 45, u16(std::lround(k_hundred * 10 / f64(frames))), place(k_view, 0, 0),
                         place(k_view + k_span, 0, 0));
  c.position = place(-k_span / 2, height, k_aside);
  c.route = u8(k.poti->entries.size());
  c.route_speed = c.view_speed = speed;
  c.time = frames;
  const u16 point_speed = u16(std::max(1l, std::lround(k_span / f64(frames))));
  k.poti->entries.push_back(
      {0, 0, {{c.position, point_speed, 0}, {place(k_span / 2, height, k_aside), point_speed, 0}}});
  k.came->entries.push_back(c);
}

void add_camera_area(Kmp& k, const Road& road, u8 camera) {
  Point low = road.sections[0].samples[0].position, high = low;
  for (const RoadSection& section : road.sections)
    for (const RoadSample& s : section.samples)
      for (size_t i = 0; i < 3; ++i)
        low[i] = std::min(low[i], s.position[i]), high[i] = std::max(high[i], s.position[i]);
  constexpr f64 k_margin = 10000, k_size = 10000;
  Area a{};
  a.camera = camera;
  a.route = a.enemy_point = k_no_link;
  a.position = {f32((low[0] + high[0]) / 2), f32(low[1] - k_margin), f32((low[2] + high[2]) / 2)};
  a.scale = {f32(std::ceil((high[0] - low[0] + 2 * k_margin) / k_size)),
             f32(std::ceil((high[1] - low[1] + 2 * k_margin) / k_size)),
             f32(std::ceil((high[2] - low[2] + 2 * k_margin) / k_size))};
  k.area->entries.push_back(a);
}

}  // namespace

void write_cameras(Kmp& k, const Road& road) {
  if (!k.poti) k.poti.emplace();
  if (!k.area) k.area.emplace();
  k.came.emplace();
  std::vector<Camera>& cameras = k.came->entries;
  constexpr u8 k_goal = 0, k_follow = 3;
  cameras.push_back(make_camera(k_goal, 85, 40, 30, {-30, 10, 550}, {-5, 4, 0}));
  cameras.push_back(make_camera(k_follow, 75, 55, 4, {-170, 10, 400}, {-5, 9, 0}));
  add_camera_area(k, road, 1);
  k.came->header.opening = u8(cameras.size());
  add_opening_camera(k, road, 0.92, 1500, 220);
  add_opening_camera(k, road, 0.35, 2500, 257);
  add_opening_camera(k, road, 0.65, 1200, 294);
  for (size_t i = k.came->header.opening; i + 1 < cameras.size(); ++i) cameras[i].next = u8(i + 1);
}

}  // namespace dio::kmp
