// sorting.hpp: sorting that is compiled once, whatever is sorted.
#pragma once
#include <functional>
#include <ranges>
#include <vector>

#include "core/bytes.hpp"

namespace dio {

/// The indices of `n` things in order; equal ones stay as they are. `is_less(context, a, b)` compares two by index.
std::vector<u32> stable_order(size_t n, bool (*is_less)(const void* context, u32 a, u32 b), const void* context);

/// As std::ranges::stable_sort, in less code and more time: for lists of files, rules
/// and the like. Where every vertex or span is sorted, the standard library does it.
template <std::ranges::random_access_range Range, class Less = std::ranges::less, class Projection = std::identity>
void sort_stably(Range&& range, Less less = {}, Projection projection = {}) {
  const auto at = std::ranges::begin(range);
  const auto compare = [&](u32 a, u32 b) -> bool {
    return std::invoke(less, std::invoke(projection, at[a]), std::invoke(projection, at[b]));
  };
  std::vector<u32> order = stable_order(
      std::ranges::size(range), [](const void* c, u32 a, u32 b) { return (*static_cast<decltype(&compare)>(c))(a, b); },
      &compare);
  for (u32 first = 0; first < order.size(); ++first) {  // each cycle of the permutation by itself
    if (order[first] == first) continue;
    auto kept = std::move(at[first]);
    u32 to = first;
    for (u32 from = order[to]; from != first; from = order[to]) {
      at[to] = std::move(at[from]);
      order[to] = to;
      to = from;
    }
    at[to] = std::move(kept);
    order[to] = to;
  }
}

}  // namespace dio
