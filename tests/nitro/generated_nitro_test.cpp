// Thousands of random Nitro files of all seven kinds: each round-trips byte for byte, directly and through JSON, and a
// canonical save keeps every offset. DIORAMA_SEED=n sets the first seed, DIORAMA_FILES=n the number of files per kind.
#include <gtest/gtest.h>

#include "core/json.hpp"
#include "engine/seeds.hpp"
#include "formats/contract/format.hpp"
#include "invented/laws.hpp"
#include "nitro/generator.hpp"
#include "operations/operations.hpp"

namespace dio::test {
namespace {

class GeneratedNitro : public testing::TestWithParam<const char*> {
 protected:
  const Format& format() const { return *find_format(GetParam()); }
  template <class F>
  void each_file(u64 files, F f) {
    each_seed(files, [&](u64 seed) {
      auto bytes = NitroGenerator(seed).file(GetParam());
      ASSERT_TRUE(bytes) << format_one_line(bytes.error());
      auto o = open(*bytes, "generated", &format());
      ASSERT_TRUE(o) << format_one_line(o.error()) << as_hex(*bytes);
      f(*o);
    });
  }
};
INSTANTIATE_TEST_SUITE_P(Kinds, GeneratedNitro, testing::ValuesIn(NitroGenerator::k_kinds),
                         [](const auto& p) { return std::string(p.param); });

TEST_P(GeneratedNitro, RoundTripsByteForByte) {
  u64 n = 0;
  each_file(300, [&](const OpenedFile& o) {
    const RoundTripResult v = verify(o, json::round_trip_as_json());
    ASSERT_TRUE(v.identical()) << v.problem << as_hex(o.bytes);
    const TraceResult t = format().trace(o.bytes, {});
    ASSERT_FALSE(t.stop) << format_one_line(*t.stop);
    ASSERT_EQ(broken_law(t.spans, n++ % 10 == 0), "");
  });
}

TEST_P(GeneratedNitro, CanonicalSaveKeepsEveryOffset) {
  each_file(300, [&](const OpenedFile& o) {
    const auto again = o.document->save({.canonical = true});
    ASSERT_TRUE(again) << format_one_line(again.error());
    ASSERT_EQ(as_hex(*again), as_hex(o.bytes));
    // as if edited by hand: there is no digest to compare
    Value v = decode(o);
    std::erase_if(v.members(), [](const Value::Member& m) { return m.first == "digest"; });
    const auto encoded = encode(v, {.canonical = false, .lossy = true});
    ASSERT_TRUE(encoded) << format_one_line(encoded.error());
    ASSERT_EQ(as_hex(*encoded), as_hex(o.bytes));
  });
}

TEST_P(GeneratedNitro, CanBeCheckedAndSummarized) {
  each_file(150, [&](const OpenedFile& o) {
    for (const Diagnostic& d : check(o)) {
      ASSERT_NE(find_rule(d.id), nullptr) << d.id;
      ASSERT_TRUE(d.place.known()) << d.id << " " << format_one_line(d);
    }
    EXPECT_TRUE(json::read(json::write(format().info(*o.document))));
  });
}

TEST(NitroGenerator, EachSeedGivesOneReproducibleFile) {
  const auto file = [](u64 seed) { return NitroGenerator(seed).file("nsbmd").value_or(Bytes()); };
  EXPECT_EQ(file(7), file(7));
  EXPECT_NE(file(7), file(8));
}

}  // namespace
}  // namespace dio::test
