#include "formats/kmp/race/drive.hpp"

#include <algorithm>
#include <cmath>

#include "core/elementary.hpp"

namespace dio::kmp {

namespace {

Vec2 between(Vec2 a, Vec2 b, f32 part) { return {a.x + (b.x - a.x) * part, a.z + (b.z - a.z) * part}; }

Vec2 nearest_point_on_segment(Vec2 a, Vec2 b, Vec2 to) {
  const f32 x = b.x - a.x, z = b.z - a.z, squared = x * x + z * z;
  const f32 part = squared > 0 ? ((to.x - a.x) * x + (to.z - a.z) * z) / squared : 0;
  return between(a, b, std::clamp(part, 0.0f, 1.0f));
}

}  // namespace

Vec2 point_in_sector(const Sectors& s, u16 sector, u16 next, f32 along, f32 across) {
  const CheckPoint &a = s.point(sector), &b = s.point(next);
  return between(between(a.left, a.right, across), between(b.left, b.right, across), along);
}

f32 distance(Vec2 a, Vec2 b) { return elementary::hypot(a.x - b.x, a.z - b.z); }

Vec2 nearest_point_in_sector(const Sectors& s, u16 sector, u16 next, Vec2 to) {
  const CheckPoint &a = s.point(sector), &b = s.point(next);
  const Vec2 corners[] = {a.left, a.right, b.right, b.left};
  Vec2 best = corners[0];
  for (size_t i = 0; i < 4; ++i) {
    const Vec2 here = nearest_point_on_segment(corners[i], corners[(i + 1) % 4], to);
    if (distance(here, to) < distance(best, to)) best = here;
  }
  return best;
}

void drive_to(Racer& racer, Vec2 from, Vec2 to) {
  // About the distance that a fast kart moves in a frame.
  constexpr f32 k_step = 100;
  const f32 wanted = distance(from, to) / k_step;
  const int steps = wanted < 1000 ? std::max(int(wanted), 2) : 1000;
  for (int i = 1; i <= steps; ++i) racer.move_to(between(from, to, f32(i) / f32(steps)));
}

void drive_along(Racer& racer, const Sectors& s, std::span<const u16> way) {
  constexpr f32 k_just_past = 0.02f;
  for (size_t i = 0; i + 1 < way.size(); ++i)
    drive_to(racer, point_in_sector(s, way[i], way[i + 1], k_just_past),
             point_in_sector(s, way[i], way[i + 1], 1 - k_just_past));
  // Crosses the last line.
  if (!way.empty() && !s.next(way.back()).empty())
    racer.move_to(point_in_sector(s, way.back(), s.next(way.back())[0], k_just_past));
}

std::vector<u16> find_sector_path(const Sectors& s, u16 from, u16 to) {
  constexpr u16 k_none = 0xFFFF;
  std::vector<u16> before(s.size(), k_none), now{from};
  while (!now.empty() && before[to] == k_none) {
    std::vector<u16> then;
    for (const u16 at : now)
      for (const u16 n : s.next(at))
        if (before[n] == k_none) {
          before[n] = at;
          then.push_back(n);
        }
    now = std::move(then);
  }
  if (before[to] == k_none) return {};
  std::vector<u16> way{to};
  do way.push_back(before[way.back()]);
  while (way.back() != from);
  std::ranges::reverse(way);
  return way;
}

std::optional<u16> find_lap_line(const Sectors& s) {
  for (u16 i = 0; i < s.size(); ++i)
    if (s.point(i).type == 0) return i;
  return {};
}

}  // namespace dio::kmp
