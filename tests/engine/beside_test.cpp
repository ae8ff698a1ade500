// Sibling files that belong to the opened file.
#include <gtest/gtest.h>

#include <algorithm>

#include "formats/contract/companions.hpp"
#include "formats/contract/findings.hpp"
#include "formats/contract/format.hpp"
#include "operations/operations.hpp"
#include "samples/samples.hpp"

namespace dio {
namespace {

std::vector<std::string> asked, checked_with;

/// The KMP format with two invented sibling files.
const Format& accompanied() {
  static const Format one = [] {
    Format f = *find_format("kmp");
    static constexpr CompanionOps k_belonging = {.beside = [](std::string_view name) {
      return std::vector<std::string>{"first_" + std::string(name), "second_" + std::string(name)};
    }};
    f.belonging = &k_belonging;
    f.check = [](const AnyDocument&, std::optional<std::span<const Companion>> all, Findings&) {
      if (!all) return;
      for (const Companion& c : *all) checked_with.push_back(c.name);
    };
    return f;
  }();
  return one;
}
Bytes course() { return samples_of(*find_format("kmp")).front().bytes; }
OpenedFile opened_in(const std::string& folder) {
  auto o = open(course(), folder + "a.kmp", &accompanied());
  EXPECT_TRUE(o.has_value());
  return std::move(*o);
}

TEST(SiblingFiles, ChecksUseExistingSiblings) {
  OpenedFile o = opened_in("maps/");
  asked.clear();
  checked_with.clear();
  EXPECT_FALSE(o.looked_beside);
  open_sibling_files(o, [](const std::string& name) -> std::optional<Bytes> {
    asked.push_back(name);
    if (name == "second_a.kmp") return course();
    return {};
  });
  EXPECT_TRUE(o.looked_beside);
  EXPECT_EQ(asked, (std::vector<std::string>{"first_a.kmp", "second_a.kmp"}));
  ASSERT_EQ(o.beside.size(), 1u);
  EXPECT_EQ(o.beside[0].name, "maps/second_a.kmp");
  (void)check(o);
  EXPECT_EQ(checked_with, (std::vector<std::string>{"maps/second_a.kmp"}));
}

TEST(SiblingFiles, SkipsSiblingChecksWithoutASearch) {
  OpenedFile o = opened_in("");
  checked_with = {"not called"};
  (void)check(o);
  EXPECT_EQ(checked_with, (std::vector<std::string>{"not called"}));
}

TEST(SiblingFiles, GivenFilesOverrideSiblings) {
  OpenedFile o = opened_in("");
  open_sibling_files(o, [](const std::string&) { return std::optional(course()); });
  const auto found = collect_companions(o);
  ASSERT_EQ(found.size(), 2u);  // there may be several of one format
  const Companion given{"other.kmp", found[0].format, found[0].document};
  const auto all = collect_companions(o, {given});
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].name, "other.kmp");
}

TEST(SiblingFiles, ReportsUnreadableSiblingsByName) {
  OpenedFile o = opened_in("maps/");
  open_sibling_files(o, [](const std::string&) { return std::optional(Bytes{'R', 'K', 'M', 'D'}); });
  EXPECT_TRUE(o.beside.empty());
  const Diagnostics found = check(o);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].place.file, "maps/first_a.kmp");
  EXPECT_EQ(found[1].place.file, "maps/second_a.kmp");
}

/// Names avoid needless comparisons: files that match must share a name.
TEST(CompanionOps, MatchingCompanionsShareAName) {
  struct File {
    const Format* format;
    OpenedFile opened;
  };
  std::vector<File> files;
  for (const Format* f : formats())
    for (Sample& s : samples_of(*f))
      if (auto o = open(std::move(s.bytes), s.name, f)) files.push_back({f, std::move(*o)});
  size_t fit = 0, strangers = 0;
  for (const File& companion : files)
    for (const File& main : files) {
      const CompanionOps &its = companion_ops_of(*companion.format), &around = companion_ops_of(*main.format);
      if (!its.names || !around.names) continue;
      const Companion given{companion.opened.name, companion.format, companion.opened.document.get()};
      const bool fits = its.goes_with == main.format->id ? its.fits(*companion.opened.document, *main.opened.document)
                                                         : around.takes && around.takes(*main.opened.document, given);
      const auto a = its.names(*companion.opened.document), b = around.names(*main.opened.document);
      const bool shares =
          std::ranges::any_of(a, [&](const std::string& name) { return std::ranges::find(b, name) != b.end(); });
      fit += fits;
      strangers += !shares;
      EXPECT_TRUE(shares || !fits) << companion.opened.name << " " << main.opened.name;
    }
  EXPECT_GT(fit, 0u);
  EXPECT_GT(strangers, 0u);
}

}  // namespace
}  // namespace dio
