// fft_checks_test.cpp: rules of map files: what breaks each, and what does not.
#include <gtest/gtest.h>

#include "formats/fft/checks_broken.hpp"
#include "unit/broken_rules.hpp"

namespace dio::fft {
namespace {

const std::vector<test::BrokenFile>& files_that_break_rules() {
  static const std::vector<test::BrokenFile> files = [] {
    std::vector<test::BrokenFile> all;
    for (Broken& b : broken_files()) all.push_back({b.id, b.path, find_format(b.format), std::move(b.bytes)});
    return all;
  }();
  return files;
}
TEST(FftRules, AreSaidInFull) { test::expect_said_in_full(rules(), "fft."); }
TEST(FftRules, EachHasABrokenFile) { test::expect_one_for_each(check_rules(), files_that_break_rules()); }
TEST(FftRules, AreFoundWhereTheyAreBroken) { test::expect_found_where_broken(files_that_break_rules()); }
TEST(FftRules, SayTheSameAsBefore) { test::expect_said_as_before(files_that_break_rules(), "fft.txt"); }

TEST(FftRules, AValleyIsInOrder) {
  for (const SampleFile& f : valley_files()) {
    const auto o = open(f.bytes, f.name);
    ASSERT_TRUE(o) << to_line(o.error());
    if (f.name == "MAP001.13") continue;  // takes most from the others
    EXPECT_EQ(test::listing(check(*o)), "") << f.name;
  }
}

}  // namespace
}  // namespace dio::fft
