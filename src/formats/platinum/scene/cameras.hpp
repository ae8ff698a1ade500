// cameras.hpp: the cameras of the game. Specification: README.md, "The world".
#pragma once
#include <span>
#include <string_view>

#include "scene/scene.hpp"

namespace dio::platinum {

/// A camera type; cameras look north and down at the player.
struct CameraType {
  std::string_view name;
  f64 distance;    // units, from the target
  f64 pitch;       // degrees below the horizon
  f64 half_angle;  // degrees: half of the vertical field of view
  bool parallel = false;
  f32 near = 150, far = 900;  // units
};
/// Indexed by the camera_type of map headers.
std::span<const CameraType> camera_types();

scene::Camera make_camera(const CameraType&);
/// Makes a node with a camera that looks at a point.
scene::Node make_camera_node(const CameraType&, const scene::Vec3& target);

}  // namespace dio::platinum
