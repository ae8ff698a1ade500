// dio info: what files are.
#include "../command_line/print.hpp"
#include "../command_line/text.hpp"
#include "../files/folders.hpp"
#include "../input/batch.hpp"
#include "../input/games.hpp"
#include "../output/members.hpp"
#include "formats/contract/format.hpp"
#include "operations/cartridge_projects.hpp"
#include "operations/describe_json.hpp"
#include "verbs.hpp"

namespace dio::cli {

namespace {

std::string info_text(const OpenedFile& o, const Value& info) {
  const std::string out =
      o.name + ": " + std::string(o.format->title) + ", " + format_count(o.bytes.size(), "byte", "bytes") + "\n";
  return out + members_text(info, 2);
}

/// What a file is; of one that lists others also what its game makes of it with them.
Value describe_input(const Input& input, const OpenedFile& o) {
  Value info = info_with_companions(o);
  if (is_game_index_file(input, *o.format))
    visit_input_game_part(input, *o.format, [&](const OpenedGame& opened, const GamePart& part) {
      const Game& game = *opened.game;
      auto described = game.describe(part.id(), {});
      if (!described) {
        info.add("problem", format_one_line(described.error()));
        return;
      }
      for (auto& [name, value] : described->members())
        if (name != "part" && name != "file" && !info.find(name)) info.add(name, std::move(value));
    });
  return info;
}

/// The project folder of a cartridge, and the game in it. Nothing for other folders.
std::optional<std::string> describe_project(const Request& request, const std::string& folder) {
  const FolderTree files(folder);
  const auto tool = detect_cartridge_project(files);
  if (!tool) return {};
  Value info = Value::object();
  Report unknown;  // a cartridge of a game that is not known
  if (const auto played = open_game(request, folder, unknown)) {
    info = played->game->info();
    Value with_title = Value::object();
    with_title.add("game", played->kind->title);
    for (auto& [name, value] : info.members()) with_title.add(name, std::move(value));
    info = std::move(with_title);
  }
  return folder + ": DS cartridge, project folder of " + std::string(title_of(*tool)) + "\n" + members_text(info, 2);
}

}  // namespace

ExitCode run_info(const Request& request) {
  if (request.inputs.size() == 1 && !request.recursive && !request.json && is_folder(request.inputs[0]))
    if (auto text = describe_project(request, request.inputs[0])) {
      Report report;
      report.out = std::move(*text);
      return finish(report);
    }
  const std::vector<Input> inputs = resolve_request_inputs(request);
  Report end;
  const Job describe = [&](const Input& input, size_t) {
    Report report;
    const auto o = open_input(request, input, report);
    if (!o) return report;
    Value info = describe_input(input, *o);
    if (request.json) {
      report.out = json_text(info_json(o->name, o->format_id(), o->bytes.size(), o->sniff, std::move(info)), true);
    } else {
      if (o->format->layouts) info.add("recognised", o->sniff.reason);
      report.is_block = true;
      report.out = info_text(*o, info);
      if (request.verbose)
        report.err += o->name + ": " + o->format_id() + ", " + std::string(to_string(o->sniff.certainty)) + ": " +
                      o->sniff.reason + "\n";
    }
    if (!o->notes.empty() && !request.quiet)
      report.err += o->name + ": " + format_count(o->notes.size(), "part is", "parts are") +
                    " damaged and kept as raw bytes; `dio check " + o->name + "` shows details\n";
    return report;
  };
  end.exit =
      for_each_input(request, inputs, describe, [&](const Summary& s) { report_unknown_formats(request, s, end); });
  return finish(end);
}

}  // namespace dio::cli
