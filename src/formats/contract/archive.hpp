// archive.hpp: formats whose files hold other files.
#pragma once
#include <string>
#include <vector>

#include "core/patched_source.hpp"
#include "formats/contract/any_document.hpp"

namespace dio {

/// A file inside an archive.
struct Member {
  std::string path;          // its name, with folders; the number of members without names. Parts are separated by /
  u64 offset = 0, size = 0;  // in the archive; `content` may return more, if the archive compresses it
};
/// New bytes for a member of an archive.
struct NewContent {
  size_t member;
  Bytes bytes;
  bool may_move = false;  // on a disc: to another sector, if it does not fit where it is
};
/// The operations of archives. They work on the bytes of the archive, so that nothing is copied to look into a large
/// one; those that take a source read only what they need. Ids: layout.*, io.read, and those of the format.
struct ArchiveOps {
  /// In the order of their numbers. Paths are as stored in the archive: not safe as file names.
  Result<std::vector<Member>> (*members)(const ByteSource& archive);
  /// The bytes of a member, decompressed if the archive compresses it.
  Result<Bytes> (*content)(const ByteSource& archive, const Member&);
  /// The archive with new bytes for some members. The others keep their offsets if the new ones fit.
  Result<Bytes> (*replace)(ByteView archive, std::span<const NewContent>);
  /// As Format::sniff, from the first bytes and the size of a large file. Null: only files that are read completely can
  /// be such archives.
  Sniff (*sniff_in_parts)(const ByteSource&, std::string_view name) = nullptr;
  /// On a disc: the sector (LBA) in which a member starts. Null: the archive has no sectors.
  std::optional<u64> (*sector)(const ByteSource& archive, const Member&) = nullptr;
  /// As `replace`, of an archive that keeps its size: only what changes is written. Null: there are no such archives.
  Result<bool> (*replace_in_parts)(PatchedSource& archive, std::span<const NewContent>) = nullptr;
  /// It is one compressed file. If that is an archive, both together are one to whoever looks into it:
  /// course.szs/course.kmp.
  bool is_wrapping = false;
  /// The bytes of its members are those of the archive, from `offset` on.
  bool stores_verbatim = false;
  /// Its members make one thing, such as a course: whoever checks the archive checks them.
  bool is_one_thing = false;
};

}  // namespace dio
