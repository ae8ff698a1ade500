#include "edit_game.hpp"

#include <algorithm>
#include <utility>

#include "../command_line/print.hpp"
#include "../command_line/text.hpp"
#include "../files/files.hpp"
#include "../input/games.hpp"
#include "../input/scenes.hpp"
#include "../output/results.hpp"
#include "core/command_text.hpp"
#include "edited_file.hpp"

namespace dio::cli {

namespace {

/// The files of a folder that have changed, over themselves: all, or none as far as can be seen before.
void write_files(const Request& request, const std::string& folder, const EditedTree::Changed& files, Report& report) {
  const bool is_trial = request.dry_run;
  FileTransaction together;
  Report said;
  const std::string to = request.output.empty() ? folder : request.output;
  for (const bool trial : {true, false}) {
    if (!trial && is_trial) continue;
    for (const auto& [path, bytes] : files) {
      const std::string name = to + (to.ends_with('/') ? "" : "/") + path;
      const bool in_place = request.output.empty();
      if (!in_place && !trial)
        if (auto made = make_folder(name.substr(0, name.rfind('/'))); !made)
          return report_error(report, request, made.error());
      if (!in_place && trial && !is_folder(name.substr(0, name.rfind('/')))) {
        if (is_trial) said.err += "would write " + name + " (" + format_count(bytes.size(), "byte", "bytes") + ")\n";
        continue;  // in a new folder, nothing is in the way
      }
      const auto done = write_file(name, bytes,
                                   {.overwrite = in_place || request.overwrite,
                                    .backup = request.backup,
                                    .replace_backup = request.overwrite,
                                    .replace_read_only = request.overwrite,
                                    .dry_run = trial});
      if (!done) return report_error(report, request, done.error());
      if (trial && !is_trial) continue;
      report_notes(said, request, done->notes, name);
      if (is_trial || !request.quiet)
        said.err += (is_trial   ? "would change "
                     : in_place ? "changed "
                                : "wrote ") +
                    name + " (" + format_count(bytes.size(), "byte", "bytes") + ")\n";
    }
  }
  const auto done = together.commit();
  if (!done) return report_error(report, request, done.error());
  report.err += said.err;
}

/// The image with all of them. `input`: with its state from before it was read.
void write_image(const Request& request, const Input& input, const ArchiveTree& image, const EditedTree::Changed& files,
                 Report& report) {
  std::vector<DependentFile> all;
  for (const auto& [path, bytes] : files) all.push_back({path, bytes});
  const auto write_contents = [&](const Contents& contents) {
    if (request.in_place || (request.dry_run && request.output.empty()))
      write_in_place(request, input, contents, report);
    else
      write_output(request, {input}, request.output, contents, report);
  };
  const auto refused = [&](const Diagnostic& d) { report_error(report, request, in_file(d, request.inputs[0])); };
  if (can_patch_in_place(image)) {
    const auto changed = patch_archive_files(image, std::move(all));
    return changed ? write_contents(Contents(input.name, **changed)) : refused(changed.error());
  }
  const auto bytes = replace_files(image, std::move(all));
  bytes ? write_contents(*bytes) : refused(bytes.error());
}

}  // namespace

std::string game_edits_text(const GameKind& kind, const Game& game) {
  std::string out;
  const auto append_edit_text = [&](const auto& e) {
    out += std::string(e.name) + " " + usage_line(e.parameters) + "\n" + wrap_text(word_commands(e.about), "    ");
  };
  for (const GameEdit& e : kind.edits) append_edit_text(e);
  for (const ListEdit& e : part_edits_of(game)) append_edit_text(e);
  return out;
}

void edit_game(const Request& request, std::span<const EditStep> steps, Referrers referrers, Report& report) {
  Input input;  // of an image
  if (!is_folder(request.inputs[0])) input = resolve_input_names({request.inputs[0]}).front();
  input.state = file_state(input.name);
  const auto played = open_game(request, request.inputs[0], report);
  if (!played) return;
  const auto* image = dynamic_cast<const ArchiveTree*>(played->files.get());
  if (!image && !is_folder(request.inputs[0]))
    return report_usage_error(report, request, "to edit the game, name the image itself, not a folder in it");
  auto editing = GameEditing::begin(*played->files);
  if (!editing) return report_error(report, request, in_game(editing.error(), *played));
  u64 lost = 0;
  for (EditStep step : steps) {
    const auto named = std::ranges::find(editing->kind().edits, step.name, &GameEdit::name);
    const bool reads_files = named != editing->kind().edits.end() && named->reads_files;
    if (reads_files && !read_file_arguments(request, named->parameters, step, report)) return;
    std::optional<scene::Scene> scene;
    const auto file = scene_argument_path(editing->kind(), step);
    if (file && !file->empty()) {
      const Input input = resolve_input_names({*file}).front();
      const auto bytes = read_input(input);
      if (!bytes) return report_error(report, request, bytes.error());
      if (!is_scene(input, *bytes))
        return report_usage_error(report, request,
                                  step.name + ": " + *file + " is not a scene; use a .glb, .gltf or .obj file");
      scene = read_scene(request, input, *bytes, report);
      if (!scene || !take_files(request, *scene, input, report)) return;
    }
    std::optional<Bytes> source;
    if (const auto stored = source_argument_path(editing->kind(), step)) {
      auto bytes = read_input(resolve_input_names({*stored}).front());
      if (!bytes) return report_error(report, request, bytes.error());
      source = std::move(*bytes);
    }
    const auto done = editing->run(step, referrers, scene ? &*scene : nullptr,
                                   source ? std::optional<ByteView>(*source) : std::nullopt);
    if (!done) {
      Diagnostic why = done.error();
      add_script_line(request, step, why);
      const bool is_of_game = why.id.starts_with("edit.") || why.id.starts_with("game.");
      if (scene && !is_of_game && why.place.file.empty())
        return report_error(report, request, in_file(std::move(why), *file));
      return report_error(report, request, in_game(std::move(why), *played));
    }
    report_notes(report, request, editing->notes(), file.value_or(""));
    report_losses(report, request, editing->lost() - std::exchange(lost, editing->lost()), file.value_or(""));
    if (!request.quiet) report.err += *done + "\n";
    if (request.verbose || (request.dry_run && !request.quiet))
      for (const std::string& line : editing->last()) report.err += "  " + line + "\n";
  }
  if (editing->changed().empty() && (!image || request.output.empty())) {
    if (!request.output.empty() && !request.quiet)
      report.err += "no file changed, so " + request.output + " was not written\n";
    return;
  }
  if (image)
    write_image(request, input, *image, editing->changed(), report);
  else
    write_files(request, request.inputs[0], editing->changed(), report);
}

}  // namespace dio::cli
