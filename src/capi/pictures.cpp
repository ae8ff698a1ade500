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
#include "core/text_format.hpp"
#include "formats/contract/arguments.hpp"
#include "formats/contract/format.hpp"
#include "formats/contract/plans.hpp"

using namespace dio;
using namespace dio::capi;

namespace {

/// What options say of pictures. Those that a function does not have are refused.
struct CapiRenderOptions {
  raster::RenderOptions shot;
  u32 strip = 0;  // so many moments in a row
  enum class As : u8 { png, apng, gif } as = As::png;
  u32 columns = 0, tiles = 256;
  bool has_size = false;
};
struct AllowedRenderOptions {
  bool size = true, zoom = true, moments = true, columns = false, tiles = false;
};

Result<CapiRenderOptions> parse_render_options(const char* const* options, size_t count,
                                               const AllowedRenderOptions& known) {
  const auto told = parse_assignments<Argument>(options, count, "NAME=VALUE");
  if (!told) return refuse(told.error());
  CapiRenderOptions out;
  out.shot.options.samples = 3;
  bool has_scale = false;
  for (const Argument& a : *told) {
    const auto wrong = [&](const std::string& problem) {
      return refuse(argument_error({.message = a.name + " " + problem}));
    };
    const auto is_given = [&](std::string_view name, bool is_known) { return a.name == name && is_known; };
    const auto number = parse_whole_number(a.value);
    if (is_given("strip", known.moments)) {
      if (!number || *number < 1 || *number > 64)
        return wrong("must be a number of pictures from 1 to 64, not " + in_quotes(a.value));
      out.strip = u32(*number);
    } else if (is_given("as", known.moments)) {
      if (a.value != "png" && a.value != "apng" && a.value != "gif")
        return wrong("must be png, apng or gif, not " + in_quotes(a.value));
      out.as = a.value == "apng"  ? CapiRenderOptions::As::apng
               : a.value == "gif" ? CapiRenderOptions::As::gif
                                  : CapiRenderOptions::As::png;
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
  if (out.has_size && has_scale) return refuse(argument_error({.message = "size and scale exclude each other"}));
  if ((out.strip || out.as == CapiRenderOptions::As::apng) && out.shot.time)
    return refuse(argument_error({.message = "time cannot be combined with strip and apng, which show all of it"}));
  if (out.strip && out.as == CapiRenderOptions::As::apng)
    return refuse(argument_error({.message = "strip cannot be combined with apng"}));
  return out;
}

/// The pictures that are wanted of a scene, as a file.
dio_buffer* render_to_buffer(const scene::Scene& scene, CapiRenderOptions drawing) {
  if (!drawing.has_size) {
    auto& options = drawing.shot.options;
    const auto screen = raster::default_screen_size(options.look, {options.width, options.height});
    options.width = screen.width, options.height = screen.height;
  }
  const bool is_gif = drawing.as == CapiRenderOptions::As::gif;
  const bool moves = drawing.as == CapiRenderOptions::As::apng || (is_gif && !drawing.strip && !drawing.shot.time);
  raster::Motion motion;
  if (drawing.strip || moves) {
    auto drawn = raster::render_animation(scene, drawing.shot, drawing.strip);
    if (!drawn) return make_buffer(drawn.error());
    if (moves)
      motion = std::move(*drawn);
    else
      motion.frames.push_back(raster::concatenate_horizontally(drawn->frames));
  } else {
    auto taken = raster::render_picture(scene, drawing.shot);
    if (!taken) return make_buffer(taken.error());
    motion.frames.push_back(std::move(taken->image));
  }
  return make_buffer(is_gif                ? gif::write_gif(motion.frames, motion.milliseconds)
                     : motion.milliseconds ? png::write_apng(motion.frames, motion.milliseconds)
                                           : png::write_png(motion.frames.front()));
}

/// The scene of a file of a format or of another program.
Result<scene::Scene> load_scene(const dio_file& file) {
  if (is_scene(file) && !file.parts) {
    Diagnostics notes;
    return read_scene(file, notes);
  }
  if (!file.opened) return refuse(not_opened_error(file));
  const OpenedFile& o = *file.opened;
  const auto companions = collect_companions(o);
  auto staged = to_scene(o, {.companions = companions});
  if (!staged) return refuse(std::move(staged.error()));
  return std::move(staged->scene);
}

/// The textures of a file that has nothing else to show.
Result<std::vector<raster::LabelledImage>> load_textures(const OpenedFile& o) {
  const auto companions = collect_companions(o);
  auto set = o.format->pictures->pictures(*o.document, {.companions = companions});
  if (!set) return refuse(std::move(set.error()));
  std::vector<raster::LabelledImage> out;
  for (const NamedImage& i : set->images) out.push_back({i.file.substr(0, i.file.rfind('.')), scene::to_rgba(i.image)});
  return out;
}
bool has_only_textures(const dio_file& file) {
  return file.opened && !file.opened->format->scenes && file.opened->format->pictures;
}

}  // namespace

extern "C" {

dio_buffer* dio_render(const dio_file* file, const char* const* options, size_t count) {
  if (!has_handle_tag(file, k_file_tag)) return make_buffer(invalid_file_handle());
  const auto drawing = parse_render_options(options, count, {});
  if (!drawing) return make_buffer(drawing.error());
  const auto scene = load_scene(*file);
  return scene ? render_to_buffer(*scene, *drawing) : make_buffer(scene.error(), file);
}

dio_buffer* dio_scene_render(const dio_scene* scene, const char* const* options, size_t count) {
  return with_scene(scene, [&](const dio_scene& s) {
    const auto drawing = parse_render_options(options, count, {});
    return drawing ? render_to_buffer(s.staged.scene, *drawing) : make_buffer(drawing.error());
  });
}

dio_buffer* dio_scene_tiles(const dio_scene* scene, const char* const* options, size_t count) {
  return with_scene(scene, [&](const dio_scene& s) {
    auto drawing =
        parse_render_options(options, count, {.size = false, .zoom = false, .moments = false, .tiles = true});
    if (!drawing) return make_buffer(drawing.error());
    const auto tiles = MapTiles::create(s.staged.scene, drawing->shot, drawing->tiles);
    if (!tiles) return make_buffer(tiles.error());
    std::vector<std::pair<std::string, Bytes>> files;
    const auto written = tiles->write([&](const std::string& path, ByteView bytes) {
      files.emplace_back(path, Bytes(bytes.begin(), bytes.end()));
      return true;
    });
    if (!written) return make_buffer(written.error());
    dio_file named;
    named.name = s.name;
    return make_buffer(std::move(files), {}, named);
  });
}

dio_buffer* dio_sheet(const dio_file* const* files, size_t files_count, const char* const* options, size_t count) {
  if (files_count && !files)
    return make_buffer(argument_error({.message = "the list of files is null, but its count is not 0"}));
  auto drawing = parse_render_options(options, count, {.zoom = false, .moments = false, .columns = true});
  if (!drawing) return make_buffer(drawing.error());
  raster::RenderOptions& shot = drawing->shot;
  raster::SheetOptions sheet{.columns = drawing->columns, .keeps_size = shot.scale.has_value()};
  if (drawing->has_size) sheet.cell_width = shot.options.width, sheet.cell_height = shot.options.height;
  shot.options.width = sheet.cell_width, shot.options.height = sheet.cell_height;
  if (shot.background) sheet.background = *shot.background;
  shot.background = scene::Rgba{0, 0, 0, 0};
  std::vector<raster::LabelledImage> cells;
  for (size_t i = 0; i < files_count; ++i) {
    if (!has_handle_tag(files[i], k_file_tag)) return make_buffer(invalid_file_handle());
    if (has_only_textures(*files[i])) {
      if (auto textures = load_textures(*files[i]->opened)) {
        std::move(textures->begin(), textures->end(), std::back_inserter(cells));
        continue;
      }
    }
    raster::LabelledImage cell{files[i]->name, {}};
    if (const auto scene = load_scene(*files[i]))
      if (auto taken = raster::render_picture(*scene, shot)) cell.image = std::move(taken->image);
    cells.push_back(std::move(cell));
  }
  if (cells.empty()) return make_buffer(argument_error({.message = "there are no files to draw"}));
  const auto drawn = raster::make_contact_sheet(cells, sheet);
  return drawn ? make_buffer(png::write_png(*drawn)) : make_buffer(drawn.error());
}

dio_buffer* dio_thumbnail(const dio_file* file, uint32_t size) {
  if (!has_handle_tag(file, k_file_tag)) return make_buffer(invalid_file_handle());
  if (!size || size > 1024)
    return make_buffer(argument_error({.message = "size must be from 1 to 1024, not " + std::to_string(size)}));
  if (has_only_textures(*file)) {
    const auto textures = load_textures(*file->opened);
    if (!textures) return make_buffer(textures.error(), file);
    if (textures->empty())
      return make_buffer(make_diagnostic("scene.none", {}, {.message = "there is nothing to draw"}), file);
    return make_buffer(png::write_png(raster::make_thumbnail(*textures, size)));
  }
  const auto scene = load_scene(*file);
  if (!scene) return make_buffer(scene.error(), file);
  const auto picture = raster::make_thumbnail(*scene, size);
  return picture ? make_buffer(png::write_png(*picture)) : make_buffer(picture.error(), file);
}

dio_buffer* dio_plan(const dio_file* file, const char* const* options, size_t count) {
  const auto told = parse_assignments<Argument>(options, count, "NAME=VALUE");
  if (!told) return make_buffer(told.error());
  return with_opened(file, [&](const OpenedFile& o) {
    if (!o.format->plans) return make_buffer(unsupported_by_format("plans", o));
    svg::PageOptions page;
    page.title = o.name.substr(folder_of(o.name).size());
    page.kind = o.format->title;
    const auto companions = collect_companions(o);
    PlanOptions drawn{.companions = companions};
    for (const Argument& a : *told) {
      if (a.name == "race") {
        if (auto wrong = set_flag(drawn.race, a)) return make_buffer(std::move(*wrong));
      } else if (const auto problem = svg::set_option(page, o.format->plans->layers, a.name, a.value)) {
        return make_buffer(argument_error({.message = a.name + " " + *problem}));
      }
    }
    return make_buffer(svg::page_of(o.format->plans->plan(*o.document, drawn), page).text);
  });
}

}  // extern "C"
