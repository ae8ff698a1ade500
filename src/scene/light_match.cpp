#include "scene/light_match.hpp"

#include <cmath>
#include <map>
#include <optional>

#include "scene/node_name_suffixes.hpp"
#include "scene/transforms.hpp"

namespace dio::scene {
namespace {

constexpr f64 k_same_light = 0.01;

bool differs(f64 a, f64 b) { return std::fabs(a - b) > k_same_light * std::max(1e-3, std::fabs(a)); }
f64 difference(const Point& a, const Point& b) { return length(Point{a[0] - b[0], a[1] - b[1], a[2] - b[2]}); }
bool has_moved(const Affine& was, const Affine& now, Light::Kind kind) {
  f64 size = 1, far = 0;
  for (size_t i = 0; i < 3; ++i) {
    size = std::max(size, std::fabs(was.origin[i]));
    far = std::max(far, std::fabs(was.origin[i] - now.origin[i]));
  }
  if (kind != Light::Kind::directional && far > 1e-4 * size) return true;
  const auto direction = [](const Affine& place) { return unit(place.linear.columns[2]); };
  return kind != Light::Kind::point && difference(direction(was), direction(now)) > k_same_light / 4;
}
LightDifference compare(const Light& was, const Affine& was_at, const Light& now, const Affine& now_at) {
  LightDifference out;
  out.kind = was.kind != now.kind;
  for (size_t i = 0; i < 3; ++i) out.color |= std::fabs(f64(was.color[i]) - f64(now.color[i])) > k_same_light;
  out.brightness = differs(was.intensity, now.intensity);
  out.range = was.range != 0 && now.range != 0 && differs(was.range, now.range);
  out.cone = was.kind == Light::Kind::spot && now.kind == was.kind &&
             (differs(was.inner_cone, now.inner_cone) || differs(was.outer_cone, now.outer_cone));
  out.place = has_moved(was_at, now_at, was.kind);
  return out;
}
int count(const LightDifference& d) { return d.kind + d.color + d.brightness + d.range + d.cone + d.place; }

}  // namespace

std::vector<LightDifference> compare_lights(const Scene& original, const Scene& edited,
                                            const std::vector<bool>& edited_nodes) {
  std::multimap<std::string_view, Index> by_name;  // nodes of the edited scene with lights
  for (Index i = 0; i < edited.nodes.size(); ++i) {
    const Node& n = edited.nodes[i];
    if (n.light == k_none || !edited_nodes[i]) continue;
    by_name.emplace(strip_copy_suffix(n.name), i);
    if (n.parent != k_none) by_name.emplace(strip_copy_suffix(edited.nodes[n.parent].name), i);
  }
  const std::vector<Affine> own_places = world_transforms(original), places = world_transforms(edited);
  std::vector<LightDifference> out;
  bool has_any = false;
  for (Index i = 0; i < original.nodes.size(); ++i) {
    const Node& n = original.nodes[i];
    if (n.light == k_none) continue;
    const auto [from, to] = by_name.equal_range(n.name);
    std::optional<LightDifference> least;  // among several with the same name
    for (auto one = from; one != to; ++one) {
      const Light& now = edited.lights[edited.nodes[one->second].light];
      LightDifference d = compare(original.lights[n.light], own_places[i], now, places[one->second]);
      if (!least || count(d) < count(*least)) least = d;
    }
    has_any |= least.has_value();
    if (!least) least = LightDifference{.removed = true};
    least->node = i;
    if (least->any()) out.push_back(*least);
  }
  return has_any ? out : std::vector<LightDifference>();
}

}  // namespace dio::scene
