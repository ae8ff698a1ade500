// scene_test.cpp: scenes from maps: coordinates, winding, texture coordinates, light, terrain, states.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "bridge/gltf/gltf.hpp"
#include "formats/contract/scenes.hpp"
#include "formats/fft/game/parts.hpp"
#include "formats/fft/scene/builder.hpp"
#include "formats/fft/scene/slopes.hpp"
#include "samples/fft/maps.hpp"
#include "scene/math.hpp"

namespace dio::fft {
namespace {

using scene::Index;
using scene::k_none;
using scene::Vec3;

constexpr Normal k_up{fx16{0}, fx16{-4096}, fx16{0}};

/// A ground tile at (1, 2), one step high, with corner A in the north-west.
TexturedQuad floor_quad() {
  TexturedQuad q{};
  q.positions = {{{28, -12, 84}, {56, -12, 84}, {28, -12, 56}, {56, -12, 56}}};
  q.normals.fill(k_up);
  q.uvs = {{{16, 32}, {48, 32}, {16, 64}, {48, 64}}};
  q.clut_y = k_vram_palettes, q.palette = 3, q.image = 3, q.page = 2;
  q.tile = {2, 0, 1};
  q.render = k_plain_render;
  return q;
}
Texture blank_texture(u8 two_texels) {
  Texture t;
  t.pages.resize(k_pages);
  for (TexturePage& p : t.pages) p.texels.assign(k_page_size, two_texels);
  return t;
}
Palettes plain_palettes() {
  Palettes p{};
  for (Palette& row : p.rows)
    for (u8 i = 1; i < 16; ++i) row[i] = {0, i, i, i};
  return p;
}
/// One floor tile with texels of index 1, palettes and known render words.
Mesh floor_mesh() {
  Mesh m{};
  m.primary.emplace().textured_quads.push_back(floor_quad());
  m.palettes = plain_palettes();
  m.render_properties.emplace().head.resize(RenderProperties::k_head_size);
  m.settle();
  return m;
}
SceneResult staged(const MergedMap& map, const WorldOptions& options = {}) {
  auto out = build_state_scene(std::span(&map, 1), options);
  EXPECT_TRUE(out.has_value());
  if (!out) return {};
  EXPECT_THAT(scene::verify(out->scene), testing::IsEmpty());
  return std::move(*out);
}
SceneResult staged(const Mesh& m, const Texture& t, const WorldOptions& options = {}) {
  return staged(merge_mesh_and_texture(m, &t), options);
}
const scene::Node* node_named(const scene::Scene& s, std::string_view name) {
  const auto at = std::ranges::find(s.nodes, name, &scene::Node::name);
  return at == s.nodes.end() ? nullptr : &*at;
}
const scene::Mesh& mesh_of(const scene::Scene& s, std::string_view name) {
  const scene::Node* n = node_named(s, name);
  EXPECT_TRUE(n && n->mesh != k_none) << name;
  static const scene::Mesh k_nothing;
  return n && n->mesh != k_none ? s.meshes[n->mesh] : k_nothing;
}
Vec3 face_of(const scene::Primitive& p, size_t triangle) {
  const auto at = [&](size_t i) {
    return p.positions[p.indices.empty() ? 3 * triangle + i : p.indices[3 * triangle + i]];
  };
  return scene::unit(scene::cross(scene::sub(at(1), at(0)), scene::sub(at(2), at(0))), {0, 0, 0});
}
u32 count(const Diagnostics& notes, std::string_view id) { return u32(std::ranges::count(notes, id, &Diagnostic::id)); }

// ---- one polygon ----

TEST(FftScene, ConvertsQuadsToSceneAxes) {
  const SceneResult out = staged(floor_mesh(), blank_texture(0x11));
  EXPECT_FLOAT_EQ(out.scene.metres_per_unit, 1 / 28.0f);  // a tile is a metre wide
  const scene::Mesh& m = mesh_of(out.scene, "primary");
  ASSERT_EQ(m.primitives.size(), 1u);
  const scene::Primitive& p = m.primitives[0];
  EXPECT_THAT(p.positions,
              testing::ElementsAre(Vec3{28, 12, -84}, Vec3{56, 12, -84}, Vec3{28, 12, -56}, Vec3{56, 12, -56}));
  // A, C, B and B, C, D: counterclockwise from above
  EXPECT_THAT(p.indices, testing::ElementsAre(0, 2, 1, 1, 2, 3));
  for (size_t i = 0; i < 2; ++i) EXPECT_EQ(face_of(p, i), (Vec3{0, 1, 0}));
  EXPECT_THAT(p.normals, testing::Each(Vec3{0, 1, 0}));
  // page 2: v + 512 of 1024
  EXPECT_THAT(p.uvs,
              testing::ElementsAre(scene::Vec2{16 / 256.0f, 544 / 1024.0f}, scene::Vec2{48 / 256.0f, 544 / 1024.0f},
                                   scene::Vec2{16 / 256.0f, 576 / 1024.0f}, scene::Vec2{48 / 256.0f, 576 / 1024.0f}));
  EXPECT_THAT(p.sources, testing::ElementsAre(0, 1, 2, 3));
  EXPECT_TRUE(p.colors.empty());  // no lights: texture colors are unchanged
  const scene::Material& material = out.scene.materials[p.material];
  EXPECT_TRUE(material.unlit);
  EXPECT_FALSE(material.double_sided);
}

TEST(FftScene, NormalsPointOutOfTheFront) {
  // A quad of MAP001: (252,-96,280) (252,-144,280) (266,-96,280) (266,-144,280), normal (0, 0, -4096): to the south,
  // which is +Z in a scene.
  Mesh m = floor_mesh();
  TexturedQuad& q = m.primary->textured_quads[0];
  q.positions = {{{252, -96, 280}, {252, -144, 280}, {266, -96, 280}, {266, -144, 280}}};
  q.normals.fill({fx16{0}, fx16{0}, fx16{-4096}});
  const SceneResult out = staged(m, blank_texture(0x11));
  const scene::Primitive& p = mesh_of(out.scene, "primary").primitives.at(0);
  for (size_t i = 0; i < 2; ++i) EXPECT_EQ(face_of(p, i), (Vec3{0, 0, 1}));
  EXPECT_THAT(p.normals, testing::Each(Vec3{0, 0, 1}));
}

TEST(FftScene, NumbersSourcesAcrossPolygonKinds) {
  Mesh m = floor_mesh();
  Geometry& g = *m.primary;
  TexturedTriangle t{};
  t.positions = {{{0, 0, 0}, {28, 0, 28}, {28, 0, 0}}};
  t.image = 3, t.palette = 3, t.render = k_plain_render;
  g.textured_triangles = {t, t};
  g.untextured_quads.push_back({{{{0, 0, 0}, {28, 0, 0}, {0, 28, 0}, {28, 28, 0}}}, {}, k_plain_render});
  const SceneResult out = staged(m, blank_texture(0x11));
  const auto& parts = mesh_of(out.scene, "primary").primitives;
  ASSERT_EQ(parts.size(), 2u);
  // triangles 0 and 1, quad 2; the untextured quad is polygon 3
  EXPECT_THAT(parts[0].sources, testing::ElementsAre(0, 1, 2, 4, 5, 6, 8, 9, 10, 11));
  EXPECT_THAT(parts[1].sources, testing::ElementsAre(12, 13, 14, 15));
  EXPECT_EQ(find_corner(g, 11), (PolygonVertexRef{PolygonKind::textured_quad, 0, 3}));
  EXPECT_EQ(find_corner(g, 15), (PolygonVertexRef{PolygonKind::untextured_quad, 0, 3}));
  EXPECT_FALSE(find_corner(g, 3));  // triangles have no fourth corner
  EXPECT_FALSE(find_corner(g, 16));
}

TEST(FftScene, DrawsUntexturedPolygonsNearlyBlack) {
  Mesh m{};
  m.primary.emplace().untextured_triangles.push_back({{{{0, 0, 0}, {0, -28, 0}, {28, 0, 0}}}, {9, 9, 9, 9}, {}});
  const SceneResult out = staged(m, blank_texture(0));
  const scene::Primitive& p = mesh_of(out.scene, "primary").primitives.at(0);
  const scene::Material& material = out.scene.materials[p.material];
  EXPECT_EQ(material.color, scene::srgb_to_linear(scene::Vec4{0, 0, 1 / 255.0f, 1}));
  EXPECT_TRUE(material.unlit);
  EXPECT_EQ(material.texture, k_none);
  EXPECT_TRUE(p.uvs.empty() && p.colors.empty());
}

// ---- texels ----

TEST(FftScene, MakesOneImagePerPalette) {
  Mesh m = floor_mesh();
  TexturedQuad other = floor_quad();
  other.palette = 5;
  m.primary->textured_quads.push_back(other);
  m.primary->textured_quads.push_back(other);
  m.palettes->rows[5][0] = {1, 0, 0, 0};  // black with the STP bit is drawn
  const SceneResult out = staged(m, blank_texture(0x21));
  ASSERT_EQ(out.scene.images.size(), 2u);
  const scene::Image& a = out.scene.images[0];
  EXPECT_EQ(a.width, 256u);
  EXPECT_EQ(a.height, 1024u);
  EXPECT_EQ(a.depth, 4);
  ASSERT_EQ(a.palette.size(), 16u);
  EXPECT_EQ(a.palette[0], (scene::Rgba{0, 0, 0, 0}));
  EXPECT_EQ(a.palette[15], (scene::Rgba{123, 123, 123, 255}));  // 15 << 3 | 15 >> 2
  // the left texel is in the low half; pages not used with the palette stay empty
  EXPECT_EQ(a.pixels[512 * 256], 1);
  EXPECT_EQ(a.pixels[512 * 256 + 1], 2);
  EXPECT_EQ(a.pixels[0], 0);
  const auto& parts = mesh_of(out.scene, "primary").primitives;
  ASSERT_EQ(parts.size(), 2u);
  EXPECT_EQ(out.scene.materials[parts[0].material].alpha, scene::Material::Alpha::mask);
  EXPECT_EQ(out.scene.materials[parts[1].material].alpha, scene::Material::Alpha::opaque);
  EXPECT_EQ(parts[1].positions.size(), 8u);
}

TEST(FftScene, NotesInterfaceTexturesInsteadOfGuessing) {
  Mesh m = floor_mesh();
  auto& quads = m.primary->textured_quads;
  quads.assign(5, floor_quad());
  quads[1].image = 2;
  quads[2].page_y = 1;
  quads[3].palette = 0x13;
  quads[4].color_depth = 1;
  const SceneResult out = staged(m, blank_texture(0x11));
  EXPECT_EQ(count(out.notes, "fft.foreign-texture"), 1u);
  const auto& parts = mesh_of(out.scene, "primary").primitives;
  ASSERT_EQ(parts.size(), 2u);
  EXPECT_THAT(parts[1].sources, testing::SizeIs(16));
  EXPECT_EQ(out.scene.materials[parts[1].material].texture, k_none);
}

TEST(FftScene, NotesMissingTexturesAndShowsGray) {
  Mesh m = floor_mesh();
  const SceneResult bare = staged(merge_mesh_and_texture(m));
  EXPECT_EQ(count(bare.notes, "fft.no-texture"), 1u);
  m.palettes.reset();
  const SceneResult gray = staged(m, blank_texture(0x11));
  EXPECT_EQ(count(gray.notes, "fft.no-palettes"), 1u);
  EXPECT_EQ(gray.scene.images.at(0).palette.at(15), (scene::Rgba{255, 255, 255, 255}));
}

TEST(FftScene, ReportsMapsWithNothingToShow) {
  Mesh m{};
  m.palettes = plain_palettes();
  const MergedMap map = merge_mesh_and_texture(m);
  const auto out = build_state_scene(std::span(&map, 1), {});
  ASSERT_FALSE(out.has_value());
  EXPECT_EQ(out.error().id, "scene.none");
}

// ---- light ----

Lights sun(i16 color, u8 ambient) {
  Lights l{};
  l.red[0] = l.green[0] = l.blue[0] = fx16{color};
  l.directions[0] = k_up;
  l.ambient = {ambient, ambient, ambient};
  return l;
}

TEST(FftScene, BakesLightIntoVertexColors) {
  Mesh m = floor_mesh();
  m.lights = sun(1024, 0);  // 64 of 128
  m.primary->textured_quads.push_back(floor_quad());
  m.primary->textured_quads[1].render.lit = 0;
  const SceneResult out = staged(m, blank_texture(0x11));
  const auto& parts = mesh_of(out.scene, "primary").primitives;
  ASSERT_EQ(parts.size(), 1u);  // lit and unlit polygons share a material
  const f32 half = scene::srgb_to_linear(0.5f);
  for (size_t i = 0; i < 4; ++i) EXPECT_EQ(parts[0].colors[i], (scene::Vec4{half, half, half, 1}));
  for (size_t i = 4; i < 8; ++i) EXPECT_EQ(parts[0].colors[i], (scene::Vec4{1, 1, 1, 1}));
}

/// The texel value that a viewer shows: texture times vertex color, limited by 8-bit rounding.
f64 shown(const scene::Scene& s, const scene::Primitive& p, u8 index) {
  const scene::Image& image = s.images[s.textures[s.materials[p.material].texture].image];
  const f64 light = p.colors.empty() ? 1 : p.colors[0][0];
  const f64 display = light <= 0.0031308 ? light * 12.92 : 1.055 * std::pow(light, 1 / 2.4) - 0.055;
  return image.palette[index][0] * display;
}

TEST(FftScene, StrongLightBrightensTheTexture) {
  // Ambient 100 and a light of 2048 from above give 228 of 128. Texels of index 4: 4 << 3 | 4 >> 2 = 33; 33 * 228 / 128
  // = 58.8
  Mesh m = floor_mesh();
  m.lights = sun(2048, 100);
  const SceneResult out = staged(m, blank_texture(0x44));
  const scene::Primitive& p = mesh_of(out.scene, "primary").primitives.at(0);
  EXPECT_NEAR(shown(out.scene, p, 4), 58.8, 0.7);
  EXPECT_LT(p.colors[0][0], 1);
  EXPECT_EQ(count(out.notes, "fft.bright-light"), 0u);
}

TEST(FftScene, BrightTexelsStayBrightInStrongLight) {
  // White texels of 255 are drawn as 255 in any light above 128; the unchanged texture shows this.
  Mesh m = floor_mesh();
  m.lights = sun(2048, 20);
  m.palettes->rows[3][15] = {0, 31, 31, 31};
  const SceneResult white = staged(m, blank_texture(0xFF));
  const scene::Primitive& p = mesh_of(white.scene, "primary").primitives.at(0);
  EXPECT_NEAR(shown(white.scene, p, 15), 255, 0.01);
  EXPECT_EQ(count(white.notes, "fft.bright-light"), 0u);

  // Half of the texels are 24 << 3 | 24 >> 2 = 198, drawn as 198 * 148 / 128 = 228.9. No texture shows both exactly.
  m.palettes->rows[3][14] = {0, 24, 24, 24};
  const SceneResult both = staged(m, blank_texture(0xFE));
  const scene::Primitive& q = mesh_of(both.scene, "primary").primitives.at(0);
  EXPECT_NEAR(shown(both.scene, q, 14), 228.9, 32);
  EXPECT_NEAR(shown(both.scene, q, 15), 255, 32);
  EXPECT_EQ(count(both.notes, "fft.bright-light"), 1u);
}

TEST(FftScene, LightsAnimatedMeshesByTheirRotation) {
  // A quarter turn about Y (1024 of 4096): Rx * Ry * Rz maps (x, y, z) to (z, y, -x), so an east face turns south.
  Mesh m = floor_mesh();
  m.lights = sun(1024, 0);  // 64 of 128
  m.lights->directions[0] = {fx16{0}, fx16{0}, fx16{-4096}};
  m.animated[0].emplace();
  for (const i16 x : {4096, -4096}) {
    TexturedQuad q = floor_quad();
    q.normals.fill({fx16{x}, fx16{0}, fx16{0}});
    q.render = {};  // animated meshes have no render words: they are lit
    m.animated[0]->textured_quads.push_back(q);
  }
  MeshAnimationRecord keyframes{}, states{};
  keyframes.type = MeshAnimationRecord::keyframe;
  Keyframe& k = keyframes.keyframes.emplace_back();
  k = {};
  k.rotation.y = 1024;
  k.scale = {4096, 4096, 4096, 0};
  states.type = MeshAnimationRecord::state;
  states.states.resize(MeshAnimationRecord::k_states);
  states.states[0].meshes[0][0] = {1, 1, 10};
  m.mesh_animations.emplace().records = {keyframes, states, {}};
  const SceneResult out = staged(m, blank_texture(0x11));
  const scene::Primitive* p = nullptr;
  for (const scene::Node& n : out.scene.nodes)
    if (const Value* path = n.extras.find("path"); path && path->text() == "animated_1" && n.mesh != k_none)
      p = &out.scene.meshes[n.mesh].primitives.at(0);
  ASSERT_TRUE(p);
  ASSERT_EQ(p->colors.size(), 8u);
  EXPECT_EQ(p->colors[0][0], scene::srgb_to_linear(0.5f));
  EXPECT_EQ(p->colors[4][0], 0);
}

TEST(FftScene, LampsOptionKeepsTheLights) {
  Mesh m = floor_mesh();
  m.lights = sun(2048, 30);
  m.lights->directions[0] = {fx16{4096}, fx16{0}, fx16{0}};  // from the east
  m.lights->green[0] = fx16{0};
  m.primary->textured_quads.push_back(floor_quad());
  m.primary->textured_quads[1].render.lit = 0;
  WorldOptions options;
  options.lamps = true;
  const SceneResult out = staged(m, blank_texture(0x11), options);
  ASSERT_EQ(out.scene.lights.size(), 1u);  // the other two are black
  EXPECT_EQ(out.scene.lights[0].color, (Vec3{1, 0, 1}));
  EXPECT_NEAR(out.scene.lights[0].intensity, 3.14159, 1e-4);  // a white surface reflects 1/pi of it
  const scene::Node* lamp = node_named(out.scene, "light 1");
  ASSERT_TRUE(lamp);
  const Vec3 shines = scene::rotate(lamp->rotation, {0, 0, -1});
  EXPECT_NEAR(shines[0], -1, 1e-6);  // to the west
  const auto& parts = mesh_of(out.scene, "primary").primitives;
  ASSERT_EQ(parts.size(), 2u);
  EXPECT_TRUE(out.scene.materials[parts[0].material].unlit);
  EXPECT_FALSE(out.scene.materials[parts[1].material].unlit);
  EXPECT_TRUE(parts[1].colors.empty());
  const Value* ambient = out.scene.extras.find("ambient");
  ASSERT_TRUE(ambient && ambient->size() == 3);
  EXPECT_EQ(ambient->at(0)->bits(), 30u);
}

TEST(FftScene, BackgroundIsTheMiddleOfTheGradient) {
  Mesh m = floor_mesh();
  m.lights.emplace();
  m.lights->top = {200, 0, 10}, m.lights->bottom = {100, 0, 30};
  const SceneResult out = staged(m, blank_texture(0x11));
  const scene::Vec4 middle = scene::srgb_to_linear(scene::Vec4{150 / 255.0f, 0, 20 / 255.0f, 1});
  EXPECT_FLOAT_EQ(out.scene.background[0], middle[0]);
  EXPECT_FLOAT_EQ(out.scene.background[2], middle[2]);
  const Value* gradient = out.scene.extras.find("gradient");
  ASSERT_TRUE(gradient);
  EXPECT_EQ(gradient->find("top")->at(0)->bits(), 200u);
  EXPECT_EQ(gradient->find("bottom")->at(2)->bits(), 30u);
}

// ---- terrain ----

TEST(FftScene, SlopesRaiseTheirNamedCorners) {
  struct Case {
    u8 slope;
    u8 raised;
  };
  constexpr u8 sw = k_southwest, se = k_southeast, ne = k_northeast, nw = k_northwest;
  constexpr Case k_cases[] = {{0x00, 0},           {0x85, nw | ne},      {0x52, ne | se},      {0x25, sw | se},
                              {0x58, nw | sw},     {0x41, ne},           {0x11, se},           {0x14, sw},
                              {0x44, nw},          {0x96, nw | ne | se}, {0x66, sw | se | ne}, {0x69, nw | sw | se},
                              {0x99, nw | ne | sw}};
  u32 known = 0;
  for (u32 byte = 0; byte < 256; ++byte) {
    const auto raised = raised_corners(u8(byte));
    const auto at = std::ranges::find(k_cases, u8(byte), &Case::slope);
    EXPECT_EQ(raised.has_value(), at != std::end(k_cases)) << byte;
    if (raised && at != std::end(k_cases)) {
      EXPECT_EQ(*raised, at->raised) << byte;
    }
    known += raised.has_value();
  }
  EXPECT_EQ(known, 13u);
}

TEST(FftScene, ComputesCornersOfSlopedTilesUnderWater) {
  TerrainTile t{};
  t.height = 3, t.depth = 2, t.slope_height = 4, t.slope = 0x41;
  EXPECT_EQ(displayed_half_steps(t), 14);  // 6 + 4 + 4
  EXPECT_EQ(corner_steps(t), (std::array<i32, 4>{3, 3, 7, 3}));
  const auto at = corner_positions(t, 2, 5, t.depth);
  EXPECT_EQ(at[0], (std::array<i32, 3>{56, -60, 140}));   // south-west: 5 steps
  EXPECT_EQ(at[2], (std::array<i32, 3>{84, -108, 168}));  // north-east: 9 steps
}

TEST(FftScene, AddsTerrainAsAHiddenMesh) {
  Mesh m = floor_mesh();
  Terrain& t = m.terrain.emplace();
  t.size_x = 3, t.size_z = 2;
  for (u32 z = 0; z < 2; ++z)
    for (u32 x = 0; x < 3; ++x) Terrain::tile(t, 0, x, z)->height = u8(x);
  Terrain::tile(t, 0, 2, 1)->absent = true;
  TerrainTile& slope = *Terrain::tile(t, 0, 0, 0);
  slope.slope = 0x41, slope.slope_height = 2, slope.surface = 0x13;
  Terrain::tile(t, 0, 1, 0)->depth = 1;
  Terrain::tile(t, 1, 1, 1)->height = 6;  // a bridge
  const SceneResult out = staged(m, blank_texture(0x11));
  const scene::Node* top = node_named(out.scene, "terrain");
  ASSERT_TRUE(top);
  EXPECT_FALSE(top->visible);
  const scene::Primitive& ground = mesh_of(out.scene, "level 0").primitives.at(0);
  EXPECT_EQ(ground.positions.size(), 5u * 6);  // two triangles per tile; one tile is absent
  EXPECT_EQ(mesh_of(out.scene, "level 1").primitives.at(0).positions.size(), 6u);
  EXPECT_EQ(mesh_of(out.scene, "depth 0").primitives.at(0).positions[0][1], 24);  // height 1, depth 1
  for (size_t i = 0; i < ground.positions.size() / 3; ++i) {
    EXPECT_GT(face_of(ground, i)[1], 0) << i;  // seen from above
    EXPECT_GT(scene::dot(face_of(ground, i), ground.normals[3 * i]), 0.999) << i;
  }
  // The raised corner of the slope has its own triangle; the other triangle is flat.
  const auto flat = [&](size_t i) { return ground.normals[3 * i] == Vec3{0, 1, 0}; };
  EXPECT_NE(flat(0), flat(1));
  const Value& extras = node_named(out.scene, "level 0")->extras;
  ASSERT_TRUE(extras.find("surface"));
  EXPECT_EQ(extras.find("surface")->size(), 6u);
  EXPECT_EQ(extras.find("surface")->at(0)->bits(), 0x13u);
  EXPECT_EQ(extras.find("displayed_half_steps")->at(1)->bits(), 4u);  // 2 + 2
  EXPECT_EQ(extras.find("flags")->at(5)->bits(), 1u);
}

TEST(FftScene, LargeTerrainContinuesIntoTheNextLevel) {
  const SceneResult out = staged(odd_mesh(), valley_texture());
  const Value& extras = node_named(out.scene, "level 0")->extras;
  ASSERT_TRUE(extras.find("height"));
  EXPECT_EQ(extras.find("height")->size(), 17u * 16);
}

TEST(FftScene, ShowsTerrainOfMapsWithoutPolygons) {
  const SceneResult out = staged(merge_mesh_and_texture(terrain_mesh()));
  EXPECT_TRUE(node_named(out.scene, "terrain")->visible);
}

TEST(FftScene, LimitsTerrainToTheStoredTiles) {
  Mesh m{};
  Terrain& t = m.terrain.emplace();
  t.size_x = t.size_z = 255;
  const SceneResult out = staged(merge_mesh_and_texture(m));
  EXPECT_EQ(node_named(out.scene, "level 0")->extras.find("height")->size(),
            255u * 3);  // only rows starting below 512
}

// ---- the valley: a whole map ----

TEST(FftScene, WritesBindingsAndRenderWordsAsExtras) {
  const SceneResult out = staged(valley_mesh(), valley_texture());
  const Value& extras = node_named(out.scene, "primary")->extras;
  const Mesh mesh = valley_mesh();
  const Geometry& g = *mesh.primary;
  EXPECT_EQ(extras.find("kind")->text(), k_mesh_node);
  EXPECT_EQ(extras.find("path")->text(), "primary");
  EXPECT_EQ(extras.find("polygons")->find("textured_quads")->bits(), g.textured_quads.size());
  const Value* tiles = extras.find("tiles");
  ASSERT_TRUE(tiles);
  ASSERT_EQ(tiles->size(), g.textured_triangles.size() + g.textured_quads.size());
  const size_t at = g.textured_triangles.size();
  const TileBinding& tile = g.textured_quads[0].tile;
  ASSERT_FALSE(tile.is_none());
  EXPECT_EQ(tiles->at(at)->at(0)->bits(), tile.x);
  EXPECT_EQ(tiles->at(at)->at(1)->bits(), tile.z);
  ASSERT_TRUE(extras.find("hidden_from"));
  u64 hidden = 0, unlit = 0;
  for (const auto& q : g.textured_quads) hidden += q.render.hidden_from != 0, unlit += !q.render.lit;
  EXPECT_EQ(extras.find("hidden_from")->size(), hidden);
  EXPECT_EQ(extras.find("unlit")->size(), unlit);
}

TEST(FftScene, StoredNormalsMatchTriangleFacing) {
  const SceneResult out = staged(valley_mesh(), valley_texture());
  size_t looked = 0;
  for (const scene::Primitive& p : mesh_of(out.scene, "primary").primitives) {
    if (p.normals.empty()) continue;
    for (size_t i = 0; i < p.indices.size() / 3; ++i, ++looked)
      EXPECT_GT(scene::dot(face_of(p, i), p.normals[p.indices[3 * i]]), 0.5);
  }
  EXPECT_GT(looked, 100u);
}

TEST(FftScene, FloorPolygonsMatchTheTerrain) {
  const Mesh mesh = valley_mesh();
  const SceneResult out = staged(mesh, valley_texture());
  const scene::Primitive& ground = mesh_of(out.scene, "level 0").primitives.at(0);
  // the corners of every floor polygon bound to a dry tile are among the tile's corners
  size_t looked = 0;
  for (const TexturedQuad& q : mesh.primary->textured_quads) {
    if (q.tile.is_none() || q.tile.level != 0 || q.normals[0].y.raw > -2048) continue;
    const TerrainTile& tile = *Terrain::tile(*mesh.terrain, 0, q.tile.x, q.tile.z);
    if (tile.depth) continue;
    for (const Position& p : q.positions) {
      const Vec3 at = to_scene_axes(p.x, p.y, p.z);
      EXPECT_THAT(ground.positions, testing::Contains(at));
      ++looked;
    }
  }
  EXPECT_GT(looked, 100u);
}

std::vector<MergedMap> valley_states() {
  const auto file = [](const char* path, u8 type, Mesh m) {
    return MapFile{path, 0, type, std::make_shared<const Mesh>(std::move(m)), nullptr};
  };
  const auto texels = [](const char* path, Texture t) {
    return MapFile{path, 0, k_texture_type, nullptr, std::make_shared<const Texture>(std::move(t))};
  };
  const MapFile primary = file("MAP001.8", k_primary_type, valley_mesh()), day = texels("MAP001.9", valley_texture());
  Mesh recolored{};
  recolored.palettes = night_mesh().palettes;
  MapState arrangement, night, painted;
  arrangement.arrangement = 1, night.night = true, painted.weather = 1;
  std::vector<MergedMap> out;
  out.push_back(merge_map_files({primary, day}, {}, "MAP001"));
  out.push_back(merge_map_files({primary, file("MAP001.10", k_alternate_type, recolored), day}, painted, "MAP001"));
  out.push_back(merge_map_files(
      {primary, file("MAP001.11", k_alternate_type, night_mesh()), texels("MAP001.12", night_texture())}, night,
      "MAP001"));
  out.push_back(merge_map_files({primary, file("MAP001.13", k_alternate_type, broken_bridge_mesh()), day}, arrangement,
                                "MAP001"));
  return out;
}

TEST(FftScene, StatesBecomeVariantsOrNodeSets) {
  const auto states = valley_states();
  const auto out = build_state_scene(states, {});
  ASSERT_TRUE(out.has_value());
  const scene::Scene& s = out->scene;
  EXPECT_THAT(scene::verify(s), testing::IsEmpty());
  // "painted" differs in palettes only, night in lights, and arrangement 1 in polygons
  EXPECT_THAT(s.variants, testing::ElementsAre(to_string(states[1].state)));
  std::vector<const scene::Node*> sets;
  for (const scene::Node& n : s.nodes)
    if (const Value* kind = n.extras.find("kind"); kind && kind->text() == "fft.state") sets.push_back(&n);
  ASSERT_EQ(sets.size(), 3u);
  EXPECT_TRUE(sets[0]->visible);
  EXPECT_FALSE(sets[1]->visible);
  EXPECT_FALSE(sets[2]->visible);
  EXPECT_EQ(sets[0]->extras.find("states")->size(), 2u);
  EXPECT_EQ(sets[1]->name, "night");
  size_t changed = 0;
  for (const scene::Primitive& p : mesh_of(s, "primary").primitives)
    for (const auto& v : p.in_variants) {
      EXPECT_EQ(v.variant, 0u);
      EXPECT_NE(v.material, p.material);
      ++changed;
    }
  EXPECT_GT(changed, 0u);
  // Equal images are stored once.
  for (size_t i = 0; i < s.images.size(); ++i)
    for (size_t k = 0; k < i; ++k)
      EXPECT_FALSE(s.images[i].palette == s.images[k].palette && s.images[i].pixels == s.images[k].pixels) << i << k;
}

TEST(FftScene, LaterStatesDoNotChangeTheFirst) {
  const auto states = valley_states();
  const SceneResult one = staged(states[0]);
  const auto all = build_state_scene(states, {});
  ASSERT_TRUE(all.has_value());
  const auto& a = mesh_of(one.scene, "primary").primitives;
  const auto& b = mesh_of(all->scene, "primary").primitives;
  ASSERT_EQ(a.size(), b.size());
  for (size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(a[i].positions, b[i].positions);
    EXPECT_EQ(a[i].colors, b[i].colors);
    EXPECT_EQ(one.scene.materials[a[i].material].name, all->scene.materials[b[i].material].name);
  }
}

TEST(FftScene, NamesTheFileOfEachPart) {
  const auto states = valley_states();
  const SceneResult out = staged(states[2]);
  const auto set = std::ranges::find_if(out.scene.nodes, [](const scene::Node& n) {
    const Value* kind = n.extras.find("kind");
    return kind && kind->text() == "fft.state";
  });
  ASSERT_NE(set, out.scene.nodes.end());
  const Value* files = set->extras.find("files");
  ASSERT_TRUE(files && files->find("palettes"));
  EXPECT_EQ(files->find("palettes")->at(0)->text(), "MAP001.11");
  EXPECT_EQ(node_named(out.scene, "primary")->extras.find("file")->text(), "MAP001.8");
}

TEST(FftScene, PlacesCamerasByTheirNames) {
  const SceneResult out = staged(valley_mesh(), valley_texture());
  const scene::Node* camera = node_named(out.scene, "camera SW");
  ASSERT_TRUE(camera && camera->camera != k_none);
  const scene::Camera& lens = out.scene.cameras[camera->camera];
  EXPECT_GT(lens.half_height, 0);  // an orthographic camera
  const Vec3 looks = scene::rotate(camera->rotation, {0, 0, -1});
  EXPECT_GT(looks[0], 0);  // to the east
  EXPECT_LT(looks[2], 0);  // and north
  EXPECT_NEAR(std::asin(-looks[1]) * 180 / 3.14159265, 26.54, 0.01);
  // The whole map is in the picture, and not small.
  f64 widest = 0, highest = 0;
  for (const scene::Primitive& p : mesh_of(out.scene, "primary").primitives)
    for (const Vec3& at : p.positions) {
      const Vec3 seen = scene::sub(at, camera->translation);
      widest = std::max(widest, std::fabs(scene::dot(seen, scene::rotate(camera->rotation, scene::k_axis_x))));
      highest = std::max(highest, std::fabs(scene::dot(seen, scene::rotate(camera->rotation, scene::k_axis_y))));
      const f64 away = scene::dot(seen, looks);
      EXPECT_TRUE(away > lens.near && away < lens.far);
    }
  EXPECT_LE(widest, lens.half_height * lens.aspect);
  EXPECT_LE(highest, lens.half_height);
  EXPECT_GT(std::max(widest / lens.aspect, highest), 0.7 * lens.half_height);
}

TEST(FftScene, SameMapGivesTheSameBytes) {
  const auto states = valley_states();
  const auto a = build_state_scene(states, {}), b = build_state_scene(states, {});
  ASSERT_TRUE(a && b);
  const auto x = gltf::write_glb(a->scene), y = gltf::write_glb(b->scene);
  ASSERT_TRUE(x && y);
  EXPECT_EQ(*x, *y);
}

}  // namespace
}  // namespace dio::fft
