// Thousands of random scene packs of every layout with every oddity: each round-trips byte for byte, directly,
// canonically and through JSON, and its layout is detected. DIORAMA_SEED=n sets the first seed, DIORAMA_FILES=n the
// number of files per layout.
#include <gtest/gtest.h>

#include <cstdlib>

#include "core/json.hpp"
#include "engine/seeds.hpp"
#include "formats/contract/format.hpp"
#include "invented/laws.hpp"
#include "operations/operations.hpp"
#include "splashpack/generator.hpp"

namespace dio::test {
namespace {

using splashpack::Layout;

std::string name_of(Layout l) { return std::string(splashpack::k_layouts.of(i64(l))); }
ReadAs told(Layout l) { return find_format_and_layout("splashpack-" + name_of(l)); }

void each_layout(auto f) {
  for (const EnumName& w : splashpack::k_layouts.words) {
    SCOPED_TRACE(std::string(w.word));
    f(Layout(w.value));
  }
}

void expect_comes_back(const Bytes& bytes, const ReadAs& as, bool deep) {
  auto r = as.format->load(bytes, as.options);
  ASSERT_TRUE(r) << format_one_line(r.error());
  const auto saved = r->document->save({});
  ASSERT_TRUE(saved) << format_one_line(saved.error());
  ASSERT_TRUE(*saved == bytes);
  if (!deep) return;
  auto o = open(bytes, "generated", as);
  ASSERT_TRUE(o) << format_one_line(o.error());
  const RoundTripResult v = verify(*o, json::round_trip_as_json());
  ASSERT_TRUE(v.identical()) << v.problem;
  const TraceResult t = as.format->trace(bytes, as.options);
  ASSERT_FALSE(t.stop) << format_one_line(*t.stop);
  ASSERT_EQ(broken_law(t.spans, false), "");
  check(*o);  // must terminate, whatever it finds
}

/// A second canonical save changes no offset.
void expect_stays(const Bytes& bytes, const ReadAs& as) {
  auto r = as.format->load(bytes, as.options);
  ASSERT_TRUE(r) << format_one_line(r.error());
  const auto canonical = r->document->save({.canonical = true});
  ASSERT_TRUE(canonical) << format_one_line(canonical.error());
  auto again = as.format->load(*canonical, as.options);
  ASSERT_TRUE(again) << format_one_line(again.error());
  const auto twice = again->document->save({.canonical = true});
  ASSERT_TRUE(twice) << format_one_line(twice.error());
  ASSERT_TRUE(*twice == *canonical);
}

TEST(GeneratedSplashpack, CanonicalPacksRoundTripByteForByte) {
  each_layout([](Layout l) {
    each_seed(200, [&](u64 seed) {
      const Bytes file = SplashpackGenerator(seed, l).placed_file();
      ASSERT_FALSE(file.empty());
      expect_comes_back(file, told(l), seed % 10 == 0);
      const auto again = told(l).format->load(file, told(l).options)->document->save({.canonical = true});
      ASSERT_TRUE(again) << format_one_line(again.error());
      ASSERT_TRUE(*again == file);
    });
  });
}

TEST(GeneratedSplashpack, UnusualPacksRoundTripByteForByte) {
  SplashpackGenerator::Oddities seen;
  each_layout([&](Layout l) {
    each_seed(200, [&](u64 seed) {
      SplashpackGenerator g(seed, l);
      const Bytes file = g.odd_file();
      ASSERT_FALSE(file.empty());
      expect_comes_back(file, told(l), seed % 10 == 0);
      // Parts of unknown structure keep their offset or cannot be saved canonically.
      if (l < Layout::v22) expect_stays(file, told(l));
      const auto add = [](bool& all, bool one) { all = all || one; };
      add(seen.gap, g.odd.gap), add(seen.junk, g.odd.junk), add(seen.shuffled, g.odd.shuffled),
          add(seen.shared, g.odd.shared), add(seen.empty, g.odd.empty), add(seen.tail, g.odd.tail),
          add(seen.odd_clut, g.odd.odd_clut), add(seen.short_script, g.odd.short_script),
          add(seen.padding, g.odd.padding);
      // Even without a given layout, the file loads as some layout and round-trips.
      const Format& any = *find_format("splashpack");
      if (const auto r = any.load(file, {})) {
        const auto saved = r->document->save({});
        ASSERT_TRUE(saved) << format_one_line(saved.error());
        ASSERT_TRUE(*saved == file);
      }
    });
  });
  if (std::getenv("DIORAMA_FILES")) return;  // fewer may miss some
  EXPECT_TRUE(seen.gap && seen.junk && seen.shuffled && seen.shared && seen.empty && seen.tail && seen.odd_clut &&
              seen.short_script && seen.padding);
}

TEST(GeneratedSplashpack, DistinguishesAllLayouts) {
  u64 files = 0, ambiguous = 0;
  each_layout([&](Layout l) {
    each_seed(600, [&](u64 seed) {
      const Bytes file = SplashpackGenerator(seed, l).placed_file();
      const auto score_layouts = splashpack::score_layouts(file);
      const auto own = std::ranges::find(score_layouts, l, &splashpack::LayoutScore::layout);
      ASSERT_NE(own, score_layouts.end());
      ASSERT_TRUE(own->fits) << own->reason;
      ASSERT_TRUE(own->inside);
      ++files;
      const auto fitting = std::ranges::count(score_layouts, true, &splashpack::LayoutScore::fits);
      const std::string reason = splashpack::explain_layout(file);
      if (fitting == 1) {
        ASSERT_EQ(splashpack::detect_layout(file), l) << reason;
        for (const auto& v : score_layouts) ASSERT_EQ(v.fits, v.reason.empty() || v.layout >= Layout::v20);
        return;
      }
      ++ambiguous;  // that is said, with the names of all that fit
      ASSERT_NE(reason.find("in layouts "), reason.npos) << reason;
      ASSERT_NE(reason.find(name_of(l)), reason.npos) << reason;
    });
  });
  EXPECT_LT(ambiguous * 50, files) << ambiguous << " of " << files;
}

TEST(GeneratedSplashpack, ExplainsWhyNoLayoutFits) {
  each_seed(200, [](u64 seed) {
    for (const Layout l : {Layout::b, Layout::d, Layout::e}) {
      const Bytes file = SplashpackGenerator(seed, l).odd_file();
      const auto score_layouts = splashpack::score_layouts(file);
      if (std::ranges::count(score_layouts, true, &splashpack::LayoutScore::fits)) continue;
      const std::string reason = splashpack::explain_layout(file);
      for (const auto& v : score_layouts) ASSERT_NE(reason.find(v.reason), reason.npos) << reason;
    }
  });
}

/// The sibling files of a pack.
TEST(GeneratedSplashpack, TexturesAndSoundsRoundTripByteForByte) {
  each_seed(300, [](u64 seed) {
    std::mt19937_64 rng(seed);
    const auto bytes = [&](u64 n) {
      Bytes b(n);
      for (u8& x : b) x = u8(rng());
      return b;
    };
    splashpack::Vram vram;
    vram.unk_7 = u8(rng() % 3);
    for (u64 n = rng() % 4; n--;) {
      const u16 w = u16(rng() % 6), h = u16(rng() % 5);
      vram.atlases.push_back({u16(rng()), u16(rng()), w, h, bytes(u64(w) * h * 2)});
    }
    for (u64 n = rng() % 4; n--;) {
      vram.cluts.push_back({u16(rng()), u16(rng()), 0, {}});
      vram.cluts.back().colors.resize(rng() % 9);
    }
    for (u64 n = rng() % 3; n--;) vram.fonts.push_back({8, 8, u16(rng()), 0, 3, bytes(rng() % 11)});
    splashpack::Spu spu;
    for (u64 n = rng() % 4; n--;) spu.clips.push_back({u16(rng()), u8(rng() % 2), 0, bytes(rng() % 50)});
    for (const auto& [id, file] :
         {std::pair("splashpack-vram", bytes_of(vram)), std::pair("splashpack-spu", bytes_of(spu))}) {
      expect_comes_back(file, find_format(id), seed % 10 == 0);
      expect_stays(file, find_format(id));
      const Sniff s = find_format(id)->sniff(file, "");
      EXPECT_NE(s.certainty, Sniff::Certainty::no);
    }
  });
}

}  // namespace
}  // namespace dio::test
