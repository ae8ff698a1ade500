// file_tree.hpp: files by path, in a folder, in an archive or in memory.
#pragma once
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/bytes.hpp"
#include "core/result.hpp"

namespace dio {

/// Paths are separated by / and do not start with one; `list` is sorted by path.
class FileTree {
 public:
  virtual ~FileTree() = default;
  virtual std::vector<std::string> list() const = 0;
  virtual bool has(std::string_view path) const = 0;
  /// Ids: file.missing, and those of the enclosing archive.
  virtual Result<Bytes> read(std::string_view path) const = 0;
  /// On a disc: the sector (LBA) where a file starts, by which games address files. Nothing if the path is not on a
  /// disc or not a file.
  virtual std::optional<u64> place(std::string_view) const { return {}; }
};

/// The part before the last slash.
constexpr std::string_view parent_folder(std::string_view path) {
  const size_t slash = path.rfind('/');
  return slash == path.npos ? std::string_view() : path.substr(0, slash);
}

/// The part after the last slash.
constexpr std::string_view file_name(std::string_view path) { return path.substr(path.rfind('/') + 1); }

/// Files in memory.
class MemoryTree final : public FileTree {
 public:
  std::map<std::string, Bytes, std::less<>> files;
  std::vector<std::string> list() const override;
  bool has(std::string_view path) const override { return files.contains(path); }
  Result<Bytes> read(std::string_view path) const override;
};

/// The files below a folder of a tree ("" for all), with paths relative to the folder.
class BranchTree final : public FileTree {
 public:
  BranchTree(std::shared_ptr<const FileTree> tree, std::string folder)
      : tree_(std::move(tree)), folder_(folder.empty() ? folder : std::move(folder) + "/") {}
  std::vector<std::string> list() const override;
  bool has(std::string_view path) const override { return tree_->has(at(path)); }
  Result<Bytes> read(std::string_view path) const override { return tree_->read(at(path)); }
  std::optional<u64> place(std::string_view path) const override { return tree_->place(at(path)); }

 private:
  std::string at(std::string_view path) const { return folder_ + std::string(path); }
  std::shared_ptr<const FileTree> tree_;
  std::string folder_;
};

inline constexpr u32 k_first_provisional_sector = u32(1) << 31;
/// The number by which other files refer to a new file of a disc until it has a sector: above those of all discs, and
/// the same for the same name, in any folder and in any case.
u64 provisional_sector(std::string_view path);

/// The diagnostic for a path that is not in a tree: file.missing.
Diagnostic missing_file(std::string_view path);

}  // namespace dio
