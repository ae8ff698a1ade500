#include "scene/indexed.hpp"

#include <algorithm>
#include <unordered_map>

#include "core/sorting.hpp"
#include "scene/quantize.hpp"

namespace dio::scene {
namespace {

constexpr u32 k_clear = 1u << 24;  // no colour has it

/// The colour of a pixel as one number.
u32 pack_color_key(const Rgba& c) { return c[3] < 128 ? k_clear : u32(c[0]) << 16 | u32(c[1]) << 8 | c[2]; }
Rgb color_of_key(u32 key) { return {u8(key >> 16), u8(key >> 8), u8(key)}; }

/// Calls `take(x, y, key)` for each pixel.
void for_each_pixel(const Image& image, auto&& take) {
  for (u32 y = 0; y < image.height; ++y)
    for (u32 x = 0; x < image.width; ++x) take(x, y, pack_color_key(color_of(image, x, y)));
}

/// The number of occurrences of each colour, including the transparent one. A run of one colour is looked up once.
std::unordered_map<u32, u64> count_colors(std::span<const Image> images) {
  std::unordered_map<u32, u64> out;
  u32 last = k_clear;
  u64 run = 0;
  for (const Image& image : images)
    for_each_pixel(image, [&](u32, u32, u32 key) {
      if (key == last) {
        ++run;
        return;
      }
      if (run) out[last] += run;
      last = key, run = 1;
    });
  if (run) out[last] += run;
  return out;
}

/// -31 to 32 in an order in which neighbours differ most (Bayer, An optimum method for two-level rendition, 1973).
i32 bayer_threshold(u32 x, u32 y) {
  u32 out = 0;
  for (u32 bit = 0; bit < 3; ++bit) {
    const u32 a = (x >> bit & 1) ^ (y >> bit & 1), b = y >> bit & 1;
    out |= (a << 1 | b) << (4 - 2 * bit);
  }
  return i32(out) - 31;
}

}  // namespace

std::vector<Image> convert_to_indexed(std::span<const Image> images, const IndexOptions& options) {
  std::unordered_map<u32, u64> counts = count_colors(images);
  const bool has_clear = options.has_clear || counts.contains(k_clear);
  counts.erase(k_clear);
  std::vector<std::pair<u32, u64>> colors(counts.begin(), counts.end());
  sort_stably(colors);  // the order of the map depends on the standard library
  const size_t most = std::max<size_t>(options.most_colors, 2) - has_clear;
  const bool is_exact = colors.size() <= most;

  std::vector<Rgb> palette;
  if (is_exact) {
    for (const auto& [key, n] : colors) palette.push_back(color_of_key(key));
  } else {
    u64 all = 0;
    for (const auto& [key, n] : colors) all += n;
    const u64 unit = all / 0xffffffffu + 1;
    std::vector<WeightedColor> weighted;
    for (const auto& [key, n] : colors) weighted.push_back({color_of_key(key), u32(std::max<u64>(n / unit, 1))});
    palette = quantize(weighted, {.most_colors = u32(most)});
  }
  if (palette.empty()) palette.push_back({0, 0, 0});

  const NearestColor nearest(palette);
  // Cached results: for exact colours one each, for dithered ones the nearest of 64 steps.
  std::unordered_map<u32, u8> known;
  std::vector<i16> coarse;
  const bool dithers = options.dither && !is_exact;
  i32 strength = 0;  // of the pattern, in 1/32 of a display value: about the distance between palette colours
  u64 error = 0, weight = 0;
  for (const auto& [key, n] : colors) {
    const Rgb c = color_of_key(key);
    const size_t at = nearest.of(c);
    known[key] = u8(at);
    for (size_t i = 0; i < 3; ++i) error += n * u64(std::abs(i32(c[i]) - i32(palette[at][i])));
    weight += 3 * n;
  }
  if (dithers) {
    strength = i32(std::min<u64>(weight ? 2 * error / weight + 1 : 0, 24));
    coarse.assign(size_t(1) << 18, -1);
  }
  const auto index = [&](u32 x, u32 y, u32 key) -> u8 {
    if (!dithers) return known[key];
    const i32 shift = bayer_threshold(x, y) * strength / 32;
    Rgb wanted = color_of_key(key);
    for (u8& c : wanted) c = u8(std::clamp(i32(c) + shift, 0, 255));
    i16& at = coarse[size_t(wanted[0] >> 2) << 12 | size_t(wanted[1] >> 2) << 6 | wanted[2] >> 2];
    if (at < 0) {
      // The middle of the step, so that no channel gets darker; white stays white.
      for (u8& c : wanted) c = u8((c & ~3) * 255 / 252);
      at = i16(nearest.of(wanted));
    }
    return u8(at);
  };

  std::vector<Image> out;
  for (const Image& image : images) {
    Image picture{image.name, image.width, image.height, 8, {}, {}};
    if (has_clear) picture.palette.push_back({0, 0, 0, 0});
    for (const Rgb& c : palette) picture.palette.push_back({c[0], c[1], c[2], 255});
    picture.pixels.reserve(size_t(image.width) * image.height);
    for_each_pixel(image, [&](u32 x, u32 y, u32 key) {
      picture.pixels.push_back(key == k_clear ? u8(0) : u8(index(x, y, key) + has_clear));
    });
    out.push_back(std::move(picture));
  }
  return out;
}

}  // namespace dio::scene
