#include "new_folder.hpp"

#include <cerrno>
#include <cstring>

#include "../files/files.hpp"
#include "../files/folders.hpp"
#include "../system/filesystem.hpp"

namespace dio::cli {

namespace {

// In a folder of its own, as a temporary one is for its owner alone.
constexpr const char* k_inside = "files";

/// Where the files go: not a link to there, and without a slash at its end.
fs::path resolve_folder_path(const std::string& output) {
  std::error_code error;
  fs::path folder = fs::canonical(output, error);
  if (!error) return folder;
  folder = fs::path(output).lexically_normal();
  return folder.has_filename() ? folder : folder.parent_path();
}
fs::path parent_of(const fs::path& folder) { return folder.has_parent_path() ? folder.parent_path() : fs::path("."); }

}  // namespace

Diagnostic NewFolder::make_write_error(std::string why) const { return io_error("io.write", output_, std::move(why)); }
Diagnostic NewFolder::make_not_empty_error() const {
  return io_error("io.exists", output_, "the folder is not empty", "-f overwrites files with the same names");
}

std::optional<Diagnostic> NewFolder::find_obstacle(const std::vector<std::string>& paths) const {
  std::error_code error;
  fs::path folder = output_;
  if (!folder.has_filename() && folder.has_parent_path())
    folder = folder.parent_path();  // with a slash, a file is none
  if (!fs::exists(folder, error)) {
    if (auto made = make_folder(parent_of(resolve_folder_path(output_)).string(), true); !made) return made.error();
    return {};
  }
  if (!fs::is_directory(folder, error)) return make_write_error("this is a file, not a folder");
  if (!overwrite_ && !fs::is_empty(folder, error)) return make_not_empty_error();
  for (const std::string& path : paths) {
    fs::path at = folder;
    for (const fs::path& part : fs::path(path).parent_path()) {
      at /= part;
      if (fs::is_symlink(at, error)) return make_write_error(at.string() + " is a link, not a folder");
      if (fs::exists(at, error) && !fs::is_directory(at, error))
        return make_write_error(at.string() + " is a file, not a folder");
    }
    if (fs::is_directory(folder / path, error))
      return make_write_error((folder / path).string() + " is a folder, not a file");
  }
  return {};
}

std::optional<Diagnostic> NewFolder::begin(const std::vector<std::string>& paths) {
  const fs::path parent = parent_of(resolve_folder_path(output_));
  if (auto made = make_folder(parent.string()); !made) return made.error();
  std::vector<std::string> inside;
  for (const std::string& path : paths) inside.push_back((fs::path(k_inside) / path).string());
  if (!temporary_.make_folder(parent.string(), inside))
    return make_write_error(std::string("cannot be written: ") + std::strerror(errno));
  if (auto made = make_folder((fs::path(temporary_.name()) / k_inside).string()); !made) return made.error();
  return {};
}

std::optional<Diagnostic> NewFolder::write(const std::string& path, ByteView bytes) {
  const fs::path file = fs::path(temporary_.name()) / k_inside / path;
  if (auto made = make_folder(file.parent_path().string()); !made) return made.error();
  if (auto done = write_file(file.string(), bytes, {}); !done) return done.error();
  return {};
}

std::optional<Diagnostic> NewFolder::finish() {
  std::error_code error;
  const fs::path folder = resolve_folder_path(output_), written = fs::path(temporary_.name()) / k_inside;
  if (!fs::exists(folder, error) || fs::is_empty(folder, error)) {
    fs::rename(written, folder, error);
    if (!error) return {};
    const bool is_filled = error == std::errc::directory_not_empty || error == std::errc::file_exists;  // by now
    if (is_filled && !overwrite_) return make_not_empty_error();
    std::error_code ignored;
    if (!fs::exists(folder, ignored)) return make_write_error("cannot be written: " + error.message());
  } else if (!overwrite_) {
    return make_not_empty_error();
  }
  for (const std::string& path : list_files(written.string(), true, error)) {
    const fs::path relative = fs::path(path).lexically_relative(written);
    if (auto made = make_folder((folder / relative).parent_path().string()); !made) return made.error();
    fs::rename(path, folder / relative, error);
    if (error) return make_write_error("cannot be written: " + error.message());
  }
  return {};
}

}  // namespace dio::cli
