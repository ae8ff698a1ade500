#include <gtest/gtest.h>

#include <random>

#include "bridge/png/png.hpp"
#include "bridge/raster/pictures.hpp"
#include "bridge/square_view.hpp"
#include "formats/contract/format.hpp"
#include "formats/registry.hpp"
#include "operations/operations.hpp"
#include "samples/samples.hpp"
#include "scene/extras.hpp"
#include "scene/math.hpp"
#include "scene/scene_of_everything.hpp"

namespace {

using namespace dio;
using namespace dio::scene;
using namespace dio::raster;

constexpr Vec4 k_black{0, 0, 0, 1};

Scene scene_of(Primitive p, Material m) {
  Scene s;
  p.material = 0;
  s.materials = {std::move(m)};
  s.meshes = {{"mesh", {std::move(p)}}};
  s.nodes = {{.name = "node", .mesh = 0, .extras = {}}};
  return s;
}
Material plain(Vec4 color = {1, 1, 1, 1}) { return {.name = "plain", .color = color, .double_sided = true}; }

Image picture(u32 width, u32 height, Bytes pixels) {
  Image out;
  out.width = width, out.height = height, out.pixels = std::move(pixels);
  return out;
}
void give_texture(Scene& s, Image image) {
  s.images = {std::move(image)};
  s.textures.resize(1);
  s.textures[0].image = 0;
  s.materials[0].texture = 0;
}

Image drawn(const Scene& s, u32 size, const View& view = square_view(), Options o = {}) {
  EXPECT_TRUE(verify(s).empty());
  o.width = o.height = size;
  if (o.background == Vec4{0, 0, 0, 0}) o.background = k_black;
  auto image = render(s, evaluate_pose(s, {}), view, o);
  EXPECT_TRUE(image);
  return std::move(*image);
}
Rgba at(const Image& i, u32 x, u32 y) { return color_of(i, x, y); }

Primitive quad(Vec2 low, Vec2 high, f32 z = 0) {
  return {.positions = {{low[0], low[1], z}, {high[0], low[1], z}, {high[0], high[1], z}, {low[0], high[1], z}},
          .uvs = {{0, 1}, {1, 1}, {1, 0}, {0, 0}},
          .indices = {0, 1, 2, 0, 2, 3}};
}

TEST(Raster, CoversEachSampleOfAMeshOnce) {
  // A grid with jittered vertices, in which each layer halves the brightness: samples covered twice or not at all would
  // differ.
  std::mt19937 random(7);
  constexpr u32 k_side = 24;
  Primitive p;
  for (u32 y = 0; y <= k_side; ++y)
    for (u32 x = 0; x <= k_side; ++x) {
      const bool inside = x && y && x < k_side && y < k_side;
      const auto off = [&] { return inside ? (f32(random() % 1000) / 1000 - 0.5f) * 0.45f : 0; };
      p.positions.push_back({(f32(x) + off()) * 2 / k_side - 1, (f32(y) + off()) * 2 / k_side - 1, 0});
    }
  for (u32 y = 0; y < k_side; ++y)
    for (u32 x = 0; x < k_side; ++x) {
      const u32 a = y * (k_side + 1) + x, b = a + k_side + 1;
      p.indices.insert(p.indices.end(), {a, a + 1, b + 1, a, b + 1, b});
    }
  Material m = plain({1, 1, 1, 0.5f});
  m.alpha = Material::Alpha::blend;
  for (const u32 size : {61u, 200u}) {
    const Image image = drawn(scene_of(p, m), size);
    for (u32 y = 0; y < size; ++y)
      for (u32 x = 0; x < size; ++x) ASSERT_EQ(at(image, x, y), (Rgba{128, 128, 128, 255})) << x << ' ' << y;
  }
}

TEST(Raster, ProjectsPointsThroughTheCamera) {
  Scene s = scene_of({.shape = Primitive::Shape::points, .positions = {{1, 2, -3}}}, plain({1, 0, 0, 1}));
  View v;
  v.half_height = 0.5;
  v.to_eye.origin = {0, 0, -5};  // the camera is at (0, 0, 5), 8 in front of the point
  v.near = 1, v.far = 20;
  Options o;
  o.point_size = 1;
  const Image image = drawn(s, 400, v, o);
  // 1 / 8 of 0.5 to the right is a quarter of half the picture; 2 / 8 up is half of it.
  u32 reds = 0;
  for (u32 y = 0; y < 400; ++y)
    for (u32 x = 0; x < 400; ++x)
      if (at(image, x, y)[0]) {
        ++reds;
        EXPECT_NEAR(x, 250, 1);
        EXPECT_NEAR(y, 100, 1);
      }
  EXPECT_EQ(reds, 1u);
}

TEST(Raster, MapsTexturesInPerspective) {
  // A floor 100 deep with a two-color texture: the seam at 51 in front of the camera appears much closer to the far
  // edge.
  Scene s = scene_of({.positions = {{-50, -1, -1}, {50, -1, -1}, {50, -1, -101}, {-50, -1, -101}},
                      .uvs = {{0, 0}, {1, 0}, {1, 1}, {0, 1}},
                      .indices = {0, 1, 2, 0, 2, 3}},
                     plain());
  give_texture(s, picture(1, 2, {255, 0, 0, 255, 0, 255, 0, 255}));
  View v;
  v.near = 0.1, v.far = 1000;
  const Image image = drawn(s, 1000, v);
  u32 seam = 0;
  for (u32 y = 999; y > 500 && !seam; --y)
    if (at(image, 500, y)[1]) seam = y;
  EXPECT_NEAR(seam, 500 + 500 / 51.0, 1.5);
}

TEST(Raster, FollowsTheTextureWrapMode) {
  Scene s = scene_of(quad({-1, -1}, {1, 1}), plain());
  for (auto& uv : s.meshes[0].primitives[0].uvs) uv = {uv[0] * 4 - 1.5f, 0.5f};
  give_texture(s, picture(2, 1, {200, 0, 0, 255, 0, 200, 0, 255}));
  const auto row = [&](Texture::Wrap wrap) {
    s.textures[0].wrap_u = wrap;
    std::string out;
    const Image image = drawn(s, 8);
    for (u32 x = 0; x < 8; ++x) out += at(image, x, 4)[0] == 200 ? 'r' : at(image, x, 4)[1] == 200 ? 'g' : '?';
    return out;
  };
  EXPECT_EQ(row(Texture::Wrap::repeat), "grgrgrgr");
  EXPECT_EQ(row(Texture::Wrap::clamp), "rrrrgggg");
  EXPECT_EQ(row(Texture::Wrap::mirror), "ggrrggrr");
}

TEST(Raster, NearerSurfacesHideFartherOnes) {
  for (const bool near_first : {false, true}) {
    Scene s = scene_of(quad({-1, -1}, {1, 1}, near_first ? 1.f : 0.f), plain({1, 0, 0, 1}));
    s.materials.push_back(plain({0, 1, 0, 1}));
    Primitive other = quad({-1, -1}, {0, 1}, near_first ? 0.f : 1.f);
    other.material = 1;
    s.meshes[0].primitives.push_back(other);
    const Image image = drawn(s, 8);
    EXPECT_EQ(at(image, 1, 4), near_first ? (Rgba{255, 0, 0, 255}) : (Rgba{0, 255, 0, 255}));
    EXPECT_EQ(at(image, 6, 4), (Rgba{255, 0, 0, 255}));
  }
}

TEST(Raster, DrawsTranslucentTrianglesBackToFront) {
  Scene s = scene_of(quad({-1, -1}, {1, 1}, 1), plain({1, 0, 0, 0.5f}));
  s.materials.push_back(plain({0, 1, 0, 0.5f}));
  s.materials[0].alpha = s.materials[1].alpha = Material::Alpha::blend;
  Primitive behind = quad({-1, -1}, {1, 1}, 0);
  behind.material = 1;
  s.meshes[0].primitives.push_back(behind);
  EXPECT_EQ(at(drawn(s, 4), 2, 2), (Rgba{128, 64, 0, 255}));
  Options clear;
  clear.background = {0, 0, 0, 1e-9f};
  EXPECT_EQ(at(drawn(s, 4, square_view(), clear), 2, 2), (Rgba{170, 85, 0, 192}));  // two halves cover three quarters
}

TEST(Raster, AppliesAlphaMasksAndBackfaceCulling) {
  Scene s = scene_of(quad({-1, -1}, {1, 1}), plain());
  give_texture(s, picture(2, 1, {255, 255, 255, 100, 255, 255, 255, 200}));
  s.materials[0].alpha = Material::Alpha::mask;
  const Image image = drawn(s, 4);
  EXPECT_EQ(at(image, 0, 2), (Rgba{0, 0, 0, 255}));
  EXPECT_EQ(at(image, 3, 2), (Rgba{255, 255, 255, 255}));

  Scene back = scene_of(quad({-1, -1}, {1, 1}), plain());
  std::swap(back.meshes[0].primitives[0].indices[0], back.meshes[0].primitives[0].indices[1]);
  back.materials[0].double_sided = false;
  const Image half = drawn(back, 8);
  EXPECT_EQ(at(half, 6, 6)[0], 0);    // facing away
  EXPECT_EQ(at(half, 1, 1)[0], 255);  // the other triangle
  back.nodes[0].scale = {-1, 1, 1};   // mirrored: fronts stay fronts
  EXPECT_EQ(at(drawn(back, 8), 6, 1)[0], 255);
}

TEST(Raster, ClipsTrianglesBehindTheCamera) {
  // A floor that extends from far in front of the camera to far behind it fills everything below the horizon.
  Scene s = scene_of({.positions = {{-1e6f, -1, -1e6f}, {1e6f, -1, -1e6f}, {1e6f, -1, 1e6f}, {-1e6f, -1, 1e6f}},
                      .indices = {0, 1, 2, 0, 2, 3}},
                     plain());
  View v;
  v.near = 0.01, v.far = 1e7;
  const Image image = drawn(s, 100, v);
  for (u32 y = 0; y < 100; ++y)
    for (u32 x = 0; x < 100; ++x) ASSERT_EQ(at(image, x, y)[0], y >= 50 ? 255 : 0) << x << ' ' << y;
}

TEST(Raster, AveragesSamplesInLinearLight) {
  Scene s = scene_of(quad({-1, -1}, {0, 1}), plain());
  Options o;
  o.samples = 2;
  const Image image = drawn(s, 1, square_view(), o);  // one pixel, half white
  EXPECT_EQ(at(image, 0, 0), (Rgba{188, 188, 188, 255}));
}

TEST(Raster, TileOrderDoesNotChangeTheImage) {
  const Scene s = SceneOfEverything::make();
  RenderOptions shot;
  shot.time = 0.4f;
  shot.options.width = 300, shot.options.height = 200;
  const auto one = render_picture(s, shot);
  shot.options.each = [](size_t count, const std::function<void(size_t)>& work) {
    for (size_t i = count; i--;) work(i);
  };
  const auto other = render_picture(s, shot);
  ASSERT_TRUE(one && other);
  EXPECT_EQ(one->image.pixels, other->image.pixels);
  EXPECT_GT(std::count(one->image.pixels.begin(), one->image.pixels.end(), 255), 1000);
}

TEST(Raster, HandlesTinyAndHugeScenes) {
  for (const f32 size : {0.f, 1e-30f, 1e-5f, 1e12f, 3e37f}) {
    Scene s = scene_of(quad({-size, -size}, {size, size}), plain());
    for (auto& uv : s.meshes[0].primitives[0].uvs) uv = {uv[0] * 1e30f, uv[1] * -1e30f};
    give_texture(s, picture(1, 1, {9, 9, 9, 255}));
    for (const char* camera : {"iso", "free", "top", "10,90", "0,-45"}) {
      RenderOptions shot;
      shot.camera = camera;
      shot.options.width = shot.options.height = 16;
      EXPECT_TRUE(render_picture(s, shot)) << size << ' ' << camera;
    }
  }
  EXPECT_TRUE(render_picture({}, {}));
  RenderOptions huge;
  huge.options.width = 1 << 20;
  EXPECT_EQ(render_picture({}, huge).error().id, "render.size");

  Options o;
  o.width = o.height = 8000, o.samples = 8;
  const Scene s = scene_of(quad({-1, -1}, {1, 1}), plain({1, 1, 1, 1}));
  const auto refused = render(s, evaluate_pose(s, {}), square_view(), o);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().id, "render.size");
  EXPECT_NE(refused.error().hint.find("--samples"), std::string::npos);
  o.window = Window{0, 0, 16, 16};  // a part counts only its own samples
  EXPECT_TRUE(render(s, evaluate_pose(s, {}), square_view(), o));
}

