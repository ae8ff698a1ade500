#include "bridge/raster/compare.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "scene/units.hpp"

namespace {

using namespace dio;
using namespace dio::scene;
using namespace dio::raster;

/// Two nodes, each with a quad of its own material.
Scene two_quads() {
  Scene s;
  s.materials = {{.name = "red", .color = {1, 0, 0, 1}, .double_sided = true, .extras = {}},
                 {.name = "blue", .color = {0, 0, 1, 1}, .double_sided = true, .extras = {}}};
  for (u32 i = 0; i < 2; ++i) {
    Primitive p;
    p.material = i;
    p.positions = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
    p.indices = {0, 1, 2, 0, 2, 3};
    s.meshes.push_back({"mesh", {p}});
    s.nodes.push_back({.name = i ? "right" : "left", .translation = {f32(i) * 3, 0, 0}, .mesh = i, .extras = {}});
  }
  return s;
}

Comparison compared(const Scene& a, const Scene& b) {
  EXPECT_TRUE(verify(a).empty());
  EXPECT_TRUE(verify(b).empty());
  auto out = compare(a, evaluate_pose(a, {}), b, evaluate_pose(b, {}));
  EXPECT_TRUE(verify(out.marked).empty());
  return out;
}
void expect(const Scene& a, const Scene& b, u64 same, u64 changed, u64 added, u64 removed) {
  const Differences d = compared(a, b).found;
  EXPECT_EQ(d.same, same);
  EXPECT_EQ(d.changed, changed);
  EXPECT_EQ(d.added, added);
  EXPECT_EQ(d.removed, removed);
}

TEST(Compare, IgnoresStorageOrderAndNames) {
  const Scene a = two_quads();
  Scene b = a;
  // Change every order and name, start triangles at another corner, and bake a transform into positions.
  std::swap(b.materials[0], b.materials[1]);
  std::swap(b.nodes[0], b.nodes[1]);
  for (Mesh& m : b.meshes) m.name = "other", m.primitives[0].material ^= 1;
  for (Node& n : b.nodes) n.name += " renamed";
  b.meshes[0].primitives[0].indices = {2, 3, 0, 1, 2, 0};
  for (Vec3& v : b.meshes[1].primitives[0].positions) v[0] += 3;
  for (Node& n : b.nodes)
    if (n.mesh == 1) n.translation = {0, 0, 0};
  expect(a, b, 4, 0, 0, 0);
  // Ignore noise below a millionth of the size, even at the boundary between two rounding steps.
  for (Vec3& v : b.meshes[0].primitives[0].positions) v[1] += 1e-7f;
  expect(a, b, 4, 0, 0, 0);
  // A flipped triangle is a different triangle.
  std::swap(b.meshes[0].primitives[0].indices[0], b.meshes[0].primitives[0].indices[1]);
  EXPECT_EQ(compared(a, b).found.same, 3u);
}

TEST(Compare, DistinguishesMovedNodesFromNewOnes) {
  const Scene a = two_quads();
  Scene moved = a;
  moved.nodes[1].translation[1] = 5;
  expect(a, moved, 2, 2, 0, 0);
  // Nodes match by their path in the file, even if renamed.
  Scene with_path = a, path_moved = moved;
  for (Scene* s : {&with_path, &path_moved}) s->nodes[1].extras.add("path", "objects[3]");
  path_moved.nodes[1].name = "another";
  expect(with_path, path_moved, 2, 2, 0, 0);
  path_moved.nodes[1].extras = {};
  path_moved.nodes[1].extras.add("path", "objects[4]");
  expect(with_path, path_moved, 2, 0, 2, 2);

  Scene fewer = a;
  fewer.nodes.pop_back();
  expect(a, fewer, 2, 0, 0, 2);
  expect(fewer, a, 2, 0, 2, 0);
  expect({}, a, 0, 0, 4, 0);
  // An element inserted in front is new; the later ones are not new, although their paths changed.
  Scene first = a;
  first.nodes.insert(first.nodes.begin(), {.name = "new", .translation = {9, 0, 0}, .mesh = 0, .extras = {}});
  expect(a, first, 4, 0, 2, 0);
}

TEST(Compare, MatchesTrianglesByVertexSources) {
  Scene a = two_quads();
  a.meshes[0].primitives[0].sources = {10, 11, 12, 13};
  Scene b = a;
  // One triangle is removed and the other moves: its sources identify it, its index would not.
  b.meshes[0].primitives[0].indices = {2, 3, 0};
  b.meshes[0].primitives[0].positions[3] = {0, 4, 0};
  expect(a, b, 2, 1, 0, 1);
}

TEST(Compare, DetectsChangedAppearance) {
  Scene a = two_quads();
  a.images = {{"i", 1, 1, 8, {}, {10, 20, 30, 255}}};
  a.textures.resize(1);
  a.textures[0].image = 0;
  a.materials[1].texture = 0;
  a.meshes[1].primitives[0].uvs = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
  expect(a, a, 4, 0, 0, 0);
  const auto differs = [&](const auto& change) {
    Scene b = a;
    change(b);
    expect(a, b, 2, 2, 0, 0);
  };
  differs([](Scene& b) { b.images[0].pixels[0] = 11; });
  differs([](Scene& b) { b.materials[1].color[1] = 0.5f; });
  differs([](Scene& b) { b.materials[1].alpha = Material::Alpha::blend; });
  differs([](Scene& b) { b.textures[0].wrap_u = Texture::Wrap::clamp; });
  differs([](Scene& b) { b.meshes[1].primitives[0].uvs[0][0] = b.meshes[1].primitives[0].uvs[2][0] = 0.25f; });
  differs([](Scene& b) { b.meshes[1].primitives[0].colors.assign(4, {0.5f, 1, 1, 1}); });
  // The same image with a palette, and normals that no light uses.
  Scene b = a;
  b.images[0] = {"palette", 1, 1, 2, {{10, 20, 30, 255}}, {0}};
  b.meshes[1].primitives[0].normals.assign(4, {0, 0, 1});
  expect(a, b, 4, 0, 0, 0);
}

/// Counts the pixels with roughly this color.
u64 count(const Image& image, const auto& is) {
  u64 n = 0;
  for (size_t i = 0; i < image.pixels.size(); i += 4)
    n += is(image.pixels[i], image.pixels[i + 1], image.pixels[i + 2], image.pixels[i + 3]);
  return n;
}

TEST(Compare, DrawsBothScenesWithTheSameCamera) {
  const Scene a = two_quads();
  Scene b = a;
  b.nodes[1].translation[1] = 2;
  RenderOptions shot;
  shot.camera = "0,0";
  shot.options.width = shot.options.height = 100;
  const auto p = render_comparison(a, b, shot);
  ASSERT_TRUE(p);
  EXPECT_TRUE(p->is_visible());
  const auto red = [](int r, int g, int, int alpha) { return alpha && r > 200 && g < 50; };
  EXPECT_GT(count(p->a, red), 100u);
  for (size_t i = 0; i < p->a.pixels.size(); i += 4) {  // equal parts cover the same pixels
    const auto is_red = [&](const Image& image) {
      return red(image.pixels[i], image.pixels[i + 1], 0, image.pixels[i + 3]);
    };
    ASSERT_EQ(is_red(p->a), is_red(p->b));
  }
  const auto blue = [](int r, int, int bl, int alpha) { return alpha && bl > 200 && r < 50; };
  EXPECT_EQ(count(p->a, blue), count(p->b, blue));  // both scenes are entirely in their pictures
  const auto yellow = [](int r, int g, int bl, int alpha) { return alpha > 200 && r > g && g > bl + 60; };
  EXPECT_NEAR(f64(count(p->marked, yellow)), f64(count(p->b, blue)), 40);

  const auto equal = render_comparison(a, a, shot);
  ASSERT_TRUE(equal);
  EXPECT_FALSE(equal->is_visible());
  EXPECT_EQ(equal->a.pixels, equal->b.pixels);
  EXPECT_EQ(count(equal->marked, yellow), 0u);
  // Only metres matter, not units.
  Scene other = a;
  convert_units(other, 0.1f);
  const auto scaled = render_comparison(a, other, shot);
  ASSERT_TRUE(scaled);
  EXPECT_FALSE(scaled->found.any());
  // The background changes the picture although all triangles are equal.
  Scene lit = a;
  lit.background = {1, 1, 1, 1};
  const auto background = render_comparison(a, lit, shot);
  ASSERT_TRUE(background);
  EXPECT_FALSE(background->found.any());
  EXPECT_TRUE(background->is_visible());
  shot.camera = "nose";
  EXPECT_FALSE(render_comparison(a, b, shot));
  shot.camera = "eye";
  Scene seen = a;
  seen.cameras = {{.name = "eye"}};
  seen.nodes.push_back({.name = "at", .translation = {0, 0, 9}, .camera = 0, .extras = {}});
  EXPECT_TRUE(render_comparison(a, seen, shot));
  EXPECT_TRUE(render_comparison(seen, a, shot));
}

TEST(Compare, PairsTexturesByName) {
  const auto picture = [](u8 value, u32 width = 2) {
    return Image{"", width, 1, 8, {}, std::vector<u8>(width * 4, value)};
  };
  const std::vector<LabelledImage> a = {{"same", picture(255)}, {"other", picture(255)}, {"gone", picture(255)}};
  Image half = picture(255);
  half.pixels[4] = 0;
  const std::vector<LabelledImage> b = {{"new", picture(200)}, {"other", half}, {"same", picture(255)}};
  const ComparedTextures c = compare_textures(a, b);
  EXPECT_EQ(c.same, 1u);
  EXPECT_EQ(c.changed, 1u);
  EXPECT_EQ(c.added, 1u);
  EXPECT_EQ(c.removed, 1u);
  ASSERT_EQ(c.cells.size(), 9u);
  EXPECT_EQ(c.cells[0].label, "other");
  const Image& marks = c.cells[2].image;  // the first pixel grey, the second marked
  EXPECT_EQ(marks.pixels[0], marks.pixels[2]);
  EXPECT_NE(marks.pixels[4], marks.pixels[6]);
  EXPECT_EQ(c.cells[3].label, "gone");
  EXPECT_TRUE(c.cells[4].image.pixels.empty());
  EXPECT_EQ(c.cells[7].label, "new");
}

TEST(Compare, ComparesDeeplyNestedScenes) {
  // The full path of the deepest node would be about 100 kB long.
  Scene a = two_quads();
  for (u32 i = 0; i < 20'000; ++i)
    a.nodes.push_back({.name = "deeper", .parent = i ? u32(a.nodes.size() - 1) : k_none, .extras = {}});
  a.nodes.back().mesh = 0;
  Scene b = a;
  b.nodes.back().translation = {0, 5, 0};
  expect(a, b, 4, 2, 0, 0);
}

TEST(Compare, PairsManyTrianglesOfOneElement) {
  Scene a = two_quads();
  Primitive& p = a.meshes[0].primitives[0];
  p.positions.clear(), p.indices.clear();
  constexpr u32 k_faces = 60'000;
  for (u32 i = 0; i < k_faces; ++i)
    for (const Vec3& v : {Vec3{0, 0, 0}, Vec3{1, 0, 0}, Vec3{1, 1, 0}})
      p.positions.push_back({v[0], v[1] + f32(i), v[2]});
  p.sources.assign(p.positions.size(), 7);
  Scene b = a;
  for (Vec3& v : b.meshes[0].primitives[0].positions) v[2] += 50;
  expect(a, b, 2, k_faces, 0, 0);
  // Triangles without sources are matched by index: the second one moved.
  p.positions.resize(6), p.sources.assign(6, (1u << 24) - 1);
  b = a;
  Primitive& moved = b.meshes[0].primitives[0];
  for (size_t i = 3; i < 6; ++i) moved.positions[i][0] += 9;
  for (size_t i = 0; i < 3; ++i) moved.positions[i][2] += 1;
  const Comparison c = compared(a, b);
  EXPECT_EQ(c.found.changed, 2u);
  b.meshes[0].primitives[0].positions.erase(moved.positions.begin(), moved.positions.begin() + 3);
  b.meshes[0].primitives[0].sources.resize(3);
  expect(a, b, 2, 0, 1, 2);  // a different number of triangles: no match
}

TEST(Compare, ShortensNamesAtStartAndSentencesAtEnd) {
  SheetOptions options;
  options.cell_width = 320, options.cell_height = 1;  // room for 26 letters
  const std::string head(30, 'l'), tail(30, 'M');
  const auto row = [&](const std::string& label, bool is_sentence) {
    return draw_labelled_row({{label, {}, is_sentence}}, options).pixels;
  };
  EXPECT_EQ(row(head + tail, false), row(head + head + tail, false));
  EXPECT_NE(row(head + tail, false), row(head + head, false));
  EXPECT_EQ(row(head + tail, true), row(head + tail + tail, true));
  EXPECT_NE(row(head + tail, true), row(tail + tail, true));
}

}  // namespace
