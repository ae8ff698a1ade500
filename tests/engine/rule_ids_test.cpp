// rule_ids_test.cpp: what the program says is what `dio explain` knows.
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <regex>

#include "engine/source_dir.hpp"
#include "formats/registry.hpp"

namespace dio::test {
namespace {

/// How many ids "family.two-words" stand in the sources of a folder; each has to be a rule.
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

/// The ids of a family's rules are texts of its sources; other such texts have no hyphen.
TEST(RuleIds, EachIdInTheSourcesIsARule) {
  const std::filesystem::path src = source_dir() / "src";
  size_t seen = 0;
  for (const auto& family : std::filesystem::directory_iterator(src / "formats"))
    if (family.is_directory()) seen += ids_in(family.path(), family.path().filename().string());
  EXPECT_GT(seen, 500u);
  EXPECT_GT(ids_in(src / "containers", "archives"), 10u);
}

}  // namespace
}  // namespace dio::test
