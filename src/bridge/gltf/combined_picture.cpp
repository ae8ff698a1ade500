#include "bridge/gltf/combined_picture.hpp"

#include <algorithm>
#include <cmath>

#include "scene/scaling.hpp"
#include "scene/srgb_tables.hpp"

namespace dio::gltf {

namespace {

constexpr f64 k_full_light = 65535;

scene::Image in_size(const scene::Image& picture, u32 width, u32 height) {
  return picture.width == width && picture.height == height ? to_rgba(picture)
                                                            : resize_image(to_rgba(picture), width, height);
}

}  // namespace

std::pair<u32, u32> combined_size(const PictureLayers& layers) {
  u32 width = 0, height = 0;
  for (const scene::Image* picture : {layers.base, layers.occlusion, layers.emission})
    if (picture) width = std::max(width, picture->width), height = std::max(height, picture->height);
  return {width, height};
}

scene::Image combine_pictures(const PictureLayers& layers) {
  const auto [width, height] = combined_size(layers);
  scene::Image out = in_size(*layers.base, width, height);
  out.name = layers.base->name;
  const scene::Image occlusion = layers.occlusion ? in_size(*layers.occlusion, width, height) : scene::Image{};
  const scene::Image emission = layers.emission ? in_size(*layers.emission, width, height) : scene::Image{};
  for (size_t i = 0; i + 3 < out.pixels.size(); i += 4) {
    const f64 open = layers.occlusion ? 1 + f64(layers.occlusion_strength) * (f64(occlusion.pixels[i]) / 255 - 1) : 1;
    for (size_t k = 0; k < 3; ++k) {
      f64 light = scene::srgb_to_light(out.pixels[i + k]) * f64(layers.color[k]) * open;
      if (layers.emission) light += scene::srgb_to_light(emission.pixels[i + k]) * f64(layers.emission_factor[k]);
      out.pixels[i + k] = scene::light_to_srgb(u32(std::clamp(std::floor(light + 0.5), 0.0, k_full_light)));
    }
  }
  return out;
}

}  // namespace dio::gltf
