// Edited scenes of Final Fantasy Tactics maps, applied to their files.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "bridge/gltf/gltf.hpp"
#include "bridge/gltf/reader.hpp"
#include "fft/edited_scenes.hpp"
#include "formats/contract/companions.hpp"
#include "formats/contract/scenes.hpp"
#include "formats/fft/scene/polygons.hpp"
#include "operations/operations.hpp"
#include "samples/fft/maps.hpp"
#include "samples/samples.hpp"
#include "scene/math.hpp"

namespace {

using namespace dio;
using namespace dio::fft;
using scene::Index;
using scene::Scene;
using scene::Vec3;
using testing::HasSubstr;

Scene shown(const Mesh& m, bool lamps = false) {
  const Texture texels = valley_texture();
  const DocumentOf<Texture> texture(Document<Texture>::make_unedited(texels, 0, {}));
  const Companion with{"MAP001.8", find_format("fft-texture"), &texture};
  auto staged = to_scene(m, {.companions = {&with, 1}, .lamps = lamps});
  EXPECT_TRUE(staged) << format_one_line(staged.error());
  return staged ? std::move(staged->scene) : Scene{};
}

/// Calls f(primitive, vertex) for each vertex of a polygon corner.
u64 at_corner(Scene& s, const Mesh& m, const PolygonRef& r, u32 corner, auto&& f) {
  const u32 source = source_number(*geometry_of(m, r.mesh), {r.kind, r.index, corner});
  u64 found = 0;
  for (const scene::Node& n : s.nodes) {
    const Value* path = n.extras.find("path");
    if (n.mesh == scene::k_none || !path || path->text() != mesh_name(r.mesh)) continue;
    for (scene::Primitive& p : s.meshes[n.mesh].primitives)
      for (size_t i = 0; i < p.sources.size(); ++i)
        if (p.sources[i] == source) f(p, i), ++found;
  }
  EXPECT_GT(found, 0u) << polygon_path(r);
  return found;
}
Index node_of(const Scene& s, std::string_view path) {
  for (Index i = 0; i < s.nodes.size(); ++i)
    if (const Value* v = s.nodes[i].extras.find("path"); v && v->text() == path && s.nodes[i].mesh != scene::k_none)
      return i;
  ADD_FAILURE() << "no node " << path;
  return 0;
}

SceneImportResult apply_scene(Mesh& m, const Scene& s) {
  auto taken = test::apply_edited_scene(m, s);
  EXPECT_TRUE(taken) << format_one_line(taken.error());
  return taken ? *taken : SceneImportResult{};
}
std::string refused(Mesh m, const Scene& s) {
  const Bytes before = bytes_of(m);
  const auto taken = test::apply_edited_scene(m, s);
  EXPECT_FALSE(taken);
  EXPECT_EQ(bytes_of(m), before);
  return taken ? "" : taken.error().id + ": " + format_one_line(taken.error());
}
u64 all_polygons(const Mesh& m) {
  u64 n = 0;
  for_each_polygon(m, [&](const PolygonRef&, const auto&) { ++n; });
  return n;
}
std::string lines(const Diagnostics& notes) {
  std::string out;
  for (const Diagnostic& d : notes) out += format_one_line(d) + "\n";
  return out;
}
constexpr PolygonRef k_quad{0, PolygonKind::textured_quad, 3};
TexturedQuad& quad(Mesh& m) { return m.primary->textured_quads[k_quad.index]; }

TEST(FftFromScene, AnUneditedSceneChangesNothing) {
  for (const bool lamps : {false, true})
    for (const Sample& sample : samples_of(*find_format("fft-mesh"))) {
      auto o = dio::open(sample.bytes, sample.name, find_format("fft-mesh"));
      ASSERT_TRUE(o);
      Mesh m = value_of<Mesh>(*o->document);
      if (all_polygons(m) == 0) continue;
      const auto taken = apply_scene(m, shown(m, lamps));
      EXPECT_EQ(taken.changed, 0u) << sample.name;
      EXPECT_EQ(taken.unchanged, all_polygons(m)) << sample.name;
      EXPECT_TRUE(taken.notes.empty()) << format_one_line(taken.notes[0]);
      EXPECT_EQ(bytes_of(m), sample.bytes) << sample.name;
    }
}

Scene through_glb(const Scene& s) {
  const auto glb = gltf::write_glb(s);
  EXPECT_TRUE(glb) << format_one_line(glb.error());
  auto read = gltf::read(*glb);
  EXPECT_TRUE(read) << format_one_line(read.error());
  return read ? std::move(read->document) : Scene{};
}

TEST(FftFromScene, UneditedGlbChangesNothing) {
  for (const bool lamps : {false, true})
    for (const Sample& sample : samples_of(*find_format("fft-mesh"))) {
      auto o = dio::open(sample.bytes, sample.name, find_format("fft-mesh"));
      ASSERT_TRUE(o);
      Mesh m = value_of<Mesh>(*o->document);
      if (all_polygons(m) == 0) continue;
      const auto taken = apply_scene(m, through_glb(shown(m, lamps)));
      EXPECT_EQ(taken.changed, 0u) << sample.name;
      EXPECT_EQ(taken.unchanged, all_polygons(m)) << sample.name;
      EXPECT_TRUE(taken.notes.empty()) << format_one_line(taken.notes[0]);
      EXPECT_EQ(bytes_of(m), sample.bytes) << sample.name;
    }
}

TEST(FftFromScene, GlbRoundTripKeepsEdits) {
  const Mesh m = valley_mesh();
  Scene s = through_glb(shown(m));
  at_corner(s, m, k_quad, 1, [](scene::Primitive& p, size_t i) {
    p.positions[i] = scene::add(p.positions[i], Vec3{-3, 7, 0});
    p.uvs[i][0] += 2.0f / 256;
    p.normals[i] = {1, 0, 0};
  });
  Mesh now = m, expected = m;
  EXPECT_EQ(apply_scene(now, through_glb(s)).changed, 1u);
  quad(expected).positions[1].x -= 3, quad(expected).positions[1].y -= 7;
  quad(expected).uvs[1].u += 2;
  quad(expected).normals[1] = {{4096}, {0}, {0}};
  EXPECT_EQ(bytes_of(now), bytes_of(expected));
}

TEST(FftFromScene, KeepsUnusualNormals) {
  Mesh m = valley_mesh();
  TexturedQuad& q = quad(m);
  q.normals = {Normal{{0}, {-4090}, {7}}, Normal{{0}, {0}, {0}}, Normal{{100}, {-200}, {30}},
               Normal{{32767}, {-32768}, {1}}};
  const Bytes before = bytes_of(m);
  EXPECT_EQ(apply_scene(m, shown(m)).changed, 0u);
  EXPECT_EQ(bytes_of(m), before);
}

TEST(FftFromScene, MovesASingleCorner) {
  const Mesh m = valley_mesh();
  Scene s = shown(m);
  // East by 5, up by 24, north by 3, with a small rounding error as programs leave it.
  at_corner(s, m, k_quad, 2,
            [](scene::Primitive& p, size_t i) { p.positions[i] = scene::add(p.positions[i], Vec3{5.01f, 24, -3}); });
  Mesh now = m, expected = m;
  const auto taken = apply_scene(now, s);
  EXPECT_EQ(taken.changed, 1u);
  EXPECT_EQ(taken.unchanged, all_polygons(m) - 1);
  EXPECT_TRUE(taken.notes.empty());
  Position& p = quad(expected).positions[2];
  p.x += 5, p.y -= 24, p.z += 3;
  EXPECT_EQ(bytes_of(now), bytes_of(expected));
}

TEST(FftFromScene, RoundsPositionsToWholeUnits) {
  const Mesh m = valley_mesh();
  Scene s = shown(m);
  at_corner(s, m, k_quad, 0, [](scene::Primitive& p, size_t i) { p.positions[i][0] += 1.75f; });
  Mesh now = m;
  const auto taken = apply_scene(now, s);
  EXPECT_EQ(quad(now).positions[0].x, m.primary->textured_quads[3].positions[0].x + 2);
  ASSERT_EQ(taken.notes.size(), 1u);
  EXPECT_EQ(taken.notes[0].id, "fft.scene-rounded");
}

TEST(FftFromScene, RotatesTextureCoordinates) {
  const Mesh m = valley_mesh();
  Scene s = shown(m);
  // Each corner gets the coordinates of the next corner.
  const TexturedQuad& q = m.primary->textured_quads[3];
  for (u32 corner = 0; corner < 4; ++corner) {
    const Uv& to = q.uvs[(corner + 1) % 4];
    at_corner(s, m, k_quad, corner,
              [&](scene::Primitive& p, size_t i) { p.uvs[i] = {f32(to.u) / 256, f32(to.v + 256 * q.page) / 1024}; });
  }
  Mesh now = m, expected = m;
  EXPECT_EQ(apply_scene(now, s).changed, 1u);
  std::rotate(quad(expected).uvs.begin(), quad(expected).uvs.begin() + 1, quad(expected).uvs.end());
  EXPECT_EQ(bytes_of(now), bytes_of(expected));
}

TEST(FftFromScene, MovesTextureCoordinatesToAnotherPage) {
  const Mesh m = valley_mesh();
  const u8 page = m.primary->textured_quads[3].page, other = page == 3 ? 2 : u8(page + 1);
  const auto with_uvs = [&](std::array<std::array<f32, 2>, 4> texels) {
    Scene s = shown(m);
    for (u32 c = 0; c < 4; ++c)
      at_corner(s, m, k_quad, c, [&](scene::Primitive& p, size_t i) {
        p.uvs[i] = {texels[c][0] / 256, (texels[c][1] + 256.0f * other) / 1024};
      });
    return s;
  };
  Mesh now = m;
  EXPECT_TRUE(apply_scene(now, with_uvs({{{0, 0}, {255, 0}, {0, 9}, {255, 9}}})).notes.empty());
  EXPECT_EQ(quad(now).page, other);
  EXPECT_EQ(quad(now).uvs, (std::array{Uv{0, 0}, Uv{255, 0}, Uv{0, 9}, Uv{255, 9}}));
  // The far edge belongs to the last texel.
  now = m;
  const auto taken = apply_scene(now, with_uvs({{{0, 200}, {256, 200}, {0, 256}, {256, 256}}}));
  EXPECT_EQ(quad(now).uvs, (std::array{Uv{0, 200}, Uv{255, 200}, Uv{0, 255}, Uv{255, 255}}));
  ASSERT_EQ(taken.notes.size(), 1u);
  EXPECT_THAT(taken.notes[0].message, HasSubstr("3 vertices moved from texel 256"));
  // Coordinates must not cross a page edge.
  EXPECT_THAT(refused(m, with_uvs({{{0, -9}, {9, -9}, {0, 9}, {9, 9}}})),
              HasSubstr("fft.scene-range: primary.textured_quads[3].uvs[0]"));
  EXPECT_THAT(refused(m, with_uvs({{{250, 0}, {258, 0}, {250, 9}, {258, 9}}})), HasSubstr("in one page"));
}

TEST(FftFromScene, AppliesEditedNormals) {
  const Mesh m = valley_mesh();
  Scene s = shown(m);
  for (u32 c = 0; c < 4; ++c)
    at_corner(s, m, k_quad, c, [](scene::Primitive& p, size_t i) { p.normals[i] = {0.6f, 0, -0.8f}; });
  Mesh now = m, expected = m;
  EXPECT_EQ(apply_scene(now, s).changed, 1u);
  quad(expected).normals.fill({{2458}, {0}, {3277}});  // 0.6 and 0.8 of 4096; north is -Z in scenes
  EXPECT_EQ(bytes_of(now), bytes_of(expected));
}

TEST(FftFromScene, HandlesNanAndInfinity) {
  constexpr f32 k_infinite = std::numeric_limits<f32>::infinity(), k_nan = std::numeric_limits<f32>::quiet_NaN();
  const Mesh m = valley_mesh();
  for (const Vec3& odd : {Vec3{0, 0, 0}, Vec3{k_infinite, 0, 0}, Vec3{0, k_nan, 0}}) {
    Scene s = shown(m);
    at_corner(s, m, k_quad, 0, [&](scene::Primitive& p, size_t i) { p.normals[i] = odd; });
    Mesh now = m;
    EXPECT_EQ(apply_scene(now, s).changed, 0u);
    if (odd[0] == 0 && odd[1] == 0) continue;
    at_corner(s, m, k_quad, 0, [&](scene::Primitive& p, size_t i) { p.positions[i] = odd; });
    EXPECT_THAT(refused(m, s), HasSubstr("fft.scene-range"));
    s = shown(m);
    at_corner(s, m, k_quad, 0, [&](scene::Primitive& p, size_t i) { p.uvs[i] = {odd[0], odd[1]}; });
    EXPECT_THAT(refused(m, s), HasSubstr("fft.scene-range"));
  }
}

TEST(FftFromScene, MovedNodesMoveTheirPolygons) {
  const Mesh m = valley_mesh();
  Scene s = shown(m);
  s.nodes[node_of(s, "primary")].translation = {27, 12, -55};  // so that no polygon ends up at another's place
  Mesh now = m, expected = m;
  Mesh primary{};
  primary.primary = m.primary;
  EXPECT_EQ(apply_scene(now, s).changed, all_polygons(primary));
  for_each_polygon(expected, [](const PolygonRef& r, auto& p) {
    if (r.mesh == 0)
      for (Position& c : p.positions) c.x += 27, c.y -= 12, c.z += 55;
  });
  EXPECT_EQ(bytes_of(now), bytes_of(expected));
}

TEST(FftFromScene, RotatedNodesRotateTheirNormals) {
  Mesh m = valley_mesh();
  Scene s = shown(m);
  scene::Node& n = s.nodes[node_of(s, "primary")];
  n.rotation = scene::from_axis_degrees(scene::k_axis_y, 90);  // x maps to -z in scenes, which is north
  const TexturedQuad was = quad(m);
  Mesh now = m;
  apply_scene(now, s);
  for (size_t c = 0; c < 4; ++c) {
    EXPECT_EQ(quad(now).positions[c], (Position{i16(-was.positions[c].z), was.positions[c].y, was.positions[c].x}));
    const auto near = [](fx16 a, int b) { EXPECT_NEAR(a.raw, b, 2); };
    near(quad(now).normals[c].x, -was.normals[c].z.raw);
    near(quad(now).normals[c].y, was.normals[c].y.raw);
    near(quad(now).normals[c].z, was.normals[c].x.raw);
  }
}

TEST(FftFromScene, IgnoresTheSavedPoseOfAnimatedNodes) {
  const Mesh m = valley_mesh();
  Scene s = shown(m);
  // The animation may be at any time when the scene is saved.
  const Index sails = node_of(s, "animated_2");
  ASSERT_NE(s.nodes[sails].parent, scene::k_none);
  s.nodes[s.nodes[sails].parent].rotation = scene::from_axis_degrees(scene::k_axis_z, 33);
  s.nodes[s.nodes[sails].parent].translation = {100, 200, 300};
  Mesh now = m;
  EXPECT_EQ(apply_scene(now, s).changed, 0u);
  // A scale of 0 only hides the mesh; its vertices are ignored.
  s.nodes[sails].scale = {0, 0, 0};
  const auto taken = apply_scene(now, s);
  EXPECT_EQ(taken.changed, 0u);
  ASSERT_EQ(taken.notes.size(), 1u);
  EXPECT_EQ(taken.notes[0].id, "fft.scene-flattened");
  EXPECT_EQ(bytes_of(now), bytes_of(m));
}

TEST(FftFromScene, AcceptsScenesInMetres) {
  const Mesh m = valley_mesh();
  Scene s = shown(m);
  EXPECT_FLOAT_EQ(s.metres_per_unit * 28, 1);
  for (scene::Mesh& mesh : s.meshes)
    for (scene::Primitive& p : mesh.primitives)
      for (Vec3& v : p.positions)
        for (f32& x : v) x *= s.metres_per_unit;
  for (scene::Node& n : s.nodes) n.translation = scene::mul(n.translation, s.metres_per_unit);
  s.metres_per_unit = 1;
  // Programs also drop extras and change names.
  for (scene::Node& n : s.nodes) {
    n.extras = {};
    n.name += ".001";
  }
  Mesh now = m;
  const auto taken = apply_scene(now, s);
  EXPECT_EQ(taken.changed, 0u);
  EXPECT_EQ(taken.unchanged, all_polygons(m));
  EXPECT_EQ(bytes_of(now), bytes_of(m));
}

TEST(FftFromScene, SplitsATornQuadIntoTriangles) {
  const Mesh m = valley_mesh();
  Scene s = shown(m);
  // Splits a vertex as programs do: the second triangle of the quad has its own corner B elsewhere.
  bool split = false;
  at_corner(s, m, k_quad, 1, [&](scene::Primitive& p, size_t i) {
    if (split) return;
    split = true;
    p.positions.push_back(scene::add(p.positions[i], Vec3{1, 0, 0}));
    p.sources.push_back(p.sources[i]);
    if (!p.normals.empty()) p.normals.push_back(p.normals[i]);
    if (!p.uvs.empty()) p.uvs.push_back(p.uvs[i]);
    if (!p.colors.empty()) p.colors.push_back(p.colors[i]);
    *std::find(p.indices.rbegin(), p.indices.rend(), u32(i)) = u32(p.positions.size() - 1);
  });
  Mesh now = m;
  const auto taken = apply_scene(now, s);
  EXPECT_EQ(taken.changed, 1u);
  EXPECT_EQ(taken.added, 2u);
  EXPECT_EQ(taken.removed, 0u);
  ASSERT_EQ(taken.notes.size(), 1u) << lines(taken.notes);
  EXPECT_EQ(taken.notes[0].id, "fft.scene-torn");
  ASSERT_EQ(now.primary->textured_quads.size(), m.primary->textured_quads.size() - 1);
  ASSERT_EQ(now.primary->textured_triangles.size(), m.primary->textured_triangles.size() + 2);
  const TexturedQuad& was = m.primary->textured_quads[k_quad.index];
  for (size_t i = 0; i < 2; ++i) {
    const TexturedTriangle& made = now.primary->textured_triangles[m.primary->textured_triangles.size() + i];
    EXPECT_EQ(made.tile, was.tile);
    EXPECT_EQ(made.render, was.render);
    EXPECT_EQ(made.palette, was.palette);
    EXPECT_EQ(made.page, was.page);
    for (size_t k = 0; k < 3; ++k) {
      const auto at = std::ranges::find(was.uvs, made.uvs[k]);
      ASSERT_NE(at, was.uvs.end());
      EXPECT_EQ(made.normals[k], was.normals[size_t(at - was.uvs.begin())]);
    }
  }
}

TEST(FftFromScene, TreatsSplitVerticesAsOneCorner) {
  const Mesh m = valley_mesh();
  Scene s = shown(m);
  for (scene::Mesh& mesh : s.meshes)
    for (scene::Primitive& p : mesh.primitives) {
      const size_t n = p.positions.size();
      const auto twice = [n](auto& list) {
        if (list.size() == n) list.insert(list.end(), list.begin(), list.begin() + std::ptrdiff_t(n));
      };
      if (p.sources.empty()) continue;
      twice(p.normals), twice(p.uvs), twice(p.colors), twice(p.sources), twice(p.positions);
      for (size_t i = 1; i < p.indices.size(); i += 2) p.indices[i] += u32(n);
    }
  Mesh now = m;
  EXPECT_EQ(apply_scene(now, s).changed, 0u);
  EXPECT_EQ(bytes_of(now), bytes_of(m));
}

/// Merges vertices as Blender's "Merge by Distance" does: one vertex remains for each position, with the sources of one
/// polygon. (Exporters split it again for colors and texture coordinates.) `last`: keep the last vertex instead of the
/// first.
void merge_vertices(Scene& s, bool last) {
  for (scene::Mesh& mesh : s.meshes) {
    std::map<Vec3, u32> left;
    for (const scene::Primitive& p : mesh.primitives)
      for (size_t i = 0; i < p.sources.size(); ++i)
        if (const auto [at, fresh] = left.try_emplace(p.positions[i], p.sources[i]); !fresh && last)
          at->second = p.sources[i];
    for (scene::Primitive& p : mesh.primitives)
      for (size_t i = 0; i < p.sources.size(); ++i)
        if (p.sources[i] != k_no_source) p.sources[i] = left[p.positions[i]];
  }
}

TEST(FftFromScene, MergedVerticesMoveAllTheirCorners) {
  for (const bool last : {false, true}) {
    for (const Sample& sample : samples_of(*find_format("fft-mesh"))) {
      auto o = dio::open(sample.bytes, sample.name, find_format("fft-mesh"));
      ASSERT_TRUE(o);
      Mesh m = value_of<Mesh>(*o->document);
      if (all_polygons(m) == 0) continue;
      Scene s = shown(m);
      merge_vertices(s, last);
      EXPECT_EQ(apply_scene(m, s).changed, 0u) << sample.name;
      EXPECT_EQ(bytes_of(m), sample.bytes) << sample.name;
    }
    // Moving a merged vertex moves the corners of all adjacent polygons.
    const Mesh m = valley_mesh();
    Scene s = shown(m);
    merge_vertices(s, last);
    const Position from = m.primary->textured_quads[k_quad.index].positions[2];
    Mesh expected = m, now = m;
    size_t corners = 0;
    for_each_polygon(expected, [&](const PolygonRef& r, auto& polygon) {
      for (Position& p : polygon.positions)
        if (r.mesh == 0 && p == from) p.y -= 9, ++corners;
    });
    ASSERT_GT(corners, 1u);
    for (scene::Primitive& p : s.meshes[s.nodes[node_of(s, "primary")].mesh].primitives)
      for (Vec3& at : p.positions)
        if (at == Vec3{f32(from.x), -f32(from.y), -f32(from.z)}) at[1] += 9;
    const SceneImportResult taken = apply_scene(now, s);
    EXPECT_TRUE(taken.notes.empty()) << format_one_line(taken.notes[0]);
    EXPECT_EQ(bytes_of(now), bytes_of(expected));
  }
}

TEST(FftFromScene, AddsTrianglesWithoutASourcePolygon) {
  const Mesh m = valley_mesh();
  Scene s = shown(m);
  scene::Primitive& p = s.meshes[s.nodes[node_of(s, "primary")].mesh].primitives[0];
  // A triangle between distant corners.
  p.indices.insert(p.indices.end(), {p.indices[0], p.indices[p.indices.size() / 2], p.indices.back()});
  Mesh now = m;
  const SceneImportResult taken = apply_scene(now, s);
  ASSERT_EQ(taken.notes.size(), 1u) << lines(taken.notes);
  EXPECT_EQ(taken.notes[0].id, "fft.scene-copy");
  EXPECT_EQ(taken.added, 1u);
  ASSERT_EQ(now.primary->textured_triangles.size(), m.primary->textured_triangles.size() + 1);
  const TexturedTriangle& made = now.primary->textured_triangles.back();
  EXPECT_TRUE(made.tile.is_none());
  EXPECT_EQ(made.render, k_plain_render);
  EXPECT_EQ(made.clut_y, k_vram_palettes);
  EXPECT_EQ(made.image, k_map_image);
  now.primary->textured_triangles.pop_back();
  now.settle();
  EXPECT_EQ(bytes_of(now), bytes_of(m));
}

/// Adds an object with a quad and a triangle.
void add_object(Scene& s, std::string material, std::vector<Vec3> corners, std::vector<u32> indices) {
  scene::Material m;
  m.name = std::move(material);
  scene::Primitive p{.material = Index(s.materials.size()), .positions = corners, .indices = std::move(indices)};
  for (const Vec3& c : corners) {
    p.uvs.push_back({(10 + (c[0] - 1000)) / 256, (20 + (c[2] - 1000)) / 1024});
    p.normals.push_back({0, 1, 0});
  }
  m.texture = 0;
  s.materials.push_back(m);
  s.nodes.push_back({.name = "plank", .mesh = Index(s.meshes.size()), .extras = {}});
  s.meshes.push_back({"plank", {p}});
}

TEST(FftFromScene, NewFacesBecomeQuadsAndTriangles) {
  const Mesh m = valley_mesh();
  const std::vector<Vec3> corners{{1000, 5, 1010}, {1010, 5, 1010}, {1010, 5, 1000}, {1000, 5, 1000}, {1020, 5, 1000}};
  for (const bool has_texels : {true, false}) {
    Scene s = shown(m);
    add_object(s, has_texels ? "palette 2" : "untextured", corners, {0, 1, 2, 0, 2, 3, 1, 4, 2});
    Mesh now = m;
    const SceneImportResult taken = apply_scene(now, s);
    EXPECT_EQ(taken.added, 2u) << lines(taken.notes);
    EXPECT_EQ(taken.changed + taken.removed + taken.lost, 0u);
    const Geometry &g = *now.primary, &was = *m.primary;
    if (!has_texels) {
      ASSERT_EQ(g.untextured_quads.size(), was.untextured_quads.size() + 1);
      ASSERT_EQ(g.untextured_triangles.size(), was.untextured_triangles.size() + 1);
      EXPECT_EQ(face_normal(g.untextured_quads.back().positions), (Normal{{0}, {-4096}, {0}}));
      continue;
    }
    ASSERT_EQ(g.textured_quads.size(), was.textured_quads.size() + 1);
    ASSERT_EQ(g.textured_triangles.size(), was.textured_triangles.size() + 1);
    const TexturedQuad& quad = g.textured_quads.back();
    EXPECT_EQ(face_normal(quad.positions), (Normal{{0}, {-4096}, {0}}));
    EXPECT_EQ(quad.palette, 2);
    EXPECT_EQ(quad.page, 0);
    for (size_t i = 0; i < 4; ++i) {
      EXPECT_EQ(quad.uvs[i], (Uv{u8(quad.positions[i].x - 990), u8(-quad.positions[i].z - 980)}));
      EXPECT_EQ(quad.normals[i], (Normal{{0}, {-4096}, {0}}));
    }
    EXPECT_EQ(face_normal(g.textured_triangles.back().positions), (Normal{{0}, {-4096}, {0}}));
  }
  // Faces without one of the file's materials are not added.
  Scene s = shown(m);
  add_object(s, "marble", corners, {0, 1, 2});
  Mesh now = m;
  const SceneImportResult taken = apply_scene(now, s);
  EXPECT_EQ(taken.lost, 1u);
  ASSERT_EQ(taken.notes.size(), 1u) << lines(taken.notes);
  EXPECT_EQ(taken.notes[0].id, "fft.scene-new");
  EXPECT_EQ(bytes_of(now), bytes_of(m));
}

TEST(FftFromScene, RejectsTooManyPolygons) {
  const Mesh m = valley_mesh();
  Scene s = shown(m);
  std::vector<Vec3> corners;
  std::vector<u32> indices;
  for (u32 i = 0; i < 360; ++i) {
    const f32 x = f32(1000 + 3 * (i % 40)), z = f32(1000 + 3 * (i / 40));
    for (const Vec3& c : {Vec3{x, 0, z}, Vec3{x, 0, z + 2}, Vec3{x + 2, 0, z}})
      corners.push_back(c), indices.push_back(u32(indices.size()));
  }
  add_object(s, "palette 2", corners, indices);
  EXPECT_THAT(refused(m, s), HasSubstr("fft.scene-limit: with the new polygons, all meshes together would have"));
}

TEST(FftFromScene, HalfAQuadBecomesATriangle) {
  const Mesh m = valley_mesh();
  Scene s = shown(m);
  const u32 source = source_number(*geometry_of(m, 0), {k_quad.kind, k_quad.index, 0});
  for (scene::Primitive& p : s.meshes[s.nodes[node_of(s, "primary")].mesh].primitives)
    for (size_t t = 0; t + 3 <= p.indices.size(); t += 3) {
      const bool has = std::any_of(p.indices.begin() + std::ptrdiff_t(t), p.indices.begin() + std::ptrdiff_t(t + 3),
                                   [&](u32 i) { return p.sources[i] == source; });
      if (!has) continue;
      p.indices.erase(p.indices.begin() + std::ptrdiff_t(t), p.indices.begin() + std::ptrdiff_t(t + 3));
      t -= 3;
    }
  Mesh now = m, expected = m;
  const SceneImportResult taken = apply_scene(now, s);
  ASSERT_EQ(taken.notes.size(), 1u) << lines(taken.notes);
  EXPECT_EQ(taken.notes[0].id, "fft.scene-torn");
  EXPECT_EQ(taken.changed, 1u);
  EXPECT_EQ(taken.added, 1u);
  EXPECT_EQ(taken.lost, 0u);
  // The remaining triangle of the strip A, B, C, D is B, D, C.
  const TexturedQuad q = quad(expected);
  TexturedTriangle half{};
  const std::array<size_t, 3> corners{1, 3, 2};
  const TexturedTriangle& made = now.primary->textured_triangles.back();
  const size_t turn = size_t(std::ranges::find(made.positions, q.positions[1]) - made.positions.begin());
  ASSERT_LT(turn, 3u);
  for (size_t i = 0; i < 3; ++i) {
    const size_t to = (i + turn) % 3;
    half.positions[to] = q.positions[corners[i]], half.normals[to] = q.normals[corners[i]];
    half.uvs[to] = q.uvs[corners[i]];
  }
  half.clut_unk_15 = q.clut_unk_15, half.clut_y = q.clut_y, half.palette = q.palette, half.page_unk_9 = q.page_unk_9;
  half.color_depth = q.color_depth, half.blend = q.blend, half.page_y = q.page_y, half.image = q.image;
  half.page = q.page, half.tile = q.tile, half.render = q.render;
  expected.primary->textured_quads.erase(expected.primary->textured_quads.begin() + k_quad.index);
  expected.primary->textured_triangles.push_back(half);
  expected.settle();
  EXPECT_EQ(bytes_of(now), bytes_of(expected));
}

TEST(FftFromScene, MatchesTrianglesWithACutCorner) {
  const Mesh m = valley_mesh();
  Scene s = shown(m);
  // Both triangles of the quad share corner 1. Another program has cut that corner off, so its vertices have no source.
  at_corner(s, m, k_quad, 0, [](scene::Primitive& p, size_t i) { p.positions[i][1] += 9; });
  at_corner(s, m, k_quad, 3, [](scene::Primitive& p, size_t i) { p.positions[i][1] += 9; });
  at_corner(s, m, k_quad, 1, [](scene::Primitive& p, size_t i) { p.sources[i] = k_no_source; });
  Mesh now = m, expected = m;
  quad(expected).positions[0].y -= 9, quad(expected).positions[3].y -= 9;
  EXPECT_EQ(apply_scene(now, s).changed, 1u);
  EXPECT_EQ(bytes_of(now), bytes_of(expected));
}

TEST(FftFromScene, OverlappingMergedPolygonsKeepTheirTexels) {
  Mesh m = valley_mesh();
  const TexturedQuad& below = quad(m);
  TexturedTriangle above{};
  for (size_t i = 0; i < 3; ++i) above.positions[i] = below.positions[i], above.normals[i] = below.normals[i];
  above.uvs = {Uv{1, 2}, Uv{40, 2}, Uv{1, 50}};
  above.image = below.image, above.page = below.page, above.palette = below.palette;
  m.primary->textured_triangles.push_back(above);
  for (const bool last : {false, true}) {
    Scene s = shown(m);
    merge_vertices(s, last);
    Mesh now = m;
    const SceneImportResult taken = apply_scene(now, s);
    EXPECT_EQ(taken.changed, 0u);
    EXPECT_TRUE(taken.notes.empty()) << format_one_line(taken.notes[0]);
    EXPECT_EQ(bytes_of(now), bytes_of(m));
  }
}

TEST(FftFromScene, AppliesChangedPalettes) {
  const Mesh m = valley_mesh();
  const u8 palette = m.primary->textured_quads[k_quad.index].palette, other = palette == 5 ? 6 : 5;
  // The palette comes from the material's extras, or from its name alone.
  for (const bool with_extras : {true, false}) {
    Scene s = shown(m);
    scene::Primitive moved;
    scene::Mesh& mesh = s.meshes[s.nodes[node_of(s, "primary")].mesh];
    const u32 first = source_number(*geometry_of(m, 0), {k_quad.kind, k_quad.index, 0});
    for (scene::Primitive& p : mesh.primitives) {
      if (p.sources.empty() || std::ranges::find(p.sources, first) == p.sources.end()) continue;
      moved = p;
      const auto is_of_quad = [&](size_t t) { return p.sources[p.indices[t]] / 4 == first / 4; };
      std::vector<u32> rest;
      moved.indices.clear();
      for (size_t t = 0; t < p.indices.size(); t += 3)
        for (size_t k = 0; k < 3; ++k) (is_of_quad(t) ? moved.indices : rest).push_back(p.indices[t + k]);
      p.indices = rest;
    }
    scene::Material material = s.materials[moved.material];
    material.name = "palette " + std::to_string(other);
    material.extras = Value::object();
    if (with_extras) material.name = "water", material.extras.add("palette", other);
    moved.material = Index(s.materials.size());
    s.materials.push_back(material);
    mesh.primitives.push_back(moved);
    Mesh now = m, expected = m;
    quad(expected).palette = other;
    const SceneImportResult taken = apply_scene(now, s);
    EXPECT_EQ(taken.changed, 1u);
    EXPECT_TRUE(taken.notes.empty()) << format_one_line(taken.notes[0]);
    EXPECT_EQ(bytes_of(now), bytes_of(expected));
    // A new material has no palette: the polygon keeps its own.
    s.materials.back().name = "marble", s.materials.back().extras = {};
    now = m;
    const SceneImportResult lost = apply_scene(now, s);
    ASSERT_EQ(lost.notes.size(), 1u);
    EXPECT_EQ(lost.notes[0].id, "fft.scene-material");
    EXPECT_EQ(lost.notes[0].place.path, "primary.textured_quads[3]");
    EXPECT_EQ(bytes_of(now), bytes_of(m));
  }
}

TEST(FftFromScene, NotesPaintedVertexColors) {
  const Mesh m = valley_mesh();
  ASSERT_TRUE(m.lights);
  Scene s = shown(m);
  const u64 painted = at_corner(s, m, k_quad, 1, [](scene::Primitive& p, size_t i) {
    if (p.colors.empty()) p.colors.assign(p.positions.size(), {1, 1, 1, 1});
    p.colors[i] = {0.9f, 0.1f, 0.1f, 1};
  });
  ASSERT_GT(painted, 0u);
  Mesh now = m;
  const SceneImportResult taken = apply_scene(now, s);
  ASSERT_EQ(taken.notes.size(), 1u);
  EXPECT_EQ(taken.notes[0].id, "fft.scene-colors");
  EXPECT_EQ(taken.notes[0].place.path, "primary.textured_quads[3], corner 1");
  EXPECT_EQ(bytes_of(now), bytes_of(m));
}

TEST(FftFromScene, NotesIgnoredPointsAndLines) {
  const Mesh m = valley_mesh();
  Scene s = shown(m);
  s.meshes.push_back({"fence", {{.shape = scene::Primitive::Shape::lines, .positions = {{0, 0, 0}, {1, 0, 0}}}}});
  s.nodes.push_back({.name = "fence", .mesh = Index(s.meshes.size() - 1), .extras = {}});
  Mesh now = m;
  const SceneImportResult taken = apply_scene(now, s);
  ASSERT_EQ(taken.notes.size(), 1u);
  EXPECT_EQ(taken.notes[0].id, "fft.scene-new");
  EXPECT_EQ(taken.notes[0].message, "1 primitive of points or lines is ignored");
}

TEST(FftFromScene, RejectsPositionsOutOfRange) {
  const Mesh m = valley_mesh();
  Scene s = shown(m);
  at_corner(s, m, {0, PolygonKind::textured_quad, 0}, 0, [](scene::Primitive& p, size_t i) { p.positions[i][1] = 40; });
  at_corner(s, m, k_quad, 0, [](scene::Primitive& p, size_t i) { p.positions[i][1] = -40000; });
  EXPECT_THAT(refused(m, s), HasSubstr("fft.scene-range: primary.textured_quads[3].positions[0]: position "));
  at_corner(s, m, k_quad, 0, [](scene::Primitive& p, size_t i) { p.positions[i][1] = 3e38f; });
  EXPECT_THAT(refused(m, s), HasSubstr("fft.scene-range"));
}

TEST(FftFromScene, KeepsPolygonsMissingFromTheScene) {
  const Mesh m = valley_mesh();
  Scene s = shown(m);
  const Index sails = node_of(s, "animated_2");
  s.nodes[sails].mesh = scene::k_none;
  Mesh now = m;
  const auto taken = apply_scene(now, s);
  EXPECT_EQ(taken.changed, 0u);
  ASSERT_EQ(taken.notes.size(), 1u);
  EXPECT_EQ(taken.notes[0].id, "fft.scene-missing");
  EXPECT_EQ(taken.notes[0].severity, Severity::hint);
  EXPECT_EQ(bytes_of(now), bytes_of(m));
}

TEST(FftFromScene, MatchesByPositionWithoutSources) {
  Mesh m = valley_mesh();
  Scene s = shown(m);
  for (scene::Mesh& mesh : s.meshes)
    for (scene::Primitive& p : mesh.primitives) p.sources.clear();
  const Bytes before = bytes_of(m);
  const SceneImportResult taken = apply_scene(m, s);
  EXPECT_EQ(taken.unchanged, all_polygons(m));
  EXPECT_TRUE(taken.notes.empty()) << format_one_line(taken.notes[0]);
  EXPECT_EQ(bytes_of(m), before);
  EXPECT_THAT(refused(m, Scene{}), HasSubstr("scene.source"));
}

TEST(FftFromScene, KeepsNormalsOfBentPolygonsWithoutSources) {
  const Mesh m = valley_mesh();
  for (const bool with_sources : {true, false}) {
    Scene s = shown(m);
    for (u32 corner = 0; corner < 4; ++corner)
      at_corner(s, m, k_quad, corner, [&](scene::Primitive& p, size_t i) {
        p.normals[i] = {0.6f, 0.8f, 0};  // Blender changes all normals of a face when one vertex moves
        if (corner == 1) p.positions[i][1] += 9;
      });
    for (scene::Mesh& mesh : s.meshes)
      for (scene::Primitive& p : mesh.primitives)
        if (!with_sources) p.sources.clear();
    Mesh now = m, expected = m;
    EXPECT_EQ(apply_scene(now, s).changed, 1u);
    quad(expected).positions[1].y -= 9;
    EXPECT_EQ(bytes_of(now) == bytes_of(expected), !with_sources);
  }
}

TEST(FftFromScene, RejectsScenesFromOtherFiles) {
  const Scene s = shown(valley_mesh());
  Mesh other = valley_mesh();
  other.primary->textured_quads.resize(5);
  EXPECT_THAT(refused(other, s), HasSubstr("scene.source: primary: _SOURCE names vertex "));
  Mesh less = valley_mesh();
  less.animated[1].reset();
  EXPECT_THAT(refused(less, s), HasSubstr("scene.source: animated_2"));
  // Two states of a map in one scene.
  Scene two = s;
  scene::Node twin = two.nodes[node_of(two, "primary")];
  twin.extras.add("file", "MAP001.15");
  two.nodes[node_of(two, "primary")].extras.add("file", "MAP001.9");
  two.nodes.push_back(twin);
  EXPECT_THAT(refused(valley_mesh(), two), HasSubstr("two files: MAP001.9 and MAP001.15"));
  two.nodes.pop_back();
  two.nodes[node_of(two, "animated_2")].extras.add("file", "MAP001.15");
  EXPECT_THAT(refused(valley_mesh(), two), HasSubstr("animated_2: the meshes are from two files"));
}

}  // namespace
