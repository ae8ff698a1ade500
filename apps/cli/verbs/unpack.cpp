// dio unpack: an archive as a folder of files.
#include "../command_line/print.hpp"
#include "../command_line/text.hpp"
#include "../input/inputs.hpp"
#include "../input/open.hpp"
#include "../output/new_folder.hpp"
#include "../output/results.hpp"
#include "core/safe_path.hpp"
#include "operations/archive_folders.hpp"
#include "operations/file_parts.hpp"
#include "operations/operations.hpp"
#include "verbs.hpp"

namespace dio::cli {

namespace {

/// One part of a file, or all of them. `is_alone`: set for one part.
Result<MemoryTree> unpack_file_parts(const std::string& name, std::string_view part, bool& is_alone) {
  const std::vector<Input> inputs = resolve_input_names({name});
  if (inputs.size() != 1) return refuse(io_error("io.read", name, "several files match: name one"));
  const auto bytes = read_input(inputs[0]);
  if (!bytes) return refuse(bytes.error());
  const auto detected = detect(*bytes, name);
  if (!detected || !detected->format->parts)
    return refuse("archive.none", dio::Location::in_file(name), {.message = "this file has no parts"});
  const std::string stem = file_stem(file_name(name));
  if (part == "all") return unpack_parts(*detected->format, *bytes, stem);
  auto content = read_part(*detected->format, *bytes, part);
  if (!content) return refuse(in_file(std::move(content.error()), name));
  is_alone = true;
  MemoryTree tree;
  tree.files[stem] = std::move(*content);
  return tree;
}

/// The files of what a name means: an archive on disk, one inside of another, or a folder or a file inside of one.
/// `is_alone`: set for a file that is no archive.
Result<MemoryTree> unpack_input(const std::string& name, bool& is_alone) {
  const auto inside = split_archive_path(name);
  if (!inside) {
    const std::vector<Input> inputs = resolve_input_names({name});
    if (inputs.size() != 1 || inputs[0].walked)
      return refuse(
          io_error("io.read", name,
                   is_folder(name) ? "this is a folder, not an archive" : "several files match: name one archive"));
    if (!inputs[0].problem && !inputs[0].is_stdin && !inputs[0].archive) {  // of a disc, only what is written is read
      const auto tree = open_archive_file(inputs[0].name);
      if (tree) return unpack((*tree)->archive(), inputs[0].name);
      if (tree.error().id != "archive.none") return refuse(tree.error());
    }
    auto bytes = read_input(inputs[0]);
    if (!bytes) return refuse(std::move(bytes.error()));
    return unpack(*bytes, inputs[0].name);
  }
  const auto outer = open_archive_file(inside->file);
  if (!outer) return refuse(outer.error());
  auto place = (*outer)->resolve_and_open(inside->inside);
  if (place) return unpack(place->tree->archive(), place->tree->name(), place->folder);
  const auto member = (*outer)->resolve_path(inside->inside);
  if (place.error().id != "archive.none" || !member || !member->member) return refuse(std::move(place.error()));
  is_alone = true;
  auto content = member->tree->archive().read(*member->member);
  if (!content) return refuse(std::move(content.error()));
  const std::string& path = member->tree->archive().members()[*member->member].path;
  auto safe = escape_archive_paths({std::string(file_name(path))});
  if (!safe) return refuse(std::move(safe.error()));
  MemoryTree tree;
  tree.files[safe->front()] = std::move(*content);
  return tree;
}

/// All files or none.
std::optional<Diagnostic> write_files(const MemoryTree& tree, const std::vector<std::string>& paths, NewFolder& to) {
  if (auto problem = to.begin(paths)) return problem;
  for (const auto& [path, bytes] : tree.files)
    if (auto problem = to.write(path, bytes)) return problem;
  return to.finish();
}

}  // namespace

ExitCode run_unpack(const Request& request) {
  Report report;
  const std::string& name = request.inputs[0];
  bool is_alone = false;
  const bool is_one_part = !request.part.empty() && request.part != "all";
  if (request.output.empty() || (request.output == "-" && !is_one_part)) {
    report_usage_error(report, request,
                       (request.output.empty() ? "no output given" : "files are written to a folder") +
                           std::string(": use -o FOLDER"));
  } else if (auto tree =
                 request.part.empty() ? unpack_input(name, is_alone) : unpack_file_parts(name, request.part, is_alone);
             !tree) {
    const auto bytes = tree.error().id == "archive.none" ? read_regular_file(name) : Result<Bytes>(Bytes());
    report_error(report, request, bytes ? with_format_hint(tree.error(), name, *bytes) : tree.error());
    if (tree.error().id != "archive.none" && report.exit == ExitCode::unreadable && !request.quiet)
      report.err += "nothing was written\n";
  } else if (is_alone && !request.output.ends_with('/') && !is_folder(request.output)) {
    write_output(request, {}, request.output, tree->files.begin()->second, report);
  } else {
    u64 size = 0;
    for (const auto& [path, bytes] : tree->files) size += bytes.size();
    const std::string what =
        format_count(tree->files.size(), "file", "files") + ", " + format_count(size, "byte", "bytes");
    std::vector<std::string> paths;
    std::string names;
    for (const auto& [path, bytes] : tree->files) {
      paths.push_back(path);
      if (request.verbose) names += path + " (" + format_count(bytes.size(), "byte", "bytes") + ")\n";
    }
    NewFolder folder(request.output, request.overwrite);
    if (auto problem = folder.find_obstacle(paths))
      report_error(report, request, *problem);
    else if (request.dry_run)
      report.err += names + "would write " + request.output + " (" + what + ")\n";
    else if (auto stopped = write_files(*tree, paths, folder))
      report_error(report, request, *stopped);
    else if (!request.quiet)
      report.err += names + "wrote " + request.output + " (" + what + ")\n";
  }
  return finish(report);
}

}  // namespace dio::cli
