// archive_tree.hpp: archives, and paths into archives: game.nds/fielddata/land_data/land_data.narc/12.
#pragma once
#include <memory>

#include "core/file_tree.hpp"
#include "formats/contract/archive.hpp"
#include "formats/contract/game.hpp"
#include "formats/registry.hpp"

namespace dio {

/// An open archive: its bytes and its members. A compressed archive is decompressed when it is opened, and compressed
/// again when it changes.
class Archive {
 public:
  /// Opens an archive. Errors: archive.none (not an archive), and those of its format.
  static Result<Archive> open(Bytes bytes, std::string_view name);
  /// Opens a large archive (a cartridge or a disc): reads only the tables, and later the requested members. Errors: as
  /// above, and io.read.
  static Result<Archive> open(std::shared_ptr<const ByteSource>, std::string_view name);

  const Format& format() const { return *format_; }
  const ByteSource& source() const { return *source_; }
  std::shared_ptr<const ByteSource> shared_source() const { return source_; }
  /// All bytes; none for an archive that is read in parts.
  ByteView bytes() const { return source_->whole().value_or(ByteView()); }
  const std::vector<Member>& members() const { return members_; }
  /// Finds a member by its exact path or, if no folder has this name, by its number: `12`, `0012`, `0012.bin`. Returns
  /// nothing if there is no such member.
  std::optional<size_t> find(std::string_view path) const;
  /// Whether there is a folder with this path.
  bool has_folder(std::string_view path) const;
  /// Returns the decompressed bytes of a member. Errors: file.missing, and those of the format.
  Result<Bytes> read(size_t member) const;
  /// Like `read`, but returns a view of the archive if the archive is in memory and stores the member uncompressed.
  Result<std::shared_ptr<const ByteSource>> open_member(size_t member) const;
  /// On a disc: the sector in which a member starts.
  std::optional<u64> sector(size_t member) const;
  /// Returns the archive with new bytes for some members. Errors: those of the format.
  Result<Bytes> replace(std::span<const NewContent>) const;
  /// The format in which the whole archive is compressed, and the compressed bytes. Null: it is not compressed.
  const Format* packed_as() const { return packed_as_; }
  ByteView packed() const { return packed_as_ ? *own_->whole() : ByteView(); }
  /// The number of members that reach beyond the end of the archive because it is truncated.
  u64 cut_members() const;
  /// Moves the bytes out of an archive that was opened from bytes. The archive must not be used afterwards.
  Bytes take_bytes() &&;

 private:
  static Result<Archive> open(std::shared_ptr<const ByteSource>, std::string_view name, const Format&);
  std::shared_ptr<const ByteSource> source_;
  std::shared_ptr<OwnedByteSource> own_;  // the bytes passed to `open`, maybe compressed
  const Format *format_ = nullptr, *packed_as_ = nullptr;
  std::vector<Member> members_;
  std::vector<u32> by_path_;
};

/// The files of an archive and of its nested archives. `list` returns only the archive's own members, sorted; `has` and
/// `read` also accept paths into nested archives. Not thread-safe: it caches opened archives. Archives nested more than
/// eight deep are not opened, and the total size is limited, because malicious files could exhaust the memory.
class ArchiveTree final : public FileTree {
 public:
  /// `limit`: the largest total size of nested archives; each archive counts as at least 16 KiB and as the sizes of its
  /// members. Default: 64 MiB plus 16 times the size of the archive.
  explicit ArchiveTree(Archive archive, std::string name = {}, std::optional<u64> limit = {});
  const Archive& archive() const { return archive_; }
  const std::string& name() const { return name_; }
  std::vector<std::string> list() const override;
  bool has(std::string_view path) const override;
  Result<Bytes> read(std::string_view path) const override;
  /// Like `read`, but without a copy if the archive stores these bytes (Archive::open_member).
  Result<std::shared_ptr<const ByteSource>> open_file(std::string_view path) const;
  std::optional<u64> place(std::string_view path) const override;

