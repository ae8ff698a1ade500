// selector.hpp: paths that select several values at once, as people type them: GOBJ[id=itembox].presence,
// POTI[2-4].points[*].
#pragma once
#include "core/result.hpp"
#include "layout/spans.hpp"

namespace dio {

/// The values that a typed path means, in the order of the file:
///
///   GOBJ.entries[3].route        one value
///   GOBJ[3].route                the same: a list that is alone in its structure need not be named
///   GOBJ[3-7], GOBJ[*]           elements from 3 to 7, all elements
///   GOBJ[id=itembox].presence    of the elements with this value, as a number or a word; also != < > <= >=, and
///   several
///                                conditions, joined by commas, that must all hold
///
/// At least one. Ids: path.unknown (there is no such value; the message says which step leads nowhere), path.syntax.
Result<std::vector<SpanRef>> select(const Spans&, std::string_view typed);

/// Explains why a path has no value: how much of it exists, and what the alternatives are. Id: path.unknown, or the id
/// from select().
Diagnostic explain_unknown_path(const Spans&, const std::string& path);

/// The list that a typed path selects: GOBJ.entries, or GOBJ if it contains only one list. Ids: path.unknown,
/// path.syntax, layout.type (the value is not a list).
Result<u32> select_list(const Spans&, std::string_view typed);

}  // namespace dio
