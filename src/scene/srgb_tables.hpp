// srgb_tables.hpp: converts display colours (sRGB) to linear light, in integers that are the same with every compiler.
#pragma once
#include <algorithm>
#include <array>

#include "core/bytes.hpp"

namespace dio::scene {

namespace light_detail {

/// The `n`th root of 0 < x <= 1 by Newton's method: only sums, products and quotients, which all compilers round alike.
constexpr f64 nth_root(f64 x, int n) {
  f64 r = 1;
  for (int step = 0; step < 64; ++step) {
    f64 power = 1;
    for (int i = 1; i < n; ++i) power *= r;
    const f64 next = ((n - 1) * r + x / power) / n;
    if (next >= r) break;  // decreases until rounding ends it
    r = next;
  }
  return r;
}

constexpr std::array<u16, 256> make_srgb_to_linear_table() {
  std::array<u16, 256> lights{};
  for (size_t i = 0; i < 256; ++i) {
    const f64 c = f64(i) / 255;
    f64 light = c / 12.92;
    if (c > 0.04045) {
      const f64 base = (c + 0.055) / 1.055, fifth = nth_root(base, 5);
      light = base * base * fifth * fifth;  // base to the power of 2.4
    }
    lights[i] = u16(light * 65535 + 0.5);
  }
  return lights;
}

}  // namespace light_detail

/// The linear light of each display value, 0 to 65535, strictly increasing. Source: IEC 61966-2-1.
inline constexpr std::array<u16, 256> k_lights = light_detail::make_srgb_to_linear_table();

constexpr u16 srgb_to_light(u8 display) { return k_lights[display]; }
/// The display value with the nearest light; of two, the darker one.
constexpr u8 light_to_srgb(u32 light) {
  const auto above = std::lower_bound(k_lights.begin(), k_lights.end(), light);
  if (above == k_lights.end()) return 255;
  const auto i = size_t(above - k_lights.begin());
  return u8(i && light - k_lights[i - 1] <= k_lights[i] - light ? i - 1 : i);
}

}  // namespace dio::scene
