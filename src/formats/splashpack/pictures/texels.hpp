// texels.hpp: converts words of VRAM to display colours, and islands of texels to pictures.
#pragma once
#include "console/psx/color.hpp"
#include "formats/splashpack/pictures/video_memory.hpp"
#include "scene/image.hpp"

namespace dio::splashpack {

using psx::bounding_rect, psx::rgb555_to_rgba;

/// The limit for all pictures together. VRAM has 2^21 texels of 4 bits, but a malicious pack of a few megabytes could
/// request a whole page with each triangle.
inline constexpr u64 k_most_texels = u64(1) << 24;

/// Texels used by triangles: a rectangle of a texture page with a palette.
struct TexelRegion {
  TextureSource source;
  u32 u = 0, v = 0, width = 0, height = 0;  // of the page, which has 256 x 256
  constexpr bool contains(const Uv& at) const {
    return u <= at.u && at.u < u + width && v <= at.v && at.v < v + height;
  }
  auto operator<=>(const TexelRegion&) const = default;
};

/// The islands of a pack: the texel rectangles of triangles with the same page and palette, merged if they touch within
/// an object, or overlap. Sorted by page and palette, then by their upper left texels. A page that triangles use at
/// very many positions is one island.
class TexelRegions {
 public:
  explicit TexelRegions(const Pack&);
  const std::vector<TexelRegion>& all() const { return all_; }
  /// For a textured triangle of the pack.
  size_t index_of(const TextureSource&, const Triangle&) const;

 private:
  std::vector<TexelRegion> all_;
};

/// Texels shown by images of canvases: the rectangle between their corners, in any order.
struct CanvasImage {
  struct Element {
    u32 canvas, element;  // indices in the pack and in the canvas
  };
  TexelRegion island;
  std::vector<Element> shown_by;
};
/// The cells of a sheet inside its page.
TexelRegion sheet_texel_region(const SpriteSheet&);
/// Each rectangle once, in the order of the first elements that show it.
std::vector<CanvasImage> collect_canvas_images(const Pack&);

/// An island with its palette, or in colours if texels have 16 bits.
scene::Image picture_of(const VideoMemory&, const TexelRegion&);

/// Whether a texel under the triangle is 0x0000, which is not drawn.
bool has_clear_texel(const VideoMemory&, const TextureSource&, const std::array<Uv, 3>&);

/// Whether the pack, or its .vram file, loads data to the position of the island and its palette.
bool is_region_filled(const VideoMemory&, const TexelRegion&);

}  // namespace dio::splashpack
