// archive.hpp: formats whose files hold other files.
#pragma once
#include <string>
#include <vector>

#include "formats/contract/any_document.hpp"

namespace dio {

/// A file inside an archive.
struct Member {
  std::string path;          // its name, with folders; of members without names: their number. Parts are separated by /
  u64 offset = 0, size = 0;  // in the archive; what `content` gives may be longer, where the archive packs it
};
/// Other bytes for a member of an archive.
struct NewContent {
  size_t member;
  Bytes bytes;
};
/// What an archive can do besides what every file can. It works on the bytes of the archive, so that nothing is copied
/// to look into a large one. Ids: layout.*, and those of the format.
struct ArchiveOps {
  /// In the order of their numbers. Paths are as the archive has them: not to be trusted as names of files.
  Result<std::vector<Member>> (*members)(ByteView archive);
  /// A member as the game gets it: unpacked where the archive packs it.
  Result<Bytes> (*content)(ByteView archive, const Member&);
  /// The archive with other bytes for some members. The others stay where they are if the new ones fit.
  Result<Bytes> (*replace)(ByteView archive, std::span<const NewContent>);
};

}  // namespace dio
