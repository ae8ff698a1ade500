// opening_cameras.hpp: the cameras of a course as the game plays them, one after the other.
#pragma once
#include <vector>

#include "formats/kmp/layout.hpp"
#include "scene/scene.hpp"

namespace dio::kmp {

/// One camera that takes the place of each in turn: keys, in seconds, between which it moves evenly. Where the game
/// cuts to another camera, two keys lie close together.
struct PlayedCamera {
  struct Cut {
    size_t camera;  // index into CAME
    f32 seconds;
  };
  std::vector<f32> times;
  std::vector<scene::Vec3> eyes;
  std::vector<scene::Vec4> rotations;
  std::vector<f32> fovs;           // radians, vertical
  std::vector<scene::Vec3> karts;  // what it follows; empty: nothing
  std::vector<Cut> cuts;
};

/// The chain that begins with the opening camera. Fewer than two keys: there is none.
PlayedCamera build_opening_pan(const Kmp&);

/// What replays show of a kart that drives a lap along the enemy path: in each area the camera that the area names.
/// Fewer than two keys: there are no enemy points, or no area with a camera. Source: README.md, "Picture".
PlayedCamera build_replay(const Kmp&);

/// A vertical field of view in radians, of degrees as cameras have them.
f32 fov_in_radians(f32 degrees);

}  // namespace dio::kmp
