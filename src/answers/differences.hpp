// differences.hpp: how two files of any kind differ: by meaning, and archives by their members.
#pragma once
#include <string>
#include <vector>

#include "bridge/report/diff.hpp"
#include "formats/contract/companions.hpp"
#include "operations/archive_tree.hpp"

namespace dio {

/// How two files of one format differ by meaning: report::diff, with their parts in the order that the format matches
/// them in. Companions may say what belongs together (Format::matched).
report::Changes diff_values(const Format&, const Spans& a, const Spans& b, std::vector<Companion> beside_a = {},
                            std::vector<Companion> beside_b = {});

/// A member of an archive, or a file of a folder, that is not in both, or not the same.
struct MemberChange {
  const char* kind;  // added, removed, changed
  std::string path, what;
};
/// Also those of archives inside of them. `before`: what their paths start with.
std::vector<MemberChange> diff_members(const ArchiveTree& a, const ArchiveTree& b, const std::string& before = {});
/// How two files of the same path differ, in a few words.
std::string describe_file_change(const std::string& path, ByteView a, ByteView b);

/// {"schema": "diorama.archive-diff/1", "members": [{"change", "path", "what"}]}
Value member_changes_json(const std::vector<MemberChange>&);

}  // namespace dio
