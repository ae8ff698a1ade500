// archive_files.hpp: archives on disk whose members are worked on, and folders as trees of files.
#pragma once
#include <functional>
#include <mutex>

#include "files.hpp"
#include "operations/inside.hpp"

namespace dio::cli {

/// An archive that was read. May be used by several threads.
class ArchiveFile {
 public:
  /// Ids: io.read, archive.none, and those of the format.
  static Result<std::shared_ptr<ArchiveFile>> open(const std::string& name);
  ArchiveFile(std::string name, Archive archive, std::optional<FileState> state);

  const std::string& name() const { return name_; }
  /// A member by its path, through archives in the archive.
  Result<Bytes> read(const std::string& member);
  /// The archive itself, or the one a path in it leads to.
  void look(const std::function<void(const ArchiveTree&)>& at);
  /// Puts other bytes in place of a member and writes the file, unless somebody else has written it meanwhile. A backup
  /// is made once. Ids: as read, and those of write_file.
  Result<bool> replace(const std::string& member, ByteView content, const WriteOptions&);

 private:
  std::mutex mutex_;
  std::string name_;
  std::unique_ptr<ArchiveTree> tree_;
  std::optional<FileState> state_;
  bool written_ = false;
};

/// Where a name leads into an archive: `game.nds/fielddata`. Nothing if the name is that of a file or folder on disk,
/// or if no part of it is a file.
struct ArchivePath {
  std::string file, inside;
};
std::optional<ArchivePath> archive_path(const std::string& name);

/// By its extension or first bytes; whether it can be read as one shows when it is opened.
bool looks_like_archive(const std::string& file);

/// The members of an archive that are meant by a path with wildcards, or that lie where a path leads: in a folder, in
/// an archive in it. With `all`, those of all folders and archives below as well. Paths are in the order of the
/// archive.
std::vector<std::string> members_matching(const ArchiveTree&, const std::vector<std::string>& pattern);
std::vector<std::string> members_below(const ArchiveTree&, const std::string& path, bool all);

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
