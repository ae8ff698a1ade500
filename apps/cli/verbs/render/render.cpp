// dio render: pictures of files: one each, several moments in a row or in motion, or many files on one sheet.
#include "render.hpp"

#include <atomic>
#include <charconv>
#include <filesystem>
#include <mutex>
#include <thread>

#include "../../command_line/print.hpp"
#include "../../command_line/text.hpp"
#include "../../input/batch.hpp"
#include "../../input/encode.hpp"
#include "../../input/scenes.hpp"
#include "../../output/results.hpp"
#include "../verbs.hpp"
#include "bridge/png/png.hpp"
#include "formats/contract/format.hpp"
#include "formats/contract/pictures.hpp"

namespace dio::cli {
namespace {

template <class T>
std::optional<T> number_in(std::string_view text) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return {};
  return value;
}

/// Work for all processors; the tiles of a picture.
void on_all_processors(size_t jobs, size_t count, const std::function<void(size_t)>& work) {
  std::atomic<size_t> next = 0;
  const auto run = [&] {
    for (size_t i; (i = next++) < count;) work(i);
  };
  std::vector<std::jthread> threads;
  for (size_t i = 1; i < std::min(jobs, count); ++i) threads.emplace_back(run);
  run();
}

/// Pictures of one file on a sheet: as many of its textures as there are.
std::optional<scene::Image> on_sheet(const Request& request, const std::string& name,
                                     const std::vector<raster::Labelled>& cells, raster::SheetOptions options,
                                     Report& report) {
  if (const auto color = raster::color_named(request.background)) options.background = *color;
  auto sheet = raster::sheet_of(cells, options);
  if (sheet) return std::move(*sheet);
  fail(report, request, in_file(sheet.error(), name));
  return {};
}

/// What a picture shows and where: with it, a program finds the place of anything in the picture.
Value described(const std::string& name, const scene::Scene& scene, const raster::Taken& taken) {
  const raster::View& view = taken.view;
  Value v = described_by("diorama.render/1");
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
  return v;
}

Bytes file_of(const raster::Motion& motion) {
  return motion.milliseconds ? png::write_apng(motion.frames, motion.milliseconds)
                             : png::write_png(motion.frames.front());
}

}  // namespace

std::optional<Wanted> wanted_of(const Request& request, u32 width, u32 height, Report& report) {
  Wanted out;
  const auto wrong = [&](const std::string& problem) {
    fail_usage(report, request, problem);
    return std::nullopt;
  };
  out.shot.options.width = width, out.shot.options.height = height, out.shot.options.samples = 3;
  const std::pair<const char*, const std::string*> options[] = {
      {"size", &request.size},     {"samples", &request.samples_across}, {"background", &request.background},
      {"camera", &request.camera}, {"animation", &request.animation},    {"time", &request.seconds}};
  for (const auto& [name, value] : options)
    if (!value->empty())
      if (const auto problem = raster::set_option(out.shot, name, *value))
        return wrong("--" + std::string(name) + " " + *problem);
  if (!request.frame.empty()) {
    const auto frame = number_in<u32>(request.frame);
    if (!frame) return wrong("--frame must be a whole number of ticks from 0, not " + in_quotes(request.frame));
    if (out.shot.time) return wrong("--time and --frame cannot be combined");
    const auto rate = world_options(request, report);
    if (!rate) return {};
    out.shot.time = f32(*frame) / rate->tick_rate;
  }
  if (!request.strip.empty()) {
    const auto n = number_in<u32>(request.strip);
    if (!n || *n < 1 || *n > 64)
      return wrong("--strip must be a number of pictures from 1 to 64, not " + in_quotes(request.strip));
    out.strip = *n;
  }
  out.is_moving = extension_in(request.output) == ".apng";
  if ((out.is_moving || out.strip) && out.shot.time)
    return wrong(
        "--time and --frame cannot be combined with --strip or an .apng output, which show the whole animation");
  if (out.is_moving && out.strip) return wrong("--strip cannot be combined with an .apng output");
  return out;
}

