// light_test.cpp: the light of the PlayStation's geometry engine, against numbers worked out by hand.
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

constexpr Normal k_upward{fx16{0}, fx16{-4096}, fx16{0}};  // Y is down

TEST(FftLight, ambient_alone_is_the_intensity) {
  Lights l = dark();
  l.ambient = {128, 7, 255};
  EXPECT_EQ(compute_vertex_intensity(light_rig(l), k_upward), (Intensity{128, 7, 255}));
}

TEST(FftLight, a_light_of_2048_that_faces_the_surface_draws_the_texture_as_it_is) {
  // towards = -4096 * -4096 >> 12 = 4096; 2048 * 4096 >> 12 = 2048; 2048 >> 4 = 128
  Lights l = dark();
  set_light(l, 1, 2048, 1024, 4080, k_upward);
  EXPECT_EQ(compute_vertex_intensity(light_rig(l), k_upward), (Intensity{128, 64, 255}));
}

TEST(FftLight, a_light_from_behind_takes_nothing_away) {
  Lights l = dark();
  l.ambient = {40, 41, 42};
  set_light(l, 0, 4096, 4096, 4096, normal(0, 4096, 0));
  EXPECT_EQ(compute_vertex_intensity(light_rig(l), k_upward), (Intensity{40, 41, 42}));
}

TEST(FftLight, light_falls_off_with_the_cosine) {
  // 60 degrees: towards = (-2048 * -4096 + 3547 * 0) >> 12 = 2048; 4096 * 2048 >> 12 = 2048; >> 4 = 128
  Lights l = dark();
  set_light(l, 0, 4096, 0, 0, normal(3547, -2048, 0));
  EXPECT_EQ(compute_vertex_intensity(light_rig(l), k_upward)[0], 128);
}

TEST(FftLight, directions_are_as_long_as_they_are) {
  // twice as long: towards = -8192 * -4096 >> 12 = 8192; 1024 * 8192 >> 12 = 2048; >> 4 = 128
  Lights l = dark();
  set_light(l, 2, 1024, 1024, 1024, normal(0, -8192, 0));
  EXPECT_EQ(compute_vertex_intensity(light_rig(l), k_upward), (Intensity{128, 128, 128}));
}

TEST(FftLight, three_lights_add_up) {
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

TEST(FftLight, channels_stop_at_255_one_by_one) {
  // 6000 >> 4 = 375, 5760 >> 4 = 360, 3200 >> 4 = 200
  Lights l = dark();
  set_light(l, 0, 6000, 5760, 3200, k_upward);
  EXPECT_EQ(compute_vertex_intensity(light_rig(l), k_upward), (Intensity{255, 255, 200}));
}

TEST(FftLight, negative_colors_take_light_away_but_not_below_0) {
  // 100 * 16 + (-800 * 4096 >> 12) = 800; >> 4 = 50. 10 * 16 - 800 < 0.
  Lights l = dark();
  l.ambient = {100, 10, 0};
  set_light(l, 0, -800, -800, 0, k_upward);
  EXPECT_EQ(compute_vertex_intensity(light_rig(l), k_upward), (Intensity{50, 0, 0}));
}

TEST(FftLight, rounds_down_at_each_step) {
  // towards = -4096 * -4095 >> 12 = 4095; red 4096 * 4095 >> 12 = 4095; >> 4 = 255 (255.9)
  // green: 1 * 4095 = 4095 >> 12 = 0; blue: -1 * 4095 = -4095 >> 12 = -1 (down, not towards 0); 16 - 1 = 15 >> 4 = 0
  Lights l = dark();
  l.ambient = {0, 0, 1};
  set_light(l, 0, 4096, 1, -1, normal(0, -4096, 0));
  EXPECT_EQ(compute_vertex_intensity(light_rig(l), normal(0, -4095, 0)), (Intensity{255, 0, 0}));
}

TEST(FftLight, what_faces_a_light_too_much_stops_at_32767) {
  // -32768 * -32768 >> 12 = 262144, cut to 32767; 128 * 32767 >> 12 = 1023; >> 4 = 63. Uncut it would be 255.
  Lights l = dark();
  set_light(l, 0, 128, 128, 128, normal(0, -32768, 0));
  EXPECT_EQ(compute_vertex_intensity(light_rig(l), normal(0, -32768, 0)), (Intensity{63, 63, 63}));
}

TEST(FftLight, texels_are_multiplied_and_cut_off) {
  EXPECT_EQ(lit_texel(200, 128), 200u);
  EXPECT_EQ(lit_texel(200, 64), 100u);
  EXPECT_EQ(lit_texel(201, 64), 100u);   // 100.5
  EXPECT_EQ(lit_texel(100, 255), 199u);  // 199.2
  EXPECT_EQ(lit_texel(200, 255), 255u);
  EXPECT_EQ(lit_texel(31, 200, 31), 31u);  // 48, of 5 bits
  EXPECT_EQ(lit_texel(20, 150, 31), 23u);  // 23.4
  for (u32 t = 0; t < 256; ++t) EXPECT_EQ(lit_texel(t, k_unlit[0]), t);
}

TEST(FftLight, a_turned_mesh_is_lit_on_the_side_that_then_faces_the_light) {
  // A quarter turn about Y that takes x to z: the columns are where the axes go. A face that looked to +x looks to +z.
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
