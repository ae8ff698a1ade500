// dio render --tiles: a map from above as a folder of small pictures at several sizes, with a page that shows it.
#include <atomic>
#include <filesystem>
#include <mutex>
#include <set>

#include "../../command_line/print.hpp"
#include "../../command_line/progress.hpp"
#include "../../command_line/text.hpp"
#include "../../files/folders.hpp"
#include "../../output/new_folder.hpp"
#include "../../output/results.hpp"
#include "bridge/png/png.hpp"
#include "bridge/raster/pyramid.hpp"
#include "bridge/report/map_page.hpp"
#include "render.hpp"

namespace dio::cli {
namespace {

std::string path_of(u32 level, u32 x, u32 y) {
  return std::to_string(level) + '/' + std::to_string(x) + '/' + std::to_string(y) + ".png";
}

/// Which tiles of each level there are: rows of 0 and 1.
using Levels = std::vector<std::vector<std::string>>;
Levels no_tiles(const raster::PyramidShape& shape) {
  Levels out(shape.deepest + 1);
  for (u32 z = 0; z <= shape.deepest; ++z) out[z].assign(shape.down(z), std::string(shape.across(z), '0'));
  return out;
}

/// tiles.json: TileJSON 3.0.0 as far as it knows maps that are not of the earth, and what one needs beyond it.
Value about(const std::string& name, const raster::Pyramid& pyramid, const Levels& levels) {
  const raster::PyramidShape& shape = pyramid.shape();
  Value v = described_by("diorama.tiles/1");
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
  v.add("map", described_map(pyramid.map()));
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
std::optional<raster::Scale> usual_scale(const scene::Scene& scene) {
  const auto grid = scene::tile_grid_of(scene);
  if (!grid) return {};
  return raster::scale_in(std::to_string(u32(std::min(grid->tile + 0.5, 1024.0))));
}

bool is_number(const std::string& name) {
  return !name.empty() && name.size() < 8 && name.find_first_not_of("0123456789") == name.npos;
}

/// The tiles in a folder that has been written by --tiles, by their paths below it.
std::vector<std::string> tiles_in(const std::string& folder) {
  namespace fs = std::filesystem;
  const auto about = read_regular_file((fs::path(folder) / "tiles.json").string());
  if (!about) return {};
  const std::string_view text(reinterpret_cast<const char*>(about->data()), about->size());
  if (text.find("\"diorama.tiles/1\"") == text.npos) return {};
  std::error_code error;
  std::vector<std::string> out;
  for (const std::string& file : files_in(folder, true, error)) {
    const fs::path path = fs::path(file).lexically_relative(folder);
    std::vector<std::string> parts;
    for (const fs::path& part : path) parts.push_back(part.string());
    if (parts.size() == 3 && is_number(parts[0]) && is_number(parts[1]) && path.extension() == ".png" &&
        is_number(path.stem().string()))
      out.push_back(path.generic_string());
  }
  return out;
}

/// Those of an earlier map, which was larger or lay elsewhere: a page would show both.
void remove_old_tiles(const std::string& folder, const std::vector<std::string>& before, const Levels& levels) {
  namespace fs = std::filesystem;
  std::set<std::string> now;
  for (u32 z = 0; z < levels.size(); ++z)
    for (u32 y = 0; y < levels[z].size(); ++y)
      for (u32 x = 0; x < levels[z][y].size(); ++x)
        if (levels[z][y][x] == '1') now.insert(path_of(z, x, y));
  for (const std::string& path : before) {
    if (now.contains(path)) continue;
    std::error_code error;
    const fs::path file = fs::path(folder) / path;
    fs::remove(file, error);
    for (fs::path in : {file.parent_path(), file.parent_path().parent_path()})
      if (fs::is_empty(in, error) && !error) fs::remove(in, error);
  }
}

}  // namespace

Value described_map(const raster::MapView& map) {
  Value v = Value::object();
  const auto pair = [&](const char* name, auto a, auto b) {
    Value& list = v.add(name, Value::list());
    list.push(a), list.push(b);
  };
  v.add("pixels_per_unit", map.pixels_per_unit);
  pair("corner", map.west, map.north);
  if (!map.pixels_per_tile || !map.grid) return v;
  v.add("pixels_per_tile", map.pixels_per_tile);
  pair("tiles", map.grid->across, map.grid->down);
  pair("first_tile", map.grid->first_x, map.grid->first_z);
  v.add("rows", map.grid->counts_north ? "north" : "south");
  return v;
}

void render_tiles(const Request& request, const std::string& name, const scene::Scene& scene, Wanted wanted,
                  Report& report) {
  wanted.shot.options.each = on_all_processors(request);
  if (!wanted.shot.scale) wanted.shot.scale = usual_scale(scene);
  if (!wanted.shot.scale)
    return fail_usage(report, request,
                      name + ": the scene has no tiles to count pixels by; give --scale N/unit or N/m");
  const auto pyramid = raster::Pyramid::of(scene, wanted.shot, wanted.tiles);
  if (!pyramid) return fail(report, request, in_file(pyramid.error(), name));
  const raster::PyramidShape& shape = pyramid->shape();

  std::vector<std::string> paths = {"index.html", "tiles.json"};
  for (u32 z = 0; z <= shape.deepest; ++z)
    for (u32 x = 0; x < shape.across(z); ++x)
      for (u32 y = 0; y < shape.down(z); ++y) paths.push_back(path_of(z, x, y));
  const std::string size = std::to_string(shape.width) + " x " + std::to_string(shape.height) +
                           " pixels, levels 0 to " + std::to_string(shape.deepest);
  NewFolder folder(request.output, request.overwrite);
  if (auto problem = folder.obstacle(paths)) return fail(report, request, *problem);
  if (request.dry_run) {
    report.err +=
        "would write " + request.output + " (" + size + ", up to " + counted(paths.size(), "file", "files") + ")\n";
    return;
  }
  if (auto problem = folder.begin(paths)) return fail(report, request, *problem);

  Progress progress(request, true);
  std::mutex mutex;
  std::optional<Diagnostic> problem;
  Levels levels = no_tiles(shape);
  std::atomic<u64> bytes = 0, files = 0;
  const auto give = [&](u32 z, u32 x, u32 y, const scene::Image& image) {
    const Bytes file = png::write_png(image);
    auto failed = folder.write(path_of(z, x, y), file);
    const std::lock_guard lock(mutex);
    if (failed) {
      if (!problem) problem = std::move(failed);
      return false;
    }
    levels[z][y][x] = '1';
    bytes += file.size(), ++files;
    return true;
  };
  const auto drawn = pyramid->draw(give, [&](size_t done, size_t all) {
    const std::lock_guard lock(mutex);
    progress.show(std::to_string(done) + '/' + std::to_string(all) + " pieces, " + counted(files, "tile", "tiles"));
  });
  progress.clear();
  if (!drawn) return fail(report, request, in_file(drawn.error(), name));

  const Value value = about(scene.name, *pyramid, levels);
  const std::string page = report::map_page(value), json = json_text(value);
  for (const auto& [path, text] : {std::pair("index.html", &page), std::pair("tiles.json", &json)}) {
    if (!problem) problem = folder.write(path, as_bytes(*text));
    bytes += text->size(), ++files;
  }
  const std::vector<std::string> before = tiles_in(request.output);
  if (!problem) problem = folder.finish();
  if (problem) return fail(report, request, *problem);
  remove_old_tiles(request.output, before, levels);
  if (request.json) report.out += json_text(value, true);
  if (!request.quiet)
    report.err += "wrote " + request.output + " (" + size + "; " + counted(files, "file", "files") + ", " +
                  counted(bytes, "byte", "bytes") + ")\n";
}

}  // namespace dio::cli
