// random_edits.hpp: edits of any file, by chance: for tests and for the fuzzer.
#pragma once
#include <random>
#include <string>
#include <vector>

#include "engine/meanings.hpp"
#include "formats/contract/format.hpp"
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
        e.spans().for_each_child(spot->span, [&](u32 i) {
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

/// Makes one random edit, and holds what was asked for against what is there. Returns what was not kept; empty:
/// nothing.
inline std::string broken_promise(Editing& e, u64 seed) {
  std::mt19937_64 random(seed);
  const auto below = [&](u64 n) { return n ? random() % n : 0; };
  const auto lists = lists_of(e.spans());
  if (lists.empty()) return {};
  const u32 list = lists[size_t(below(lists.size()))];
  const u64 n = e.spans().length(list), i = below(n), k = below(n);
  const std::string path = e.spans().path(list), element = path + "[" + std::to_string(i) + "]";
  const Bytes before = e.bytes();
  const u64 kind = below(6);
  std::string number;
  u64 asked = below(100);
  if (const auto spot = e.spans().find(element); kind == 5 && spot && !spot->element)
    e.spans().for_each_child(spot->span, [&](u32 child) {
      const Span& s = e.spans()[child];
      if (s.kind == Span::Kind::number && !s.fraction && s.wire != Wire::f32 && s.wire != Wire::f64) {
        if (number.empty() || below(2)) number = e.spans().path(child);
      }
    });
  if (kind == 5 && number.empty()) return {};
  const auto result = kind == 0   ? e.add(path, {}, {.before = {}, .after = i})
                      : kind == 1 ? e.duplicate(element)
                      : kind == 2 ? e.remove(element, below(2) ? Referrers::unlink : Referrers::cascade)
                      : kind == 3 ? e.move(element, {.before = k, .after = {}})
                      : kind == 4 ? e.swap(element, path + "[" + std::to_string(k) + "]")
                                  : e.set({{number, Value(asked)}});
  const std::string what = std::to_string(kind) + " " + (kind == 5 ? number : element) + ": ";
  if (!result) return e.bytes() == before ? std::string() : what + "a refused edit has changed the file";
  const auto there = e.spans().find(path);
  const u64 expected = kind < 2 ? n + 1 : kind == 2 ? n - 1 : n;
  const u64 length = there ? e.spans().length(there->span) : 0;
  // More may go with what is removed.
  if (kind == 2 ? length > expected : length != expected)
    return what + "the list has " + std::to_string(length) + " elements instead of " + std::to_string(expected);
  if (kind == 5) {
    const auto value = e.spans().find(number);
    if (!value || !(e.spans().value(*value) == Value(asked))) return what + "the value is not there";
  }
  const TraceResult again = e.as().format->trace(e.view(), e.as().options);
  if (again.stop) return what + "the result cannot be read";
  if (!(again.spans.value(0) == e.spans().value(0))) return what + "the values in memory are not those of the file";
  if (kind == 5 && e.bytes() != before && e.last().empty()) return what + "a change is not said";
  const Bytes after = e.bytes();
  e.undo();
  if (e.bytes() != before) return what + "what is undone is not the file again";
  e.redo();
  return e.bytes() == after ? std::string() : what + "what is done again is not the same";
}

}  // namespace dio::test
