#include "answers/map_tiles.hpp"

#include <algorithm>
#include <atomic>

#include "bridge/png/png.hpp"
#include "bridge/report/map_page.hpp"
#include "core/json.hpp"

namespace dio {

namespace {

constexpr const char *k_page = "index.html", *k_about = "tiles.json";

std::string tile_path(u32 level, u32 x, u32 y) {
  return std::to_string(level) + '/' + std::to_string(x) + '/' + std::to_string(y) + ".png";
}

/// Which tiles of each level there are: rows of 0 and 1.
using Levels = std::vector<std::vector<std::string>>;
Levels make_empty_tile_rows(const raster::PyramidShape& shape) {
  Levels out(shape.deepest + 1);
  for (u32 z = 0; z <= shape.deepest; ++z) out[z].assign(shape.down(z), std::string(shape.across(z), '0'));
  return out;
}

/// tiles.json.
Value make_tile_json(const std::string& name, const raster::Pyramid& pyramid, const Levels& levels) {
  const raster::PyramidShape& shape = pyramid.shape();
  Value v = Value::object();
  v.add("schema", "diorama.tiles/1");
  v.add("tilejson", "3.0.0");
  v.add("name", name);
  Value& urls = v.add("tiles", Value::list());
  urls.push("{z}/{x}/{y}.png");
  v.add("scheme", "xyz");
  v.add("minzoom", 0);
  v.add("maxzoom", shape.deepest);
  v.add("tile_size", shape.tile);
  v.add("width", shape.width);
  v.add("height", shape.height);
  v.add("map", map_view_json(pyramid.map()));
  if (const auto& grid = pyramid.map().grid; grid && !grid->places.empty() && pyramid.map().pixels_per_tile) {
    Value& places = v.add("places", Value::list());
    for (const auto& p : grid->places) {
      Value& place = places.push(Value::object());
      place.add("name", p.name);
      Value& tiles = place.add("tiles", Value::list());
      for (const u32 n : {p.left, p.top, p.across, p.down}) tiles.push(n);
    }
  }
  Value& all = v.add("levels", Value::list());
  for (const auto& rows : levels) {
    Value& level = all.push(Value::list());
    for (const std::string& row : rows) level.push(row);
  }
  return v;
}

/// One pixel per unit where a tile is a whole number of units.
std::optional<raster::Scale> default_map_scale(const scene::Scene& scene) {
  const auto grid = scene::read_tile_grid(scene);
  if (!grid) return {};
  return raster::parse_map_scale(std::to_string(u32(std::min(grid->tile + 0.5, 1024.0))));
}

}  // namespace

Value map_view_json(const raster::MapView& map) {
  Value v = Value::object();
  const auto add_number_pair = [&](const char* name, auto a, auto b) {
    Value& list = v.add(name, Value::list());
    list.push(a), list.push(b);
  };
  v.add("pixels_per_unit", map.pixels_per_unit);
  add_number_pair("corner", map.west, map.north);
  if (!map.pixels_per_tile || !map.grid) return v;
  v.add("pixels_per_tile", map.pixels_per_tile);
  add_number_pair("tiles", map.grid->across, map.grid->down);
  add_number_pair("first_tile", map.grid->first_x, map.grid->first_z);
  v.add("rows", map.grid->counts_north ? "north" : "south");
  return v;
}

Result<MapTiles> MapTiles::create(const scene::Scene& scene, raster::RenderOptions shot, u32 tile) {
  if (!shot.scale) shot.scale = default_map_scale(scene);
  if (!shot.scale)
    return refuse(make_diagnostic("render.scale", {},
                                  {.message = "the scene has no tiles from which to compute the scale",
                                   .hint = "give a scale in pixels per unit or metre: N/unit or N/m"}));
  auto pyramid = raster::Pyramid::create(scene, shot, tile);
  if (!pyramid) return refuse(std::move(pyramid.error()));
  return MapTiles(scene, std::move(*pyramid));
}

std::vector<std::string> MapTiles::paths() const {
  std::vector<std::string> out = {k_page, k_about};
  for (u32 z = 0; z <= shape().deepest; ++z)
    for (u32 x = 0; x < shape().across(z); ++x)
      for (u32 y = 0; y < shape().down(z); ++y) out.push_back(tile_path(z, x, y));
  return out;
}

Result<Value> MapTiles::write(const FileSink& give, const std::function<void(size_t, size_t)>& progress) const {
  std::atomic<bool> is_ended = false;
  Levels levels = make_empty_tile_rows(shape());
  const auto write_tile = [&](u32 z, u32 x, u32 y, const scene::Image& image) {
    levels[z][y][x] = '1';  // a character of its own for each tile, whichever thread draws it
    const bool goes_on = give(tile_path(z, x, y), png::write_png(image));
    if (!goes_on) is_ended = true;
    return goes_on;
  };
  if (auto drawn = pyramid_.draw(write_tile, progress); !drawn) return refuse(std::move(drawn.error()));
  Value value = make_tile_json(scene_->name, pyramid_, levels);
  if (is_ended || !give(k_page, as_bytes(report::map_page(value))) ||
      !give(k_about, as_bytes(json::write(value) + '\n')))
    return Value();
  return value;
}

bool MapTiles::is_tile(std::string_view path) {
  // LEVEL/X/Y.png
  const auto is_number = [](std::string_view s) {
    return !s.empty() && s.size() < 8 && s.find_first_not_of("0123456789") == s.npos;
  };
  const size_t first = path.find('/'), second = path.find('/', first + 1);
  if (first == path.npos || second == path.npos || !path.ends_with(".png")) return false;
  return is_number(path.substr(0, first)) && is_number(path.substr(first + 1, second - first - 1)) &&
         is_number(path.substr(second + 1, path.size() - second - 5));
}

}  // namespace dio
