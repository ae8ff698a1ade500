// assignments.hpp: values that are set by their paths.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "core/result.hpp"
#include "layout/spans.hpp"
#include "layout/write_value.hpp"

namespace dio {

/// A path and its new value. As people type values: 3, 0x1F, 1.5, moving road, "text".
struct Assignment {
  std::string path;
  Value value;

  Assignment(std::string p, Value v) : path(std::move(p)), value(std::move(v)) {}
  Assignment(std::string p, const std::string& typed) : path(std::move(p)), value(parse_typed(typed)) {}
  Assignment(std::string p, const char* typed) : path(std::move(p)), value(parse_typed(typed)) {}
};

/// What one assignment means, value by value:
///
///   GOBJ[id=itembox].presence = 7        every value that the path means (layout/selector.hpp)
///   position = 1,2,3                     the values of a structure or a list, one after the other
///   position.y += 100                    added to the value, with the sign at the end of the path; also -= and *=
///
/// Ids: path.unknown, path.syntax, layout.type.
Result<std::vector<Assignment>> expand_assignment(const Spans&, const Assignment& typed);

}  // namespace dio
