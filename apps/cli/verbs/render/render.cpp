// dio render: pictures of files: one each, several moments in a row or in motion, or many files on one sheet.
#include "render.hpp"

#include <atomic>
#include <bit>
#include <charconv>
#include <mutex>
#include <thread>

#include "../../command_line/print.hpp"
#include "../../command_line/text.hpp"
#include "../../input/batch.hpp"
#include "../../input/encode.hpp"
#include "../../input/scenes.hpp"
#include "../../output/results.hpp"
#include "../../system/filesystem.hpp"
#include "../verbs.hpp"
#include "answers/map_tiles.hpp"
#include "bridge/gif/gif.hpp"
#include "bridge/png/png.hpp"
#include "core/glob.hpp"
#include "formats/contract/format.hpp"
#include "formats/contract/pictures.hpp"

namespace dio::cli {
namespace {

template <class T>
std::optional<T> parse_number(std::string_view text) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return {};
  return value;
}

/// Pictures of one file on a sheet: as many of its textures as there are.
std::optional<scene::Image> draw_sheet(const Request& request, const std::string& name,
                                       const std::vector<raster::LabelledImage>& cells, raster::SheetOptions options,
                                       Report& report) {
  if (const auto color = raster::parse_color(request.background)) options.background = *color;
  auto sheet = raster::make_contact_sheet(cells, options);
  if (sheet) return std::move(*sheet);
  report_error(report, request, in_file(sheet.error(), name));
  return {};
}

/// What a picture shows and where: with it, a program finds the place of anything in the picture.
Value describe_picture(const std::string& name, const scene::Scene& scene, const raster::RenderedShot& taken) {
  const raster::View& view = taken.view;
  Value v = json_with_schema("diorama.render/1");
  v.add("file", name);
  v.add("width", taken.image.width);
  v.add("height", taken.image.height);
  v.add("metres_per_unit", scene.metres_per_unit);
  Value camera = Value::object();
  camera.add("projection", view.parallel ? "parallel" : "perspective");
  camera.add("half_height", view.half_height);
  camera.add("near", view.near);
  camera.add("far", view.far);
  Value matrix = Value::list();
  for (const auto& column : view.to_eye.linear.columns) {
    for (const f64 x : column) matrix.push(x);
    matrix.push(0.0);
  }
  for (const f64 x : view.to_eye.origin) matrix.push(x);
  matrix.push(1.0);
  camera.add("to_eye", std::move(matrix));
  v.add("camera", std::move(camera));
  Value playing = Value::list();
  for (const scene::Index i : taken.moment.animations) playing.push(scene.animations[i].name);
  v.add("animations", std::move(playing));
  v.add("seconds", taken.moment.time);
  if (taken.map) v.add("map", map_view_json(*taken.map));
  return v;
}

}  // namespace

Bytes encode_motion(const raster::Motion& motion, const std::string& name) {
  if (file_extension(name) == ".gif") return gif::write_gif(motion.frames, motion.milliseconds);
  return motion.milliseconds ? png::write_apng(motion.frames, motion.milliseconds)
                             : png::write_png(motion.frames.front());
}

std::function<void(size_t, const std::function<void(size_t)>&)> make_parallel_for(const Request& request) {
  const size_t jobs = request.jobs ? request.jobs : std::thread::hardware_concurrency();
  return [jobs](size_t count, const std::function<void(size_t)>& work) {
    std::atomic<size_t> next = 0;
    const auto run = [&] {
      for (size_t i; (i = next++) < count;) work(i);
    };
    std::vector<std::jthread> threads;
    for (size_t i = 1; i < std::min(jobs, count); ++i) threads.emplace_back(run);
    run();
  };
}

