// video_memory.hpp: the VRAM of the PlayStation as pictures: texture pages and CLUTs. Source:
// psx-spx, GPU.
#pragma once
#include <vector>

#include "console/psx/gpu.hpp"
#include "scene/image.hpp"

namespace dio::psx {

struct VideoMemory {
  std::vector<u16> words;  // k_video_width * k_video_height, 0 where nothing was written
  u16 at(u32 x, u32 y) const { return words[size_t(y % k_video_height) * k_video_width + x % k_video_width]; }
};

/// The position and CLUT of texels.
struct TextureSource {
  u16 page = 0;                // the word: TexturePage::from_word
  u16 clut_x = 0, clut_y = 0;  // in units of 16 words, and in rows
  auto operator<=>(const TextureSource&) const = default;
};
constexpr u32 bits_of(const TextureSource& s) { return 16 / TexturePage::from_word(s.page).texels_per_word(); }

/// The texel as 5 bits each of red, green and blue from the low end, and semi-transparency; 0: nothing is drawn.
u16 texel_at(const VideoMemory&, const TextureSource&, u8 u, u8 v);

/// The CLUT of 4-bit and 8-bit texels in VRAM: 16 or 256 words. Empty for 16-bit texels.
std::vector<u16> read_clut(const VideoMemory&, const TextureSource&);

/// The texels of a page, 256 x 256, as a picture.
scene::Image decode_vram_picture(const VideoMemory&, const TextureSource&, const Rect& texels);

}  // namespace dio::psx
