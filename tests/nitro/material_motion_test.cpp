// Texture and colour animation of Nitro materials, and node visibility; expected values are computed by hand from the
// rules in src/formats/nitro/README.md.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "formats/nitro/parts.hpp"
#include "formats/nitro/scene/texture_matrix.hpp"
#include "samples/nitro/parts.hpp"

namespace {

using namespace dio;
using namespace dio::nitro;
using make::rgb;
using testing::ElementsAre;

constexpr u8 k_maya = 0, k_si3d = 1, k_max = 2, k_xsi = 3;
constexpr u8 k_each = 0, k_each_2nd = 1, k_each_4th = 2;

/// Matrix elements in the order uu, uv, u0, vu, vv, v0.
std::array<f64, 6> numbers(const TextureMatrix& m) { return {m.uu, m.uv, m.u0, m.vu, m.vv, m.v0}; }
std::array<f64, 6> matrix(u8 mode, const TextureSrt& srt, f64 aspect = 1) {
  return numbers(texture_matrix(mode, srt, aspect));
}
auto near(std::array<f64, 6> e) { return testing::Pointwise(testing::DoubleNear(1e-12), e); }

// ---- texture matrices ----

TEST(NitroTextureMatrices, DefaultTransformGivesIdentityMatrix) {
  for (const u8 mode : {k_maya, k_si3d, k_max, k_xsi})
    EXPECT_THAT(matrix(mode, {}, 2), ElementsAre(1, 0, 0, 0, 1, 0)) << int(mode);
}
TEST(NitroTextureMatrices, TranslatesTexturesInEveryMode) {
  const TextureSrt moved{1, 1, 0, 1, 0.25, 0.125};
  EXPECT_THAT(matrix(k_maya, moved), ElementsAre(1, 0, -0.25, 0, 1, 0.125));
  EXPECT_THAT(matrix(k_si3d, moved), ElementsAre(1, 0, -0.25, 0, 1, -0.125));
  EXPECT_THAT(matrix(k_max, moved), ElementsAre(1, 0, -0.25, 0, 1, 0.125));
  EXPECT_THAT(matrix(k_xsi, moved), ElementsAre(1, 0, -0.25, 0, 1, 0.125));
}
TEST(NitroTextureMatrices, ScalesTexturesInEveryMode) {
  const TextureSrt scaled{2, 4, 0, 1, 0, 0};
  EXPECT_THAT(matrix(k_maya, scaled), ElementsAre(2, 0, 0, 0, 4, -3));  // (2 - 4 - 4) / 2: from the lower edge
  EXPECT_THAT(matrix(k_si3d, scaled), ElementsAre(2, 0, 0, 0, 4, 0));
  EXPECT_THAT(matrix(k_max, scaled), ElementsAre(2, 0, -0.5, 0, 4, -1.5));  // from the middle
  EXPECT_THAT(matrix(k_xsi, scaled), ElementsAre(2, 0, 0, 0, 4, -3));
}
TEST(NitroTextureMatrices, RotatesTexturesInEveryModeExceptSi3d) {
  const TextureSrt turned{1, 1, 1, 0, 0, 0};  // sine 1, cosine 0
  EXPECT_THAT(matrix(k_maya, turned), ElementsAre(0, 1, 0, -1, 0, 1));
  EXPECT_THAT(matrix(k_si3d, turned), ElementsAre(1, 0, 0, 0, 1, 0));  // not at all
  EXPECT_THAT(matrix(k_max, turned), ElementsAre(0, -1, 1, 1, 0, 0));
  EXPECT_THAT(matrix(k_xsi, turned), ElementsAre(0, -1, 1, 1, 0, 1));
}
TEST(NitroTextureMatrices, CombinesScaleRotationAndTranslation) {
  const TextureSrt all{2, 4, 0.6, 0.8, 0.25, 0.5};
  // u0: (2 - 1.2 - 1.6)/2 - 0.5; v0: (2 + 2.4 - 3.2 - 4)/2 + 2
  EXPECT_THAT(matrix(k_maya, all), near({1.6, 1.2, -0.9, -2.4, 3.2, 0.6}));
  EXPECT_THAT(matrix(k_si3d, all), near({2, 0, -0.5, 0, 4, -2}));
  // u0: 0.5 + 1.6 * -0.75 - 1.2 * 0; v0: 0.5 + 2.4 * -0.75 + 3.2 * 0
  EXPECT_THAT(matrix(k_max, all), near({1.6, -1.2, -0.7, 2.4, 3.2, -1.3}));
  // u0: 1.2 - 2 (0.2 + 0.3); v0: 1 - 3.2 - 4 (0.15 - 0.4)
  EXPECT_THAT(matrix(k_xsi, all), near({1.6, -1.2, 0.2, 2.4, 3.2, -1.2}));
}
TEST(NitroTextureMatrices, OnlyThe3dsMaxModeUsesTheAspectRatio) {
  const TextureSrt all{2, 4, 0.6, 0.8, 0.25, 0.25};
  // width twice the height. u0: 0.5 + 1.6 * -0.75 - 1.2 * -0.25 * 1/2; v0: 0.5 + 2.4 * -0.75 * 2 + 3.2 * -0.25
  EXPECT_THAT(matrix(k_max, all, 2), near({1.6, -1.2, -0.55, 2.4, 3.2, -3.9}));
  // height twice the width: - 1.2 * -0.25 * 2, and 2.4 * -0.75 / 2
  EXPECT_THAT(matrix(k_max, all, 0.5), near({1.6, -1.2, -0.1, 2.4, 3.2, -1.2}));
  for (const u8 mode : {k_maya, k_si3d, k_xsi}) EXPECT_EQ(matrix(mode, all, 2), matrix(mode, all, 1)) << int(mode);
}
TEST(NitroTextureMatrices, ConvertsGltfTransformsToEveryMode) {
  scene::TextureTransform t;
  t.offset = {0.3f, -0.7f}, t.rotation = 0.4f, t.scale = {1.5f, 1.5f};
  const f64 s = std::sin(f64(t.rotation)), c = std::cos(f64(t.rotation));
  for (const u8 mode : {k_maya, k_max, k_xsi}) {
    TextureSrt srt;
    EXPECT_TRUE(to_texture_srt(mode, t, 2, srt)) << int(mode);
    // KHR_texture_transform: scale, rotate, translate.
    const std::array<f64, 6> wanted{1.5 * c, 1.5 * s, t.offset[0], -1.5 * s, 1.5 * c, t.offset[1]};
    EXPECT_THAT(matrix(mode, srt, 2), near(wanted)) << int(mode);
  }
  TextureSrt srt;
  EXPECT_FALSE(to_texture_srt(k_si3d, t, 1, srt));  // it does not turn
  t.rotation = 0, t.scale = {2, 0.5f};
  EXPECT_TRUE(to_texture_srt(k_si3d, t, 1, srt));
  EXPECT_THAT(matrix(k_si3d, srt), near({2, 0, t.offset[0], 0, 0.5, t.offset[1]}));
  t.rotation = 0.1f;
  EXPECT_FALSE(to_texture_srt(k_maya, t, 1, srt));  // two factors
  t.rotation = 0, t.scale = {0, 1};
  EXPECT_FALSE(to_texture_srt(k_maya, t, 1, srt));
  EXPECT_TRUE(std::isfinite(srt.translation_s));
}
TEST(NitroTextureMatrices, MaterialFlagsDisableTransformParts) {
  Material m{};
  m.scale = {fx32{8192}, fx32{16384}};
  m.sin = {2048}, m.cos = {-2048};
  m.translation = {fx32{1024}, fx32{-1024}};
  const auto said = [&] {
    const TextureSrt s = texture_srt(m);
    return std::array{s.scale_s, s.scale_t, s.sin, s.cos, s.translation_s, s.translation_t};
  };
  EXPECT_THAT(said(), ElementsAre(2, 4, 0.5, -0.5, 0.25, -0.25));
  m.scale_one = 1;
  EXPECT_THAT(said(), ElementsAre(1, 1, 0.5, -0.5, 0.25, -0.25));
  m.rotation_zero = 1;
  EXPECT_THAT(said(), ElementsAre(1, 1, 0, 1, 0.25, -0.25));
  m.translation_zero = 1;
  EXPECT_THAT(said(), ElementsAre(1, 1, 0, 1, 0, 0));
}

TextureChannel constant(u32 data) {
  TextureChannel c{};
  c.constant = 1, c.data = data;
  return c;
}
TextureChannel sampled(u8 step, u16 last, std::vector<i32> samples) {
  TextureChannel c{};
  c.step = step, c.last = last, c.samples = std::move(samples);
  return c;
}
TEST(NitroTextureMotion, InterpolatesTextureTracksBetweenSamples) {
  TextureTrack t{};
  t.scale_s = constant(8192);
  t.scale_t = sampled(k_each_2nd, 4, {4096, 8192, 0, -4096});           // frames 0 2 4 5
  t.rotation = sampled(k_each_4th, 4, {0, 4096, 4096, 0, 2048, 2048});  // frames 0 4 5: sine and cosine
  t.translation_s = sampled(k_each, 6, {0, 1024, 2048, 3072, 4096, 5120});
  t.translation_t = constant(u32(-2048));
  const auto at = [&](u32 frame) {
    const TextureSrt s = texture_srt(t, 6, frame);
    return std::array{s.scale_s, s.scale_t, s.sin, s.cos, s.translation_s, s.translation_t};
  };
  EXPECT_THAT(at(0), ElementsAre(2, 1, 0, 1, 0, -0.5));
  EXPECT_THAT(at(1), ElementsAre(2, 1.5, 0.25, 0.75, 0.25, -0.5));
  EXPECT_THAT(at(3), ElementsAre(2, 1, 0.75, 0.25, 0.75, -0.5));
  EXPECT_THAT(at(5), ElementsAre(2, -1, 0.5, 0.5, 1.25, -0.5));
  EXPECT_EQ(at(600), at(5));
  t.rotation = constant(0xF000'0800);  // cosine -1 above sine 1/2
  EXPECT_EQ(at(0)[2], 0.5);
  EXPECT_EQ(at(0)[3], -1);
}

// ---- colours ----

TEST(NitroMaterialColors, InterpolatesColorChannelsSeparatelyRoundingDown) {
  const auto still = [](u16 data) {
    ColorChannel c{};
    c.constant = 1, c.data = data;
    return c;
  };
  const auto moving = [](u8 step, u16 last, std::vector<u16> samples) {
    ColorChannel c{};
    c.step = step, c.last = last, c.samples = std::move(samples);
    return c;
  };
  ColorTrack t{};
  t.diffuse = moving(k_each_2nd, 4, {rgb(0, 31, 10), rgb(5, 0, 10), rgb(8, 8, 8), rgb(1, 2, 3)});  // frames 0 2 4 5
  t.ambient = moving(k_each_4th, 4, {rgb(0, 31, 3), rgb(31, 0, 6), rgb(9, 9, 9)});                 // frames 0 4 5
  t.specular = still(rgb(4, 5, 6));
  t.emission = moving(k_each, 6, {1, 2, 3, 4, 5, 6});
  t.alpha = moving(k_each_4th, 4, {31, 0, 7});
  const auto at = [&](u32 frame) {
    const MaterialColors c = sample_colors(t, 6, frame);
    return std::array{c.diffuse, c.ambient, c.specular, c.emission, c.alpha};
  };
  const u16 specular = rgb(4, 5, 6);
  EXPECT_THAT(at(0), ElementsAre(rgb(0, 31, 10), rgb(0, 31, 3), specular, 1, 31));
  // 2.5, 15.5; a quarter: 7.75, 23.25, 3.75; 23.25
  EXPECT_THAT(at(1), ElementsAre(rgb(2, 15, 10), rgb(7, 23, 3), specular, 2, 23));
  EXPECT_THAT(at(2), ElementsAre(rgb(5, 0, 10), rgb(15, 15, 4), specular, 3, 15));
  EXPECT_THAT(at(3), ElementsAre(rgb(6, 4, 9), rgb(23, 7, 5), specular, 4, 7));
  EXPECT_THAT(at(4), ElementsAre(rgb(8, 8, 8), rgb(31, 0, 6), specular, 5, 0));
  EXPECT_THAT(at(5), ElementsAre(rgb(1, 2, 3), rgb(9, 9, 9), specular, 6, 7));
  EXPECT_EQ(at(6), at(5));
  EXPECT_EQ(at(60000), at(5));
}

// ---- visibility ----

TEST(NitroVisibilityBits, OrdersBitsByFrameThenNode) {
  VisibilityAnimation a{};
  a.frames = 4;
  a.node_count = 9;
  a.words = {1u << 0 | 1u << 8 | 1u << 10 | 1u << 31, 1u << 3};  // 10 = 9 + 1, 31 = 3 * 9 + 4, 35 = 3 * 9 + 8
  std::string seen;
  for (u32 f = 0; f < 4; ++f)
    for (u32 n = 0; n < 9; ++n)
      if (a.visible(f, n)) seen += std::to_string(f) + ":" + std::to_string(n) + " ";
  EXPECT_EQ(seen, "0:0 0:8 1:1 3:4 3:8 ");
}

}  // namespace
