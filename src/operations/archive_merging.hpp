// archive_merging.hpp: three-way merging of the members of archives.
#pragma once
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "formats/contract/format.hpp"
#include "operations/merging.hpp"

namespace dio {

/// Three archives whose common members have the same, merged content.
struct MergedMembers {
  Bytes base, ours, theirs;
  std::vector<MergeConflict> conflicts;  // inside members; the preferred side's content is used
};

/// Merges two versions of a member.
using MemberMerge = std::function<Result<MergeResult>(ByteView base, ByteView ours, ByteView theirs)>;

/// Merges each member that all three archives have and puts it into all three, so that only added, removed, renamed,
/// and moved members and the fields of the archive itself still differ. Members with names are matched by name, others
/// by number if their count is unchanged, else by content. Nothing if the format has no members or cannot replace one.
std::optional<MergedMembers> merge_common_members(ByteView base, ByteView ours, ByteView theirs, const Format&,
                                                  ConflictPreference, const MemberMerge&);

}  // namespace dio
