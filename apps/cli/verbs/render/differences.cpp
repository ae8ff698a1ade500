#include "differences.hpp"

#include <array>
#include <mutex>

#include "../../command_line/print.hpp"
#include "../../command_line/text.hpp"
#include "../../output/results.hpp"
#include "../../system/filesystem.hpp"
#include "bridge/raster/compare.hpp"
#include "formats/contract/companions.hpp"
#include "render.hpp"

namespace dio::cli {
namespace {

constexpr u16 k_blink = 700;  // milliseconds: long enough to look, short enough to see what jumps

/// With what belongs to it, of --with.
std::optional<RenderSubject> load_diff_side(const Request& request, const Input& input, Report& report) {
  if (is_dev_null(input)) return RenderSubject{};
  std::vector<Input> all = {input};
  for (Input& other : resolve_input_names(request.with)) {
    if (!other.problem && !(guess_format(other) && !companion_ops_of(*guess_format(other)).goes_with.empty()))
      report_usage_error(report, request,
                         "--with accepts textures, palettes and animations; " + other.name + " is none of these");
    else if (other.problem)
      report_error(report, request, *other.problem);
    all.push_back(std::move(other));
  }
  if (report.exit != ExitCode::done) return {};
  Request of_companions = request;
  of_companions.as = {};  // that is how the two files are read
  auto companions = Companions::extract_from(of_companions, all, report);
  if (!companions) return {};
  return load_render_subject(request, input, *companions, report);
}

/// The names by which the two are told apart: no more of their folders than that takes.
std::array<std::string, 2> distinguishing_names(const std::vector<Input>& inputs) {
  const fs::path paths[2] = {inputs[0].name, inputs[1].name};
  std::array<std::string, 2> out;
  auto a = paths[0].end(), b = paths[1].end();
  do {
    if (a != paths[0].begin()) out[0] = (--a)->string() + (out[0].empty() ? "" : "/") + out[0];
    if (b != paths[1].begin()) out[1] = (--b)->string() + (out[1].empty() ? "" : "/") + out[1];
  } while (out[0] == out[1] && (a != paths[0].begin() || b != paths[1].begin()));
  for (size_t i = 0; i < 2; ++i)
    if (is_dev_null(inputs[i])) out[i] = inputs[i].name;  // not "null"
  return out;
}

/// On a colour that was asked for, letters are dark or light.
void set_background(raster::SheetOptions& options, const std::optional<scene::Rgba>& color) {
  if (!color) return;
  options.background = *color;
  if ((*color)[3] && u32((*color)[0]) + (*color)[1] + (*color)[2] < 3 * 110) options.ink = {225, 225, 225, 255};
}

std::string counts_text(const raster::Differences& d) {
  std::vector<std::string> parts;
  const auto add = [&](u64 n, const char* how) {
    if (n) parts.push_back(format_with_commas(n) + " " + how);
  };
  add(d.changed, "changed"), add(d.added, "added"), add(d.removed, "removed");
  return join_texts(parts, ", ");
}

void write_motion(const Request& request, const std::vector<Input>& inputs, const raster::Motion& motion,
                  Report& report) {
  if (request.render == "-") report.out.clear();  // the picture stands alone there
  write_output(request, inputs, request.render, encode_motion(motion, request.render), report);
}

void draw_scene_differences(const Request& request, const std::vector<Input>& inputs, const RenderSubject& a,
                            const RenderSubject& b, const RenderRequest& wanted, Report& report) {
  const scene::Scene none{};
  const scene::Scene &first = a.scene ? *a.scene : none, &second = b.scene ? *b.scene : none;
  const u32 beside = wanted.is_moving ? 1 : 3;
  if (const auto fault =
          raster::check_picture_size(u64(wanted.shot.options.width) * beside, wanted.shot.options.height))
    return report_error(report, request, in_file(*fault, request.render));
  const auto compared = raster::render_comparison(first, second, wanted.shot);
  if (!compared) return report_error(report, request, in_file(compared.error(), inputs[1].name));
  const std::string counts = counts_text(compared->found);
  const std::string what = !counts.empty()                  ? "triangles, lines and points: " + counts
                           : compared->differing_pixels > 0 ? "the triangles are the same, but their light differs"
                                                            : "nothing visible changed";
  const auto names = distinguishing_names(inputs);
  raster::SheetOptions options;
  options.cell_width = wanted.shot.options.width, options.cell_height = wanted.shot.options.height;
  set_background(options, wanted.shot.background);
  raster::Motion motion;
  if (wanted.is_moving) {
    motion.frames = {raster::draw_labelled_row({{names[0], compared->a}}, options),
                     raster::draw_labelled_row({{names[1], compared->b}}, options)};
    motion.milliseconds = k_blink;
  } else {
    motion.frames = {raster::draw_labelled_row({{names[0], compared->a},
                                                {names[1], compared->b},
                                                {counts.empty() ? "nothing changed" : counts, compared->marked, true}},
                                               options)};
  }
  if (compared->is_visible()) report.raise(ExitCode::no);
  if (!request.quiet || !compared->is_visible()) report.err += what + "\n";
  write_motion(request, inputs, motion, report);
}

void draw_texture_differences(const Request& request, const std::vector<Input>& inputs, const RenderSubject& a,
                              const RenderSubject& b, const RenderRequest& wanted, Report& report) {
  if (wanted.is_moving)
    return report_usage_error(report, request,
                              "texture differences can only be drawn as a .png: use a name ending in .png");
  if (wanted.shot.time) return report_usage_error(report, request, "--time has no effect on textures");
  const auto compared = raster::compare_textures(a.textures, b.textures);
  if (compared.cells.empty()) {
    // Not an old picture of other differences.
    raster::SheetOptions options;
    options.cell_width = 320, options.cell_height = 1;
    set_background(options, wanted.shot.background);
    report.err += "nothing visible changed in " + format_count(compared.same, "picture", "pictures") + "\n";
    return write_motion(request, inputs, {{raster::draw_labelled_row({{"nothing changed", {}, true}}, options)}},
                        report);
  }
  report.raise(ExitCode::no);
  raster::SheetOptions options;
  options.columns = 3;
  for (const raster::LabelledImage& c : compared.cells) {
    options.cell_width = std::max(options.cell_width, c.image.width);
    options.cell_height = std::max(options.cell_height, c.image.height);
  }
  if (!request.size.empty())
    options.cell_width = wanted.shot.options.width, options.cell_height = wanted.shot.options.height;
  set_background(options, wanted.shot.background);
  auto sheet = raster::make_contact_sheet(compared.cells, options);
  if (!sheet) return report_error(report, request, in_file(sheet.error(), inputs[1].name));
  if (!request.quiet)
    report.err +=
        "pictures: " + counts_text({compared.same, compared.changed, compared.added, compared.removed}) + "\n";
  write_motion(request, inputs, {{std::move(*sheet)}}, report);
}

}  // namespace

bool is_dev_null(const Input& input) { return !input.archive && !input.is_stdin && input.name == "/dev/null"; }

void draw_differences(const Request& given, const std::vector<Input>& inputs, Report& report) {
  Request request = given;
  request.output = given.render;
  request.time.clear();  // of the animations, not of the day
  Report problems;       // what is said of drawing comes after what is said of values
  auto wanted = parse_render_request(request, 480, 480, problems);
  if (wanted && !given.time.empty())  // also of pictures that blink: those do not play
    if (const auto problem = raster::set_option(wanted->shot, "time", given.time)) {
      report_usage_error(problems, request, "--time " + *problem);
      wanted.reset();
    }
  std::optional<RenderSubject> shown[2];
  for (size_t i = 0; wanted && i < 2; ++i) {
    shown[i] = load_diff_side(request, inputs[i], problems);
    if (!shown[i]) break;
  }
  if (shown[0] && shown[1]) {
    const bool are_textures = shown[0]->textures.size() + shown[1]->textures.size() > 0;
    if (are_textures && (shown[0]->scene || shown[1]->scene)) {
      problems.err += "one of the files contains only textures, the other does not\n";
      problems.raise(ExitCode::no);
    } else {
      (are_textures ? draw_texture_differences : draw_scene_differences)(request, inputs, *shown[0], *shown[1], *wanted,
                                                                         problems);
    }
  }
  if (given.render == "-" && !problems.out.empty()) report.out.clear();
  report.out += problems.out;
  report.err += problems.err;
  // Of files that have no picture, the values say whether they differ.
  const bool is_undrawn = !(shown[0] && shown[1]) && problems.exit == ExitCode::no;
  if (!is_undrawn) report.raise(problems.exit);
}

}  // namespace dio::cli
