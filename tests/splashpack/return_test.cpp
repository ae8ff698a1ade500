// return_test.cpp: packs converted to glTF and back keep their triangles, positions, scripts, floor and player; glTF
// converted to a pack and back keeps its scene. Real packs are also tested if available: in `splashpack` of the folder
// DIORAMA_CORPUS or of ~/.cache/diorama-corpus.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>

#include "bridge/gltf/gltf.hpp"
#include "bridge/gltf/reader.hpp"
#include "core/json.hpp"
#include "formats/contract/companions.hpp"
#include "formats/contract/edits.hpp"
#include "formats/contract/format.hpp"
#include "formats/splashpack/from_scene/media.hpp"
#include "formats/splashpack/layout/vram.hpp"
#include "formats/splashpack/pictures/video_memory.hpp"
#include "operations/operations.hpp"
#include "samples/samples.hpp"
#include "samples/splashpack/packs.hpp"

namespace dio::splashpack {
namespace {

namespace fs = std::filesystem;

struct Files {
  Bytes pack, vram, spu;  // empty: there is none
};

/// The visible part of a triangle, wherever its texels are stored.
struct Seen {
  std::array<std::array<int, 3>, 3> positions;
  std::array<std::array<int, 3>, 3> colors;
  std::array<int, 3> texels;              // -1: none
  std::array<std::array<int, 2>, 2> uvs;  // from the first corner
  auto operator<=>(const Seen&) const = default;
};
struct SeenObject {
  std::array<int, 3> position;
  std::array<int, 9> rotation;
  std::string script, name;
  bool is_active;
  std::multiset<Seen> triangles;
};
struct SeenPack {
  std::vector<SeenObject> objects;
  std::multiset<std::array<int, 9>> floor;
  std::vector<std::string> scripts;
  std::array<int, 7> player;
  std::string scene_script;
  size_t regions = 0;
};

std::string text_of(const Pack& p, i64 script) {
  if (script < 0 || script >= i64(p.scripts.size())) return "none";
  return p.scripts[size_t(script)].text;
}

SeenPack seen(const Files& files) {
  SeenPack out;
  const auto pack = load<Pack>(files.pack);
  EXPECT_TRUE(pack);
  if (!pack) return out;
  const Pack& p = pack->document.value();
  std::optional<Vram> vram;
  if (!files.vram.empty())
    if (auto v = load<Vram>(files.vram)) vram = v->document.value();
  const VideoMemory memory = build_video_memory(p, vram ? &*vram : nullptr);
  for (const Object& o : p.objects) {
    SeenObject& s = out.objects.emplace_back();
    s.position = {o.position.x.raw, o.position.y.raw, o.position.z.raw};
    for (size_t i = 0; i < 9; ++i) s.rotation[i] = o.rotation[i].raw;
    s.script = text_of(p, o.script);
    s.name = o.name;
    s.is_active = o.flags & 1;
    for (const Triangle& t : o.triangles) {
      Seen one{};
      const auto source = texture_of(p, o, t);
      for (size_t k = 0; k < 3; ++k) {
        one.positions[k] = {t.positions[k].x.raw, t.positions[k].y.raw, t.positions[k].z.raw};
        one.colors[k] = {t.colors[k].red, t.colors[k].green, t.colors[k].blue};
        one.texels[k] = source ? texel_at(memory, *source, t.uvs[k].u, t.uvs[k].v) : -1;
        // Opaque black has two encodings; otherwise the highest bit is meaningless.
        if (one.texels[k] > 0) one.texels[k] = one.texels[k] == 0x8000 ? 0x8000 : one.texels[k] & 0x7FFF;
        if (k && source) one.uvs[k - 1] = {t.uvs[k].u - t.uvs[0].u, t.uvs[k].v - t.uvs[0].v};
      }
      s.triangles.insert(one);
    }
  }
  for (const Navmesh& m : p.navmeshes)
    for (const NavTriangle& t : m.triangles) {
      std::array<int, 9> n{};
      for (size_t k = 0; k < 3; ++k)
        n[3 * k] = t.positions[k].x.raw, n[3 * k + 1] = t.positions[k].y.raw, n[3 * k + 2] = t.positions[k].z.raw;
      out.floor.insert(n);
    }
  for (size_t i = 0; i < p.scripts.size(); ++i) out.scripts.push_back(text_of(p, i64(i)));
  out.player = {p.start.x.raw,    p.start.y.raw,    p.start.z.raw, p.rotation.x.raw,
                p.rotation.y.raw, p.rotation.z.raw, p.height.raw};
  out.scene_script = text_of(p, p.script);
  out.regions = p.nav ? p.nav->regions.size() : 0;
  return out;
}

/// Triangles that only one of the two packs has.
size_t missing(const std::multiset<Seen>& a, const std::multiset<Seen>& b) {
  std::vector<Seen> left;
  std::set_difference(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(left));
  return left.size();
}

std::string line(const Seen& s) {
  std::string out;
  for (size_t k = 0; k < 3; ++k) {
    for (const int x : s.positions[k]) out += std::to_string(x) + " ";
    out += "(";
    for (const int x : s.colors[k]) out += std::to_string(x) + " ";
    out += ") " + std::to_string(s.texels[k]) + "; ";
  }
  for (const auto& uv : s.uvs) out += std::to_string(uv[0]) + "," + std::to_string(uv[1]) + " ";
  return out;
}

void expect_same(const Files& before, const Files& after, Layout form) {
  const SeenPack a = seen(before), b = seen(after);
  EXPECT_EQ(a.scripts, b.scripts);
  if (u32(form) >= k_player) {
    EXPECT_EQ(a.player, b.player);
  }
  if (u32(form) >= k_flags) {
    EXPECT_EQ(a.scene_script, b.scene_script);
  }
  EXPECT_EQ(a.floor, b.floor);
  EXPECT_EQ(a.regions, b.regions);
  ASSERT_EQ(a.objects.size(), b.objects.size());
  for (size_t i = 0; i < a.objects.size(); ++i) {
    SCOPED_TRACE("object " + std::to_string(i));
    const SeenObject &x = a.objects[i], &y = b.objects[i];
    // The engines of a1 and early a2 ignore the position: if it is zero, the triangles are already in scene coordinates
    // and stay unchanged.
    const bool uses_object_transform = u32(form) >= k_pages_in_triangles || y.position != decltype(y.position){};
    if (uses_object_transform) {
      EXPECT_EQ(x.position, y.position);
      EXPECT_EQ(x.rotation, y.rotation);
    }
    EXPECT_EQ(x.script, y.script);
    EXPECT_EQ(x.name, y.name);
    EXPECT_EQ(x.is_active, y.is_active);
    EXPECT_EQ(x.triangles.size(), y.triangles.size());
    EXPECT_EQ(missing(x.triangles, y.triangles), 0u);
    if (missing(x.triangles, y.triangles)) {
      std::vector<Seen> left, right;
      std::set_difference(x.triangles.begin(), x.triangles.end(), y.triangles.begin(), y.triangles.end(),
                          std::back_inserter(left));
      std::set_difference(y.triangles.begin(), y.triangles.end(), x.triangles.begin(), x.triangles.end(),
                          std::back_inserter(right));
      for (size_t k = 0; k < std::min<size_t>({3, left.size(), right.size()}); ++k)
        ADD_FAILURE() << line(left[k]) << "\n" << line(right[k]);
    }
  }
}

const Format& format() { return *find_format("splashpack"); }

/// The scene of a pack and its sibling files, through a GLB.
scene::Scene scene_of(const Files& files) {
  auto pack = open(files.pack, "scene.splashpack", &format());
  EXPECT_TRUE(pack);
  std::vector<Companion> companions;
  std::optional<Result<OpenedFile>> vram, spu;
  const auto take = [&](const Bytes& bytes, const char* name, const char* id, auto& opened) {
    if (bytes.empty()) return;
    opened = open(bytes, name, find_format(id));
    EXPECT_TRUE(*opened);
    if (*opened) companions.push_back({name, (*opened)->format, (*opened)->document.get()});
  };
  take(files.vram, "scene.vram", "splashpack-vram", vram);
  take(files.spu, "scene.spu", "splashpack-spu", spu);
  const auto staged = to_scene(*pack, {.companions = companions});
  EXPECT_TRUE(staged);
  if (!staged) return {};
  const auto glb = gltf::write_glb(staged->scene);
  EXPECT_TRUE(glb);
  if (!glb) return {};
  auto read = gltf::read(*glb);
  EXPECT_TRUE(read) << (read ? "" : format_one_line(read.error()));
  return read ? std::move(read->document) : scene::Scene{};
}

std::optional<Files> made(const scene::Scene& scene, std::vector<Argument> told = {}) {
  auto made = make_pack_from_scene(scene, told);
  EXPECT_TRUE(made) << (made ? "" : format_one_line(made.error()));
  if (!made) return {};
  Files out{made->files[0].bytes, {}, {}};
  if (made->files.size() > 1) out.vram = made->files[1].bytes;
  if (made->files.size() > 2) out.spu = made->files[2].bytes;
  return out;
}

// ---- sounds, letters, canvases

struct Loaded3 {
  Pack pack;
  Vram vram;
  Spu spu;
};
Loaded3 loaded(const Files& files) {
  Loaded3 out;
  if (auto p = load<Pack>(files.pack)) out.pack = p->document.value();
  if (auto v = load<Vram>(files.vram)) out.vram = v->document.value();
  if (auto s = load<Spu>(files.spu)) out.spu = s->document.value();
  return out;
}

/// The words shown by a canvas image, row by row, as the engine draws it from corner to corner.
std::vector<u16> words_of(const UiElement& e, const VideoMemory& memory) {
  const TextureSource source{
      TexturePage{u16(e.page_x % 16 * 64), u16(e.page_y % 2 * 256), std::min<u8>(e.depth, 2), 0, false}.word(),
      e.clut_x, e.clut_y};
  std::vector<u16> out;
  const int du = e.from.u <= e.to_uv.u ? 1 : -1, dv = e.from.v <= e.to_uv.v ? 1 : -1;
  for (int v = e.from.v;; v += dv) {
    for (int u = e.from.u;; u += du) {
      out.push_back(texel_at(memory, source, u8(u), u8(v)));
      if (u == e.to_uv.u) break;
    }
    if (v == e.to_uv.v) return out;
  }
}

/// An element without the position of its picture.
Value without_place(const Pack& pack, size_t canvas, size_t element) {
  Pack only;
  only.form = pack.form;
  UiCanvas& c = only.canvases.emplace_back(pack.canvases[canvas]);
  c.elements = {pack.canvases[canvas].elements[element]};
  UiElement& e = c.elements.front();
  e.page_x = e.page_y = 0, e.clut_x = e.clut_y = 0, e.depth = 0, e.from = e.to_uv = {};
  const Bytes placed = bytes_of(only);
  return trace<Pack>(placed).spans.value(0);
}

void expect_same_media(const Files& before, const Files& after) {
  const Loaded3 a = loaded(before), b = loaded(after);
  ASSERT_EQ(a.pack.audio_clips.size(), b.pack.audio_clips.size());
  ASSERT_EQ(a.spu.clips.size(), b.spu.clips.size());
  for (size_t i = 0; i < a.pack.audio_clips.size(); ++i) {
    const AudioClip &x = a.pack.audio_clips[i], &y = b.pack.audio_clips[i];
    EXPECT_EQ(std::tie(x.name, x.rate, x.loop, x.size), std::tie(y.name, y.rate, y.loop, y.size));
  }
  for (size_t i = 0; i < a.spu.clips.size(); ++i) {
    const SpuClip &x = a.spu.clips[i], &y = b.spu.clips[i];
    EXPECT_EQ(std::tie(x.rate, x.loop, x.samples), std::tie(y.rate, y.loop, y.samples));
  }
  ASSERT_EQ(a.vram.fonts.size(), b.vram.fonts.size());
  for (size_t i = 0; i < a.vram.fonts.size(); ++i) {
    const VramFont &x = a.vram.fonts[i], &y = b.vram.fonts[i];
    EXPECT_EQ(std::tie(x.glyph_width, x.glyph_height, x.x, x.y, x.height, x.texels),
              std::tie(y.glyph_width, y.glyph_height, y.x, y.y, y.height, y.texels));
    EXPECT_EQ(a.pack.fonts[i].advances, b.pack.fonts[i].advances);
    EXPECT_EQ(a.pack.fonts[i].size, b.pack.fonts[i].size);
  }
  const VideoMemory from = build_video_memory(a.pack, &a.vram), to = build_video_memory(b.pack, &b.vram);
  ASSERT_EQ(a.pack.canvases.size(), b.pack.canvases.size());
  for (size_t i = 0; i < a.pack.canvases.size(); ++i) {
    ASSERT_EQ(a.pack.canvases[i].elements.size(), b.pack.canvases[i].elements.size());
    for (size_t k = 0; k < a.pack.canvases[i].elements.size(); ++k) {
      EXPECT_EQ(without_place(a.pack, i, k), without_place(b.pack, i, k)) << i << ", " << k;
      const UiElement &x = a.pack.canvases[i].elements[k], &y = b.pack.canvases[i].elements[k];
      if (x.type == UiType::image) {
        EXPECT_EQ(words_of(x, from), words_of(y, to)) << i << ", " << k;
      }
    }
  }
  ASSERT_EQ(a.pack.cutscenes.size(), b.pack.cutscenes.size());
  for (size_t i = 0; i < a.pack.cutscenes.size(); ++i) {
    const auto& x = a.pack.cutscenes[i].audio_events;
    const auto& y = b.pack.cutscenes[i].audio_events;
    ASSERT_EQ(x.size(), y.size());
    for (size_t k = 0; k < x.size(); ++k)
      EXPECT_EQ(std::tie(x[k].frame, x[k].clip, x[k].volume, x[k].pan),
                std::tie(y[k].frame, y[k].clip, y[k].volume, y[k].pan));
  }
  EXPECT_TRUE(a.spu.clips.empty() || matches_pack(b.spu, b.pack));
  EXPECT_TRUE(a.vram.atlases.empty() || matches_pack(b.vram, b.pack));
}

class SplashpackSamples : public testing::TestWithParam<Sample> {};

TEST_P(SplashpackSamples, PacksRoundTripThroughGltf) {
  const auto beside = [](const char* id) {
    for (const Sample& s : samples_of(*find_format(id)))
      if (fs::path(s.name).stem() == fs::path(GetParam().name).stem()) return s.bytes;
    return Bytes();
  };
  const Files before{GetParam().bytes, beside("splashpack-vram"), beside("splashpack-spu")};
  const auto pack = load<Pack>(before.pack);
  ASSERT_TRUE(pack);
  const Layout form = pack->document.value().form;
  const auto after = made(scene_of(before));
  ASSERT_TRUE(after);
  expect_same(before, *after, form);
  if (u32(form) >= k_sections) expect_same_media(before, *after);
  // From then on, the scene stays the same.
  const auto first = scene_of(*after);
  const auto again = made(first);
  ASSERT_TRUE(again);
  const auto once = gltf::write_glb(first), twice = gltf::write_glb(scene_of(*again));
  ASSERT_TRUE(once && twice);
  EXPECT_TRUE(*once == *twice);
}

INSTANTIATE_TEST_SUITE_P(Samples, SplashpackSamples, testing::ValuesIn(samples_of(*find_format("splashpack"))),
                         [](const auto& i) {
                           std::string name = i.param.name.substr(0, i.param.name.find('.'));
                           std::ranges::replace_if(name, [](unsigned char c) { return !std::isalnum(c); }, '_');
                           return name;
                         });

Files files_of(const SceneFiles& f) { return {bytes_of(f.pack), bytes_of(f.vram), bytes_of(f.spu)}; }

/// Agents, sprites, tiles, lights and streamed objects of v25, with the .geo file next to the pack.
TEST(SplashpackRoundTrip, RestoresDataOfLaterVersions) {
  const SceneFiles f = sample_scene(Layout::v25);
  auto pack = open(bytes_of(f.pack), "scene.splashpack");
  ASSERT_TRUE(pack);
  open_sibling_files(*pack, [&](const std::string& name) -> std::optional<Bytes> {
    return name.ends_with(".vram") ? bytes_of(f.vram) : name.ends_with(".spu") ? bytes_of(f.spu) : bytes_of(f.geo);
  });
  const auto staged = to_scene(*pack, {.companions = collect_companions(*pack)});
  ASSERT_TRUE(staged);
  for (const Diagnostic& d : staged->notes) EXPECT_NE(d.id, "splashpack.scene-lost") << d.message;
  const auto made = make_pack_from_scene(staged->scene, {});
  ASSERT_TRUE(made) << format_one_line(made.error());
  for (const Diagnostic& d : made->notes) EXPECT_EQ(d.severity, Severity::hint) << format_one_line(d);
  ASSERT_EQ(made->files.size(), 4u);
  const auto loaded = load<Pack>(made->files[0].bytes);
  ASSERT_TRUE(loaded);
  const Pack& now = loaded->document.value();
  EXPECT_EQ(now.form, Layout::v25);
  const auto same_json = [](const Pack& a, const Pack& b, const char* part, std::set<std::string> without) {
    const auto strip = [&](const auto& self, const Value& v) -> Value {
      if (v.is(Value::Kind::list)) {
        Value out = Value::list();
        for (const auto& [unused, e] : v.members()) out.push(self(self, e));
        return out;
      }
      if (!v.is(Value::Kind::object)) return v;
      Value out = Value::object();
      for (const auto& [name, e] : v.members())
        if (!without.contains(name)) out.add(name, self(self, e));
      return out;
    };
    const auto text_of = [&](const Pack& p) {
      const Value all = to_value(p);
      const Value* found = all.find(part);
      return found ? json::write(strip(strip, *found)) : std::string("none");
    };
    EXPECT_EQ(text_of(a), text_of(b)) << part;
  };
  const std::set<std::string> placement = {"name_offset", "tiles_offset", "objects_offset"};
  for (const char* part : {"agents", "sprite_animations", "tilemap", "lights", "scene_hash", "ordering_table_size",
                           "primitive_buffer_size"})
    same_json(f.pack, now, part, placement);
  same_json(f.pack, now, "sprite_sheets", {"name_offset", "page_x", "page_y", "origin", "clut_x", "clut_y"});
  const auto geo = load<Geo>(made->files[3].bytes);
  ASSERT_TRUE(geo);
  EXPECT_TRUE(matches_pack(geo->document.value(), now));
  const Pack whole = load_streamed_triangles(now, geo->document.value());
  const Pack before = load_streamed_triangles(f.pack, f.geo);
  ASSERT_EQ(whole.objects.size(), before.objects.size());
  for (size_t i = 0; i < whole.objects.size(); ++i) {
    EXPECT_EQ(now.objects[i].triangles.size(), f.pack.objects[i].triangles.size()) << i;
    EXPECT_EQ(whole.objects[i].triangles.size(), before.objects[i].triangles.size()) << i;
  }
}

/// Packs of all later layouts with sounds, fonts and canvases: three sounds with arbitrary bytes, and images of all
/// depths, including mirrored ones and ones with semi-transparent words.
TEST(SplashpackRoundTrip, RestoresSoundsFontsAndCanvases) {
  for (const Layout form : {Layout::v20, Layout::v21, Layout::v22, Layout::v23, Layout::v24, Layout::v25}) {
    SCOPED_TRACE(std::string(k_layouts.of(i64(form))));
    SceneFiles f = sample_scene(form);
    const SceneFiles rich = sample_scene_with_everything();
    f.pack.fonts = rich.pack.fonts, f.vram.fonts = rich.vram.fonts;
    f.pack.canvases = rich.pack.canvases;
    // The second font is in an area that textures may also use.
    f.pack.fonts.push_back(f.pack.fonts[0]), f.vram.fonts.push_back(f.vram.fonts[0]);
    f.pack.fonts[1].x = f.vram.fonts[1].x = 448, f.pack.fonts[1].y = f.vram.fonts[1].y = 0;
    f.vram.fonts[1].texels[700] ^= 0x5A;
    // A palette with semi-transparent words, and a page of 16 bits.
    f.vram.cluts[1].colors[3] |= 0x8000, f.vram.cluts[1].colors[5] = 0x8000, f.vram.cluts[1].colors[6] = 0;
    VramAtlas wide{512, 256, 64, 32, {}};
    for (u32 i = 0; i < 64 * 32 * 2; ++i) wide.texels.push_back(u8(i * 37 + i / 256));
    f.vram.atlases.push_back(wide);
    f.pack.atlases.push_back({0, wide.width, wide.height, wide.x, wide.y, {}});
    auto& elements = f.pack.canvases[0].elements;
    const size_t icon = 1;
    ASSERT_EQ(elements[icon].type, UiType::image);
    UiElement mirrored = elements[icon], deep = elements[icon];
    mirrored.name = "mirrored";
    std::swap(mirrored.from.u, mirrored.to_uv.u);
    deep.name = "deep";
    deep.page_x = 8, deep.page_y = 1, deep.depth = 2, deep.clut_x = deep.clut_y = 0;
    deep.from = {5, 3}, deep.to_uv = {60, 31};
    elements.push_back(mirrored), elements.push_back(deep), elements.push_back(mirrored);
    for (u32 i = 0; i < 3; ++i) {
      SpuClip clip;
      clip.rate = u16(11025 * (i + 1)), clip.loop = u8(i % 2);
      for (u32 k = 0; k < 16 * (i * 50 + 1); ++k) clip.samples.push_back(u8(k * (i + 3) + k / 7));
      AudioClip described;
      described.size = u32(clip.samples.size()), described.rate = clip.rate, described.loop = clip.loop;
      if (i) described.name = "sound " + std::to_string(i);
      f.pack.audio_clips.push_back(described), f.spu.clips.push_back(clip);
    }
    Cutscene c;
    c.name = "heard", c.frame_count = 60;
    c.audio_events = {{10, 2, 100, 64, {}}, {20, 0, 80, 0, {}}};
    f.pack.cutscenes.push_back(c);
    const Files before = files_of(f);
    const auto first = scene_of(before);
    const auto after = made(first);
    ASSERT_TRUE(after);
    expect_same_media(before, *after);
    // A second round trip changes nothing.
    const auto again = made(scene_of(*after));
    ASSERT_TRUE(again);
    EXPECT_TRUE(again->pack == after->pack && again->vram == after->vram && again->spu == after->spu);
  }
}

TEST(SplashpackRoundTrip, RestoresTrianglesWithoutArea) {
  Pack pack = sample_scene(Layout::d).pack;
  std::vector<Triangle>& triangles = pack.objects.at(0).triangles;
  ASSERT_GT(triangles.size(), 2u);
  triangles[0].positions[1] = triangles[0].positions[0];
  triangles[2].positions.fill(triangles[2].positions[1]);
  const Files before{bytes_of(pack), {}, {}};
  scene::Scene scene = scene_of(before);
  const auto after = made(scene);
  ASSERT_TRUE(after);
  expect_same(before, *after, Layout::d);
  // In a scene of another kind, they are dropped.
  *scene.extras.find("kind") = Value("course");
  const auto other = made(scene, {{"layout", "d"}, {"subdivide", "none"}});
  ASSERT_TRUE(other);
  EXPECT_EQ(seen(*other).objects.at(0).triangles.size(), triangles.size() - 2);
}

TEST(SplashpackRoundTrip, RestoresWhiteIn16BitTextures) {
  // Under the brightest light, the upper half of all 5-bit values looks the same.
  Pack pack = sample_scene(Layout::a1).pack;
  for (Object& o : pack.objects)
    for (Triangle& t : o.triangles)
      for (Color& c : t.colors) c = {255, 255, 255, 0};
  for (Atlas& a : pack.atlases)
    for (size_t i = 0; i + 2 <= a.texels.size(); i += 2) {
      const u16 word = u16(i / 2 * 0x0421 | 0x0001);
      a.texels[i] = u8(word), a.texels[i + 1] = u8(word >> 8);
    }
  ASSERT_EQ(TexturePage::from_word(pack.objects.at(0).page).depth, 2);
  const Files before{bytes_of(pack), {}, {}};
  scene::Scene scene = scene_of(before);
  ASSERT_TRUE(std::ranges::any_of(scene.materials, [](const scene::Material& m) {
    return m.extras.find("texels_times") && m.extras.find("colors");
  }));
  const auto after = made(scene);
  ASSERT_TRUE(after);
  expect_same(before, *after, Layout::a1);
  // Painting over the picture takes effect.
  for (scene::Image& image : scene.images)
    for (size_t i = 0; i < image.pixels.size(); ++i) image.pixels[i] = i % 4 == 0 || i % 4 == 3 ? 255 : 0;
  EXPECT_TRUE(made(scene));
}

TEST(SplashpackRoundTrip, RealPacksRoundTripThroughGltf) {
  const char *folder = std::getenv("DIORAMA_CORPUS"), *home = std::getenv("HOME");
  const fs::path root = (folder ? fs::path(folder) : fs::path(home ? home : ".") / ".cache/diorama-corpus");
  size_t count = 0;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(root / "splashpack", error)) {
    if (entry.path().extension() != ".bin") continue;
    SCOPED_TRACE(entry.path().filename().string());
    std::ifstream in(entry.path(), std::ios::binary);
    const Files before{Bytes(std::istreambuf_iterator<char>(in), {}), {}, {}};
    const auto pack = load<Pack>(before.pack);
    ASSERT_TRUE(pack);
    const Layout form = pack->document.value().form;
    const auto after = made(scene_of(before));
    ASSERT_TRUE(after);
    expect_same(before, *after, form);
    ++count;
  }
  if (!count) GTEST_SKIP() << "no game files";
}

}  // namespace
}  // namespace dio::splashpack
