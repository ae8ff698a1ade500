// archive_tree.hpp: paths that lead into archives: game.nds/fielddata/land_data/land_data.narc/12.
#pragma once
#include <memory>

#include "core/file_tree.hpp"
#include "formats/contract/archive.hpp"
#include "formats/contract/game.hpp"
#include "formats/registry.hpp"

namespace dio {

/// An open archive: its bytes and its members. One that is compressed as a whole is what it decompresses to, and is
/// compressed again when it is changed.
class Archive {
 public:
  /// Ids: archive.none (not an archive), and those of its format.
  static Result<Archive> open(Bytes bytes, std::string_view name);
  /// A large file, of which only the tables are read, and later the members that are asked for: a cartridge or a disc.
  /// Ids: as above, and io.read.
  static Result<Archive> open(std::shared_ptr<const ByteSource>, std::string_view name);

  const Format& format() const { return *format_; }
  const ByteSource& source() const { return *source_; }
  std::shared_ptr<const ByteSource> shared_source() const { return source_; }
  /// All bytes; none of an archive that is read in parts.
  ByteView bytes() const { return source_->whole().value_or(ByteView()); }
  const std::vector<Member>& members() const { return members_; }
  /// By exact path; else, if no folder has that name, by number: `12`, `0012`, `0012.bin`. Nothing if there is none.
  std::optional<size_t> find(std::string_view path) const;
  /// Whether there is a folder with this path.
  bool has_folder(std::string_view path) const;
  /// The bytes of a member, decompressed. Ids: file.missing, and those of the format.
  Result<Bytes> read(size_t member) const;
  /// The same, as a view of the archive if it stores them so and is in memory.
  Result<std::shared_ptr<const ByteSource>> open_member(size_t member) const;
  /// On a disc: the sector in which a member starts.
  std::optional<u64> sector(size_t member) const;
  /// The archive with new bytes for some members. Ids: those of the format.
  Result<Bytes> replace(std::span<const NewContent>) const;
  /// The format that it is compressed in as a whole, and its bytes in that; null: it is not.
  const Format* packed_as() const { return packed_as_; }
  ByteView packed() const { return packed_as_ ? *own_->whole() : ByteView(); }
  /// How many members reach beyond the end of the archive, because it was cut short.
  u64 cut_members() const;
  /// Moves the bytes out, of an archive that was opened from bytes; it must not be used afterwards.
  Bytes take_bytes() &&;

 private:
  static Result<Archive> open(std::shared_ptr<const ByteSource>, std::string_view name, const Format&);
  std::shared_ptr<const ByteSource> source_;
  std::shared_ptr<OwnedByteSource> own_;  // the bytes that were passed in: the same, or compressed
  const Format *format_ = nullptr, *packed_as_ = nullptr;
  std::vector<Member> members_;
  std::vector<u32> by_path_;
};

/// The files of an archive and of nested archives. `list` has only its own members, sorted; `has` and `read` also take
/// paths into nested archives. Not thread-safe: it caches the archives it has opened. They are nested at most eight
/// deep, and their total size is limited, because malicious files could exhaust the memory.
class ArchiveTree final : public FileTree {
 public:
  /// `limit`: the total size of nested archives, each counted as at least 16 KiB and the sizes of its members; default:
  /// 64 MiB plus 16 times the size of the archive.
  explicit ArchiveTree(Archive archive, std::string name = {}, std::optional<u64> limit = {});
  const Archive& archive() const { return archive_; }
  const std::string& name() const { return name_; }
  std::vector<std::string> list() const override;
  bool has(std::string_view path) const override;
  Result<Bytes> read(std::string_view path) const override;
  /// The same, without a copy where the archive stores these bytes (Archive::open_member).
  Result<std::shared_ptr<const ByteSource>> open_file(std::string_view path) const;
  std::optional<u64> place(std::string_view path) const override;

