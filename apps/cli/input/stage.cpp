#include "stage.hpp"

#include <algorithm>
#include <charconv>
#include <filesystem>

#include "../command_line/options.hpp"
#include "../command_line/print.hpp"
#include "../command_line/text.hpp"
#include "formats/contract/format.hpp"
#include "scenes.hpp"

namespace dio::cli {
namespace {

/// The scene of a file with all that its game shows it with. Nothing if it is in no game, or no part that can be shown
/// and yet can be shown alone. `read`: which options the game reads, if it is in one. `shown_with`: the files of the
/// game that belong to it, if it is shown alone.
std::optional<Result<Staged>> scene_in_game(const Input& input, const Opened& opened, const WorldOptions& options,
                                            std::span<const std::string_view>& read,
                                            std::vector<std::string>& shown_with) {
  std::optional<Result<Staged>> out;
  // Files are named by their paths in the game.
  const std::string beside =
      input.archive ? input.archive->name() : std::filesystem::path(input.name).parent_path().string();
  const auto in_game = [&](Diagnostic& d) {
    if (!d.place.file.empty() && !beside.empty()) d.place.file = beside + "/" + d.place.file;
  };
  in_its_game(input, *opened.format, [&](const OpenedGame& in, const GamePart& part) {
    auto staged = in.game->world(part.id(), options);
    if (!staged && (opened.format->scenes || staged.error().id == "game.part")) {
      shown_with = in.game->shown_with(part);
      return;
    }
    if (!staged)
      in_game(staged.error());
    else
      for (Diagnostic& d : staged->notes) in_game(d);
    read = in.kind->options;
    out = std::move(staged);
  });
  return out;
}

/// Members of the archive that a file is in, without those that cannot be read.
std::vector<Opened> opened_members(const Input& input, const std::vector<std::string>& paths) {
  std::vector<Opened> out;
  for (const std::string& path : paths) {
    auto bytes = input.archive ? input.archive->read(path) : Result<Bytes>(refuse(Diagnostic{}));
    auto opened = bytes ? dio::open(std::move(*bytes), path) : Result<Opened>(refuse(bytes.error()));
    if (opened) out.push_back(std::move(*opened));
  }
  return out;
}

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
std::optional<WorldOptions> part_options(const Request& request, const Game& game, Report& report) {
  auto common = world_options(request, report);
  if (!common) return {};
  WorldOptions options = std::move(*common);
  if (!request.time.empty()) {
    const auto time = seconds_of(request.time);
    if (!time) {
      fail_usage(report, request,
                 "--time must be hours and minutes from 0:00 to 23:59, not " + in_quotes(request.time));
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
                                  : "unknown overlay " + in_quotes(name) + "; --show takes " + joined(overlays, ", "));
      return {};
    }
  options.rotation = request.rotation;
  return options;
}

}  // namespace

std::optional<Staged> stage_input(const Request& request, const Input& input, const Opened& opened,
                                  const std::vector<Companion>& others, Report& report) {
  const auto world = world_options(request, report);
  if (!world) return {};
  std::span<const std::string_view> shown_by;
  if (opened.format->scenes) shown_by = opened.format->scenes->options;
  std::vector<std::string> shown_with;
  auto in_game = others.empty() ? scene_in_game(input, opened, *world, shown_by, shown_with) : std::nullopt;
  const std::vector<Opened> of_game = in_game ? std::vector<Opened>() : opened_members(input, shown_with);
  std::vector<Companion> companions = others;
  for (const Opened& o : of_game) companions.push_back({o.name, o.format, o.document.get()});
  if (opened.format->scenes && !input.walked && !are_read(request, input.name, shown_by, report)) return {};
  const SceneOptions alone{
      .companions = companions, .lit = request.lit, .lamps = world->lamps, .tick_rate = world->tick_rate};
  auto staged = in_game ? std::move(*in_game) : to_scene(opened, alone);
  if (!staged) {
    if (!in_game && !input.archive && lists_others(input, *opened.format))
      staged.error().hint =
          "put the files that this file lists into the same folder, with the names they have on the disc";
    fail(report, request, in_file(staged.error(), input.name));
    return {};
  }
  tell(report, request, staged->notes, input.name);
  if (request.verbose) report.err += input.name + ": " + scene_summary(staged->scene) + "\n";
  return std::move(*staged);
}

std::optional<Staged> stage_part(const Request& request, const std::string& game, const std::string& part,
                                 Report& report) {
  const auto played = open_game(request, game, report);
  return played ? stage_part(request, *played, part, report) : std::nullopt;
}

std::optional<Staged> stage_part(const Request& request, const Played& played, const std::string& part,
                                 Report& report) {
  if (!are_read(request, played.name, played.kind->options, report)) return {};
  const auto options = part_options(request, *played.game, report);
  if (!options) return {};
  auto staged = played.game->world(part, *options);
  if (!staged) {
    fail(report, request, in_game(staged.error(), played));
    return {};
  }
  if (!request.quiet)
    for (const Diagnostic& d : staged->notes) report.err += note_line(in_game(d, played));
  if (request.verbose) report.err += played.name + ": " + scene_summary(staged->scene) + "\n";
  return std::move(*staged);
}

}  // namespace dio::cli
