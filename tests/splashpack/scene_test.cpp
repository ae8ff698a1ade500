// Packs as scenes; texel positions, vertex colours and winding are computed by hand from specifications 1.1 and 4.
#include <gtest/gtest.h>

#include "formats/contract/companions.hpp"
#include "formats/contract/format.hpp"
#include "formats/contract/scenes.hpp"
#include "formats/splashpack/parts.hpp"
#include "formats/splashpack/pictures/texels.hpp"
#include "scene/math.hpp"

using namespace dio;
using namespace dio::splashpack;
using scene::Vec2;
using scene::Vec3;

namespace {

/// Layout d: an 8-bit page at (320, 0) with the palette at (0, 240), in which colour i has the value i.
Pack pack_with_page() {
  Pack p;
  Atlas a;
  a.x = 320;
  a.width = 128;
  a.height = 256;
  a.texels.resize(128 * 256 * 2);
  for (size_t v = 0; v < 256; ++v)
    for (size_t u = 0; u < 256; ++u) a.texels[v * 256 + u] = u8(u + 3 * v);  // two texels a word, the left one low
  p.atlases.push_back(std::move(a));
  Clut c;
  c.y = 240;
  for (u16 i = 0; i < 256; ++i) c.colors.push_back(i);
  c.length = 256;
  p.cluts.push_back(std::move(c));
  return p;
}
void set_texel(Pack& p, u32 u, u32 v, u8 index) { p.atlases[0].texels[v * 256 + u] = index; }

Triangle triangle(std::array<Uv, 3> uvs, u8 color = 128) {
  Triangle t{};
  t.positions = {{{{4096}, {0}, {0}}, {{0}, {4096}, {0}}, {{0}, {0}, {4096}}}};
  t.normal = {{0}, {0}, {-4096}};
  t.colors = {{{color, color, color, 0}, {color, color, color, 0}, {color, color, color, 0}}};
  t.uvs = uvs;
  t.page = 0x285;
  t.clut_y = 240;
  return t;
}
Object object(std::vector<Triangle> triangles) {
  Object o;
  o.triangles = std::move(triangles);
  return o;
}

SceneResult staged(const Pack& p) {
  auto s = to_scene(p, {});
  EXPECT_TRUE(s);
  EXPECT_EQ(scene::verify(s->scene), std::vector<std::string>());
  return std::move(*s);
}
const scene::Node* node_of(const scene::Scene& s, std::string_view name) {
  for (const scene::Node& n : s.nodes)
    if (n.name == name) return &n;
  return nullptr;
}
std::string said_ids(const Diagnostics& notes) {
  std::string out;
  for (const Diagnostic& d : notes) out += d.id + "\n";
  return out;
}
void expect_near(const Vec3& a, const Vec3& b, f64 most = 1e-4) {
  for (size_t i = 0; i < 3; ++i) EXPECT_NEAR(a[i], b[i], most) << i;
}

}  // namespace

// ---- video memory ----

TEST(SplashpackVideoMemory, PageWordsLocateTexels) {
  constexpr TexturePage page = TexturePage::from_word(0x285);
  EXPECT_EQ(page.x, 320);
  EXPECT_EQ(page.y, 0);
  EXPECT_EQ(page.depth, 1);
  EXPECT_EQ(page.semi_transparency, 0);
  EXPECT_TRUE(page.dithered);

  VideoMemory m;
  m.words.resize(size_t(k_video_width) * k_video_height);
  const auto at = [&](u32 x, u32 y) -> u16& { return m.words[y * k_video_width + x]; };
  at(321, 2) = 0xCD'AB;    // 8 bits: texels 2 and 3 of the line
  at(0xAB, 240) = 0x1111;  // palette (0, 240)
  at(0xCD, 240) = 0x2222;
  EXPECT_EQ(texel_at(m, {0x285, 0, 240}, 2, 2), 0x1111);
  EXPECT_EQ(texel_at(m, {0x285, 0, 240}, 3, 2), 0x2222);
  at(320, 0) = 0x43'21;  // 4 bits: four texels, the lowest first
  for (u16 i = 0; i < 16; ++i) at(32 + i, 241) = u16(0x100 + i);
  for (u8 u = 0; u < 4; ++u) EXPECT_EQ(texel_at(m, {0x205, 2, 241}, u, 0), 0x101 + u);
  EXPECT_EQ(texel_at(m, {0x305, 0, 0}, 1, 2), 0xCDAB);  // 16 bits: the word itself
  EXPECT_EQ(texel_at(m, {0x29F, 0, 240}, 255, 0), at(0, 240)) << "pages at the right edge go on at the left";
}

