// random_edits.hpp: edits of any file, by chance: for tests and for the fuzzer.
#pragma once
#include <random>
#include <string>
#include <vector>

#include "engine/meanings.hpp"
#include "operations/editing.hpp"

namespace dio::test {

/// Makes some random edits of lists and numbers; what cannot be done is left out.
inline void random_edits(Editing& e, u64 seed, int edits) {
  std::mt19937_64 random(seed);
  const auto below = [&](u64 n) { return n ? random() % n : 0; };
  for (int k = 0; k < edits; ++k) {
    const auto lists = lists_of(e.spans());
    if (lists.empty()) break;
    const u32 list = lists[size_t(below(lists.size()))];
    const u64 n = e.spans().length(list);
    const std::string path = e.spans().path(list), element = path + "[" + std::to_string(below(n)) + "]";
    if (path == "sections" || is_made_again(path)) continue;
    switch (below(6)) {
      case 0:
        (void)e.duplicate(element);
        break;
      case 1:
        (void)e.move(element, {.before = below(n), .after = {}});
        break;
      case 2:
        (void)e.remove(element);
        break;
      case 3:
        (void)e.remove(element, below(2) ? Referrers::unlink : Referrers::cascade);
        break;
      default: {  // a number of the element
        std::vector<std::string> numbers;
        const auto spot = e.spans().find(element);
        if (!spot || spot->element) break;
        e.spans().each_child(spot->span, [&](u32 i) {
          if (e.spans()[i].kind == Span::Kind::number) numbers.push_back(e.spans().path(i));
        });
        if (!numbers.empty()) (void)e.set({{numbers[size_t(below(numbers.size()))], std::to_string(below(100))}});
      }
    }
  }
}
inline Bytes edited_at_random(const Bytes& file, const ReadAs& as, u64 seed, int edits) {
  auto begun = Editing::begin(file, as);
  if (!begun) return file;
  random_edits(*begun, seed, edits);
  return begun->bytes();
}

}  // namespace dio::test
