// sorting.hpp: sorting that is compiled once for all types.
#pragma once
#include <functional>
#include <ranges>
#include <string_view>
#include <vector>

#include "core/bytes.hpp"

namespace dio {

/// Whether a name comes before another as people number them: MAP001.9 before MAP001.10.
bool natural_less(std::string_view a, std::string_view b);

/// The indices of `n` items in sorted order; equal items keep their order. `is_less(context, a, b)` compares two
/// indices.
std::vector<u32> stable_order(size_t n, bool (*is_less)(const void* context, u32 a, u32 b), const void* context);

/// Like std::ranges::stable_sort, with less code and more time, for lists of files, rules and the like. For vertices or
/// spans, use the standard library.
template <std::ranges::random_access_range Range, class Less = std::ranges::less, class Projection = std::identity>
void sort_stably(Range&& range, Less less = {}, Projection projection = {}) {
  const auto at = std::ranges::begin(range);
  const auto compare = [&](u32 a, u32 b) -> bool {
    return std::invoke(less, std::invoke(projection, at[a]), std::invoke(projection, at[b]));
  };
  std::vector<u32> order = stable_order(
      std::ranges::size(range), [](const void* c, u32 a, u32 b) { return (*static_cast<decltype(&compare)>(c))(a, b); },
      &compare);
  for (u32 first = 0; first < order.size(); ++first) {  // moves each cycle of the permutation
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
