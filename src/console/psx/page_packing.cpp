#include "console/psx/page_packing.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <optional>

#include "core/sorting.hpp"

namespace dio::psx {
namespace {

/// A page, represented by its largest free rectangles, which overlap.
class Page {
 public:
  explicit Page(const TexelSize& size) : free_{{0, 0, size.width, size.height}} {}
  /// How well a rectangle fits in a free one: least space left along one side, then along the other, then topmost and
  /// leftmost. Nothing if it does not fit.
  using PlacementScore = std::array<u32, 4>;
  std::optional<std::pair<PlacementScore, Rect>> find_best_fit(const TexelSize& s) const {
    std::optional<std::pair<PlacementScore, Rect>> found;
    for (const Rect& f : free_) {
      if (s.width > f.width || s.height > f.height) continue;
      const u32 beside = f.width - s.width, below = f.height - s.height;
      const PlacementScore fit{std::min(beside, below), std::max(beside, below), f.y, f.x};
      if (!found || fit < found->first) found = {fit, Rect{f.x, f.y, s.width, s.height}};
    }
    return found;
  }
  void mark_used(const Rect& taken) {
    std::vector<Rect> cut;
    std::erase_if(free_, [&](const Rect& f) {
      if (!f.overlaps(taken)) return false;
      if (taken.x > f.x) cut.push_back({f.x, f.y, taken.x - f.x, f.height});
      if (taken.y > f.y) cut.push_back({f.x, f.y, f.width, taken.y - f.y});
      if (const u32 end = taken.x + taken.width; end < f.x + f.width)
        cut.push_back({end, f.y, f.x + f.width - end, f.height});
      if (const u32 end = taken.y + taken.height; end < f.y + f.height)
        cut.push_back({f.x, end, f.width, f.y + f.height - end});
      return true;
    });
    // Old rectangles are in no other: only the cut ones can be.
    for (size_t i = 0; i < cut.size(); ++i) {
      const auto contains_rect = [&](const Rect& r) {
        return r.x <= cut[i].x && r.y <= cut[i].y && cut[i].x + cut[i].width <= r.x + r.width &&
               cut[i].y + cut[i].height <= r.y + r.height;
      };
      const bool is_inside = std::any_of(free_.begin(), free_.end(), contains_rect) ||
                             std::any_of(cut.begin() + std::ptrdiff_t(i) + 1, cut.end(), contains_rect);
      if (!is_inside) free_.push_back(cut[i]);
    }
  }

 private:
  std::vector<Rect> free_;
};

/// Puts each rectangle into the first page with room.
PackedPages pack_in_order(std::span<const TexelSize> sizes, const TexelSize& page, std::span<const size_t> order) {
  PackedPages packed{std::vector<PagePosition>(sizes.size()), 0};
  std::vector<Page> pages;
  for (const size_t i : order)
    for (size_t p = 0;; ++p) {
      if (p == pages.size()) pages.emplace_back(page);
      if (const auto spot = pages[p].find_best_fit(sizes[i])) {
        pages[p].mark_used(spot->second);
        packed.spots[i] = {p, spot->second.x, spot->second.y};
        break;
      }
    }
  packed.pages = pages.size();
  return packed;
}

}  // namespace

PackedPages pack_rectangles(std::span<const TexelSize> sizes, const TexelSize& page) {
  constexpr size_t k_most_tried = 1000;  // more than this are tried in only one order
  using Measure = u32 (*)(const TexelSize&);
  static constexpr Measure k_measures[] = {
      [](const TexelSize& s) { return s.width * s.height; },
      [](const TexelSize& s) { return std::max(s.width, s.height) * 1000 + std::min(s.width, s.height); },
      [](const TexelSize& s) { return s.height * 1000 + s.width; },
      [](const TexelSize& s) { return s.width * 1000 + s.height; },
      [](const TexelSize& s) { return s.width + s.height; },
  };
  u64 area = 0;
  for (const TexelSize& s : sizes) area += u64(s.width) * s.height;
  const u64 room = u64(page.width) * page.height, least = (area + room - 1) / room;
  PackedPages best;
  for (const Measure measure : k_measures) {
    std::vector<size_t> order(sizes.size());
    std::iota(order.begin(), order.end(), size_t(0));
    sort_stably(order, [&](size_t a, size_t b) { return measure(sizes[a]) > measure(sizes[b]); });
    PackedPages packed = pack_in_order(sizes, page, order);
    if (best.spots.empty() || packed.pages < best.pages) best = std::move(packed);
    if (best.pages <= least || sizes.size() > k_most_tried) break;
  }
  return best;
}

}  // namespace dio::psx
