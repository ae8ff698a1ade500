// damaged.hpp: for each rule a file of lights, fog, bloom or focus that breaks it, by as little as possible. For tests
// only.
#pragma once
#include <limits>

#include "engine/broken_file.hpp"
#include "samples/egg/files.hpp"
#include "samples/samples.hpp"

namespace dio::egg {

namespace broken {

template <class T, class F>
Bytes with(T file, F edit) {
  edit(file);
  return bytes_of(std::move(file));
}

inline std::vector<test::BrokenFile> files() {
  constexpr f32 k_nan = std::numeric_limits<f32>::quiet_NaN();
  std::vector<test::BrokenFile> all;
  Bytes cut = bytes_of(focus());
  ++cut[7];
  all.push_back({"egg.size", "size", "bdof", cut});
  all.push_back({"egg.version", "version", "bblm", with(bloom(), [](Bblm& b) { b.version = 0; })});
  all.push_back({"egg.word", "lights[5].type", "blight", with(lights(), [](Blight& b) { b.lights[5].type = 3; })});
  all.push_back({"egg.number", "focus_range", "bdof", with(focus(), [&](Bdof& b) { b.focus_range = k_nan; })});
  all.push_back({"egg.lights", "light_count", "blight", with(lights(), [](Blight& b) { b.lights.pop_back(); })});
  all.push_back({"egg.follows-itself", "lights[4].follows", "blight",
                 with(lights(), [](Blight& b) { b.lights[4].follows = 4; })});
  all.push_back({"egg.direction", "lights[6].aim", "blight",
                 with(lights(), [](Blight& b) { b.lights[6].aim = b.lights[6].position; })});
  all.push_back({"egg.distance", "lights[2].reference_brightness", "blight",
                 with(lights(), [](Blight& b) { b.lights[2].reference_brightness = 1; })});
  all.push_back(
      {"egg.cutoff", "lights[2].cutoff", "blight", with(lights(), [](Blight& b) { b.lights[2].cutoff = 91; })});
  all.push_back({"egg.gradients", "textures[1].gradient_count", "blmap",
                 with(light_textures(), [](Blmap& b) { b.textures[1].gradients.pop_back(); })});
  all.push_back({"egg.texture-name", "textures[1].name", "blmap",
                 with(light_textures(), [](Blmap& b) { b.textures[1].name = "lm_0"; })});
  all.push_back({"egg.scale", "textures[0].gradients[8].scale", "blmap",
                 with(light_textures(), [](Blmap& b) { b.textures[0].gradients[8].scale = 1.5f; })});
  all.push_back({"egg.fogs", "fogs", "bfg", with(fogs(), [](Bfg& b) { b.fogs.pop_back(); })});
  all.push_back({"egg.fog-order", "fogs[0].end", "bfg", with(fogs(), [](Bfg& b) { b.fogs[0].end = 500; })});
  all.push_back({"egg.stages", "stages", "bblm", with(bloom(), [](Bblm& b) { b.stages = 3; })});
  return all;
}

}  // namespace broken
}  // namespace dio::egg
