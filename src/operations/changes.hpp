// changes.hpp: an edit as a list of changes to the values of a document, each with its inverse. What was changed can be
// shown before it is written, and taken back to the same bytes.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "core/result.hpp"
#include "core/value.hpp"

namespace dio {

/// One step of an edit.
struct Change {
  enum class Kind : u8 {
    set,     // the value at `path`: `before` became `after`
    put,     // `after` became the member at `path`, which was not there
    drop,    // `before` was the member at `path`, the last of its object
    insert,  // `after` became element `index` of the list at `path`
    remove,  // `before` was element `index` of it
    order    // its elements are in another order: `order[i]` was the index of what is element i
  };
  Kind kind = Kind::set;
  std::string path = {};
  u64 index = 0;
  Value before = {}, after = {};
  std::vector<u32> order = {};
  bool is_rebuilt = false;  // set: a list that the format computes and that has another length

  Change inverse() const;
};
using Changes = std::vector<Change>;

inline std::string member_path(const std::string& path, std::string_view name) {
  return path.empty() ? std::string(name) : path + "." + std::string(name);
}
inline std::string element_path(const std::string& path, u64 index) { return path + "[" + std::to_string(index) + "]"; }
/// A path that holds for all elements of its lists: GOBJ.entries[].route.
std::string strip_list_indices(std::string_view path);

/// The value at a path such as GOBJ.entries[3].position.x; null if there is none.
Value* value_at(Value& document, std::string_view path);

/// Makes a change. Ids: edit.stale (the document is not the one the change was made for: it is left unchanged).
Result<bool> apply_change(Value& document, const Change&);
/// Makes all of them, or none.
Result<bool> apply_changes(Value& document, const Changes&);
/// The changes that take others back, in the order in which to make them.
Changes inverse(const Changes&);

/// `GOBJ.entries[3].route: 5 -> 4`, `- POTI.entries[5]`, `+ GOBJ.entries[2]`, `> GOBJ.entries[2] -> [7]`, `>
/// GOBJ.entries: another order`.
std::string format_one_line(const Change&);

}  // namespace dio
