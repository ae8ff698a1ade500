// Thousands of random map files with every oddity: each round-trips byte for byte, directly and through JSON, and a new
// layout is stable. DIORAMA_SEED=n sets the first seed, DIORAMA_FILES=n the number of files per kind.
#include <gtest/gtest.h>

#include <cstdlib>

#include "core/json.hpp"
#include "engine/seeds.hpp"
#include "fft/generator.hpp"
#include "formats/contract/format.hpp"
#include "invented/laws.hpp"
#include "operations/operations.hpp"

namespace dio::test {
namespace {

void expect_comes_back(const Bytes& bytes, const Format& format, bool deep) {
  if (!deep) {  // the fast half, for many more
    auto r = format.load(bytes, {});
    ASSERT_TRUE(r) << format_one_line(r.error());
    const auto saved = r->document->save({});
    ASSERT_TRUE(saved) << format_one_line(saved.error());
    ASSERT_TRUE(*saved == bytes);
    return;
  }
  auto o = open(bytes, "generated", &format);
  ASSERT_TRUE(o) << format_one_line(o.error());
  const RoundTripResult v = verify(*o, json::round_trip_as_json());
  ASSERT_TRUE(v.identical()) << v.problem;
  const TraceResult t = format.trace(bytes, {});
  ASSERT_FALSE(t.stop) << format_one_line(*t.stop);
  ASSERT_EQ(broken_law(t.spans, false), "");
  check(*o);  // checking must finish, whatever it finds
  const auto canonical = o->document->save({.canonical = true});
  ASSERT_TRUE(canonical) << format_one_line(canonical.error());
  auto again = open(*canonical, "generated", &format);
  ASSERT_TRUE(again) << format_one_line(again.error());
  const auto twice = again->document->save({.canonical = true});
  ASSERT_TRUE(twice);
  ASSERT_TRUE(*twice == *canonical);
}

TEST(GeneratedFft, MeshesRoundTripByteForByte) {
  FftGenerator::Oddities seen;
  each_seed(1000, [&](u64 seed) {
    FftGenerator g(seed);
    const Bytes file = g.mesh_file();
    expect_comes_back(file, *find_format("fft-mesh"), seed % 12 == 0);
    const auto add = [](bool& all, bool one) { all = all || one; };
    add(seen.page, g.odd.page), add(seen.wide_terrain, g.odd.wide_terrain), add(seen.fill, g.odd.fill);
    add(seen.shuffled, g.odd.shuffled), add(seen.shared, g.odd.shared), add(seen.overlapping, g.odd.overlapping);
    add(seen.unknown_slope, g.odd.unknown_slope), add(seen.at_limits, g.odd.at_limits);
    add(seen.beyond_slots, g.odd.beyond_slots), add(seen.no_geometry, g.odd.no_geometry), add(seen.tail, g.odd.tail);
    add(seen.reserved, g.odd.reserved);
  });
  if (std::getenv("DIORAMA_FILES")) return;  // with fewer files some may be missing
  EXPECT_TRUE(seen.page && seen.wide_terrain && seen.fill && seen.shuffled && seen.shared && seen.overlapping &&
              seen.unknown_slope && seen.at_limits && seen.beyond_slots && seen.no_geometry && seen.tail &&
              seen.reserved);
}

TEST(GeneratedFft, GnsFilesRoundTripByteForByte) {
  each_seed(1500,
            [](u64 seed) { expect_comes_back(FftGenerator(seed).gns_file(), *find_format("fft-gns"), seed % 4 == 0); });
}

/// Layout of real files: parts are in slot order and aligned to 4 bytes with zeros; nothing follows the last part.
TEST(GeneratedFft, SavedMeshesUseTheRealFileLayout) {
  each_seed(300, [](u64 seed) {
    const Bytes file = bytes_of(FftGenerator(seed).mesh());
    auto d = load<fft::Mesh>(file);
    ASSERT_TRUE(d) << format_one_line(d.error());
    u32 last = fft::k_mesh_header;
    for (const u32 at : d->document.value().slots) {
      if (!at) continue;
      ASSERT_EQ(at % 4, 0u);
      ASSERT_GE(at, last);
      last = at;
    }
    for (const UnreferencedBytes& r : d->document.residue) {
      ASSERT_LT(r.bytes.size(), 4u);
      ASSERT_TRUE(std::all_of(r.bytes.begin(), r.bytes.end(), [](u8 x) { return x == 0; }));
      ASSERT_LT(r.offset + r.bytes.size(), file.size());
    }
  });
}

/// Added or removed polygons carry their render words with them, and the table keeps its size.
TEST(GeneratedFft, RenderWordsStayWithTheirPolygons) {
  each_seed(200, [](u64 seed) {
    FftGenerator g(seed);
    fft::Mesh m = g.mesh();
    if (!m.primary || !m.render_properties || m.primary->textured_quads.size() < 2) return;
    if (m.primary->textured_quads.size() > fft::RenderProperties::k_textured_quads) return;  // the last have no word
    auto d = load<fft::Mesh>(bytes_of(m));
    ASSERT_TRUE(d);
    auto& quads = d->document.edit().primary->textured_quads;
    const auto before = quads;
    quads.erase(quads.begin());
    const auto fewer = save(d->document, {.canonical = false, .lossy = true});
    ASSERT_TRUE(fewer) << format_one_line(fewer.error());
    auto again = load<fft::Mesh>(*fewer);
    ASSERT_TRUE(again) << format_one_line(again.error());
    const auto& after = again->document.value().primary->textured_quads;
    ASSERT_EQ(after.size(), before.size() - 1);
    for (size_t i = 0; i < after.size(); ++i) {
      ASSERT_EQ(after[i].render, before[i + 1].render);
      ASSERT_EQ(after[i].tile, before[i + 1].tile);
      ASSERT_EQ(after[i].positions, before[i + 1].positions);
    }
    const auto& table = *again->document.value().render_properties;
    ASSERT_EQ(table.unused_textured_quads.size(), fft::RenderProperties::k_textured_quads - after.size());
  });
}

}  // namespace
}  // namespace dio::test
