#include "core/file_tree.hpp"

namespace dio {

std::vector<std::string> MemoryTree::list() const {
  std::vector<std::string> paths;
  for (const auto& [path, bytes] : files) paths.push_back(path);
  return paths;
}

Result<Bytes> MemoryTree::read(std::string_view path) const {
  const auto file = files.find(path);
  if (file == files.end()) return refuse(missing_file(path));
  return file->second;
}

std::vector<std::string> BranchTree::list() const {
  std::vector<std::string> paths;
  for (const std::string& path : tree_->list())
    if (path.starts_with(folder_)) paths.push_back(path.substr(folder_.size()));
  return paths;
}

Diagnostic missing_file(std::string_view path) {
  return make_diagnostic("file.missing", Location::in_file(path), {.message = "no such file"});
}

}  // namespace dio
