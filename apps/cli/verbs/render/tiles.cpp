// dio render --tiles: a map from above as a folder of small pictures at several sizes, with a page that shows it.
#include <atomic>
#include <mutex>
#include <set>

#include "../../command_line/print.hpp"
#include "../../command_line/progress.hpp"
#include "../../command_line/text.hpp"
#include "../../files/folders.hpp"
#include "../../output/new_folder.hpp"
#include "../../output/results.hpp"
#include "../../system/filesystem.hpp"
#include "answers/map_tiles.hpp"
#include "render.hpp"

namespace dio::cli {
namespace {

/// The tiles in a folder that has been written by --tiles, by their paths below it.
std::vector<std::string> list_existing_tiles(const std::string& folder) {
  const auto about = read_regular_file((fs::path(folder) / "tiles.json").string());
  if (!about) return {};
  const std::string_view text(reinterpret_cast<const char*>(about->data()), about->size());
  if (text.find("\"diorama.tiles/1\"") == text.npos) return {};
  std::error_code error;
  std::vector<std::string> out;
  for (const std::string& file : list_files(folder, true, error)) {
    const std::string path = fs::path(file).lexically_relative(folder).generic_string();
    if (MapTiles::is_tile(path)) out.push_back(path);
  }
  return out;
}

/// Those of an earlier map, which was larger or lay elsewhere: a page would show both.
void remove_old_tiles(const std::string& folder, const std::vector<std::string>& before,
                      const std::set<std::string>& now) {
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

void render_tiles(const Request& request, const std::string& name, const scene::Scene& scene, RenderRequest wanted,
                  Report& report) {
  wanted.shot.options.each = make_parallel_for(request);
  const auto tiles = MapTiles::create(scene, wanted.shot, wanted.tiles);
  if (!tiles) {
    Diagnostic d = tiles.error();
    if (d.id == "render.scale" && !wanted.shot.scale)
      return report_usage_error(report, request, name + ": " + d.message + "; add --scale N/unit or --scale N/m");
    return report_error(report, request, in_file(std::move(d), name));
  }
  const raster::PyramidShape& shape = tiles->shape();

  const std::vector<std::string> paths = tiles->paths();
  const std::string size = std::to_string(shape.width) + " x " + std::to_string(shape.height) +
                           " pixels, levels 0 to " + std::to_string(shape.deepest);
  NewFolder folder(request.output, request.overwrite);
  if (auto problem = folder.find_obstacle(paths)) return report_error(report, request, *problem);
  if (request.dry_run) {
    report.err += "would write " + request.output + " (" + size + ", up to " +
                  format_count(paths.size(), "file", "files") + ")\n";
    return;
  }
  if (auto problem = folder.begin(paths)) return report_error(report, request, *problem);

  Progress progress(request, true);
  std::mutex mutex;
  std::optional<Diagnostic> problem;
  std::set<std::string> written;
  std::atomic<u64> bytes = 0, files = 0;
  const auto write_tile = [&](const std::string& path, ByteView file) {
    auto failed = folder.write(path, file);
    const std::lock_guard lock(mutex);
    if (failed) {
      if (!problem) problem = std::move(failed);
      return false;
    }
    written.insert(path);
    bytes += file.size(), ++files;
    return true;
  };
  const auto about = tiles->write(write_tile, [&](size_t done, size_t all) {
    const std::lock_guard lock(mutex);
    progress.show(std::to_string(done) + '/' + std::to_string(all) + " pieces, " +
                  format_count(files, "tile", "tiles"));
  });
  progress.clear();
  if (!about) return report_error(report, request, in_file(about.error(), name));
  const std::vector<std::string> before = list_existing_tiles(request.output);
  if (!problem) problem = folder.finish();
  if (problem) return report_error(report, request, *problem);
  remove_old_tiles(request.output, before, written);
  if (request.json) report.out += json_text(*about, true);
  if (!request.quiet)
    report.err += "wrote " + request.output + " (" + size + "; " + format_count(files, "file", "files") + ", " +
                  format_count(bytes, "byte", "bytes") + ")\n";
}

}  // namespace dio::cli
