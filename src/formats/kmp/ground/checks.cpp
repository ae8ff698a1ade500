#include "formats/kmp/ground/checks.hpp"

#include "formats/kmp/check/checks.hpp"
#include "formats/kmp/ground/ground.hpp"
#include "formats/kmp/scene/start_grid.hpp"
#include "formats/kmp/semantics.hpp"

namespace dio::kmp {

namespace {

using enum Severity;
constexpr Rule k_rules[] = {
    {"kmp.kcl-cannon", error, "every cannon trigger in the collision has a cannon point",
     "A trigger's variant is the index of its cannon point. If this cannon point does not exist, the game reads past "
     "the last cannon point.",
     "Add cannon points, or set the trigger's variant to a cannon point that exists.",
     "decompiled game (riidefi/mkw, Kinoko); Wiimm's wszst", Severities{hint}},
    {"kmp.kcl-start", warning, "start positions, the 12 places of the start grid and respawn points are on a road",
     "A kart that is not placed on a road falls, respawns, and falls again.",
     "Move the start position or respawn point over a road, at most 1,000 units above the road. The grid is about "
     "5,200 "
     "units long and 1,600 wide behind the start position of a race, and turned with it.",
     "5 real courses: 23 units below to 180 units above the road"},
    {"kmp.kcl-path", hint, "enemy and item paths are over a road, except at jumps and cannons",
     "Where an enemy or item path is not over a road, karts and items that follow the path fall.",
     "Move the points over a road, unless the path crosses a gap with a jump or a cannon.", "5 real courses"},
};

constexpr f64 k_under = 300;   // a position may be this far below its road: the usual thickness of a road
constexpr f64 k_above = 1000;  // a kart that starts higher bounces

kcl::Point point_of(const Vec3& v) { return {v.x, v.y, v.z}; }

void check_cannons(Reporter& r, const Kmp& course, const kcl::Kcl& collision) {
  const size_t cannons = entries(course.cnpt).size();
  size_t needed = 0;
  std::array<bool, 8> said{};
  for (size_t i = 0; i < collision.prisms.size(); ++i) {
    const kcl::Prism& p = collision.prisms[i];
    if (p.type != kcl::k_cannon_trigger) continue;
    needed = std::max(needed, size_t(p.variant) + 1);
    if (p.variant < cannons || std::exchange(said[p.variant & 7], true)) continue;
    r.report("kmp.kcl-cannon", cannons ? entry("CNPT", cannons - 1) : "CNPT",
             {.message = text("prism ", i, " of the collision triggers cannon ", p.variant, ", but the course has ",
                              format_count(cannons, "cannon point"), ", counted from 0")});
  }
  if (needed < cannons)
    r.report(hint, "kmp.kcl-cannon", entry("CNPT", needed),
             {.message = text("the collision has no trigger for ",
                              describe_index_range(needed, cannons - 1, "cannon point"))});
}

/// Checks the positions where karts are placed.
template <class S>
void check_starts(Reporter& r, const Ground& ground, const std::optional<S>& section, std::string_view what) {
  for (size_t i = 0; i < entries(section).size(); ++i) {
    const kcl::Point place = point_of(section->entries[i].position);
    const auto hit = ground.find_surface_below(place, k_under);
    const auto report = [&](std::string message) {
      r.report("kmp.kcl-start", entry(S::k_name, i, "position"), {.message = std::move(message)});
    };
    if (!hit)
      report(text("there is no road below ", what, " ", i));
    else if (kcl::is_fall(hit->type))
      report(text(what, " ", i, " is above a fall boundary (prism ", hit->prism, ")"));
    else if (place[1] - hit->height > k_above)
      report(text(what, " ", i, " is ", units(place[1] - hit->height), " above the road (prism ", hit->prism, ")"));
  }
}

/// The game places 12 karts behind the first start position of a race.
void check_grid(Reporter& r, const Ground& ground, const Kmp& course) {
  const auto& starts = entries(course.ktpt);
  if (starts.empty() || guess_course_kind(course).arena) return;
  const auto hit = ground.find_surface_below(point_of(starts[0].position), k_under);
  if (!hit || kcl::is_fall(hit->type)) return;  // has its own finding
  const auto [right, narrow] = grid_shape(course);
  const std::vector<size_t> off = find_grid_places_off_road(ground, start_grid(starts[0], right, narrow));
  if (off.empty()) return;
  std::string places;
  for (const size_t place : off) places += (places.empty() ? "" : ", ") + std::to_string(place);
  r.report(
      "kmp.kcl-start", entry("KTPT", 0, "position"),
      {.message = text("there is no road below ", format_count(off.size(), "place"), " of the start grid: ", places)});
}

template <class S>
void check_path(Reporter& r, const Ground& ground, const std::optional<S>& section, std::string_view what) {
  const auto& points = entries(section);
  const auto is_over_nothing = [&](size_t i) {
    const auto hit = ground.find_surface_below(point_of(points[i].position), k_under);
    return !hit || kcl::is_fall(hit->type);
  };
  for_each_run(0, points.size(), is_over_nothing, [&](size_t first, size_t last) {
    r.report("kmp.kcl-path", entry(S::k_name, first, "position"),
             {.message = text("there is no road below ", describe_index_range(first, last, what))});
  });
}

}  // namespace

std::span<const Rule> ground_rules() { return k_rules; }

void check_ground(const Kmp& course, const kcl::Kcl& collision, Findings& findings) {
  Reporter r(findings);
  check_cannons(r, course, collision);
  const Ground ground(collision);
  if (ground.is_empty()) return;
  check_starts(r, ground, course.ktpt, "start position");
  check_grid(r, ground, course);
  check_starts(r, ground, course.jgpt, "respawn point");
  check_path(r, ground, course.enpt, "enemy point");
  check_path(r, ground, course.itpt, "item point");
}

}  // namespace dio::kmp
