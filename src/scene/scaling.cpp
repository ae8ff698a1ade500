#include "scene/scaling.hpp"

#include <algorithm>

#include "scene/srgb_tables.hpp"

namespace dio::scene {
namespace {

/// The source pixels covered by a pixel, in units of 1 / `to` of a source pixel.
struct Span {
  u64 first, end;  // of source pixels
  u64 from, until;
  Span(u64 at, u64 source, u64 to)
      : first(at * source / to), end(((at + 1) * source + to - 1) / to), from(at * source), until((at + 1) * source) {}
  u64 weight(u64 pixel, u64 to) const { return std::min(until, (pixel + 1) * to) - std::max(from, pixel * to); }
};

}  // namespace

Image resize_image(const Image& image, u32 width, u32 height) {
  if (image.width == width && image.height == height) return to_rgba(image);
  Image out{image.name, width, height, 8, {}, {}};
  out.pixels.reserve(size_t(width) * height * 4);
  for (u32 y = 0; y < height; ++y) {
    const Span rows(y, image.height, height);
    for (u32 x = 0; x < width; ++x) {
      const Span columns(x, image.width, width);
      // The sums stay below 2^14 * 2^14 * 2^8 * 2^16.
      u64 area = 0, opaque = 0;
      std::array<u64, 3> light{};
      for (u64 from_y = rows.first; from_y < rows.end; ++from_y)
        for (u64 from_x = columns.first; from_x < columns.end; ++from_x) {
          const Rgba c = color_of(image, u32(from_x), u32(from_y));
          const u64 weight = rows.weight(from_y, height) * columns.weight(from_x, width);
          area += weight;
          opaque += weight * c[3];
          for (size_t i = 0; i < 3; ++i) light[i] += weight * c[3] * srgb_to_light(c[i]);
        }
      for (const u64 sum : light)
        out.pixels.push_back(opaque ? light_to_srgb(u32((sum + opaque / 2) / opaque)) : u8(0));
      out.pixels.push_back(u8((opaque + area / 2) / area));
    }
  }
  return out;
}

}  // namespace dio::scene
