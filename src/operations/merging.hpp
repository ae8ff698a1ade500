// merging.hpp: two edits of one file that were made apart, as one file. Elements of lists are matched by content, and
// references mean elements, not numbers: what one side added, removed or moved does not retarget what the other one
// refers to. No format is known here: what refers to what is stated in the layouts (layout/reference.hpp).
#pragma once
#include <string>
#include <vector>

#include "formats/registry.hpp"

namespace dio {

/// What two edits changed in different ways: a value, the order of a list, or an element that one of them removed and
/// the other changed or refers to.
struct MergeConflict {
  std::string path;
  std::string what;  // a sentence without a stop: ours is 12, theirs 13 (before: 10)
};

/// Who is right where edits collide.
enum class ConflictPreference : u8 { none, ours, theirs };

struct MergeResult {
  Bytes bytes;  // empty if there are collisions and nobody is right
  std::vector<MergeConflict> collisions;
};

/// Files inside archives that both sides changed are merged in turn. What the two edits make due (Edit::is_stale) is
/// made of both. Ids: merge.format (not three files of one format), edit.result (the two edits give no valid file
/// together), layout.* (one of the three files), those of what is due.
Result<MergeResult> merge(ByteView base, ByteView ours, ByteView theirs, std::string_view name, const ReadAs&,
                          ConflictPreference = ConflictPreference::none);

}  // namespace dio
