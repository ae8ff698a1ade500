// list_reordering.hpp: lists whose elements are removed, added or reordered, as changes of values: references to the
// elements follow. No format is known here: what refers to what is stated in the layouts (layout/reference.hpp).
#pragma once
#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "layout/references.hpp"
#include "operations/changes.hpp"

namespace dio {

/// What happens to a reference to an element that is removed.
enum class Referrers : u8 {
  refuse,   // nothing is removed; the refusal names who refers to it
  unlink,   // it leads nowhere from then on
  cascade,  // the element that has it is removed as well. A list of references only loses one
};

/// Elements that are appended to a list before it is reordered.
struct AddedElement {
  Value value;
  std::optional<u64> copy_of = {};  // the element whose references it has
};

/// A new order of a list: for each place the element that was there before, and the one whose groups it joins. Elements
/// that are added count on from the length of the list.
struct ListOrder {
  std::vector<u64> from, joins;
  bool keeps_places = false;  // elements change places: groups and links to neighbours are those of the places
  std::vector<AddedElement> added = {};

  static ListOrder unchanged(u64 size);
};
using ListOrders = std::map<u32, ListOrder>;               // by the span of the list
using RemovedElements = std::map<u32, std::vector<bool>>;  // by list: which elements

/// Why a list cannot be edited, if it cannot: it is computed from the content of the file.
std::optional<Diagnostic> derived_list_error(const Spans&, u32 list);

/// Everything that goes if these elements go. `is_made`: whether a path leads to what the format makes again once other
/// things have changed; what refers to an element from there goes with it. Ids: edit.referred.
Result<RemovedElements> collect_removed_elements(const Spans&, const std::map<u32, std::vector<u64>>& elements,
                                                 Referrers, const std::function<bool(const std::string&)>& is_made);

/// The changes that give lists new orders, and references to their elements their new numbers. `document`: the values
/// of the file. Ids: edit.limit (a reference cannot have its new number), edit.opaque (a part that is kept as bytes may
/// hold the old numbers).
Result<Changes> compute_list_changes(const Spans&, const Value& document, const ListOrders&, const RemovedElements&,
                                     Referrers);

/// The element of a list that a span is in or is; nothing if it is not inside that list.
std::optional<u64> enclosing_element(const Spans&, u32 span, u32 list);
inline std::string element_path(const Spans& spans, u32 list, u64 index) {
  return element_path(spans.path(list), index);
}

}  // namespace dio