TEST(SplashpackVideoMemory, LaterUploadsOverwriteEarlierOnes) {
  Pack p = pack_with_page();
  p.cluts[0].x = 320 / 16;
  p.cluts[0].y = 0;
  p.cluts[0].colors.resize(4);
  const VideoMemory m = build_video_memory(p, nullptr);
  EXPECT_EQ(m.at(320, 0), 0);
  EXPECT_EQ(m.at(323, 0), 3);
  EXPECT_EQ(m.at(324, 0), 0x0908);
  ASSERT_EQ(m.blocks.size(), 2u);
  EXPECT_EQ(m.blocks[1].rect, (Rect{320, 0, 256, 1})) << "its length counts, not how many there are";
}

TEST(SplashpackVideoMemory, AtlasesOverwriteObjectPalettes) {
  Pack p = pack_with_page();
  p.form = Layout::a2;
  p.cluts.clear();
  Object o;
  o.page = 0x285;
  o.clut_x = 20;  // over the atlas
  o.colors.fill(0x7FFF);
  p.objects = {o};
  VideoMemory m = build_video_memory(p, nullptr);
  EXPECT_EQ(m.at(320, 0), 0x0100) << "the atlas goes over it";
  EXPECT_EQ(m.at(320 + 128, 0), 0x7FFF);
  EXPECT_EQ(m.at(320 + 255, 0), 0x7FFF);
  p.objects[0].page = 0x205;  // 4 bits: 16 colours
  m = build_video_memory(p, nullptr);
  EXPECT_EQ(m.at(320 + 128, 0), 0);
}

TEST(SplashpackVideoMemory, UploadsWrapAroundTheMemoryEdge) {
  Pack p = pack_with_page();
  p.atlases[0].x = 1000;
  p.atlases[0].y = 500;
  const VideoMemory m = build_video_memory(p, nullptr);
  EXPECT_EQ(m.blocks[0].rect, (Rect{1000, 500, 24, 12}));
  EXPECT_EQ(m.at(1000, 500), 0x0100);
  EXPECT_EQ(m.at(0, 500), m.words[500 * 1024]);
  EXPECT_EQ(m.at(0, 500), u16(48 | 49 << 8)) << "as the console does";
}

// ---- pictures and texture coordinates ----

TEST(SplashpackScene, UsedTexelsBecomePictures) {
  Pack p = pack_with_page();
  p.objects = {object({triangle({{{10, 20}, {13, 20}, {10, 25}}})})};
  const auto s = staged(p).scene;
  ASSERT_EQ(s.images.size(), 1u);
  const scene::Image& image = s.images[0];
  EXPECT_EQ(image.width, 4u);
  EXPECT_EQ(image.height, 6u);
  EXPECT_EQ(image.depth, 8);
  ASSERT_EQ(image.palette.size(), 256u);
  EXPECT_EQ(image.palette[0], (scene::Rgba{0, 0, 0, 0}));
  EXPECT_EQ(image.palette[31], (scene::Rgba{255, 0, 0, 255}));
  EXPECT_EQ(image.pixels[0], u8(10 + 3 * 20));
  EXPECT_EQ(image.pixels[4 * 5 + 3], u8(13 + 3 * 25));
  const scene::Primitive& part = s.meshes[0].primitives[0];
  ASSERT_EQ(part.uvs.size(), 3u);
  EXPECT_EQ(part.uvs[0], (Vec2{f32(0.5 / 4), f32(0.5 / 6)}));
  EXPECT_EQ(part.uvs[1], (Vec2{f32(0.5 / 4), f32(5.5 / 6)})) << "the third corner comes second";
  EXPECT_EQ(part.uvs[2], (Vec2{f32(3.5 / 4), f32(0.5 / 6)}));
}

