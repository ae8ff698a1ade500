#include "bridge/raster/map_view.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace dio::raster {

using namespace scene;

std::optional<Scale> parse_map_scale(std::string_view text) {
  Scale out;
  const size_t slash = text.find('/');
  const std::string number(text.substr(0, slash));
  const std::string_view per = slash == text.npos ? "tile" : text.substr(slash + 1);
  if (per == "unit")
    out.per = Scale::ScaleUnit::unit;
  else if (per == "m")
    out.per = Scale::ScaleUnit::metre;
  else if (per != "tile")
    return {};
  if (number.empty() || number.find_first_not_of("0123456789.eE-") != number.npos) return {};
  char* end = nullptr;
  out.pixels = std::strtod(number.c_str(), &end);
  if (end != number.c_str() + number.size() || !std::isfinite(out.pixels) || !(out.pixels > 0)) return {};
  if (out.per == Scale::ScaleUnit::tile && (out.pixels > 1024 || out.pixels != std::floor(out.pixels))) return {};
  return out;
}

Result<MapView> compute_map_view(const Scene& scene, const Pose& pose, const Scale& scale) {
  MapView out;
  out.grid = read_tile_grid(scene);
  const Bounds all = compute_bounds(scene, pose).value_or(Bounds{});
  switch (scale.per) {
    case Scale::ScaleUnit::tile:
      if (!out.grid)
        return refuse(
            "render.scale", {},
            {.message = "{--scale N} means pixels per tile, but the scene has no tiles",
             .hint = "give the scale per unit of the file ({--scale 0.05/unit}) or per metre ({--scale 20/m})"});
      out.pixels_per_unit = scale.pixels / out.grid->tile;
      out.pixels_per_tile = u32(scale.pixels);
      break;
    case Scale::ScaleUnit::unit:
      out.pixels_per_unit = scale.pixels;
      break;
    case Scale::ScaleUnit::metre:
      out.pixels_per_unit = scale.pixels * f64(scene.metres_per_unit);
      break;
  }
  f64 width, height;
  if (out.grid) {
    // A number that is whole except for rounding becomes that whole number.
    const auto pixels = [&](u32 tiles) {
      return out.pixels_per_tile ? f64(tiles) * out.pixels_per_tile
                                 : std::ceil(tiles * out.grid->tile * out.pixels_per_unit - 1e-6);
    };
    width = pixels(out.grid->across), height = pixels(out.grid->down);
    out.west = out.grid->west, out.north = out.grid->north;
  } else {
    const f64 left = std::floor(all.low[0] * out.pixels_per_unit), top = std::floor(all.low[2] * out.pixels_per_unit);
    width = std::ceil(all.high[0] * out.pixels_per_unit) - left;
    height = std::ceil(all.high[2] * out.pixels_per_unit) - top;
    out.west = left / out.pixels_per_unit, out.north = top / out.pixels_per_unit;
  }
  if (!(width <= k_most_pixels_in_windows) || !(height <= k_most_pixels_in_windows))
    return refuse(
        "render.size", {},
        {.message = "at this scale the map is more than " + std::to_string(k_most_pixels_in_windows) + " pixels across",
         .hint = "choose a smaller scale"});
  width = std::max(width, 1.0), height = std::max(height, 1.0);
  out.width = u32(width), out.height = u32(height);
  const Bounds shown{{out.west, all.low[1], out.north},
                     {out.west + width / out.pixels_per_unit, all.high[1], out.north + height / out.pixels_per_unit}};
  out.view = make_top_view(shown, width / height);
  return out;
}

}  // namespace dio::raster
