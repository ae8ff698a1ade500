// dio world: the maps of a game as glTF.
#include "../command_line/print.hpp"
#include "../input/build_scene.hpp"
#include "../output/results.hpp"
#include "bridge/gltf/gltf.hpp"
#include "verbs.hpp"

namespace dio::cli {
namespace {

void export_world(const Request& request, Report& report) {
  if (request.output.empty()) return report_usage_error(report, request, "no output given: use -o OUT.glb");
  const bool text = file_extension(request.output) == ".gltf";
  if (!text && file_extension(request.output) != ".glb" && request.output != "-")
    return report_usage_error(report, request, "the output must end in .glb or .gltf, not " + request.output);
  const std::string& name = request.inputs[0];
  const auto staged = build_game_part_scene(request, name, request.path, report);
  if (!staged) return;
  const gltf::Options how{.instances = request.instances};
  // In a folder nothing of the game is called .glb: what is there was made before.
  const std::vector<Input> inputs = is_folder(name) ? std::vector<Input>() : resolve_input_names({name});
  const auto stop = [&](Diagnostic d) { report_error(report, request, in_file(std::move(d), name)); };
  if (text) {
    const auto made = gltf::write_gltf(staged->scene, how);
    return made ? write_output(request, inputs, request.output, as_bytes(*made), report) : stop(made.error());
  }
  const auto made = gltf::write_glb(staged->scene, how);
  return made ? write_output(request, inputs, request.output, *made, report) : stop(made.error());
}

}  // namespace

ExitCode run_world(const Request& request) {
  Report report;
  export_world(request, report);
  return finish(report);
}

}  // namespace dio::cli
