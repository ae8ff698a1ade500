// memory_limits.hpp: how much of the game's memory limits areas and maps use. Source: README.md, "Games".
#pragma once
#include "formats/nitro/layout/textures.hpp"
#include "formats/platinum/game/tables.hpp"

namespace dio::platinum {

/// The video memory used by textures.
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
TextureMemory compute_texture_memory(const GameTables&, const Area&);

/// The memory and animations that a prop set uses while a map is shown.
struct PropSetLoad {
  static constexpr u64 k_most_bytes = 0xC4000;  // of the overworld heap
  static constexpr u64 k_most_animations = 16;
  u64 bytes = 0;                        // size of its model files
  std::vector<std::string> animations;  // animations that start with the map
};
PropSetLoad compute_prop_set_load(const GameTables&, u32 prop_set);

inline constexpr u64 k_most_slopes = 2;  // bicycle slopes of a land
u64 count_bicycle_slopes(const GameTables&, const LandData&);

}  // namespace dio::platinum
