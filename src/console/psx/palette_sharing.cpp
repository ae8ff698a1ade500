#include "console/psx/palette_sharing.hpp"

#include <algorithm>
#include <iterator>
#include <map>

#include "core/sorting.hpp"

namespace dio::psx {
namespace {

using Colors = std::vector<u16>;

size_t count_missing_colors(const Colors& palette, const Colors& set) {
  size_t missing = 0;
  auto at = palette.begin();
  for (const u16 color : set) {
    at = std::lower_bound(at, palette.end(), color);
    missing += at == palette.end() || *at != color;
  }
  return missing;
}
Colors merge_colors(const Colors& a, const Colors& b) {
  Colors all;
  std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(all));
  return all;
}

/// Sets that share a palette.
struct Group {
  Colors colors;
  std::vector<const Colors*> sets;
};

/// The group that needs the fewest new colours for a set; among these the fullest, then the first.
size_t find_best_group(std::span<const Group> groups, const Colors& set, size_t most, size_t except) {
  size_t best = groups.size(), least = most + 1;
  for (size_t i = 0; i < groups.size(); ++i) {
    if (i == except || groups[i].sets.empty()) continue;
    const size_t missing = count_missing_colors(groups[i].colors, set);
    if (groups[i].colors.size() + missing > most) continue;
    if (missing < least || (missing == least && groups[i].colors.size() > groups[best].colors.size())) {
      best = i;
      least = missing;
    }
    if (least == 0) break;
  }
  return best;
}

/// Distributes the sets of a group to other groups, if these have room for all.
bool try_dissolve_group(std::vector<Group>& groups, size_t which, size_t most) {
  std::vector<Group> after = groups;
  for (const Colors* set : groups[which].sets) {
    const size_t to = find_best_group(after, *set, most, which);
    if (to == after.size()) return false;
    after[to].colors = merge_colors(after[to].colors, *set);
    after[to].sets.push_back(set);
  }
  after[which] = {};
  groups = std::move(after);
  return true;
}

}  // namespace

SharedPalettes share_palettes(std::span<const std::vector<u16>> sets, size_t most) {
  // Each set once, the largest first, because they have the fewest choices. Ties are equal sets.
  std::vector<const Colors*> order;
  for (const Colors& set : sets) order.push_back(&set);
  sort_stably(
      order, [](const Colors* a, const Colors* b) { return a->size() != b->size() ? a->size() > b->size() : *a < *b; });
  order.erase(std::unique(order.begin(), order.end(), [](const Colors* a, const Colors* b) { return *a == *b; }),
              order.end());

  std::vector<Group> groups;
  for (const Colors* set : order) {
    const size_t to = find_best_group(groups, *set, most, groups.size());
    if (to == groups.size()) groups.emplace_back();
    groups[to].colors = merge_colors(groups[to].colors, *set);
    groups[to].sets.push_back(set);
  }
  constexpr size_t k_most_dissolved = 256;  // more groups than VRAM can hold are not worth the time
  if (groups.size() <= k_most_dissolved)
    for (size_t i = groups.size(); i-- > 0;) try_dissolve_group(groups, i, most);
  std::erase_if(groups, [](const Group& g) { return g.sets.empty(); });

  SharedPalettes out;
  std::map<Colors, size_t> palette_of;
  for (Group& g : groups) {
    for (const Colors* set : g.sets) palette_of.emplace(*set, out.palettes.size());
    out.palettes.push_back(std::move(g.colors));
  }
  for (const Colors& set : sets) out.palette_of.push_back(palette_of.at(set));
  return out;
}

}  // namespace dio::psx
