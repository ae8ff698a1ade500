#include "folder_tree.hpp"

#include <algorithm>
#include <filesystem>

#include "files.hpp"

namespace dio::cli {

namespace fs = std::filesystem;

std::string FolderTree::at(std::string_view path) const { return (fs::path(folder_) / path).string(); }

std::vector<std::string> FolderTree::list() const {
  std::vector<std::string> paths;
  std::error_code error;
  for (fs::recursive_directory_iterator i(folder_, fs::directory_options::skip_permission_denied, error), end;
       !error && i != end; i.increment(error)) {
    std::error_code ignored;
    if (!below_) i.disable_recursion_pending();
    if (i->is_regular_file(ignored)) paths.push_back(i->path().lexically_relative(folder_).generic_string());
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

bool FolderTree::has(std::string_view path) const {
  std::error_code error;
  return fs::is_regular_file(at(path), error);
}

Result<Bytes> FolderTree::read(std::string_view path) const {
  if (!has(path)) return refuse(missing_file(at(path)));
  return read_file(at(path));
}

}  // namespace dio::cli
