// render.hpp: pictures of scenes, drawn without a graphics card: the same bytes with every compiler.
#pragma once
#include <functional>
#include <optional>
#include <vector>

#include "bridge/raster/shading_style.hpp"
#include "bridge/raster/view.hpp"
#include "core/result.hpp"

namespace dio::raster {

/// A part of a picture, in pixels from its upper left corner.
struct Window {
  u32 left = 0, top = 0, width = 0, height = 0;
};

struct Options {
  u32 width = 640, height = 480;  // of the picture, in pixels
  /// Along each axis of a pixel, 1 to 8; they are averaged. In the look of the DS, more than 1 smooths edges as the
  /// console does, in that of the PlayStation it changes nothing.
  u32 samples = 1;
  scene::Vec4 background{0, 0, 0, 0};  // linear RGBA
  ShadingStyle look = ShadingStyle::plain;
  f32 line_width = 1, point_size = 3;  // pixels
  /// Draws only this part, which lies in the picture: the same pixels as in the whole one.
  std::optional<Window> window = {};
  /// Does `work` for 0 to count - 1, in any order, perhaps several at a time. Empty: one after another.
  std::function<void(size_t count, const std::function<void(size_t)>& work)> each = {};
};

/// The largest picture along an axis; the largest that windows can be drawn of.
inline constexpr u32 k_most_pixels_across = 16384, k_most_pixels_in_windows = 131072;

/// Why no picture can be so large; nothing if one can. Id: render.size.
std::optional<Diagnostic> check_picture_size(u64 width, u64 height, u32 most_across = k_most_pixels_across);

/// The scene from there, in that pose. RGBA without palette; alpha tells where nothing was drawn on a transparent
/// background. Opaque triangles hide what is behind them; translucent ones are drawn after them, the farthest first.
/// The scene keeps its invariants (scene::verify). Memory: 72 bytes a vertex and 12 a triangle, and the picture.
/// Id: render.size (the picture, or the window, is larger than stated above, or has no pixels).
Result<scene::Image> render(const scene::Scene&, const Pose&, const View&, const Options&);

/// A picture of RGBA 1 / n as wide and high: the average of n x n pixels in linear light, each as much as it covers.
/// Its sides are multiples of n.
scene::Image downsample(const scene::Image&, u32 n);

}  // namespace dio::raster