std::optional<RenderRequest> parse_render_request(const Request& request, u32 width, u32 height, Report& report) {
  RenderRequest out;
  const auto wrong = [&](const std::string& problem) {
    report_usage_error(report, request, problem);
    return std::nullopt;
  };
  out.shot.options.width = width, out.shot.options.height = height, out.shot.options.samples = 3;
  const std::pair<const char*, const std::string*> options[] = {
      {"look", &request.look},     {"size", &request.size},
      {"scale", &request.scale},   {"samples", &request.samples_across},
      {"zoom", &request.zoom},     {"background", &request.background},
      {"camera", &request.camera}, {"animation", &request.animation},
      {"time", &request.seconds}};
  if (request.every_state)
    return wrong("--all-states has no effect on pictures; choose the state to draw with --state");
  if (!request.size.empty() && !request.scale.empty())
    return wrong("--size cannot be combined with --scale, which sets the picture size");
  for (const auto& [name, value] : options)
    if (!value->empty())
      if (const auto problem = raster::set_option(out.shot, name, *value))
        return wrong("--" + std::string(name) + " " + *problem);
  if (!request.frame.empty()) {
    const auto frame = parse_number<u32>(request.frame);
    if (!frame) return wrong("--frame must be a whole number of ticks, 0 or more, not " + in_quotes(request.frame));
    if (out.shot.time) return wrong("--time and --frame cannot be combined");
    const auto rate = parse_world_options(request, report);
    if (!rate) return {};
    out.shot.time = f32(*frame) / rate->tick_rate;
  }
  if (request.play && (out.shot.time || !request.strip.empty()))
    return wrong("--play cannot be combined with --time, --frame or --strip");
  if (!request.strip.empty()) {
    const auto n = parse_number<u32>(request.strip);
    if (!n || *n < 1 || *n > 64)
      return wrong("--strip must be a number of pictures from 1 to 64, not " + in_quotes(request.strip));
    out.strip = *n;
  }
  if (!request.tiles.empty()) {
    const auto n = parse_number<u32>(request.tiles);
    if (!n || *n < 64 || *n > 4096 || !std::has_single_bit(*n))
      return wrong("--tiles must be 64, 128, 256, 512, 1024, 2048 or 4096 pixels, not " + in_quotes(request.tiles));
    if (!request.size.empty()) return wrong("--size has no effect on tiles; --scale sets the scale of the map");
    if (out.strip) return wrong("--strip has no effect on tiles");
    if (out.shot.zoom > 1) return wrong("--zoom has no effect on tiles; --scale sets the scale of the map");
    out.tiles = *n;
  }
  const std::string extension = file_extension(request.output);
  // A GIF is either: what is asked for decides.
  out.is_moving = extension == ".apng" || (extension == ".gif" && !out.strip && !out.shot.time);
  if ((out.is_moving || out.strip) && out.shot.time)
    return wrong(
        "--time and --frame cannot be combined with --strip or an .apng output, which show the whole animation");
  if (out.is_moving && out.strip) return wrong("--strip cannot be combined with an .apng output");
  if (request.json && out.tiles == 0 && (out.is_moving || out.strip) && request.verb == "render")
    return wrong("--json describes single pictures; it has no effect with --strip or a moving picture");
  return out;
}

std::optional<RenderSubject> load_render_subject(const Request& request, const Input& input,
                                                 const Companions& companions, Report& report) {
  auto bytes = read_input(request, input, report);
  if (!bytes) return {};
  RenderSubject out;
  if (is_scene(input, *bytes)) {
    out.scene = read_scene(request, input, *bytes, report);
    if (!out.scene) return {};
    return out;
  }
  auto opened = dio::open(std::move(*bytes), input.name, request.as, request.strict);
  if (!opened) {
    report.skipped = input.walked && opened.error().id == "detect.unknown";
    if (!report.skipped) report_error(report, request, in_file(opened.error(), input.name), *bytes);
    return {};
  }
  open_sibling_companions(request, input, *opened, &report);
  if (opened->format->scenes || (!input.walked && is_game_index_file(input, *opened->format))) {
    auto staged = build_input_scene(request, input, *opened, companions.of(*opened), report);
    if (!staged) return {};
    out.scene = std::move(staged->scene);
    return out;
  }
  if (opened->format->pictures) {
    const auto with = collect_companions(*opened);
    const auto set = opened->format->pictures->pictures(*opened->document, {.companions = with});
    if (!set) {
      report_error(report, request, in_file(set.error(), input.name));
      return {};
    }
    for (const NamedImage& i : set->images)
      out.textures.push_back({fs::path(i.file).stem().string(), scene::to_rgba(i.image)});
    if (!out.textures.empty()) return out;
  }
  report.skipped = input.walked;
  if (!report.skipped) {
    report.err +=
        input.name + ": nothing to draw: this format (" + std::string(opened->format->title) + ") has no pictures\n";
    report.raise(ExitCode::no);
  }
  return {};
}

