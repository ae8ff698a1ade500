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

/// Packs rectangles of at most 256 x 256 texels into few pages of 256 x 256: the best of several orders, all from large
/// to small by some measure. Source of the method: Jylänki, A Thousand Ways to Pack the Bin, 2010 (MaxRects).
PackedPages pack_rectangles(std::span<const TexelSize> sizes);

}  // namespace dio::psx
