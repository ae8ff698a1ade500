// quantize.hpp: reduces the number of colours.
#pragma once
#include <array>
#include <span>
#include <vector>

#include "core/bytes.hpp"

namespace dio::scene {

using Rgb = std::array<u8, 3>;  // display colours (sRGB)

struct WeightedColor {
  Rgb color;
  u32 weight;  // the number of pixels with this colour; 0: the colour is ignored
};

/// A perceptual colour: Oklab with the linear segment of CIE L* near black, lightness times 4080, the other two
/// channels times 5100 (near gray the eye distinguishes them better than in Oklab), in integers so that all compilers
/// agree. Sources: Ottosson, A perceptual color space for image processing, 2020; CIE 15, L*.
using OklabColor = std::array<i32, 3>;
OklabColor to_oklab(const Rgb&);

/// The difference between two colours: the square of their distance. 0 for equal colours, 4080 * 4080 for black and
/// white.
constexpr u32 difference(const OklabColor& a, const OklabColor& b) {
  u32 sum = 0;
  for (size_t i = 0; i < 3; ++i) sum += u32((a[i] - b[i]) * (a[i] - b[i]));
  return sum;
}

/// The palette entry most similar to a colour; the first of equals. The palette must not be empty.
class NearestColor {
 public:
  explicit NearestColor(std::span<const Rgb> palette) {
    for (const Rgb& c : palette) looks_.push_back(to_oklab(c));
  }
  size_t of(const Rgb& color) const;

 private:
  std::vector<OklabColor> looks_;
};

/// Error diffusion: passes three quarters of the error of each pixel to later neighbours (Floyd-Steinberg weights),
/// rows alternately from the left and from the right. `show(i, wanted)` returns the final colour of pixel `i`; it is
/// called only for opaque pixels. In integers, so that all compilers agree.
void dither_by_error_diffusion(u32 width, u32 height, const std::vector<bool>& opaque, std::span<const Rgb> pixels,
                               auto&& show) {
  using Errors = std::vector<std::array<i32, 3>>;  // in 1 / 64 of a display value
  Errors now(width), next(width);
  for (u32 y = 0; y < height; ++y) {
    const bool to_right = y % 2 == 0;
    for (u32 step = 0; step < width; ++step) {
      const u32 x = to_right ? step : width - 1 - step;
      const size_t i = size_t(y) * width + x;
      if (!opaque[i]) continue;
      Rgb wanted;
      for (size_t k = 0; k < 3; ++k) {
        const i32 value = pixels[i][k] + ((now[x][k] + 32) >> 6);
        wanted[k] = u8(value < 0 ? 0 : value > 255 ? 255 : value);
      }
      const Rgb shown = show(i, wanted);
      const auto spread_error = [&](Errors& row, i32 ahead, i32 weight) {
        const i64 to = i64(x) + (to_right ? ahead : -ahead);
        if (to < 0 || to >= i64(width)) return;
        for (size_t k = 0; k < 3; ++k) row[size_t(to)][k] += (wanted[k] - shown[k]) * weight;
      };
      spread_error(now, 1, 21);
      spread_error(next, -1, 9);
      spread_error(next, 0, 15);
      spread_error(next, 1, 3);
    }
    now.swap(next);
    next.assign(width, {});
  }
}

struct QuantizeOptions {
  u32 most_colors = 256;            // at least 1
  std::span<const u8> levels = {};  // the possible values of a channel, ascending; empty: all 256
};

/// A palette for a picture with these colours (each listed once), from dark to bright, without duplicates: at most
/// `most_colors`, fewer if that is as good. The result is the same with every compiler. If the colours are few enough,
/// each has an entry with the nearest levels.
std::vector<Rgb> quantize(std::span<const WeightedColor> colors, const QuantizeOptions& options);

}  // namespace dio::scene
