// make_test.cpp: BRRES files built from scenes.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <numbers>
#include <set>

#include "console/wii/cmpr.hpp"
#include "console/wii/texels.hpp"
#include "core/json.hpp"
#include "formats/brres/from_scene/material_builder.hpp"
#include "formats/brres/from_scene/shape_builder.hpp"
#include "formats/brres/layout/placement.hpp"
#include "formats/brres/parts.hpp"
#include "formats/brres/pictures/texture_builder.hpp"
#include "formats/brres/scene/bone_matrices.hpp"
#include "formats/brres/scene/surfaces.hpp"
#include "formats/brres/scene/vertices.hpp"
#include "formats/contract/building.hpp"
#include "formats/contract/format.hpp"
#include "layout/document.hpp"
#include "operations/operations.hpp"
#include "samples/brres/files.hpp"
#include "samples/samples.hpp"
#include "scene/transforms.hpp"
#include "scene/triangle_indices.hpp"

namespace dio::brres {
namespace {

scene::Scene shown_scene(const Brres& file) {
  auto staged = to_scene(file, false);
  EXPECT_TRUE(staged);
  return std::move(staged->scene);
}

/// Each triangle with its material, in the space of the scene: corners from the smallest one.
std::multiset<std::pair<std::string, std::array<std::array<i64, 5>, 3>>> triangles_of(const scene::Scene& s) {
  std::multiset<std::pair<std::string, std::array<std::array<i64, 5>, 3>>> out;
  const auto places = scene::world_transforms(s);
  for (size_t n = 0; n < s.nodes.size(); ++n) {
    if (s.nodes[n].mesh == scene::k_none) continue;
    for (const scene::Primitive& p : s.meshes[s.nodes[n].mesh].primitives) {
      const auto corners = triangle_indices(p);
      for (size_t i = 0; i + 2 < corners.size(); i += 3) {
        std::array<std::array<i64, 5>, 3> t{};
        for (size_t k = 0; k < 3; ++k) {
          const auto& v = p.positions[corners[i + k]];
          scene::Point at{v[0], v[1], v[2]};
          if (s.nodes[n].skin == scene::k_none) at = places[n] * at;
          for (size_t c = 0; c < 3; ++c) t[k][c] = std::llround(at[c] * 64);
          if (!p.uvs.empty())
            for (size_t c = 0; c < 2; ++c) t[k][3 + c] = std::llround(p.uvs[corners[i + k]][c] * 64);
        }
        std::rotate(t.begin(), std::ranges::min_element(t), t.end());
        out.insert({p.material == scene::k_none ? "" : s.materials[p.material].name, t});
      }
    }
  }
  return out;
}
std::string findings_of(const Bytes& bytes) {
  const auto opened = open(bytes, "made.brres");
  EXPECT_TRUE(opened);
  std::string out;
  for (const Diagnostic& d : check(*opened)) out += format_one_line(d) + "\n";
  return out;
}

TEST(BrresMake, SamplesComeBackWithTheSameTriangles) {
  for (const Sample& sample : samples_of(*find_format("brres"))) {
    const auto file = load<Brres>(sample.bytes);
    if (file->document.value().models.empty()) continue;
    const scene::Scene before = shown_scene(file->document.value());
    const auto made = make_model(before, {});
    ASSERT_TRUE(made) << sample.name;
    EXPECT_EQ(findings_of(made->files[0].bytes), "") << sample.name;
    const Brres again = load<Brres>(made->files[0].bytes)->document.value();
    const scene::Scene after = shown_scene(again);
    EXPECT_EQ(triangles_of(after), triangles_of(before)) << sample.name;
    ASSERT_EQ(again.models.size(), file->document.value().models.size());
    EXPECT_EQ(again.models[0].name, file->document.value().models[0].name);
    std::set<std::string> bones, bones_before;
    for (const Bone& b : again.models[0].bones) bones.insert(b.name);
    for (const Bone& b : file->document.value().models[0].bones) bones_before.insert(b.name);
    EXPECT_TRUE(std::ranges::includes(bones, bones_before)) << sample.name;
    for (size_t i = 0; i < before.materials.size() && i < after.materials.size(); ++i) {
      const auto same = std::ranges::find(after.materials, before.materials[i].name, &scene::Material::name);
      ASSERT_NE(same, after.materials.end());
      EXPECT_EQ(same->alpha, before.materials[i].alpha);
      EXPECT_EQ(same->double_sided, before.materials[i].double_sided);
      for (size_t k = 0; k < 2; ++k) {
        EXPECT_NEAR(same->transform.offset[k], before.materials[i].transform.offset[k], 1e-4);
        EXPECT_NEAR(same->transform.scale[k], before.materials[i].transform.scale[k], 1e-4);
      }
      for (size_t k = 0; k < 4; ++k) EXPECT_NEAR(same->color[k], before.materials[i].color[k], 0.01);
    }
  }
}

/// A flat strip of squares along x, `count` of them.
ShapeGeometry strip_of_squares(u32 count, f32 size) {
  ShapeGeometry g;
  g.name = "strip";
  for (u32 i = 0; i < count; ++i) {
    const f32 x = f32(i) * size;
    const ShapeVertex a{{x, 0, 0}}, b{{x + size, 0, 0}}, c{{x + size, 0, size}}, d{{x, 0, size}};
    for (const ShapeVertex& v : {a, d, c, a, c, b}) g.vertices.push_back(v);
  }
  return g;
}
/// The triangles that a shape draws, as corners of its position list.
std::vector<std::array<std::array<f32, 4>, 3>> drawn(const Model& m) {
  std::vector<std::array<std::array<f32, 4>, 3>> out;
  const VertexReader reader(m, m.shapes[0]);
  const auto end = reader.for_each_primitive([&](u8 kind, std::span<const Vertex> v) {
    for (size_t i = 0; i + 2 < v.size(); i += kind == gx::strip ? 1 : 3) {
      const bool is_odd = kind == gx::strip && i % 2;
      const size_t order[3] = {i + is_odd, i + !is_odd, i + 2};
      std::array<std::array<f32, 4>, 3> t;
      for (size_t k = 0; k < 3; ++k) t[k] = reader.value(k_position, v[order[k]]).value();
      out.push_back(t);
    }
  });
  EXPECT_EQ(end.end, VertexReader::End::good);
  return out;
}

TEST(BrresMake, LongStripsKeepTheirDirection) {
  for (const u32 count : {1u, 3u, 30'000u}) {
    Model m;
    add_shape(m, strip_of_squares(count, 1));
    const auto all = drawn(m);
    ASSERT_EQ(all.size(), 2 * count);
    EXPECT_EQ(m.shapes[0].triangle_count, 2 * count);
    for (const auto& t : all) {  // clockwise from above: the console's front
      const f32 turn = (t[1][2] - t[0][2]) * (t[2][0] - t[0][0]) - (t[1][0] - t[0][0]) * (t[2][2] - t[0][2]);
      ASSERT_LT(turn, 0) << count;
    }
  }
}

TEST(BrresMake, NumbersHaveTheSmallestExactType) {
  const auto type_of = [](f32 size) {
    Model m;
    add_shape(m, strip_of_squares(2, size));
    return std::pair(m.positions[0].type, m.positions[0].divisor);
  };
  EXPECT_EQ(type_of(1), std::pair(0u, u8(0)));
  EXPECT_EQ(type_of(0.25f), std::pair(0u, u8(2)));
  EXPECT_EQ(type_of(1000), std::pair(2u, u8(0)));
  EXPECT_EQ(type_of(0.1f).first, 4u);
}

TEST(BrresMake, TextureCoordinatesAreRoundedIfThatIsInvisible) {
  const auto error_of = [](u32 texture, f32 uv) {
    ShapeGeometry g = strip_of_squares(1, 1);
    g.has_uvs = true, g.texture_size = texture;
    for (ShapeVertex& v : g.vertices) v.uv = {uv, 0.1f};
    Model m;
    const f64 error = add_shape(m, g);
    return std::pair(error, m.texcoords[0].type);
  };
  EXPECT_EQ(error_of(64, 0.3f).second, 3u);
  EXPECT_LE(error_of(64, 0.3f).first, 1.0 / 8);
  EXPECT_GT(error_of(64, 0.3f).first, 0);
  EXPECT_EQ(error_of(1024, 900.3f), std::pair(0.0, 4u));  // too coarse in 16 bits
}

TEST(BrresMake, ManyMatricesAreLoadedInTurns) {
  ShapeGeometry g = strip_of_squares(100, 1);
  g.matrix = -1;
  for (size_t i = 0; i < g.vertices.size(); ++i) g.vertices[i].matrix = u16(i / 7 % 35);
  Model m;
  add_shape(m, g);
  EXPECT_EQ(m.shapes[0].matrices.size(), 35u);
  // Each vertex has the matrix that it had.
  std::multiset<std::pair<std::array<f32, 3>, i32>> expected, found;
  for (const ShapeVertex& v : g.vertices) expected.insert({v.position, v.matrix});
  const VertexReader reader(m, m.shapes[0]);
  reader.for_each_primitive([&](u8 kind, std::span<const Vertex> v) {
    for (size_t i = 0; i + 2 < v.size(); i += kind == gx::strip ? 1 : 3)
      for (size_t k = 0; k < 3; ++k) {
        const auto p = reader.value(k_position, v[i + k]).value();
        found.insert({{p[0], p[1], p[2]}, v[i + k].matrix});
      }
  });
  EXPECT_EQ(found, expected);
}

TEST(BrresMake, TexturesGetPowersOfTwoAndMipmaps) {
  scene::Image image;
  image.width = 100, image.height = 60;
  for (u32 i = 0; i < 6000; ++i)
    for (const u32 c : {i % 256, i / 100 * 4 % 256, 128u, 255u}) image.pixels.push_back(u8(c));
  const BuiltTexture built = build_texture("wall", image, {});
  EXPECT_TRUE(built.is_resized);
  EXPECT_EQ(built.texture.width, 128);
  EXPECT_EQ(built.texture.height, 64);
  EXPECT_EQ(built.texture.format, 14u);
  EXPECT_EQ(built.texture.level_count, 4u);  // 64, 32, 16, 8
  EXPECT_EQ(built.texture.texels.size(), wii::texture_size_bytes(wii::TexelFormat::cmpr, 128, 64, 4));
  EXPECT_EQ(build_texture("wall", image, {{}, 32, false}).texture.width, 32);
  for (size_t i = 3; i < image.pixels.size(); i += 4) image.pixels[i] = u8(i);
  EXPECT_EQ(build_texture("wall", image, {}).texture.format, 5u);  // RGB5A3: partly transparent
}

TEST(BrresMake, MaterialsLookAsTheySay) {
  scene::Texture texture{.name = "t", .image = 0, .wrap_u = scene::Texture::Wrap::clamp, .nearest = false};
  for (const auto alpha : {scene::Material::Alpha::opaque, scene::Material::Alpha::mask, scene::Material::Alpha::blend})
    for (const bool colors : {false, true})
      for (const bool textured : {false, true}) {
        scene::Material m{
            .name = "m", .color = {0.5f, 0.25f, 1, 1}, .double_sided = colors, .alpha = alpha, .alpha_cutoff = 0.25f};
        m.transform = {{0.25f, 0.5f}, 0, {2, 3}};
        MaterialUse use;
        use.name = "m", use.texture = textured ? "t" : "", use.has_vertex_colors = colors;
        const BuiltMaterial built = build_material(m, &texture, use);
        const Surface seen = analyze_material(built.material, &built.shader);
        EXPECT_EQ(seen.alpha, alpha);
        if (alpha == scene::Material::Alpha::mask) EXPECT_NEAR(seen.alpha_cutoff, 0.25f, 0.01);
        EXPECT_EQ(seen.sampler.has_value(), textured);
        EXPECT_EQ(seen.has_vertex_colors, colors);
        if (!colors) EXPECT_NEAR(scene::srgb_to_linear(seen.color())[1], 0.25f, 0.01);
        if (textured) {
          EXPECT_NEAR(seen.transform.offset[0], 0.25f, 1e-5);
          EXPECT_NEAR(seen.transform.offset[1], 0.5f, 1e-5);
          EXPECT_EQ(seen.transform.scale, (scene::Vec2{2, 3}));
        }
        EXPECT_EQ(built.material.commands.size(), 0x180u);
        EXPECT_EQ(built.shader.commands.size(), 0x1E0u);
      }
}

TEST(BrresMake, EmittedLightIsSeen) {
  scene::Material m{.name = "lamp", .color = {0, 0.5f, 0, 0.5f}};
  Value light = Value::list();
  for (const f64 x : {1.0, 0.25, 3.0}) light.push(x);
  m.extras = Value::object();
  m.extras.add("emission", light);
  EXPECT_EQ(unlit_color(m), (scene::Vec4{1, 0.5f, 1, 0.5f}));
  const BuiltMaterial built = build_material(m, nullptr, {.name = "lamp", .texture = {}});
  EXPECT_EQ(built.material.channels[0].material, (std::array<u8, 4>{255, 188, 255, 128}));
}

TEST(BrresMake, CmprBlocksAreCloseToTheirPictures) {
  const auto error_of = [](const std::array<scene::Rgba, 16>& pixels) {
    std::array<u8, 8> block;
    wii::encode_cmpr_block(pixels, block.data());
    const auto colors = wii::decode_cmpr_colors(block.data());
    u64 error = 0;
    for (size_t i = 0; i < 16; ++i) {
      const scene::Rgba& c = colors[block[4 + i / 4] >> (6 - i % 4 * 2) & 3];
      EXPECT_EQ(c[3] >= 128, pixels[i][3] >= 128);
      if (pixels[i][3] >= 128)
        for (size_t k = 0; k < 3; ++k) error += u64((i32(c[k]) - pixels[i][k]) * (i32(c[k]) - pixels[i][k]));
    }
    return error;
  };
  std::array<scene::Rgba, 16> two{}, ramp{}, holes{};
  for (u32 i = 0; i < 16; ++i) {
    two[i] = i % 3 ? scene::Rgba{255, 0, 0, 255} : scene::Rgba{0, 0, 255, 255};
    ramp[i] = {u8(16 * i), u8(8 * i), 64, 255};
    holes[i] = {90, 90, 90, u8(i % 2 * 255)};
  }
  EXPECT_EQ(error_of(two), 0u);
  EXPECT_LT(error_of(ramp), 16u * 3 * 20 * 20);
  EXPECT_LT(error_of(holes), 16u * 3 * 5 * 5);
}

TEST(BrresLayout, NamesBeyondTheFileAreKeptAsOffsets) {
  Brres file = placed(hill());
  file.models[0].program_dictionary.root.name_offset = 0x100000;  // games never read the names of root entries
  file.root.root.name_offset = 0x7FFFFFF0;
  Document<Brres> d;
  d.edit() = std::move(file);
  const Bytes bytes = *save(d);
  const auto opened = open(bytes, "root.brres");
  ASSERT_TRUE(opened) << format_one_line(opened.error());
  EXPECT_EQ(value_of<Brres>(*opened->document).root.root.name_offset, 0x7FFFFFF0);
  const auto verified = verify(*opened, json::round_trip_as_json());
  EXPECT_TRUE(verified.identical()) << verified.problem;
  EXPECT_EQ(findings_of(bytes), "");
}

TEST(BrresMake, NoPositionHasTheIndexThatTheConsoleSkips) {
  for (const u32 squares : {126u, 127u, 128u}) {  // 254, 256, 258 positions
    Model m;
    add_shape(m, strip_of_squares(squares, 1));
    const VertexReader reader(m, m.shapes[0]);
    const bool is_byte = reader.source(k_position).how == AttributeSource::AttributeMode::index8;
    EXPECT_EQ(is_byte, m.positions[0].count <= 255) << squares;
  }
}

/// Two bones, the second one a metre up; one triangle that follows both.
scene::Scene bent(const scene::Vec4& weights) {
  scene::Scene s;
  s.nodes.resize(3);
  s.nodes[0].name = "low", s.nodes[1].name = "high", s.nodes[1].parent = 0, s.nodes[1].translation = {0, 1, 0};
  s.nodes[2].name = "skin", s.nodes[2].mesh = 0, s.nodes[2].skin = 0;
  scene::Skin skin;
  skin.joints = {0, 1};
  scene::Mat4 identity{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}, down = identity;
  down[13] = -1;
  skin.inverse_bind = {identity, down};
  s.skins.push_back(skin);
  scene::Primitive p;
  p.positions = {{0, 2, 0}, {1, 2, 0}, {0, 2, 1}};
  p.joints.assign(3, {1, 0, 0, 0});
  p.weights.assign(3, weights);
  s.meshes.push_back({"skin", {p}});
  return s;
}

TEST(BrresMake, VerticesStayWhereTheSceneHasThem) {
  for (const scene::Vec4& weights :
       {scene::Vec4{1, 0, 0, 0}, scene::Vec4{0.999f, 0.001f, 0, 0}, scene::Vec4{0.5f, 0.5f, 0, 0}}) {
    const auto made = make_model(bent(weights), {});
    ASSERT_TRUE(made) << format_one_line(made.error());
    const scene::Scene after = shown_scene(load<Brres>(made->files[0].bytes)->document.value());
    const auto places = scene::world_transforms(after);
    std::multiset<std::array<i64, 3>> found;
    for (size_t n = 0; n < after.nodes.size(); ++n) {
      if (after.nodes[n].mesh == scene::k_none) continue;
      const scene::Primitive& p = after.meshes[after.nodes[n].mesh].primitives[0];
      for (size_t i = 0; i < p.positions.size(); ++i) {
        scene::Point at{p.positions[i][0], p.positions[i][1], p.positions[i][2]};
        at = (after.nodes[n].skin == scene::k_none
                  ? places[n]
                  : scene::skin_matrix(places, after.skins[after.nodes[n].skin], p.joints[i], p.weights[i])) *
             at;
        found.insert({std::llround(at[0]), std::llround(at[1]), std::llround(at[2])});
      }
    }
    EXPECT_EQ(found, (std::multiset<std::array<i64, 3>>{{0, 200, 0}, {100, 200, 0}, {0, 200, 100}})) << weights[0];
  }
}

TEST(BrresMake, HiddenParentsHide) {
  scene::Scene s = bent({1, 0, 0, 0});
  s.nodes[2].skin = scene::k_none;
  s.meshes[0].primitives[0].joints.clear(), s.meshes[0].primitives[0].weights.clear(), s.skins.clear();
  s.nodes[2].parent = 1, s.nodes[0].visible = false;
  const auto made = make_model(s, {});
  ASSERT_TRUE(made);
  EXPECT_EQ(load<Brres>(made->files[0].bytes)->document.value().models[0].shapes[0].flags, 2u);
}

TEST(BrresMake, RefusesScenesWithoutTriangles) {
  EXPECT_EQ(make_model({}, {}).error().id, "brres.make-empty");
  const std::vector<Argument> wrong{{"mipmaps", "perhaps"}};
  EXPECT_EQ(make_model({}, wrong).error().id, "make.argument");
}

// ---- matrices of bones

TEST(BrresBoneMatrices, InterpolateSinesLikeTheGamesTools) {
  Bone turned, child;
  turned.rotation = {0, 0, 37};
  turned.scale = {0.01f, 2, 3};
  child.translation = {100, 0, 0};
  const std::vector<Bone> bones{turned, child};
  const auto matrices = compute_bone_matrices(bones, std::array<i32, 2>{-1, 0}, 0);
  // 37 degrees are 26.3111 of 256 steps: sin 0.595699 and 0.615232, cos 0.803208 and 0.788346.
  const f64 rest = f64(37.0f * (256.0f / 360.0f)) - 26;
  const f32 sine = f32(f64(0.595699f) + rest * f64(0.019532f)), cosine = f32(f64(0.803208f) - rest * f64(0.014861f));
  EXPECT_EQ(matrices[0].to_model[4], f32(f64(sine) * f64(0.01f)));
  EXPECT_EQ(matrices[0].to_model[5], f32(f64(cosine) * 2));
  EXPECT_NE(matrices[0].to_model[5], f32(std::cos(37 * std::numbers::pi / 180) * 2));
  EXPECT_NEAR(matrices[1].to_model[3], cosine, 1e-6);  // 100 units, scaled by 0.01
  EXPECT_NEAR(matrices[0].from_model[0] * matrices[0].to_model[0] + matrices[0].from_model[1] * matrices[0].to_model[4],
              1, 1e-4);
  Bone flat;
  flat.scale = {0, 1, 1};
  const auto none = compute_bone_matrices(std::array{flat}, std::array<i32, 1>{-1}, 0);
  EXPECT_EQ(none[0].from_model, (std::array<f32, 12>{}));
}

}  // namespace
}  // namespace dio::brres
