// pictures.cpp: pictures of diorama.h: of files, scenes and many files at once, plans, maps as tiles.
#include "formats/contract/pictures.hpp"

#include <bit>

#include "answers/map_tiles.hpp"
#include "bridge/gif/gif.hpp"
#include "bridge/png/png.hpp"
#include "bridge/raster/thumbnail.hpp"
#include "bridge/svg/plan_page.hpp"
#include "capi/diorama.h"
#include "capi/handles.hpp"
#include "capi/parts.hpp"
#include "core/printing.hpp"
#include "formats/contract/arguments.hpp"
#include "formats/contract/format.hpp"
#include "formats/contract/plans.hpp"

using namespace dio;
using namespace dio::capi;

namespace {

/// What options say of pictures. Those that a function does not have are refused.
struct Drawing {
  raster::Shot shot;
  u32 strip = 0;  // so many moments in a row
  enum class As : u8 { png, apng, gif } as = As::png;
  u32 columns = 0, tiles = 256;
  bool has_size = false;
};
struct Known {
  bool size = true, zoom = true, moments = true, columns = false, tiles = false;
};

Result<Drawing> drawing_of(const char* const* options, size_t count, const Known& known) {
  const auto told = pairs_of<Argument>(options, count, "NAME=VALUE");
  if (!told) return refuse(told.error());
  Drawing out;
  out.shot.options.samples = 3;
  bool has_scale = false;
  for (const Argument& a : *told) {
    const auto wrong = [&](const std::string& problem) {
      return refuse(wrong_argument({.message = a.name + " " + problem}));
    };
    const auto is_given = [&](std::string_view name, bool is_known) { return a.name == name && is_known; };
    const auto number = whole_of(a.value);
    if (is_given("strip", known.moments)) {
      if (!number || *number < 1 || *number > 64)
        return wrong("must be a number of pictures from 1 to 64, not " + in_quotes(a.value));
      out.strip = u32(*number);
    } else if (is_given("as", known.moments)) {
      if (a.value != "png" && a.value != "apng" && a.value != "gif")
        return wrong("must be png, apng or gif, not " + in_quotes(a.value));
      out.as = a.value == "apng" ? Drawing::As::apng : a.value == "gif" ? Drawing::As::gif : Drawing::As::png;
    } else if (is_given("columns", known.columns)) {
      if (!number || *number < 1 || *number > 1000)
        return wrong("must be a number from 1 to 1000, not " + in_quotes(a.value));
      out.columns = u32(*number);
    } else if (is_given("tiles", known.tiles)) {
      if (!number || *number < 64 || *number > 4096 || !std::has_single_bit(u32(*number)))
        return wrong("must be 64, 128, 256, 512, 1024, 2048 or 4096 pixels, not " + in_quotes(a.value));
      out.tiles = u32(*number);
    } else if ((a.name == "size" && !known.size) || (a.name == "zoom" && !known.zoom)) {
      return wrong("has no effect here");
    } else if (const auto problem = raster::set_option(out.shot, a.name, a.value)) {
      return wrong(*problem);
    }
    out.has_size |= a.name == "size";
    has_scale |= a.name == "scale";
  }
  if (out.has_size && has_scale) return refuse(wrong_argument({.message = "size and scale exclude each other"}));
  if ((out.strip || out.as == Drawing::As::apng) && out.shot.time)
    return refuse(wrong_argument({.message = "time cannot be combined with strip and apng, which show all of it"}));
  if (out.strip && out.as == Drawing::As::apng)
    return refuse(wrong_argument({.message = "strip cannot be combined with apng"}));
  return out;
}

/// The pictures that are wanted of a scene, as a file.
dio_buffer* picture_of(const scene::Scene& scene, Drawing drawing) {
  if (!drawing.has_size) {
    auto& options = drawing.shot.options;
    const auto screen = raster::usual_size(options.look, {options.width, options.height});
    options.width = screen.width, options.height = screen.height;
  }
  const bool is_gif = drawing.as == Drawing::As::gif;
  const bool moves = drawing.as == Drawing::As::apng || (is_gif && !drawing.strip && !drawing.shot.time);
  raster::Motion motion;
  if (drawing.strip || moves) {
    auto drawn = raster::motion_of(scene, drawing.shot, drawing.strip);
    if (!drawn) return buffer_of(drawn.error());
    if (moves)
      motion = std::move(*drawn);
    else
      motion.frames.push_back(raster::joined_in_row(drawn->frames));
  } else {
    auto taken = raster::picture_of(scene, drawing.shot);
    if (!taken) return buffer_of(taken.error());
    motion.frames.push_back(std::move(taken->image));
  }
  return buffer_of(is_gif                ? gif::write_gif(motion.frames, motion.milliseconds)
                   : motion.milliseconds ? png::write_apng(motion.frames, motion.milliseconds)
                                         : png::write_png(motion.frames.front()));
}

/// The scene of a file of a format or of another program.
Result<scene::Scene> scene_in(const dio_file& file) {
  if (is_scene(file) && !file.parts) {
    Diagnostics notes;
    return read_scene(file, notes);
  }
  if (!file.opened) return refuse(not_opened(file));
  const Opened& o = *file.opened;
  const auto companions = companions_of(o);
  auto staged = to_scene(o, {.companions = companions});
  if (!staged) return refuse(std::move(staged.error()));
  return std::move(staged->scene);
}

/// The textures of a file that has nothing else to show.
Result<std::vector<raster::Labelled>> textures_in(const Opened& o) {
  const auto companions = companions_of(o);
  auto set = o.format->pictures->pictures(*o.document, {.companions = companions});
  if (!set) return refuse(std::move(set.error()));
  std::vector<raster::Labelled> out;
  for (const NamedImage& i : set->images) out.push_back({i.file.substr(0, i.file.rfind('.')), scene::to_rgba(i.image)});
  return out;
}
bool has_only_textures(const dio_file& file) {
  return file.opened && !file.opened->format->scenes && file.opened->format->pictures;
}

}  // namespace

