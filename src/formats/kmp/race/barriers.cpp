#include "formats/kmp/race/barriers.hpp"

#include <cmath>

#include "formats/kmp/check/checks.hpp"

namespace dio::kmp {

namespace {

constexpr f64 k_step = 150;       // units: higher than a kart drives up
constexpr f64 k_over_road = 120;  // the height of a kart's middle
constexpr f64 k_farthest_up = 1e6;

/// Whether the line between two points passes through a triangle.
bool segment_hits_triangle(const kcl::Point& from, const kcl::Point& to, const kcl::Triangle& t) {
  using kcl::operator-;
  const kcl::Point way = to - from, ab = t[1] - t[0], ac = t[2] - t[0];
  const kcl::Point across = kcl::cross(way, ac);
  const f64 area = kcl::dot(ab, across);
  if (!(std::abs(area) > 1e-6)) return false;
  const kcl::Point start = from - t[0];
  const f64 u = kcl::dot(start, across) / area;
  if (!(u >= 0 && u <= 1)) return false;
  const kcl::Point up = kcl::cross(start, ab);
  const f64 v = kcl::dot(way, up) / area;
  if (!(v >= 0 && u + v <= 1)) return false;
  const f64 at = kcl::dot(ac, up) / area;
  return at > 0 && at < 1;
}

}  // namespace

Barriers::Barriers(const kcl::Kcl& file) : ground_(file) {
  for (const kcl::Prism& p : file.prisms) {
    if (kcl::use_of(p.type) != kcl::SurfaceUse::wall || p.type == kcl::k_item_wall) continue;
    if (const auto corners = kcl::compute_prism_triangle(file, p)) walls_.push_back(*corners);
  }
}

bool Barriers::has_wall(const kcl::Point& from, const kcl::Point& to) const {
  for (const kcl::Triangle& t : walls_)
    if (segment_hits_triangle(from, to, t)) return true;
  return false;
}

std::optional<f64> Barriers::road_height_at(Vec2 place) const {
  const auto hit = ground_.find_surface_below({place.x, 0, place.z}, k_farthest_up);
  return hit && !kcl::is_fall(hit->type) ? std::optional(hit->height) : std::nullopt;
}

bool Barriers::has_road(Vec2 place) const { return road_height_at(place).has_value(); }

std::string Barriers::describe_obstacles(Vec2 from, Vec2 to) const {
  const auto off = road_height_at(from), on = road_height_at(to);
  if (!on) return "; there is no road to land on";
  if (!off) return "";  // the edge of a sector: it has a road elsewhere
  const f64 rise = *on - *off;
  std::string out;
  if (std::abs(rise) > k_step)
    out += "; the road there is " + units(std::round(std::abs(rise))) + (rise > 0 ? " higher" : " lower");
  if (has_wall({from.x, *off + k_over_road, from.z}, {to.x, *on + k_over_road, to.z}))
    out += out.empty() ? "; there is a wall in between" : ", and there is a wall in between";
  return out;
}

}  // namespace dio::kmp
