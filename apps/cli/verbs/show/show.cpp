// dio show: files as pictures in the terminal.
#include <algorithm>
#include <filesystem>

#include "../../command_line/print.hpp"
#include "../../command_line/text.hpp"
#include "../../input/batch.hpp"
#include "../render/render.hpp"
#include "../verbs.hpp"
#include "bridge/terminal/terminal.hpp"
#include "core/pattern.hpp"
#include "core/printing.hpp"
#include "scene/scaling.hpp"
#include "terminal.hpp"

namespace dio::cli {
namespace {

/// Pixels of a picture that fills the terminal: all lines but the one with its name and that of the prompt.
struct Room {
  u32 width, height;
};
Room room_of(const Terminal& t) {
  const u32 lines = std::max(t.rows, 4u) - 2;
  if (t.graphics == Graphics::blocks || t.graphics == Graphics::letters) return {t.columns, lines * 2};
  // Of the largest screens not all: the picture has to go through the terminal's line.
  return {std::min(t.columns * t.cell_width, 1600u), std::min(lines * t.cell_height, 1200u)};
}

/// A picture that is too large becomes smaller.
scene::Image fitted(const scene::Image& image, const Room& room) {
  const f64 scale = std::min({1.0, f64(room.width) / image.width, f64(room.height) / image.height});
  if (scale >= 1) return image;
  return scene::scaled(image, std::max(u32(image.width * scale), 1u), std::max(u32(image.height * scale), 1u));
}

bool is_text(const Terminal& t) { return t.graphics == Graphics::blocks || t.graphics == Graphics::letters; }

/// A name above its picture, where there are several.
void put(const Request& request, const Terminal& t, const std::string& name, const scene::Image& image,
         Report& report) {
  if (!name.empty() && !request.quiet) report.out += printable(name) + "\n";
  report.is_picture = true;
  switch (t.graphics) {
    case Graphics::kitty:
      report.out += terminal::kitty(image) + "\n";
      break;
    case Graphics::sixel:
      report.out += terminal::sixels(image, t.sixel_colors) + "\n";
      break;
    case Graphics::blocks:
      report.out += terminal::blocks(image, t.has_millions ? terminal::Colors::millions : terminal::Colors::palette);
      break;
    default:
      report.out += terminal::letters(image);
  }
}

/// What was asked for, in the size of the terminal; no wider than 4 : 3, for models are not.
std::optional<Wanted> wanted_in(const Request& request, const Terminal& t, Report& report) {
  const Room room = room_of(t);
  const u32 height = std::min(room.height, std::max(room.width * 3 / 4, 1u));
  auto wanted = wanted_of(request, std::min(room.width, height * 4 / 3), height, report);
  if (wanted && request.size.empty()) {  // enlarged, it is as large as that
    raster::Options& options = wanted->shot.options;
    options.width = std::max(options.width / wanted->shot.zoom, 1u);
    options.height = std::max(options.height / wanted->shot.zoom, 1u);
  }
  return wanted;
}

/// The pictures of one file, or of a part of a game.
void show_one(const Request& request, const Terminal& t, const std::string& name, const std::string& title,
              const Shown& shown, const Wanted& wanted, Report& report) {
  const u32 zoom = wanted.shot.zoom;
  Room room =
      request.size.empty() ? room_of(t) : Room{wanted.shot.options.width * zoom, wanted.shot.options.height * zoom};
  if (is_text(t) && t.is_terminal) room.width = std::min(room.width, t.columns);  // longer lines would be broken
  if (!shown.scene && is_text(t)) {  // letters below pictures would be too small to read
    for (const raster::Labelled& texture : shown.textures)
      put(request, t, title.empty() ? texture.label : title + ": " + texture.label, fitted(texture.image, room),
          report);
    return;
  }
  const auto pictures = pictures_of(request, name, shown, wanted, report);
  if (!pictures) return;
  const scene::Image& image = pictures->frames.front();
  put(request, t, title, fitted(image, {room.width, ~0u}), report);
}

Exit show_part(const Request& request, const Terminal& t, Report report) {
  if (has_wildcard(request.part)) {
    fail_usage(report, request,
               "--part shows one part of a game; `dio render --part " + in_quotes(request.part) +
                   " -o OUT.png` draws all that match, on a sheet");
    return finish(report);
  }
  const auto wanted = wanted_in(request, t, report);
  auto staged = wanted ? stage_part(request, request.inputs[0], request.part == "world" ? "" : request.part, report)
                       : std::nullopt;
  if (staged) show_one(request, t, request.inputs[0], {}, {std::move(staged->scene), {}}, *wanted, report);
  return finish(report);
}

}  // namespace

Exit run_show(const Request& given) {
  Report wrong;
  const Terminal t = terminal_of(given, given.graphics);
  if (t.graphics == Graphics::none) {
    fail_usage(wrong, given,
               "standard output is not a terminal: --graphics blocks prints a picture as text, `dio render FILE -o "
               "OUT.png` writes a file");
    return finish(wrong);
  }
  Request request = given;
  request.recursive = true;  // of folders and archives, all that is in them is shown
  if (request.time.find(':') == std::string::npos) request.seconds = std::exchange(request.time, {});
  if (!request.part.empty()) return show_part(request, t, std::move(wrong));
  const auto chosen = chosen_of(request, wrong);
  const auto wanted = chosen ? wanted_in(request, t, wrong) : std::nullopt;
  if (!wanted) return finish(wrong);
  // All that is in a folder or an archive is a sheet; files that were named follow one another.
  const bool are_found = std::ranges::all_of(chosen->shown, [](const Input& i) { return i.walked; });
  if (chosen->shown.size() > 1 && are_found && !is_text(t) && !wanted->strip) {
    const auto cell = wanted_of(request, 128, 128, wrong);
    if (cell && cell->shot.zoom > 1)
      fail_usage(wrong, request, "--zoom has no effect on a sheet, whose pictures are fitted into it; use --size");
    if (!cell || wrong.exit == Exit::usage) return finish(wrong);
    const u32 across = room_of(t).width / (cell->shot.options.width + 4);
    const auto sheet = sheet_of_inputs(request, *chosen, *cell, std::max(across, 1u), wrong);
    if (sheet) put(request, t, {}, fitted(*sheet, {room_of(t).width, ~0u}), wrong);
    return finish(wrong);
  }
  return for_each_input(request, chosen->shown, [&](const Input& input, size_t) {
    Report report;
    const auto shown = shown_of(request, input, chosen->companions, report);
    if (shown && !shown->scene && chosen->shown.size() == 1 && !are_for_textures(request, input.name, report))
      return report;
    if (shown) show_one(request, t, input.name, chosen->shown.size() > 1 ? input.name : "", *shown, *wanted, report);
    return report;
  });
}

}  // namespace dio::cli