extern "C" {

dio_buffer* dio_render(const dio_file* file, const char* const* options, size_t count) {
  if (!is(file, k_file_tag)) return buffer_of(no_file());
  const auto drawing = drawing_of(options, count, {});
  if (!drawing) return buffer_of(drawing.error());
  const auto scene = scene_in(*file);
  return scene ? picture_of(*scene, *drawing) : buffer_of(scene.error(), file);
}

dio_buffer* dio_scene_render(const dio_scene* scene, const char* const* options, size_t count) {
  return with_scene(scene, [&](const dio_scene& s) {
    const auto drawing = drawing_of(options, count, {});
    return drawing ? picture_of(s.staged.scene, *drawing) : buffer_of(drawing.error());
  });
}

dio_buffer* dio_scene_tiles(const dio_scene* scene, const char* const* options, size_t count) {
  return with_scene(scene, [&](const dio_scene& s) {
    auto drawing = drawing_of(options, count, {.size = false, .zoom = false, .moments = false, .tiles = true});
    if (!drawing) return buffer_of(drawing.error());
    const auto tiles = MapTiles::of(s.staged.scene, drawing->shot, drawing->tiles);
    if (!tiles) return buffer_of(tiles.error());
    std::vector<std::pair<std::string, Bytes>> files;
    const auto written = tiles->write([&](const std::string& path, ByteView bytes) {
      files.emplace_back(path, Bytes(bytes.begin(), bytes.end()));
      return true;
    });
    if (!written) return buffer_of(written.error());
    dio_file named;
    named.name = s.name;
    return buffer_of(std::move(files), {}, named);
  });
}

dio_buffer* dio_sheet(const dio_file* const* files, size_t files_count, const char* const* options, size_t count) {
  if (files_count && !files)
    return buffer_of(wrong_argument({.message = "the list of files is null, but its count is not 0"}));
  auto drawing = drawing_of(options, count, {.zoom = false, .moments = false, .columns = true});
  if (!drawing) return buffer_of(drawing.error());
  raster::Shot& shot = drawing->shot;
  raster::SheetOptions sheet{.columns = drawing->columns, .keeps_size = shot.scale.has_value()};
  if (drawing->has_size) sheet.cell_width = shot.options.width, sheet.cell_height = shot.options.height;
  shot.options.width = sheet.cell_width, shot.options.height = sheet.cell_height;
  if (shot.background) sheet.background = *shot.background;
  shot.background = scene::Rgba{0, 0, 0, 0};
  std::vector<raster::Labelled> cells;
  for (size_t i = 0; i < files_count; ++i) {
    if (!is(files[i], k_file_tag)) return buffer_of(no_file());
    if (has_only_textures(*files[i])) {
      if (auto textures = textures_in(*files[i]->opened)) {
        std::move(textures->begin(), textures->end(), std::back_inserter(cells));
        continue;
      }
    }
    raster::Labelled cell{files[i]->name, {}};
    if (const auto scene = scene_in(*files[i]))
      if (auto taken = raster::picture_of(*scene, shot)) cell.image = std::move(taken->image);
    cells.push_back(std::move(cell));
  }
  if (cells.empty()) return buffer_of(wrong_argument({.message = "there are no files to draw"}));
  const auto drawn = raster::sheet_of(cells, sheet);
  return drawn ? buffer_of(png::write_png(*drawn)) : buffer_of(drawn.error());
}

dio_buffer* dio_thumbnail(const dio_file* file, uint32_t size) {
  if (!is(file, k_file_tag)) return buffer_of(no_file());
  if (!size || size > 1024)
    return buffer_of(wrong_argument({.message = "size must be from 1 to 1024, not " + std::to_string(size)}));
  if (has_only_textures(*file)) {
    const auto textures = textures_in(*file->opened);
    if (!textures) return buffer_of(textures.error(), file);
    if (textures->empty())
      return buffer_of(make_diagnostic("scene.none", {}, {.message = "there is nothing to draw"}), file);
    return buffer_of(png::write_png(raster::thumbnail_of(*textures, size)));
  }
  const auto scene = scene_in(*file);
  if (!scene) return buffer_of(scene.error(), file);
  const auto picture = raster::thumbnail_of(*scene, size);
  return picture ? buffer_of(png::write_png(*picture)) : buffer_of(picture.error(), file);
}

dio_buffer* dio_plan(const dio_file* file, const char* const* options, size_t count) {
  const auto told = pairs_of<Argument>(options, count, "NAME=VALUE");
  if (!told) return buffer_of(told.error());
  return with_opened(file, [&](const Opened& o) {
    if (!o.format->plans) return buffer_of(without("plans", o));
    svg::PageOptions page;
    page.title = o.name.substr(folder_of(o.name).size());
    page.kind = o.format->title;
    const auto companions = companions_of(o);
    PlanOptions drawn{.companions = companions};
    for (const Argument& a : *told) {
      if (a.name == "race") {
        if (auto wrong = set_flag(drawn.race, a)) return buffer_of(std::move(*wrong));
      } else if (const auto problem = svg::set_option(page, o.format->plans->layers, a.name, a.value)) {
        return buffer_of(wrong_argument({.message = a.name + " " + *problem}));
      }
    }
    return buffer_of(svg::page_of(o.format->plans->plan(*o.document, drawn), page).text);
  });
}

}  // extern "C"
