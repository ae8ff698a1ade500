// edited_tree.hpp: files of a folder or an archive, of which some have other bytes.
#pragma once
#include <map>
#include <set>

#include "core/file_tree.hpp"

namespace dio {

/// The files of another tree, which must outlive it, and what was put in their place. Paths lead into archives, too:
/// tables/map_matrix.narc/0.
class EditedTree final : public FileTree {
 public:
  explicit EditedTree(const FileTree& files);
  std::vector<std::string> list() const override;
  bool has(std::string_view path) const override;
  Result<Bytes> read(std::string_view path) const override;
  /// A new file on a disc has its provisional sector.
  std::optional<u64> place(std::string_view path) const override;

  /// The file may be new, in a folder that is there. Ids: file.missing, and those of the archives that the path leads
  /// through.
  Result<bool> write_file(std::string_view path, Bytes);

  using Changed = std::map<std::string, Bytes, std::less<>>;
  /// The files that have other bytes, by the paths that `list` has.
  const Changed& changed() const { return changed_; }
  void set_changed(Changed);

 private:
  /// The file that a path leads to or through, and the rest of the path. Empty if there is none.
  std::pair<std::string_view, std::string_view> split_at_file(std::string_view path) const;
  const FileTree& files_;
  std::set<std::string, std::less<>> own_;
  Changed changed_;
  bool is_disc_ = false;  // files have sectors
};

}  // namespace dio
