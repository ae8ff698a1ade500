// render.hpp: renders pictures of scenes in software, with the same bytes from every compiler.
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
  /// Samples along each axis of a pixel, 1 to 8; they are averaged. In the DS look, more than 1 smooths edges like the
  /// console; in the PlayStation look, the value has no effect.
  u32 samples = 1;
  scene::Vec4 background{0, 0, 0, 0};  // linear RGBA
  ShadingStyle look = ShadingStyle::plain;
  f32 line_width = 1, point_size = 3;  // pixels
  /// Draws only this part of the picture, with the same pixels as in the whole picture.
  std::optional<Window> window = {};
  /// Calls `work` with 0 to count - 1, in any order, possibly in parallel. Empty: one after another.
  std::function<void(size_t count, const std::function<void(size_t)>& work)> each = {};
};

/// The largest size of a picture along an axis, and the largest size if only windows are drawn.
inline constexpr u32 k_most_pixels_across = 16384, k_most_pixels_in_windows = 131072;

/// The most samples of a picture or a window: those of the largest picture at 3 x 3 per pixel.
inline constexpr u64 k_most_samples = u64(9) << 28;

/// Why a picture cannot have this size; nothing if it can. Id: render.size.
std::optional<Diagnostic> check_picture_size(u64 width, u64 height, u32 most_across = k_most_pixels_across);

/// Renders the scene from that view, in that pose. RGBA without palette; on a transparent background, alpha is 0 where
/// nothing was drawn. Opaque triangles hide surfaces behind them; translucent ones are drawn afterwards, the farthest
/// first. The scene must be valid (scene::verify). Memory: 72 bytes per vertex and 12 per triangle, and the picture.
/// Id: render.size (the picture, the window or its samples exceed the limits above, or it has no pixels).
Result<scene::Image> render(const scene::Scene&, const Pose&, const View&, const Options&);

/// An RGBA picture with 1 / n of the width and height: the average of n x n pixels in linear light, weighted by alpha.
/// Its sides must be multiples of n.
scene::Image downsample(const scene::Image&, u32 n);

}  // namespace dio::raster
