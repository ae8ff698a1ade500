// pose.hpp: a scene at one moment: where its nodes stand, what is seen, what its materials look like.
#pragma once
#include "scene/affine.hpp"
#include "scene/scene.hpp"

namespace dio::raster {

/// Which moment of a scene. Without animations it is the scene as it stands.
struct Moment {
  std::vector<scene::Index> animations = {};  // those that play, together
  f32 time = 0;                               // seconds from their start; each holds its last value
  scene::Index variant = scene::k_none;       // of Scene::variants
};

struct Pose {
  std::vector<scene::Affine> places;       // of each node: to the scene
  std::vector<u8> visible;                 // of each node, with all above it
  std::vector<scene::Material> materials;  // with colours and transforms of that moment
  std::vector<f32> fovs;                   // of each camera
  scene::Index variant = scene::k_none;
};

/// Vectors are those of the scene in length and order.
Pose evaluate_pose(const scene::Scene&, const Moment&);

/// The first animation, and after it each that moves nothing which an earlier one moves: what can play together.
std::vector<scene::Index> compatible_animations(const scene::Scene&);
/// Seconds until the last of them has ended.
f32 animation_duration(const scene::Scene&, const std::vector<scene::Index>& animations);

/// From a node to the scene for each vertex of a skinned primitive: the blend of its joints.
scene::Affine skin_matrix(const Pose&, const scene::Skin&, const std::array<u16, 4>& joints,
                          const scene::Vec4& weights);

}  // namespace dio::raster
