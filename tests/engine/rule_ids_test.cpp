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
  const std::filesystem::path formats = source_dir() / "src" / "formats";
  for (const auto& entry : std::filesystem::recursive_directory_iterator(formats)) {
    const std::string ending = entry.path().extension().string();
    if (ending != ".cpp" && ending != ".hpp") continue;
    const std::string file = entry.path().lexically_relative(formats).generic_string();
    std::ifstream in(entry.path());
    const std::string source{std::istreambuf_iterator<char>(in), {}};
    const std::regex id("\"(" + file.substr(0, file.find('/')) + "\\.[a-z0-9]+-[a-z0-9-]+)\"");
    for (std::sregex_iterator i(source.begin(), source.end(), id), end; i != end; ++i, ++seen)
      EXPECT_TRUE(find_rule((*i)[1].str())) << (*i)[1] << " in " << file;
  }
  EXPECT_GT(seen, 500u);
}

}  // namespace
}  // namespace dio::test
