// dio unpack: an archive as a folder of files.
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "../archive_files.hpp"
#include "../text.hpp"
#include "../verbs.hpp"
#include "../work.hpp"
#include "formats/unpacked.hpp"

namespace dio::cli {

namespace {

namespace fs = std::filesystem;

/// The files of what a name means: an archive on disk, one inside of another, or a folder inside of one.
Result<MemoryTree> files_of(const std::string& name) {
  const auto inside = archive_path(name);
  auto bytes = read_file(inside ? inside->file : name);
  if (!bytes) return refuse(std::move(bytes.error()));
  if (!inside) return unpack(*bytes, name);
  auto archive = Archive::open(std::move(*bytes), inside->file);
  if (!archive) return refuse(std::move(archive.error()));
  const ArchiveTree outer(std::move(*archive), inside->file);
  // As far as it leads into archives; what is left is a folder of the last one.
  const ArchiveTree* tree = &outer;
  std::string_view rest = inside->inside;
  while (!rest.empty() && !tree->archive().has_folder(rest)) {
    auto step = tree->step(rest);
    if (!step) return refuse(std::move(step.error()));
    auto next = tree->inner(step->first);
    if (!next) return refuse(std::move(next.error()));
    tree = *next;
    rest = step->second;
  }
  return unpack(tree->archive().bytes(), tree->name(), rest);
}

/// A folder that is gone in the end, with what is left in it.
class Temporary {
 public:
  explicit Temporary(std::string pattern) : name_(std::move(pattern)) {
    if (!::mkdtemp(name_.data())) name_.clear();
  }
  Temporary(const Temporary&) = delete;
  Temporary& operator=(const Temporary&) = delete;
  ~Temporary() {
    std::error_code error;
    if (!name_.empty()) fs::remove_all(name_, error);
  }
  const std::string& name() const { return name_; }

 private:
  std::string name_;
};

/// Whether a link on the way to a file in the folder would lead out of it.
bool leads_away(const fs::path& folder, const fs::path& file) {
  std::error_code error;
  fs::path at = folder;
  for (const fs::path& part : file.parent_path())
    if (fs::is_symlink(at /= part, error)) return true;
  return false;
}

/// All files or none: they are written into a folder beside, which then takes the name. Into a folder that is there,
/// they are moved one by one once all of them are written.
std::optional<Diagnostic> write_files(const MemoryTree& tree, const std::string& output, bool overwrite) {
  const auto failed = [&](std::string expected, std::string found) {
    return io_problem("io.write", output, std::move(expected), std::move(found));
  };
  std::error_code error;
  fs::path folder = fs::path(output).lexically_normal();
  if (!folder.has_filename()) folder = folder.parent_path();  // a slash at its end
  const fs::path parent = folder.has_parent_path() ? folder.parent_path() : fs::path(".");
  const bool exists = fs::exists(folder, error);
  if (exists && !fs::is_directory(folder, error)) return failed("the name of a folder", "it is a file");
  if (exists && !overwrite && !fs::is_empty(folder, error))
    return io_problem("io.exists", output, "a new or an empty folder", "there are files in it",
                      "-f overwrites those of the same names");
  if (exists)
    for (const auto& [path, bytes] : tree.files) {
      if (leads_away(folder, path))
        return failed("folders", (folder / path).parent_path().string() + " has a link in it");
      if (fs::is_directory(folder / path, error))
        return failed("the name of a file", (folder / path).string() + " is a folder");
    }
  if (auto made = make_folder(parent.string()); !made) return made.error();
  const Temporary temporary((parent / ("." + folder.filename().string() + ".XXXXXX")).string());
  if (temporary.name().empty()) return failed("a folder that can be written to", std::strerror(errno));
  fs::permissions(temporary.name(), fs::perms(0755), error);
  for (const auto& [path, bytes] : tree.files) {
    const fs::path file = fs::path(temporary.name()) / path;
    if (auto made = make_folder(file.parent_path().string()); !made) return made.error();
    if (auto done = write_file(file.string(), bytes, {}); !done) return done.error();
  }
  if (!exists || fs::is_empty(folder, error)) {
    fs::rename(temporary.name(), folder, error);
    if (error) return failed("a place that can be written to", error.message());
    return {};
  }
  for (const auto& [path, bytes] : tree.files) {
    if (auto made = make_folder((folder / path).parent_path().string()); !made) return made.error();
    fs::rename(fs::path(temporary.name()) / path, folder / path, error);
    if (error) return failed("a place that can be written to", error.message());
  }
  return {};
}

}  // namespace

Exit run_unpack(const Request& request) {
  Report report;
  const std::string& name = request.inputs[0];
  if (request.output.empty() || request.output == "-") {
    fail_usage(report, request, "say where the files go: -o FOLDER");
  } else if (auto tree = files_of(name); !tree) {
    fail(report, request, tree.error());
  } else {
    u64 size = 0;
    for (const auto& [path, bytes] : tree->files) size += bytes.size();
    const std::string what = counted(tree->files.size(), "file", "files") + ", " + counted(size, "byte", "bytes");
    if (request.dry_run)
      report.err += "would write " + request.output + " (" + what + ")\n";
    else if (auto problem = write_files(*tree, request.output, request.overwrite))
      fail(report, request, *problem);
    else if (!request.quiet)
      report.err += "wrote " + request.output + " (" + what + ")\n";
  }
  if (!print(report)) report.raise(Exit::system);
  return report.exit;
}

}  // namespace dio::cli
