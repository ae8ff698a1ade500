// Hundreds of random maps and height files: each round-trips byte for byte, directly and through JSON, and a canonical
// save keeps every offset. DIORAMA_SEED=n sets the first seed, DIORAMA_FILES=n the number of files per kind.
#include <gtest/gtest.h>

#include "core/json.hpp"
#include "engine/seeds.hpp"
#include "formats/contract/format.hpp"
#include "formats/platinum/layout/heights.hpp"
#include "invented/laws.hpp"
#include "operations/operations.hpp"
#include "platinum/land_generator.hpp"

namespace dio::test {
namespace {

void each_file(u64 files, auto f) {
  each_seed(files, [&](u64 seed) { f(LandGenerator(u32(seed))); });
}

/// Laws for documents of both kinds.
template <class T>
void expect_laws(T value, std::string_view id) {
  const Format& format = *find_format(id);
  Document<T> made;
  made.edit() = std::move(value);
  const auto bytes = save(made);
  ASSERT_TRUE(bytes) << format_one_line(bytes.error());
  auto o = open(*bytes, "generated", &format);
  ASSERT_TRUE(o) << format_one_line(o.error());
  const RoundTripResult v = verify(*o, json::round_trip_as_json());
  ASSERT_TRUE(v.identical()) << v.problem;
  const TraceResult t = format.trace(*bytes, {});
  ASSERT_FALSE(t.stop) << format_one_line(*t.stop);
  ASSERT_EQ(broken_law(t.spans, false), "");
  check(*o);  // must terminate, whatever it finds
  // as if edited by hand: there is no digest to compare
  Value decoded = decode(*o);
  std::erase_if(decoded.members(), [](const Value::Member& m) { return m.first == "digest"; });
  const auto encoded = encode(decoded, {.canonical = false, .lossy = true});
  ASSERT_TRUE(encoded) << format_one_line(encoded.error());
  ASSERT_EQ(as_hex(*encoded), as_hex(*bytes));
  const auto canonical = o->document->save({.canonical = true});
  ASSERT_TRUE(canonical) << format_one_line(canonical.error());
  auto again = open(*canonical, "generated", &format);
  ASSERT_TRUE(again) << format_one_line(again.error());
  const auto twice = again->document->save({.canonical = true});
  ASSERT_TRUE(twice);
  ASSERT_EQ(as_hex(*twice), as_hex(*canonical));
}

TEST(GeneratedLand, MapsRoundTripByteForByte) {
  each_file(150, [](LandGenerator g) { expect_laws(g.land(), "land-data"); });
}
TEST(GeneratedLand, HeightsRoundTripByteForByte) {
  each_file(600, [](LandGenerator g) { expect_laws(g.heights(), "bdhc"); });
}

TEST(GeneratedLand, CanonicalFormKeepsAllHeights) {
  each_file(300, [](LandGenerator g) {
    platinum::Bdhc b = g.heights();
    if (b.dp) return;
    platinum::rebuild_strips(b);
    platinum::Bdhc canonical = b;
    canonical.normalise();
    for (u32 z = 0; z < platinum::k_tiles; ++z)
      for (u32 x = 0; x < platinum::k_tiles; ++x)
        ASSERT_EQ(platinum::ground_height_at(b, platinum::tile_middle(x), platinum::tile_middle(z)),
                  platinum::ground_height_at(canonical, platinum::tile_middle(x), platinum::tile_middle(z)));
  });
}

}  // namespace
}  // namespace dio::test
