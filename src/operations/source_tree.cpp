#include "operations/source_tree.hpp"

#include "operations/archive_tree.hpp"

namespace dio {

std::vector<std::string> SourceTree::list() const {
  std::vector<std::string> paths;
  for (const auto& [path, source] : files) paths.push_back(path);
  return paths;
}

Result<Bytes> SourceTree::read(std::string_view path) const {
  const auto found = files.find(path);
  if (found == files.end()) return refuse(missing_file(path));
  auto bytes = found->second->read(0, found->second->size());
  if (!bytes) bytes.error().place.file = path;
  return bytes;
}

Result<Bytes> read_file_or_member(const FileTree& tree, std::string_view path) {
  if (tree.has(path)) return tree.read(path);
  for (size_t slash = path.find('/'); slash != path.npos; slash = path.find('/', slash + 1)) {
    const std::string_view archive = path.substr(0, slash);
    if (!tree.has(archive)) continue;
    auto bytes = tree.read(archive);
    if (!bytes) return bytes;
    return read_nested_member(std::move(*bytes), archive, path.substr(slash + 1));
  }
  return refuse(missing_file(path));
}

}  // namespace dio