TEST(SplashpackScene, SeparateTextureIslandsBecomeSeparatePictures) {
  Pack p = pack_with_page();
  p.objects = {object({triangle({{{0, 0}, {15, 0}, {0, 15}}}), triangle({{{16, 15}, {30, 15}, {30, 30}}}),
                       triangle({{{32, 0}, {40, 0}, {40, 9}}})}),
               object({triangle({{{41, 0}, {50, 0}, {50, 9}}})})};
  const TexelRegions islands(p);
  ASSERT_EQ(islands.all().size(), 3u) << "the first two touch, the last two are of different objects";
  EXPECT_EQ(islands.all()[0].width, 31u);
  EXPECT_EQ(islands.all()[0].height, 31u);
  EXPECT_EQ(islands.all()[1].u, 32u);
  EXPECT_EQ(islands.all()[2].u, 41u);
  const auto s = staged(p).scene;
  EXPECT_EQ(s.images.size(), 3u);
  EXPECT_EQ(s.meshes[0].primitives.size(), 2u);
  // A triangle overlapping both islands joins them.
  p.objects[1].triangles.push_back(triangle({{{30, 0}, {32, 0}, {31, 1}}}));
  EXPECT_EQ(TexelRegions(p).all().size(), 2u);
}

TEST(SplashpackScene, OnlyUsedTransparentTexelsMakeAMask) {
  Pack p = pack_with_page();
  p.atlases[0].texels.assign(p.atlases[0].texels.size(), 7);
  set_texel(p, 14, 14, 0);  // in the rectangle of the triangle, not below it
  p.objects = {object({triangle({{{0, 0}, {15, 0}, {0, 15}}})})};
  EXPECT_EQ(staged(p).scene.materials[0].alpha, scene::Material::Alpha::opaque);
  set_texel(p, 3, 3, 0);
  EXPECT_EQ(staged(p).scene.materials[0].alpha, scene::Material::Alpha::mask);
  set_texel(p, 3, 3, 7), set_texel(p, 0, 15, 0);  // the last corner
  EXPECT_EQ(staged(p).scene.materials[0].alpha, scene::Material::Alpha::mask);
}

TEST(SplashpackScene, ReportsMissingTexels) {
  Pack p = pack_with_page();
  p.objects = {object({triangle({{{0, 0}, {15, 0}, {0, 15}}})})};
  p.objects[0].triangles[0].page = 0x28A;
  const auto s = staged(p);
  EXPECT_EQ(said_ids(s.notes), "splashpack.no-texels\n");
  EXPECT_TRUE(s.scene.images.empty());
  EXPECT_EQ(s.scene.meshes[0].primitives[0].uvs.size(), 3u);
}

// ---- vertex colours ----

TEST(SplashpackScene, VertexColorsModulateTextures) {
  Pack p = pack_with_page();
  p.atlases[0].texels.assign(p.atlases[0].texels.size(), 8);  // red 8 of 31: 66 of 255
  Triangle t = triangle({{{0, 0}, {15, 0}, {0, 15}}});
  t.colors[1] = {64, 0, 32, 0};
  p.objects = {object({t})};
  const auto plain = staged(p).scene;
  EXPECT_EQ(plain.meshes[0].primitives[0].colors[0], (scene::Vec4{1, 1, 1, 1}));
  EXPECT_EQ(plain.meshes[0].primitives[0].colors[2],
            (scene::Vec4{scene::srgb_to_linear(0.5f), 0, scene::srgb_to_linear(0.25f), 1}));
  EXPECT_EQ(plain.materials[0].extras.find("texels_times"), nullptr);

  // 66 * 255 / 128 = 131: brighter than the texel.
  t.colors = {{{255, 255, 255, 0}, {255, 255, 255, 0}, {0, 0, 0, 0}}};
  p.objects = {object({t})};
  const auto bright = staged(p).scene;
  ASSERT_NE(bright.materials[0].extras.find("texels_times"), nullptr);
  EXPECT_FLOAT_EQ(f32(bright.materials[0].extras.find("texels_times")->number()), 255 / 128.0f);
  EXPECT_EQ(bright.images[0].palette[8], (scene::Rgba{131, 0, 0, 255}));
  EXPECT_EQ(bright.meshes[0].primitives[0].colors[0], (scene::Vec4{1, 1, 1, 1}));
  EXPECT_EQ(bright.nodes[0].extras.find("bright"), nullptr) << "nothing is cut off";
}

