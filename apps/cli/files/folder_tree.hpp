// folder_tree.hpp: folders on disk as trees of files.
#pragma once
#include "core/file_tree.hpp"

namespace dio::cli {

/// The files of a folder and of those below it, or without the latter.
class FolderTree final : public FileTree {
 public:
  explicit FolderTree(std::string folder, bool below = true) : folder_(std::move(folder)), below_(below) {}
  std::vector<std::string> list() const override;
  bool has(std::string_view path) const override;
  Result<Bytes> read(std::string_view path) const override;

 private:
  std::string folder_;
  bool below_;
  std::string at(std::string_view path) const;
};

}  // namespace dio::cli
