#include "formats/kmp/from_scene/paths.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>

#include "core/elementary.hpp"
#include "formats/kmp/semantics.hpp"

namespace dio::kmp {

namespace {

constexpr f64 k_enemy_distance = 2000, k_item_distance = 2500;  // units between points
constexpr size_t k_most_points = 250;
constexpr f32 k_lowest = 5;  // online races cannot send lower positions
constexpr size_t k_most_respawns = 120;

Vec3 to_path_position(const Point& p) {
  Vec3 out = to_vec3(p);
  if (out.y > -200) out.y = std::max(out.y, k_lowest);
  return out;
}

/// The samples of points `begin` to before `end` of `count` along a section. Points over a gap move to the road nearby,
/// or are left out, except if fewer than two would be left.
std::vector<size_t> spread_points(const RoadSection& s, size_t count, size_t begin, size_t end) {
  const size_t spacing = s.samples.size() / count;
  std::vector<size_t> all, over_road;
  for (size_t k = begin; k < end; ++k) {
    const size_t at = s.samples.size() * k / count;
    all.push_back(at);
    for (size_t off = 0; off <= spacing / 2; ++off) {
      const bool has_after = at + off < s.samples.size() && s.samples[at + off].has_road;
      const bool has_before = at >= off && s.samples[at - off].has_road;
      if (!has_after && !has_before) continue;
      over_road.push_back(has_after ? at + off : at - off);
      break;
    }
  }
  return over_road.size() < 2 ? all : over_road;
}

/// Points along all sections, as groups: a section that follows itself becomes two groups.
template <class AddPoint>
void add_path_groups(const Road& road, f64 distance, std::vector<Group>& groups, AddPoint add_point) {
  f64 all = 0;
  for (const RoadSection& s : road.sections) all += road.step * f64(s.samples.size());
  distance = std::max(distance, all / f64(k_most_points - 2 * road.sections.size()));
  std::vector<u32> first(road.sections.size()), last(road.sections.size());
  u32 points = 0;
  for (u32 i = 0; i < road.sections.size(); ++i) {
    const RoadSection& s = road.sections[i];
    const size_t count = std::max<size_t>(2, size_t(std::lround(road.step * f64(s.samples.size()) / distance)));
    const bool follows_itself = std::ranges::find(s.next, i) != s.next.end();
    const size_t parts = follows_itself && count >= 4 ? 2 : 1;
    first[i] = u32(groups.size());
    for (size_t part = 0; part < parts; ++part) {
      Group g{};
      g.first = u8(points);
      for (const size_t at : spread_points(s, count, count * part / parts, count * (part + 1) / parts))
        add_point(s.samples[at]), ++points, ++g.count;
      groups.push_back(g);
    }
    last[i] = u32(groups.size() - 1);
  }
  link_groups(groups, road, first, last);
}

}  // namespace

Vec3 rotation_towards(f64 x, f64 z) { return {0, f32(elementary::atan2(x, z) * 180 / std::numbers::pi), 0}; }

void write_paths(Kmp& k, const Road& road) {
  k.enpt.emplace(), k.enph.emplace(), k.itpt.emplace(), k.itph.emplace();
  add_path_groups(road, k_enemy_distance, k.enph->entries, [&](const RoadSample& s) {
    constexpr f64 k_deviation_step = 50;
    EnemyPoint p{};
    p.position = to_path_position(s.position);
    p.deviation = f32(std::clamp(std::floor(std::min(s.left, s.right) * 0.6 / k_deviation_step), 1.0, 25.0));
    k.enpt->entries.push_back(p);
  });
  add_path_groups(road, k_item_distance, k.itph->entries, [&](const RoadSample& s) {
    ItemPoint p{};
    p.position = to_path_position(s.position);
    p.range = 10;
    k.itpt->entries.push_back(p);
  });
}

namespace {

/// Roads on which a kart can be put down: no boosts, ramps and moving roads.
bool is_calm(u8 type) {
  constexpr u32 k_calm = 1u << 0x00 | 1u << 0x01 | 1u << 0x02 | 1u << 0x03 | 1u << 0x05 | 1u << 0x17;
  return k_calm >> (type & 31) & 1;
}

/// The sample of a sector where a kart is put down: the first good one after its checkpoint.
const RoadSample* find_respawn_sample(const Road& road, const std::vector<RoadCheckpoint>& all, size_t i) {
  const std::vector<RoadSample>& samples = road.sections[all[i].section].samples;
  const size_t end = i + 1 < all.size() && all[i + 1].section == all[i].section ? all[i + 1].sample : samples.size();
  const size_t first = all[i].sample + std::max<size_t>(1, (end - all[i].sample) / 3);
  for (size_t k = first; k + 1 < end; ++k) {
    constexpr f64 k_least_width = 100;
    const RoadSample& s = samples[k];
    if (s.has_road && is_calm(s.type) && s.left >= k_least_width && s.right >= k_least_width) return &s;
  }
  return nullptr;
}

/// The sectors of the respawn points that the scene gives: of the nearest sample of the road.
std::map<size_t, u8> find_given_respawns(const Road& road, const std::vector<RoadCheckpoint>& all,
                                         const std::vector<Respawn>& respawns) {
  constexpr size_t k_reachable = 128;  // by checkpoints
  std::map<size_t, u8> out;
  for (size_t r = 0; r < std::min(respawns.size(), k_reachable); ++r) {
    const Vec3& at = respawns[r].position;
    f64 least = std::numeric_limits<f64>::infinity();
    size_t sector = 0;
    for (size_t i = 0; i < all.size(); ++i) {
      const std::vector<RoadSample>& samples = road.sections[all[i].section].samples;
      const bool is_last = i + 1 == all.size() || all[i + 1].section != all[i].section;
      for (size_t k = all[i].sample; k < (is_last ? samples.size() : all[i + 1].sample); ++k) {
        const Point& p = samples[k].position;
        const f64 d = elementary::hypot(p[0] - at.x, p[1] - at.y, p[2] - at.z);
        if (d < least) least = d, sector = i;
      }
    }
    out.try_emplace(sector, u8(r));
  }
  return out;
}

}  // namespace

std::vector<size_t> write_respawns(Kmp& k, const Road& road, const std::vector<RoadCheckpoint>& all) {
  std::vector<CheckPoint>& points = k.ckpt->entries;
  const bool are_given = k.jgpt && !k.jgpt->entries.empty();
  if (!are_given) k.jgpt.emplace();
  std::vector<Respawn>& respawns = k.jgpt->entries;
  const std::map<size_t, u8> given = are_given ? find_given_respawns(road, all, respawns) : std::map<size_t, u8>();
  const size_t every = are_given ? 1 : 1 + all.size() / k_most_respawns;
  /// The respawn point in a sector.
  const auto find_or_add = [&](size_t checkpoint) -> std::optional<u8> {
    if (are_given) {
      const auto found = given.find(checkpoint);
      return found == given.end() ? std::nullopt : std::optional(found->second);
    }
    const RoadSample* const s = find_respawn_sample(road, all, checkpoint);
    if (!s) return {};
    constexpr f32 k_height = 100;  // units above the road
    Respawn r{};
    r.position = to_vec3(s->position), r.position.y += k_height;
    r.rotation = rotation_towards(s->ahead_x, s->ahead_z);
    r.id = u16(respawns.size());
    r.sound_trigger = -1;
    respawns.push_back(r);
    return u8(respawns.size() - 1);
  };
  std::vector<u8> last_of_section(road.sections.size(), k_no_link);
  for (size_t begin = 0, end = 0; begin < all.size(); begin = end) {
    // A run of checkpoints up to the next key or section: a kart never respawns beyond a key.
    const u32 section = all[begin].section;
    const bool starts_section = !begin || all[begin - 1].section != section;
    for (end = begin + 1; end < all.size() && all[end].section == section && points[end].type < 0;) ++end;
    u8 current = last_of_section[section];
    if (starts_section)
      for (const u32 before : road.sections[section].previous)
        if (before < section) current = last_of_section[before];
    bool has_own = !starts_section || points[begin].type >= 0 ? false : current != k_no_link;
    size_t since = every;
    for (size_t c = begin; c < end; ++c, ++since) {
      const std::optional<u8> own = since >= every ? find_or_add(c) : std::nullopt;
      if (own) {
        current = *own;
        if (!has_own)
          for (size_t earlier = begin; earlier < c; ++earlier) points[earlier].respawn = current;
        has_own = true;
        since = 0;
      }
      points[c].respawn = current;
    }
    last_of_section[section] = current;
  }
  // Before the first respawn point of a lap, the last one counts.
  if (are_given)
    for (CheckPoint& c : points)
      if (c.respawn == k_no_link) c.respawn = last_of_section[0] != k_no_link ? last_of_section[0] : 0;
  std::vector<size_t> unused;
  for (size_t i = 0; are_given && i < respawns.size(); ++i)
    if (std::ranges::none_of(points, [&](const CheckPoint& c) { return c.respawn == i; })) unused.push_back(i);
  return unused;
}

}  // namespace dio::kmp