std::optional<Shown> shown_of(const Request& request, const Input& input, const Companions& companions,
                              Report& report) {
  auto bytes = read_input(request, input, report);
  if (!bytes) return {};
  Shown out;
  if (is_gltf(input, *bytes)) {
    out.scene = read_scene(request, input, *bytes, report);
    if (!out.scene) return {};
    return out;
  }
  auto opened = dio::open(std::move(*bytes), input.name, request.as, request.strict);
  if (!opened) {
    report.skipped = input.walked && opened.error().id == "detect.unknown";
    if (!report.skipped) fail(report, request, in_file(opened.error(), input.name), *bytes);
    return {};
  }
  open_neighbours(request, input, *opened, &report);
  if (opened->format->scenes) {
    auto staged = stage_input(request, input, *opened, companions.of(*opened), report);
    if (!staged) return {};
    out.scene = std::move(staged->scene);
    return out;
  }
  if (opened->format->pictures) {
    const auto with = companions_of(*opened);
    const auto set = opened->format->pictures->pictures(*opened->document, {.companions = with});
    if (!set) {
      fail(report, request, in_file(set.error(), input.name));
      return {};
    }
    for (const NamedImage& i : set->images)
      out.textures.push_back({std::filesystem::path(i.file).stem().string(), scene::to_rgba(i.image)});
    if (!out.textures.empty()) return out;
  }
  report.skipped = input.walked;
  if (!report.skipped) {
    report.err += input.name + ": nothing to draw: files of the format " + std::string(opened->format->title) +
                  " have no picture" + "\n";
    report.raise(Exit::no);
  }
  return {};
}

std::optional<raster::Motion> pictures_of(const Request& request, const std::string& name, const Shown& shown,
                                          const Wanted& wanted, Report& report) {
  if (!shown.scene) {
    raster::SheetOptions options;
    for (const raster::Labelled& t : shown.textures) {
      options.cell_width = std::max(options.cell_width, t.image.width);
      options.cell_height = std::max(options.cell_height, t.image.height);
    }
    auto sheet = on_sheet(request, name, shown.textures, options, report);
    if (!sheet) return {};
    return raster::Motion{{std::move(*sheet)}};
  }
  const auto stop = [&](const Diagnostic& d) {
    fail(report, request, in_file(d, name));
    return std::nullopt;
  };
  if (wanted.strip || wanted.is_moving) {
    auto motion = raster::motion_of(*shown.scene, wanted.shot, wanted.strip);
    if (!motion) return stop(motion.error());
    if (wanted.is_moving) return std::move(*motion);
    return raster::Motion{{raster::joined_in_row(motion->frames)}};
  }
  auto taken = raster::picture_of(*shown.scene, wanted.shot);
  if (!taken) return stop(taken.error());
  if (request.json) report.out += json_text(described(name, *shown.scene, *taken), true);
  return raster::Motion{{std::move(taken->image)}};
}