TEST(SplashpackScene, KeepsVertexColorsTooBrightToShow) {
  Pack p = pack_with_page();
  p.cluts[0].colors.assign(256, 0x7FFF);  // white cannot become brighter
  Triangle t = triangle({{{0, 0}, {15, 0}, {0, 15}}});
  t.colors[1] = {200, 10, 20, 0};
  p.objects = {object({t})};
  const auto s = staged(p).scene;
  EXPECT_EQ(s.materials[0].extras.find("texels_times"), nullptr);
  const Value* bright = s.nodes[0].extras.find("bright");
  ASSERT_NE(bright, nullptr);
  ASSERT_EQ(bright->size(), 1u);
  const std::array<u64, 4> expected = {1, 200, 10, 20};
  for (size_t i = 0; i < 4; ++i) EXPECT_EQ(bright->at(0)->at(i)->bits(), expected[i]);
  EXPECT_EQ(s.meshes[0].primitives[0].sources, (std::vector<u32>{0, 2, 1}));
}

TEST(SplashpackScene, UntexturedTrianglesUseFullColors) {
  Pack p;
  p.form = Layout::v21;
  p.version = 21;
  Triangle t = triangle({}, 255);
  t.page = k_untextured;
  t.colors[1] = {51, 0, 255, 0};
  p.objects = {object({t})};
  const auto s = staged(p);
  EXPECT_TRUE(s.notes.empty());
  EXPECT_EQ(s.scene.materials[0].texture, scene::k_none);
  EXPECT_EQ(s.scene.meshes[0].primitives[0].colors[2], (scene::Vec4{scene::srgb_to_linear(0.2f), 0, 1, 1}));
  p.form = Layout::d;  // where 0xFFFF is a page as any other
  EXPECT_EQ(said_ids(staged(p).notes), "splashpack.no-texels\n");
}

// ---- places ----

TEST(SplashpackScene, ConvertsPositionsAndWinding) {
  Pack p = pack_with_page();
  p.objects = {object({triangle({})})};
  p.objects[0].position = {{4096}, {-2048}, {1024}};
  const auto s = staged(p).scene;
  const scene::Node& n = s.nodes[0];
  EXPECT_EQ(n.name, "object_0");
  EXPECT_EQ(n.translation, (Vec3{100, 50, -25}));
  EXPECT_EQ(n.rotation, scene::k_no_rotation);
  EXPECT_EQ(n.extras.find("rotation"), nullptr);
  const auto& at = s.meshes[0].primitives[0].positions;
  EXPECT_EQ(at, (std::vector<Vec3>{{100, 0, 0}, {0, 0, -100}, {0, -100, 0}}));
  EXPECT_EQ(s.meshes[0].primitives[0].normals[0], (Vec3{0, 0, 1}));
}

TEST(SplashpackScene, FrontFacesMatchTheEngine) {
  // A floor square in front of the camera, seen from above, so cross(v1 - v0, v2 - v0) points down (+Y).
  Pack p = pack_with_page();
  Triangle t = triangle({});
  t.positions = {{{{0}, {0}, {0}}, {{0}, {0}, {4096}}, {{4096}, {0}, {0}}}};
  t.normal = {{0}, {-4096}, {0}};
  p.objects = {object({t})};
  const auto part = staged(p).scene.meshes[0].primitives[0];
  const Vec3 front =
      scene::cross(scene::sub(part.positions[1], part.positions[0]), scene::sub(part.positions[2], part.positions[0]));
  EXPECT_GT(front[1], 0);
  EXPECT_EQ(part.normals[0], (Vec3{0, 1, 0}));
}

