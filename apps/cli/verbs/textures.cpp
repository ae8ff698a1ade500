// dio textures: the pictures of files as PNG, and edited ones back into them.

#include "../command_line/print.hpp"
#include "../command_line/text.hpp"
#include "../input/batch.hpp"
#include "../input/games.hpp"
#include "../input/open.hpp"
#include "../output/results.hpp"
#include "../system/filesystem.hpp"
#include "answers/texture_files.hpp"
#include "bridge/png/png.hpp"
#include "core/json.hpp"
#include "formats/contract/companions.hpp"
#include "formats/contract/format.hpp"
#include "formats/contract/pictures.hpp"
#include "verbs.hpp"

namespace dio::cli {
namespace {

/// For a file that never has pictures; found in a folder, it is passed over.
bool report_if_no_textures(const Request& request, const Input& input, const OpenedFile& o, Report& report) {
  if (o.format->pictures) return false;
  if (input.walked || (request.recursive && o.format->archive))
    report.skipped = true;
  else {
    report.err += input.name + ": this format (" + std::string(o.format->title) + ") has no textures" +
                  (o.format->archive ? "; name a file in it; `dio ls " + input.name + "` lists the files" : "") + "\n";
    report.raise(ExitCode::no);
  }
  return true;
}

/// `-o DIR`: of one file straight into the folder, of several each into one of its own.
void extract_textures(const Request& request, const std::vector<Input>& inputs, const Input& input,
                      const std::string& folder, std::span<const Companion> with, Report& report) {
  const auto opened = open_input(request, input, report);
  if (!opened || report_if_no_textures(request, input, *opened, report)) return;
  const auto companions = collect_companions(*opened, {with.begin(), with.end()});
  std::vector<TexturePair> pairs;
  if (!companion_ops_of(*opened->format).goes_with.empty())  // models may be elsewhere in the game
    visit_input_game_part(input, *opened->format,
                          [&](const OpenedGame& in, const GamePart& part) { pairs = in.game->pairs(part.id()); });
  const auto set = export_textures(
      *opened,
      {.every_palette = request.all, .palette_files = request.palette_files, .companions = companions, .pairs = pairs});
  if (!set) return report_error(report, request, set.error());
  report_notes(report, request, set->notes, input.name);
  if (set->images.empty()) {
    if (!request.quiet || !request.vram.empty()) report.err += input.name + ": no textures\n";
    if (!input.walked) report.raise(ExitCode::no);
    return;
  }
  const Value& manifest = set->manifest;
  if (request.vram == "-") {
    // A picture on standard output stands alone there.
  } else if (request.quiet && !request.json && !request.output.empty()) {
    // textures.json says the same.
  } else if (!request.json) {
    Table table("<<>>><<");
    table.add_row({"file", "format", "width", "height", "colours", "palette", "paired by"});
    for (size_t i = 0; i < set->images.size(); ++i) {
      const Value& e = *manifest.find("pictures")->at(i);
      const auto text = [&](const char* name) {
        const Value* v = e.find(name);
        return !v ? std::string("-") : v->is(Value::Kind::text) ? v->text() : json::write(*v);
      };
      table.add_row({text("file"), text("format"), text("width"), text("height"), text("colors"), text("palette"),
                     text("paired_by")});
    }
    report.out += (inputs.size() > 1 ? input.name + "\n" : "") + table.text(inputs.size() > 1 ? "  " : "");
  } else
    report.out += json_text(manifest);
  if (!request.vram.empty()) {
    const scene::Image* memory = set->video_memory();
    if (!memory) {
      report.err += input.name + ": this format (" + std::string(opened->format->title) + ") has no VRAM image\n";
      return report.raise(ExitCode::no);
    }
    write_output(request, inputs, request.vram, png::write_png(*memory), report);
  }
  if (request.output.empty() || report.exit != ExitCode::done) return;
  set->write([&](const std::string& file, ByteView bytes) {
    write_output(request, inputs, (fs::path(folder) / file).string(), bytes, report);
    return report.exit == ExitCode::done;
  });
}

/// A file of the folder of --replace, if there is anything of that name.
std::optional<Result<Bytes>> read_replacement_file(const Request& request, const std::string& file) {
  const std::string path = (fs::path(request.replace) / file).string();
  std::error_code error;
  if (file != k_texture_manifest && !fs::exists(path, error)) return {};
  return read_regular_file(path);
}

/// `--replace DIR -o OUT`.
void replace_textures(const Request& request, const Input& input, Report& report) {
  std::error_code none;
  if (fs::is_regular_file(request.replace, none)) {
    report_usage_error(
        report, request,
        "--replace takes the folder that holds the pictures and textures.json, not the file " + request.replace);
    return;
  }
  auto opened = open_input(request, input, report);
  if (!opened || report_if_no_textures(request, input, *opened, report)) return;
  if ((request.adds || request.rescales) && !opened->format->pictures->extends)
    return report_usage_error(report, request,
                              "--add and --rescale work only with DS models and textures (nsbmd, nsbtx)");
  TakeOptions options{.rescale = request.rescales};
  std::error_code error;
  std::vector<std::string> files;
  for (const auto& entry : fs::directory_iterator(request.replace, error))
    files.push_back(entry.path().filename().string());
  if (request.adds) options.added = files;
  const auto read = [&](const std::string& file) { return read_replacement_file(request, file); };
  const auto taken = import_textures(*opened, read, options);
  if (!taken) {
    Diagnostic d = taken.error();
    std::string& file = d.place.file;
    if (file.find('/') == std::string::npos) file = (fs::path(request.replace) / file).string();
    const auto bytes = d.place.known() ? read_regular_file(file) : Result<Bytes>(Bytes());
    return report_error(report, request, d, bytes ? ByteView(*bytes) : ByteView());
  }
  if (!taken->changed && !taken->unchanged && !taken->added) {
    report.err += input.name + ": nothing to replace: " + request.replace +
                  " contains no picture that its textures.json lists for this file\n";
    return report.raise(ExitCode::no);
  }
  if (!request.quiet) {
    for (Diagnostic d : taken->notes) {
      d.place.file = (fs::path(request.replace) / d.place.file).string();
      report.err += format_note_line(d);
    }
    report.err += input.name + ": " + format_count(taken->changed, "picture", "pictures") + " changed, " +
                  std::to_string(taken->unchanged) + " unchanged" +
                  (taken->added ? ", " + std::to_string(taken->added) + " added" : "") + "\n";
  }
  if (const auto unlisted = find_unlisted_pictures(read, files); !request.adds && !unlisted.empty()) {
    report.err += request.replace + ": not imported, because textures.json does not list " +
                  (unlisted.size() == 1 ? "this picture" : "these pictures") + ": " + join_texts(unlisted, ", ") +
                  (opened->format->pictures->extends ? "; --add makes new textures of them" : "") + "\n";
    report.raise(ExitCode::no);
  }
  Bytes bytes(opened->bytes.begin(), opened->bytes.end());
  if (taken->changed || taken->added) {
    auto saved = opened->document->save(request.save);
    if (!saved) {
      return report_error(report, request, in_file(saved.error(), input.name));
    }
    bytes = std::move(*saved);
  }
  // What did not change stays as it is; a file that was asked for is written.
  if (taken->changed || taken->added || !request.in_place)
    write_edited_input(request, input, *opened->format, bytes, report);
}

}  // namespace

ExitCode run_textures(const Request& asked) {
  Request request = asked;
  if (request.replace.empty() && request.output == "-") {
    Report wrong;
    report_usage_error(wrong, request, "pictures are written to a folder: use -o FOLDER/");
    return finish(wrong);
  }
  if (request.replace.empty() && !request.output.empty() && !request.output.ends_with('/')) request.output += '/';
  // The folder is meant, whichever of the two is named.
  if (const fs::path named = request.replace; named.filename() == k_texture_manifest && !is_folder(request.replace))
    request.replace = named.parent_path().empty() ? "." : named.parent_path().string();
  const std::vector<Input> inputs = resolve_request_inputs(request);
  Report wrong;
  if (request.vram == "-" && request.json)
    report_usage_error(wrong, request, "--vram - and --json cannot both write to standard output");
  else if (request.palette_files && request.output.empty() && request.replace.empty())
    report_usage_error(wrong, request, "--pal needs a folder for the palettes: use -o FOLDER/");
  else if (!request.vram.empty() && (inputs.size() != 1 || !request.replace.empty()))
    report_usage_error(wrong, request, "--vram accepts only one file and cannot be combined with --replace");
  else if (request.replace.empty()) {
    if (request.in_place) report_usage_error(wrong, request, "-i can only be used with --replace");
    if (request.adds || request.rescales)
      report_usage_error(wrong, request, "--add and --rescale can only be used with --replace");
  } else if (inputs.size() != 1)
    report_usage_error(wrong, request, "--replace accepts only one file");
  else if (!request.with.empty())
    report_usage_error(wrong, request, "--with cannot be combined with --replace; the palettes are in textures.json");
  else if (request.all || request.json)
    report_usage_error(wrong, request, "--all-palettes and --json cannot be combined with --replace");
  else if (request.palette_files)
    report_usage_error(wrong, request,
                       "--pal has no effect with --replace, which always reads the .pal files listed in textures.json");
  else
    check_single_output(request, wrong);
  std::optional<Outputs> folders;
  if (wrong.exit == ExitCode::done && request.replace.empty() && !request.output.empty() && inputs.size() > 1)
    folders = resolve_outputs(request, inputs, "", wrong);
  const std::vector<OpenedFile> others = open_with_files(request, wrong);
  if (wrong.exit != ExitCode::done) return finish(wrong);
  std::vector<Companion> with;
  for (const OpenedFile& o : others) with.push_back({o.name, o.format, o.document.get()});
  return for_each_input(request, inputs, [&](const Input& input, size_t index) {
    Report report;
    if (request.replace.empty())
      extract_textures(request, inputs, input, folders ? folders->name(index, "") : request.output, with, report);
    else
      replace_textures(request, input, report);
    return report;
  });
}

}  // namespace dio::cli