TEST(Raster, DrawsEverySampleFile) {
  u32 drawn = 0;
  for (const Format* f : formats()) {
    if (!f->scenes) continue;
    for (const Sample& sample : samples_of(*f)) {
      const auto opened = open(sample.bytes, sample.name, f);
      if (!opened) continue;
      const auto staged = to_scene(*opened);
      if (!staged) continue;
      RenderOptions shot;
      shot.options.width = 24, shot.options.height = 16;
      for (const char* camera : {"iso", "free", "top", "200,-30"}) {
        shot.camera = camera;
        shot.time = shot.time.value_or(0) + 0.4f;
        EXPECT_TRUE(render_picture(staged->scene, shot)) << sample.name << ' ' << camera;
      }
      ++drawn;
    }
  }
  EXPECT_GT(drawn, 40u);
}

TEST(RasterViews, FitsTheWholeSceneIntoTheImage) {
  const Scene s = SceneOfEverything::make();
  for (const char* camera : {"iso", "free", "top", "120,50", "0,0"}) {
    RenderOptions shot;
    shot.camera = camera;
    shot.background = Rgba{0, 0, 0, 0};
    shot.options.width = 320, shot.options.height = 200;
    const auto taken = render_picture(s, shot);
    ASSERT_TRUE(taken);
    u32 left = 320, right = 0, top = 200, bottom = 0;
    for (u32 y = 0; y < 200; ++y)
      for (u32 x = 0; x < 320; ++x)
        if (at(taken->image, x, y)[3]) {
          left = std::min(left, x), right = std::max(right, x);
          top = std::min(top, y), bottom = std::max(bottom, y);
        }
    // A margin of 3 % remains on each side, and the scene fills one of the two directions.
    EXPECT_GE(left, 8u) << camera;
    EXPECT_LE(right, 311u) << camera;
    EXPECT_GE(top, 5u) << camera;
    EXPECT_LE(bottom, 194u) << camera;
    EXPECT_TRUE(right - left > 270 || bottom - top > 155) << camera << ' ' << right - left << ' ' << bottom - top;
  }
}