TEST(SplashpackScene, ConvertsObjectRotations) {
  Pack p = pack_with_page();
  Object o = object({});
  // X goes to -Z, Z to X: in the scene X goes to Z.
  o.rotation = {{{0}, {0}, {4096}, {0}, {4096}, {0}, {-4096}, {0}, {0}}};
  p.objects = {o};
  auto s = staged(p);
  EXPECT_TRUE(s.notes.empty());
  expect_near(scene::rotate(s.scene.nodes[0].rotation, {1, 0, 0}), {0, 0, 1});
  expect_near(scene::rotate(s.scene.nodes[0].rotation, {0, 1, 0}), {0, 1, 0});
  EXPECT_EQ(s.scene.nodes[0].extras.find("rotation"), nullptr);

  o.rotation[0].raw = 3;  // rounded otherwise: the same rotation, but not these numbers
  p.objects = {o};
  s = staged(p);
  EXPECT_TRUE(s.notes.empty());
  ASSERT_NE(s.scene.nodes[0].extras.find("rotation"), nullptr);
  EXPECT_EQ(s.scene.nodes[0].extras.find("rotation")->at(0)->bits(), 3u);

  o.rotation = {{{8192}, {0}, {0}, {0}, {4096}, {0}, {0}, {0}, {-4096}}};  // twice as wide, and mirrored
  p.objects = {o};
  s = staged(p);
  EXPECT_TRUE(s.notes.empty()) << said_ids(s.notes);
  const scene::Node& n = s.scene.nodes[0];
  expect_near(scene::rotate(n.rotation, scene::mul(n.scale, Vec3{1, 0, 0})), {2, 0, 0});
  expect_near(scene::rotate(n.rotation, scene::mul(n.scale, Vec3{0, 1, 0})), {0, 1, 0});
  expect_near(scene::rotate(n.rotation, scene::mul(n.scale, Vec3{0, 0, 1})), {0, 0, -1});

  o.rotation = {{{4096}, {2048}, {0}, {0}, {4096}, {0}, {0}, {0}, {4096}}};  // slanted: no node can be
  p.objects = {o};
  EXPECT_EQ(said_ids(staged(p).notes), "splashpack.rot-matrix\n");
  o.rotation = {};  // nothing is left of it
  p.objects = {o};
  (void)staged(p);
}

TEST(SplashpackScene, IgnoresPlaceholderPositionsInOldPacks) {
  Pack p;
  p.form = Layout::a2;
  p.objects = {object({triangle({})})};
  p.objects[0].position = {{-16384}, {-16384}, {-16384}};
  p.objects[0].rotation = {{{0}, {0}, {4096}, {0}, {4096}, {0}, {-4096}, {0}, {0}}};
  EXPECT_EQ(staged(p).scene.nodes[0].translation, (Vec3{0, 0, 0}));
  EXPECT_EQ(staged(p).scene.nodes[0].rotation, scene::k_no_rotation);
  p.objects[0].position.x.raw = 0;
  EXPECT_EQ(staged(p).scene.nodes[0].translation, (Vec3{0, 400, 400}));
  EXPECT_NE(staged(p).scene.nodes[0].rotation, scene::k_no_rotation);
}

TEST(SplashpackScene, PlacesThePlayerBelowTheEyes) {
  Pack p = pack_with_page();
  p.start = {{4096}, {-1024}, {2048}};
  p.height = {512};
  p.rotation = {{0}, {6434}, {0}};  // a quarter turn to the right, in radians
  const auto s = staged(p).scene;
  const scene::Node* feet = node_of(s, "player_start");
  ASSERT_NE(feet, nullptr);
  EXPECT_EQ(feet->translation, (Vec3{100, 12.5f, -50}));
  expect_near(scene::rotate(feet->rotation, {0, 0, -1}), {1, 0, 0}, 1e-3);
  EXPECT_EQ(feet->extras.find("height")->number(), 12.5);
  const scene::Node* eyes = node_of(s, "player_eyes");
  EXPECT_EQ(eyes->translation, (Vec3{0, 12.5f, 0}));
  EXPECT_NE(eyes->camera, scene::k_none);
}

TEST(SplashpackScene, ExportsTheFloorAsHidden) {
  Pack p = pack_with_page();
  p.navmeshes.resize(1);
  p.navmeshes[0].triangles.push_back({{{{{4096}, {0}, {0}}, {{0}, {-4096}, {0}}, {{0}, {0}, {8192}}}}});
  const auto s = staged(p).scene;
  const scene::Node* floor = node_of(s, "navmesh");
  ASSERT_NE(floor, nullptr);
  EXPECT_FALSE(floor->visible);
  EXPECT_EQ(s.meshes[floor->mesh].primitives[0].positions, (std::vector<Vec3>{{100, 0, 0}, {0, 0, -200}, {0, 100, 0}}));
}

