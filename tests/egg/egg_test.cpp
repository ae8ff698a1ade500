// egg_test.cpp: tests specific to lights, fog, bloom and focus. every_format_test.cpp covers the properties that all
// formats share.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "core/json.hpp"
#include "egg/damaged.hpp"
#include "engine/broken_rules.hpp"
#include "formats/registry.hpp"
#include "operations/operations.hpp"

namespace dio::egg {
namespace {

TEST(Egg, LightsHaveTheirStatedSize) {
  const auto d = load<Blight>(bytes_of(lights()));
  ASSERT_TRUE(d);
  for (const Light& l : d->document.value().lights) EXPECT_EQ(l.size, 0x50u);
  EXPECT_EQ(d->document.value().size, 0x5A8u) << "as of courses of Nintendo";
}

TEST(Egg, UpdatesSizesOnSave) {
  Blmap b = light_textures();
  EXPECT_EQ(bytes_of(b).size(), 0x298u) << "as of courses of Nintendo";
  b.textures[0].gradients.resize(3);
  const auto d = load<Blmap>(bytes_of(b));
  ASSERT_TRUE(d);
  EXPECT_EQ(d->document.value().textures[0].size, 0x3Cu + 24);
  EXPECT_EQ(d->document.value().size, 0x298u - 29 * 8);
}

TEST(Egg, ReportsMissingAmbientLights) {
  Blight b = lights();
  b.lights[7].ambient = 16;
  const auto o = open(bytes_of(b), "course.blight");
  ASSERT_TRUE(o);
  const Diagnostics found = check(*o);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].place.path, "lights[7].ambient");
}

TEST(Egg, DetectsFogFilesByName) {
  const Bytes bytes = bytes_of(fogs());
  EXPECT_EQ(find_format("bfg")->sniff(bytes, "posteffect.bfg").certainty, Sniff::Certainty::certain);
  EXPECT_EQ(find_format("bfg")->sniff(bytes, "posteffect").certainty, Sniff::Certainty::no);
}

// ---- real files

TEST(EggCorpus, RealFilesRoundTripWithoutFindings) {
  namespace fs = std::filesystem;
  const char* home = std::getenv("HOME");
  const char* given = std::getenv("DIORAMA_CORPUS");
  const fs::path folder = (given ? fs::path(given) : fs::path(home ? home : "") / ".cache/diorama-corpus") / "wii";
  std::error_code none;
  size_t files = 0;
  for (const auto& entry : fs::recursive_directory_iterator(folder, none)) {
    const std::string ending = entry.path().extension().string();
    if (ending != ".blight" && ending != ".blmap" && ending != ".bblm" && ending != ".bdof" && ending != ".bfg")
      continue;
    std::ifstream in(entry.path(), std::ios::binary);
    const Bytes bytes(std::istreambuf_iterator<char>(in), {});
    const auto o = open(bytes, entry.path().filename().string());
    ASSERT_TRUE(o) << entry.path();
    ++files;
    EXPECT_EQ("." + std::string(o->format->id), ending);
    EXPECT_TRUE(verify(*o, json::round_trip_as_json()).identical()) << entry.path();
    EXPECT_TRUE(o->document->residue().empty()) << entry.path() << ": everything is described";
    for (const Diagnostic& d : check(*o)) ADD_FAILURE() << entry.path() << " " << format_one_line(d);
  }
  if (!files) GTEST_SKIP() << "no files of games";
}

// ---- findings

const std::vector<test::BrokenFile>& broken_files() {
  static const std::vector<test::BrokenFile> all = broken::files();
  return all;
}

TEST(EggRules, RuleTextsAreComplete) { test::expect_said_in_full(rules(), "egg."); }
TEST(EggRules, EveryRuleHasABrokenFile) { test::expect_one_for_each(rules(), broken_files()); }
TEST(EggRules, FindsEachFaultAtItsPath) { test::expect_found_where_broken(broken_files()); }
TEST(EggRules, FindingsMatchTheRecordedText) { test::expect_said_as_before(broken_files(), "egg/damaged.txt"); }
TEST(EggRules, CompleteFilesHaveNoFindings) {
  for (const std::string_view id : {"blight", "blmap", "bfg", "bblm", "bdof"}) {
    const Sample first = samples_of(*find_format(id))[0];
    EXPECT_TRUE(check(*open(first.bytes, first.name)).empty()) << id;
  }
}

}  // namespace
}  // namespace dio::egg
