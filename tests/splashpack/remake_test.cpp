// Converts packs to other layouts: keeps everything possible and reports the rest.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "formats/contract/building.hpp"
#include "formats/contract/edits.hpp"
#include "formats/contract/format.hpp"
#include "formats/splashpack/pictures/video_memory.hpp"
#include "formats/splashpack/versions/pack_converter.hpp"
#include "operations/operations.hpp"
#include "samples/splashpack/packs.hpp"

namespace dio::splashpack {
namespace {

std::string name_of(Layout l) { return std::string(k_layouts.of(i64(l))); }
SceneFiles scene_of(Layout l) { return l == Layout::v21 ? sample_scene_with_everything() : sample_scene(l); }

Result<Made> remade(const SceneFiles& f, const std::string& layout, std::vector<Argument> more = {}) {
  more.push_back({"layout", layout});
  const bool later = f.pack.form >= Layout::v20;
  return convert_pack_layout(f.pack, later ? PackCompanions{true, &f.vram, &f.spu, &f.geo} : PackCompanions{}, more);
}
/// The built files, loaded again.
SceneFiles files_of(const Made& made, Layout l) {
  SceneFiles f;
  EXPECT_GE(made.files.size(), l >= Layout::v20 ? 3u : 1u);
  EXPECT_EQ(made.files[0].extension, ".splashpack");
  EXPECT_EQ(detect_layout(made.files[0].bytes), l) << explain_layout(made.files[0].bytes);
  auto pack = load<Pack>(made.files[0].bytes);
  EXPECT_TRUE(pack) << format_one_line(pack.error());
  if (!pack) return f;
  f.pack = pack->document.value();
  if (made.files.size() < 3) return f;
  EXPECT_EQ(made.files[1].extension, ".vram");
  EXPECT_EQ(made.files[2].extension, ".spu");
  auto vram = load<Vram>(made.files[1].bytes);
  auto spu = load<Spu>(made.files[2].bytes);
  EXPECT_TRUE(vram && spu);
  f.vram = vram->document.value(), f.spu = spu->document.value();
  EXPECT_TRUE(matches_pack(f.vram, f.pack));
  EXPECT_TRUE(matches_pack(f.spu, f.pack));
  EXPECT_EQ(made.files.size(), f.pack.stream ? 4u : 3u);
  if (made.files.size() == 4) {
    EXPECT_EQ(made.files[3].extension, ".geo");
    auto geo = load<Geo>(made.files[3].bytes);
    EXPECT_TRUE(geo && matches_pack(geo->document.value(), f.pack));
    if (geo) f.geo = geo->document.value();
  }
  return f;
}

/// The appearance of a triangle: its corners in the scene and their texels.
using Look = std::array<std::array<i64, 4>, 3>;
std::multiset<Look> looks_of(const SceneFiles& f, bool textured) {
  const Pack whole = load_streamed_triangles(f.pack, f.geo);
  const VideoMemory memory = build_video_memory(f.pack, f.pack.form >= Layout::v20 ? &f.vram : nullptr);
  std::multiset<Look> all;
  for (const Object& o : whole.objects)
    for (const Triangle& t : o.triangles) {
      Look look{};
      const auto source = texture_of(f.pack, o, t);
      for (size_t c = 0; c < 3; ++c) {
        const Vec16& p = t.positions[c];
        look[c] = {o.position.x.raw + p.x.raw, o.position.y.raw + p.y.raw, o.position.z.raw + p.z.raw, -1};
        if (source && textured) look[c][3] = texel_at(memory, *source, t.uvs[c].u, t.uvs[c].v);
      }
      if (source || !textured) all.insert(look);
    }
  return all;
}
std::set<std::string> words_of(const Made& made, std::string_view id) {
  std::set<std::string> all;
  for (const Diagnostic& d : made.notes)
    if (d.id == id) all.insert(d.message.substr(0, d.message.find("; layout ")));
  return all;
}

std::string lost_of(const std::string& what) { return "the layout cannot store " + what; }

/// Twice the floor area seen from above, in raw units; triangles may merge into fewer regions.
i64 twice_the_floor(const Pack& p) {
  i64 area = 0;
  const auto cross = [](i64 ax, i64 az, i64 bx, i64 bz) { return ax * bz - az * bx; };
  if (p.nav)
    for (const NavRegion& r : p.nav->regions)
      for (size_t i = 0; i < r.corner_count; ++i) {
        const size_t j = (i + 1) % r.corner_count;
        area += cross(r.xs[i].raw, r.zs[i].raw, r.xs[j].raw, r.zs[j].raw);
      }
  for (const Navmesh& m : p.navmeshes)
    for (const NavTriangle& t : m.triangles) {
      const auto& v = t.positions;
      area += std::abs(
          cross(v[1].x.raw - v[0].x.raw, v[1].z.raw - v[0].z.raw, v[2].x.raw - v[0].x.raw, v[2].z.raw - v[0].z.raw));
    }
  return area;
}

TEST(SplashpackConversion, ConvertsBetweenAllLayouts) {
  for (const EnumName& a : k_layouts.words)
    for (const EnumName& b : k_layouts.words) {
      SCOPED_TRACE(std::string(a.word) + " to " + std::string(b.word));
      const Layout from = Layout(a.value), to = Layout(b.value);
      const SceneFiles before = scene_of(from);
      const auto made = remade(before, name_of(to));
      ASSERT_TRUE(made) << format_one_line(made.error());
      const SceneFiles after = files_of(*made, to);
      EXPECT_EQ(looks_of(before, false), looks_of(after, false));
      // Layout a1 has no palettes.
      if (to != Layout::a1 || from == Layout::a1) {
        const auto old = looks_of(before, true), now = looks_of(after, true);
        EXPECT_TRUE(std::ranges::includes(now, old));
        EXPECT_TRUE(words_of(*made, "splashpack.remake-texture").empty());
      }
      const bool has_scripts = u32(from) >= k_scripts && u32(to) >= k_scripts;
      ASSERT_EQ(after.pack.scripts.size(), has_scripts ? before.pack.scripts.size() : 0);
      for (size_t i = 0; i < after.pack.scripts.size(); ++i)
        EXPECT_EQ(after.pack.scripts[i].text, before.pack.scripts[i].text);
      if (u32(from) >= k_player && u32(to) >= k_player) {
        EXPECT_EQ(after.pack.start, before.pack.start);
      }
      if (u32(from) >= k_navmeshes && u32(to) >= k_navmeshes) {
        EXPECT_EQ(twice_the_floor(before.pack), twice_the_floor(after.pack));
      }
    }
}

TEST(SplashpackConversion, ConvertingThereAndBackKeepsTheScene) {
  for (const Layout l : {Layout::d, Layout::e}) {
    const SceneFiles before = sample_scene(l);
    const auto up = remade(before, "v21");
    ASSERT_TRUE(up) << format_one_line(up.error());
    const auto down = remade(files_of(*up, Layout::v21), name_of(l));
    ASSERT_TRUE(down) << format_one_line(down.error());
    const Pack after = files_of(*down, l).pack;
    for (size_t i = 0; i < after.objects.size(); ++i) {
      EXPECT_EQ(after.objects[i].rotation, before.pack.objects[i].rotation);
      EXPECT_EQ(after.objects[i].script, before.pack.objects[i].script);
    }
    EXPECT_EQ(twice_the_floor(after), twice_the_floor(before.pack));
  }
}

TEST(SplashpackConversion, ReportsLostPartsWithCounts) {
  const auto down = remade(sample_scene_with_everything(), "d");
  ASSERT_TRUE(down) << format_one_line(down.error());
  const auto lost = words_of(*down, "splashpack.remake-lost");
  for (const char* what :
       {"the memory card", "1 collider", "1 trigger", "1 interactable", "3 rooms", "1 sound", "1 cutscene",
        "1 animation", "2 skins", "1 font", "2 canvases", "fog", "6 object names", "the link to the scene script"})
    EXPECT_TRUE(lost.contains(lost_of(what))) << what;
  const auto made = words_of(*down, "splashpack.remake-made");
  EXPECT_TRUE(made.contains("the floor of 2 regions was converted to 4 triangles"));
  const auto least = remade(sample_scene_with_everything(), "a2");
  ASSERT_TRUE(least);
  for (const char* what : {"3 scripts", "the floor", "the start position of the player"})
    EXPECT_TRUE(words_of(*least, "splashpack.remake-lost").contains(lost_of(what))) << what;
  const auto newest = remade(sample_scene(Layout::v24), "v20");
  ASSERT_TRUE(newest);
  for (const char* what : {"1 agent", "1 sprite sheet", "the tile map", "the lights"})
    EXPECT_TRUE(words_of(*newest, "splashpack.remake-lost").contains(lost_of(what))) << what;
  // Unchanged parts are not mentioned.
  const auto same = remade(sample_scene_with_everything(), "v21");
  ASSERT_TRUE(same);
  EXPECT_TRUE(same->notes.empty());
  EXPECT_EQ(same->files[0].bytes, bytes_of(sample_scene_with_everything().pack));
}

TEST(SplashpackConversion, ConvertsHiddenObjectsAndAddsNames) {
  SceneFiles f = sample_scene(Layout::e);
  f.pack.objects[1].flags = 0;
  const auto d = remade(f, "d");
  ASSERT_TRUE(d);
  EXPECT_TRUE(words_of(*d, "splashpack.remake-lost").contains(lost_of("the hidden state of 1 object")));
  const auto later = remade(f, "v20", {{"scaling", "10"}});
  ASSERT_TRUE(later);
  const Pack p = files_of(*later, Layout::v20).pack;
  EXPECT_EQ(p.objects[1].flags, 0u);
  EXPECT_EQ(p.objects[2].name, "object_2");
  EXPECT_EQ(p.move_speed.raw, 41);  // 3 / 30 / 10 * 4096
  EXPECT_EQ(p.script, 1);
  EXPECT_FALSE(p.bvh_nodes.empty());
}

TEST(SplashpackConversion, IgnoresPlaceholderObjectPositions) {
  SceneFiles old = scene_of(Layout::a2);
  Object& o = old.pack.objects[0];
  o.position = {{-16384}, {-16384}, {-16384}};
  std::ranges::reverse(o.rotation);
  o.rotation[1].raw = 1000;
  const std::array<fx32, 9> other = old.pack.objects[1].rotation;
  const auto later = remade(old, "v21");
  ASSERT_TRUE(later);
  const Pack p = files_of(*later, Layout::v21).pack;
  EXPECT_EQ(p.objects[0].position, Vec32());
  EXPECT_EQ(p.objects[0].rotation, Object().rotation);
  EXPECT_EQ(p.objects[1].rotation, other);
  EXPECT_LT(p.objects[0].box.max.x.raw - p.objects[0].box.min.x.raw, 16384);
  EXPECT_GT(p.objects[0].box.max.x.raw, -16384);
  const auto before = remade(old, "a1");
  ASSERT_TRUE(before);
  EXPECT_EQ(files_of(*before, Layout::a1).pack.objects[0].position.x.raw, -16384);
  // Engines from a3 on treat that position like any other.
  SceneFiles a3 = scene_of(Layout::a3);
  a3.pack.objects[0].position = o.position;
  const auto kept = remade(a3, "v21");
  ASSERT_TRUE(kept);
  EXPECT_EQ(files_of(*kept, Layout::v21).pack.objects[0].position.x.raw, -16384);
}

TEST(SplashpackConversion, RejectsImpossibleConversions) {
  SceneFiles far = sample_scene(Layout::v20);
  far.pack.objects[1].position.z.raw = 40000;
  const auto d = remade(far, "d");
  ASSERT_FALSE(d);
  EXPECT_EQ(d.error().id, "splashpack.remake-range");
  EXPECT_EQ(d.error().place.path, "objects[1].position.z");
  EXPECT_TRUE(remade(far, "v21"));

  const auto alone = convert_pack_layout(far.pack, {}, std::vector<Argument>{{"layout", "v21"}});
  ASSERT_FALSE(alone);
  EXPECT_EQ(alone.error().id, "splashpack.remake-files");

  for (const Argument& a : {Argument{"layout", "f"}, Argument{"version", "7"}, Argument{"colour", "red"}}) {
    const auto r = convert_pack_layout(far.pack, {true, &far.vram, &far.spu}, std::vector<Argument>{a});
    ASSERT_FALSE(r) << a.name;
    EXPECT_EQ(r.error().id, "make.argument");
  }
}

/// In layout a2 each object uploads its own palette; two objects using the same position need separate palettes.
TEST(SplashpackConversion, ReportsPalettesAtTheSamePosition) {
  SceneFiles f = sample_scene(Layout::a2);
  for (Object& o : f.pack.objects) o.clut_y = 240;
  const auto made = remade(f, "d");
  ASSERT_TRUE(made);
  EXPECT_TRUE(words_of(*made, "splashpack.remake-texture")
                  .contains("2 objects have a palette at the same VRAM position as another object"));
  EXPECT_TRUE(words_of(*remade(f, "a2"), "splashpack.remake-texture").empty());
}

TEST(SplashpackConversion, ConvertsThroughTheFormatRegistry) {
  const Format& format = *find_format("splashpack");
  ASSERT_TRUE(format.making->remake);
  auto o = open(bytes_of(sample_scene(Layout::d).pack), "scene.bin");
  ASSERT_TRUE(o) << format_one_line(o.error());
  const auto made = format.making->remake(*o->document, {}, std::vector<Argument>{{"version", "21"}});
  ASSERT_TRUE(made) << format_one_line(made.error());
  EXPECT_EQ(detect_layout(made->files[0].bytes), Layout::v21);
  for (const Diagnostic& d : made->notes) EXPECT_TRUE(find_rule(d.id)) << d.id;
}

}  // namespace
}  // namespace dio::splashpack
