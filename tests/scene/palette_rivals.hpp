// palette_rivals.hpp: pictures made from nothing, other ways to find palettes for them, and how far off the colours
// are: for the test and the bench of the quantiser. Pictures are made of sums, products and quotients alone: the same
// with every compiler.
#pragma once
#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <vector>

#include "scene/quantize.hpp"

namespace dio::test {

using scene::Rgb;
using scene::WeightedColor;
using Colors = std::vector<WeightedColor>;
using Palette = std::vector<Rgb>;

// ---- pictures -------------------------------------------------------------------------------------------------------

/// Light and colour at a place in 0..1 x 0..1; channels from 0 to 1.
struct Tint {
  f64 r, g, b;
};
constexpr Tint mix(const Tint& a, const Tint& b, f64 t) {
  t = std::clamp(t, 0.0, 1.0);
  return {a.r + (b.r - a.r) * t, a.g + (b.g - a.g) * t, a.b + (b.b - a.b) * t};
}
constexpr Tint times(const Tint& c, f64 n) { return {c.r * n, c.g * n, c.b * n}; }
constexpr f64 smooth(f64 low, f64 high, f64 x) {
  const f64 t = std::clamp((x - low) / (high - low), 0.0, 1.0);
  return t * t * (3 - 2 * t);
}
/// 0..1, a different one for each x, y and seed.
constexpr f64 speck(i32 x, i32 y, u32 seed) {
  u32 h = u32(x) * 0x9E3779B1u ^ u32(y) * 0x85EBCA77u ^ seed * 0xC2B2AE3Du;
  h = (h ^ h >> 15) * 0x2C1B3C6Du;
  h = (h ^ h >> 12) * 0x297A2D39u;
  return f64((h ^ h >> 15) >> 8) / f64(1 << 24);
}
inline f64 noise(f64 x, f64 y, u32 seed) {
  const f64 fx = std::floor(x), fy = std::floor(y);
  const i32 ix = i32(fx), iy = i32(fy);
  const f64 u = smooth(0, 1, x - fx), v = smooth(0, 1, y - fy);
  const f64 above = speck(ix, iy, seed) * (1 - u) + speck(ix + 1, iy, seed) * u;
  const f64 below = speck(ix, iy + 1, seed) * (1 - u) + speck(ix + 1, iy + 1, seed) * u;
  return above * (1 - v) + below * v;
}
/// Noise of several sizes, 0..1.
inline f64 clouds(f64 x, f64 y, u32 seed, int octaves = 5) {
  f64 sum = 0, all = 0, weight = 1;
  for (int i = 0; i < octaves; ++i, x *= 2, y *= 2, weight /= 2) {
    sum += weight * noise(x, y, seed + u32(i));
    all += weight;
  }
  return sum / all;
}
/// A wave from 0 to 1 and back.
inline f64 wave(f64 x) {
  const f64 t = x - std::floor(x);
  return smooth(0, 1, t < 0.5 ? 2 * t : 2 - 2 * t);
}

struct Picture {
  const char* name;
  Tint (*at)(f64 x, f64 y);
};
inline constexpr Picture k_pictures[] = {
    {"sky",
     [](f64 x, f64 y) {
       const Tint blue = mix({0.22, 0.42, 0.78}, {0.72, 0.85, 0.95}, y);
       return mix(blue, {0.97, 0.97, 0.98}, smooth(0.5, 0.75, clouds(3 * x, 5 * y, 1)));
     }},
    {"sunset",
     [](f64 x, f64 y) {
       const f64 far = (x - 0.6) * (x - 0.6) + (y - 0.7) * (y - 0.7);
       const Tint sky = mix(mix({0.12, 0.1, 0.32}, {0.75, 0.25, 0.3}, y * 1.6), {1, 0.65, 0.25}, y * 1.5 - 0.5);
       const Tint lit = mix({1, 0.95, 0.75}, sky, smooth(0.0, 0.12, far));
       return y > 0.8 + 0.08 * clouds(6 * x, 1, 4) ? Tint{0.06, 0.05, 0.1} : lit;
     }},
    {"grass",
     [](f64 x, f64 y) {
       const f64 blade = clouds(40 * x, 9 * y, 2, 3), patch = clouds(4 * x, 4 * y, 3);
       return times(mix({0.2, 0.38, 0.1}, {0.55, 0.62, 0.22}, patch), 0.55 + 0.7 * blade);
     }},
    {"meadow",
     [](f64 x, f64 y) {
       const f64 cx = std::floor(x * 12), cy = std::floor(y * 12), dx = x * 12 - cx - 0.5, dy = y * 12 - cy - 0.5;
       const f64 pick = speck(i32(cx), i32(cy), 5);
       const Tint green = times({0.25, 0.5, 0.15}, 0.6 + 0.7 * clouds(20 * x, 20 * y, 6));
       if (pick < 0.6 || dx * dx + dy * dy > 0.06) return green;
       return pick < 0.75 ? Tint{0.95, 0.85, 0.2} : pick < 0.9 ? Tint{0.9, 0.2, 0.3} : Tint{0.85, 0.8, 0.98};
     }},
    {"rock",
     [](f64 x, f64 y) {
       const f64 big = clouds(5 * x, 5 * y, 7, 6), crack = smooth(0.0, 0.08, std::abs(clouds(3 * x, 3 * y, 8) - 0.5));
       return times(mix({0.35, 0.33, 0.31}, {0.68, 0.63, 0.55}, big), 0.35 + 0.65 * crack);
     }},
    {"bricks",
     [](f64 x, f64 y) {
       const f64 row = std::floor(y * 8), across = x * 4 + (i32(row) % 2 ? 0.5 : 0), column = std::floor(across);
       const f64 u = across - column, v = y * 8 - row, grain = clouds(30 * x, 30 * y, 9);
       if (u < 0.06 || v < 0.12) return times({0.7, 0.67, 0.62}, 0.7 + 0.5 * grain);
       return times(mix({0.55, 0.22, 0.15}, {0.75, 0.4, 0.28}, speck(i32(column), i32(row), 10)), 0.65 + 0.6 * grain);
     }},
    {"wood",
     [](f64 x, f64 y) {
       const f64 ring = wave(9 * x + 1.5 * clouds(2 * x, 6 * y, 11));
       return times(mix({0.36, 0.2, 0.09}, {0.72, 0.48, 0.26}, ring), 0.8 + 0.35 * clouds(60 * x, 4 * y, 12));
     }},
    {"face",
     [](f64 x, f64 y) {
       const f64 dx = (x - 0.5) / 0.33, dy = (y - 0.5) / 0.42, r = dx * dx + dy * dy;
       if (r > 1) return r > 1.5 ? Tint{0.25, 0.35, 0.45} : times({0.2, 0.12, 0.08}, 0.6 + clouds(40 * x, 8 * y, 13));
       const f64 light = 0.55 + 0.4 * (1 - r) - 0.25 * dx + 0.06 * clouds(30 * x, 30 * y, 14);
       const Tint skin = mix({0.78, 0.48, 0.36}, {1, 0.84, 0.72}, light);
       for (const f64 side : {-0.4, 0.4}) {
         const f64 ex = (dx - side) / 0.16, ey = (dy + 0.2) / 0.08, eye = ex * ex + ey * ey;
         if (eye < 0.2) return Tint{0.1, 0.25, 0.4};
         if (eye < 1) return Tint{0.95, 0.94, 0.92};
       }
       const f64 mx = dx / 0.3, my = (dy - 0.45) / 0.07;
       if (mx * mx + my * my < 1) return Tint{0.72, 0.25, 0.25};
       return times(skin, std::min(1.0, 0.6 + light * 0.5));
     }},
    {"skins",
     [](f64 x, f64 y) {
       const f64 tone = std::floor(x * 6) / 5, light = 0.5 + 0.5 * wave(y * 2 + 0.1 * clouds(9 * x, 9 * y, 15));
       return times(mix({1, 0.83, 0.7}, {0.32, 0.19, 0.13}, tone), light);
     }},
    {"text",
     [](f64 x, f64 y) {
       const f64 line = std::floor(y * 12), v = y * 12 - line, letter = std::floor(x * 20), u = x * 20 - letter;
       const u32 shape = u32(speck(i32(letter), i32(line), 16) * 4096);
       const u32 bit = u32(u * 3) + 3 * u32(v * 5);
       const bool ink = v < 0.8 && u < 0.9 && bit < 12 && (shape >> bit & 1);
       const Tint paper = times({0.95, 0.92, 0.85}, 0.96 + 0.04 * clouds(15 * x, 15 * y, 17));
       return ink ? mix(line == 0 ? Tint{0.7, 0.1, 0.1} : Tint{0.1, 0.1, 0.15}, paper,
                        0.3 * speck(i32(x * 128), i32(y * 128), 18))
                  : paper;
     }},
    {"cave",
     [](f64 x, f64 y) {
       const f64 far = (x - 0.4) * (x - 0.4) + (y - 0.6) * (y - 0.6), torch = 0.02 / (0.02 + far);
       const f64 stone = clouds(7 * x, 7 * y, 19, 6);
       return mix(times({0.1, 0.11, 0.16}, stone), times({0.95, 0.6, 0.25}, 0.4 + 0.6 * stone), torch);
     }},
    {"water",
     [](f64 x, f64 y) {
       const f64 ripple = wave(14 * y + 2 * clouds(5 * x, 9 * y, 20));
       return mix(mix({0.02, 0.2, 0.32}, {0.1, 0.5, 0.55}, y), {0.75, 0.9, 0.9},
                  ripple * ripple * clouds(9 * x, 20 * y, 21) * 0.8);
     }},
    {"lava",
     [](f64 x, f64 y) {
       const f64 heat = smooth(0.35, 0.7, clouds(4 * x, 4 * y, 22, 6));
       return heat < 0.5 ? mix({0.1, 0.06, 0.06}, {0.75, 0.1, 0.02}, heat * 2)
                         : mix({0.75, 0.1, 0.02}, {1, 0.9, 0.3}, heat * 2 - 1);
     }},
    {"metal",
     [](f64 x, f64 y) {
       const f64 u = x * 4 - std::floor(x * 4), v = y * 4 - std::floor(y * 4);
       const f64 edge = smooth(0, 0.06, std::min(std::min(u, 1 - u), std::min(v, 1 - v)));
       const Tint steel = times({0.55, 0.6, 0.66}, 0.7 + 0.25 * (1 - v) + 0.15 * clouds(3 * x, 60 * y, 23));
       return times(mix(steel, {0.5, 0.26, 0.12}, smooth(0.6, 0.75, clouds(6 * x, 6 * y, 24))), 0.3 + 0.7 * edge);
     }},
    {"rainbow",
     [](f64 x, f64 y) {
       const f64 h = 6 * x;
       const auto channel = [&](f64 middle) {
         const f64 d = std::abs(h - middle), round = std::min(d, 6 - d);
         return std::clamp(2 - round, 0.0, 1.0);
       };
       const Tint hue{channel(0), channel(2), channel(4)};
       return y < 0.5 ? mix({1, 1, 1}, hue, y * 2) : mix(hue, {0, 0, 0}, y * 2 - 1);
     }},
    {"grays", [](f64 x, f64 y) { return Tint{(x + y) / 2, (x + y) / 2, (x + y) / 2}; }},
    {"static",
     [](f64 x, f64 y) {
       const i32 ix = i32(x * 256), iy = i32(y * 256);
       return Tint{speck(ix, iy, 25), speck(ix, iy, 26), speck(ix, iy, 27)};
     }},
    {"fog",
     [](f64 x, f64 y) {
       return Tint{0.2 + 0.7 * clouds(2 * x, 2 * y, 28), 0.2 + 0.7 * clouds(2 * x, 2 * y, 29),
                   0.2 + 0.7 * clouds(2 * x, 2 * y, 30)};
     }},
    {"snow",
     [](f64 x, f64 y) {
       const f64 drift = clouds(3 * x, 6 * y, 31);
       return times(mix({0.62, 0.7, 0.88}, {0.99, 0.98, 0.96}, smooth(0.3, 0.65, drift)),
                    0.95 + 0.05 * speck(i32(x * 256), i32(y * 256), 32));
     }},
    {"crate",
     [](f64 x, f64 y) {
       const bool frame = x < 0.12 || x > 0.88 || y < 0.12 || y > 0.88 || std::abs(x - y) < 0.06;
       const f64 grain = clouds(frame ? 6 * x : 40 * x, frame ? 40 * y : 6 * y, 33);
       const f64 sx = (x - 0.68) / 0.14, sy = (y - 0.3) / 0.14;
       if (sx * sx + sy * sy < 1) return times({0.15, 0.3, 0.7}, 0.7 + 0.5 * grain);
       return times(frame ? Tint{0.5, 0.33, 0.17} : Tint{0.66, 0.47, 0.27}, 0.6 + 0.65 * grain);
     }},
};

inline std::vector<Rgb> pixels_of(const Picture& picture, u32 side) {
  std::vector<Rgb> pixels;
  const auto channel = [](f64 x) { return u8(std::clamp(x, 0.0, 1.0) * 255 + 0.5); };
  for (u32 y = 0; y < side; ++y)
    for (u32 x = 0; x < side; ++x) {
      const Tint c = picture.at((x + 0.5) / side, (y + 0.5) / side);
      pixels.push_back({channel(c.r), channel(c.g), channel(c.b)});
    }
  return pixels;
}
inline Colors colors_of(const std::vector<Rgb>& pixels) {
  std::map<Rgb, u32> counts;
  for (const Rgb& c : pixels) ++counts[c];
  Colors colors;
  for (const auto& [color, count] : counts) colors.push_back({color, count});
  return colors;
}

// ---- colours --------------------------------------------------------------------------------------------------------

using PaletteTreePoint = std::array<f64, 3>;  // of a colour in some space

inline PaletteTreePoint srgb_to_light(const Rgb& c) {
  PaletteTreePoint linear;
  for (size_t i = 0; i < 3; ++i) {
    const f64 x = c[i] / 255.0;
    linear[i] = x <= 0.04045 ? x / 12.92 : std::pow((x + 0.055) / 1.055, 2.4);
  }
  return linear;
}
/// Source: Ottosson, A perceptual color space for image processing, 2020.
inline PaletteTreePoint oklab_of(const Rgb& c) {
  const auto [r, g, b] = srgb_to_light(c);
  const f64 l = std::cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const f64 m = std::cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const f64 s = std::cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return {0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s,
          1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s,
          0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s};
}
// ---- methods --------------------------------------------------------------------------------------------------------

/// The display values that 5 bits have, and the nearest of them.
inline constexpr std::array<u8, 32> k_levels = [] {
  std::array<u8, 32> levels{};
  for (u32 i = 0; i < 32; ++i) levels[i] = u8(i << 3 | i >> 2);
  return levels;
}();
inline u8 snapped(f64 x) { return k_levels[size_t(std::clamp(x, 0.0, 255.0) * 31 / 255 + 0.5)]; }
inline Rgb snapped(const std::array<f64, 3>& c) { return {snapped(c[0]), snapped(c[1]), snapped(c[2])}; }

inline Palette ours(const Colors& colors, u32 most) {
  return scene::quantize(colors, {.most_colors = most, .levels = k_levels});
}

/// Heckbert's: the box with the most pixels is cut in two of equal numbers, across its longest side.
inline Palette median_cut(const Colors& colors, u32 most) {
  std::vector<Colors> boxes{colors};
  const auto weight = [](const Colors& box) {
    u64 sum = 0;
    for (const auto& c : box) sum += c.weight;
    return box.size() > 1 ? sum : 0;
  };
  while (boxes.size() < most) {
    const auto box =
        std::max_element(boxes.begin(), boxes.end(), [&](auto& a, auto& b) { return weight(a) < weight(b); });
    if (box->size() < 2) break;
    size_t axis = 0;
    int longest = -1;
    for (size_t i = 0; i < 3; ++i) {
      const auto [low, high] =
          std::minmax_element(box->begin(), box->end(), [i](auto& a, auto& b) { return a.color[i] < b.color[i]; });
      if (high->color[i] - low->color[i] > longest) longest = high->color[i] - low->color[i], axis = i;
    }
    std::sort(box->begin(), box->end(), [axis](auto& a, auto& b) {
      return a.color[axis] != b.color[axis] ? a.color[axis] < b.color[axis] : a.color < b.color;
    });
    u64 half = weight(*box) / 2, seen = 0;
    size_t cut = 0;
    while (cut + 1 < box->size() && (cut == 0 || seen + (*box)[cut].weight <= half)) seen += (*box)[cut++].weight;
    Colors rest(box->begin() + std::ptrdiff_t(cut), box->end());
    box->resize(cut);
    boxes.push_back(std::move(rest));
  }
  Palette palette;
  for (const Colors& box : boxes) {
    std::array<f64, 3> sums{};
    f64 all = 0;
    for (const auto& [color, n] : box) {
      for (size_t i = 0; i < 3; ++i) sums[i] += f64(color[i]) * n;
      all += n;
    }
    palette.push_back(snapped({sums[0] / all, sums[1] / all, sums[2] / all}));
  }
  return palette;
}

/// Ten rounds from colours at even distances in the list, in red, green and blue.
inline Palette k_means_from_even(const Colors& colors, u32 most, bool weighted, auto&& to_word) {
  std::vector<std::array<f64, 3>> centers;
  const size_t count = std::min<size_t>(most, colors.size());
  for (size_t i = 0; i < count; ++i) {
    const Rgb& c = colors[i * colors.size() / count].color;
    centers.push_back({f64(c[0]), f64(c[1]), f64(c[2])});
  }
  for (int round = 0; round < 10; ++round) {
    std::vector<std::array<f64, 4>> sums(count);
    for (const auto& [color, n] : colors) {
      size_t nearest = 0;
      f64 least = 1e9;
      for (size_t i = 0; i < count; ++i) {
        const f64 r = color[0] - centers[i][0], g = color[1] - centers[i][1], b = color[2] - centers[i][2];
        if (const f64 far = r * r + g * g + b * b; far < least) least = far, nearest = i;
      }
      const f64 weight = weighted ? n : 1;
      for (size_t i = 0; i < 3; ++i) sums[nearest][i] += color[i] * weight;
      sums[nearest][3] += weight;
    }
    for (size_t i = 0; i < count; ++i)
      if (sums[i][3] > 0) centers[i] = {sums[i][0] / sums[i][3], sums[i][1] / sums[i][3], sums[i][2] / sums[i][3]};
  }
  Palette palette;
  for (const auto& c : centers) palette.push_back(to_word(c));
  return palette;
}
/// Each colour as often as there are pixels of it, and rounded to 5 bits.
inline Palette k_means(const Colors& colors, u32 most) {
  return k_means_from_even(colors, most, true, [](const auto& c) { return snapped(c); });
}
/// As SplashEdit: each colour once, and cut off to 5 bits. Source: specification of SPLASHPACK, 4.
inline Palette splashedit(const Colors& colors, u32 most) {
  return k_means_from_even(colors, most, false, [](const std::array<f64, 3>& c) {
    return Rgb{k_levels[size_t(c[0]) >> 3], k_levels[size_t(c[1]) >> 3], k_levels[size_t(c[2]) >> 3]};
  });
}

/// As splashedit-ng: colours of 15 bits, by the square roots of their numbers, in Oklab; from the most frequent, then
/// always the one farthest from all before. Source: specification of SPLASHPACK, 4.
inline Palette k_means_in_oklab(const Colors& colors, u32 most) {
  std::map<Rgb, f64> counts;
  for (const auto& [color, n] : colors) counts[snapped({f64(color[0]), f64(color[1]), f64(color[2])})] += n;
  struct Point {
    Rgb color;
    f64 weight;
    PaletteTreePoint at;
  };
  std::vector<Point> points;
  for (const auto& [color, n] : counts) points.push_back({color, std::sqrt(n), oklab_of(color)});
  const auto far = [](const PaletteTreePoint& a, const PaletteTreePoint& b) {
    return (a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) + (a[2] - b[2]) * (a[2] - b[2]);
  };
  Palette palette;
  if (points.size() <= most) {
    for (const Point& p : points) palette.push_back(p.color);
    return palette;
  }
  std::vector<PaletteTreePoint> centers{
      std::max_element(points.begin(), points.end(), [](auto& a, auto& b) { return a.weight < b.weight; })->at};
  std::vector<f64> least(points.size(), 1e9);
  while (centers.size() < most) {
    size_t farthest = 0;
    for (size_t i = 0; i < points.size(); ++i) {
      least[i] = std::min(least[i], far(points[i].at, centers.back()));
      if (least[i] > least[farthest]) farthest = i;
    }
    centers.push_back(points[farthest].at);
  }
  std::vector<std::array<f64, 7>> sums;  // of weights, of Oklab, of display values
  for (int round = 0; round < 16; ++round) {
    sums.assign(most, {});
    for (const Point& p : points) {
      size_t nearest = 0;
      for (size_t i = 1; i < centers.size(); ++i)
        if (far(p.at, centers[i]) < far(p.at, centers[nearest])) nearest = i;
      auto& sum = sums[nearest];
      sum[0] += p.weight;
      for (size_t i = 0; i < 3; ++i) {
        sum[1 + i] += p.weight * p.at[i];
        sum[4 + i] += p.weight * p.color[i];
      }
    }
    for (size_t i = 0; i < most; ++i)
      if (sums[i][0] > 0) centers[i] = {sums[i][1] / sums[i][0], sums[i][2] / sums[i][0], sums[i][3] / sums[i][0]};
  }
  for (const auto& s : sums)
    if (s[0] > 0) palette.push_back(snapped({s[4] / s[0], s[5] / s[0], s[6] / s[0]}));
  return palette;
}

// ---- how far off ----------------------------------------------------------------------------------------------------

/// CIE L*a*b*, white D65.
inline PaletteTreePoint lab_of(const Rgb& c) {
  const auto [r, g, b] = srgb_to_light(c);
  const auto f = [](f64 t) { return t > 216.0 / 24389 ? std::cbrt(t) : (24389.0 / 27 * t + 16) / 116; };
  const f64 x = f((0.4124564 * r + 0.3575761 * g + 0.1804375 * b) / 0.95047);
  const f64 y = f(0.2126729 * r + 0.7151522 * g + 0.0721750 * b);
  const f64 z = f((0.0193339 * r + 0.1191920 * g + 0.9503041 * b) / 1.08883);
  return {116 * y - 16, 500 * (x - y), 200 * (y - z)};
}
/// CIEDE2000. Source: Sharma, Wu and Dalal, The CIEDE2000 Color-Difference Formula, 2005.
inline f64 ciede2000(const PaletteTreePoint& one, const PaletteTreePoint& two) {
  constexpr f64 k_degree = std::numbers::pi / 180;
  const auto seventh = [](f64 c) {
    const f64 c7 = std::pow(c, 7);
    return std::sqrt(c7 / (c7 + 6103515625.0));  // 25 to the power of 7
  };
  const f64 g = 0.5 * (1 - seventh((std::hypot(one[1], one[2]) + std::hypot(two[1], two[2])) / 2));
  const f64 a1 = one[1] * (1 + g), a2 = two[1] * (1 + g), c1 = std::hypot(a1, one[2]), c2 = std::hypot(a2, two[2]);
  const auto hue = [&](f64 a, f64 b) {
    const f64 h = a == 0 && b == 0 ? 0 : std::atan2(b, a) / k_degree;
    return h < 0 ? h + 360 : h;
  };
  const f64 h1 = hue(a1, one[2]), h2 = hue(a2, two[2]);
  const bool gray = c1 * c2 == 0;
  f64 turn = gray ? 0 : h2 - h1;
  if (turn > 180) turn -= 360;
  if (turn < -180) turn += 360;
  f64 h = h1 + h2;
  if (!gray) h = std::abs(h1 - h2) <= 180 ? h / 2 : h < 360 ? (h + 360) / 2 : (h - 360) / 2;
  const f64 light = two[0] - one[0], chroma = c2 - c1, around = 2 * std::sqrt(c1 * c2) * std::sin(turn / 2 * k_degree);
  const f64 l = (one[0] + two[0]) / 2 - 50, c = (c1 + c2) / 2;
  const f64 t = 1 - 0.17 * std::cos((h - 30) * k_degree) + 0.24 * std::cos(2 * h * k_degree) +
                0.32 * std::cos((3 * h + 6) * k_degree) - 0.2 * std::cos((4 * h - 63) * k_degree);
  const f64 sl = 1 + 0.015 * l * l / std::sqrt(20 + l * l), sc = 1 + 0.045 * c, sh = 1 + 0.015 * c * t;
  const f64 rotation = -2 * seventh(c) * std::sin(60 * std::exp(-((h - 275) / 25) * ((h - 275) / 25)) * k_degree);
  const f64 dl = light / sl, dc = chroma / sc, dh = around / sh;
  return std::sqrt(dl * dl + dc * dc + dh * dh + rotation * dc * dh);
}

struct Errors {
  f64 ciede2000 = 0, oklab = 0;  // means over all pixels; 100 is from black to white
  f64 light = 0;                 // root of the mean square, 100 is from black to white
};
/// Each colour is shown by the entry that `choose` gives.
inline Errors errors_of(const Colors& colors, const Palette& palette, auto&& choose) {
  Errors sum;
  f64 pixels = 0;
  for (const auto& [color, n] : colors) {
    const Rgb& entry = palette[choose(color)];
    const PaletteTreePoint a = oklab_of(color), b = oklab_of(entry), one = srgb_to_light(color),
                           two = srgb_to_light(entry);
    sum.ciede2000 += n * ciede2000(lab_of(color), lab_of(entry));
    sum.oklab += n * 100 * std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
    for (size_t i = 0; i < 3; ++i) sum.light += n * (one[i] - two[i]) * (one[i] - two[i]) / 3;
    pixels += n;
  }
  return {sum.ciede2000 / pixels, sum.oklab / pixels, 100 * std::sqrt(sum.light / pixels)};
}
/// Ours chooses as it does; the others get the entry nearest in Oklab, which is more than their makers do for them.
inline Errors errors_of_ours(const Colors& colors, const Palette& palette) {
  const scene::NearestColor nearest(palette);
  return errors_of(colors, palette, [&](const Rgb& c) { return nearest.of(c); });
}
inline Errors errors_of_rival(const Colors& colors, const Palette& palette) {
  std::vector<PaletteTreePoint> places;
  for (const Rgb& c : palette) places.push_back(oklab_of(c));
  return errors_of(colors, palette, [&](const Rgb& c) {
    const PaletteTreePoint at = oklab_of(c);
    size_t best = 0;
    f64 least = 1e9;
    for (size_t i = 0; i < places.size(); ++i) {
      const f64 l = at[0] - places[i][0], a = at[1] - places[i][1], b = at[2] - places[i][2];
      if (const f64 far = l * l + a * a + b * b; far < least) least = far, best = i;
    }
    return best;
  });
}

}  // namespace dio::test
