// value_changes.hpp: which values differ between two documents of one format, compared by their paths. An edit is held
// against it: what was asked for has to be there, and nothing else may differ that is not said.
#pragma once
#include <string>
#include <vector>

#include "core/dom.hpp"
#include "core/editable_copy.hpp"

namespace dio {

/// A value that two documents have differently.
struct ValueChange {
  enum class Kind : u8 {
    value,   // a number, a text or bytes
    length,  // a list has another length; its elements are not compared
    gone,    // only the first document has it
    added,   // only the second has it
    rebuilt  // a list that placing computes has another length
  };
  Kind kind;
  std::string path;
  Dom::Id before, after;  // 0: it is not there
};

/// Those of two trees, in the order of the second. Of values that placing computes (Dom::is_derived in either) and all
/// in them, only lists of another length are named.
std::vector<ValueChange> compare_values(const Dom& a, Dom::Id in_a, const Dom& b, Dom::Id in_b);
/// The same of a file and a changed copy: of runs of bytes that lie at one place in both, only what has changed is
/// looked at, so that a large file need not come into memory.
std::vector<ValueChange> compare_values(const Dom& a, ByteView original, const Dom& b, const EditableCopy& copy);

/// Whether two trees hold the same, without what placing computes.
bool same_content(const Dom& a, Dom::Id in_a, const Dom& b, Dom::Id in_b);

/// Whether two lists hold the same elements, in any order.
bool same_elements(const Dom& a, Dom::Id in_a, const Dom& b, Dom::Id in_b);

/// The value at a path of spans (GOBJ.entries[3].route) below a tree; 0 if there is none.
Dom::Id find_path(const Dom&, Dom::Id tree, std::string_view path);

}  // namespace dio
