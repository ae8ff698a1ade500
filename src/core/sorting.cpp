#include "core/sorting.hpp"

#include <algorithm>
#include <numeric>

namespace dio {

std::vector<u32> stable_order(size_t n, bool (*is_less)(const void*, u32, u32), const void* context) {
  std::vector<u32> order(n);
  std::iota(order.begin(), order.end(), 0u);
  std::stable_sort(order.begin(), order.end(), [&](u32 a, u32 b) { return is_less(context, a, b); });
  return order;
}

}  // namespace dio
