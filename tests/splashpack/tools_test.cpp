// tools_test.cpp: repairs, budgets and comparisons of packs.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "bridge/report/budget.hpp"
#include "bridge/report/diff.hpp"
#include "formats/contract/companions.hpp"
#include "formats/contract/edits.hpp"
#include "formats/contract/format.hpp"
#include "formats/splashpack/layout/limits.hpp"
#include "operations/operations.hpp"
#include "samples/splashpack/packs.hpp"

namespace dio::splashpack {
namespace {

OpenedFile opened(const Pack& p) {
  auto o = open(bytes_of(p), "room.splashpack");
  EXPECT_TRUE(o) << (o ? "" : format_one_line(o.error()));
  return o ? std::move(*o) : OpenedFile{};
}

// ---- repairs

/// The repairs made, and the findings that remain for the repaired rules.
std::string repaired(const Bytes& bytes) {
  auto o = open(bytes, "room.splashpack", find_format("splashpack"));
  if (!o) return format_one_line(o.error());
  std::string said;
  std::set<std::string> ids;
  for (const Repair& r : o->format->repair(*o->document)) {
    said += r.id + " " + r.path + ": " + r.about + "\n";
    ids.insert(r.id);
  }
  const auto saved = o->document->save({});
  if (!saved) return said + format_one_line(saved.error());
  EXPECT_EQ(ids.empty(), *saved == bytes);
  const auto again = open(*saved, "room.splashpack");
  if (!again) return said + format_one_line(again.error());
  for (const Diagnostic& d : check(*again))
    if (ids.contains(d.id)) said += "still " + d.id + " " + d.place.path + "\n";
  EXPECT_TRUE(again->format->repair(*again->document).empty()) << "a second repair finds more";
  return said;
}
std::string repaired_with(auto edit, Layout l = Layout::d) {
  Pack p = sample_scene(l).pack;
  edit(p);
  return repaired(bytes_of(p));
}

TEST(SplashpackRepair, PadsPalettesOfOddLength) {
  const auto with_15 = [](Pack& p) {
    p.cluts[1].colors.pop_back();
    p.cluts[1].length = 15;
  };
  EXPECT_EQ(repaired_with(with_15), "splashpack.clut-odd cluts[1].length: 15 colours became 16\n");
}
TEST(SplashpackRepair, KeepsOddPalettesWithoutRoom) {
  EXPECT_EQ(repaired_with([](Pack& p) {
              p.cluts[1].colors.pop_back();
              p.cluts[1].length = 15;
              p.cluts.push_back(p.cluts[0]);  // 16 colours in the same place
              p.cluts[3].x = p.cluts[1].x, p.cluts[3].y = p.cluts[1].y;
            }),
            "");
}
TEST(SplashpackRepair, TerminatesObjectNames) {
  EXPECT_EQ(repaired_with([](Pack& p) { p.objects[1].unk_name_end = 65; }, Layout::v21),
            "splashpack.name-end objects[1].unk_name_end: 65 became 0\n");
}
TEST(SplashpackRepair, ClearsUnusedTriangleFields) {
  EXPECT_EQ(repaired_with([](Pack& p) {
              p.objects[0].triangles[3].colors[1].unk_3 = 9;
              p.objects[0].triangles[4].unk_uvs = 1;
            }),
            "splashpack.tri-pad objects[0].triangles[3]: unused fields became 0\n"
            "splashpack.tri-pad objects[0].triangles[4]: unused fields became 0\n");
  // Later layouts use bit 0.
  EXPECT_EQ(repaired_with([](Pack& p) { p.objects[0].triangles[3].flags = 1; }, Layout::v21), "");
}
TEST(SplashpackRepair, AlignsBlocksToFourBytes) {
  Bytes b = bytes_of(sample_scene(Layout::d).pack);
  constexpr size_t k_offset = 240 + 24;  // of palette 2, whose block is the last one
  const size_t at = b[k_offset] | size_t(b[k_offset + 1]) << 8 | size_t(b[k_offset + 2]) << 16;
  b.insert(b.begin() + std::ptrdiff_t(at), 2, 0);
  b[k_offset] = u8(b[k_offset] + 2);
  EXPECT_EQ(repaired(b), "splashpack.align4 cluts[2].offset: moved to a multiple of 4\n");
}
TEST(SplashpackRepair, KeepsValidPacksUnchanged) {
  for (const EnumName& w : k_layouts.words)
    EXPECT_EQ(repaired(bytes_of(sample_scene(Layout(w.value)).pack)), "") << w.word;
}

// ---- budgets

u64 used(const Value& budget, std::string_view name) {
  for (const auto& [none, b] : budget.find("budgets")->members())
    if (b.find("name")->text() == name) return b.find("used")->bits();
  ADD_FAILURE() << "no budget " << name;
  return 0;
}
Value budget_of(const Pack& p) {
  const OpenedFile o = opened(p);
  return o.format->budget(*o.document, {});
}

TEST(SplashpackBudget, CountsMemoryPagesAndTriangles) {
  const Pack p = sample_scene(Layout::d).pack;
  const Value b = budget_of(p);
  EXPECT_EQ(used(b, "memory"), bytes_of(p).size());
  EXPECT_EQ(used(b, "texture pages"), 3u);  // an atlas of 4 bits, one of 8
  EXPECT_EQ(used(b, "CLUT rows"), 3u);
  u64 triangles = 0;
  for (const Object& o : p.objects) triangles += o.triangles.size();
  EXPECT_EQ(used(b, "triangles"), triangles);
  EXPECT_EQ(k_old_triangles, 4857u);
  EXPECT_EQ(k_new_triangles, 3238u);
  EXPECT_EQ(k_old_memory, 1402368u);
}
TEST(SplashpackBudget, LaterLayoutsCountTheLargestFile) {
  const SceneFiles f = sample_scene(Layout::v21);
  EXPECT_EQ(used(budget_of(f.pack), "memory"), bytes_of(f.vram).size() - 8);  // without its header
  const Pack full = sample_scene_with_everything().pack;
  EXPECT_EQ(used(budget_of(full), "colliders"), full.colliders.size());
  EXPECT_EQ(used(budget_of(full), "cutscenes"), full.cutscenes.size());
}
TEST(SplashpackBudget, EveryLayoutHasABudget) {
  for (const EnumName& w : k_layouts.words) {
    const Value b = budget_of(sample_scene(Layout(w.value)).pack);
    for (const auto& [none, one] : b.find("budgets")->members())
      EXPECT_LE(one.find("used")->bits(), one.find("of")->bits()) << w.word << " " << one.find("name")->text();
  }
}
TEST(BudgetPicture, DrawsBarsAndMemoryAreas) {
  const std::string svg = report::budget_svg(budget_of(sample_scene(Layout::d).pack), "a & b <c>");
  EXPECT_TRUE(svg.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\""));
  EXPECT_TRUE(svg.ends_with("</svg>\n"));
  EXPECT_NE(svg.find("a &amp; b &lt;c&gt;"), svg.npos);
  for (const char* part : {"frame buffer 0", "frame buffer 1", "atlas 0", "palette 2", "letters", "texture pages"})
    EXPECT_NE(svg.find(part), svg.npos) << part;
}
TEST(BudgetPicture, AcceptsArbitraryBudgets) {
  Value odd = Value::object();
  EXPECT_TRUE(report::budget_svg(odd, "").ends_with("</svg>\n"));
  Value& list = odd.add("budgets", Value::list());
  Value& one = list.push(Value::object());
  one.add("used", ~u64(0));
  one.add("of", u64(0));
  one.add("name", 3);
  odd.add("map", Value::object());
  EXPECT_TRUE(report::budget_svg(odd, "").ends_with("</svg>\n"));
  EXPECT_EQ(report::share_of(1, 0), 0u);
  EXPECT_EQ(report::share_of(3, 2), 1500u);
}

// ---- comparisons

std::string changes(const Pack& a, const Pack& b) {
  const OpenedFile first = opened(a), second = opened(b);
  const TraceResult ta = first.format->trace(first.bytes, {}), tb = second.format->trace(second.bytes, {});
  return report::diff_text(report::diff(
      ta.spans, tb.spans, [&](const Value& was, const Value& is) { return first.format->matched(was, {}, is, {}); }));
}

TEST(SplashpackDiff, IgnoresObjectOrder) {
  for (const Layout l : {Layout::a2, Layout::d, Layout::e}) {
    const Pack a = sample_scene(l).pack;
    Pack b = a;
    std::reverse(b.objects.begin(), b.objects.end());
    EXPECT_EQ(changes(a, b), "") << k_layouts.of(i64(l));
  }
}
TEST(SplashpackDiff, IgnoresRenumberedObjectReferences) {
  const Pack a = sample_scene_with_everything().pack;
  Pack b = a;
  const u16 last = u16(b.objects.size() - 1);
  const auto swapped = [&](u16 n) { return n == 0 ? last : n == last ? u16(0) : n; };
  std::swap(b.objects[0], b.objects[last]);
  for (Collider& c : b.colliders) c.object = swapped(c.object);
  for (Interactable& i : b.interactables) i.object = swapped(i.object);
  for (TriangleRef& r : b.bvh_refs) r.object = swapped(r.object);
  for (TriangleRef& r : b.room_refs) r.object = swapped(r.object);
  for (Skin& s : b.skins) s.object = swapped(s.object);
  EXPECT_EQ(changes(a, b), "");
}
TEST(SplashpackDiff, ReportsPathsInBothFiles) {
  const Pack a = sample_scene(Layout::d).pack;
  Pack b = a;
  std::swap(b.objects[0], b.objects[2]);
  b.objects[0].position.x.raw += 4096;  // the crate
  EXPECT_EQ(changes(a, b), "~ objects[2].position.x (now objects[0].position.x): 0.0732421875 -> 1.0732421875\n");
}
TEST(SplashpackDiff, MatchesScriptsByText) {
  const Pack a = sample_scene(Layout::e).pack;
  Pack b = a;
  std::swap(b.scripts[0], b.scripts[1]);
  for (Object& o : b.objects)
    if (o.script >= 0) o.script = i16(1 - o.script);
  b.script = i16(1 - b.script);
  EXPECT_EQ(changes(a, b), "");
  b.scripts[0].text.push_back('x');
  EXPECT_NE(changes(a, b), "");
}
TEST(SplashpackDiff, IgnoresMovedTextures) {
  const Pack a = sample_scene(Layout::d).pack;
  Pack b = a;
  std::swap(b.cluts[0].y, b.cluts[1].y);
  for (Object& o : b.objects)
    for (Triangle& t : o.triangles)
      if (t.clut_y == a.cluts[0].y || t.clut_y == a.cluts[1].y) t.clut_y = u16(a.cluts[0].y + a.cluts[1].y - t.clut_y);
  EXPECT_EQ(changes(a, b), "");
  // But visible changes count.
  b.cluts[0].colors[5] ^= 0x3FF;
  EXPECT_NE(changes(a, b), "");
}
TEST(SplashpackDiff, IgnoresMovedTexturesInVramFiles) {
  const SceneFiles a = sample_scene(Layout::v21);
  SceneFiles b = a;
  const u16 y0 = a.pack.cluts[0].y, y1 = a.pack.cluts[1].y;
  std::swap(b.pack.cluts[0].y, b.pack.cluts[1].y);
  std::swap(b.vram.cluts[0].y, b.vram.cluts[1].y);
  for (Object& o : b.pack.objects)
    for (Triangle& t : o.triangles)
      if (t.clut_y == y0 || t.clut_y == y1) t.clut_y = u16(y0 + y1 - t.clut_y);
  const auto changes_with = [](const SceneFiles& from, const SceneFiles& to) {
    const OpenedFile first = opened(from.pack), second = opened(to.pack);
    const DocumentOf<Vram> was(Document<Vram>::make_unedited(from.vram, 0, {})),
        is(Document<Vram>::make_unedited(to.vram, 0, {}));
    const Format* format = find_format("splashpack-vram");
    const std::vector<Companion> beside_a = {{"a.vram", format, &was}}, beside_b = {{"b.vram", format, &is}};
    return report::diff_text(
        report::diff(first.format->trace(first.bytes, {}).spans, second.format->trace(second.bytes, {}).spans,
                     [&](const Value& x, const Value& y) { return first.format->matched(x, beside_a, y, beside_b); }));
  };
  EXPECT_EQ(changes_with(a, b), "");
  EXPECT_NE(changes(a.pack, b.pack), "") << "without the files nobody knows";
  b.vram.cluts[0].colors[5] ^= 0x3FF;
  EXPECT_NE(changes_with(a, b), "");
}
TEST(SplashpackDiff, ReportsAddedAndRemovedObjects) {
  const Pack a = sample_scene(Layout::d).pack;
  Pack b = a;
  b.objects.erase(b.objects.begin());
  const std::string removed = changes(a, b);
  EXPECT_TRUE(removed.starts_with("- objects[0]: ")) << removed;
  EXPECT_EQ(std::count(removed.begin(), removed.end(), '\n'), 1) << removed;
  const std::string added = changes(b, a);
  EXPECT_NE(added.find("+ objects["), added.npos) << added;
  EXPECT_EQ(std::count(added.begin(), added.end(), '\n'), 1) << added;
}
TEST(SplashpackDiff, ComparesBytecodeAsOneValue) {
  Pack a = sample_scene(Layout::d).pack;
  a.scripts[0].text = "\x1BLua\x93";
  Pack b = a;
  b.scripts[0].text.back() = '\x94';
  EXPECT_EQ(changes(a, b), "~ scripts[0].text: {\"hex\": \"1b4c756193\"} -> {\"hex\": \"1b4c756194\"}\n");
}
TEST(SplashpackDiff, ComparesScriptsByLine) {
  const Pack a = sample_scene(Layout::d).pack;
  Pack b = a;
  b.scripts[0].text = "function onCollision(self)\n  print(1)\nend\n";
  EXPECT_EQ(changes(a, b),
            "~ scripts[0].text: line 2: \"  self.position.x = self.position.x + 1\" -> \"  print(1)\"\n");
}

}  // namespace
}  // namespace dio::splashpack
