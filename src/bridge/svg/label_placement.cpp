#include "bridge/svg/label_placement.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "core/sorting.hpp"

namespace dio::svg {

using scene::PlanName;
using scene::PlanPoint;

namespace {

constexpr f64 k_cell = 4;                        // pixels
constexpr f64 k_sign_cost = 20;                  // of a cell; a cell with a line costs 1
constexpr f64 k_worst = 3;                       // per cell: positions with a higher cost get no name
constexpr f64 k_near = 60;                       // pixels: equal names closer than this are merged
constexpr size_t k_most_members = 6;             // of those, whose positions are tried
constexpr f64 k_ascent = 0.74, k_descent = 0.2;  // of a line of text, in sizes

/// Several equal names.
struct Shared {
  WantedName first;
  PlanPoint at;
  std::vector<PlanName::LabelAnchor> places;
  size_t count = 1;
};

}  // namespace

f64 estimate_text_width(std::string_view text, f64 size, bool is_bold) {
  f64 width = 0;
  for (const char c : text) {
    if ((u8(c) & 0xc0) == 0x80) continue;  // a continuation byte of UTF-8
    const bool is_narrow = std::string_view("iljtfrI.,:;'|!()[] ").find(c) != std::string_view::npos;
    const bool is_wide = std::string_view("mwMW@%").find(c) != std::string_view::npos;
    width += is_narrow ? 0.32 : is_wide ? 0.87 : (c >= 'A' && c <= 'Z') ? 0.7 : 0.57;
  }
  return width * size * (is_bold ? 1.07 : 1);
}

Covered::Covered(const Box& map)
    : map_(map),
      across_(size_t(std::max(1.0, std::ceil((map.right - map.left) / k_cell)))),
      down_(size_t(std::max(1.0, std::ceil((map.bottom - map.top) / k_cell)))),
      cells_(across_ * down_) {}

Covered::Range Covered::cell_range(const Box& b) const {
  const auto cell_index = [](f64 at, f64 origin, size_t most) {
    return size_t(std::clamp(std::floor((at - origin) / k_cell), 0.0, f64(most - 1)));
  };
  return {cell_index(b.left, map_.left, across_), cell_index(b.top, map_.top, down_),
          cell_index(b.right, map_.left, across_), cell_index(b.bottom, map_.top, down_)};
}

void Covered::mark_sign_cells(const Box& b) {
  const auto [left, top, right, bottom] = cell_range(b);
  for (size_t y = top; y <= bottom; ++y)
    for (size_t x = left; x <= right; ++x) cells_[y * across_ + x].sign = true;
}

void Covered::mark_name_cells(const Box& b) {
  const auto [left, top, right, bottom] = cell_range(b);
  for (size_t y = top; y <= bottom; ++y)
    for (size_t x = left; x <= right; ++x) cells_[y * across_ + x].name = true;
}

void Covered::mark_line_cells(const PlanPoint& a, const PlanPoint& b) {
  // The part of it on the map.
  f64 from = 0, to = 1;
  const f64 low[] = {map_.left, map_.top}, high[] = {map_.right, map_.bottom};
  for (size_t i = 0; i < 2; ++i) {
    const f64 way = b[i] - a[i];
    if (way == 0) {
      if (a[i] < low[i] || a[i] > high[i]) return;
      continue;
    }
    const f64 enters = ((way > 0 ? low[i] : high[i]) - a[i]) / way,
              leaves = ((way > 0 ? high[i] : low[i]) - a[i]) / way;
    from = std::max(from, enters);
    to = std::min(to, leaves);
  }
  if (!(from < to)) return;
  const f64 length = std::sqrt(square(b[0] - a[0]) + square(b[1] - a[1])) * (to - from);
  const size_t steps = size_t(std::ceil(length / k_cell));
  size_t before = cells_.size();
  for (size_t i = 0; i <= steps; ++i) {
    const f64 t = steps ? from + (to - from) * f64(i) / f64(steps) : from;
    const f64 x = a[0] + (b[0] - a[0]) * t, y = a[1] + (b[1] - a[1]) * t;
    const Range at = cell_range({x, y, x, y});
    const size_t cell = at.top * across_ + at.left;
    if (cell != before && cells_[cell].lines < 4) ++cells_[cell].lines;
    before = cell;
  }
}

std::optional<f64> Covered::placement_cost(const Box& b) const {
  if (b.left < map_.left || b.top < map_.top || b.right > map_.right || b.bottom > map_.bottom) return {};
  const auto [left, top, right, bottom] = cell_range(b);
  f64 cost = 0;
  for (size_t y = top; y <= bottom; ++y)
    for (size_t x = left; x <= right; ++x) {
      const Cell& c = cells_[y * across_ + x];
      if (c.name) return {};
      cost += c.lines + (c.sign ? k_sign_cost : 0);
    }
  const f64 share = cost / f64((right - left + 1) * (bottom - top + 1));
  if (share > k_worst) return {};
  return share;
}

PlacedNames placed(std::vector<WantedName> wanted, const std::function<PlanPoint(const PlanPoint&)>& on_page,
                   const Box& map, Covered& covered) {
  std::vector<Shared> all;
  std::map<std::pair<size_t, std::string_view>, std::vector<size_t>> equal;
  for (const WantedName& w : wanted) {
    std::vector<PlanName::LabelAnchor> places;
    for (const PlanName::LabelAnchor& p : w.name->places)
      if (map.contains(on_page(p.at))) places.push_back({on_page(p.at), p.direction, p.gap});
    if (places.empty()) continue;
    const PlanPoint at = places.front().at;
    if (w.name->is_shared) {
      auto& heads = equal[{w.layer, w.name->text}];
      const auto head = std::find_if(heads.begin(), heads.end(), [&](size_t i) {
        return square(all[i].at[0] - at[0]) + square(all[i].at[1] - at[1]) < square(k_near);
      });
      if (head != heads.end()) {
        Shared& s = all[*head];
        if (s.count++ < k_most_members) s.places.insert(s.places.end(), places.begin(), places.end());
        continue;
      }
      heads.push_back(all.size());
    }
    all.push_back({w, at, std::move(places)});
  }
  sort_stably(all, [](const Shared& a, const Shared& b) {
    if (a.first.is_shown != b.first.is_shown) return a.first.is_shown;
    return a.first.name->rank > b.first.name->rank;
  });

  PlacedNames out;
  for (const Shared& s : all) {
    const PlanName& n = *s.first.name;
    std::string text = n.text;
    if (s.count > 1) text += " \xc3\x97" + std::to_string(s.count);
    const f64 width = estimate_text_width(text, n.size, n.is_bold), ascent = n.size * k_ascent,
              descent = n.size * k_descent;
    std::optional<f64> best;
    Box best_box;
    f64 side = 0;
    for (size_t p = 0; p < s.places.size(); ++p) {
      const PlanName::LabelAnchor& place = s.places[p];
      // Rotates by table instead of sine: the same bits from every library.
      constexpr f64 k_half = 0.70710678118654752;
      constexpr PlanPoint k_turns[] = {{1, 0},  {k_half, k_half},  {k_half, -k_half},  {0, 1},
                                       {0, -1}, {-k_half, k_half}, {-k_half, -k_half}, {-1, 0}};
      const auto [east, south] = place.direction;
      const f64 length = std::sqrt(east * east + south * south);
      const PlanPoint ahead = length > 0 ? PlanPoint{east / length, south / length} : PlanPoint{1, 0};
      for (size_t t = 0; t < std::size(k_turns); ++t) {
        const f64 dx = ahead[0] * k_turns[t][0] - ahead[1] * k_turns[t][1],
                  dy = ahead[0] * k_turns[t][1] + ahead[1] * k_turns[t][0];
        for (int far = 0; far < 2; ++far) {
          const f64 gap = place.gap + 7 * far;
          // The middle of the text: its box touches the circle around the point.
          const f64 x = place.at[0] + dx * gap + dx * width / 2,
                    y = place.at[1] + dy * gap + dy * (ascent + descent) / 2;
          const Box box{x - width / 2, y - (ascent + descent) / 2, x + width / 2, y + (ascent + descent) / 2};
          const auto cost = covered.placement_cost({box.left - 2, box.top - 1, box.right + 2, box.bottom + 1});
          if (!cost) continue;
          const f64 whole = *cost + 0.04 * f64(t) + 0.15 * far + 0.02 * f64(p);
          if (best && whole >= *best) continue;
          best = whole;
          best_box = box;
          side = dx;
        }
      }
    }
    if (!best) {
      out.without_room += s.first.is_shown;
      continue;
    }
    covered.mark_name_cells({best_box.left - 1, best_box.top, best_box.right + 1, best_box.bottom});
    // Font widths differ, so the text is anchored at the side of its point.
    const bool starts = side > 0.38, ends = side < -0.38;
    out.names.push_back({s.first.layer, &n, std::move(text),
                         starts ? best_box.left
                         : ends ? best_box.right
                                : (best_box.left + best_box.right) / 2,
                         best_box.top + ascent,
                         starts ? "start"
                         : ends ? "end"
                                : "middle"});
  }
  return out;
}

}  // namespace dio::svg