  /// Where a path leads, through nested archives: a member of `tree`, a folder of it, or neither (all of it).
  struct ArchiveLocation {
    const ArchiveTree* tree;  // lives as long as the tree that resolved the path
    std::optional<size_t> member;
    std::string_view folder;
  };
  /// Ids: file.missing, archive.none, archive.limit.
  Result<ArchiveLocation> resolve_path(std::string_view path) const;
  /// The same, but if the path ends at an archive, it is opened.
  Result<ArchiveLocation> resolve_and_open(std::string_view path) const;
  /// One step of that: the member at the start of the path, and the rest of the path. Id: file.missing.
  Result<std::pair<size_t, std::string_view>> resolve_first_member(std::string_view path) const;
  /// Moves the bytes of the archive out; the tree must not be used afterwards.
  Bytes take_bytes() && { return std::move(archive_).take_bytes(); }
  /// A member opened as an archive. Ids: archive.none, archive.limit, and those of the formats.
  Result<const ArchiveTree*> open_nested_archive(size_t member) const;
  /// Set if nested archives were not opened because of the limit, once for all of them: archive.limit.
  std::optional<Diagnostic> limit_reached() const;

 private:
  /// What `get` returns for the member that a path leads to. Diagnostics name the path.
  template <class Get>
  auto get_member(std::string_view path, Get get) const -> decltype(get(std::declval<const Archive&>(), size_t()));
  struct NestedArchive {
    std::unique_ptr<ArchiveTree> tree;
    Diagnostic problem;  // if it could not be opened
  };
  Archive archive_;
  std::string name_;
  int depth_ = 1;
  struct Budget {
    u64 all, left;
    std::string too_deep;  // the first archive that was not opened because it lies in too many others
  };
  std::shared_ptr<Budget> budget_;  // of all trees in the outermost one
  mutable std::map<size_t, NestedArchive> inner_;
};

/// What a file that is compressed as a whole holds. Ids: archive.none (it is not), and those of its format.
Result<Bytes> read_packed_content(ByteView file, std::string_view name);
/// Such a file with another content, compressed the same way. Ids: as above.
Result<Bytes> replace_packed_content(ByteView file, std::string_view name, Bytes content);

/// The bytes of a member, which may be in a nested archive. Ids: file.missing, archive.none,
/// archive.limit, and those of the formats it leads through.
Result<Bytes> read_nested_member(Bytes archive, std::string_view name, std::string_view path);

/// The archive with new bytes for a member, which may be in a nested archive. If it is a game in which files store the
/// positions or sizes of others (GameKind::follow), these are updated as well, and files that the game finds elsewhere
/// may move on a disc. Ids: file.missing, archive.none, archive.limit, archive.full, archive.shared, and those of the
/// formats and of the game.
Result<Bytes> replace_nested_member(const ArchiveTree&, std::string_view path, Bytes content);
Result<Bytes> replace_nested_member(ByteView archive, std::string_view name, std::string_view path, Bytes content);
/// The same for several, no two of them in the same member of the outermost archive.
Result<Bytes> replace_files(const ArchiveTree&, std::vector<DependentFile>);

/// Whether such a change only has to write some blocks of the archive: it is on a disk, and keeps its size.
bool can_patch_in_place(const ArchiveTree&);
/// The same as `replace_nested_member` and `replace_files` for such an archive: what has to be written. Also io.read.
Result<std::shared_ptr<const PatchedSource>> patch_nested_member(const ArchiveTree&, std::string_view path,
                                                                 Bytes content);
Result<std::shared_ptr<const PatchedSource>> patch_archive_files(const ArchiveTree&, std::vector<DependentFile>);

/// The kind of archive that a large file is, by its size and first bytes, if it can be read in parts: a cartridge or a
/// disc. Null if it is none, or has only the name of one.
const Format* detect_archive_in_parts(const ByteSource&, std::string_view name);

/// The members of an archive in one of its folders, as JSON has them: {"schema": "diorama.members/1", "file", "format",
/// "folders": [{"path", "files", "size"}], "members": [{"number", "path", "offset", "size", "what"}]}. With `all`,
/// the members of all folders below it, and no folders. `what` is the role of a member in the game, or the id of its
/// format; it is left out if neither is known. Without `look`, members are not read to find their formats.
Value describe_members(const ArchiveTree&, std::string_view folder = {}, bool all = false, bool look = true);

/// The path of the member that a viewer shows first: the member with a picture that has most companions in the archive
/// (a course with its model), else the first with a picture. Empty: none has one. Reads all members.
std::string first_member_to_show(const ArchiveTree&);

/// The role of a member in the game, by the path of its archive and its number: `land data 12`; empty if unknown.
std::string archive_member_role(std::string_view archive_path, u64 member);

}  // namespace dio
