// Elements whose size depends on flags, and lists ended by their last element.
#include "invented/scripts.hpp"

#include "invented/expect_laws.hpp"

namespace dio::test::scripts {
namespace {

using L = Laws<Scripts>;

const Bytes k_file =
    hex("'SCR' 03"
        "d5 1000 f000 0001 0018"  // 04: place, script, no solid, 10101
        "00"                      // 0d
        "40 0018"                 // 0e
        "0002 0000 ffff"          // 11
        "00"                      // 17: nobody's
        "01 0102 02 aabbcc 03 'hi' 00 07 00");

TEST(LayoutScripts, DecodesPartsSelectedByFlags) {
  EXPECT_EQ(
      L::decoded(k_file),
      R"({"actors": [{"has_place": 1, "has_script": 1, "solid": 0, "unk_3": 21, "place": [1.0, -1.0, 0.000244140625], "script_offset": 24, )"
      R"("script": [{"code": 1, "target": 258}, {"code": 2, "color": [170, 187, 204]}, {"code": 3, "text": "hi"}, {"code": 7}, {"code": 0}]}, )"
      R"({"has_place": 0, "has_script": 0, "solid": 0, "unk_3": 0}, )"
      R"({"has_place": 0, "has_script": 1, "solid": 0, "unk_3": 0, "script_offset": 24, )"
      R"("script": [{"code": 1, "target": 258}, {"code": 2, "color": [170, 187, 204]}, {"code": 3, "text": "hi"}, {"code": 7}, {"code": 0}]}], )"
      R"("order": [2, 0, 65535]})");
}

TEST(LayoutScripts, ObeysAllLayoutLaws) { L::hold_for(k_file); }

TEST(LayoutScripts, RecomputesTheLayoutAfterEdits) {
  const Bytes b = L::edited(k_file, [](Scripts& s) {
    s.actors[0].has_place = 0;
    s.actors[1].has_script = 1;
    s.actors[1].script = {{2, 0, {1, 2, 3}, ""}, {0, 0, {}, ""}};
    s.order.insert(s.order.begin(), 7);
  });
  EXPECT_BYTES(b, hex("'SCR' 03"
                      "55 0015  40 0022  40 0015"
                      "0007 0002 0000 ffff"
                      "01 0102 02 aabbcc 03 'hi' 00 07 00"
                      "02 010203 00"));
}

TEST(LayoutScripts, ListsNeedAnEndElement) {
  auto r = load<Scripts>(k_file);
  r->document.edit().actors[2].script.pop_back();
  auto b = save(r->document);
  ASSERT_FALSE(b);
  EXPECT_EQ(b.error().id, "layout.requires");
  EXPECT_EQ(format_one_line(b.error()), "actors[2].script: expected a last element that ends the list");
  r->document.edit().actors[2].script.clear();
  EXPECT_FALSE(save(r->document));
  EXPECT_EQ(L::refusal(Bytes(k_file.begin(), k_file.end() - 1)),
            "layout.truncated: 0x24 actors[0].script[4].code: expected 1 more byte, found the end of the file at 0x24");
  EXPECT_EQ(L::refusal(Bytes(k_file.begin(), k_file.begin() + 0x15)),
            "layout.truncated: 0x15 order[2]: expected 2 more bytes, found the end of the file at 0x15");

  auto v = json::read(R"({"actors": [], "order": [1]})");
  auto s = from_value<Scripts>(*v);
  ASSERT_FALSE(s);
  EXPECT_EQ(s.error().id, "layout.requires");
}

TEST(LayoutScripts, SettingABitFieldKeepsTheLayout) {
  Bytes out;
  EXPECT_EQ(L::set(k_file, "actors[1].unk_3", 31, out), "");
  Bytes expected = k_file;
  expected[0x0d] = 0x1f;
  EXPECT_BYTES(out, expected);
}

}  // namespace
}  // namespace dio::test::scripts
