// page_packing.hpp: packs rectangles into texture pages.
#pragma once
#include <span>
#include <vector>

#include "console/psx/gpu.hpp"

namespace dio::psx {

/// In texels.
struct TexelSize {
  u32 width, height;
};
struct PagePosition {
  size_t page;
  u32 x, y;
};
struct PackedPages {
  std::vector<PagePosition> spots;  // one for each rectangle
  size_t pages = 0;
};

/// Packs rectangles into few pages, none of which is smaller than a rectangle: the best of several orders, all from
/// large to small by some measure. Source of the method: Jylänki, A Thousand Ways to Pack the Bin, 2010 (MaxRects).
PackedPages pack_rectangles(std::span<const TexelSize> sizes, const TexelSize& page = {k_most_side, k_page_height});

}  // namespace dio::psx
