// rule_ids_test.cpp: `dio explain` knows every rule id that the program prints.
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <regex>

#include "engine/source_dir.hpp"
#include "formats/contract/format.hpp"
#include "formats/contract/game.hpp"
#include "formats/registry.hpp"

namespace dio::test {
namespace {

/// Counts the ids "family.two-words" in the sources of a folder; each must be a rule.
size_t ids_in(const std::filesystem::path& folder, const std::string& family) {
  size_t seen = 0;
  const std::regex id("\"(" + family + "\\.[a-z0-9]+-[a-z0-9-]+)\"");
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    const std::string ending = entry.path().extension().string();
    if (ending != ".cpp" && ending != ".hpp") continue;
    std::ifstream in(entry.path());
    const std::string source{std::istreambuf_iterator<char>(in), {}};
    for (std::sregex_iterator i(source.begin(), source.end(), id), end; i != end; ++i, ++seen)
      EXPECT_TRUE(find_rule((*i)[1].str())) << (*i)[1] << " in " << entry.path();
  }
  return seen;
}

/// A family's rule ids are string literals in its sources; other literals of that form contain no hyphen.
TEST(RuleIds, EveryIdInTheSourcesNamesARule) {
  const std::filesystem::path src = source_dir() / "src";
  size_t seen = 0;
  for (const auto& family : std::filesystem::directory_iterator(src / "formats"))
    if (family.is_directory()) seen += ids_in(family.path(), family.path().filename().string());
  EXPECT_GT(seen, 500u);
  EXPECT_GT(ids_in(src / "containers", "archives"), 10u);
}

/// One or more sentences: starts with a capital letter, a command or an option, and ends with a full stop.
void expect_sentences(std::string_view text, std::string_view id) {
  ASSERT_FALSE(text.empty()) << id;
  EXPECT_TRUE(!(text.front() >= 'a' && text.front() <= 'z') || text.starts_with("glTF")) << id << ": " << text;
  EXPECT_TRUE(text.ends_with('.')) << id << ": " << text;
  EXPECT_EQ(text.find("  "), text.npos) << id << ": " << text;
}

size_t expect_explained(std::span<const Rule> rules) {
  for (const Rule& r : rules) {
    EXPECT_FALSE(r.sentence.empty()) << r.id;
    EXPECT_FALSE(r.sentence.ends_with('.')) << r.id;
    expect_sentences(r.why, r.id);
    expect_sentences(r.fix, r.id);
    EXPECT_FALSE(r.source.empty()) << r.id;
  }
  return rules.size();
}

TEST(RuleIds, EveryRuleHasAReasonAndAFix) {
  EXPECT_GT(expect_explained(library_rules()), 50u);
  for (const Format* f : formats())
    if (!f->rules().empty()) expect_explained(f->rules());
  for (const GameKind* k : game_kinds()) EXPECT_GT(expect_explained(k->rules()), 0u);
}

}  // namespace
}  // namespace dio::test
