// dio world: the maps of a game as glTF.
#include <algorithm>
#include <charconv>

#include "../command_line/options.hpp"
#include "../command_line/print.hpp"
#include "../command_line/text.hpp"
#include "../input/games.hpp"
#include "../input/scenes.hpp"
#include "../output/results.hpp"
#include "bridge/gltf/gltf.hpp"
#include "verbs.hpp"

namespace dio::cli {
namespace {

/// Seconds since midnight of `20:30`.
std::optional<u32> seconds_of(std::string_view time) {
  const size_t colon = time.find(':');
  if (colon == time.npos) return {};
  u32 hours = 0, minutes = 0;
  const auto number = [](std::string_view digits, u32& to) {
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), to);
    return error == std::errc() && end == digits.data() + digits.size();
  };
  if (!number(time.substr(0, colon), hours) || !number(time.substr(colon + 1), minutes)) return {};
  if (hours > 23 || minutes > 59) return {};
  return hours * 3600 + minutes * 60;
}

std::vector<std::string> split(std::string_view list) {
  std::vector<std::string> out;
  while (!list.empty()) {
    const size_t comma = std::min(list.find(','), list.size());
    if (comma) out.emplace_back(list.substr(0, comma));
    list.remove_prefix(std::min(list.size(), comma + 1));
  }
  return out;
}

/// What was asked for, understood. If it cannot be, the report says why.
std::optional<WorldOptions> options_of(const Request& request, const Game& game, Report& report) {
  auto common = world_options(request, report);
  if (!common) return {};
  WorldOptions options = std::move(*common);
  if (!request.time.empty()) {
    const auto time = seconds_of(request.time);
    if (!time) {
      fail_usage(report, request, "--time must be hours and minutes from 0:00 to 23:59, not " + request.time);
      return {};
    }
    options.time = *time;
  }
  const std::vector<std::string> overlays(game.overlays().begin(), game.overlays().end());
  options.show = split(request.show);
  for (const std::string& name : options.show)
    if (std::find(overlays.begin(), overlays.end(), name) == overlays.end()) {
      fail_usage(report, request,
                 overlays.empty() ? "--show has no effect: this game has no overlays"
                                  : "unknown overlay " + name + "; --show takes " + joined(overlays, ", "));
      return {};
    }
  options.rotation = request.rotation;
  return options;
}

void make_world(const Request& request, Report& report) {
  if (request.output.empty()) return fail_usage(report, request, "no output given: use -o OUT.glb");
  const bool text = extension_in(request.output) == ".gltf";
  if (!text && extension_in(request.output) != ".glb" && request.output != "-")
    return fail_usage(report, request, "the output must end in .glb or .gltf, not " + request.output);
  const auto played = open_game(request, request.inputs[0], report);
  if (!played) return;
  if (!are_read(request, played->name, played->kind->options, report)) return;
  const auto options = options_of(request, *played->game, report);
  if (!options) return;
  const auto staged = played->game->world(request.path, *options);
  if (!staged) return fail(report, request, in_game(staged.error(), *played));
  if (!request.quiet)
    for (const Diagnostic& d : staged->notes) report.err += note_line(in_game(d, *played));
  if (request.verbose) report.err += played->name + ": " + scene_summary(staged->scene) + "\n";
  const gltf::Options how{.instances = request.instances};
  // In a folder nothing of the game is called .glb: what is there was made before.
  const std::vector<Input> inputs = is_folder(played->name) ? std::vector<Input>() : inputs_named({played->name});
  if (text) {
    const auto made = gltf::write_gltf(staged->scene, how);
    if (!made) return fail(report, request, in_game(made.error(), *played));
    return write_output(request, inputs, request.output, as_bytes(*made), report);
  }
  const auto made = gltf::write_glb(staged->scene, how);
  if (!made) return fail(report, request, in_game(made.error(), *played));
  write_output(request, inputs, request.output, *made, report);
}

}  // namespace

Exit run_world(const Request& request) {
  Report report;
  make_world(request, report);
  return finish(report);
}

}  // namespace dio::cli
