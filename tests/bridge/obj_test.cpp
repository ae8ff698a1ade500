// Wavefront OBJ files, with their materials.
#include "bridge/obj/obj.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <random>

#include "bridge/png/png.hpp"
#include "scene/math.hpp"
#include "scene/polygon_triangles.hpp"

namespace {

using namespace dio;
using namespace dio::scene;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

using Files = std::map<std::string, Bytes>;

Bytes bytes_of(std::string_view text) { return Bytes(text.begin(), text.end()); }

obj::Resolve resolver(const Files& files) {
  return [&files](const std::string& name) -> Result<Bytes> {
    const auto found = files.find(name);
    if (found == files.end()) return refuse("file.missing", Location::in_file(name), {.message = "no such file"});
    return found->second;
  };
}

LoadResult<Scene> read(std::string_view text, const Files& files = {}) {
  auto out = obj::read(bytes_of(text), resolver(files));
  EXPECT_TRUE(out.has_value()) << (out ? "" : format_one_line(out.error()));
  if (!out) return {};
  EXPECT_THAT(verify(out->document), IsEmpty());
  return *std::move(out);
}
std::string refusal(std::string_view text) {
  const auto out = obj::read(bytes_of(text));
  return out ? "" : format_one_line(out.error());
}

Bytes png_of(u32 width, u32 height, const std::vector<u8>& pixels) {
  return png::write_png(Image{.name = "", .width = width, .height = height, .palette = {}, .pixels = pixels});
}

constexpr std::string_view k_square = "v 0 0 0\nv 2 0 0\nv 2 0 -2\nv 0 0 -2\n";

TEST(Obj, ReadsAllFormsOfCorners) {
  const auto scene = read(std::string(k_square) + "vt 0 0\nvt 1 0\nvt 1 1\nvt 0 1\nvn 0 3 0\n" +
                          "f 1/1/1 2/2/1 3/3/1 \\\n 4/4/1\nf -4//1 -2//1 -1//1 # comment\n")
                         .document;
  ASSERT_THAT(scene.nodes, SizeIs(1));
  const Primitive& p = scene.meshes[0].primitives[0];
  EXPECT_EQ(p.indices.size(), 9u);  // a square and a triangle
  EXPECT_THAT(p.normals, testing::Each(Vec3{0, 1, 0}));
  EXPECT_THAT(p.positions, testing::Contains(Vec3{2, 0, -2}));
  // The origin is the lower left corner of the picture, in scenes the upper left one.
  const size_t first = size_t(std::ranges::find(p.positions, Vec3{0, 0, 0}) - p.positions.begin());
  EXPECT_EQ(p.uvs[first], (Vec2{0, 1}));
}

TEST(Obj, MakesNodesOfObjectsElseOfGroups) {
  const std::string square(k_square);
  const auto names = [](const Scene& s) {
    std::vector<std::string> out;
    for (const Node& n : s.nodes) out.push_back(n.name);
    return out;
  };
  EXPECT_THAT(names(read(square + "o road\ng left\nf 1 2 3\ng right\nf 1 3 4\n").document), ElementsAre("road"));
  EXPECT_THAT(names(read(square + "g left\nf 1 2 3\ng right\nf 1 3 4\ng left\nf 2 3 4\n").document),
              ElementsAre("left", "right"));
}

TEST(Obj, MakesPrimitivesOfMaterialsLinesAndPoints) {
  const auto scene =
      read(std::string(k_square) + "usemtl a\nf 1 2 3\nusemtl b\nf 1 3 4\nl 1 2 3 4\np 1 2\nusemtl a\nf 2 3 4\n")
          .document;
  const auto& parts = scene.meshes[0].primitives;
  ASSERT_THAT(parts, SizeIs(4));
  EXPECT_EQ(parts[0].indices.size(), 6u);
  EXPECT_EQ(scene.materials[parts[1].material].name, "b");
  EXPECT_EQ(parts[2].shape, Primitive::Shape::lines);
  EXPECT_EQ(parts[2].indices.size(), 6u);
  EXPECT_EQ(parts[3].shape, Primitive::Shape::points);
}

TEST(Obj, StartsObjectsWithoutMaterialUnlessItIsNew) {
  const auto scene = read(std::string(k_square) + "usemtl a\no one\nf 1 2 3\no two\nf 1 3 4\n").document;
  ASSERT_THAT(scene.meshes, SizeIs(2));
  EXPECT_EQ(scene.meshes[0].primitives[0].material, 0u);
  EXPECT_EQ(scene.meshes[1].primitives[0].material, k_none);
}

TEST(Obj, ReadsColoursOfVertices) {
  const auto scene = read("v 0 0 0 1 0.5 0\nv 1 0 0 1 1 1\nv 0 1 0 0 0 0\nf 1 2 3\n").document;
  const Vec4& color = scene.meshes[0].primitives[0].colors[0];
  EXPECT_EQ(color[0], 1);
  EXPECT_NEAR(color[1], srgb_to_linear(0.5f), 1e-6);
}

TEST(Obj, ReadsMaterialsWithPictures) {
  const Files files{
      {"mats/track.mtl",
       bytes_of("newmtl grass\nKd 0.5 0.5 0.5\nmap_Kd -s 2 4 1 -o 0.5 0 0 -clamp on C:\\art\\my grass.png\n"
                "newmtl leaf\nmap_Kd leaf.png\nmap_d mask.png\n"
                "newmtl glass\nKd 1 0 0\nTr 0.75\nKe 0 0.5 0\nillum 0\n"
                "newmtl lost\nmap_Kd gone.png\n")},
      {"my grass.png", png_of(1, 1, {10, 20, 30, 255})},
      {"leaf.png", png_of(2, 1, {10, 20, 30, 255, 1, 2, 3, 255})},
      {"mask.png", png_of(2, 1, {255, 255, 255, 255, 0, 0, 0, 255})}};
  const auto read_scene = read("mtllib mats/track.mtl\n" + std::string(k_square) +
                                   "vt 0 0\nusemtl grass\nf 1/1 2/1 3/1\nusemtl leaf\nf 1/1 2/1 3/1\n",
                               files);
  const Scene& scene = read_scene.document;
  ASSERT_THAT(scene.materials, SizeIs(4));
  const Material &grass = scene.materials[0], &leaf = scene.materials[1], &glass = scene.materials[2];
  ASSERT_NE(grass.texture, k_none);
  EXPECT_EQ(scene.images[scene.textures[grass.texture].image].name, "my grass");
  EXPECT_EQ(scene.textures[grass.texture].wrap_u, Texture::Wrap::clamp);
  EXPECT_EQ(grass.color, (Vec4{1, 1, 1, 1}));
  EXPECT_EQ(grass.transform.scale, (Vec2{2, 4}));
  EXPECT_EQ(grass.transform.offset, (Vec2{0.5f, -3}));
  EXPECT_EQ(leaf.alpha, Material::Alpha::mask);
  EXPECT_THAT(scene.images[scene.textures[leaf.texture].image].pixels, ElementsAre(10, 20, 30, 255, 1, 2, 3, 0));
  EXPECT_EQ(glass.alpha, Material::Alpha::blend);
  EXPECT_EQ(glass.color, (Vec4{1, 0, 0, 0.25f}));
  EXPECT_TRUE(glass.unlit);
  EXPECT_TRUE(glass.extras.find("emission"));
  ASSERT_THAT(read_scene.notes, SizeIs(1));
  EXPECT_THAT(read_scene.notes[0].message, HasSubstr("gone.png"));
  const auto named = obj::list_external_files(bytes_of("mtllib mats/track.mtl\n"), resolver(files));
  ASSERT_TRUE(named.has_value());
  EXPECT_THAT(*named, ElementsAre("mats/track.mtl", "my grass.png", "leaf.png", "mask.png", "gone.png"));
}

TEST(Obj, SaysWhatIsMissingOrWrong) {
  EXPECT_THAT(read(std::string(k_square) + "mtllib gone.mtl\nvp 1 2\nf 1 2 3\nf 1 2\n").notes, SizeIs(3));
  EXPECT_THAT(refusal("v 0 0 0\nf 1 1 2\n"), HasSubstr("line 2"));
  EXPECT_THAT(refusal("v 0 0 0\nf 1 1 0\n"), HasSubstr("line 2"));
  EXPECT_THAT(refusal("v 0 0 0\nf 1 1 -2\n"), HasSubstr("line 2"));
  EXPECT_THAT(refusal("\n\nv 0 nan 0\n"), HasSubstr("line 3"));
  EXPECT_THAT(refusal("v 0 1e99 0\n"), HasSubstr("line 1"));
  EXPECT_THAT(refusal("v 0 0\n"), HasSubstr("expected 3 numbers"));
  EXPECT_THAT(refusal(""), HasSubstr("no faces"));
}

// ---- cutting polygons ----

f64 area_2d(const Vec3& a, const Vec3& b, const Vec3& c) {
  return ((f64(b[0]) - a[0]) * (f64(c[1]) - a[1]) - (f64(b[1]) - a[1]) * (f64(c[0]) - a[0])) / 2;
}

TEST(PolygonTriangles, FillStarsOnce) {
  std::mt19937 random(7);
  for (int run = 0; run < 200; ++run) {
    const size_t n = 4 + random() % 30;
    std::vector<Vec3> star;  // seen from +Z, counterclockwise
    f64 area = 0;
    for (size_t i = 0; i < n; ++i) {
      const f64 angle = 2 * std::numbers::pi * f64(i) / f64(n), r = 1 + f64(random() % 1000) / 100;
      star.push_back({f32(r * std::cos(angle)), f32(r * std::sin(angle)), f32(random() % 3) / 10});
    }
    for (size_t i = 0; i < n; ++i) area += area_2d({0, 0, 0}, star[i], star[(i + 1) % n]);
    const auto triangles = triangulate_polygon(star);
    ASSERT_EQ(triangles.size(), n - 2);
    f64 filled = 0;
    for (const auto& [a, b, c] : triangles) {
      EXPECT_GE(area_2d(star[a], star[b], star[c]), 0) << "run " << run;
      filled += area_2d(star[a], star[b], star[c]);
    }
    EXPECT_NEAR(filled, area, 1e-3 * area);
    std::ranges::reverse(star);  // seen from below: the winding stays
    for (const auto& [a, b, c] : triangulate_polygon(star)) EXPECT_LE(area_2d(star[a], star[b], star[c]), 0);
  }
}

TEST(PolygonTriangles, CutsBowTiesAndFlatPolygonsSomehow) {
  EXPECT_THAT(triangulate_polygon(std::vector<Vec3>{{0, 0, 0}, {1, 1, 0}, {1, 0, 0}, {0, 1, 0}}), SizeIs(2));
  EXPECT_THAT(triangulate_polygon(std::vector<Vec3>(5, Vec3{1, 2, 3})), SizeIs(3));
  EXPECT_THAT(triangulate_polygon(std::vector<Vec3>(2000, Vec3{1, 2, 3})), SizeIs(1998));
  EXPECT_THAT(triangulate_polygon(std::vector<Vec3>(2, Vec3{1, 2, 3})), IsEmpty());
}

}  // namespace
