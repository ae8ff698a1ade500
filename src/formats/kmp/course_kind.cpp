#include "formats/kmp/course_kind.hpp"

#include <algorithm>

namespace dio::kmp {

CourseKind guess_course_kind(const Kmp& k) {
  CourseKind kind;
  const auto up_to = [](size_t n, int most) { return int(std::min(n, size_t(most))); };
  if (entries(k.ckpt).empty()) kind.score += 3;
  const size_t items = entries(k.itpt).size(), starts = entries(k.ktpt).size();
  kind.score += items == 0 ? 3 : items < 10 ? 2 : items < 20 ? 1 : 0;
  if (starts > 8) kind.score += up_to(starts - 8, 4);
  kind.score += up_to(entries(k.mspt).size(), 4);
  for (const Group& g : entries(k.enph))
    if (g.count == 1 && std::all_of(g.previous.begin(), g.previous.end(), [](u8 p) { return p == k_no_link; }))
      ++kind.dispatch_points;
  kind.arena = kind.score >= 9 || kind.dispatch_arena();
  return kind;
}

}  // namespace dio::kmp
