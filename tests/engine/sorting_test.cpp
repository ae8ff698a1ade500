#include "core/sorting.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <random>
#include <string>

namespace dio {
namespace {

TEST(Sorting, MatchesTheStandardLibrary) {
  std::mt19937 random(1);
  for (size_t n = 0; n < 200; ++n) {
    std::vector<std::pair<u32, std::string>> all;
    for (size_t i = 0; i < n; ++i) all.emplace_back(random() % (n / 4 + 1), std::to_string(i));
    auto expected = all, ascending = all, falling = all;
    std::ranges::stable_sort(expected, {}, &std::pair<u32, std::string>::first);
    sort_stably(ascending, {}, &std::pair<u32, std::string>::first);
    EXPECT_EQ(ascending, expected);
    const auto is_larger = [](const auto& a, const auto& b) { return a.first > b.first; };
    std::ranges::stable_sort(all, is_larger);
    sort_stably(falling, is_larger);
    EXPECT_EQ(falling, all);
  }
}

TEST(Sorting, SortsMoveOnlyElements) {
  std::vector<std::unique_ptr<int>> all;
  for (const int i : {3, 1, 2, 0}) all.push_back(std::make_unique<int>(i));
  sort_stably(all, {}, [](const auto& p) { return *p; });
  for (int i = 0; i < 4; ++i) EXPECT_EQ(*all[size_t(i)], i);
}

TEST(Sorting, SortsPartsOfLists) {
  std::vector<int> all = {9, 3, 1, 2, 0};
  sort_stably(std::span(all).subspan(1, 3), std::ranges::greater());
  EXPECT_EQ(all, (std::vector{9, 3, 2, 1, 0}));
}

}  // namespace
}  // namespace dio
