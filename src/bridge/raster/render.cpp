#include "bridge/raster/render.hpp"

#include <algorithm>
#include <cstring>

#include "bridge/raster/surface.hpp"
#include "bridge/raster/triangles.hpp"
#include "scene/light.hpp"

namespace dio::raster {

using namespace scene;

namespace {

/// Pixels of a tile along an axis, before supersampling: colour and depth of one stay in the cache.
constexpr i32 k_tile = 64;

/// The average of each pixel's samples, in linear light, each as much as it covers.
void average(const std::vector<Rgba>& samples, i32 pitch, i32 width, i32 height, i32 n, u8* out, size_t out_pitch) {
  for (i32 y = 0; y < height; ++y)
    for (i32 x = 0; x < width; ++x) {
      u64 light[3] = {}, cover = 0;
      for (i32 v = 0; v < n; ++v) {
        const Rgba* row = samples.data() + size_t((y * n + v) * pitch + x * n);
        for (i32 u = 0; u < n; ++u) {
          const u32 alpha = row[u][3];
          for (size_t c = 0; c < 3; ++c) light[c] += u64(light_of(row[u][c])) * alpha;
          cover += alpha;
        }
      }
      u8* to = out + size_t(y) * out_pitch + size_t(x) * 4;
      for (size_t c = 0; c < 3; ++c) to[c] = cover ? to_display(u32((light[c] + cover / 2) / cover)) : 0;
      const u64 all = u64(n) * u64(n);
      to[3] = u8((cover + all / 2) / all);
    }
}

}  // namespace

Result<Image> render(const Scene& scene, const Pose& pose, const View& view, const Options& options) {
  const u32 n = std::clamp(options.samples, 1u, 8u);
  if (!options.width || !options.height || options.width > k_most_pixels_across ||
      options.height > k_most_pixels_across || u64(options.width) * options.height > (u64(1) << 28))
    return refuse(
        "render.size", {},
        {.message = "the picture would have " + std::to_string(options.width) + " x " + std::to_string(options.height) +
                    " pixels; at most " + std::to_string(k_most_pixels_across) +
                    " on each side, and 268435456 in all, are possible"});
  Image out;
  out.name = scene.name;
  out.width = options.width;
  out.height = options.height;
  out.pixels.resize(size_t(out.width) * out.height * 4);

  const Target target{i32(options.width * n), i32(options.height * n), options.line_width * f32(n),
                      options.point_size * f32(n)};
  const Surfaces surfaces(scene, pose);
  const Triangles triangles = triangles_of(scene, pose, view, surfaces, target);

  // Which triangles touch which tile, in the order in which they are drawn.
  const i32 side = k_tile * i32(n);
  const i32 across = (target.width + side - 1) / side, down = (target.height + side - 1) / side;
  std::vector<std::vector<u32>> bins(size_t(across) * size_t(down));
  for (const u32 i : triangles.order) {
    const Box box = triangles.box_of(i);
    const i32 left = std::max(box.left, 0) / side, right = std::min(box.right, target.width - 1) / side;
    const i32 top = std::max(box.top, 0) / side, bottom = std::min(box.bottom, target.height - 1) / side;
    if (box.right < 0 || box.bottom < 0) continue;
    for (i32 y = top; y <= bottom; ++y)
      for (i32 x = left; x <= right; ++x) bins[size_t(y * across + x)].push_back(i);
  }

  const Rgba background = to_display(options.background);
  const auto draw_tile = [&](size_t index) {
    const i32 x = i32(index) % across * side, y = i32(index) / across * side;
    Tile tile{x, y, std::min(side, target.width - x), std::min(side, target.height - y), {}, {}};
    tile.color.assign(size_t(tile.width) * size_t(tile.height), background);
    tile.depth.assign(tile.color.size(), 0);
    for (const u32 i : bins[index]) draw(triangles, i, surfaces, tile);
    const i32 px = x / i32(n), py = y / i32(n), width = tile.width / i32(n), height = tile.height / i32(n);
    u8* first = out.pixels.data() + (size_t(py) * out.width + size_t(px)) * 4;
    const size_t pitch = size_t(out.width) * 4;
    if (n > 1) return average(tile.color, tile.width, width, height, i32(n), first, pitch);
    for (i32 row = 0; row < height; ++row)
      std::memcpy(first + size_t(row) * pitch, tile.color.data() + size_t(row) * size_t(tile.width), size_t(width) * 4);
  };
  if (options.each)
    options.each(bins.size(), draw_tile);
  else
    for (size_t i = 0; i < bins.size(); ++i) draw_tile(i);
  return out;
}

}  // namespace dio::raster
