// edits.hpp: named edits of courses, in parts.
#pragma once
#include "formats/contract/arguments.hpp"
#include "formats/kmp/parts.hpp"

namespace dio::kmp {

inline constexpr f64 k_farthest = 1e6;  // units from the origin that edits accept

std::span<const Edit> whole_course_edits();  // course.cpp
std::span<const Edit> group_edits();         // groups.cpp

/// An edit of a course as a function of its arguments. A refused edit changes nothing.
template <Result<std::string> (*Apply)(Kmp&, Arguments)>
Result<std::string> apply_course_edit(AnyDocument& d, std::span<const Argument> arguments) {
  auto& document = static_cast<DocumentOf<Kmp>&>(d).document;
  Kmp now = document.value();
  auto what = Apply(now, Arguments(arguments));
  if (what) document.edit() = std::move(now);
  return what;
}

}  // namespace dio::kmp
