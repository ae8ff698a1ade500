// render.hpp: pictures of scenes, drawn without a graphics card: the same bytes with every compiler.
#pragma once
#include <functional>
#include <vector>

#include "bridge/raster/looks.hpp"
#include "bridge/raster/view.hpp"
#include "core/result.hpp"

namespace dio::raster {

struct Options {
  u32 width = 640, height = 480;  // of the picture, in pixels
  /// Along each axis of a pixel, 1 to 8; they are averaged. In the look of the DS, more than 1 smooths edges as the
  /// console does, in that of the PlayStation it changes nothing.
  u32 samples = 1;
  scene::Vec4 background{0, 0, 0, 0};  // linear RGBA
  Look look = Look::plain;
  f32 line_width = 1, point_size = 3;  // pixels
  /// Does `work` for 0 to count - 1, in any order, perhaps several at a time. Empty: one after another.
  std::function<void(size_t count, const std::function<void(size_t)>& work)> each = {};
};

/// The largest picture along an axis, and in samples.
inline constexpr u32 k_most_pixels_across = 16384;

/// Why no picture can be so large; nothing if one can. Id: render.size.
std::optional<Diagnostic> refusal_of_size(u64 width, u64 height);

/// The scene from there, in that pose. RGBA without palette; alpha tells where nothing was drawn on a transparent
/// background. Opaque triangles hide what is behind them; translucent ones are drawn after them, the farthest first.
/// The scene keeps its invariants (scene::verify). Memory: 72 bytes a vertex and 12 a triangle, and the picture.
/// Id: render.size.
Result<scene::Image> render(const scene::Scene&, const Pose&, const View&, const Options&);

}  // namespace dio::raster
