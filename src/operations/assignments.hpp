// assignments.hpp: values that are set by their paths, as people type them.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "core/result.hpp"
#include "layout/spans.hpp"

namespace dio {

/// `value` as typed: 3, 0x1F, 1.5, moving road, "text".
struct Assignment {
  std::string path, value;
};

/// What one typed assignment means, value by value:
///
///   GOBJ[id=itembox].presence = 7        every value that the path means (layout/selector.hpp)
///   position = 1,2,3                     the values of a structure or a list, one after the other
///   position.y += 100                    added to the value, with the sign at the end of the path; also -= and *=
///
/// Ids: path.unknown, path.syntax, layout.type.
Result<std::vector<Assignment>> expand(const Spans&, const Assignment& typed);

}  // namespace dio
