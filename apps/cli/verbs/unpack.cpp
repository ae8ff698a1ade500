// dio unpack: an archive as a folder of files.
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "../command_line/print.hpp"
#include "../command_line/text.hpp"
#include "../files/temporaries.hpp"
#include "../input/inputs.hpp"
#include "../input/open.hpp"
#include "core/safe_path.hpp"
#include "operations/unpacked.hpp"
#include "verbs.hpp"

namespace dio::cli {

namespace {

namespace fs = std::filesystem;

/// The files of what a name means: an archive on disk, one inside of another, or a folder or a file inside of one.
Result<MemoryTree> files_of(const std::string& name) {
  const auto inside = archive_path(name);
  if (!inside) {
    const std::vector<Input> inputs = inputs_named({name});
    if (inputs.size() != 1 || inputs[0].walked)
      return refuse(
          io_problem("io.read", name,
                     is_folder(name) ? "this is a folder, not an archive" : "several files match: name one archive"));
    auto bytes = read_input(inputs[0]);
    if (!bytes) return refuse(std::move(bytes.error()));
    return unpack(*bytes, inputs[0].name);
  }
  auto bytes = read_file(inside->file);
  if (!bytes) return refuse(std::move(bytes.error()));
  const auto outer = archive_tree(std::move(*bytes), inside->file);
  if (!outer) return refuse(outer.error());
  auto place = (*outer)->enter(inside->inside);
  if (place) return unpack(place->tree->archive().bytes(), place->tree->name(), place->folder);
  const auto member = (*outer)->locate(inside->inside);
  if (place.error().id != "archive.none" || !member || !member->member) return refuse(std::move(place.error()));
  // No archive: a file alone.
  auto content = member->tree->archive().read(*member->member);
  if (!content) return refuse(std::move(content.error()));
  const std::string& path = member->tree->archive().members()[*member->member].path;
  auto safe = safe_paths({std::string(file_name(path))});
  if (!safe) return refuse(std::move(safe.error()));
  MemoryTree tree;
  tree.files[safe->front()] = std::move(*content);
  return tree;
}

/// Where the files go: not a link to there, and without a slash at its end.
fs::path folder_of(const std::string& output) {
  std::error_code error;
  fs::path folder = fs::canonical(output, error);
  if (!error) return folder;
  folder = fs::path(output).lexically_normal();
  return folder.has_filename() ? folder : folder.parent_path();
}

Diagnostic not_empty(const std::string& output) {
  return io_problem("io.exists", output, "the folder is not empty", "-f overwrites files with the same names");
}
fs::path above(const fs::path& folder) { return folder.has_parent_path() ? folder.parent_path() : fs::path("."); }

/// Why the files cannot be written there, as far as that shows before the first one is written.
std::optional<Diagnostic> obstacle(const MemoryTree& tree, const std::string& output, bool overwrite) {
  const auto failed = [&](std::string why) { return io_problem("io.write", output, std::move(why)); };
  std::error_code error;
  const fs::path folder = output;
  if (!fs::exists(folder, error)) return {};
  if (!fs::is_directory(folder, error)) return failed("this is a file, not a folder");
  if (!overwrite && !fs::is_empty(folder, error)) return not_empty(output);
  for (const auto& [path, bytes] : tree.files) {
    fs::path at = folder;
    for (const fs::path& part : fs::path(path).parent_path()) {
      at /= part;
      if (fs::is_symlink(at, error)) return failed(at.string() + " is a link, not a folder");
      if (fs::exists(at, error) && !fs::is_directory(at, error))
        return failed(at.string() + " is a file, not a folder");
    }
    if (fs::is_directory(folder / path, error)) return failed((folder / path).string() + " is a folder, not a file");
  }
  return {};
}

/// All files or none: they are written into a folder beside, which then takes the name. Into a folder that is there,
/// they are moved one by one once all of them are written.
std::optional<Diagnostic> write_files(const MemoryTree& tree, const std::string& output, bool overwrite) {
  const auto failed = [&](std::string why) { return io_problem("io.write", output, std::move(why)); };
  std::error_code error;
  const fs::path folder = folder_of(output);
  const fs::path parent = above(folder);
  const bool is_new = !fs::exists(folder, error) || fs::is_empty(folder, error);
  if (auto made = make_folder(parent.string()); !made) return made.error();
  // In a folder of its own, as a temporary one is for its owner alone.
  const fs::path inside = "files";
  std::vector<std::string> paths;
  for (const auto& [path, bytes] : tree.files) paths.push_back((inside / path).string());
  Temporary temporary;
  if (!temporary.make_folder(parent.string(), paths))
    return failed(std::string("cannot be written: ") + std::strerror(errno));
  const fs::path written = fs::path(temporary.name()) / inside;
  if (auto made = make_folder(written.string()); !made) return made.error();
  for (const auto& [path, bytes] : tree.files) {
    const fs::path file = written / path;
    if (auto made = make_folder(file.parent_path().string()); !made) return made.error();
    if (auto done = write_file(file.string(), bytes, {}); !done) return done.error();
  }
  if (is_new) {
    fs::rename(written, folder, error);
    if (!error) return {};
    const bool is_filled = error == std::errc::directory_not_empty || error == std::errc::file_exists;  // by now
    if (is_filled && !overwrite) return not_empty(output);
    std::error_code ignored;
    if (!fs::exists(folder, ignored)) return failed("cannot be written: " + error.message());
  }
  for (const auto& [path, bytes] : tree.files) {
    if (auto made = make_folder((folder / path).parent_path().string()); !made) return made.error();
    fs::rename(written / path, folder / path, error);
    if (error) return failed("cannot be written: " + error.message());
  }
  return {};
}

}  // namespace

Exit run_unpack(const Request& request) {
  Report report;
  const std::string& name = request.inputs[0];
  if (request.output.empty() || request.output == "-") {
    fail_usage(report, request, "no output given: use -o FOLDER");
  } else if (auto tree = files_of(name); !tree) {
    const auto bytes = tree.error().id == "archive.none" ? read_regular_file(name) : Result<Bytes>(Bytes());
    fail(report, request, bytes ? with_guess(tree.error(), name, *bytes) : tree.error());
  } else {
    u64 size = 0;
    for (const auto& [path, bytes] : tree->files) size += bytes.size();
    const std::string what = counted(tree->files.size(), "file", "files") + ", " + counted(size, "byte", "bytes");
    if (auto problem = obstacle(*tree, request.output, request.overwrite))
      fail(report, request, *problem);
    else if (auto made = make_folder(above(folder_of(request.output)).string(), true); request.dry_run && !made)
      fail(report, request, made.error());
    else if (request.dry_run)
      report.err += "would write " + request.output + " (" + what + ")\n";
    else if (auto stopped = write_files(*tree, request.output, request.overwrite))
      fail(report, request, *stopped);
    else if (!request.quiet)
      report.err += "wrote " + request.output + " (" + what + ")\n";
  }
  return finish(report);
}

}  // namespace dio::cli
