// damaged.hpp: for each rule a file of lights, fog, bloom or focus that breaks it, by as little as possible. For tests
// only.
#pragma once
#include <limits>

#include "samples/egg/files.hpp"
#include "samples/samples.hpp"

namespace dio::egg {

struct Broken {
  std::string_view id;      // of the rule
  std::string_view format;  // of the file
  std::string_view path;    // where the finding must be
  Bytes bytes;
};

namespace broken {

template <class T, class F>
Bytes with(T file, F edit) {
  edit(file);
  return bytes_of(std::move(file));
}

inline std::vector<Broken> files() {
  constexpr f32 k_nan = std::numeric_limits<f32>::quiet_NaN();
  std::vector<Broken> all;
  Bytes cut = bytes_of(focus());
  ++cut[7];
  all.push_back({"egg.size", "bdof", "size", cut});
  all.push_back({"egg.version", "bblm", "version", with(bloom(), [](Bblm& b) { b.version = 0; })});
  all.push_back({"egg.word", "blight", "lights[5].type", with(lights(), [](Blight& b) { b.lights[5].type = 3; })});
  all.push_back({"egg.number", "bdof", "focus_range", with(focus(), [&](Bdof& b) { b.focus_range = k_nan; })});
  all.push_back({"egg.lights", "blight", "light_count", with(lights(), [](Blight& b) { b.lights.pop_back(); })});
  all.push_back({"egg.follows-itself", "blight", "lights[4].follows",
                 with(lights(), [](Blight& b) { b.lights[4].follows = 4; })});
  all.push_back({"egg.direction", "blight", "lights[6].aim",
                 with(lights(), [](Blight& b) { b.lights[6].aim = b.lights[6].position; })});
  all.push_back({"egg.distance", "blight", "lights[2].reference_brightness",
                 with(lights(), [](Blight& b) { b.lights[2].reference_brightness = 1; })});
  all.push_back(
      {"egg.cutoff", "blight", "lights[2].cutoff", with(lights(), [](Blight& b) { b.lights[2].cutoff = 91; })});
  all.push_back({"egg.gradients", "blmap", "textures[1].gradient_count",
                 with(light_textures(), [](Blmap& b) { b.textures[1].gradients.pop_back(); })});
  all.push_back({"egg.texture-name", "blmap", "textures[1].name",
                 with(light_textures(), [](Blmap& b) { b.textures[1].name = "lm_0"; })});
  all.push_back({"egg.scale", "blmap", "textures[0].gradients[8].scale",
                 with(light_textures(), [](Blmap& b) { b.textures[0].gradients[8].scale = 1.5f; })});
  all.push_back({"egg.fogs", "bfg", "fogs", with(fogs(), [](Bfg& b) { b.fogs.pop_back(); })});
  all.push_back({"egg.fog-order", "bfg", "fogs[0].end", with(fogs(), [](Bfg& b) { b.fogs[0].end = 500; })});
  all.push_back({"egg.stages", "bblm", "stages", with(bloom(), [](Bblm& b) { b.stages = 3; })});
  return all;
}

}  // namespace broken
}  // namespace dio::egg
