// combined_picture.hpp: one picture for the textures of a material, for scenes, whose materials have one texture.
#pragma once
#include <utility>

#include "scene/scene.hpp"

namespace dio::gltf {

/// The textures and numbers of a material, all with the same texture coordinates. Colours are linear.
struct PictureLayers {
  const scene::Image* base = nullptr;
  scene::Vec3 color{1, 1, 1};               // multiplied with `base`
  const scene::Image* occlusion = nullptr;  // null: none; its red channel darkens the base
  f32 occlusion_strength = 1;               // 0 to 1
  const scene::Image* emission = nullptr;   // null: none; added, as without lighting
  scene::Vec3 emission_factor{1, 1, 1};     // multiplied with `emission`
};

/// Width and height: those of the largest picture.
std::pair<u32, u32> combined_size(const PictureLayers&);
/// The picture that shows all layers, with the alpha of `base`.
scene::Image combine_pictures(const PictureLayers&);

}  // namespace dio::gltf
