// video_memory.hpp: the console's video memory as a pack fills it.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "console/psx/video_memory.hpp"
#include "formats/splashpack/layout/pack.hpp"

namespace dio::splashpack {

struct Vram;  // a .vram file

using psx::Rect, psx::TextureSource;

/// What the engine itself has in video memory. Source: specification 4.
struct Reserved {
  static constexpr Rect k_buffers[] = {{0, 0, 320, 240}, {0, 256, 320, 240}};
  static constexpr Rect k_old_font = {960, 464, 64, 48};   // until layout e
  static constexpr Rect k_new_column = {960, 0, 64, 512};  // from v20 on
};

/// Something that is put there.
struct VideoBlock {
  enum class Kind : u8 { atlas, palette, font } kind;
  u32 index;  // in the list of that kind; palettes in objects: the object's; of fonts: after all others
  Rect rect;
};

struct VideoMemory : psx::VideoMemory {
  /// In the order in which they are put. Words that go over an edge of the memory come in at the opposite one; here
  /// such a rectangle is cut off.
  std::vector<VideoBlock> blocks;
};

/// `vram`: for packs of v20 and later, which have no texels of their own; null: they have none.
VideoMemory build_video_memory(const Pack&, const Vram* vram);

/// Where a triangle finds its texels, in any layout. Nothing if it has no texture.
std::optional<TextureSource> texture_of(const Pack&, const Object&, const Triangle&);

}  // namespace dio::splashpack
