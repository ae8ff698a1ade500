// dio edit: elements added, removed and moved, and changes that have a name.
#include <algorithm>

#include "../command_line/print.hpp"
#include "../command_line/text.hpp"
#include "../files/archives.hpp"
#include "../files/files.hpp"
#include "../input/batch.hpp"
#include "../input/games.hpp"
#include "../input/open.hpp"
#include "../input/scenes.hpp"
#include "../output/results.hpp"
#include "core/command_text.hpp"
#include "edit_game.hpp"
#include "edited_file.hpp"
#include "formats/contract/format.hpp"
#include "operations/edit_steps.hpp"
#include "operations/editing.hpp"
#include "operations/shared_names.hpp"
#include "verbs.hpp"

namespace dio::cli {

namespace {

void print_edits(const OpenedFile& o, Report& report) {
  const auto print_edit = [&](const auto& e) {
    report.out += std::string(e.name) + (e.parameters.empty() ? "" : " ") + usage_line(e.parameters) + "\n" +
                  wrap_text(word_commands(e.about), "    ");
  };
  for (const Edit& e : edits_of(*o.format)) print_edit(e);
  for (const ListEdit& e : list_edits())
    if (e.is_of(*o.format)) print_edit(e);
  const GameKind* kind = game_kind_of(*o.format);
  if (!kind || kind->edits.empty()) return;
  std::string names;
  for (const GameEdit& e : kind->edits) names += (names.empty() ? "" : ", ") + std::string(e.name);
  report.out += "edits of the whole game, `dio edit GAME` (an image or a folder): " + names + "\n";
}

/// The edits of a file, and of the game that it is the image of, if it is one.
void print_edits_with_game(const Request& request, const OpenedFile& o, Report& report) {
  Report none;
  std::optional<OpenedGameInput> played;
  if (o.format->archive) played = open_game(request, request.inputs[0], none);
  if (!request.json) {
    print_edits(o, report);
    if (played) report.out += game_edits_text(*played->kind, *played->game);
    return;
  }
  Value all = describe_edits(*o.format, o.format_id());
  if (played) {
    Value of_game = describe_game_edits({played->kind, {}, std::move(played->game)});
    all.add("game", std::move(*of_game.find("game")));
    all.add("game_edits", std::move(*of_game.find("edits")));
  }
  report.out = json_text(all);
}

/// The edits of the game in a folder.
void print_game_edits(const Request& request, Report& report) {
  auto played = open_game(request, request.inputs[0], report);
  if (!played) return;
  report.out += request.json ? json_text(describe_game_edits({played->kind, {}, std::move(played->game)}))
                             : game_edits_text(*played->kind, *played->game);
}

/// A file that follows what was renamed in another one.
struct FollowingInput {
  Input input;
  Bytes bytes;
};
/// Those given by --with that have to change. If one of them cannot, the report says why.
std::vector<FollowingInput> rename_in_companions(const Request& request, const SharedNames& names, Report& report) {
  std::vector<FollowingInput> out;
  for (const Input& input : resolve_input_names(request.with)) {
    const auto o = open_input(request, input, report);
    if (!o) return {};
    auto editing = Editing::begin(*o, {.lossy = request.save.lossy});
    const auto follow = editing ? names.follow(*editing) : refuse(editing.error());
    if (!follow) {
      report_error(report, request, in_file(follow.error(), o->name));
      return {};
    }
    if (!*follow) continue;
    if (!request.quiet) report.err += o->name + ": " + dio::format_count(*follow, "name") + " updated\n";
    out.push_back({input, editing->bytes()});
  }
  return out;
}

/// A file and those that follow it: over themselves, or in a folder.
void write_file_group(const Request& request, const Input& input, const Bytes& bytes,
                      const std::vector<FollowingInput>& others, Report& report) {
  std::vector<const Input*> inputs = {&input};
  std::vector<const Bytes*> all = {&bytes};
  for (const FollowingInput& f : others) inputs.push_back(&f.input), all.push_back(&f.bytes);
  write_transaction(report, [&](Report& report, size_t i) {
    if (i >= inputs.size()) return false;
    if (request.in_place || (request.dry_run && request.output.empty()))
      write_in_place(request, *inputs[i], *all[i], report);
    else
      write_output(
          request, {*inputs[i]},
          request.output + (request.output.ends_with('/') ? "" : "/") + std::string(file_name(inputs[i]->own_name())),
          *all[i], report);
    return true;
  });
}

}  // namespace

ExitCode run_edit(const Request& request) {
  Report wrong;
  std::vector<EditStep> steps;
  const auto parse_steps = [&](std::span<const std::string> words, std::span<const u64> lines = {}) {
    auto more = parse_edit_steps(words, lines);
    if (more)
      steps.insert(steps.end(), std::make_move_iterator(more->begin()), std::make_move_iterator(more->end()));
    else
      report_usage_error(wrong, request,
                         (lines.empty() ? "" : (request.script == "-" ? "standard input" : request.script) + ": ") +
                             more.error().message);
  };
  parse_steps(request.assignments);
  if (wrong.exit == ExitCode::done && !request.script.empty()) {
    const auto text = read_input(resolve_input_names({request.script}).front());
    if (!text) {
      report_error(wrong, request, text.error());
      return finish(wrong);
    }
    std::vector<u64> lines;
    const auto words = tokenize_edit_script({reinterpret_cast<const char*>(text->data()), text->size()}, &lines);
    parse_steps(words, lines);
  }
  const bool writes = !request.output.empty() || request.in_place || !request.backup.empty();
  if (wrong.exit == ExitCode::done && steps.empty() && writes)
    report_usage_error(wrong, request, "no edit given; `dio edit " + request.inputs[0] + "` lists the edits");
  else if (!steps.empty() && check_single_output(request, wrong) && request.in_place && request.inputs[0] == "-")
    report_usage_error(wrong, request, "standard input cannot be changed in place");
  if (wrong.exit == ExitCode::done && !request.with.empty() && !request.output.empty() &&
      !request.output.ends_with('/') && !is_folder(request.output))
    report_usage_error(wrong, request, "--with may change several files: use a folder for -o, or use -i");
  if (wrong.exit != ExitCode::done) return finish(wrong);
  // A map has an edit add-prop, too.
  const bool may_be_game =
      is_folder(request.inputs[0]) || (file_state(request.inputs[0]) && looks_like_archive(request.inputs[0]));
  const auto of_game = may_be_game ? std::ranges::count_if(steps, is_game_edit) : 0;
  if (of_game || is_folder(request.inputs[0])) {
    Report report;
    const auto no_edit = std::ranges::find_if(steps, [](const EditStep& s) { return has_scene_extension(s.name); });
    if (no_edit != steps.end())
      report_usage_error(report, request,
                         no_edit->name + " is not an edit; pass a scene to an edit as scene=" + no_edit->name);
    else if (of_game < std::ssize(steps))
      report_usage_error(report, request,
                         is_folder(request.inputs[0])
                             ? "a folder accepts only game edits; for other edits, name the file"
                             : "game edits and file edits cannot be combined in one command");
    else if (request.cascade)
      report_usage_error(report, request, "--cascade does not work with game edits; use --unlink");
    else if (steps.empty())
      print_game_edits(request, report);
    else
      edit_game(request, steps, request.unlink ? Referrers::unlink : Referrers::refuse, report);
    return finish(report);
  }
  return for_one_input(request, [&](const Input& input, size_t) {
    Report report;
    auto o = open_input(request, input, report);
    if (!o) return report;
    if (steps.empty()) {
      print_edits_with_game(request, *o, report);
      return report;
    }
    SharedNames names;
    const auto file = apply_edit_steps(request, std::move(*o), steps, names, report);
    if (!file) return report;
    if (request.with.empty()) {
      write_edited_input(request, input, *file->opened.format, file->contents(input.name), report);
      return report;
    }
    const auto others = rename_in_companions(request, names, report);
    if (report.exit == ExitCode::done) write_file_group(request, input, file->editing->bytes(), others, report);
    return report;
  });
}

}  // namespace dio::cli