TEST(SplashpackScene, ExportsScriptsAsExtras) {
  Pack p = pack_with_page();
  p.scripts.push_back({0, "-- x"});
  p.scripts.push_back({0, "\x1BLua\xFF"});
  p.objects = {object({}), object({})};
  p.objects[0].script = 1;
  p.objects[1].script = 2;
  const auto s = staged(p);
  EXPECT_EQ(said_ids(s.notes), "splashpack.lua-index\n");
  const Value& all = *s.scene.extras.find("scripts");
  EXPECT_EQ(all.at(0)->find("text")->text(), "-- x");
  EXPECT_EQ(all.at(1)->find("bytes")->text(), "1b4c7561ff");
  EXPECT_EQ(s.scene.nodes[0].extras.find("lua_file")->text(), all.at(1)->find("name")->text());
  EXPECT_EQ(s.scene.nodes[1].extras.find("script")->bits(), 2u);
}

// ---- v20 and later ----

namespace {

Pack later_pack() {
  Pack p;
  p.form = Layout::v21;
  p.version = 21;
  Triangle t = triangle({}, 255);
  t.page = k_untextured;
  p.objects = {object({t})};
  p.objects[0].name = "door";
  return p;
}

}  // namespace

TEST(SplashpackScene, ReadsTexelsFromTheVramFile) {
  const Pack old = pack_with_page();
  Pack p = later_pack();
  p.objects[0].triangles = {triangle({{{10, 20}, {13, 20}, {10, 25}}})};
  EXPECT_EQ(said_ids(staged(p).notes), "splashpack.no-texels\n");
  Vram vram;
  vram.atlases.push_back({320, 0, 128, 256, old.atlases[0].texels});
  vram.cluts.push_back({0, 240, 0, old.cluts[0].colors});
  p.atlases.resize(1), p.cluts.resize(1);
  p.atlases[0].x = 320, p.atlases[0].width = 128, p.atlases[0].height = 256;
  p.cluts[0].y = 240, p.cluts[0].length = u16(old.cluts[0].colors.size());
  Format format{};
  format.id = "splashpack-vram";
  Document<Vram> d;
  d.edit() = vram;
  const DocumentOf<Vram> document(std::move(d));
  const Companion with{"scene.vram", &format, &document};
  const auto s = to_scene(p, {.companions = {&with, 1}});
  ASSERT_TRUE(s);
  EXPECT_TRUE(s->notes.empty());
  ASSERT_EQ(s->scene.images.size(), 1u);
  p.atlases[0].x = 384;
  EXPECT_EQ(said_ids(to_scene(p, {.companions = {&with, 1}})->notes), "splashpack.files-missing\n")
      << "of another pack";
  EXPECT_EQ(s->scene.images[0].pixels[0], u8(10 + 3 * 20));
}

TEST(SplashpackScene, InterpolatesKeysLikeTheEngine) {
  Pack p = later_pack();
  Track t;
  t.type = 2;  // object position
  t.target = "door";
  t.keys = {{0, 0, {0, 0, 0}}, {2, 4, {4096, 0, 0}}, {1, 10, {0, 0, 0}}};  // ease in; then a step
  Animation a;
  a.name = "open";
  a.frame_count = 10;
  a.tracks = {t};
  t.target = "window";
  a.tracks.push_back(t);
  p.animations = {a};
  const auto s = staged(p);
  EXPECT_EQ(said_ids(s.notes), "splashpack.track-target\n");
  ASSERT_EQ(s.scene.animations.size(), 1u);
  EXPECT_EQ(s.scene.animations[0].name, "open");
  const scene::Channel& c = s.scene.animations[0].channels.at(0);
  EXPECT_EQ(c.node, 0u);
  ASSERT_EQ(c.times.size(), 7u);  // 0 1 2 3 4, just before 10, 10
  EXPECT_FLOAT_EQ(c.times[2], 2 / 30.0f);
  EXPECT_FLOAT_EQ(c.values[2][0], 25) << "a quarter of the way in half the time";
  EXPECT_FLOAT_EQ(c.values[4][0], 100);
  EXPECT_FLOAT_EQ(c.values[5][0], 100);
  EXPECT_FLOAT_EQ(c.values[6][0], 0);
  EXPECT_FLOAT_EQ(c.times[6], 10 / 30.0f);
}

