// course_kind.hpp: race or arena: the file does not state it, so it is guessed from the contents.
#pragma once
#include "formats/kmp/layout.hpp"

namespace dio::kmp {

struct CourseKind {
  bool arena = false;
  int score = 0;            // 9 and more: an arena
  int dispatch_points = 0;  // ENPH groups of one point without a group before them
  bool dispatch_arena() const { return dispatch_points > 2 || (dispatch_points > 0 && score >= 5); }
};
/// Source: README.md, "Race or arena".
CourseKind guess_course_kind(const Kmp&);

/// The entries of a section; empty if the section is missing.
template <class S>
const std::vector<typename S::Entry>& entries(const std::optional<S>& s) {
  static const std::vector<typename S::Entry> none;
  return s ? s->entries : none;
}

}  // namespace dio::kmp
