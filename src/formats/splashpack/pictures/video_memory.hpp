// video_memory.hpp: the console's video memory as a pack fills it.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "formats/splashpack/layout/pack.hpp"

namespace dio::splashpack {

struct Vram;  // a .vram file

/// In words of 16 bits.
struct Rect {
  u32 x = 0, y = 0, width = 0, height = 0;
  constexpr bool overlaps(const Rect& o) const {
    return x < o.x + o.width && o.x < x + width && y < o.y + o.height && o.y < y + height;
  }
  constexpr bool contains(u32 at_x, u32 at_y) const {
    return x <= at_x && at_x < x + width && y <= at_y && at_y < y + height;
  }
  constexpr bool operator==(const Rect&) const = default;
};

/// What the engine itself has in video memory. Source: specification 4.
struct Reserved {
  static constexpr Rect k_buffers[] = {{0, 0, 320, 240}, {0, 256, 320, 240}};
  static constexpr Rect k_old_font = {960, 464, 64, 48};   // until layout e
  static constexpr Rect k_new_column = {960, 0, 64, 512};  // from v20 on
};

/// Something that is put there.
struct VideoBlock {
  enum class Kind : u8 { atlas, palette, font } kind;
  u32 index;  // in the list of that kind; palettes in objects: the object's; of fonts: behind all others
  Rect rect;
};

struct VideoMemory {
  std::vector<u16> words;  // k_video_width * k_video_height, 0 where nothing is put
  /// In the order in which they are put. Words that go over an edge of the memory come in at the opposite one; here
  /// such a rectangle is cut off.
  std::vector<VideoBlock> blocks;
  u16 at(u32 x, u32 y) const { return words[size_t(y % k_video_height) * k_video_width + x % k_video_width]; }
};

/// `vram`: for packs of v20 and later, which have no texels of their own; null: they have none.
VideoMemory video_memory_of(const Pack&, const Vram* vram);

/// Where a triangle finds its texels, in any layout. Nothing if it has no texture.
struct TextureSource {
  u16 page = 0;                // the word: TexturePage::of
  u16 clut_x = 0, clut_y = 0;  // as in the file: in 16 words, and in lines
  auto operator<=>(const TextureSource&) const = default;
};
std::optional<TextureSource> texture_of(const Pack&, const Object&, const Triangle&);

/// The texel as 5 bits each of red, green and blue from the low end and semi-transparency; 0: nothing is drawn.
u16 texel_at(const VideoMemory&, const TextureSource&, u8 u, u8 v);

}  // namespace dio::splashpack
