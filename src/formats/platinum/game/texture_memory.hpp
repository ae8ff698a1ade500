// texture_memory.hpp: the video memory that the textures of an area take. Source: README.md, "Limits".
#pragma once
#include "formats/nitro/layout/textures.hpp"

namespace dio::platinum {

struct TextureMemory {
  static constexpr u64 k_most_texels = 256 << 10, k_most_palettes = 64 << 10, k_most_blocks = 128 << 10;
  u64 texels = 0, blocks = 0, palettes = 0;  // bytes; texels include those of blocks
  void add(const nitro::Textures& x) {
    const u64 of_blocks = u64(x.texels_4x4_size) * 8;
    blocks += of_blocks;
    texels += u64(x.texels_size) * 8 + of_blocks + of_blocks / 2;
    palettes += u64(x.colors_size) * 8;
  }
};

}  // namespace dio::platinum
