// opening_cameras.hpp: plays the cameras of a course one after the other, as the game does.
#pragma once
#include <vector>

#include "formats/kmp/layout.hpp"
#include "scene/scene.hpp"

namespace dio::kmp {

/// One animated camera that follows the cameras of the game in turn: keys, in seconds, with linear motion in between.
/// At a cut to another camera, two keys are close together.
struct PlayedCamera {
  struct Cut {
    size_t camera;  // index into CAME
    f32 seconds;
  };
  std::vector<f32> times;
  std::vector<scene::Vec3> eyes;
  std::vector<scene::Vec4> rotations;
  std::vector<f32> fovs;           // radians, vertical
  std::vector<scene::Vec3> karts;  // the followed kart; empty: none
  std::vector<Cut> cuts;
};

/// The chain of cameras from the opening camera on. Fewer than two keys: there is no chain.
PlayedCamera build_opening_pan(const Kmp&);

/// The replay of a kart that drives a lap along the enemy path: in each area, the camera that the area refers to. Fewer
/// than two keys: there are no enemy points, or no area with a camera. Source: README.md, "Picture".
PlayedCamera build_replay(const Kmp&);

/// Converts a camera's vertical field of view from degrees to radians.
f32 fov_in_radians(f32 degrees);

}  // namespace dio::kmp
