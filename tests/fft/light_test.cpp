// light_test.cpp: lighting by the PlayStation geometry engine, compared with hand-computed numbers.
#include "formats/fft/scene/light.hpp"

#include <gtest/gtest.h>

namespace dio::fft {
namespace {

Normal normal(i16 x, i16 y, i16 z) { return {fx16{x}, fx16{y}, fx16{z}}; }
Lights dark() {
  Lights l{};
  return l;
}
void set_light(Lights& l, size_t i, i16 red, i16 green, i16 blue, const Normal& towards) {
  l.red[i] = fx16{red}, l.green[i] = fx16{green}, l.blue[i] = fx16{blue};
  l.directions[i] = towards;
}

constexpr Normal k_upward{fx16{0}, fx16{-4096}, fx16{0}};  // Y points down

TEST(FftLight, AmbientLightAloneIsTheIntensity) {
  Lights l = dark();
  l.ambient = {128, 7, 255};
  EXPECT_EQ(compute_vertex_intensity(light_rig(l), k_upward), (Intensity{128, 7, 255}));
}

TEST(FftLight, LightOf2048ShowsTheTextureUnchanged) {
  // towards = -4096 * -4096 >> 12 = 4096; 2048 * 4096 >> 12 = 2048; 2048 >> 4 = 128
  Lights l = dark();
  set_light(l, 1, 2048, 1024, 4080, k_upward);
  EXPECT_EQ(compute_vertex_intensity(light_rig(l), k_upward), (Intensity{128, 64, 255}));
}

TEST(FftLight, LightFromBehindSubtractsNothing) {
  Lights l = dark();
  l.ambient = {40, 41, 42};
  set_light(l, 0, 4096, 4096, 4096, normal(0, 4096, 0));
  EXPECT_EQ(compute_vertex_intensity(light_rig(l), k_upward), (Intensity{40, 41, 42}));
}

TEST(FftLight, LightFallsOffWithTheCosine) {
  // 60 degrees: towards = (-2048 * -4096 + 3547 * 0) >> 12 = 2048; 4096 * 2048 >> 12 = 2048; >> 4 = 128
  Lights l = dark();
  set_light(l, 0, 4096, 0, 0, normal(3547, -2048, 0));
  EXPECT_EQ(compute_vertex_intensity(light_rig(l), k_upward)[0], 128);
}

TEST(FftLight, DoesNotNormalizeLightDirections) {
  // twice as long: towards = -8192 * -4096 >> 12 = 8192; 1024 * 8192 >> 12 = 2048; >> 4 = 128
  Lights l = dark();
  set_light(l, 2, 1024, 1024, 1024, normal(0, -8192, 0));
  EXPECT_EQ(compute_vertex_intensity(light_rig(l), k_upward), (Intensity{128, 128, 128}));
}

TEST(FftLight, ThreeLightsAddUp) {
  // normal (2365, -2365, -2365), about 1 long.
  // light 1 from above (0, -4096, 0): 4096 * 2365 >> 12 = 2365; from the south (0, 0, -4096): the same;
  // light 3 from the west (-4096, 0, 0): -4096 * 2365 < 0: none.
  // red: 16 * 16 + ((1000 * 2365 + 500 * 2365 + 4096 * 0) >> 12) = 256 + (3547500 >> 12 = 866) = 1122; >> 4 = 70
  // green: 0 + (2000 * 2365 >> 12 = 1154); >> 4 = 72; blue: 255 * 16 + 0 >> 4 = 255
  Lights l = dark();
  l.ambient = {16, 0, 255};
  set_light(l, 0, 1000, 2000, 0, normal(0, -4096, 0));
  set_light(l, 1, 500, 0, 0, normal(0, 0, -4096));
  set_light(l, 2, 4096, 4096, 4096, normal(-4096, 0, 0));
  EXPECT_EQ(compute_vertex_intensity(light_rig(l), normal(2365, -2365, -2365)), (Intensity{70, 72, 255}));
}

TEST(FftLight, ClampsEachChannelAt255) {
  // 6000 >> 4 = 375, 5760 >> 4 = 360, 3200 >> 4 = 200
  Lights l = dark();
  set_light(l, 0, 6000, 5760, 3200, k_upward);
  EXPECT_EQ(compute_vertex_intensity(light_rig(l), k_upward), (Intensity{255, 255, 200}));
}

TEST(FftLight, NegativeColorsDarkenDownToZero) {
  // 100 * 16 + (-800 * 4096 >> 12) = 800; >> 4 = 50. 10 * 16 - 800 < 0.
  Lights l = dark();
  l.ambient = {100, 10, 0};
  set_light(l, 0, -800, -800, 0, k_upward);
  EXPECT_EQ(compute_vertex_intensity(light_rig(l), k_upward), (Intensity{50, 0, 0}));
}

TEST(FftLight, RoundsDownAtEachStep) {
  // towards = -4096 * -4095 >> 12 = 4095; red 4096 * 4095 >> 12 = 4095; >> 4 = 255 (255.9)
  // green: 1 * 4095 = 4095 >> 12 = 0; blue: -1 * 4095 = -4095 >> 12 = -1 (down, not towards 0); 16 - 1 = 15 >> 4 = 0
  Lights l = dark();
  l.ambient = {0, 0, 1};
  set_light(l, 0, 4096, 1, -1, normal(0, -4096, 0));
  EXPECT_EQ(compute_vertex_intensity(light_rig(l), normal(0, -4095, 0)), (Intensity{255, 0, 0}));
}

TEST(FftLight, ClampsTheDotProductAt32767) {
  // -32768 * -32768 >> 12 = 262144, cut to 32767; 128 * 32767 >> 12 = 1023; >> 4 = 63. Uncut it would be 255.
  Lights l = dark();
  set_light(l, 0, 128, 128, 128, normal(0, -32768, 0));
  EXPECT_EQ(compute_vertex_intensity(light_rig(l), normal(0, -32768, 0)), (Intensity{63, 63, 63}));
}

TEST(FftLight, MultipliesAndClampsTexels) {
  EXPECT_EQ(lit_texel(200, 128), 200u);
  EXPECT_EQ(lit_texel(200, 64), 100u);
  EXPECT_EQ(lit_texel(201, 64), 100u);   // 100.5
  EXPECT_EQ(lit_texel(100, 255), 199u);  // 199.2
  EXPECT_EQ(lit_texel(200, 255), 255u);
  EXPECT_EQ(lit_texel(31, 200, 31), 31u);  // 48, limited to 5 bits
  EXPECT_EQ(lit_texel(20, 150, 31), 23u);  // 23.4
  for (u32 t = 0; t < 256; ++t) EXPECT_EQ(lit_texel(t, k_unlit[0]), t);
}

TEST(FftLight, LightsTheFacingSideOfRotatedMeshes) {
  // A quarter turn about Y maps x to z; the columns are the images of the axes. A face towards +x turns towards +z.
  const scene::Mat3d quarter{{scene::Point{0, 0, 1}, scene::Point{0, 1, 0}, scene::Point{-1, 0, 0}}};
  Lights l = dark();
  set_light(l, 0, 2048, 2048, 2048, normal(0, 0, 4096));
  const LightRig rig = rotate_light_rig(light_rig(l), quarter);
  EXPECT_EQ(rig.directions[0], (std::array<i16, 3>{4096, 0, 0}));
  EXPECT_EQ(compute_vertex_intensity(rig, normal(4096, 0, 0))[0], 128);
  EXPECT_EQ(compute_vertex_intensity(rig, normal(0, 0, 4096))[0], 0);
}

}  // namespace
}  // namespace dio::fft
