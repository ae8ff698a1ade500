// archives.hpp: archives on disk, and names that lead into them.
#pragma once
#include <functional>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "files.hpp"
#include "formats/contract/game.hpp"
#include "operations/archive_tree.hpp"

namespace dio::cli {

/// The file that a name means: of a cue sheet (.cue), the one with the data of the disc, where the sheet says it is,
/// which has to be its folder or one below, or by its name beside it; else the one of that name. Ids: io.read,
/// archive.cue.
Result<std::string> resolve_disc_image(const std::string& name);

/// Bytes as an archive. `limit`: see ArchiveTree. Ids: archive.none, and those of the format.
Result<std::unique_ptr<ArchiveTree>> open_archive_tree(Bytes, const std::string& name, std::optional<u64> limit = {});

/// A file that is an archive: a cartridge or a disc is read in parts. Ids: io.read, archive.none, and those of the
/// format.
Result<std::unique_ptr<ArchiveTree>> open_archive_file(const std::string& name, std::optional<u64> limit = {});

/// A game, if there is one in these files, by the files that its parts are.
class PartsByPath {
 public:
  explicit PartsByPath(const FileTree&);
  const OpenedGame* game() const { return game_ ? &*game_ : nullptr; }
  /// The part that a file is; null if it is none.
  const GamePart* find(std::string_view path) const;

 private:
  std::optional<OpenedGame> game_;
  std::unordered_map<std::string_view, const GamePart*> parts_;
};

/// An archive on disk. May be used by several threads.
class ArchiveFile {
 public:
  /// Ids: io.read, archive.none, and those of the format.
  static Result<std::shared_ptr<ArchiveFile>> open(const std::string& name, std::optional<u64> limit = {});
  ArchiveFile(std::string name, std::unique_ptr<ArchiveTree>, std::optional<FileState>, std::optional<u64> limit);

  const std::string& name() const { return name_; }
  /// A member by its path, through archives in the archive.
  Result<Bytes> read(const std::string& member);
  /// The same, which keeps the archive in memory if it is a part of it.
  Result<std::shared_ptr<const ByteSource>> open_member(const std::string& member);
  /// Gives its memory back: what is asked for next opens the file again. An archive that was written stays.
  void release();
  /// The archive itself, or the one a path in it leads to. Not called if the file cannot be opened again, because
  /// another program has changed it.
  void visit_tree(const std::function<void(const ArchiveTree&)>& at);
  /// The game in the archive, and the part of it that a member is, if there are any.
  void visit_game_part(const std::string& member, const std::function<void(const OpenedGame&, const GamePart&)>& at);
  /// Replaces a member and writes the file, unless another program has changed it in the meantime. A backup is made
  /// once. After a dry run, later calls see the archive as it would be. Of a large file that keeps its size, only what
  /// changes is held in memory. Ids: as read, and those of write_file.
  Result<Written> replace(const std::string& member, ByteView content, const WriteOptions&);

 private:
  using Changed = std::pair<Written, std::unique_ptr<ArchiveTree>>;
  /// Ids: io.read, archive.none, and those of the format.
  Result<const ArchiveTree*> tree();
  Result<Changed> rewrite_with_member(const std::string& member, Bytes content, const WriteOptions&);
  Result<Changed> replace_member_blocks(const std::string& member, Bytes content, const WriteOptions&);
  std::mutex mutex_;
  std::string name_;
  std::unique_ptr<ArchiveTree> tree_;  // null: released
  std::optional<FileState> state_;
  std::optional<u64> limit_;
  std::optional<PartsByPath> game_;  // once it was asked for
  bool written_ = false;
};

/// The members of an archive that others use as well.
class FilesOf final : public FileTree {
 public:
  explicit FilesOf(std::shared_ptr<ArchiveFile> archive) : archive_(std::move(archive)) {}
  std::vector<std::string> list() const override;
  bool has(std::string_view path) const override;
  Result<Bytes> read(std::string_view path) const override { return archive_->read(std::string(path)); }

 private:
  std::shared_ptr<ArchiveFile> archive_;
};

/// Where a name leads into an archive: `game.nds/fielddata`. Nothing if the name is that of a file or folder on disk,
/// or if no part of it is a file.
struct ArchivePath {
  std::string file, inside;
};
std::optional<ArchivePath> split_archive_path(const std::string& name);

/// By its extension or first bytes; whether it can be read as one shows when it is opened.
bool looks_like_archive(const std::string& file);

/// The members of an archive that are meant by a path with wildcards, or that lie where a path leads: in a folder, in
/// an archive in it. With `all`, those of all folders and archives below as well. Paths are in the order of the
/// archive.
std::vector<std::string> members_matching(const ArchiveTree&, const std::vector<std::string>& pattern);
std::vector<std::string> members_below(const ArchiveTree&, const std::string& path, bool all);

}  // namespace dio::cli
