// folders.hpp: folders on disk: what is in them, and what a name or a pattern finds there.
#pragma once
#include <string>
#include <system_error>
#include <vector>

#include "core/file_tree.hpp"

namespace dio::cli {

/// The files in a folder, and with `below` those of all folders in it, sorted; up to an error, if there is one. Links
/// lead to files, and with `follow` to folders as well.
std::vector<std::string> list_files(const std::string& folder, bool below, std::error_code&, bool follow = false);
/// `courses/*/course.kmp`, sorted. `**` stands for any folders, or none; a pattern may lead into an archive.
std::vector<std::string> glob_files(const std::string& pattern);
/// The file beside that a name could have meant; empty: none.
std::string find_similar_file(const std::string& name);

/// The files of a folder and of those below it, or without the latter. `follow`: as in list_files.
class FolderTree final : public FileTree {
 public:
  explicit FolderTree(std::string folder, bool below = true, bool follow = false)
      : folder_(std::move(folder)), below_(below), follow_(follow) {}
  std::vector<std::string> list() const override;
  bool has(std::string_view path) const override;
  Result<Bytes> read(std::string_view path) const override;

 private:
  std::string folder_;
  bool below_, follow_;
  std::string full_path(std::string_view path) const;
};

}  // namespace dio::cli