/// Whether a picture has something drawn in the outermost rows and columns.
bool reaches_edge(const Image& image) {
  for (u32 y = 0; y < image.height; ++y)
    for (u32 x = 0; x < image.width; ++x)
      if ((!x || !y || x + 1 == image.width || y + 1 == image.height) && at(image, x, y)[3]) return true;
  return false;
}

TEST(RasterViews, FitsEverythingUnlessTheFramedPartsWouldBeTiny) {
  for (const auto& [width, is_cut] : {std::pair{2.f, false}, {40.f, true}})
    for (const char* camera : {"iso", "free", "top"}) {
      Scene s = scene_of(quad({-1, -1}, {1, 1}), plain());
      s.nodes[0].extras = Value::object();
      s.nodes[0].extras.add(std::string(k_framed), true);
      Primitive floor;
      for (const f32 x : {-width, width})
        for (const f32 z : {-width, width}) floor.positions.push_back({x, 0, z});
      floor.indices = {0, 1, 2, 1, 3, 2};
      floor.material = 0;
      s.meshes.push_back({"floor", {floor}});
      s.nodes.push_back({.name = "floor", .mesh = 1, .extras = {}});
      RenderOptions shot;
      shot.camera = camera;
      shot.background = Rgba{0, 0, 0, 0};
      shot.options.width = shot.options.height = 100;
      const auto taken = render_picture(s, shot);
      ASSERT_TRUE(taken);
      EXPECT_EQ(reaches_edge(taken->image), is_cut) << camera << ' ' << width;
    }
}

