// dio convert --onto: an edited scene back into the file it was made of.
#include "../../command_line/options.hpp"
#include "../../command_line/print.hpp"
#include "../../command_line/text.hpp"
#include "../../input/batch.hpp"
#include "../../input/open.hpp"
#include "../../input/scenes.hpp"
#include "../../output/results.hpp"
#include "../verbs.hpp"
#include "formats/contract/format.hpp"
#include "operations/apply_scene.hpp"

namespace dio::cli {
namespace {

/// The file with the edited scene applied. Nothing if that is not possible; the report has the reason. `of_scene`: the
/// name of the scene's file, which is named if the scene does not fit.
std::optional<Bytes> apply_scene(const Request& request, scene::Scene scene, const std::string& of_scene,
                                 OpenedFile& file, Report& report) {
  auto applied = dio::apply_scene(file, std::move(scene), request.save,
                                  request.cascade  ? Referrers::cascade
                                  : request.unlink ? Referrers::unlink
                                                   : Referrers::refuse,
                                  collect_companions(file, {}));
  if (!applied) {
    report_error(report, request, in_file(applied.error(), of_scene));
    return {};
  }
  report_notes(report, request, applied->notes, of_scene);
  if (!request.quiet) {
    report.err += file.name + ": " + applied->what + "\n";
    if (request.verbose || request.dry_run)
      for (const Change& c : applied->changes) report.err += "  " + format_one_line(c) + "\n";
  }
  if (auto loss = refuse_loss(*applied, file.name, {request.partly, request.deletes})) {
    report_error(report, request, in_file(std::move(*loss), of_scene));
    return {};
  }
  return std::move(applied->bytes);
}

bool accepts_edited_scenes(const Format& f) { return f.scenes && f.scenes->supports_scene_import(); }

/// Formats to which edited scenes can be applied.
std::string list_accepting_formats() {
  std::vector<std::string> ids;
  for (const Format* f : formats())
    if (accepts_edited_scenes(*f)) ids.emplace_back(f->id);
  return join_texts(ids, ", ");
}

}  // namespace

ExitCode run_convert_onto(const Request& request) {
  const std::vector<Input> scenes = resolve_input_names(request.inputs), files = resolve_input_names({request.onto});
  Report wrong;
  if (scenes.size() != 1 || files.size() != 1)
    report_usage_error(wrong, request, "--onto takes exactly one scene (.glb, .gltf or .obj)");
  else if (!scenes[0].is_stdin && !has_scene_extension(scenes[0].name))
    report_usage_error(
        wrong, request,
        scenes[0].name + " cannot be applied to " + request.onto + "; only .glb, .gltf and .obj files can");
  else if (check_single_output(request, wrong, request.onto)) {
    if (!request.to.empty())
      report_usage_error(wrong, request,
                         "--to cannot be combined with --onto; the result has the format of " + request.onto);
    else if (request.output.ends_with('/') || is_folder(request.output))
      report_usage_error(wrong, request, "with --onto, -o must name a file, not a folder");
  }
  if (wrong.exit != ExitCode::done ||
      !require_effective_options(request, "--onto " + request.onto, saving_option_names(), wrong))
    return finish(wrong);
  return for_each_input(request, files, [&](const Input& input, size_t) {
    Report report;
    auto file = open_input(request, input, report);
    if (!file) return report;
    if (!accepts_edited_scenes(*file->format)) {
      report.err += input.name + ": an edited scene cannot be applied to this format (" +
                    std::string(file->format->title) + "), only to " + list_accepting_formats() +
                    "\n    change the file with `dio set` or `dio edit`, or as JSON (`dio decode`, `dio encode`)\n";
      report.raise(ExitCode::usage);
      return report;
    }
    if (file->format->scenes->needs_companions) open_sibling_companions(request, input, *file, &report);
    const auto bytes = read_input(request, scenes[0], report);
    if (!bytes) return report;
    auto scene = read_scene(request, scenes[0], *bytes, report);
    const auto made = scene ? apply_scene(request, *std::move(scene), scenes[0].name, *file, report) : std::nullopt;
    if (!made) return report;
    if (request.output.empty())
      write_edited_input(request, input, *file->format, *made, report);
    else
      write_output(request, {scenes[0], input}, request.output, *made, report);
    return report;
  });
}

}  // namespace dio::cli
