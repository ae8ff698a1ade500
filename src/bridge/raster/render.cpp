#include "bridge/raster/render.hpp"

#include <algorithm>
#include <cstring>

#include "bridge/raster/surface.hpp"
#include "bridge/raster/triangles.hpp"
#include "scene/srgb_tables.hpp"

namespace dio::raster {

using namespace scene;

namespace {

/// Pixels of a tile along an axis, before supersampling: the colours and depths of a tile fit in the cache.
constexpr i32 k_tile = 64;

/// The average of the samples of each pixel, in linear light, weighted by coverage.
void average_samples(const Rgba* samples, i32 pitch, i32 width, i32 height, i32 n, u8* out, size_t out_pitch) {
  for (i32 y = 0; y < height; ++y)
    for (i32 x = 0; x < width; ++x) {
      u64 light[3] = {}, cover = 0;
      for (i32 v = 0; v < n; ++v) {
        const Rgba* row = samples + size_t(y * n + v) * size_t(pitch) + size_t(x * n);
        for (i32 u = 0; u < n; ++u) {
          const u32 alpha = row[u][3];
          for (size_t c = 0; c < 3; ++c) light[c] += u64(srgb_to_light(row[u][c])) * alpha;
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

namespace {

/// Why a part of a picture cannot have this many samples; nothing if it can.
std::optional<Diagnostic> check_samples(const Window& window, u32 across) {
  const u64 each = u64(across) * across, all = u64(window.width) * window.height * each;
  if (all <= k_most_samples) return {};
  return make_diagnostic(
      Severity::error, "render.size", {},
      {.message = "the picture would take " + std::to_string(all) + " samples, " + std::to_string(each) +
                  " for each of " + std::to_string(window.width) + " x " + std::to_string(window.height) +
                  " pixels; the limit is " + std::to_string(k_most_samples),
       .hint = "choose a smaller {--size}, or {--samples 1}, 2 or 3"});
}

}  // namespace

std::optional<Diagnostic> check_picture_size(u64 width, u64 height, u32 most_across) {
  constexpr u64 k_most_pixels = u64(1) << 28;
  const bool is_window = most_across > k_most_pixels_across;
  if (width && height && std::max(width, height) <= most_across && (is_window || width * height <= k_most_pixels))
    return {};
  return make_diagnostic(Severity::error, "render.size", {},
                         {.message = "the picture would have " + std::to_string(width) + " x " +
                                     std::to_string(height) + " pixels; the limit is " + std::to_string(most_across) +
                                     " on each side and " + std::to_string(k_most_pixels) + " pixels in total"});
}

Result<Image> render(const Scene& scene, const Pose& pose, const View& view, const Options& options) {
  const bool is_console = options.look != ShadingStyle::plain;
  const u32 n = is_console ? 1 : std::clamp(options.samples, 1u, 8u);
  const Window window = options.window.value_or(Window{0, 0, options.width, options.height});
  const u32 most = options.window ? k_most_pixels_in_windows : k_most_pixels_across;
  if (auto fault = check_picture_size(options.width, options.height, most)) return refuse(*std::move(fault));
  if (auto fault = check_picture_size(window.width, window.height)) return refuse(*std::move(fault));
  if (auto fault = check_samples(window, n)) return refuse(*std::move(fault));
  if (u64(window.left) + window.width > options.width || u64(window.top) + window.height > options.height)
    return refuse("render.size", {}, {.message = "the part to draw extends beyond the picture"});
  Image out;
  out.name = scene.name;
  out.width = window.width;
  out.height = window.height;
  out.pixels.resize(size_t(out.width) * out.height * 4);

  const Target target{i32(options.width * n), i32(options.height * n), options.look, options.line_width * f32(n),
                      options.point_size * f32(n)};
  const Surfaces surfaces(scene, pose, options.look);
  const Triangles triangles = triangles_of(scene, pose, view, surfaces, target);

  // The triangles that touch each tile, in drawing order. Tiles belong to the whole picture, so that a window has the
  // same pixels.
  const i32 side = k_tile * i32(n);
  const i32 first_x = i32(window.left) / k_tile, first_y = i32(window.top) / k_tile;
  const i32 last_x = i32(window.left + window.width - 1) / k_tile;
  const i32 last_y = i32(window.top + window.height - 1) / k_tile;
  const i32 across = last_x - first_x + 1, down = last_y - first_y + 1;
  std::vector<std::vector<u32>> bins(size_t(across) * size_t(down));
  for (const u32 i : triangles.order) {
    Box box = triangles.pixel_bounds(i);
    // Smoothed edges affect neighbouring pixels, and marked edges depend on these.
    if (is_console) box.left -= 2, box.top -= 2, box.right += 2, box.bottom += 2;
    if (box.right < 0 || box.bottom < 0) continue;
    const i32 left = std::max(box.left / side, first_x), right = std::min(box.right / side, last_x);
    const i32 top = std::max(box.top / side, first_y), bottom = std::min(box.bottom / side, last_y);
    for (i32 y = top; y <= bottom; ++y)
      for (i32 x = left; x <= right; ++x) bins[size_t((y - first_y) * across + x - first_x)].push_back(i);
  }

  const Rgba background = to_display(options.background);
  ScreenEffects effects = read_screen_effects(scene);
  if (!view.is_of_scene) effects.fog.reset(), effects.fog_table.reset();
  const auto draw_tile = [&](size_t index) {
    const i32 x = (i32(index) % across + first_x) * side, y = (i32(index) / across + first_y) * side;
    Tile tile{{x, y, std::min(side, target.width - x), std::min(side, target.height - y)}, {}, {}};
    if (is_console) {
      const Area whole{0, 0, target.width, target.height};
      const ConsoleTile on_console{tile, whole, bins[index], background, effects, options.samples > 1};
      tile.color = options.look == ShadingStyle::ds ? draw_ds(triangles, surfaces, on_console)
                                                    : draw_psx(triangles, surfaces, on_console);
    } else {
      tile.color.assign(size_t(tile.width) * size_t(tile.height), background);
      tile.depth.assign(tile.color.size(), 0);
      for (const u32 i : bins[index]) draw(triangles, i, surfaces, effects, tile);
    }
    // The part of the tile inside the window, in pixels of the tile.
    const i32 at_x = x / i32(n) - i32(window.left), at_y = y / i32(n) - i32(window.top);
    const i32 left = std::max(0, -at_x), right = std::min(tile.width / i32(n), i32(window.width) - at_x);
    const i32 top = std::max(0, -at_y), bottom = std::min(tile.height / i32(n), i32(window.height) - at_y);
    u8* first = out.pixels.data() + (size_t(at_y + top) * out.width + size_t(at_x + left)) * 4;
    const Rgba* from = tile.color.data() + size_t(top) * n * size_t(tile.width) + size_t(left) * n;
    const size_t pitch = size_t(out.width) * 4;
    if (n > 1) return average_samples(from, tile.width, right - left, bottom - top, i32(n), first, pitch);
    for (i32 row = 0; row < bottom - top; ++row)
      std::memcpy(first + size_t(row) * pitch, from + size_t(row) * size_t(tile.width), size_t(right - left) * 4);
  };
  if (options.each)
    options.each(bins.size(), draw_tile);
  else
    for (size_t i = 0; i < bins.size(); ++i) draw_tile(i);
  return out;
}

Image downsample(const Image& image, u32 n) {
  Image out;
  out.name = image.name;
  out.width = image.width / n, out.height = image.height / n;
  out.pixels.resize(size_t(out.width) * out.height * 4);
  static_assert(sizeof(Rgba) == 4 && alignof(Rgba) == 1);
  const auto* pixels = reinterpret_cast<const Rgba*>(image.pixels.data());
  average_samples(pixels, i32(image.width), i32(out.width), i32(out.height), i32(n), out.pixels.data(),
                  size_t(out.width) * 4);
  return out;
}

}  // namespace dio::raster