bool check_texture_options(const Request& request, const std::string& name, Report& report) {
  const std::pair<const char*, bool> options[] = {{"--camera", !request.camera.empty()},
                                                  {"--look", !request.look.empty()},
                                                  {"--zoom", !request.zoom.empty()},
                                                  {"--scale", !request.scale.empty()},
                                                  {"--strip", !request.strip.empty()},
                                                  {"--animation", !request.animation.empty()},
                                                  {"--time", !request.seconds.empty()},
                                                  {"--frame", !request.frame.empty()},
                                                  {"--samples", !request.samples_across.empty()},
                                                  {"--show", !request.show.empty()},
                                                  {"--play", request.play},
                                                  {"--json", request.json}};
  for (const auto& [option, is_given] : options)
    if (is_given) {
      report_usage_error(report, request,
                         name + " contains only textures, on which " + option +
                             " has no effect; --size sets the size of each picture");
      return false;
    }
  return true;
}

std::optional<raster::Motion> render_pictures(const Request& request, const std::string& name,
                                              const RenderSubject& shown, const RenderRequest& wanted, Report& report) {
  if (!shown.scene) {
    raster::SheetOptions options;
    for (const raster::LabelledImage& t : shown.textures) {
      options.cell_width = std::max(options.cell_width, t.image.width);
      options.cell_height = std::max(options.cell_height, t.image.height);
    }
    if (!request.size.empty())
      options.cell_width = wanted.shot.options.width, options.cell_height = wanted.shot.options.height;
    auto sheet = draw_sheet(request, name, shown.textures, options, report);
    if (!sheet) return {};
    return raster::Motion{{std::move(*sheet)}};
  }
  const auto report_failure = [&](Diagnostic d) {
    if (d.id == "render.size" && wanted.shot.scale && d.hint.empty())
      d.hint = "--tiles draws the map as a folder of tiles";
    report_error(report, request, in_file(d, name));
    return std::nullopt;
  };
  if (wanted.strip || wanted.is_moving) {
    auto motion = raster::render_animation(*shown.scene, wanted.shot, wanted.strip);
    if (!motion) return report_failure(motion.error());
    if (wanted.is_moving) return std::move(*motion);
    return raster::Motion{{raster::concatenate_horizontally(motion->frames)}};
  }
  auto taken = raster::render_picture(*shown.scene, wanted.shot);
  if (!taken) return report_failure(taken.error());
  if (request.json) report.out += json_text(describe_picture(name, *shown.scene, *taken), true);
  return raster::Motion{{std::move(taken->image)}};
}

raster::SheetOptions make_sheet_options(const RenderRequest& wanted, u32 columns) {
  raster::SheetOptions options;
  options.cell_width = wanted.shot.options.width, options.cell_height = wanted.shot.options.height;
  options.columns = columns;
  options.keeps_size = wanted.shot.scale.has_value();
  return options;
}

bool fits_on_sheet(const Request& request, const std::string& name, size_t pictures, const RenderRequest& wanted,
                   Report& report, u32 columns) {
  const raster::SheetOptions options = make_sheet_options(wanted, columns);
  if (options.keeps_size) return true;  // not known before they are drawn
  const auto size = raster::compute_sheet_size(pictures, options);
  if (!size) report_error(report, request, in_file(size.error(), name));
  return size.has_value();
}

std::optional<scene::Image> draw_cell_sheet(const Request& request, const std::string& name,
                                            const std::vector<raster::LabelledImage>& cells,
                                            const RenderRequest& wanted, Report& report, u32 columns) {
  const raster::SheetOptions options = make_sheet_options(wanted, columns);
  return draw_sheet(request, name, cells, options, report);
}

std::optional<scene::Image> draw_input_sheet(const Request& request, const RenderSelection& chosen,
                                             RenderRequest wanted, u32 columns, Report& report, size_t* count) {
  const auto& [all, inputs, companions] = chosen;
  wanted.shot.background = scene::Rgba{0, 0, 0, 0};
  std::vector<std::vector<raster::LabelledImage>> cells(inputs.size());
  Request each = request;
  each.background = "transparent";
  // What is no picture is found on the way: more of them than fit end the work.
  std::atomic<size_t> drawn = 0;
  std::atomic<bool> is_full = false;
  const Summary summary = process_inputs(request, inputs, [&](const Input& input, size_t index) {
    Report its;
    if (is_full) return its;
    const auto shown = load_render_subject(each, input, companions, its);
    if (its.skipped) return its;
    raster::LabelledImage cell{fs::path(input.inside.empty() ? input.name : input.inside).string(), {}};
    if (shown && !shown->scene) {
      cells[index] = shown->textures;
      return its;
    }
    if (shown)
      if (auto pictures = render_pictures(each, input.name, *shown, wanted, its))
        cell.image = std::move(pictures->frames.front());
    cells[index].push_back(std::move(cell));
    Report size;
    if (!fits_on_sheet(request, request.output, ++drawn, wanted, size, columns)) is_full = true;
    return its;
  });
  if (is_full && !fits_on_sheet(request, request.output, drawn, wanted, report, columns)) return {};
  std::vector<raster::LabelledImage> flat;
  for (auto& c : cells) std::move(c.begin(), c.end(), std::back_inserter(flat));
  report.raise(summary.exit);
  if (count) *count = flat.size();
  const bool are_all_blank = std::ranges::all_of(flat, [](const auto& cell) { return cell.image.pixels.empty(); });
  if (!flat.empty() && (summary.exit == ExitCode::system || are_all_blank)) {
    report.err += "no sheet was written\n";
    return {};
  }
  if (flat.empty()) {
    report_no_inputs(request, summary, report);
    return {};
  }
  return draw_cell_sheet(request, request.output, flat, wanted, report, columns);
}

