// checks_test.cpp: scene pack rules: files that break each rule, and files that do not.
#include "formats/splashpack/check/checks.hpp"

#include <gtest/gtest.h>

#include "engine/broken_rules.hpp"
#include "samples/splashpack/packs.hpp"
#include "splashpack/damaged.hpp"

namespace dio::splashpack {
namespace {

const std::vector<test::BrokenFile>& broken_packs() {
  static const std::vector<test::BrokenFile> all = broken_files();
  return all;
}
std::multiset<std::string> ids_of(const Diagnostics& list) {
  std::multiset<std::string> ids;
  for (const Diagnostic& d : list) ids.insert(d.id);
  return ids;
}
/// Findings of the valid samples from which the broken files were made.
std::set<std::string> usual_ids() {
  std::set<std::string> ids;
  for (const Pack& p :
       {sample_scene(Layout::d).pack, sample_scene(Layout::v21).pack, sample_scene_with_everything().pack})
    for (const Diagnostic& d : check(*open(bytes_of(p), "sound.splashpack"))) {
      EXPECT_LT(d.severity, Severity::error) << d.id << " " << format_one_line(d);
      ids.insert(d.id);
    }
  return ids;
}

TEST(SplashpackRules, RuleTextsAreComplete) { test::expect_said_in_full(rules(), "splashpack."); }
TEST(SplashpackRules, EveryRuleHasABrokenFile) { test::expect_one_for_each(rules(), broken_packs()); }
TEST(SplashpackRules, FindsEachFaultAtItsPath) { test::expect_found_where_broken(broken_packs()); }
TEST(SplashpackRules, FindingsMatchTheRecordedText) {
  test::expect_said_as_before(broken_packs(), "splashpack/damaged.txt");
}

TEST(SplashpackRules, BrokenFilesHaveOnlyExpectedFindings) {
  const auto usual = usual_ids();
  for (size_t i = 0; i < broken_packs().size(); ++i) {
    const test::BrokenFile& b = broken_packs()[i];
    const Diagnostics found = test::findings_of(broken_packs()[i]);
    for (const Diagnostic& d : found) {
      const bool expected =
          d.id == b.id || usual.contains(d.id) || std::find(b.also.begin(), b.also.end(), d.id) != b.also.end();
      EXPECT_TRUE(expected) << b.id << ": " << d.id << " " << format_one_line(d);
    }
    for (const std::string_view also : b.also)
      EXPECT_TRUE(ids_of(found).contains(std::string(also))) << b.id << " says that it breaks " << also;
  }
}

// Current engines also send positions through 16-bit registers: renderer.cpp, setupObjectTransform.
TEST(SplashpackRules, LimitsPositionsTo16BitsInEveryLayout) {
  for (const EnumName& w : k_layouts.words) {
    Pack p = sample_scene(Layout(w.value)).pack;
    for (const i32 place : {32767, 32768, -32769}) {
      p.objects[0].position.z.raw = place;
      const auto o = open(bytes_of(p), "room.splashpack");
      ASSERT_TRUE(o) << w.word << " " << format_one_line(o.error());
      EXPECT_EQ(ids_of(check(*o)).contains("splashpack.pos-range"), place != 32767) << w.word << " " << place;
    }
  }
}

TEST(SplashpackRules, SampleScenesHaveOnlyHints) {
  for (const EnumName& w : k_layouts.words) {
    const auto o = open(bytes_of(sample_scene(Layout(w.value)).pack), "room.splashpack");
    ASSERT_TRUE(o) << w.word << " " << format_one_line(o.error());
    for (const Diagnostic& d : check(*o))
      EXPECT_EQ(d.severity, Severity::hint) << w.word << " " << d.id << " " << format_one_line(d);
  }
}

TEST(SplashpackRules, RejectsDamagedPacks) {
  Bytes b = bytes_of(sample_scene(Layout::d).pack);
  b[0] = 'X';
  const auto no_magic = open(b, "a.splashpack", find_format("splashpack"));
  ASSERT_FALSE(no_magic);
  EXPECT_EQ(no_magic.error().id, "layout.magic");
  b[0] = 'S';
  b.resize(b.size() - 100);
  const auto cut = open(b, "a.splashpack", find_format("splashpack"));
  if (!cut)
    EXPECT_EQ(cut.error().id, "layout.truncated");
  else
    EXPECT_FALSE(cut->notes.empty());
}

// ---- rules of two severities, and what they let pass ----

std::string said_of(const Pack& p) {
  const auto o = open(bytes_of(p), "a.splashpack");
  if (!o) return format_one_line(o.error());
  std::string lines;
  for (const Diagnostic& d : check(*o))
    if (d.severity > Severity::hint)
      lines += std::string(to_string(d.severity)) + " " + d.id + " " + d.place.path + "\n";
  return lines;
}
std::string said_with(auto edit, Layout l = Layout::d) {
  Pack p = sample_scene(l).pack;
  edit(p);
  return said_of(p);
}

TEST(SplashpackChecks, ExceededBudgetsAreErrors) {
  EXPECT_EQ(said_with([](Pack& p) { p.objects[0].triangles.resize(4858, p.objects[0].triangles[0]); }),
            "error splashpack.tri-budget objects\n");
  EXPECT_EQ(said_with([](Pack& p) { p.scripts[0].text.resize(1500000, ' '); }),
            "error splashpack.ram-budget version\n");
}

TEST(SplashpackChecks, LimitsCutsceneEventsLikeTheEngine) {
  const auto said = [](size_t cutscene, size_t animation, size_t sounds) {
    Pack p = sample_scene_with_everything().pack;
    p.cutscenes.at(0).skin_events.resize(cutscene, p.cutscenes[0].skin_events.at(0));
    p.animations.at(0).skin_events.resize(animation, p.animations[0].skin_events.at(0));
    p.cutscenes[0].audio_events.resize(sounds, p.cutscenes[0].audio_events.at(0));
    return said_of(p);
  };
  EXPECT_EQ(said(16, 16, 64), said(1, 1, 1));
  EXPECT_EQ(said(17, 16, 64), "error splashpack.counts-limit cutscenes[0].skin_events[16]\n" + said(1, 1, 1));
  EXPECT_EQ(said(16, 20, 64), "error splashpack.counts-limit animations[0].skin_events[16]\n" + said(1, 1, 1));
  EXPECT_EQ(said(16, 16, 65), "error splashpack.counts-limit cutscenes[0].audio_events[64]\n" + said(1, 1, 1));
}

TEST(SplashpackChecks, OverlappingDataGivesAHint) {
  broken::File f;
  const size_t second = broken::File::k_objects + 56;
  f.set(second, f.get(broken::File::k_objects));
  const auto o = open(f.bytes, "a.splashpack", find_format("splashpack"));
  ASSERT_TRUE(o);
  const Diagnostics found = check(*o);
  const auto overlap =
      std::find_if(found.begin(), found.end(), [](const Diagnostic& d) { return d.id == "splashpack.overlap"; });
  ASSERT_NE(overlap, found.end());
  EXPECT_EQ(overlap->severity, Severity::hint);
}

TEST(SplashpackChecks, ReportsLikelyUnintendedTransparentBlack) {
  // Colour 1 is 0x0000, colour 2 is not; `is_hole` selects the texels with colour 1.
  const auto finds = [](u16 beside, auto is_hole) {
    Pack p = sample_scene(Layout::d).pack;
    Atlas& a = p.atlases[0];
    for (u32 i = 0; i < a.texels.size(); ++i) {
      const u32 u = i % 128 * 2, v = i / 128;
      a.texels[i] = u8((is_hole(u, v) ? 1 : 2) | (is_hole(u + 1, v) ? 1 : 2) << 4);
    }
    for (Clut& c : p.cluts)
      if (c.length == 16) c.colors.assign(16, beside), c.colors[1] = 0;
    const auto o = open(bytes_of(p), "a.splashpack", find_format("splashpack"));
    if (!o) return format_one_line(o.error());
    std::string found;
    for (const Diagnostic& d : check(*o))
      if (d.id == "splashpack.black-hole") found += d.place.path + " ";
    return found;
  };
  const auto squares = [](u32 u, u32 v) { return (u / 8 + v / 8) % 2 == 0; };
  const auto lines = [](u32 u, u32) { return u % 8 == 0; };
  constexpr u16 k_green = 31 << 5, k_dark = 2 << 10 | 2 << 5 | 2;
  EXPECT_EQ(finds(k_green, squares), "") << "leaves";
  EXPECT_NE(finds(k_dark, squares), "") << "shadows";
  EXPECT_NE(finds(k_green, lines), "") << "outlines";
  EXPECT_NE(finds(k_green, [](u32, u32) { return true; }), "") << "nothing is drawn";
}
TEST(SplashpackChecks, ReportsPacksReadInAnotherLayout) {
  const auto o = open(bytes_of(sample_scene(Layout::d).pack), "a.splashpack", find_format_and_layout("splashpack-c"));
  if (!o) return;  // it does not come so far
  EXPECT_TRUE(ids_of(check(*o)).contains("splashpack.layout"));
}

TEST(SplashpackChecks, ConsistentlyWrongDepthIsOnlyAWarning) {
  // All triangles read the 8-bit atlas as 16-bit, which may be intended.
  EXPECT_EQ(said_with([](Pack& p) {
              const u16 page = TexturePage{384, 0, 2, 0, true}.word();
              for (Triangle& t : p.objects[1].triangles) {
                t.page = page;
                for (Uv& uv : t.uvs) uv.u /= 2;
              }
            }),
            "warning splashpack.tpage-depth objects[1].triangles[0].page\n");
}

TEST(SplashpackChecks, ReportsInvalidScriptIndices) {
  EXPECT_EQ(said_with([](Pack& p) { p.script = 9; }, Layout::e), "error splashpack.lua-index script\n");
  Pack p = sample_scene(Layout::v21).pack;
  p.triggers.push_back({{}, 31, 0, 0});
  EXPECT_EQ(said_of(p), "error splashpack.lua-index triggers[" + std::to_string(p.triggers.size() - 1) + "].script\n");
}

TEST(SplashpackChecks, ChecksTheBytecodeHeader) {
  const auto with_script = [](std::string text) {
    return said_with([&](Pack& p) { p.scripts[0].text = std::move(text); }, Layout::v21);
  };
  EXPECT_EQ(with_script({0x1B, 'L', 'u', 'a', 0x52, 0, 1, 4, 4, 4, 4, 1, 0x19, char(0x93)}), "");
  EXPECT_EQ(with_script({0x1B, 'L', 'u', 'a', 0x53, 0, 1, 4, 4, 4}), "warning splashpack.lua-syntax scripts[0].text\n");
  EXPECT_EQ(with_script({0x1B, 'L'}), "warning splashpack.lua-syntax scripts[0].text\n");
}

TEST(SplashpackChecks, ChecksSiblingFilesOfAPack) {
  const SceneFiles scene = sample_scene(Layout::v21);
  const auto said_beside = [&](const Vram& vram) {
    auto o = open(bytes_of(scene.pack), "room.splashpack");
    EXPECT_TRUE(o);
    open_sibling_files(*o, [&](const std::string& name) -> std::optional<Bytes> {
      if (name == "room.vram") return bytes_of(vram);
      if (name == "room.spu") return bytes_of(scene.spu);
      return {};
    });
    EXPECT_EQ(o->beside.size(), 2u);
    std::string lines;
    for (const Diagnostic& d : check(*o))
      if (d.id != "splashpack.uv-bleed") lines += d.id + " " + format_one_line(d) + "\n";
    return lines;
  };
  EXPECT_EQ(said_beside(scene.vram), "");
  Vram other = scene.vram;
  other.cluts.pop_back();
  EXPECT_NE(said_beside(other).find("splashpack.files-missing"), std::string::npos);
  // The texels are in the sibling file, and colour rules check them.
  Vram holes = scene.vram;
  for (VramClut& c : holes.cluts) std::fill(c.colors.begin(), c.colors.end(), u16(0));
  EXPECT_NE(said_beside(holes).find("splashpack.black-hole"), std::string::npos);
  Vram half_clear = scene.vram;
  half_clear.cluts[1].colors[3] |= 0x8000;
  half_clear.cluts[0].colors = half_clear.cluts[1].colors;
  EXPECT_NE(said_beside(half_clear).find("splashpack.stp"), std::string::npos);
  EXPECT_NE(said_beside(half_clear).find("splashpack.duplicate-texture"), std::string::npos);
}

// ---- Lua

TEST(SplashpackLua, AcceptsValidLua) {
  for (const char* text : {"",
                           "#!/usr/bin/lua\nreturn 1",
                           "function f() end",
                           "local t = { [1] = 'a', \"b\\\"c\" }",
                           "if a then b() elseif c then d() else e() end",
                           "for i = 1, 10 do while true do break end end",
                           "repeat local x = 1 until x > 0",
                           "--[[ end ) ]] x = 1",
                           "--[==[ ]] ]==] return",
                           "s = [[ ' \" end ]]",
                           "-- it's ( fine",
                           "x = 'a\\\nb'",
                           "x = '\\z\n   b'",
                           "a.b['end'] = 1",
                           "goto done ::done::",
                           "x = 1..2",
                           "x = 0x1p4",
                           "ended = 1 dofile('do')",
                           "x = #t",
                           "x=a[b[1]]"})
    EXPECT_FALSE(lua_problem(text)) << text;
}
TEST(SplashpackLua, ReportsLuaSyntaxErrors) {
  const auto said = [](std::string_view text) {
    const auto p = lua_problem(text);
    return p ? std::to_string(p->line) + ": " + p->message : "";
  };
  EXPECT_EQ(said("function f()\n"), "1: \"function\" is not closed by \"end\"");
  EXPECT_EQ(said("f()\nend"), "2: \"end\" has nothing to close");
  EXPECT_EQ(said("x = (1\ny = 2"), "1: \"(\" is not closed by \")\"");
  EXPECT_EQ(said("if a then\n  b(\nend"), "3: expected \")\" to close \"(\" from line 2, found \"end\"");
  EXPECT_EQ(said("repeat end"), "1: expected \"until\" to close \"repeat\" from line 1, found \"end\"");
  EXPECT_EQ(said("\n\nx = 'a"), "3: the string has no closing '");
  EXPECT_EQ(said("x = 'a\nb'"), "1: the string has no closing '");
  EXPECT_EQ(said("--[[ a"), "1: the long comment has no closing ]]");
  EXPECT_EQ(said("x = [==[ ]]"), "1: the long string has no closing ]==]");
  EXPECT_EQ(said("x = {1}}"), "1: \"}\" has nothing to close");
}

}  // namespace
}  // namespace dio::splashpack