namespace {

/// What is drawn, and what belongs to it.
struct Chosen {
  std::vector<Input> all, shown;
  Companions companions;
};

/// -o FOLDER/, or one file.
Exit render_each(const Request& request, const Chosen& chosen, Report wrong) {
  const auto& [all, inputs, companions] = chosen;
  const auto wanted = wanted_of(request, 640, 480, wrong);
  std::optional<Outputs> outputs;
  if (wanted) outputs = outputs_of(request, inputs, ".png", wrong);
  if (!outputs) return finish(wrong);
  return for_each_input(request, inputs, [&](const Input& input, size_t index) {
    Report report;
    Wanted mine = *wanted;
    const size_t jobs = request.jobs ? request.jobs : std::thread::hardware_concurrency();
    if (inputs.size() == 1)
      mine.shot.options.each = [&](size_t count, const auto& work) { on_all_processors(jobs, count, work); };
    const auto shown = shown_of(request, input, companions, report);
    const auto pictures = shown ? pictures_of(request, input.name, *shown, mine, report) : std::nullopt;
    if (pictures) write_output(request, all, outputs->name(index, ".png"), file_of(*pictures), report);
    return report;
  });
}

/// Many inputs, one sheet.
Exit render_sheet(const Request& request, const Chosen& chosen, Report wrong) {
  const auto& [all, inputs, companions] = chosen;
  auto wanted = wanted_of(request, 128, 128, wrong);
  if (wanted && (wanted->strip || wanted->is_moving)) {
    fail_usage(wrong, request, "--strip and .apng outputs take only one file");
    wanted.reset();
  }
  if (!wanted) return finish(wrong);
  wanted->shot.background = scene::Rgba{0, 0, 0, 0};
  std::vector<std::vector<raster::Labelled>> cells(inputs.size());
  Request each = request;
  each.background = "transparent";
  const Summary summary = for_each(request, inputs, [&](const Input& input, size_t index) {
    Report report;
    const auto shown = shown_of(each, input, companions, report);
    if (report.skipped) return report;
    raster::Labelled cell{std::filesystem::path(input.inside.empty() ? input.name : input.inside).string(), {}};
    if (shown && !shown->scene) {
      cells[index] = shown->textures;
      return report;
    }
    if (shown)
      if (auto pictures = pictures_of(each, input.name, *shown, *wanted, report))
        cell.image = std::move(pictures->frames.front());
    cells[index].push_back(std::move(cell));
    return report;
  });
  std::vector<raster::Labelled> flat;
  for (auto& c : cells) std::move(c.begin(), c.end(), std::back_inserter(flat));
  Report report;
  report.exit = summary.exit;
  if (flat.empty()) {
    say_if_none(request, summary, report);
    return finish(report);
  }
  raster::SheetOptions options;
  options.cell_width = wanted->shot.options.width, options.cell_height = wanted->shot.options.height;
  if (const auto sheet = on_sheet(request, request.output, flat, options, report)) {
    write_output(request, all, request.output, png::write_png(*sheet), report);
    if (!request.quiet) report.err += counted(flat.size(), "picture", "pictures") + " on the sheet\n";
  }
  return finish(report);
}

Exit render_part(const Request& request, Report report) {
  const auto wanted = wanted_of(request, 1024, 1024, report);
  if (!wanted) return finish(report);
  auto staged = stage_part(request, request.inputs[0], request.part == "world" ? "" : request.part, report);
  if (!staged) return finish(report);
  Wanted mine = *wanted;
  const size_t jobs = request.jobs ? request.jobs : std::thread::hardware_concurrency();
  mine.shot.options.each = [&](size_t count, const auto& work) { on_all_processors(jobs, count, work); };
  const std::vector<Input> inputs =
      is_folder(request.inputs[0]) ? std::vector<Input>() : inputs_named({request.inputs[0]});
  const auto pictures = pictures_of(request, request.inputs[0], {std::move(staged->scene), {}}, mine, report);
  if (pictures) write_output(request, inputs, request.output, file_of(*pictures), report);
  return finish(report);
}

}  // namespace

Exit run_render(const Request& given) {
  Report wrong;
  const std::string extension = extension_in(given.output);
  const bool to_folder = given.output.ends_with('/') || is_folder(given.output);
  if (given.output.empty()) {
    fail_usage(wrong, given, "no output given: use -o OUT.png");
    return finish(wrong);
  }
  if (!to_folder && given.output != "-" && extension != ".png" && extension != ".apng") {
    fail_usage(wrong, given, "the output must end in .png, or in .apng for a moving picture: " + given.output);
    return finish(wrong);
  }
  Request request = given;
  if (request.time.find(':') == std::string::npos) request.seconds = std::exchange(request.time, {});
  if (!request.part.empty()) return render_part(request, std::move(wrong));
  request.recursive = true;  // a sheet of a folder or an archive is one of all in it
  Chosen chosen;
  chosen.all = chosen.shown = inputs_of(request);
  if (chosen.all.size() > 1) {
    auto companions = Companions::take_from(request, chosen.shown, wrong);
    if (companions) {
      chosen.companions = std::move(*companions);
    } else if (wrong.exit == Exit::usage) {  // textures without a model: they are what is to be seen
      wrong = {};
      chosen.shown = chosen.all;
    } else {
      return finish(wrong);
    }
  }
  const bool one_sheet = chosen.shown.size() > 1 && !to_folder && extension != ".apng";
  return one_sheet ? render_sheet(request, chosen, std::move(wrong)) : render_each(request, chosen, std::move(wrong));
}

}  // namespace dio::cli
