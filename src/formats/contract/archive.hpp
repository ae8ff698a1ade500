// archive.hpp: formats whose files contain other files.
#pragma once
#include <string>
#include <vector>

#include "core/patched_source.hpp"
#include "formats/contract/any_document.hpp"

namespace dio {

/// A file inside an archive.
struct Member {
  std::string path;  // its name with folders, or the number of a member without a name. Parts are separated by /
  u64 offset = 0, size = 0;   // in the archive; `content` may return more bytes if the archive is compressed
  bool is_structure = false;  // a header or table of the archive itself, such as one that says where members are
};
/// New bytes for a member of an archive.
struct NewContent {
  size_t member;
  Bytes bytes;
  bool may_move = false;  // on a disc: to another sector, if it does not fit in its current ones
};
/// A file that an archive gets.
struct NewMember {
  std::string path;  // in a folder of the archive
  Bytes bytes;
};
/// The operations of archives. They work on the bytes of the archive, so that reading a member of a large one copies
/// nothing; functions with a source read only the needed bytes. Ids: layout.*, io.read, and those of the format.
struct ArchiveOps {
  /// In numerical order. Paths are as stored in the archive: not safe as file names.
  Result<std::vector<Member>> (*members)(const ByteSource& archive);
  /// The bytes of a member, decompressed if the archive compresses it.
  Result<Bytes> (*content)(const ByteSource& archive, const Member&);
  /// The archive with new bytes for some members. Other members keep their offsets if the new bytes fit.
  Result<Bytes> (*replace)(ByteView archive, std::span<const NewContent>);
  /// Like Format::sniff, from the first bytes and the size of a large file. Null: only completely read files can be
  /// such archives.
  Sniff (*sniff_in_parts)(const ByteSource&, std::string_view name) = nullptr;
  /// On a disc: the sector (LBA) where a member starts. Null: the archive has no sectors.
  std::optional<u64> (*sector)(const ByteSource& archive, const Member&) = nullptr;
  /// Like `replace`, for an archive that keeps its size: only the changes are written. Null: there are no such
  /// archives.
  Result<bool> (*replace_in_parts)(PatchedSource& archive, std::span<const NewContent>) = nullptr;
  /// Of compressed data: the number of bytes that it takes, from the start of the file; the rest is padding or other
  /// data. Ids: as content. Null: the archive does not compress its members.
  Result<u64> (*packed_size)(ByteView archive) = nullptr;
  /// Adds files to an archive that `replace_in_parts` changes. Null: not supported.
  Result<bool> (*add_in_parts)(PatchedSource& archive, std::span<const NewMember>) = nullptr;
  /// The archive is one compressed file. If its content is an archive, users see both as one: course.szs/course.kmp.
  bool is_wrapping = false;
  /// The bytes of its members are those of the archive, from `offset` on.
  bool stores_verbatim = false;
  /// Its members form one unit, such as a course: checking the archive checks all of them.
  bool is_one_thing = false;
};

}  // namespace dio
