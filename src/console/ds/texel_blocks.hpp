// texel_blocks.hpp: chooses the four colours of a 4x4 block.
#pragma once
#include <array>
#include <optional>
#include <span>
#include <vector>

#include "console/ds/texels.hpp"

namespace dio::ds {

inline constexpr u32 k_most_block_colors = 1u << 15;  // 14 bits of offset, in units of 2 colours

/// How a block takes its four colours from the palette. Mixed colours are between the first two.
enum class BlockMode : u8 { three_and_clear = 0, mixed_and_clear = 1, four = 2, two_mixed = 3 };

struct BlockColors {
  std::array<u16, 4> color;
  bool has_clear;  // the fourth is transparent
  u8 missing;      // bit n: colour n depends on a colour past the end of the palette
  bool is_clear(u32 index) const { return has_clear && index == 3; }
};

/// Mixes each of the three channels of two colours as (a * part_a + b * (8 - part_a)) / 8, rounded down (GBATEK, "DS 3D
/// Texture Formats", format 5).
constexpr u16 interpolate_colors(u16 a, u16 b, u32 part_a) {
  u32 mixed = 0;
  for (u32 shift = 0; shift < 15; shift += 5)
    mixed |= ((a >> shift & 31) * part_a + (b >> shift & 31) * (8 - part_a)) / 8 << shift;
  return u16(mixed);
}

/// The four colours of a mode; the last two of `stored` are ignored if they are mixed.
constexpr std::array<u16, 4> expand_mode_colors(BlockMode mode, const std::array<u16, 4>& stored) {
  const auto& [a, b, c, d] = stored;
  switch (mode) {
    case BlockMode::three_and_clear:
      return {a, b, c, 0};
    case BlockMode::mixed_and_clear:
      return {a, b, interpolate_colors(a, b, 4), 0};
    case BlockMode::four:
      return {a, b, c, d};
    case BlockMode::two_mixed:
      return {a, b, interpolate_colors(a, b, 5), interpolate_colors(a, b, 3)};
  }
  return {};
}

/// The colours of the palette index word of a block.
constexpr BlockColors decode_block_colors(u16 word, std::span<const u16> palette) {
  const BlockMode mode = BlockMode(word >> 14);
  const size_t first = (word & 0x3fffu) * 2;
  const bool mixes = mode == BlockMode::mixed_and_clear || mode == BlockMode::two_mixed;
  std::array<u16, 4> stored{};
  u8 missing = 0;
  for (size_t i = 0; i < (mixes ? 2u : mode == BlockMode::three_and_clear ? 3u : 4u); ++i) {
    if (first + i < palette.size())
      stored[i] = palette[first + i];
    else
      missing |= u8(1u << i);
  }
  if (mixes && missing) missing |= mode == BlockMode::two_mixed ? 12 : 4;
  return {expand_mode_colors(mode, stored), mode == BlockMode::three_and_clear || mode == BlockMode::mixed_and_clear,
          missing};
}

// ---- choosing -------------------------------------------------------------------------------------------------------

struct BlockTask {
  u32 width, height;                            // multiples of 4
  std::span<const u32> pixels;                  // colour in bits 0-14, alpha above bit 16, clear below 16
  std::span<const u32> before;                  // the pixels of `previous`; empty if there is none
  std::optional<std::span<const u16>> palette;  // at least 2 colours, if any is needed
  u32 most_colors;                              // 0: as many as blocks can address
  const TexelView* previous;                    // unchanged blocks are kept; its palette starts the new one
};
struct EncodedBlocks {
  Bytes texels, words;
  std::vector<u16> palette;
};
EncodedBlocks encode_blocks(const BlockTask&);

}  // namespace dio::ds