  /// The target of a path through nested archives: a member of `tree`, a folder of it, or neither (the whole archive).
  struct ArchiveLocation {
    const ArchiveTree* tree;  // lives as long as the tree that resolved the path
    std::optional<size_t> member;
    std::string_view folder;
  };
  /// Resolves a path. Errors: file.missing, archive.none, archive.limit.
  Result<ArchiveLocation> resolve_path(std::string_view path) const;
  /// Like `resolve_path`, but opens the archive at the end of the path, if there is one.
  Result<ArchiveLocation> resolve_and_open(std::string_view path) const;
  /// Makes one step of `resolve_path`: returns the member at the start of the path, and the rest of the path. Error:
  /// file.missing.
  Result<std::pair<size_t, std::string_view>> resolve_first_member(std::string_view path) const;
  /// Moves the bytes of the archive out; the tree must not be used afterwards.
  Bytes take_bytes() && { return std::move(archive_).take_bytes(); }
  /// Opens a member as an archive. Errors: archive.none, archive.limit, and those of the formats.
  Result<const ArchiveTree*> open_nested_archive(size_t member) const;
  /// Set if the limit prevented opening nested archives: one archive.limit for all of them.
  std::optional<Diagnostic> limit_reached() const;

 private:
  /// Returns the result of `get` for the member at a path. Diagnostics name the path.
  template <class Get>
  auto get_member(std::string_view path, Get get) const -> decltype(get(std::declval<const Archive&>(), size_t()));
  struct NestedArchive {
    std::unique_ptr<ArchiveTree> tree;
    Diagnostic problem;  // the error, if it could not be opened
  };
  Archive archive_;
  std::string name_;
  int depth_ = 1;
  struct Budget {
    u64 all, left;
    std::string too_deep;  // the first archive that was not opened because it is nested too deeply
  };
  std::shared_ptr<Budget> budget_;  // shared by all nested trees
  mutable std::map<size_t, NestedArchive> inner_;
};

/// Returns the content of a compressed file. Errors: archive.none (it is not compressed), and those of its format.
Result<Bytes> read_packed_content(ByteView file, std::string_view name);
/// Returns a compressed file with new content, compressed in the same way. Errors: as above.
Result<Bytes> replace_packed_content(ByteView file, std::string_view name, Bytes content);

/// Returns the bytes of a member, which may be in a nested archive. Errors: file.missing, archive.none, archive.limit,
/// and those of the formats on the path.
Result<Bytes> read_nested_member(Bytes archive, std::string_view name, std::string_view path);

/// Returns the archive with new bytes for a member, which may be in a nested archive. If the archive is a game in which
/// files store the positions or sizes of other files (GameKind::follow), these files are updated as well. On a disc, a
/// file may then move if the game finds it in the new place. Errors: file.missing, archive.none, archive.limit,
/// archive.full, archive.shared, and those of the formats and of the game.
Result<Bytes> replace_nested_member(const ArchiveTree&, std::string_view path, Bytes content);
Result<Bytes> replace_nested_member(ByteView archive, std::string_view name, std::string_view path, Bytes content);
/// Replaces several files in the same way. No two of them may be inside the same member of the outermost archive.
Result<Bytes> replace_files(const ArchiveTree&, std::vector<DependentFile>);

/// Whether replacing files only requires writing some blocks of the archive, because the archive is on a disk and keeps
/// its size.
bool can_patch_in_place(const ArchiveTree&);
/// Like `replace_nested_member` and `replace_files` for an archive that can be patched in place, but returns only the
/// blocks to write. One more error: io.read.
Result<std::shared_ptr<const PatchedSource>> patch_nested_member(const ArchiveTree&, std::string_view path,
                                                                 Bytes content);
Result<std::shared_ptr<const PatchedSource>> patch_archive_files(const ArchiveTree&, std::vector<DependentFile>);

/// Detects the kind of a large archive that can be read in parts (a cartridge or a disc) from its size and first bytes.
/// Returns null for any other file, even if its name is that of an archive.
const Format* detect_archive_in_parts(const ByteSource&, std::string_view name);

/// Describes the members in one folder of an archive: {"schema": "diorama.members/1", "file", "format", "folders":
/// [{"path", "files", "size"}], "members": [{"number", "path", "offset", "size", "what"}]}. With `all`, describes the
/// members in all folders below this folder, and no folders. `what` is the role of a member in the game, or the id of
/// its format; it is left out if neither is known. Without `look`, members are not read to detect their formats.
Value describe_members(const ArchiveTree&, std::string_view folder = {}, bool all = false, bool look = true);

/// Returns the path of the member that a viewer shows first: of all members with a picture, the member with the most
/// companions in the archive (a course with its model), or else the first. Empty: no member has a picture. Reads all
/// members.
std::string first_member_to_show(const ArchiveTree&);

/// Returns the role of a member in the game, from the path of its archive and its number: `land data 12`. Empty if
/// unknown.
std::string archive_member_role(std::string_view archive_path, u64 member);

}  // namespace dio
