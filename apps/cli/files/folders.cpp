#include "folders.hpp"

#include <algorithm>

#include "../system/filesystem.hpp"
#include "archives.hpp"
#include "core/glob.hpp"
#include "core/sorting.hpp"
#include "core/text_format.hpp"

namespace dio::cli {

namespace {

/// `courses/*/course.kmp`, a part of the path at a time. `**` stands for any folders, or none.
void glob(std::vector<std::string>& out, const fs::path& folder, const std::vector<std::string>& parts, size_t at) {
  if (at == parts.size()) {
    out.push_back(folder.string());
    return;
  }
  std::error_code error;
  if (at && fs::is_regular_file(folder, error)) {  // the rest is meant inside of it, if it is an archive
    fs::path whole = folder;
    for (size_t i = at; i < parts.size(); ++i) whole /= parts[i];
    if (looks_like_archive(folder.string())) out.push_back(whole.string());
    return;
  }
  if (!has_wildcard(parts[at])) {
    const fs::path next = folder / parts[at];
    if (fs::exists(next, error)) glob(out, next, parts, at + 1);
    return;
  }
  const bool any_depth = parts[at] == "**";
  if (any_depth) glob(out, folder, parts, at + 1);
  for (fs::directory_iterator i(folder.empty() ? "." : folder, error), end; !error && i != end; i.increment(error)) {
    const std::string name = i->path().filename().string();
    if (name.starts_with('.') && !parts[at].starts_with('.')) continue;
    std::error_code ignored;
    if (i->is_other(ignored)) continue;  // pipes and devices that nobody has named could keep the program waiting
    const bool is_link = i->is_symlink(ignored), is_directory = i->is_directory(ignored);
    if (any_depth) {
      if (is_directory && !is_link) glob(out, folder / name, parts, at);
    } else if (matches_wildcard(parts[at], name) &&
               (at + 1 == parts.size() || is_directory || i->is_regular_file(ignored))) {
      glob(out, folder / name, parts, at + 1);
    }
  }
}

}  // namespace

std::vector<std::string> glob_files(const std::string& pattern) {
  std::vector<std::string> found;
  const fs::path path(pattern);
  std::vector<std::string> parts;
  for (const fs::path& part : path.relative_path()) parts.push_back(part.string());
  glob(found, path.root_path(), parts, 0);
  sort_stably(found);
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

std::vector<std::string> list_files(const std::string& folder, bool below, std::error_code& error, bool follow) {
  std::vector<std::string> files;
  const auto add = [&](const fs::directory_entry& e) {
    std::error_code ignored;
    if (e.is_regular_file(ignored)) files.push_back(e.path().string());
  };
  if (below) {
    auto options = fs::directory_options::skip_permission_denied;
    if (follow) options |= fs::directory_options::follow_directory_symlink;
    for (fs::recursive_directory_iterator i(folder, options, error), end; !error && i != end; i.increment(error))
      add(*i);
  } else {
    for (fs::directory_iterator i(folder, error), end; !error && i != end; i.increment(error)) add(*i);
  }
  sort_stably(files);
  return files;
}

std::string find_similar_file(const std::string& name) {
  const fs::path folder = fs::path(name).parent_path();
  std::vector<std::string> beside;
  std::error_code error;
  for (fs::directory_iterator i(folder.empty() ? "." : folder, error), end; !error && i != end; i.increment(error))
    beside.push_back(i->path().filename().string());
  const std::string own = fs::path(name).filename().string();
  std::erase(beside, own);  // a link to what is not there
  const std::string like = closest_match(own, beside);
  return like.empty() ? "" : (folder / like).string();
}

std::string FolderTree::full_path(std::string_view path) const { return (fs::path(folder_) / path).string(); }

std::vector<std::string> FolderTree::list() const {
  std::error_code ignored;
  auto paths = list_files(folder_, below_, ignored, follow_);
  for (std::string& p : paths) p = fs::path(p).lexically_relative(folder_).generic_string();
  return paths;
}

bool FolderTree::has(std::string_view path) const {
  std::error_code error;
  return fs::is_regular_file(full_path(path), error);
}

Result<Bytes> FolderTree::read(std::string_view path) const {
  if (!has(path)) return refuse(missing_file(full_path(path)));
  return read_file(full_path(path));
}

}  // namespace dio::cli
