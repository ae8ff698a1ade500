// broken_rules.hpp: what holds for the rules of any format and the damaged files that break them, one for each rule.
#pragma once
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "engine/broken_file.hpp"
#include "engine/expect_by_rule.hpp"
#include "engine/source_dir.hpp"
#include "formats/contract/format.hpp"
#include "operations/operations.hpp"

namespace dio::test {

/// Findings, or why there is no document to check.
inline Diagnostics findings_of(const BrokenFile& b) {
  const Format* format = find_format(b.format);
  const std::string_view extensions = format->extensions;
  auto o = open(b.bytes, "broken" + std::string(extensions.substr(0, extensions.find(' '))), format);
  if (!o) return {o.error()};
  if (b.alone) open_sibling_files(*o, [](const std::string&) { return std::optional<Bytes>(); });
  return check(*o);
}
inline std::string listing(const Diagnostics& list) {
  std::string s;
  for (const Diagnostic& d : list)
    s += std::string(to_string(d.severity)) + " " + d.id + " " + format_one_line(d) + "\n";
  return s;
}

inline void expect_said_in_full(std::span<const Rule> rules, std::string_view prefix) {
  std::set<std::string_view> ids;
  for (const Rule& r : rules) {
    EXPECT_TRUE(ids.insert(r.id).second) << r.id << " twice";
    EXPECT_TRUE(r.id.starts_with(prefix)) << r.id;
    EXPECT_FALSE(r.sentence.empty() || r.why.empty() || r.source.empty()) << r.id;
    EXPECT_NE(r.sentence.back(), '.') << r.id << ": a sentence without a full stop, to stand in other sentences";
    EXPECT_EQ(r.why.back(), '.') << r.id;
  }
}

inline void expect_one_for_each(std::span<const Rule> rules, const std::vector<BrokenFile>& files) {
  std::set<std::string_view> broken;
  for (const BrokenFile& b : files) EXPECT_TRUE(broken.insert(b.id).second) << b.id << " twice";
  for (const Rule& r : rules) EXPECT_TRUE(broken.contains(r.id)) << "no file breaks " << r.id;
}

inline void expect_found_where_broken(const std::vector<BrokenFile>& files) {
  for (const BrokenFile& b : files) {
    const Diagnostics found = findings_of(b);
    EXPECT_TRUE(
        std::any_of(found.begin(), found.end(),
                    [&](const Diagnostic& d) { return d.id == b.id && d.place.path == b.path && d.place.known(); }))
        << b.id << " is not found at " << b.path << ":\n"
        << listing(found);
    for (const Diagnostic& d : found) {
      expect_by_rule(d);
      EXPECT_TRUE(d.place.known()) << b.id << ": " << format_one_line(d);
      EXPECT_LE(d.place.known() ? d.place.offset : 0, b.bytes.size()) << b.id << ": " << format_one_line(d);
    }
  }
}

/// What is found in each, as the file of that name under tests/ has it. DIORAMA_UPDATE=1 writes it again.
inline void expect_said_as_before(const std::vector<BrokenFile>& files, const char* name) {
  std::string text =
      "What is found in the file that breaks each rule. DIORAMA_UPDATE=1 in the tests writes this again.\n";
  for (const BrokenFile& b : files) {
    text += "\n" + std::string(b.id) + "\n";
    for (const Diagnostic& d : findings_of(b)) {
      text += "  " + std::string(to_string(d.severity)) + " " + d.id + " " + format_one_line(d) + "\n";
      if (!d.hint.empty()) text += "    " + d.hint + "\n";
    }
  }
  const std::filesystem::path path = source_dir() / "tests" / name;
  if (std::getenv("DIORAMA_UPDATE")) {
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << text;
  }
  std::ifstream file(path);
  std::istringstream now(text);
  size_t number = 0;
  for (std::string then_line, now_line; std::getline(now, now_line); ++number) {
    ASSERT_TRUE(std::getline(file, then_line)) << path << " ends before: " << now_line;
    ASSERT_EQ(then_line, now_line) << path << ":" << number + 1;
  }
  EXPECT_EQ(file.peek(), EOF) << path << " has more than " << number << " lines";
}

}  // namespace dio::test