std::optional<RenderSelection> select_render_inputs(const Request& given, Report& report) {
  Request request = given;
  request.recursive = true;  // a sheet of a folder or an archive is one of all in it
  RenderSelection chosen;
  chosen.all = chosen.shown = resolve_request_inputs(request);
  if (chosen.all.size() < 2) return chosen;
  // Of an archive, its members are what is to be seen.
  const auto has_members = [&](const Input& i) {
    return !i.walked && std::ranges::any_of(chosen.all, [&](const Input& other) {
      return other.archive && (i.archive ? other.archive == i.archive && other.member.starts_with(i.member + "/")
                                         : other.archive->name() == i.name);
    });
  };
  std::erase_if(chosen.shown, has_members);
  Report wrong;
  auto companions = Companions::extract_from(request, chosen.shown, wrong);
  if (companions) {
    chosen.companions = std::move(*companions);
  } else if (wrong.exit == ExitCode::usage) {  // textures without a model: they are what is to be seen
    chosen.shown = chosen.all;
    return chosen;
  }
  report.err += wrong.err;
  report.raise(wrong.exit);
  return companions ? std::optional(std::move(chosen)) : std::nullopt;
}

namespace {

/// -o FOLDER/, or one file.
ExitCode render_each(const Request& request, const RenderSelection& chosen, Report wrong) {
  const auto& [all, inputs, companions] = chosen;
  const auto [width, height] = raster::default_screen_size(
      raster::parse_shading_style(request.look).value_or(raster::ShadingStyle::plain), {640, 480});
  const auto wanted = parse_render_request(request, width, height, wrong);
  std::optional<Outputs> outputs;
  if (wanted && wanted->tiles)
    outputs = Outputs{};
  else if (wanted)
    outputs = resolve_outputs(request, inputs, ".png", wrong);
  if (!outputs) return finish(wrong);
  return for_each_input(request, inputs, [&](const Input& input, size_t index) {
    Report report;
    RenderRequest mine = *wanted;
    if (inputs.size() == 1) mine.shot.options.each = make_parallel_for(request);
    const auto shown = load_render_subject(request, input, companions, report);
    if (shown && mine.tiles) {
      if (shown->scene)
        render_tiles(request, input.name, *shown->scene, std::move(mine), report);
      else
        report_usage_error(report, request, input.name + " contains only textures; --tiles needs a map");
      return report;
    }
    if (shown && !shown->scene && inputs.size() == 1 && !check_texture_options(request, input.name, report))
      return report;
    const auto pictures = shown ? render_pictures(request, input.name, *shown, mine, report) : std::nullopt;
    if (pictures)
      write_output(request, all, outputs->name(index, ".png"), encode_motion(*pictures, outputs->name(index, ".png")),
                   report);
    return report;
  });
}

/// Many inputs, one sheet.
ExitCode render_sheet(const Request& request, const RenderSelection& chosen, Report wrong) {
  const auto wanted = parse_render_request(request, 128, 128, wrong);
  if (wanted && (wanted->strip || file_extension(request.output) == ".apng"))
    report_usage_error(wrong, request, "--strip and .apng outputs take only one file");
  else if (wanted && wanted->shot.zoom > 1)
    report_usage_error(wrong, request, "--zoom has no effect on a sheet; use --size to set the size of its pictures");
  if (!wanted || wrong.exit != ExitCode::done) return finish(wrong);
  size_t count = 0;
  if (auto sheet = draw_input_sheet(request, chosen, *wanted, 0, wrong, &count)) {
    write_output(request, chosen.all, request.output, encode_motion({{std::move(*sheet)}}, request.output), wrong);
    if (!request.quiet) wrong.err += format_count(count, "picture", "pictures") + " on the sheet\n";
  }
  return finish(wrong);
}

ExitCode render_part(const Request& request, Report report) {
  if (request.inputs.size() != 1) {
    report_usage_error(report, request,
                       "--part takes one game, not " + std::to_string(request.inputs.size()) + " files");
    return finish(report);
  }
  const auto [width, height] = raster::default_screen_size(
      raster::parse_shading_style(request.look).value_or(raster::ShadingStyle::plain), {1024, 1024});
  const auto wanted = parse_render_request(request, width, height, report);
  if (!wanted) return finish(report);
  if (has_wildcard(request.part)) return render_parts(request, *wanted, std::move(report));
  auto staged = build_game_part_scene(request, request.inputs[0], request.part == "world" ? "" : request.part, report);
  if (!staged) return finish(report);
  RenderRequest mine = *wanted;
  mine.shot.options.each = make_parallel_for(request);
  const std::vector<Input> inputs =
      is_folder(request.inputs[0]) ? std::vector<Input>() : resolve_input_names({request.inputs[0]});
  if (mine.tiles) {
    render_tiles(request, request.inputs[0], staged->scene, std::move(mine), report);
    return finish(report);
  }
  const auto pictures = render_pictures(request, request.inputs[0], {std::move(staged->scene), {}}, mine, report);
  if (pictures) write_output(request, inputs, request.output, encode_motion(*pictures, request.output), report);
  return finish(report);
}

/// land/12, where there is no such file.
bool is_missing_part(const std::string& name) {
  const size_t slash = name.find('/');
  std::error_code error;
  return slash != name.npos && slash > 0 && slash + 1 < name.size() &&
         name.find_first_not_of("0123456789", slash + 1) == name.npos &&
         name.find_first_not_of("abcdefghijklmnopqrstuvwxyz-") == slash && !fs::exists(name, error);
}

}  // namespace

