// rule_ids_test.cpp: what the program says is what `dio explain` knows.
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <regex>

#include "engine/source_dir.hpp"
#include "formats/registry.hpp"

namespace dio::test {
namespace {

/// The ids of a family's rules are texts of its sources, "family.two-words"; other such texts have no hyphen.
TEST(RuleIds, EachIdInTheSourcesIsARule) {
  size_t seen = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(source_dir() / "src" / "formats")) {
    const std::string file = entry.path().filename().string(), family = entry.path().parent_path().filename().string();
    const std::string ending = entry.path().extension().string();
    if ((ending != ".cpp" && ending != ".hpp") || file == "tests.cpp") continue;
    std::ifstream in(entry.path());
    const std::string source{std::istreambuf_iterator<char>(in), {}};
    const std::regex id("\"(" + family + "\\.[a-z0-9]+-[a-z0-9-]+)\"");
    for (std::sregex_iterator i(source.begin(), source.end(), id), end; i != end; ++i, ++seen)
      EXPECT_TRUE(find_rule((*i)[1].str())) << (*i)[1] << " in " << family << "/" << file;
  }
  EXPECT_GT(seen, 500u);
}

}  // namespace
}  // namespace dio::test
