// Console looks: the hardware's arithmetic on small scenes. src/bridge/raster/README.md compares whole models with an
// emulator.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "bridge/raster/pictures.hpp"
#include "bridge/raster/surface.hpp"
#include "bridge/square_view.hpp"
#include "console/ds/color.hpp"
#include "console/psx/color.hpp"

namespace dio::raster {
namespace {

using namespace scene;

Image drawn(const Scene& s, ShadingStyle look, u32 size, const View& view = square_view(), u32 samples = 1) {
  EXPECT_TRUE(verify(s).empty());
  Options o;
  o.width = o.height = size;
  o.look = look;
  o.samples = samples;
  o.background = {0, 0, 0, 1};
  auto image = render(s, evaluate_pose(s, {}), view, o);
  EXPECT_TRUE(image);
  return std::move(*image);
}

/// Converts a display value to linear light.
Vec4 shown(u8 r, u8 g, u8 b, f32 alpha = 1) { return {to_linear(r), to_linear(g), to_linear(b), alpha}; }
Vec4 ds_five(u32 r, u32 g, u32 b, u32 alpha = 31) {
  return shown(ds::to_8_bits(r), ds::to_8_bits(g), ds::to_8_bits(b), f32(alpha) / 31);
}
u32 six(u32 five) { return five ? 2 * five + 1 : 0; }
u8 eight(u32 six_bits) { return u8(six_bits << 2 | six_bits >> 4); }

class Scenes {
 public:
  Scenes() { s.nodes.push_back({.name = "root"}); }
  Index material(const Vec4& color, Value extras = {}) {
    Material m;
    m.name = "m";
    m.color = color;
    if (color[3] < 1) m.alpha = Material::Alpha::blend;
    m.extras = std::move(extras);
    s.materials.push_back(std::move(m));
    return Index(s.materials.size() - 1);
  }
  Primitive& quad(Index m, Vec2 low, Vec2 high, f32 z = 0) {
    Primitive p{.material = m,
                .positions = {{low[0], low[1], z}, {high[0], low[1], z}, {high[0], high[1], z}, {low[0], high[1], z}},
                .uvs = {{0, 1}, {1, 1}, {1, 0}, {0, 0}},
                .indices = {0, 1, 2, 0, 2, 3}};
    return add(std::move(p));
  }
  Primitive& add(Primitive p) {
    s.meshes.push_back({"mesh", {std::move(p)}});
    s.nodes.push_back({.name = "n", .parent = 0, .mesh = Index(s.meshes.size() - 1)});
    return s.meshes.back().primitives.back();
  }
  /// Gives the material a texture with one row of texels.
  void give_texels(Index m, const std::vector<Rgba>& row) {
    Image i;
    i.name = "texels";
    i.width = u32(row.size()), i.height = 1;
    for (const Rgba& c : row) i.pixels.insert(i.pixels.end(), c.begin(), c.end());
    s.images.push_back(std::move(i));
    s.textures.push_back({.name = "texels", .image = Index(s.images.size() - 1)});
    s.materials[m].texture = Index(s.textures.size() - 1);
  }
  Scene s;
};

Value with_id(u32 id) {
  Value v = Value::object();
  v.add("polygon_id", id);
  return v;
}
Value with_mode(const char* mode, u32 id) {
  Value v = with_id(id);
  v.add("polygon_mode", mode);
  return v;
}
Value with_page(u16 page) {
  Value v = Value::object();
  v.add("page", page);
  return v;
}

TEST(DsLook, ModulatesColorsInSixBits) {
  for (const u32 vertex : {0u, 1u, 9u, 16u, 30u, 31u}) {
    Scenes b;
    const Index m = b.material({1, 1, 1, 1});
    std::vector<Rgba> levels;
    for (u32 i = 0; i < 32; ++i) levels.push_back(ds::rgb555_to_rgba(console::rgb(i, i, i), 255));
    b.give_texels(m, levels);
    b.quad(m, {-1, -1}, {1, 1}).colors.assign(4, ds_five(vertex, vertex, vertex));
    const Image image = drawn(b.s, ShadingStyle::ds, 32);
    for (u32 i = 0; i < 32; ++i)
      EXPECT_EQ(color_of(image, i, 16)[1], eight(((six(i) + 1) * (six(vertex) + 1) - 1) >> 6)) << i << ' ' << vertex;
  }
}

TEST(DsLook, BlendsEachPolygonIdOnlyOnce) {
  const auto middle = [](u32 first_id, u32 second_id) {
    Scenes b;
    b.quad(b.material(ds_five(10, 20, 30)), {-1, -1}, {1, 1}, -1);
    b.quad(b.material(ds_five(31, 0, 5, 12), with_id(first_id)), {-1, -1}, {1, 1}, 0);
    b.quad(b.material(ds_five(31, 0, 5, 12), with_id(second_id)), {-1, -1}, {1, 1}, 1);
    return color_of(drawn(b.s, ShadingStyle::ds, 16), 8, 8);
  };
  const auto over = [](u32 over, u32 under) { return (six(over) * 13 + under * 19) >> 5; };
  const Rgba once{eight(over(31, six(10))), eight(over(0, six(20))), eight(over(5, six(30))), 255};
  const Rgba twice{eight(over(31, over(31, six(10)))), eight(over(0, over(0, six(20)))),
                   eight(over(5, over(5, six(30)))), 255};
  EXPECT_EQ(middle(1, 1), once);
  EXPECT_EQ(middle(1, 2), twice);
}

TEST(DsLook, FirstPolygonWinsAtEqualDepth) {
  Scenes b;
  b.quad(b.material(ds_five(31, 0, 0)), {-1, -1}, {1, 1});
  b.quad(b.material(ds_five(0, 31, 0)), {-1, -1}, {1, 1});
  EXPECT_EQ(color_of(drawn(b.s, ShadingStyle::ds, 16), 8, 8), (Rgba{255, 0, 0, 255}));
  EXPECT_EQ(color_of(drawn(b.s, ShadingStyle::plain, 16), 8, 8), (Rgba{0, 255, 0, 255}));
}

TEST(DsLook, SmoothsOutlinesButNotEdgesBetweenPolygons) {
  std::mt19937 random(3);
  constexpr u32 k_side = 9;
  Scenes b;
  Primitive p;
  p.material = b.material(ds_five(25, 12, 3));
  for (u32 y = 0; y <= k_side; ++y)
    for (u32 x = 0; x <= k_side; ++x) {
      const bool inside = x && y && x < k_side && y < k_side;
      const auto off = [&] { return inside ? (f32(random() % 1000) / 1000 - 0.5f) * 0.6f : 0; };
      p.positions.push_back({(f32(x) + off()) * 1.8f / k_side - 0.9f, (f32(y) + off()) * 1.8f / k_side - 0.9f, 0});
    }
  for (u32 y = 0; y < k_side; ++y)
    for (u32 x = 0; x < k_side; ++x) {
      const u32 a = y * (k_side + 1) + x, up = a + k_side + 1;
      p.indices.insert(p.indices.end(), {a, a + 1, up + 1, a, up + 1, up});
    }
  b.add(std::move(p));
  b.s.nodes.back().rotation = {0, 0, 0.0998334f, 0.9950042f};  // 11 degrees, so that no outline is straight
  constexpr u32 k_size = 180;                                  // several tiles
  const Image sharp = drawn(b.s, ShadingStyle::ds, k_size),
              smooth = drawn(b.s, ShadingStyle::ds, k_size, square_view(), 3);
  const Rgba full{eight(six(25)), eight(six(12)), eight(six(3)), 255}, none{0, 0, 0, 255};
  u32 between = 0;
  for (u32 y = 2; y < k_size - 2; ++y)
    for (u32 x = 2; x < k_size - 2; ++x) {
      const Rgba c = color_of(sharp, x, y), s = color_of(smooth, x, y);
      ASSERT_TRUE(c == full || c == none);
      bool near_outline = false;
      for (u32 j = y - 2; j <= y + 2; ++j)
        for (u32 i = x - 2; i <= x + 2; ++i) near_outline |= color_of(sharp, i, j) != c;
      if (near_outline)
        between += s != full && s != none;
      else
        ASSERT_EQ(s, c) << x << ' ' << y;
    }
  EXPECT_GT(between, 4 * k_size / 2);
}

TEST(DsLook, MarksEdgesWherePolygonIdsDiffer) {
  const auto picture = [](u32 id) {
    Scenes b;
    Value& colors = b.s.extras.add("edge_colors", Value::list());
    for (u32 i = 0; i < 8; ++i) colors.push(i == 2 ? console::rgb(31, 31, 0) : console::rgb(0, 0, 31));
    b.quad(b.material(ds_five(0, 20, 0), with_id(63)), {-1, -1}, {1, 1}, -1);
    b.quad(b.material(ds_five(20, 0, 0), with_id(id)), {-0.5, -0.5}, {0.5, 0.5}, 1);
    return drawn(b.s, ShadingStyle::ds, 160);  // the inner square covers 40 to 119, across several tiles
  };
  const Image marked = picture(17), alike = picture(63);
  const Rgba edge{255, 255, 0, 255}, inner{eight(six(20)), 0, 0, 255}, outer{0, eight(six(20)), 0, 255};
  for (u32 y = 0; y < 160; ++y)
    for (u32 x = 0; x < 160; ++x) {
      const bool in = x >= 40 && x < 120 && y >= 40 && y < 120;
      const bool border = in && (x == 40 || x == 119 || y == 40 || y == 119);
      ASSERT_EQ(color_of(marked, x, y), border ? edge : in ? inner : outer) << x << ' ' << y;
      ASSERT_EQ(color_of(alike, x, y), in ? inner : outer) << x << ' ' << y;
    }
}

TEST(DsLook, DecalsBlendTexelsByAlpha) {
  Scenes b;
  const Index m = b.material(ds_five(10, 31, 0, 20), with_mode("decal", 1));
  std::vector<Rgba> row;
  for (u32 i = 0; i < 32; ++i) row.push_back(ds::rgb555_to_rgba(console::rgb(25, 4, 31), ds::to_8_bits(i)));
  b.give_texels(m, row);
  b.quad(b.material(ds_five(0, 0, 0)), {-1, -1}, {1, 1}, -1);
  b.quad(m, {-1, -1}, {1, 1});
  const Image image = drawn(b.s, ShadingStyle::ds, 32);
  for (u32 i = 0; i < 32; ++i) {
    const auto mixed = [&](u32 texel, u32 own) {
      const u32 t = six(texel), v = six(own), a = six(i);
      return i == 0 ? v : i == 31 ? t : (t * a + v * (63 - a)) / 64;  // GBATEK, DS 3D Texture Blending
    };
    const auto over_black = [](u32 color) { return eight(color * 21 / 32); };  // vertex alpha, not texel alpha
    EXPECT_EQ(color_of(image, i, 16),
              (Rgba{over_black(mixed(25, 10)), over_black(mixed(4, 31)), over_black(mixed(31, 0)), 255}))
        << i;
  }
}

TEST(DsLook, ToonPolygonsUseTheColorTable) {
  const auto middle = [](u32 red, const char* shading, bool has_table, bool has_texels) {
    Scenes b;
    if (shading) b.s.extras.add("toon_shading", shading);
    if (has_table) {
      Value& colors = b.s.extras.add("toon_colors", Value::list());
      for (u32 i = 0; i < 32; ++i) colors.push(i < 16 ? console::rgb(4, 0, 9) : console::rgb(31, 20, 10));
    }
    const Index m = b.material({1, 1, 1, 1}, with_mode("toon", 1));
    if (has_texels) b.give_texels(m, {ds::rgb555_to_rgba(console::rgb(20, 31, 8), 255)});
    b.quad(m, {-1, -1}, {1, 1}).colors.assign(4, ds_five(red, 3, 30));  // green and blue are ignored
    return color_of(drawn(b.s, ShadingStyle::ds, 16), 8, 8);
  };
  const auto modulated = [](u32 a, u32 b) { return ((a + 1) * (b + 1) - 1) >> 6; };
  const auto rgb = [](u32 r, u32 g, u32 b) { return Rgba{eight(r), eight(g), eight(b), 255}; };
  EXPECT_EQ(middle(15, nullptr, true, false), rgb(six(4), six(0), six(9)));
  EXPECT_EQ(middle(16, nullptr, true, false), rgb(six(31), six(20), six(10)));
  EXPECT_EQ(middle(16, nullptr, true, true),
            rgb(modulated(six(20), six(31)), modulated(six(31), six(20)), modulated(six(8), six(10))));
  // Without a table, each level is a shade of grey.
  EXPECT_EQ(middle(16, nullptr, false, false), rgb(six(16), six(16), six(16)));
  // Highlights are added to the modulated vertex red.
  const auto most = [](u32 a, u32 b) { return std::min(a + b, 63u); };
  EXPECT_EQ(middle(15, "highlight", true, true),
            rgb(most(modulated(six(20), six(15)), six(4)), most(modulated(six(31), six(15)), six(0)),
                most(modulated(six(8), six(15)), six(9))));
  EXPECT_EQ(middle(16, "highlight", true, false), rgb(63, most(six(16), six(20)), most(six(16), six(10))));
}

TEST(DsLook, ShadowsCoverSurfacesInTheirVolume) {
  constexpr u32 k_size = 96;  // two tiles
  const auto shadow_at = [&](f32 ground, u32 id, bool has_mask = true) {
    Scenes b;
    b.quad(b.material(ds_five(20, 20, 20), with_id(5)), {-1, -1}, {1, 1}, ground);
    // A volume from z = -2 to 2: its far side is the mask, its near side the shadow.
    if (has_mask) b.quad(b.material(ds_five(0, 0, 0, 15), with_mode("shadow", 0)), {-0.5, -0.5}, {0.5, 0.5}, -2);
    b.quad(b.material(ds_five(0, 0, 0, 15), with_mode("shadow", id)), {-0.5, -0.5}, {0.5, 0.5}, 2);
    const Image image = drawn(b.s, ShadingStyle::ds, k_size);
    const Rgba lit{eight(six(20)), eight(six(20)), eight(six(20)), 255};
    const u8 dark = eight(six(20) * 16 / 32);
    size_t dark_pixels = 0;
    for (u32 y = 0; y < k_size; ++y)
      for (u32 x = 0; x < k_size; ++x) {
        const Rgba c = color_of(image, x, y);
        EXPECT_TRUE(c == lit || c == (Rgba{dark, dark, dark, 255}));
        dark_pixels += c != lit;
      }
    return dark_pixels;
  };
  EXPECT_EQ(shadow_at(0, 6), k_size * k_size / 4);
  EXPECT_EQ(shadow_at(-3, 6), 0u);        // behind the volume
  EXPECT_EQ(shadow_at(3, 6), 0u);         // in front of the volume
  EXPECT_EQ(shadow_at(0, 5), 0u);         // same id: the surface casts the shadow
  EXPECT_EQ(shadow_at(0, 6, false), 0u);  // without a mask, no shadow
}

TEST(DsLook, EachShadowHasItsOwnMask) {
  Scenes b;
  b.quad(b.material(ds_five(20, 20, 20), with_id(5)), {-1, -1}, {1, 1});
  const auto volume = [&](Vec2 low, Vec2 high, f32 far, f32 near, u32 id) {
    b.quad(b.material(ds_five(0, 0, 0, 15), with_mode("shadow", 0)), low, high, far);
    b.quad(b.material(ds_five(0, 0, 0, 15), with_mode("shadow", id)), low, high, near);
  };
  volume({-1, -1}, {0, 1}, -2, -1, 6);  // below the ground: its mask stays because no shadow uses it
  volume({-1, -1}, {1, 1}, 1, 2, 7);    // above the ground
  const Image image = drawn(b.s, ShadingStyle::ds, 32);
  for (u32 x = 0; x < 32; ++x) EXPECT_EQ(color_of(image, x, 16)[0], eight(six(20))) << x;
}

TEST(DsLook, AddsFogFromADepthTable) {
  const auto red_at = [](f32 distance, bool takes_part, bool of_scene = true) {
    Scenes b;
    Value& table = b.s.extras.add("fog_table", Value::object());
    table.add("color", console::rgb(31, 0, 0)), table.add("alpha", 31);
    table.add("offset", 0x4000), table.add("step", 0x200);
    Value& densities = table.add("densities", Value::list());
    for (u32 i = 0; i < 32; ++i) densities.push(i * 4);
    Value extras = with_id(1);
    if (takes_part) extras.add("fog", true);
    b.quad(b.material(ds_five(0, 0, 31), std::move(extras)), {-300, -300}, {300, 300}, 0);
    View v;
    v.to_eye.origin = {0, 0, -distance};
    v.near = 1, v.far = 100;
    v.is_of_scene = of_scene;
    return color_of(drawn(b.s, ShadingStyle::ds, 16, v), 8, 8)[0];
  };
  const auto expected = [](f64 distance) {  // GBATEK, DS 3D Toon, Edge, Fog
    const f64 depth = 100 * (distance - 1) / (distance * 99) * 0x7FFF, at = (depth - 0x4000) / 0x200 - 1;
    const f64 density = std::clamp(at, 0.0, 31.0) * 4;
    return 63 * density / 128;
  };
  for (const f32 distance : {1.5f, 2.0f, 2.2f, 3.0f, 5.0f, 9.0f, 20.0f, 60.0f, 99.0f})
    EXPECT_NEAR(red_at(distance, true) >> 2, expected(f64(distance)), 1.5) << distance;
  EXPECT_EQ(red_at(20, false), 0);
  EXPECT_EQ(red_at(20, true, false), 0);  // depths only make sense for a game camera
}

TEST(PsxLook, DithersColorsToFiveBits) {
  // psx-spx, GPU, dithering
  constexpr i32 k_offsets[4][4] = {{-4, 0, -3, 1}, {2, -2, 3, -1}, {-3, 1, -4, 0}, {3, -1, 2, -2}};
  for (const u8 level : {u8(0), u8(3), u8(100), u8(133), u8(253), u8(255)}) {
    Scenes b;
    b.quad(b.material({1, 1, 1, 1}), {-1, -1}, {1, 1}).colors.assign(4, shown(level, level, level));
    const Image image = drawn(b.s, ShadingStyle::psx, 80);
    for (u32 y = 60; y < 70; ++y)
      for (u32 x = 60; x < 70; ++x)
        ASSERT_EQ(color_of(image, x, y)[0],
                  psx::to_8_bits(u32(std::clamp(level + k_offsets[y & 3][x & 3], 0, 255)) >> 3));
  }
}

TEST(PsxLook, BlendsInFourModes) {
  for (u16 mode = 0; mode < 4; ++mode) {
    Scenes b;
    const u16 page = u16(mode << 5);  // not dithered
    b.quad(b.material(shown(psx::to_8_bits(20), psx::to_8_bits(10), psx::to_8_bits(31)), with_page(page)), {-1, -1},
           {1, 1}, -1);
    b.quad(b.material(shown(psx::to_8_bits(12), psx::to_8_bits(15), psx::to_8_bits(9), 0.5f), with_page(page)),
           {-1, -1}, {1, 1}, 1);
    constexpr u8 k_expected[4][3] = {{16, 12, 20}, {31, 25, 31}, {8, 0, 22}, {23, 13, 31}};
    for (size_t c = 0; c < 3; ++c)
      EXPECT_EQ(color_of(drawn(b.s, ShadingStyle::psx, 8), 4, 4)[c], psx::to_8_bits(k_expected[mode][c]))
          << mode << ' ' << c;
  }
}

TEST(PsxLook, SortsPolygonsInsteadOfDepthTesting) {
  // Two crossing squares: the one with the nearer centre hides the other entirely, in either order.
  for (const bool near_first : {false, true}) {
    Scenes b;
    const Index red = b.material({1, 0, 0, 1}, with_page(0)), green = b.material({0, 1, 0, 1}, with_page(0));
    const auto slope = [&](Index m, f32 left, f32 right) {
      Primitive& p = b.quad(m, {-1, -1}, {1, 1});
      p.positions[0][2] = p.positions[3][2] = left, p.positions[1][2] = p.positions[2][2] = right;
    };
    if (near_first) slope(red, 0.5f, 0.5f);
    slope(green, 1, -1);
    if (!near_first) slope(red, 0.5f, 0.5f);
    const Image image = drawn(b.s, ShadingStyle::psx, 16);
    for (u32 x = 1; x < 15; ++x) EXPECT_EQ(color_of(image, x, 8), (Rgba{255, 0, 0, 255})) << x;
  }
}

TEST(PsxLook, MapsTexturesWithoutPerspective) {
  Scenes b;
  const Index m = b.material({1, 1, 1, 1}, with_page(0));
  std::vector<Rgba> row;
  for (u32 i = 0; i < 2; ++i) row.push_back(i ? Rgba{255, 255, 255, 255} : Rgba{0, 0, 255, 255});
  b.give_texels(m, row);
  Primitive& p = b.quad(m, {-1, -1}, {1, 1});
  p.positions[1][2] = p.positions[2][2] = -20;  // the right side is farther away
  View v;
  v.half_height = 1;
  v.to_eye.origin = {0, 0, -2};
  v.near = 0.5, v.far = 100;
  const auto border = [&](ShadingStyle look) {  // start of the second texel, in the middle row
    const Image image = drawn(b.s, look, 200, v);
    for (u32 x = 0; x < 200; ++x)
      if (color_of(image, x, 100)[0] > 128) return x;
    return 0u;
  };
  // The left side is at pixel 50 and the right side at 104.5. The console places the texture seam halfway on the
  // screen; with perspective it is at pixel 100, where x = 0 is 11 units from the camera.
  EXPECT_NEAR(border(ShadingStyle::psx), 77, 1);
  EXPECT_NEAR(border(ShadingStyle::plain), 100, 1);
}

TEST(PsxLook, AddsFogOnlyForSceneCameras) {
  const auto middle = [](f64 near, f64 far, bool of_scene) {
    Scenes b;
    Value& fog = b.s.extras.add("fog", Value::object());
    fog.add("enabled", true), fog.add("red", 248), fog.add("green", 0), fog.add("blue", 0);
    fog.add("near", near), fog.add("far", far);
    b.quad(b.material({0, 0, 1, 1}, with_page(0)), {-9, -9}, {9, 9});
    View v;
    v.to_eye.origin = {0, 0, -10};
    v.near = 1, v.far = 100;
    v.is_of_scene = of_scene;
    return color_of(drawn(b.s, ShadingStyle::psx, 16, v), 8, 8);
  };
  const Rgba blue{0, 0, 255, 255};
  EXPECT_EQ(middle(5, 15, false), blue);
  EXPECT_EQ(middle(12, 15, true), blue);
  EXPECT_EQ(middle(5, 15, true), (Rgba{psx::to_8_bits(124 >> 3), 0, psx::to_8_bits(127 >> 3), 255}));  // half fog
  EXPECT_EQ(middle(1, 9, true), (Rgba{0, 0, 0, 255}));                                                 // all fog
  EXPECT_EQ(middle(1e39, 1e40, true), blue);  // too large for 32 bits
}

TEST(PsxLook, DrawsPolygonsReachingBehindTheCamera) {
  Scenes b;
  Primitive floor;
  floor.material = b.material({1, 1, 1, 1}, with_page(0));
  floor.positions = {{-50, -1, 20}, {50, -1, 20}, {50, -1, -50}, {-50, -1, -50}};
  floor.indices = {0, 1, 2, 0, 2, 3};
  b.add(std::move(floor));
  View v;
  v.near = 0.5, v.far = 100;
  const Image image = drawn(b.s, ShadingStyle::psx, 64, v);
  for (u32 x = 2; x < 62; ++x) {
    EXPECT_EQ(color_of(image, x, 20)[0], 0) << x;
    for (u32 y = 36; y < 60; ++y) EXPECT_EQ(color_of(image, x, y)[0], 255) << x << ' ' << y;
  }
}

TEST(PsxLook, UsesOriginalColorsOfBrightenedTextures) {
  Scenes b;
  Value extras = with_page(0);
  extras.add("texels_times", 2.0), extras.add("colors", "5294294a");  // (20, 20, 20) and (10, 10, 10)
  const Index m = b.material({1, 1, 1, 1}, std::move(extras));
  Image i;
  i.name = "brightened";
  i.width = 2, i.height = 1;
  i.palette = {{255, 255, 255, 255}, {164, 164, 164, 255}};
  i.pixels = {0, 1};
  b.s.images.push_back(std::move(i));
  b.s.textures.push_back({.name = "brightened", .image = 0});
  b.s.materials[m].texture = 0;
  b.quad(m, {-1, -1}, {1, 1}).colors.assign(4, shown(128, 128, 128));  // like the console's 128: texels unchanged
  const Image image = drawn(b.s, ShadingStyle::psx, 8);
  EXPECT_EQ(color_of(image, 1, 4)[0], psx::to_8_bits(20));
  EXPECT_EQ(color_of(image, 6, 4)[0], psx::to_8_bits(10));
}

TEST(PlainLook, AddsFogOnlyForSceneCameras) {
  const auto middle = [](f64 near, f64 far, bool of_scene, f32 alpha = 1) {
    Scenes b;
    Value& fog = b.s.extras.add("fog", Value::object());
    fog.add("enabled", true), fog.add("red", 200), fog.add("green", 0), fog.add("blue", 0);
    fog.add("near", near), fog.add("far", far);
    b.quad(b.material({0, 0, 1, alpha}), {-9, -9}, {9, 9});
    View v;
    v.to_eye.origin = {0, 0, -10};
    v.near = 1, v.far = 100;
    v.is_of_scene = of_scene;
    return color_of(drawn(b.s, ShadingStyle::plain, 16, v), 8, 8);
  };
  EXPECT_EQ(middle(5, 15, false), (Rgba{0, 0, 255, 255}));
  EXPECT_EQ(middle(12, 15, true), (Rgba{0, 0, 255, 255}));
  EXPECT_EQ(middle(5, 15, true), (Rgba{100, 0, 128, 255}));  // half fog
  EXPECT_EQ(middle(1, 9, true), (Rgba{200, 0, 0, 255}));     // all fog
  EXPECT_EQ(middle(1, 9, true, 0.5f), (Rgba{100, 0, 0, 255}));
}

/// Very distant and tiny triangles produce NaN (0 times infinity) between their vertices. No look may convert NaN to an
/// integer, and every pixel must stay in range.
TEST(Looks, DrawsTrianglesOfAnySize) {
  std::mt19937 random(3);
  const auto size = [&] { return std::pow(10.0f, std::uniform_real_distribution<f32>(-5, 18)(random)); };
  const auto part = [&] { return std::uniform_real_distribution<f32>(-1, 1)(random); };
  View v;
  v.near = 1e-3f, v.far = 1e18f;
  for (int round = 0; round < 60; ++round) {
    Scenes b;
    const Index opaque = b.material({1, 1, 1, 1}), clear = b.material({1, 1, 1, 0.5f});
    for (const Index m : {opaque, clear}) {
      b.give_texels(m, {{255, 0, 0, 255}, {0, 255, 0, 0}});
      Primitive p{.material = m};
      for (int i = 0; i < 60; ++i) {
        const f32 far = size();
        p.positions.push_back({far * part(), far * part(), -far * std::abs(part())});
        p.uvs.push_back({size() * part(), size() * part()});
        p.colors.push_back(i % 3 ? Vec4{0, 0, 0, 0} : Vec4{1, 0, 1, 1});
      }
      b.add(std::move(p));
    }
    for (const ShadingStyle look : {ShadingStyle::plain, ShadingStyle::ds, ShadingStyle::psx}) {
      const Image image = drawn(b.s, look, 24, v);
      EXPECT_EQ(image.pixels.size(), 24u * 24 * 4);
    }
  }
}

TEST(Looks, WindowsMatchTheWholeImage) {
  Scenes b;
  Value& colors = b.s.extras.add("edge_colors", Value::list());
  for (u32 i = 0; i < 8; ++i) colors.push(i * 1000);
  std::mt19937 random(11);
  const auto any = [&] { return f32(random() % 2000) / 1000 - 1; };
  for (u32 n = 0; n < 40; ++n) {
    Primitive p;
    p.material = b.material(ds_five(random() % 32, random() % 32, random() % 32, n % 3 ? 31 : 12), with_id(n));
    p.positions = {{any(), any(), any()}, {any(), any(), any()}, {any(), any(), any()}};
    p.indices = {0, 1, 2};
    b.add(std::move(p));
    b.s.materials.back().double_sided = true;
  }
  for (const ShadingStyle look : {ShadingStyle::ds, ShadingStyle::psx}) {
    Options o;
    o.width = o.height = 200;
    o.samples = 3;
    o.look = look;
    const auto whole = render(b.s, evaluate_pose(b.s, {}), square_view(), o);
    o.window = Window{30, 61, 140, 80};
    const auto part = render(b.s, evaluate_pose(b.s, {}), square_view(), o);
    ASSERT_TRUE(whole && part);
    for (u32 y = 0; y < 80; ++y)
      for (u32 x = 0; x < 140; ++x) ASSERT_EQ(color_of(*part, x, y), color_of(*whole, x + 30, y + 61)) << x << ' ' << y;
  }
}

TEST(Looks, ConsoleLooksSnapVerticesToPixels) {
  for (const ShadingStyle look : {ShadingStyle::ds, ShadingStyle::psx}) {
    const auto first = [&](f32 left) {
      Scenes b;
      b.quad(b.material({1, 1, 1, 1}, with_page(0)), {left, -1}, {1, 1});
      const Image image = drawn(b.s, look, 64);
      for (u32 x = 0; x < 64; ++x)
        if (color_of(image, x, 20)[0]) return x;
      return 64u;
    };
    EXPECT_EQ(first(-1 + 20.0f / 32), 20u);
    EXPECT_EQ(first(-1 + 20.9f / 32), 20u);
    EXPECT_EQ(first(-1 + 21.1f / 32), 21u);
  }
}

TEST(Looks, ParsesLookAndZoomOptions) {
  RenderOptions shot;
  EXPECT_FALSE(set_option(shot, "look", "ds"));
  EXPECT_EQ(shot.options.look, ShadingStyle::ds);
  EXPECT_FALSE(set_option(shot, "zoom", "3"));
  EXPECT_EQ(set_option(shot, "look", "n64"), "must be plain, ds or psx, not \"n64\"");
  EXPECT_EQ(set_option(shot, "zoom", "17"), "must be a number from 1 to 16, not \"17\"");
  shot.options.width = shot.options.height = 8;
  Scenes b;
  b.quad(b.material({1, 0, 0, 1}), {-1, -1}, {1, 1});
  const auto taken = render_picture(b.s, shot);
  ASSERT_TRUE(taken);
  EXPECT_EQ(taken->image.width, 24u);
  for (u32 y = 0; y < 24; ++y)
    for (u32 x = 0; x < 24; ++x)
      EXPECT_EQ(color_of(taken->image, x, y), color_of(taken->image, x / 3 * 3 + 1, y / 3 * 3 + 1));
}

}  // namespace
}  // namespace dio::raster
