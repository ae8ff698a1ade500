#include "core/file_tree.hpp"

#include "core/text_format.hpp"

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

u64 provisional_sector(std::string_view path) {
  u32 hash = 2166136261u;  // FNV-1a
  for (const char c : upper_case(file_name(path))) hash = (hash ^ u8(c)) * 16777619u;
  return hash | k_first_provisional_sector;
}

}  // namespace dio
