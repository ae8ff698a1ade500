// files.cpp: files of lights, fog, bloom and focus made from nothing.
#include "samples/egg/files.hpp"

#include "samples/samples.hpp"

namespace dio::egg {

Blight lights() {
  Blight b{};
  b.version = 2;
  b.background = {0, 0, 0, 255};
  for (u16 i = 0; i < 16; ++i) {
    Light l{};
    l.size = 0x50, l.version = 2;
    l.space = i == 0 ? 2 : 1, l.type = 1, l.ambient = i, l.flags = 0x0621 | (i < 8 ? k_flag_lit : 0);
    l.position = {f32(i % 4) * 1000 - 1500, 4000, f32(i / 4) * 1000 - 1500};
    l.intensity = 1;
    l.color = {255, u8(255 - 8 * i), u8(255 - 15 * i), 255}, l.specular_color = {0, 0, 0, 255};
    l.cutoff = 90, l.reference_distance = 0.5f, l.reference_brightness = 0.5f;
    b.lights.push_back(l);
    b.ambients.push_back({{u8(100 + 4 * i), 100, u8(100 - 4 * i), 255}, 0});
  }
  Light& lamp = b.lights[2];
  lamp.type = 2, lamp.flags |= 0x80, lamp.spot_function = 2, lamp.distance_function = 1;
  lamp.cutoff = 30, lamp.reference_distance = 2500;
  b.lights[3].type = 0;
  b.lights[4].flags |= k_flag_follows, b.lights[4].follows = 2;
  return b;
}

Blmap light_textures() {
  Blmap b{};
  for (const char* name : {"lm_0", "lm_1"}) {
    LightTexture t{};
    t.name = name;
    t.base = u8(b.textures.size());
    t.lights = b.textures.empty() ? 0x0300 : 0xF001;
    t.gradients.resize(32, {1, 0, {}});
    for (u8 i = 0; i < 10; ++i) t.gradients[i + 6u] = {f32(i) / 10, i, {0, 0x1C, 0x40}};
    b.textures.push_back(std::move(t));
  }
  return b;
}

Bfg fogs() {
  return {{{1, 1000, 50000, {170, 200, 255, 255}, 0, 304, 1, 0, 0},
           {7, 0, 9000, {20, 10, 0, 255}, 1, 304, 0.05f, 5544, 0},
           {0, 0, 0, {0, 0, 0, 255}, 0, 0, 0, 0, 0},
           {0, 0, 0, {0, 0, 0, 255}, 0, 0, 0, 0, 0}}};
}

Bblm bloom() {
  Bblm b{};
  b.version = 1;
  b.threshold = 0.35f, b.threshold_color = {255, 255, 255, 255}, b.tint = {204, 31, 0, 255};
  b.flags = 0x000B;
  b.first_blur = {1, 0.5f, {}}, b.second_blur = {{{2, 0.08f, {}}, {4, 0.04f, {}}}};
  b.blend_mode = 1, b.stages = 2;
  b.color_scale = {0.5f, 0.1f};
  return b;
}

Bdof focus() {
  Bdof b{};
  b.flags = 3;
  b.alpha = 200, b.draw_mode = 2;
  b.focus_center = 20000, b.focus_range = 1000, b.unk_20 = 5000, b.radius = 0.05f;
  b.scroll = {-0.008f, -0.008f}, b.warp_scale = {0.6f, 0.6f}, b.texture_scale = {5, -6};
  return b;
}

namespace {

std::vector<Sample> light_files() {
  Blight few = lights();
  few.lights.resize(1);
  few.ambients.resize(1);
  return {{"course.blight", "16 lights, of every type", bytes_of(lights())},
          {"one.blight", "one light", bytes_of(few)},
          {"none.blight", "no light",
           bytes_of(Blight{
               .size = 0, .version = 2, .pad_09 = {}, .background = {}, .pad_18 = {}, .lights = {}, .ambients = {}})}};
}
std::vector<Sample> light_texture_files() { return {{"course.blmap", "two textures", bytes_of(light_textures())}}; }
std::vector<Sample> fog_files() { return {{"course.bfg", "two fogs of four", bytes_of(fogs())}}; }
std::vector<Sample> bloom_files() { return {{"course.bblm", "bloom", bytes_of(bloom())}}; }
std::vector<Sample> focus_files() { return {{"course.bdof", "depth of field", bytes_of(focus())}}; }

}  // namespace

std::span<const SampleList> samples() {
  static constexpr SampleList k_lists[] = {{"blight", light_files},
                                           {"blmap", light_texture_files},
                                           {"bfg", fog_files},
                                           {"bblm", bloom_files},
                                           {"bdof", focus_files}};
  return k_lists;
}

}  // namespace dio::egg
