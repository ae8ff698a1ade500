// Thousands of random KMP files of every version and irregularity: each round-trips byte for byte, directly and through
// JSON. DIORAMA_SEED=n sets the first seed, DIORAMA_FILES=n the number of files.
#include <gtest/gtest.h>

#include "bridge/gltf/gltf.hpp"
#include "core/json.hpp"
#include "engine/seeds.hpp"
#include "formats/contract/format.hpp"
#include "invented/laws.hpp"
#include "kmp/generator.hpp"
#include "operations/operations.hpp"
#include "scene/scene.hpp"

namespace dio::test {
namespace {

const Format& kmp_format() { return *find_format("kmp"); }

/// In pieces that can run in parallel.
class GeneratedKmp : public testing::TestWithParam<u64> {
 protected:
  template <class F>
  void each_file(u64 files, F f) {
    const u64 n = from_environment("DIORAMA_FILES", files) / 4,
              first = from_environment("DIORAMA_SEED", 0) + GetParam() * n;
    for (u64 seed = first; seed < first + n && !HasFailure(); ++seed) {
      SCOPED_TRACE("DIORAMA_SEED=" + std::to_string(seed));
      f(KmpGenerator(seed).file());
    }
  }
};
INSTANTIATE_TEST_SUITE_P(Piece, GeneratedKmp, testing::Range(u64(0), u64(4)));

TEST_P(GeneratedKmp, RoundTripsByteForByte) {
  u64 loaded = 0, files = 0, doubted = 0;
  each_file(3000, [&](const Bytes& bytes) {
    ++files;
    const TraceResult t = kmp_format().trace(bytes, {});
    auto o = open(bytes, "course.kmp", &kmp_format());
    if (!o) {
      EXPECT_TRUE(t.stop);
      EXPECT_EQ(unclear(o.error(), bytes), "") << format_one_line(o.error());
      return;
    }
    ++loaded, doubted += !o->notes.empty();
    ASSERT_FALSE(t.stop) << format_one_line(*t.stop);
    const RoundTripResult v = verify(*o, json::round_trip_as_json());
    ASSERT_TRUE(v.identical()) << v.problem << as_hex(bytes);
    ASSERT_EQ(broken_law(t.spans, files % 10 == 0), "");
  });
  EXPECT_GT(loaded, files * 8 / 10);
  EXPECT_GT(doubted, files / 100);
}

TEST_P(GeneratedKmp, SavingTwiceGivesTheSameLayout) {
  each_file(1000, [&](const Bytes& bytes) {
    auto o = open(bytes, "course.kmp", &kmp_format());
    if (!o || !o->notes.empty()) return;  // a truncated part may become complete next to other bytes
    for (const bool canonical : {false, true}) {
      Value v = decode(*o);
      std::erase_if(v.members(), [](const Value::Member& m) { return m.first == "digest"; });
      auto once = encode(v, {.canonical = canonical, .lossy = true});
      ASSERT_TRUE(once) << format_one_line(once.error());
      auto again = open(*once, "course.kmp", &kmp_format());
      ASSERT_TRUE(again) << format_one_line(again.error());
      v = decode(*again);
      std::erase_if(v.members(), [](const Value::Member& m) { return m.first == "digest"; });
      auto twice = encode(v, {.canonical = canonical, .lossy = true});
      ASSERT_TRUE(twice) << format_one_line(twice.error());
      ASSERT_EQ(as_hex(*twice), as_hex(*once));
    }
  });
}

TEST_P(GeneratedKmp, CanBeCheckedAndShown) {
  each_file(400, [&](const Bytes& bytes) {
    auto o = open(bytes, "course.kmp", &kmp_format());
    if (!o) return;
    for (const Diagnostic& d : check(*o)) {
      ASSERT_NE(find_rule(d.id), nullptr) << d.id;
      ASSERT_TRUE(d.place.known()) << d.id << " " << format_one_line(d);
    }
    auto s = to_scene(*o);
    if (!s) return;
    const auto faults = scene::verify(s->scene);
    ASSERT_TRUE(faults.empty()) << faults[0];
    ASSERT_TRUE(gltf::write_glb(s->scene));
  });
}

TEST(KmpGenerator, SeedsGiveDistinctReproducibleFiles) {
  EXPECT_EQ(KmpGenerator(7).file(), KmpGenerator(7).file());
  EXPECT_NE(KmpGenerator(7).file(), KmpGenerator(8).file());
}

}  // namespace
}  // namespace dio::test
