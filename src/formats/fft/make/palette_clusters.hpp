// palette_clusters.hpp: few palettes for many pictures.
#pragma once
#include <span>
#include <vector>

#include "core/bytes.hpp"

namespace dio::fft {

/// The word of opaque black: the word 0 would be transparent, and 0x8000 half-transparent where the game blends.
inline constexpr u16 k_darkest = 0x0400;

/// The colours of a picture: words of 15 bits (bit 15: half-transparent) and how many pixels have them; ascending,
/// without duplicates and without the transparent word 0.
struct ColorHistogram {
  struct Count {
    u16 word;
    u32 pixels;
  };
  std::vector<Count> colors;
};

struct PaletteClusters {
  std::vector<std::vector<u16>> palettes;  // ascending
  std::vector<size_t> palette_of;          // for each picture
  u64 changed_pixels = 0, pixels = 0;      // pixels whose colour is not in their palette, and all
  f64 mean_error = 0;                      // of a channel of all pixels, 0 to 255
};

/// At most `most_palettes` palettes of at most `most_colors`, one for each picture. If all colours fit, none changes:
/// pictures share palettes (psx::share_palettes). Otherwise pictures are first reduced on their own; if that is not
/// enough, similar ones share a palette (k-means over pictures, with palettes of scene::quantize). Deterministic.
PaletteClusters cluster_palettes(std::span<const ColorHistogram>, size_t most_palettes, size_t most_colors);

/// The entry of a palette that looks most like a word; half-transparent words match only such entries, if there are
/// any.
size_t nearest_entry(std::span<const u16> palette, u16 word);

}  // namespace dio::fft