TEST(SplashpackScene, ConvertsRotationKeys) {
  Pack p = later_pack();
  Track t;
  t.type = 3;  // object rotation
  t.target = "door";
  t.keys = {{0, 0, {0, 0, 0}}, {0, 2, {0, 512, 0}}};  // a quarter turn about Y, which points down
  Cutscene c;
  c.tracks = {t};
  p.cutscenes = {c};
  const auto s = staged(p).scene;
  const scene::Channel& turn = s.animations.at(0).channels.at(0);
  ASSERT_EQ(turn.values.size(), 3u);
  // About Y of the pack, Z goes to X; in the scene -Z does.
  expect_near(scene::rotate(turn.values[2], {0, 0, -1}), {1, 0, 0});
  expect_near(scene::rotate(turn.values[1], {0, 0, -1}), {f32(std::sqrt(0.5)), 0, f32(-std::sqrt(0.5))});
}

TEST(SplashpackScene, JointsFollowTheBoneMatrices) {
  Pack p = later_pack();
  Skin skin;
  skin.object = 0;
  skin.bone_count = 2;
  skin.corner_bones = {{0, 1, 9}};  // there is no tenth bone: the first
  SkinClip clip;
  clip.name = "walk";
  clip.fps = 10;
  clip.flags = 1;
  const BoneMatrix still{{{{4096}, {0}, {0}, {0}, {4096}, {0}, {0}, {0}, {4096}}}, {{0}, {0}, {0}}};
  BoneMatrix moved = still;
  moved.translation = {{0}, {-4096}, {0}};
  clip.frames = {still, still, still, moved};
  skin.clips = {clip};
  p.skins = {skin};
  const auto s = staged(p).scene;
  ASSERT_EQ(s.skins.size(), 1u);
  EXPECT_EQ(s.skins[0].joints.size(), 2u);
  const scene::Primitive& part = s.meshes[0].primitives[0];
  EXPECT_EQ(part.joints, (std::vector<std::array<u16, 4>>{{0, 0, 0, 0}, {0, 0, 0, 0}, {1, 0, 0, 0}}));
  ASSERT_EQ(s.animations.size(), 1u);
  EXPECT_EQ(s.animations[0].name, "door.walk");
  const scene::Channel& second = s.animations[0].channels.at(2);
  EXPECT_EQ(second.node, s.skins[0].joints[1]);
  EXPECT_EQ(second.times, (std::vector<f32>{0, 0.1f, 0.2f})) << "it begins again";
  EXPECT_EQ(second.values[1], (scene::Vec4{0, 100, 0, 0}));
  EXPECT_EQ(second.values[2], (scene::Vec4{0, 0, 0, 0}));
}

TEST(SplashpackScene, ExportsCollidersAndNavRegions) {
  Pack p = later_pack();
  p.colliders = {{{{{0}, {-4096}, {0}}, {{8192}, {0}, {4096}}}, 1, 3, 0, 0}};
  Nav nav;
  NavRegion r{};
  r.corner_count = 4;
  r.xs = {{{0}, {4096}, {4096}, {0}}};
  r.zs = {{{0}, {0}, {4096}, {4096}}};
  r.plane_a = {2048};  // half as steep as a stair
  nav.regions = {r};
  p.nav = nav;
  const auto s = staged(p).scene;
  const scene::Node* box = node_of(s, "collider_0");
  ASSERT_NE(box, nullptr);
  EXPECT_FALSE(box->visible);
  EXPECT_EQ(box->translation, (Vec3{100, 50, -50}));
  EXPECT_EQ(box->extras.find("mask")->bits(), 3u);
  const scene::Node* region = node_of(s, "nav_region_0");
  ASSERT_NE(region, nullptr);
  const auto& at = s.meshes[region->mesh].primitives[0].positions;
  ASSERT_EQ(at.size(), 6u);
  EXPECT_EQ(at[1], (Vec3{100, -50, 0}));
}