TEST(RasterViews, FindsCamerasByName) {
  Scene s = scene_of(quad({-1, -1}, {1, 1}), plain());
  s.cameras = {{.name = "eye", .vertical_fov = 1}};
  s.nodes.push_back({.name = "eye of the door", .translation = {0, 0, 10}, .camera = 0, .extras = {}});
  RenderOptions shot;
  for (const char* name : {"game", "eye", "eye of the door"}) {
    shot.camera = name;
    const auto taken = render_picture(s, shot);
    ASSERT_TRUE(taken) << name;
    EXPECT_EQ(taken->view.to_eye * Point({0, 0, 10}), (Point{0, 0, 0}));
    EXPECT_DOUBLE_EQ(taken->view.half_height, std::tan(0.5));
  }
  shot.camera = "nose";
  EXPECT_EQ(render_picture(s, shot).error().id, "render.camera");
  shot = {};
  shot.animation = "dance";
  EXPECT_EQ(render_picture(s, shot).error().id, "render.animation");
}

TEST(RasterPoses, PosesFollowAnimationsOverTime) {
  Scene s = scene_of(quad({-1, -1}, {1, 1}), plain());
  s.nodes.push_back({.name = "child", .parent = 0, .extras = {}});
  Animation a{.name = "turn"};
  a.channels = {{0, Channel::Target::rotation, Channel::Interpolation::linear, {1, 3}, {{0, 0, 0, 1}, {0, 1, 0, 0}}},
                {1, Channel::Target::translation, Channel::Interpolation::step, {0, 2}, {{0, 0, 1, 0}, {0, 0, 5, 0}}}};
  a.material_channels = {
      {0, MaterialChannel::Target::offset, Channel::Interpolation::linear, {0, 4}, {{0, 0, 0, 0}, {1, 2, 0, 0}}}};
  a.visibility_channels = {{0, {0, 2.5f}, {1, 0}}};
  s.animations = {a, {.name = "shift"}};
  s.animations[1].channels = {{0, Channel::Target::rotation, Channel::Interpolation::step, {0}, {{0, 0, 0, 1}}}};
  ASSERT_TRUE(verify(s).empty());
  EXPECT_EQ(compatible_animations(s), std::vector<Index>{0});
  EXPECT_EQ(animation_duration(s, {0}), 4);
  const raster::Pose half = evaluate_pose(s, {{0}, 2});  // a quarter turn around Y: the child's +Z is the parent's +X
  EXPECT_NEAR(half.places[1].origin[0], 5, 1e-5);
  EXPECT_NEAR(half.places[1].origin[2], 0, 1e-5);
  EXPECT_EQ(half.materials[0].transform.offset, (Vec2{0.5f, 1}));
  EXPECT_TRUE(half.visible[1]);
  EXPECT_FALSE(evaluate_pose(s, {{0}, 3}).visible[1]);  // hidden with its parent
  EXPECT_NEAR(evaluate_pose(s, {{0}, 9}).places[1].origin[2], -5, 1e-5);
}