ExitCode run_render(const Request& given) {
  Report wrong;
  const std::string extension = file_extension(given.output);
  const bool to_folder = given.output.ends_with('/') || is_folder(given.output);
  if (given.output.empty()) {
    report_usage_error(wrong, given, "no output given: use -o OUT.png");
    return finish(wrong);
  }
  if (!given.tiles.empty() && (!to_folder && (given.output == "-" || !extension.empty()))) {
    report_usage_error(wrong, given, "--tiles writes a folder, not " + given.output + ": use -o FOLDER/");
    return finish(wrong);
  }
  if (given.tiles.empty() && !to_folder && given.output != "-" && extension != ".png" && extension != ".apng" &&
      extension != ".gif" && extension != ".svg") {
    report_usage_error(
        wrong, given,
        "the output must end in .png, in .apng or .gif for a moving picture, or in .svg for a plan: " + given.output);
    return finish(wrong);
  }
  if (given.output == "-" && given.json) {
    report_usage_error(wrong, given, "--json cannot be combined with -o -: both would be written to standard output");
    return finish(wrong);
  }
  if (!to_folder && extension == ".svg") return render_plan(given, std::move(wrong));
  Request request = given;
  if (request.time.find(':') == std::string::npos) request.seconds = std::exchange(request.time, {});
  // `dio world` and `dio maps` take the part behind the game.
  if (const auto part = std::ranges::find_if(request.inputs, is_missing_part); part != request.inputs.end()) {
    report_usage_error(wrong, request, *part + " is not a file; to draw a part of a game, use --part " + *part);
    return finish(wrong);
  }
  if (!request.part.empty()) return render_part(request, std::move(wrong));
  request.recursive = true;
  const auto chosen = select_render_inputs(request, wrong);
  if (!chosen) return finish(wrong);
  if (!request.tiles.empty() && chosen->shown.size() != 1) {
    report_usage_error(
        wrong, request,
        "--tiles shows only one map, but " + format_count(chosen->shown.size(), "file matches", "files match"));
    return finish(wrong);
  }
  if (!request.state.empty() && std::ranges::any_of(chosen->shown, [](const Input& i) { return bool(i.archive); })) {
    report_usage_error(wrong, request, "--state has no effect on single files of a game; choose the map with --part");
    return finish(wrong);
  }
  const bool one_sheet = chosen->shown.size() > 1 && !to_folder && extension != ".apng";
  return one_sheet ? render_sheet(request, *chosen, std::move(wrong)) : render_each(request, *chosen, std::move(wrong));
}

}  // namespace dio::cli
