// cameras.hpp: how the game looks at its maps. Specification: README.md, "Cameras".
#pragma once
#include <span>
#include <string_view>

#include "scene/scene.hpp"

namespace dio::platinum {

/// A kind of camera: it looks north and down at whoever is played.
struct CameraType {
  std::string_view name;
  f64 distance;    // units, from what is looked at
  f64 pitch;       // degrees below the horizon
  f64 half_angle;  // degrees: half of the vertical field of view
  bool parallel = false;
  f32 near = 150, far = 900;  // units
};
/// By the number that map headers have.
std::span<const CameraType> camera_types();

scene::Camera camera_of(const CameraType&);
/// A node with this camera that looks at a point.
scene::Node camera_node(const CameraType&, const scene::Vec3& target);

}  // namespace dio::platinum
