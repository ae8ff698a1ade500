// compared_texels.hpp: texture coordinates of scenes that are compared: texels of the whole texture, in a column of the
// plane for each palette. So another palette is another place, and triangles of all palettes can be compared at once.
#pragma once
#include <algorithm>
#include <cmath>

#include "formats/fft/layout/texture.hpp"
#include "scene/scene.hpp"

namespace dio::fft {

/// Names of materials: all that has texels, and what is near black.
inline constexpr const char *k_compared_textured = "textured", *k_compared_untextured = "untextured";

/// Where the texels of a vertex are.
struct ComparedTexel {
  /// Besides the 16 palettes: a material that is none of a file, and texels that no file of the map has.
  static constexpr u8 k_unknown = 16, k_foreign = 17;
  f64 u = 0, v = 0;  // of the whole texture
  u8 palette = 0;

  bool has_palette() const { return palette < k_unknown; }
  scene::Vec2 encode() const {
    // What is outside of the texture stays outside, in its column.
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
