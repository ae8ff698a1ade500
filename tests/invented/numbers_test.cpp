// Numbers of every kind in both byte orders, from hand-written bytes.
#include "invented/numbers.hpp"

#include "invented/expect_laws.hpp"

namespace dio::test::numbers {
namespace {

using Big = Numbers<std::endian::big>;
using Little = Numbers<std::endian::little>;

const Bytes k_big =
    hex("'NUM' 01 ff"
        "0102 fffe 01020304 fffffffd 0102030405060708 fffffffffffffffc"
        "3fc00000"            // 1.5
        "bfe0000000000000"    // -0.5
        "f800 00001001 0180"  // -0.5, 1 + 1/4096, 1.5
        "'abCD' 0001 0001 0002 0003 01 ff 02 fe"
        "80bd"  // 100000001 01111 0 1
        "ffff"
        "02 0003 00000002 01"
        "8000 7fff"
        "80 00 7f"
        "'*' d5 00001800 1000 ff"  // 1 101 0101
        "'*' 3a fffff000 f000 01"  // 0 011 1010
        "80000000");               // -0.0
const Bytes k_little =
    hex("'NUM' 01 ff"
        "0201 feff 04030201 fdffffff 0807060504030201 fcffffffffffffff"
        "0000c03f"
        "000000000000e0bf"
        "00f8 01100000 8001"
        "'abCD' 0100 0100 0200 0300 01 ff 02 fe"
        "bd80"
        "ffff"
        "02 0300 02000000 01"
        "0080 ff7f"
        "80 00 7f"
        "'*' d5 00180000 0010 ff"
        "'*' 3a 00f0ffff 00f0 01"
        "00000080");

template <class T>
void expect_values(const Bytes& file) {
  const T n = Laws<T>::value(file);
  EXPECT_EQ(n.a, 1);
  EXPECT_EQ(n.b, -1);
  EXPECT_EQ(n.c, 0x102);
  EXPECT_EQ(n.d, -2);
  EXPECT_EQ(n.e, 0x1020304u);
  EXPECT_EQ(n.f, -3);
  EXPECT_EQ(n.g, 0x102030405060708u);
  EXPECT_EQ(n.h, -4);
  EXPECT_EQ(n.single, 1.5f);
  EXPECT_EQ(n.twice, -0.5);
  EXPECT_EQ(n.short_fixed.value(), -0.5);
  EXPECT_EQ(n.long_fixed.raw, 0x1001);
  EXPECT_EQ(n.unsigned_fixed.value(), 1.5);
  EXPECT_EQ(n.tag, fourcc("abCD"));
  EXPECT_EQ(n.weather, Weather::rain);
  EXPECT_EQ(n.three, (std::array<u16, 3>{1, 2, 3}));
  EXPECT_EQ(n.square, (std::array<std::array<i8, 2>, 2>{{{1, -1}, {2, -2}}}));
  EXPECT_EQ(n.mode, 0x101);
  EXPECT_EQ(n.lean, 15);
  EXPECT_EQ(n.high, 0);
  EXPECT_EQ(n.low, 1);
  EXPECT_EQ(n.wide, 0xffffu);
  EXPECT_EQ(n.samples, (std::vector<i16>{-32768, 32767}));
  EXPECT_EQ(n.narrow, (std::vector<i32>{-128, 0, 127}));
  ASSERT_EQ(n.stars.size(), 2u);
  EXPECT_EQ(n.stars[0].unk_3, 1);
  EXPECT_EQ(n.stars[0].slope, -3);
  EXPECT_EQ(n.stars[0].doors, 5);
  EXPECT_EQ(n.stars[0].height.value(), 1.5);
  EXPECT_EQ(n.stars[0].rest, 255);
  EXPECT_EQ(n.stars[1].slope, 3);
  EXPECT_EQ(n.stars[1].turn.value(), -1);
  EXPECT_EQ(std::bit_cast<u32>(n.singles.at(0)), 0x80000000u);
}

TEST(LayoutNumbers, ReadsNumbersInBothByteOrders) {
  expect_values<Big>(k_big);
  expect_values<Little>(k_little);
}

TEST(LayoutNumbers, DecodesNumbersToJson) {
  const std::string expected =
      R"({"a": 1, "b": -1, "c": 258, "d": -2, "e": 16909060, "f": -3, "g": 72623859790382856, "h": -4, "single": 1.5, "twice": -0.5, )"
      R"("short_fixed": -0.5, "long_fixed": 1.000244140625, "unsigned_fixed": 1.5, "tag": "abCD", "weather": 1, "three": [1, 2, 3], )"
      R"("square": [[1, -1], [2, -2]], "mode": 257, "lean": 15, "high": 0, "low": 1, "wide": 65535, "samples": [-32768, 32767], )"
      R"("narrow": [-128, 0, 127], "stars": [{"unk_3": 1, "slope": -3, "doors": 5, "height": 1.5, "turn": 1.0, "rest": 255}, )"
      R"({"unk_3": 0, "slope": 3, "doors": 10, "height": -1.0, "turn": -1.0, "rest": 1}], "singles": [-0.0]})";
  EXPECT_EQ(Laws<Big>::decoded(k_big), expected);
  EXPECT_EQ(Laws<Little>::decoded(k_little), expected);
}

TEST(LayoutNumbers, ObeysAllLayoutLawsInBigEndian) { Laws<Big>::hold_for(k_big); }
TEST(LayoutNumbers, ObeysAllLayoutLawsInLittleEndian) { Laws<Little>::hold_for(k_little); }

TEST(LayoutNumbers, FixedPointNumbersRoundTripThroughJson) {
  for (u32 raw = 0; raw < 0x10000; raw += 61) {
    Bytes file = k_big;
    const size_t at = 5 + 2 + 2 + 4 + 4 + 8 + 8 + 4 + 8;
    file[at] = u8(raw >> 8), file[at + 1] = u8(raw);
    for (size_t i = 0; i < 4; ++i) file[at + 2 + i] = u8(raw * 0x10001u * 0x9e3779b1u >> 8 * i);  // the longer number
    auto b = Laws<Big>::through_json(trace<Big>(file).spans);
    ASSERT_TRUE(b && *b == file) << raw;
  }
}

TEST(LayoutNumbers, FloatsRoundTripThroughJson) {
  const u32 patterns[] = {0,          0x80000000, 1,          0x7f800000, 0xff800000, 0x7fc00000, 0x7f800001,
                          0xffc12345, 0x7f7fffff, 0x3dcccccd, 0x15ae43fd, 0x95ae43fd, 0x00800000, 0x007fffff};
  for (const u32 raw : patterns) {
    Bytes file = k_little;
    for (size_t i = 0; i < 4; ++i) file[file.size() - 4 + i] = u8(raw >> 8 * i);
    auto b = Laws<Little>::through_json(trace<Little>(file).spans);
    ASSERT_TRUE(b && *b == file) << format_hex(raw);
  }
}

TEST(LayoutNumbers, RejectsImpossibleCountsBeforeAllocating) {
  const auto with = [](std::string_view counts) {
    Bytes b = k_big;
    const Bytes c = hex(counts);
    std::copy(c.begin(), c.end(), b.end() - 4 - 18 - 3 - 4 - 8);
    return b;
  };
  ASSERT_EQ(with("02 0003 00000002 01"), k_big);
  EXPECT_EQ(Laws<Big>::refusal(with("ff 0003 00000002 01")),
            "layout.count: 0x49 sample_count: the count is 255, but only 36 bytes remain");
  EXPECT_EQ(Laws<Big>::refusal(with("02 ffff 00000002 01")),
            "layout.count: 0x4a narrow: the count is 65535, but only 34 bytes remain");
  EXPECT_EQ(Laws<Big>::refusal(with("02 0003 ffffffff 01")),
            "layout.count: 0x4c star_count: the count is 4294967295, but only 30 bytes remain");
  EXPECT_EQ(Laws<Big>::refusal(with("02 0003 00000002 ff")),
            "layout.count: 0x50 single_count: the count is -1, but only 29 bytes remain");
}

TEST(LayoutNumbers, StoresNumbersNarrowerThanInMemory) {
  const Bytes b = Laws<Little>::edited(
      k_little, [](Little& n) { n.narrow.resize(100), n.samples = {}, n.stars = {}, n.singles = {}; });
  EXPECT_EQ(b.size(), 0x49 + 8 + 100u);
}

TEST(LayoutNumbers, ChecksMagicInsideRecords) {
  Bytes b = k_little;
  b[b.size() - 4 - 9] = 'x';
  EXPECT_EQ(Laws<Little>::refusal(b), "layout.magic: 0x61 stars[1].magic: expected magic \"*\", found \"x\"");
}

TEST(LayoutNumbers, RejectsValuesThatDoNotFit) {
  const auto refusal = [](auto change) {
    auto r = load<Little>(k_little);
    change(r->document.edit());
    auto b = save(r->document);
    return b ? "saves" : b.error().id + ": " + format_one_line(b.error());
  };
  EXPECT_EQ(refusal([](Little& n) { n.wide = 65536; }),
            "layout.overflow: wide: expected a value that fits in its field");
  EXPECT_EQ(refusal([](Little& n) { n.lean = 16; }), "layout.overflow: lean: expected a value that fits in its field");
  EXPECT_EQ(refusal([](Little& n) { n.narrow[1] = 128; }),
            "layout.overflow: narrow[1]: expected a value that fits in its field");
  EXPECT_EQ(refusal([](Little& n) { n.stars[1].doors = 16; }),
            "layout.overflow: stars[1].doors: expected a value that fits in its field");
  EXPECT_EQ(refusal([](Little& n) { n.stars[1].rest = 256; }),
            "layout.overflow: stars[1].rest: expected a value that fits in its field");
  EXPECT_EQ(refusal([](Little& n) { n.samples.resize(256); }),
            "layout.overflow: sample_count: expected a value that fits in its field");
  EXPECT_EQ(refusal([](Little& n) { n.singles.resize(128); }),
            "layout.overflow: single_count: expected a value that fits in its field");
  EXPECT_EQ(refusal([](Little& n) { n.singles.resize(127); }), "saves");
}

TEST(LayoutNumbers, SetsValuesByPath) {
  const auto set = [](std::string_view path, std::string_view typed) {
    Bytes out;
    const std::string why = Laws<Big>::set(k_big, path, parse_typed(typed), out);
    if (!why.empty()) return why;
    const Spans spans = trace<Big>(out).spans;
    return compact(spans.value(*spans.find(path)));
  };
  EXPECT_EQ(set("a", "255"), "255");
  EXPECT_EQ(set("a", "0x1F"), "31");
  EXPECT_EQ(set("a", "256"), "layout.overflow: 0x3 a: 256 is out of range (0 to 255)");
  EXPECT_EQ(set("a", "-1"), "layout.overflow: 0x3 a: -1 is out of range (0 to 255)");
  EXPECT_EQ(set("b", "-128"), "-128");
  EXPECT_EQ(set("b", "128"), "layout.overflow: 0x4 b: 128 is out of range (-128 to 127)");
  EXPECT_EQ(set("b", "0xff"), "-1");
  EXPECT_EQ(set("g", "18446744073709551615"), "18446744073709551615");
  EXPECT_EQ(set("h", "-9223372036854775808"), "-9223372036854775808");
  EXPECT_EQ(set("g", "-1"), "layout.overflow: 0x11 g: -1 is out of range (0 to 18446744073709551615)");
  EXPECT_EQ(
      set("h", "9223372036854775808"),
      "layout.overflow: 0x19 h: 9223372036854775808 is out of range (-9223372036854775808 to 9223372036854775807)");
  EXPECT_EQ(set("single", "0.1"), "0.1");
  EXPECT_EQ(set("single", "0x7fc12345"), "\"0x7fc12345\"");
  EXPECT_EQ(set("single", "0x10"),
            "layout.type: 0x21 single: expected a number, or its bits as \"0x00000000\", found \"0x10\"");
  EXPECT_EQ(set("twice", "0x7ff0000000000000"), "\"0x7ff0000000000000\"");
  EXPECT_EQ(set("short_fixed", "-8"), "-8.0");
  EXPECT_EQ(set("short_fixed", "8"), "layout.overflow: 0x2d short_fixed: 8 is out of range (-8 to 7.9998)");
  EXPECT_EQ(set("short_fixed", "7.9998"), "7.999755859375");  // as in the message
  EXPECT_EQ(set("tag", "WXYZ"), "\"WXYZ\"");
  EXPECT_EQ(set("tag", "0x00010203"), "\"0x00010203\"");
  EXPECT_EQ(set("weather", "snow"), "2");
  EXPECT_EQ(set("weather", "fog"),
            "layout.type: 0x39 weather: expected a number or a word (sun, rain, snow), found \"fog\"");
  EXPECT_EQ(set("square[1][0]", "-7"), "-7");
  EXPECT_EQ(set("lean", "-16"), "-16");
  EXPECT_EQ(set("lean", "16"), "layout.overflow: 0x45 lean: 16 is out of range (-16 to 15)");
  EXPECT_EQ(set("mode", "511"), "511");
  EXPECT_EQ(set("mode", "-1"), "layout.overflow: 0x45 mode: -1 is out of range (0 to 511)");
  EXPECT_EQ(set("stars[1].doors", "north+south"), "5");
  EXPECT_EQ(set("stars[1].slope", "-4"), "-4");
  EXPECT_EQ(set("stars[2].slope", "-4"), "no such path");
  EXPECT_EQ(set("stars", "1"), "layout.type: 0x58 stars: the path refers to a list; set the values inside it instead");
  EXPECT_EQ(set("sample_count", "1"),
            "layout.type: 0x49 sample_count: the count is computed from the list and cannot be set");
}

}  // namespace
}  // namespace dio::test::numbers

TEST(LayoutNumbers, DescribesRangesOfNumbers) {
  EXPECT_EQ(dio::describe_range(1, false), "0 to 1");
  EXPECT_EQ(dio::describe_range(1, true), "-1 to 0");
  EXPECT_EQ(dio::describe_range(16, false, 12), "0 to 15.9998");
  EXPECT_EQ(dio::describe_range(32, true, 12), "-524288 to 524287.9998");
  EXPECT_EQ(dio::describe_range(8, false, 1), "0 to 127.5");
  EXPECT_EQ(dio::describe_range(16, true, 16), "-0.50000 to 0.49998");
}