TEST(RasterPictures, ParsesRenderOptions) {
  RenderOptions shot;
  for (const auto& [name, value] : std::initializer_list<std::pair<const char*, const char*>>{
           {"size", "320x200"}, {"samples", "2"}, {"background", "#102030"}, {"camera", "top"}, {"time", "1.5"}})
    EXPECT_EQ(set_option(shot, name, value), std::nullopt) << name;
  EXPECT_EQ(shot.options.width, 320u);
  EXPECT_EQ(shot.options.height, 200u);
  EXPECT_EQ(*shot.background, (Rgba{0x10, 0x20, 0x30, 255}));
  for (const auto& [name, value] : std::initializer_list<std::pair<const char*, const char*>>{{"size", "0x4"},
                                                                                              {"size", "4x"},
                                                                                              {"size", "99999"},
                                                                                              {"samples", "9"},
                                                                                              {"background", "#12"},
                                                                                              {"background", "blue!"},
                                                                                              {"time", "-1"},
                                                                                              {"time", "nan"},
                                                                                              {"colour", "1"}})
    EXPECT_NE(set_option(shot, name, value), std::nullopt) << name << value;
}

TEST(RasterPictures, ContactSheetLabelsOmitCommonParts) {
  std::vector<LabelledImage> cells;
  for (const char* name : {"props/crate.nsbmd", "props/door.nsbmd", "props/gone.nsbmd"}) cells.push_back({name, {}});
  Image red = picture(10, 10, {});
  for (int i = 0; i < 100; ++i) red.pixels.insert(red.pixels.end(), {255, 0, 0, 255});
  cells[0].image = cells[1].image = red;
  const auto sheet = make_contact_sheet(
      cells,
      {.columns = 3, .cell_width = 32, .cell_height = 32, .background = {255, 255, 255, 255}, .ink = {0, 0, 0, 255}});
  ASSERT_TRUE(sheet);
  EXPECT_EQ(sheet->width, 3u * 36 + 4);
  EXPECT_EQ(sheet->height, 46u + 4);
  u32 reds = 0, inks[3] = {};
  for (u32 y = 0; y < sheet->height; ++y)
    for (u32 x = 0; x < sheet->width; ++x) {
      reds += at(*sheet, x, y) == Rgba{255, 0, 0, 255};
      if (at(*sheet, x, y) == Rgba{0, 0, 0, 255}) ++inks[x / 36];
    }
  EXPECT_EQ(reds, 2u * 30 * 30);  // three times as large
  Image letters = picture(64, 8, Bytes(64 * 8 * 4, 255));
  draw_text(letters, 0, 0, "crate", {0, 0, 0, 255});
  u32 ink = 0;
  for (u32 i = 0; i < 64 * 8; ++i) ink += letters.pixels[i * 4] == 0;
  EXPECT_EQ(inks[0], ink);  // "crate", without "props/" and ".nsbmd"
}

TEST(RasterPictures, RendersAnimationsIntoOneFile) {
  Scene s = scene_of(quad({-1, -1}, {1, 1}), plain());
  s.animations = {{.name = "go"}};
  s.animations[0].channels = {
      {0, Channel::Target::translation, Channel::Interpolation::linear, {0, 0.5f}, {{0, 0, 0, 0}, {3, 0, 0, 0}}}};
  RenderOptions shot;
  shot.options.width = shot.options.height = 20;
  const auto motion = render_animation(s, shot);
  ASSERT_TRUE(motion);
  EXPECT_EQ(motion->frames.size(), 12u);  // half a second at 24 frames per second
  EXPECT_EQ(motion->milliseconds, 42);
  EXPECT_NE(motion->frames[0].pixels, motion->frames[6].pixels);
  const auto first = png::read_png(png::write_apng(motion->frames, motion->milliseconds));
  ASSERT_TRUE(first);
  EXPECT_EQ(to_rgba(*first).pixels, motion->frames[0].pixels);
  EXPECT_EQ(concatenate_horizontally(motion->frames).width, 240u);
}

}  // namespace
