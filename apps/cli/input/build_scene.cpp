#include "build_scene.hpp"

#include <algorithm>

#include "../command_line/options.hpp"
#include "../command_line/print.hpp"
#include "../command_line/text.hpp"
#include "../system/filesystem.hpp"
#include "formats/contract/format.hpp"
#include "operations/games.hpp"
#include "scenes.hpp"

namespace dio::cli {
namespace {

/// The scene of a file with all that its game shows it with. Nothing if it is in no game, or no part that can be shown
/// and yet can be shown alone. `read`: which options the game reads, if it is in one. `shown_with`: the files of the
/// game that belong to it, if it is shown alone.
std::optional<Result<SceneResult>> build_scene_from_game(const Input& input, const OpenedFile& opened,
                                                         const WorldOptions& options,
                                                         std::span<const std::string_view>& read,
                                                         std::vector<std::string>& shown_with) {
  std::optional<Result<SceneResult>> out;
  // Files are named by their paths in the game.
  const std::string beside = input.archive ? input.archive->name() : fs::path(input.name).parent_path().string();
  const auto in_game = [&](Diagnostic& d) {
    if (!d.place.file.empty() && !beside.empty()) d.place.file = beside + "/" + d.place.file;
  };
  visit_input_game_part(input, *opened.format, [&](const OpenedGame& in, const GamePart& part) {
    auto staged = in.game->world(part.id(), options);
    if (!staged && (opened.format->scenes || staged.error().id == "game.part")) {
      shown_with = in.game->shown_with(part);
      return;
    }
    if (staged) {
      for (Diagnostic& d : staged->notes) in_game(d);
      add_digest(staged->scene, opened);
    } else {
      in_game(staged.error());
    }
    read = in.kind->options;
    out = std::move(staged);
  });
  return out;
}

/// Files of the game that a file is in, without those that cannot be read.
std::vector<OpenedFile> open_readable_members(const Input& input, const std::vector<std::string>& paths) {
  std::vector<OpenedFile> out;
  for (const std::string& path : paths) {
    auto bytes = read_game_file(input, path);
    auto opened = bytes ? dio::open(std::move(*bytes), path) : Result<OpenedFile>(refuse(bytes.error()));
    if (opened) out.push_back(std::move(*opened));
  }
  return out;
}

/// What was asked for, understood. If it cannot be, the report says why.
std::optional<WorldOptions> parse_part_options(const Request& request, const OpenedGameInput& played, Report& report) {
  auto options = parse_world_options(request, report);
  if (!options) return {};
  for (const auto& [name, typed] : {std::pair("time", &request.time), {"show", &request.show}}) {
    const auto problem =
        typed->empty() ? std::nullopt : set_world_option(*options, *played.kind, *played.game, name, *typed);
    if (!problem) continue;
    report_usage_error(report, request, "--" + std::string(name) + " " + *problem);
    return {};
  }
  options->rotation = request.rotation;
  return options;
}

}  // namespace

std::optional<SceneResult> build_input_scene(const Request& request, const Input& input, const OpenedFile& opened,
                                             const std::vector<Companion>& others, Report& report) {
  const auto world = parse_world_options(request, report);
  if (!world) return {};
  std::span<const std::string_view> shown_by;
  if (opened.format->scenes) shown_by = opened.format->scenes->options;
  std::vector<std::string> shown_with;
  auto in_game = others.empty() ? build_scene_from_game(input, opened, *world, shown_by, shown_with) : std::nullopt;
  const std::vector<OpenedFile> of_game =
      in_game ? std::vector<OpenedFile>() : open_readable_members(input, shown_with);
  std::vector<Companion> companions = others;
  for (const OpenedFile& o : of_game) companions.push_back({o.name, o.format, o.document.get()});
  if (opened.format->scenes && !input.walked && !require_effective_options(request, input.name, shown_by, report))
    return {};
  const SceneOptions alone{.companions = companions,
                           .lit = request.lit,
                           .lamps = world->lamps,
                           .tick_rate = world->tick_rate,
                           .race = request.race};
  auto staged = in_game ? std::move(*in_game) : to_scene(opened, alone);
  if (!staged) {
    // Of folders and archives, the files with a model are meant; of an archive with -r, its members.
    report.skipped =
        staged.error().id == "scene.none" && (input.walked || (request.recursive && opened.format->archive));
    if (report.skipped) return {};
    if (!in_game && !input.archive && is_game_index_file(input, *opened.format))
      staged.error().hint =
          "put the files that this file lists into the same folder, with the names they have on the disc";
    report_error(report, request, in_file(staged.error(), input.name));
    return {};
  }
  if (!input.walked || request.verbose)
    report_notes(report, request, staged->notes, input.name);
  else
    for (const Diagnostic& d : staged->notes) report.notes.push_back(format_note_line(in_file(d, input.name)));
  if (request.verbose) report.err += input.name + ": " + scene_summary(staged->scene) + "\n";
  return std::move(*staged);
}

std::optional<SceneResult> build_game_part_scene(const Request& request, const std::string& game,
                                                 const std::string& part, Report& report) {
  const auto played = open_game(request, game, report);
  return played ? build_game_part_scene(request, *played, part, report) : std::nullopt;
}

std::optional<SceneResult> build_game_part_scene(const Request& request, const OpenedGameInput& played,
                                                 const std::string& part, Report& report) {
  if (!require_effective_options(request, played.name, played.kind->options, report)) return {};
  const auto options = parse_part_options(request, played, report);
  if (!options) return {};
  auto staged = played.game->world(part, *options);
  if (!staged) {
    report_error(report, request, in_game(staged.error(), played));
    return {};
  }
  if (!request.quiet)
    for (const Diagnostic& d : staged->notes) report.err += format_note_line(in_game(d, played));
  if (request.verbose) report.err += played.name + ": " + scene_summary(staged->scene) + "\n";
  return std::move(*staged);
}

}  // namespace dio::cli
