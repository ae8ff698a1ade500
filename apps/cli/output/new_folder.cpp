#include "new_folder.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "../files/files.hpp"
#include "../files/folders.hpp"

namespace dio::cli {

namespace fs = std::filesystem;

namespace {

// In a folder of its own, as a temporary one is for its owner alone.
constexpr const char* k_inside = "files";

/// Where the files go: not a link to there, and without a slash at its end.
fs::path folder_of(const std::string& output) {
  std::error_code error;
  fs::path folder = fs::canonical(output, error);
  if (!error) return folder;
  folder = fs::path(output).lexically_normal();
  return folder.has_filename() ? folder : folder.parent_path();
}
fs::path above(const fs::path& folder) { return folder.has_parent_path() ? folder.parent_path() : fs::path("."); }

}  // namespace

Diagnostic NewFolder::failed(std::string why) const { return io_problem("io.write", output_, std::move(why)); }
Diagnostic NewFolder::not_empty() const {
  return io_problem("io.exists", output_, "the folder is not empty", "-f overwrites files with the same names");
}

std::optional<Diagnostic> NewFolder::obstacle(const std::vector<std::string>& paths) const {
  std::error_code error;
  fs::path folder = output_;
  if (!folder.has_filename() && folder.has_parent_path())
    folder = folder.parent_path();  // with a slash, a file is none
  if (!fs::exists(folder, error)) {
    if (auto made = make_folder(above(folder_of(output_)).string(), true); !made) return made.error();
    return {};
  }
  if (!fs::is_directory(folder, error)) return failed("this is a file, not a folder");
  if (!overwrite_ && !fs::is_empty(folder, error)) return not_empty();
  for (const std::string& path : paths) {
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

std::optional<Diagnostic> NewFolder::begin(const std::vector<std::string>& paths) {
  const fs::path parent = above(folder_of(output_));
  if (auto made = make_folder(parent.string()); !made) return made.error();
  std::vector<std::string> inside;
  for (const std::string& path : paths) inside.push_back((fs::path(k_inside) / path).string());
  if (!temporary_.make_folder(parent.string(), inside))
    return failed(std::string("cannot be written: ") + std::strerror(errno));
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
  const fs::path folder = folder_of(output_), written = fs::path(temporary_.name()) / k_inside;
  if (!fs::exists(folder, error) || fs::is_empty(folder, error)) {
    fs::rename(written, folder, error);
    if (!error) return {};
    const bool is_filled = error == std::errc::directory_not_empty || error == std::errc::file_exists;  // by now
    if (is_filled && !overwrite_) return not_empty();
    std::error_code ignored;
    if (!fs::exists(folder, ignored)) return failed("cannot be written: " + error.message());
  } else if (!overwrite_) {
    return not_empty();
  }
  for (const std::string& path : files_in(written.string(), true, error)) {
    const fs::path relative = fs::path(path).lexically_relative(written);
    if (auto made = make_folder((folder / relative).parent_path().string()); !made) return made.error();
    fs::rename(path, folder / relative, error);
    if (error) return failed("cannot be written: " + error.message());
  }
  return {};
}

}  // namespace dio::cli
