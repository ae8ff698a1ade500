// plan_test.cpp: course plans show every entry, and the SVG is well-formed and finite for any file.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <set>

#include "bridge/svg/markup.hpp"
#include "bridge/svg/plan_page.hpp"
#include "core/text_format.hpp"
#include "formats/contract/format.hpp"
#include "formats/contract/plans.hpp"
#include "formats/kmp/course_kind.hpp"
#include "formats/kmp/plan/footprint.hpp"
#include "kmp/damaged.hpp"
#include "operations/operations.hpp"
#include "samples/kmp/courses.hpp"
#include "samples/samples.hpp"

namespace dio::kmp {
namespace {

using scene::PlanItem;
using scene::PlanPoint;
using testing::HasSubstr;
using testing::Not;

svg::Page drawn(const Kmp& k, svg::PageOptions options = {}) {
  if (options.title.empty()) options.title = "course.kmp";
  options.kind = "Mario Kart Wii course";
  return svg::page_of(to_plan(k), options);
}
size_t times(std::string_view text, std::string_view part) {
  size_t n = 0;
  for (size_t at = text.find(part); at != text.npos; at = text.find(part, at + part.size())) ++n;
  return n;
}

void add_ids(const PlanItem& item, std::multiset<std::string>& ids) {
  ids.insert(item.id);
  for (const PlanItem& i : item.items) add_ids(i, ids);
}
std::multiset<std::string> ids_on(const scene::Plan& plan) {
  std::multiset<std::string> ids;
  for (const scene::PlanLayer& l : plan.layers)
    for (const PlanItem& i : l.items) add_ids(i, ids);
  return ids;
}

/// Checks the text for XML errors that this writer could make: tags nest, attributes are quoted and unique, & and < are
/// escaped, ids are unique, texts contain only XML characters. Returns the error, or an empty text.
std::string validation_error(std::string_view text) {
  std::vector<std::string> open;
  std::set<std::string, std::less<>> ids;
  const auto at = [&](size_t i) { return " at " + std::string(text.substr(i, 60)); };
  const auto bad_text = [](std::string_view t) {
    for (size_t i = 0; i < t.size(); ++i) {
      if (u8(t[i]) < 0x20 && t[i] != '\n') return true;
      if (t[i] == '<') return true;
      if (t[i] != '&') continue;
      const size_t end = t.find(';', i);
      const std::set<std::string_view> known{"amp", "lt", "gt", "quot", "#39"};
      if (end == t.npos || !known.contains(t.substr(i + 1, end - i - 1))) return true;
    }
    return false;
  };
  size_t i = text.find("?>");
  if (!text.starts_with("<?xml ") || i == text.npos) return "no declaration";
  for (i += 2; i < text.size();) {
    if (text[i] != '<') {
      const size_t end = std::min(text.find('<', i), text.size());
      if (bad_text(text.substr(i, end - i))) return "text" + at(i);
      i = end;
      continue;
    }
    // Attribute values must not contain an unescaped '>'.
    const size_t end = text.find('>', i);
    if (end == text.npos) return "open tag" + at(i);
    std::string_view tag = text.substr(i + 1, end - i - 1);
    if (tag.starts_with('/')) {
      if (open.empty() || open.back() != tag.substr(1)) return "closing tag" + at(i);
      open.pop_back();
      if (open.empty() && text.substr(end + 1).find_first_not_of('\n') != text.npos) return "after the end" + at(end);
      i = end + 1;
      continue;
    }
    const bool is_empty = tag.ends_with('/');
    if (is_empty) tag.remove_suffix(1);
    const size_t name_end = std::min(tag.find(' '), tag.size());
    const std::string name(tag.substr(0, name_end));
    tag.remove_prefix(name_end);
    std::set<std::string, std::less<>> attributes;
    while (!tag.empty()) {
      const size_t equals = tag.find("=\""), close = equals == tag.npos ? tag.npos : tag.find('"', equals + 2);
      if (tag[0] != ' ' || close == tag.npos) return "attributes" + at(i);
      const std::string_view attribute = tag.substr(1, equals - 1), value = tag.substr(equals + 2, close - equals - 2);
      if (!attributes.emplace(attribute).second || bad_text(value)) return "attribute" + at(i);
      if (attribute == "id" && !ids.emplace(value).second) return "id twice" + at(i);
      tag.remove_prefix(close + 1);
    }
    if (!is_empty) open.push_back(name);
    i = end + 1;
  }
  return open.empty() ? "" : "not closed: " + open.back();
}
/// No number is "nan" or "inf" or has an exponent.
void expect_sound(const std::string& text, const std::string& what) {
  EXPECT_EQ(validation_error(text), "") << what;
  for (const char* bad : {"nan", "inf\"", "e+", "e-0"}) {
    for (size_t at = text.find(bad); at != text.npos; at = text.find(bad, at + 1)) {
      const size_t quote = text.rfind(" d=\"", at);
      EXPECT_FALSE(quote != text.npos && text.find('"', quote + 4) > at) << what << ": " << text.substr(at - 20, 40);
    }
  }
}

TEST(SvgMarkup, ValidatorRejectsInvalidMarkup) {
  const std::string head = "<?xml version=\"1.0\"?>\n";
  EXPECT_EQ(validation_error(head + "<a b=\"c\"><d/>e &amp; f</a>\n"), "");
  for (const char* bad : {"<a>", "<a></b>", "<a b=\"&\"/>", "<a>&</a>", "<a b=\"1\" b=\"2\"/>", "<a b=c/>",
                          "<a/><a/>x<", "<a id=\"x\"><b id=\"x\"/></a>", "<a>\x01</a>"})
    EXPECT_NE(validation_error(head + bad), "") << bad;
}

TEST(SvgMarkup, FormatsNumbersWithTwoDecimals) {
  EXPECT_EQ(svg::format_number(0), "0");
  EXPECT_EQ(svg::format_number(-0.0), "0");
  EXPECT_EQ(svg::format_number(-0.001), "0");
  EXPECT_EQ(svg::format_number(12.5), "12.5");
  EXPECT_EQ(svg::format_number(-12.345), "-12.35");
  EXPECT_EQ(svg::format_number(0.07), "0.07");
  EXPECT_EQ(svg::format_number(1e30), "1000000");
  EXPECT_EQ(svg::format_number(-1e30), "-1000000");
  EXPECT_EQ(svg::format_number(std::numeric_limits<f64>::infinity()), "1000000");
  EXPECT_EQ(svg::format_number(std::numeric_limits<f64>::quiet_NaN()), "0");
}

TEST(SvgMarkup, EscapesMarkupInTexts) {
  EXPECT_EQ(escape_markup("a<b>&\"c'"), "a&lt;b&gt;&amp;&quot;c&#39;");
  EXPECT_EQ(escape_markup(std::string_view("\x00\x1b\n", 3)), "\xef\xbf\xbd\xef\xbf\xbd\n");
  EXPECT_EQ(escape_markup("\xff\xef\xbf\xbf"), "\xef\xbf\xbd\xef\xbf\xbd");
  EXPECT_EQ(escape_markup("\xc3\xa9"), "\xc3\xa9");
  EXPECT_EQ(svg::color({255, 0, 16, 255}), "#ff0010");
}

TEST(KmpPlan, DrawsEveryCourseEntry) {
  for (const Kmp& k : {race(), arena()}) {
    const auto ids = ids_on(to_plan(k));
    size_t all = 0;
    const auto expect_all = [&](const char* section, size_t count) {
      for (size_t i = 0; i < count; ++i, ++all)
        EXPECT_EQ(ids.count(std::string(section) + "-" + std::to_string(i)), 1u) << section << " " << i;
    };
    std::apply(
        [&](const auto&... s) {
          ((std::string_view(std::remove_cvref_t<decltype(*s)>::k_name) == "STGI"
                ? void()
                : expect_all(std::remove_cvref_t<decltype(*s)>::k_name, entries(s).size())),
           ...);
        },
        Kmp::typed(k));
    EXPECT_GT(all, 60u);
    const std::string text = drawn(k).text;
    expect_sound(text, "sample");
    for (const std::string& id : ids) EXPECT_THAT(text, HasSubstr("id=\"" + id + "\""));
  }
}

TEST(KmpPlan, DistinguishesKindsOfCheckpoints) {
  const std::string text = drawn(race()).text;
  // One more for each in the legend.
  EXPECT_EQ(times(text, "<path class=\"checkpoint-lap\" d="), 1u + 1 + 1);  // the line and its arrow
  EXPECT_EQ(times(text, "<path class=\"checkpoint-key\" d="), 2u * 3 + 1);
  EXPECT_EQ(times(text, "<path class=\"checkpoint\" d="), 2u * 20 + 1);
  EXPECT_THAT(text, HasSubstr("<title>CKPT[4] key 1, respawn 0\n"));
  EXPECT_THAT(text, HasSubstr(">4 key 1</text>"));
  EXPECT_THAT(text, HasSubstr(">0 lap</text>"));
  EXPECT_THAT(text, HasSubstr("<title>GOBJ[0] itembox (0x065)"));
  EXPECT_THAT(text, HasSubstr("itembox \xc3\x97"
                              "4</text>"));  // four in a row share a label
}

TEST(KmpPlan, PutsNorthUpAndKeepsTheScale) {
  const Kmp k = race();
  const svg::Page page = drawn(k);
  const auto on_page = [&](const PlanPoint& p) {
    return PlanPoint{page.origin[0] + page.pixels_per_unit * p[0], page.origin[1] + page.pixels_per_unit * p[1]};
  };
  const PlanPoint start = on_page(plan_point(k.ktpt->entries[0].position));
  EXPECT_THAT(page.text, HasSubstr("class=\"start\" cx=\"" + svg::format_number(start[0]) + "\" cy=\"" +
                                   svg::format_number(start[1]) + "\""));
  // The start faces +X, to the right.
  const auto ahead = plan_heading(k.ktpt->entries[0].rotation);
  ASSERT_TRUE(ahead);
  EXPECT_NEAR((*ahead)[0], 1, 1e-6);
  // The whole course is on the page.
  for (const CheckPoint& c : k.ckpt->entries)
    for (const Vec2& end : {c.left, c.right}) {
      const PlanPoint p = on_page({f64(end.x), f64(end.z)});
      EXPECT_TRUE(p[0] > 0 && p[0] < page.width && p[1] > 0 && p[1] < page.height);
    }
}

TEST(KmpPlan, IgnoresDistantObjectsWhenFitting) {
  const f64 as_it_is = drawn(race()).pixels_per_unit;
  Kmp k = race();
  k.gobj->entries[4].position = {900000, 0, 0};  // an object in the sky
  const svg::Page far_object = drawn(k);
  EXPECT_NEAR(far_object.pixels_per_unit, as_it_is, as_it_is * 0.05);
  EXPECT_EQ(far_object.outside, 1u);
  EXPECT_THAT(far_object.text, HasSubstr("outside the plan: 1"));
  k.ckpt->entries[7].left.x = 1e9f;  // a damaged position
  EXPECT_GT(drawn(k).pixels_per_unit, as_it_is / 2);
}

TEST(KmpPlan, ShowsOnlyTheChosenLayers) {
  svg::PageOptions options;
  const auto& layers = find_format("kmp")->plans->layers;
  EXPECT_EQ(svg::set_option(options, layers, "show", "ckpt,ENPH"), std::nullopt);
  EXPECT_THAT(options.shown, testing::ElementsAre("CKPT", "ENPT"));
  const std::string text = drawn(race(), options).text;
  EXPECT_EQ(times(text, "style=\"display:none\""), 9u);
  EXPECT_THAT(text, HasSubstr("id=\"GOBJ-0\""));  // hidden, but still in the file
  for (const char* bad : {"", "ckpt,", "walls", "ckpt,,enpt"})
    EXPECT_THAT(svg::set_option(options, layers, "show", bad).value_or(""), HasSubstr("layers are ktpt, enpt")) << bad;
  EXPECT_TRUE(svg::set_option(options, layers, "size", "0x3"));
  EXPECT_TRUE(svg::set_option(options, layers, "background", "mauve"));
  EXPECT_TRUE(svg::set_option(options, layers, "camera", "top"));
}

TEST(KmpPlan, FitsEveryPageSize) {
  for (const auto& [width, height] : {std::pair(1u, 1u),
                                      {1u, 16384u},
                                      {16384u, 1u},
                                      {64u, 64u},
                                      {300u, 200u},
                                      {719u, 419u},
                                      {720u, 420u},
                                      {2000u, 300u},
                                      {4000u, 3000u}}) {
    svg::PageOptions options;
    options.width = width, options.height = height;
    const svg::Page page = drawn(race(), options);
    EXPECT_EQ(page.width, width);
    EXPECT_EQ(page.height, height);
    EXPECT_GT(page.pixels_per_unit, 0);
    expect_sound(page.text, std::to_string(width));
  }
}

TEST(KmpPlan, DrawsEmptyCourses) {
  expect_sound(drawn(Kmp{}).text, "no sections");
  Kmp empty{};
  empty.ktpt.emplace(), empty.ckpt.emplace(), empty.gobj.emplace(), empty.poti.emplace(), empty.area.emplace();
  expect_sound(drawn(empty).text, "empty sections");
  empty.poti->entries.push_back({1, 0, {}});  // a route without points
  empty.poti->entries.push_back({1, 0, {{{1, 2, 3}, 0, 0}}});
  expect_sound(drawn(empty).text, "a route of no points, and one of one");
}

TEST(KmpPlan, EscapesFileNames) {
  svg::PageOptions options;
  options.title = "<b>&\"\x01\xff]]>--.kmp";
  const std::string text = drawn(race(), options).text;
  expect_sound(text, "hostile name");
  EXPECT_THAT(text, Not(HasSubstr("<b>")));
}

/// NaN, infinity and values larger than any course, in the position, rotation and scale of each entry.
TEST(KmpPlan, AcceptsNanInfinityAndHugeValues) {
  const f32 values[] = {std::numeric_limits<f32>::quiet_NaN(),
                        std::numeric_limits<f32>::infinity(),
                        -std::numeric_limits<f32>::infinity(),
                        std::numeric_limits<f32>::max(),
                        std::numeric_limits<f32>::denorm_min(),
                        -1e30f,
                        0};
  for (const f32 x : values) {
    Kmp k = race();
    const Vec3 all{x, x, x};
    for (auto& e : k.ktpt->entries) e.position = e.rotation = all;
    for (auto& e : k.enpt->entries) e.position = all, e.deviation = x;
    for (auto& e : k.itpt->entries) e.position.x = x, e.range = x;
    for (auto& e : k.ckpt->entries) e.left = {x, x}, e.right.x = x;
    for (auto& e : k.gobj->entries) e.position = e.rotation = e.scale = all;
    for (auto& e : k.poti->entries)
      for (auto& p : e.points) p.position.z = x;
    for (auto& e : k.area->entries) e.position = e.rotation = e.scale = all;
    for (auto& e : k.came->entries) e.position = e.view_begin = all, e.zoom_begin = e.time = x;
    for (auto& e : k.jgpt->entries) e.position = e.rotation = all;
    for (auto& e : k.cnpt->entries) e.position = e.rotation = all;
    expect_sound(drawn(k).text, std::to_string(x));
  }
}

TEST(KmpPlan, DrawsEverySampleAndDamagedFile) {
  size_t count = 0;
  const auto try_one = [&](const Bytes& bytes, const std::string& what) {
    auto o = open(bytes, "course.kmp", find_format("kmp"));
    if (!o) return;
    ++count;
    const scene::Plan plan = o->format->plans->plan(*o->document, {.race = true});
    svg::PageOptions options;
    options.title = what;
    expect_sound(svg::page_of(plan, options).text, what);
  };
  for (const Sample& s : samples_of(*find_format("kmp"))) try_one(s.bytes, s.name);
  for (const test::BrokenFile& b : broken_files()) try_one(b.bytes, std::string(b.id));
  EXPECT_GT(count, 60u);
  // Truncated files and files with wrong bytes: every file that can be read has a plan.
  const Bytes whole = bytes_of(race());
  for (size_t size = 0x4C; size < whole.size(); size += 331)
    try_one(Bytes(whole.begin(), whole.begin() + i64(size)), "cut at " + std::to_string(size));
  std::mt19937 random(7);
  for (int i = 0; i < 150; ++i) {
    Bytes bytes = whole;
    for (int n = 0; n < 12; ++n) bytes[0x4C + random() % (bytes.size() - 0x4C)] = u8(random());
    try_one(bytes, "mutation " + std::to_string(i));
  }
}

TEST(KmpPlan, AreaOutlinesMatchTheirBoxes) {
  Area box{};
  box.position = {100, 0, 200};
  box.scale = {0.2f, 1, 0.1f};
  const auto outline = area_outline(box);
  ASSERT_EQ(outline.size(), 4u);
  for (const PlanPoint& p : outline) {
    EXPECT_NEAR(std::fabs(p[0] - 100), 1000, 1e-3);
    EXPECT_NEAR(std::fabs(p[1] - 200), 500, 1e-3);
  }
  box.rotation = {0, 90, 0};
  for (const PlanPoint& p : area_outline(box)) EXPECT_NEAR(std::fabs(p[0] - 100), 500, 0.1);
  box.rotation = {90, 0, 0};  // lying on its back: as long as it was high
  f64 longest = 0;
  for (const PlanPoint& p : area_outline(box)) longest = std::max(longest, std::fabs(p[1] - 200));
  EXPECT_NEAR(longest, 10000, 1);
  box.rotation = {0, 0, 0};
  box.shape = 1;
  const auto round = area_outline(box);
  EXPECT_EQ(round.size(), 32u);
  for (const PlanPoint& p : round) EXPECT_NEAR(std::hypot((p[0] - 100) / 1000, (p[1] - 200) / 500), 1, 1e-4);
}

}  // namespace
}  // namespace dio::kmp
