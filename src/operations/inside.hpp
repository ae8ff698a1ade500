// inside.hpp: paths that lead into archives: game.nds/fielddata/land_data/land_data.narc/12.
#pragma once
#include <memory>

#include "core/file_tree.hpp"
#include "formats/contract/archive.hpp"
#include "formats/registry.hpp"

namespace dio {

/// An archive that was opened: its bytes, and what is in it.
class Archive {
 public:
  /// Ids: archive.none (the bytes are no archive), and those of its format.
  static Result<Archive> open(Bytes bytes, std::string_view name);

  const Format& format() const { return *format_; }
  ByteView bytes() const { return bytes_; }
  const std::vector<Member>& members() const { return members_; }
  /// By path, exactly; else by number, where no folder has that name: `12`, `0012`, `0012.bin`. Nothing if there is
  /// none.
  std::optional<size_t> find(std::string_view path) const;
  /// Whether members lie in a folder of this path.
  bool has_folder(std::string_view path) const;
  /// A member as the game gets it. Ids: file.missing, and those of the format.
  Result<Bytes> read(size_t member) const;
  /// How many members reach beyond the end of the archive, which has been cut short.
  u64 cut_members() const;
  /// The bytes; the archive is of no use any more.
  Bytes take_bytes() && { return std::move(bytes_); }

 private:
  Bytes bytes_;
  const Format* format_ = nullptr;
  std::vector<Member> members_;
  std::vector<u32> by_path_;
};

/// The files of an archive, and of the archives in it. `list` has its own members alone, sorted; `has` and `read` also
/// take paths that lead into archives in it. Not for several threads at a time: it keeps the archives it has opened.
/// They lie in each other at most eight deep, and hold together no more than an archive of that size can be expected
/// to: more are made to exhaust a program.
class ArchiveTree final : public FileTree {
 public:
  /// `limit`: how many bytes the archives inside may hold together, each counted as 16 KiB or more; else 64 MiB and 16
  /// times those of the archive.
  explicit ArchiveTree(Archive archive, std::string name = {}, std::optional<u64> limit = {});
  const Archive& archive() const { return archive_; }
  const std::string& name() const { return name_; }
  std::vector<std::string> list() const override;
  bool has(std::string_view path) const override;
  Result<Bytes> read(std::string_view path) const override;
  std::optional<u64> place(std::string_view path) const override;

  /// Where a path leads, through all archives on the way: a member of `tree`, a folder of it, or neither: all of it.
  struct Place {
    const ArchiveTree* tree;  // lives as long as the tree that was asked
    std::optional<size_t> member;
    std::string_view folder;
  };
  /// Ids: file.missing, archive.none, archive.limit.
  Result<Place> locate(std::string_view path) const;
  /// The same, but a member at its end is looked into: a folder, or all of an archive.
  Result<Place> enter(std::string_view path) const;
  /// One step of that: the member that the path begins with, and what of the path is left behind it. Id: file.missing.
  Result<std::pair<size_t, std::string_view>> step(std::string_view path) const;
  /// The bytes of the archive; the tree is of no use any more.
  Bytes take_bytes() && { return std::move(archive_).take_bytes(); }
  /// A member as an archive of its own. Ids: archive.none, archive.limit, and those of the formats.
  Result<const ArchiveTree*> inner(size_t member) const;
  /// Why archives in it were not opened although they are there: archive.limit.
  std::optional<Diagnostic> limit_reached() const;

 private:
  struct Inner {
    std::unique_ptr<ArchiveTree> tree;
    Diagnostic problem;  // where there is none
  };
  Archive archive_;
  std::string name_;
  int depth_ = 1;
  struct Budget {
    u64 all, left;
  };
  std::shared_ptr<Budget> budget_;  // of all trees in the outermost one
  mutable std::map<size_t, Inner> inner_;
};

/// The bytes a path leads to inside of an archive, through archives in it. Ids: file.missing, archive.none,
/// archive.limit, and those of the formats it leads through.
Result<Bytes> find_inside(Bytes archive, std::string_view name, std::string_view path);

/// The archive with other bytes where the path leads, through all archives around them. Where it is a game whose files
/// name others by place or size (GameKind::follow), these are written again as well. Ids: file.missing, archive.none,
/// archive.limit, archive.full, archive.shared, and those of the formats and of the game.
Result<Bytes> replace_inside(const ArchiveTree&, std::string_view path, Bytes content);
Result<Bytes> replace_inside(ByteView archive, std::string_view name, std::string_view path, Bytes content);

/// The members of an archive in one of its folders, as JSON has them: {"schema": "diorama.members/1", "file", "format",
/// "folders": [{"path", "files", "size"}], "members": [{"number", "path", "offset", "size", "what"}]}. With `all`,
/// those of all folders below it, and no folders. `what` is what a member is to the game, or the id of its format; it
/// is left out where neither is known.
Value describe_members(const ArchiveTree&, std::string_view folder = {}, bool all = false);

/// What a member is to the game, by the path of its archive and its number: `land data 12`; empty where nobody knows.
std::string role_of(std::string_view archive_path, u64 member);

}  // namespace dio
