#include "results.hpp"

#include <algorithm>
#include <map>

#include "../command_line/print.hpp"
#include "../command_line/text.hpp"
#include "../input/companions.hpp"
#include "../input/scenes.hpp"
#include "../system/filesystem.hpp"
#include "core/sorting.hpp"
#include "formats/contract/companions.hpp"
#include "formats/contract/format.hpp"

namespace dio::cli {

bool check_single_output(const Request& request, Report& report, const std::string& itself, bool is_change) {
  const bool is_trial = is_change && request.dry_run && request.output.empty();
  if (request.output.empty() == !request.in_place && !is_trial)
    report_usage_error(report, request,
                       (request.in_place ? "two outputs given: use either -o OUT, or -i to change "
                                         : "no output given: use -o OUT, or -i to change ") +
                           itself);
  else if (!request.backup.empty() && !request.in_place)
    report_usage_error(report, request, "--backup can only be used with -i");
  else
    return true;
  return false;
}

std::optional<Outputs> resolve_outputs(const Request& request, const std::vector<Input>& inputs,
                                       std::string_view extension, Report& report) {
  const auto can_be_read = [&](const Input& i) {
    return file_extension(i.name) == ".json" || has_scene_extension(i.name) || request.as || guess_format(i);
  };
  Outputs out;
  out.is_folder = request.output.ends_with('/') || is_folder(request.output);
  if (!out.is_folder) {
    if (inputs.size() > 1) {
      report_usage_error(report, request,
                         request.output.empty() || request.output == "-"
                             ? "several inputs need an output folder: use -o FOLDER/"
                             : "several inputs need an output folder: use -o " + request.output + "/");
      return {};
    }
    out.names = {request.output};
    return out;
  }
  for (const Input& i : inputs) out.names.push_back((fs::path(request.output) / i.inside).lexically_normal().string());
  // What is found in folders and is of no known format becomes nothing, so that its name is free. Only those are read
  // whose names are like others.
  std::map<std::string, std::vector<size_t>> alike;
  for (size_t i = 0; i < inputs.size(); ++i) alike[with_extension(out.names[i], "")].push_back(i);
  std::vector<bool> is_left(inputs.size());
  for (const auto& [stem, those] : alike)
    for (const size_t i : those)
      if (those.size() > 1 && inputs[i].walked && !can_be_read(inputs[i])) is_left[i] = true;
  const auto wanted = [&] {
    std::vector<std::string> names;
    for (size_t i = 0; i < out.names.size(); ++i)
      if (!is_left[i]) names.push_back(out.names[i]);
    return names;
  };
  const auto sorted = [](std::vector<std::string> names) {
    sort_stably(names);
    return names;
  };
  const auto sorted_stems = [&](std::vector<std::string> names) {
    for (std::string& n : names) n = with_extension(n, "");
    return sorted(std::move(names));
  };
  // Files that only their extensions tell apart keep them: MAP001.8.json, MAP001.9.json.
  std::vector<std::string> different = sorted(wanted());
  different.erase(std::unique(different.begin(), different.end()), different.end());
  const auto first = sorted_stems(std::move(different));
  for (std::string& n : out.names) {
    const auto [from, to] = std::equal_range(first.begin(), first.end(), with_extension(n, ""));
    if (to - from > 1 && fs::path(n).has_extension()) n += ".of";
  }
  const auto all = sorted_stems(wanted());
  if (const auto twice = std::adjacent_find(all.begin(), all.end()); twice != all.end()) {
    const auto same = [&](const std::string& n) { return with_extension(n, "") == *twice; };
    report_usage_error(
        report, request,
        "two inputs would be written to the same file, " +
            (extension.empty() ? *std::ranges::find_if(out.names, same) : *twice + std::string(extension)));
    return {};
  }
  return out;
}

namespace {

/// The archive that the name of a result leads into. A file that is none is in the way of a folder.
Result<std::shared_ptr<ArchiveFile>> open_output_archive(const ArchivePath& to, const std::string& name) {
  auto archive = ArchiveFile::open(to.file);
  if (!archive && archive.error().id == "archive.none")
    return refuse(io_error("io.write", name, to.file + " is a file, not a folder"));
  return archive;
}

/// How a file is added to an archive that does not have it yet.
std::string hint_to_add_file(ArchiveFile& archive, const std::string& image) {
  std::string hint = "to add files, use {unpack " + image + "} and {pack FOLDER}";
  archive.visit_tree([&](const ArchiveTree& tree) {
    const auto opened = open_game(tree);
    if (!opened) return;
    const auto edit = std::ranges::find_if(opened->kind->edits, [](const GameEdit& e) { return e.store; });
    if (edit != opened->kind->edits.end())
      hint = "to add a file, use {edit " + image + " " + std::string(edit->name) + " source=FILE}";
  });
  return hint;
}

/// A result in place of a member of an archive: -o game.nds/data/maps.narc/12.
void replace_archive_member(const Request& request, const ArchivePath& to, const std::string& name,
                            const Contents& contents, Report& report) {
  Bytes room;
  const auto bytes = contents.all(room);
  if (!bytes) return report_error(report, request, bytes.error());
  const auto archive = open_output_archive(to, name);
  if (!archive) return report_error(report, request, archive.error());
  if (request.output != name)
    return report_error(report, request,
                        io_error("io.write", name, "a folder inside " + to.file + " cannot be written",
                                 "only single members can be replaced: -o " + to.file + "/MEMBER -f"));
  if (auto old = (*archive)->read(to.inside); !old) {
    Diagnostic missing = old.error();
    if (missing.id == "file.missing" && missing.hint.empty()) missing.hint = hint_to_add_file(**archive, to.file);
    return report_error(report, request, missing);
  }
  if (!request.overwrite)
    return report_error(report, request, io_error("io.exists", name, "the file already exists", "-f overwrites it"));
  const WriteOptions options{.overwrite = true, .replace_read_only = true, .dry_run = request.dry_run};
  const auto done = (*archive)->replace(to.inside, *bytes, options);
  if (!done) return report_error(report, request, done.error());
  report_notes(report, request, done->notes, to.file);
  if (request.dry_run || !request.quiet)
    report.err += (request.dry_run ? "would change " : "changed ") + name + " (" +
                  format_count(contents.size(), "byte", "bytes") + ")\n";
}

}  // namespace

void write_output(const Request& request, const std::vector<Input>& inputs, const std::string& name,
                  const Contents& contents, Report& report) {
  if (name.empty() || name == "-") {
    if (request.dry_run) {
      report.err += "would write " + format_count(contents.size(), "byte", "bytes") + " to standard output\n";
      return;
    }
    Bytes room;
    const auto bytes = contents.all(room);
    if (!bytes) return report_error(report, request, bytes.error());
    report.out.append(reinterpret_cast<const char*>(bytes->data()), bytes->size());
    return;
  }
  const auto output = file_id(name);
  const auto parent = fs::path(name).parent_path().string();
  const bool has_folder = parent.empty() || is_folder(parent);
  if (!output && !has_folder)
    if (const auto inside = split_archive_path(name))
      return replace_archive_member(request, *inside, name, contents, report);
  for (const Input& i : inputs) {
    if (!output || i.id != output) continue;
    const bool can_in_place =
        request.verb == "set" || request.verb == "edit" || request.verb == "convert" || request.verb == "textures";
    return report_error(
        report, request,
        io_error("io.exists", name, "the output is the input itself", can_in_place ? "-i changes it in place" : ""));
  }
  const bool makes_folder = request.output.ends_with('/') && !has_folder;
  if (makes_folder)
    if (auto made = make_folder(parent, request.dry_run); !made) return report_error(report, request, made.error());
  const WriteOptions options{
      .overwrite = request.overwrite, .replace_read_only = request.overwrite, .dry_run = request.dry_run};
  if (!(makes_folder && request.dry_run)) {  // in a new folder, nothing is in the way
    const auto done = write_file(name, contents, options);
    if (!done) return report_error(report, request, done.error());
    report_notes(report, request, done->notes, name);
  }
  if (request.dry_run || !request.quiet)
    report.err += (request.dry_run ? "would write " : "wrote ") + name + " (" +
                  format_count(contents.size(), "byte", "bytes") + ")\n";
}

void write_outputs(const Request& request, const std::vector<Input>& inputs, const std::string& name,
                   const std::vector<BuiltFile>& files, Report& report) {
  if (files.size() == 1) return write_output(request, inputs, name, files[0].bytes, report);
  const auto inside = split_archive_path(name);
  if (inside)
    if (const auto archive = open_output_archive(*inside, name); !archive)
      return report_error(report, request, archive.error());
  if (name == "-" || inside)
    return report_usage_error(report, request,
                              "the result consists of several files, which cannot be written to standard output: name "
                              "the first file with -o");
  std::vector<std::string> names = {name};
  for (size_t i = 1; i < files.size(); ++i) names.push_back(with_extension(name, files[i].extension));
  // What would stop one of them stops all, before any is written.
  Request trial = request;
  trial.dry_run = true;
  for (size_t i = 0; i < files.size(); ++i) {
    Report said;
    write_output(trial, inputs, names[i], files[i].bytes, said);
    if (said.exit == ExitCode::done && is_folder(names[i]))
      report_error(said, request, io_error("io.write", names[i], "this is a folder, not a file"));
    if (said.exit != ExitCode::done || request.dry_run) report.err += said.err;
    report.raise(said.exit);
    if (said.exit != ExitCode::done) return;
  }
  if (request.dry_run) return;
  write_transaction(report, [&](Report& said, size_t i) {
    if (i < files.size()) write_output(request, inputs, names[i], files[i].bytes, said);
    return i < files.size();
  });
}

void write_transaction(Report& report, const std::function<bool(Report&, size_t)>& write) {
  FileTransaction files;
  Report said;
  for (size_t i = 0; said.exit == ExitCode::done && write(said, i);) ++i;
  if (said.exit == ExitCode::done) {
    auto done = files.commit();
    if (!done) said = {}, report_error(said, Request(), done.error());
  } else {
    // What was said of files before is not so: only why it stopped counts.
    const size_t error = said.err.rfind("error: ");
    said.err = "nothing was written: either all files change, or none\n" +
               (error == said.err.npos ? "" : said.err.substr(error));
  }
  report.out += said.out, report.err += said.err;
  report.raise(said.exit);
}

void report_uncopied_companions(const Request& request, const Input& input, const Format& format,
                                const std::string& output, Report& report) {
  if (request.quiet || report.exit != ExitCode::done || !companion_ops_of(format).beside || input.is_stdin ||
      output == "-")
    return;
  const std::string& own = input.own_name();
  const auto split = [](const std::string& name) { return name.find_last_of('/') + 1; };  // npos + 1 is 0
  const size_t in = split(own), out = split(output);
  const auto here = companion_ops_of(format).beside(own.substr(in)),
             there = companion_ops_of(format).beside(output.substr(out));
  std::vector<std::string> stay, wanted;
  std::error_code error;
  for (size_t i = 0; i < std::min(here.size(), there.size()); ++i) {
    const std::string from = own.substr(0, in) + here[i], to = output.substr(0, out) + there[i];
    const bool is_here = input.archive ? bool(input.archive->read(from)) : fs::exists(from, error);
    if (!is_here || fs::exists(to, error)) continue;
    stay.push_back(from);
    wanted.push_back(to);
  }
  if (!stay.empty())
    report.err += output + ": the companion files of the input were not copied; copy " + join_texts(stay, ", ") +
                  " to " + join_texts(wanted, ", ") + "\n";
}

void write_in_place(const Request& request, const Input& input, const Contents& contents, Report& report) {
  const WriteOptions options{.overwrite = true,
                             .only_if = input.state,
                             .backup = request.backup,
                             .replace_backup = request.overwrite,
                             .replace_read_only = request.overwrite,
                             .dry_run = request.dry_run};
  const std::string& file = input.archive ? input.archive->name() : input.name;
  Bytes room;
  const auto bytes = input.archive ? contents.all(room) : ByteView();
  if (!bytes) return report_error(report, request, bytes.error());
  const auto has_same_bytes = [&](const Result<Bytes>& now) {
    Bytes all;
    const auto wanted =
        contents.size() == (now ? now->size() : ~u64(0)) ? contents.all(all) : Result<ByteView>(ByteView());
    return now && wanted && std::ranges::equal(*now, *wanted);
  };
  constexpr u64 k_compared = 64 << 20;
  if (contents.size() <= k_compared && !input.is_stdin &&
      has_same_bytes(input.archive ? input.archive->read(input.member) : read_file(file))) {
    if (!request.quiet) report.err += input.name + ": no change\n";
    return;
  }
  const auto done =
      input.archive ? input.archive->replace(input.member, *bytes, options) : write_file(file, contents, options);
  if (!done) return report_error(report, request, done.error());
  report_notes(report, request, done->notes, file);
  if (request.dry_run)
    report.err += "would change " + input.name + " (" + format_count(contents.size(), "byte", "bytes") + ")\n";
  else if (!request.quiet)
    report.err +=
        "changed " + input.name + (request.backup.empty() ? "" : "; the old file is " + file + request.backup) + "\n";
}

/// Tells who names an output like a file of another kind what was written: perhaps an image with the change in it was
/// expected, or a scene.
static void report_misleading_extension(const Request& request, const Input& input, const Format& format,
                                        Report& report) {
  const std::string extension = file_extension(request.output);
  const auto names_files_of = [&](const Format* f) { return has_extension(*f, extension); };
  if (request.quiet || report.exit != ExitCode::done || extension.empty() || names_files_of(&format) ||
      extension == file_extension(input.own_name()))
    return;
  if (has_scene_extension(request.output) || std::ranges::any_of(formats(), names_files_of))
    report.err += request.output + ": despite its name, this file has the format " + std::string(format.id) + " (" +
                  std::string(format.title) + ")\n";
}

void write_edited_input(const Request& request, const Input& input, const Format& format, const Contents& contents,
                        Report& report) {
  const bool is_trial = request.dry_run && request.output.empty();
  if (request.in_place || (is_trial && input.archive)) return write_in_place(request, input, contents, report);
  if (is_trial) {
    report.err += "would change " + input.name + " (" + format_count(contents.size(), "byte", "bytes") + ")\n";
    return;
  }
  write_output(request, {input}, request.output, contents, report);
  report_uncopied_companions(request, input, format, request.output, report);
  report_misleading_extension(request, input, format, report);
}

}  // namespace dio::cli
