// lap_parts.cpp: how much of a lap the game counts at each checkpoint.
#include <algorithm>
#include <cmath>

#include "core/text_format.hpp"
#include "formats/kmp/semantics.hpp"

namespace dio::kmp {

namespace {

/// The depth of each group, counted from group 0 along the first path found, not the shortest; -1: not reached.
std::vector<int> compute_group_depths(const std::vector<Group>& groups) {
  std::vector<int> depths(groups.size(), -1);
  std::vector<std::pair<u8, size_t>> ways;  // for each group on the path, the next link to follow
  const auto visit_group = [&](u8 group) {
    if (group >= groups.size() || depths[group] != -1) return;
    depths[group] = int(i8(ways.size()));
    ways.push_back({group, 0});
  };
  visit_group(0);
  while (!ways.empty()) {
    auto& [group, link] = ways.back();
    if (link == groups[group].next.size())
      ways.pop_back();
    else
      visit_group(groups[group].next[link++]);
  }
  return depths;
}

}  // namespace

std::vector<LapPart> compute_lap_parts(const Kmp& course) {
  const auto& groups = entries(course.ckph);
  const std::vector<int> depths = compute_group_depths(groups);
  const int deepest = depths.empty() ? -1 : *std::ranges::max_element(depths);
  const f32 share = 1.0f / (f32(deepest) + 1.0f);
  std::vector<LapPart> parts(entries(course.ckpt).size());
  for (size_t i = 0; i < parts.size(); ++i) {
    const auto group = find_group_of_point(groups, i);
    if (!group) continue;
    const Group& g = groups[*group];
    const f32 size = 1.0f / f32(g.count) * share;
    parts[i] = {f32(depths[*group]) * share + size * f32(i - g.first), size, group};
  }
  return parts;
}

std::string percent(f32 part) { return format_real(std::round(f64(part) * 1000) / 10, false) + " %"; }

}  // namespace dio::kmp
