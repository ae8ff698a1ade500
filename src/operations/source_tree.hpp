// source_tree.hpp: a folder of files that are read when they are needed.
#pragma once
#include "core/byte_source.hpp"
#include "core/file_tree.hpp"

namespace dio {

/// Files by path, each with its own source.
class SourceTree final : public FileTree {
 public:
  std::map<std::string, std::shared_ptr<const ByteSource>, std::less<>> files;
  std::vector<std::string> list() const override;
  bool has(std::string_view path) const override { return files.contains(path); }
  Result<Bytes> read(std::string_view path) const override;
};

/// A file of a tree, or a member of an archive in it: `tables/map_matrix.narc/0`. Ids: file.missing, and those of
/// reading it.
Result<Bytes> read_file_or_member(const FileTree&, std::string_view path);

}  // namespace dio
