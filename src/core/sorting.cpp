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

bool natural_less(std::string_view a, std::string_view b) {
  const auto take_digits = [](std::string_view& s) {
    const size_t end = std::min(s.find_first_not_of("0123456789"), s.size());
    std::string_view digits = s.substr(0, end);
    s.remove_prefix(end);
    digits.remove_prefix(std::min(digits.find_first_not_of('0'), digits.size()));
    return std::pair(digits.size(), digits);
  };
  while (!a.empty() && !b.empty()) {
    const auto of_a = take_digits(a), of_b = take_digits(b);
    if (of_a != of_b) return of_a < of_b;
    if (a.empty() || b.empty()) break;
    if (a.front() != b.front()) return a.front() < b.front();
    a.remove_prefix(1), b.remove_prefix(1);
  }
  return a.size() < b.size();
}

}  // namespace dio
