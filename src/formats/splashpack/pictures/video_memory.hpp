// video_memory.hpp: the contents of VRAM after loading a pack.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "console/psx/video_memory.hpp"
#include "formats/splashpack/layout/pack.hpp"

namespace dio::splashpack {

struct Vram;  // a .vram file

using psx::Rect, psx::TextureSource;

/// The areas that the engine itself uses in VRAM. Source: README.md, Textures.
struct Reserved {
  static constexpr Rect k_buffers[] = {{0, 0, 320, 240}, {0, 256, 320, 240}};
  static constexpr Rect k_old_font = {960, 464, 64, 48};   // until layout e
  static constexpr Rect k_new_column = {960, 0, 64, 512};  // from v20 on
};

/// A block loaded into VRAM.
struct VideoBlock {
  enum class Kind : u8 { atlas, palette, font } kind;
  u32 index;  // in the list of its kind; for palettes in objects, the object; for fonts, after all others
  Rect rect;
};

struct VideoMemory : psx::VideoMemory {
  /// In loading order. Words that cross an edge of VRAM wrap around; the rectangle listed here is cut off.
  std::vector<VideoBlock> blocks;
};

/// `vram`: for packs of v20 and later, which contain no texels; null if there is none.
VideoMemory build_video_memory(const Pack&, const Vram* vram);

/// The texels of a triangle, in any layout. Nothing if it has no texture.
std::optional<TextureSource> texture_of(const Pack&, const Object&, const Triangle&);

}  // namespace dio::splashpack
