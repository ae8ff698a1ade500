// texels.hpp: words of video memory as colours that people see, and islands of texels as pictures.
#pragma once
#include "console/psx/color.hpp"
#include "formats/splashpack/pictures/video_memory.hpp"
#include "scene/image.hpp"

namespace dio::splashpack {

using psx::bounding_rect, psx::rgb555_to_rgba;

/// Of all pictures together. The video memory has 2^21 texels of 4 bits, but a pack of a few megabytes can be made to
/// ask for a picture of a whole page with each of its triangles.
inline constexpr u64 k_most_texels = u64(1) << 24;

/// Texels that triangles look at: a rectangle of a texture page with a palette.
struct TexelRegion {
  TextureSource source;
  u32 u = 0, v = 0, width = 0, height = 0;  // of the page, which has 256 x 256
  constexpr bool contains(const Uv& at) const {
    return u <= at.u && at.u < u + width && v <= at.v && at.v < v + height;
  }
  auto operator<=>(const TexelRegion&) const = default;
};

/// The islands of a pack: the rectangles of texels of triangles with the same page and palette, those together that
/// touch in an object, or overlap. In the order of pages and palettes; within one, in that of their upper left texels.
/// A page of which triangles look at very many places is one island.
class TexelRegions {
 public:
  explicit TexelRegions(const Pack&);
  const std::vector<TexelRegion>& all() const { return all_; }
  /// Of a textured triangle of the pack.
  size_t index_of(const TextureSource&, const Triangle&) const;

 private:
  std::vector<TexelRegion> all_;
};

/// Texels that images of canvases show: the rectangle between their corners, in whatever order those are.
struct CanvasImage {
  struct Element {
    u32 canvas, element;  // numbers in the pack and in the canvas
  };
  TexelRegion island;
  std::vector<Element> shown_by;
};
/// The cells of a sheet, as far as they are in its page.
TexelRegion sheet_texel_region(const SpriteSheet&);
/// Each rectangle once, in the order of the elements that show it first.
std::vector<CanvasImage> collect_canvas_images(const Pack&);

/// An island with its palette, or in colours where texels have 16 bits.
scene::Image picture_of(const VideoMemory&, const TexelRegion&);

/// Whether a texel under the triangle is 0x0000, which is not drawn.
bool has_clear_texel(const VideoMemory&, const TextureSource&, const std::array<Uv, 3>&);

/// Whether the pack, or its .vram file, puts something where the island and its palette are.
bool is_region_filled(const VideoMemory&, const TexelRegion&);

}  // namespace dio::splashpack
