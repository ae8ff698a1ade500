// id_references.hpp: JSON in which numbers that refer to elements are the ids of the elements, so that programs which
// know nothing of the format can remove, insert and sort elements. No format is known here: what refers to what is
// stated in the layouts (layout/reference.hpp).
#pragma once
#include "core/result.hpp"
#include "core/value.hpp"
#include "layout/spans.hpp"

namespace dio {

/// Changes the values of `decode`, lean or not:
///   - elements that can be referred to get a member: "@id": "POTI.entries[3]". One that is no object becomes
///     {"@id": ..., "@value": ...};
///   - a number that leads to an element becomes "@POTI.entries[3]"; a run of elements a list of such texts, and its
///     count goes; an index of an element in itself becomes "@self". What leads nowhere or outside stays a number.
/// {"references": {"GOBJ.entries[].route": {"to", "base"?, "none"?, "count"?, "chain"?, "size"?, "bytes"?}}} says what
/// is needed to read it back, and which fields refer to what.
/// `spans`: of the file that the values are of.
void replace_indices_with_ids(Value& whole, const Spans& spans);

/// The inverse. An element without an id is new; null leads nowhere. A run has what lies between its elements and is
/// new, and loses what is gone; links to neighbours skip what is gone. Values without `references` stay as they are.
/// Ids: json.reference, with the line and column in the hint.
Result<bool> replace_ids_with_indices(Value& whole);

}  // namespace dio
