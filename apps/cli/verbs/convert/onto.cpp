// dio convert --onto: an edited scene back into the file it was made of.
#include "../../command_line/options.hpp"
#include "../../command_line/print.hpp"
#include "../../command_line/text.hpp"
#include "../../input/batch.hpp"
#include "../../input/scenes.hpp"
#include "../../output/results.hpp"
#include "../verbs.hpp"
#include "formats/contract/format.hpp"

namespace dio::cli {
namespace {

/// The file with the edited scene applied. Nothing if that is not possible; the report has the reason. `of_scene`: the
/// name of the scene's file, which is named if the scene does not fit.
std::optional<Bytes> put_back(const Request& request, scene::Scene scene, const std::string& of_scene, Opened& file,
                              Report& report) {
  const auto stop = [&](const Diagnostic& d, const std::string& name) {
    fail(report, request, in_file(d, name));
    return std::nullopt;
  };
  const auto taken = dio::from_scene(file, std::move(scene));
  if (!taken) return stop(taken.error(), of_scene);
  tell(report, request, taken->notes, of_scene);
  if (!request.quiet)
    report.err += file.name + ": " + counted(taken->changed, "polygon", "polygons") + " changed, " +
                  std::to_string(taken->unchanged) + " unchanged\n";
  if (!taken->changed) return file.bytes;
  auto saved = file.document->save(request.save);
  if (!saved) return stop(saved.error(), file.name);
  return std::move(*saved);
}

/// Formats to which edited scenes can be applied.
std::string takers() {
  std::vector<std::string> ids;
  for (const Format* f : formats())
    if (f->scenes && f->scenes->from_scene) ids.emplace_back(f->id);
  return joined(ids, ", ");
}

}  // namespace

Exit run_convert_onto(const Request& request) {
  const std::vector<Input> scenes = inputs_named(request.inputs), files = inputs_named({request.onto});
  Report wrong;
  if (scenes.size() != 1 || files.size() != 1)
    fail_usage(wrong, request, "--onto takes exactly one scene (.glb or .gltf)");
  else if (!scenes[0].is_stdin && !is_gltf(scenes[0].name))
    fail_usage(wrong, request,
               scenes[0].name + " cannot be applied to " + request.onto + "; only .glb and .gltf files can");
  else if (has_one_place(request, wrong, request.onto)) {
    if (!request.to.empty())
      fail_usage(wrong, request, "--to cannot be combined with --onto; the result has the format of " + request.onto);
    else if (request.output.ends_with('/') || is_folder(request.output))
      fail_usage(wrong, request, "with --onto, -o must name a file, not a folder");
  }
  if (wrong.exit != Exit::done || !are_read(request, "--onto " + request.onto, saving_options(), wrong))
    return finish(wrong);
  return for_each_input(request, files, [&](const Input& input, size_t) {
    Report report;
    auto file = open_input(request, input, report);
    if (!file) return report;
    if (!file->format->scenes || !file->format->scenes->from_scene) {
      report.err += input.name + ": an edited scene cannot be applied to this format (" +
                    std::string(file->format->title) + "), only to " + takers() +
                    "\n    change the file with `dio set` or `dio edit`, or as JSON (`dio decode`, `dio encode`)\n";
      report.raise(Exit::usage);
      return report;
    }
    const auto bytes = read_input(request, scenes[0], report);
    if (!bytes) return report;
    auto scene = read_scene(request, scenes[0], *bytes, report);
    const auto made = scene ? put_back(request, *std::move(scene), scenes[0].name, *file, report) : std::nullopt;
    if (!made) return report;
    if (request.output.empty())
      write_changed(request, input, *file->format, *made, report);
    else
      write_output(request, {scenes[0], input}, request.output, *made, report);
    return report;
  });
}

}  // namespace dio::cli
