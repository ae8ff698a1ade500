// compared_texels.hpp: texture coordinates of compared scenes: texels of the whole texture, in one column of the plane
// for each palette. So another palette is another position, and triangles of all palettes can be compared at once.
#pragma once
#include <algorithm>
#include <cmath>

#include "formats/fft/layout/texture.hpp"
#include "scene/scene.hpp"

namespace dio::fft {

/// Names of materials: one for everything with texels, one for near-black polygons.
inline constexpr const char *k_compared_textured = "textured", *k_compared_untextured = "untextured";

/// The position of a vertex's texels.
struct ComparedTexel {
  /// Besides the 16 palettes: a material that is not from a file, and texels that are in no file of the map.
  static constexpr u8 k_unknown = 16, k_foreign = 17;
  f64 u = 0, v = 0;  // of the whole texture
  u8 palette = 0;

  bool has_palette() const { return palette < k_unknown; }
  scene::Vec2 encode() const {
    // Coordinates outside the texture stay outside, in their column.
    const auto within = [](f64 x, f64 most) { return x >= -k_margin ? std::min(x, most + k_margin) : -k_margin; };
    return {f32(within(u, k_page_texels) + k_column * (palette - k_middle)), f32(within(v, k_pages * k_page_texels))};
  }
  static ComparedTexel decode(const scene::Vec2& uv) {
    const f64 column = std::floor((f64(uv[0]) + k_column / 4) / k_column);
    return {f64(uv[0]) - column * k_column, uv[1], u8(std::clamp(column + k_middle, 0.0, 255.0))};
  }

 private:
  static constexpr f64 k_margin = 100, k_column = 512, k_middle = 8;
};

}  // namespace dio::fft
