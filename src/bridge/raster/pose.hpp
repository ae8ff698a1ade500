// pose.hpp: a scene at one moment: node transforms, visibility and materials.
#pragma once
#include "scene/affine.hpp"
#include "scene/scene.hpp"

namespace dio::raster {

/// A moment of a scene. Without animations it is the scene at rest.
struct Moment {
  std::vector<scene::Index> animations = {};  // animations that play together
  f32 time = 0;                               // seconds from their start; each keeps its last value at the end
  scene::Index variant = scene::k_none;       // of Scene::variants
};

struct Pose {
  std::vector<scene::Affine> places;       // for each node: to the scene
  std::vector<u8> visible;                 // for each node, including its ancestors
  std::vector<scene::Material> materials;  // with the colours and transforms of that moment
  std::vector<f32> fovs;                   // of each camera
  scene::Index variant = scene::k_none;
};

/// Vectors have the length and order of those in the scene.
Pose evaluate_pose(const scene::Scene&, const Moment&);

/// The first animation, followed by each animation that moves nothing that an earlier one moves: these can play
/// together.
std::vector<scene::Index> compatible_animations(const scene::Scene&);
/// The time in seconds until the last of them ends.
f32 animation_duration(const scene::Scene&, const std::vector<scene::Index>& animations);

/// From a node to the scene for each vertex of a skinned primitive: the blend of its joints.
scene::Affine skin_matrix(const Pose&, const scene::Skin&, const std::array<u16, 4>& joints,
                          const scene::Vec4& weights);

}  // namespace dio::raster
