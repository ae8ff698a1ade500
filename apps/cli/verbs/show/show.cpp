// dio show: files as pictures in the terminal.
#include <algorithm>
#include <cmath>

#include "../../command_line/print.hpp"
#include "../../command_line/text.hpp"
#include "../../input/batch.hpp"
#include "../../system/filesystem.hpp"
#include "../render/render.hpp"
#include "../verbs.hpp"
#include "bridge/terminal/terminal.hpp"
#include "core/glob.hpp"
#include "core/text_format.hpp"
#include "scene/scaling.hpp"
#include "terminal.hpp"

namespace dio::cli {
namespace {

/// Pixels of a picture that fills the terminal: all lines but the one with its name and that of the prompt.
struct Room {
  u32 width, height;
};
Room drawable_size(const Terminal& t) {
  const u32 lines = std::max(t.rows, 4u) - 2;
  if (t.graphics == Graphics::blocks || t.graphics == Graphics::ascii_art) return {t.columns, lines * 2};
  // Of the largest screens not all: the picture has to go through the terminal's line.
  return {std::min(t.columns * t.cell_width, 1600u), std::min(lines * t.cell_height, 1200u)};
}

/// A picture that is too large becomes smaller.
scene::Image shrink_to_fit(const scene::Image& image, const Room& room) {
  const f64 scale = std::min({1.0, f64(room.width) / image.width, f64(room.height) / image.height});
  if (scale >= 1) return image;
  return scene::resize_image(image, std::max(u32(image.width * scale), 1u), std::max(u32(image.height * scale), 1u));
}

bool is_text(const Terminal& t) { return t.graphics == Graphics::blocks || t.graphics == Graphics::ascii_art; }

/// What draws a picture, up to the start of the next line. `id`: see terminal::encode_kitty.
std::string encode_for_terminal(const Terminal& t, const scene::Image& image, u32 id = 0) {
  switch (t.graphics) {
    case Graphics::kitty:
      return terminal::encode_kitty(image, id) + "\n";
    case Graphics::sixel:
      return terminal::encode_sixels(image, t.sixel_colors) + "\n";
    case Graphics::blocks:
      return terminal::encode_half_blocks(image,
                                          t.has_millions ? terminal::Colors::millions : terminal::Colors::palette);
    default:
      return terminal::ascii_art(image);
  }
}

/// A name above its picture, where there are several.
void print_picture(const Request& request, const Terminal& t, const std::string& name, const scene::Image& image,
                   Report& report) {
  if (!name.empty() && !request.quiet) report.out += escape_control_chars(name) + "\n";
  report.is_picture = true;
  report.out += encode_for_terminal(t, image);
}

/// What was asked for, in the size of the terminal; no wider than 4 : 3, for models are not.
std::optional<RenderRequest> parse_show_request(const Request& request, const Terminal& t, Report& report) {
  const Room room = drawable_size(t);
  const u32 height = std::min(room.height, std::max(room.width * 3 / 4, 1u));
  auto wanted = parse_render_request(request, std::min(room.width, height * 4 / 3), height, report);
  if (wanted && request.size.empty()) {  // enlarged, it is as large as that
    raster::Options& options = wanted->shot.options;
    options.width = std::max(options.width / wanted->shot.zoom, 1u);
    options.height = std::max(options.height / wanted->shot.zoom, 1u);
  }
  return wanted;
}

/// The room that pictures have: what --size says, or the terminal. Lines that are too long would be broken.
Room picture_bounds(const Request& request, const Terminal& t, const RenderRequest& wanted) {
  const u32 zoom = wanted.shot.zoom;
  Room room = request.size.empty() ? drawable_size(t)
                                   : Room{wanted.shot.options.width * zoom, wanted.shot.options.height * zoom};
  if (is_text(t) && t.is_terminal) room.width = std::min(room.width, t.columns);
  return room;
}

/// Picture after picture in the same place, as fast as the terminal takes them, until a key is pressed.
void play_animation(const Request& request, const Terminal& t, const std::string& name, const scene::Scene& scene,
                    RenderRequest wanted, Report& report) {
  using namespace std::chrono;
  constexpr minutes k_longest(1);
  constexpr milliseconds k_shown(50);  // at least
  constexpr u32 k_id = 0xD10;          // of the picture, in terminals that know pictures by numbers
  const os::Keys keys;
  if (!keys.can_be_read())
    return report_usage_error(report, request, "--play needs a terminal for its output and for key presses");
  wanted.shot.options.each = make_parallel_for(request);
  if (!wanted.shot.background && t.graphics == Graphics::sixel)  // what is not drawn would stay
    wanted.shot.background = scene::Rgba{0, 0, 0, 255};
  auto frame = raster::prepare_frame(scene, wanted.shot, true);
  if (!frame) return report_error(report, request, in_file(frame.error(), name));
  const f64 length = raster::animation_duration(scene, frame->moment.animations);
  if (!(length > 0)) {
    report.err += name + ": no animation to play\n";
    return report.raise(ExitCode::no);
  }
  const u32 line = is_text(t) ? 2 : t.cell_height;  // pixels
  const auto start = steady_clock::now();
  std::string below;
  for (bool is_first = true;; is_first = false) {
    const auto began = steady_clock::now();
    const f64 seconds = duration<f64>(began - start).count();
    const auto drawn = raster::render_picture_at(scene, *frame, f32(std::fmod(seconds, length)), wanted.shot.zoom);
    if (!drawn) return report_error(report, request, in_file(drawn.error(), name));
    const scene::Image image = shrink_to_fit(*drawn, {picture_bounds(request, t, wanted).width, ~0u});
    std::string text =
        "\x1b"
        "8";  // back to where the first one began
    if (is_first) {
      below.assign((image.height + line - 1) / line, '\n');
      text = below + "\x1b[" + std::to_string(below.size()) +
             "A\x1b"
             "7";
    }
    const bool is_there = os::write_to_terminal(text + encode_for_terminal(t, image, k_id));
    if (!is_there || began - start >= k_longest) break;
    if (keys.read_key(std::max(duration_cast<milliseconds>(began + k_shown - steady_clock::now()), milliseconds(0))))
      break;
  }
  os::write_to_terminal(
      "\x1b"
      "8" +
      below);
}

/// The pictures of one file, or of a part of a game.
void show_subject(const Request& request, const Terminal& t, const std::string& name, const std::string& title,
                  const RenderSubject& shown, const RenderRequest& wanted, Report& report) {
  if (request.play && shown.scene) return play_animation(request, t, name, *shown.scene, wanted, report);
  const Room room = picture_bounds(request, t, wanted);
  if (!shown.scene && is_text(t)) {  // letters below pictures would be too small to read
    for (const raster::LabelledImage& texture : shown.textures)
      print_picture(request, t, title.empty() ? texture.label : title + ": " + texture.label,
                    shrink_to_fit(texture.image, room), report);
    return;
  }
  const auto pictures = render_pictures(request, name, shown, wanted, report);
  if (!pictures) return;
  const scene::Image& image = pictures->frames.front();
  print_picture(request, t, title, shrink_to_fit(image, {room.width, ~0u}), report);
}

ExitCode show_part(const Request& request, const Terminal& t, Report report) {
  if (has_wildcard(request.part)) {
    report_usage_error(report, request,
                       "--part shows one part of a game; `dio render --part " + in_quotes(request.part) +
                           " -o OUT.png` draws all matching parts on a sheet");
    return finish(report);
  }
  const auto wanted = parse_show_request(request, t, report);
  auto staged =
      wanted ? build_game_part_scene(request, request.inputs[0], request.part == "world" ? "" : request.part, report)
             : std::nullopt;
  if (staged) show_subject(request, t, request.inputs[0], {}, {std::move(staged->scene), {}}, *wanted, report);
  return finish(report);
}

}  // namespace

ExitCode run_show(const Request& given) {
  Report wrong;
  const Terminal t = detect_terminal(given, given.graphics);
  if (t.graphics == Graphics::none) {
    report_usage_error(
        wrong, given,
        "standard output is not a terminal: --graphics blocks prints a picture as text, `dio render FILE -o "
        "OUT.png` writes a file");
    return finish(wrong);
  }
  Request request = given;
  request.recursive = true;  // of folders and archives, all that is in them is shown
  if (request.time.find(':') == std::string::npos) request.seconds = std::exchange(request.time, {});
  if (!request.part.empty()) return show_part(request, t, std::move(wrong));
  const auto chosen = select_render_inputs(request, wrong);
  const auto wanted = chosen ? parse_show_request(request, t, wrong) : std::nullopt;
  if (!wanted) return finish(wrong);
  if (request.play && chosen->shown.size() != 1) {
    report_usage_error(
        wrong, request,
        "--play shows only one file, but " + format_count(chosen->shown.size(), "file matches", "files match"));
    return finish(wrong);
  }
  // All that is in a folder or an archive is a sheet; files that were named follow one another.
  const bool are_found = std::ranges::all_of(chosen->shown, [](const Input& i) { return i.walked; });
  if (chosen->shown.size() > 1 && are_found && !is_text(t) && !wanted->strip) {
    const auto cell = parse_render_request(request, 128, 128, wrong);
    if (cell && cell->shot.zoom > 1)
      report_usage_error(wrong, request, "--zoom has no effect on a sheet; use --size to set the size of its pictures");
    if (!cell || wrong.exit == ExitCode::usage) return finish(wrong);
    const u32 across = drawable_size(t).width / (cell->shot.options.width + 4);
    const auto sheet = draw_input_sheet(request, *chosen, *cell, std::max(across, 1u), wrong);
    if (sheet) print_picture(request, t, {}, shrink_to_fit(*sheet, {drawable_size(t).width, ~0u}), wrong);
    return finish(wrong);
  }
  return for_each_input(request, chosen->shown, [&](const Input& input, size_t) {
    Report report;
    const auto shown = load_render_subject(request, input, chosen->companions, report);
    if (shown && !shown->scene && chosen->shown.size() == 1 && !check_texture_options(request, input.name, report))
      return report;
    if (shown)
      show_subject(request, t, input.name, chosen->shown.size() > 1 ? input.name : "", *shown, *wanted, report);
    return report;
  });
}

}  // namespace dio::cli
