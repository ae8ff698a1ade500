// rest_pose.hpp: the rest pose of a model's bones.
#pragma once
#include <vector>

#include "formats/brres/layout/model.hpp"
#include "scene/math.hpp"

namespace dio::brres {

/// A bone at rest. If it compensates for its parent's scale, that scale is divided out.
struct BoneRestPose {
  i32 parent = -1;
  scene::Point scale{1, 1, 1}, translation{};
  scene::Vec4 rotation = scene::k_no_rotation;
  scene::Affine to_model;
};
std::vector<BoneRestPose> compute_rest_poses(const Model&);

/// Numbers that are not finite become 0.
scene::Point to_point(const Vec3&);
/// The scale of a bone that compensates for the scale of its parent.
scene::Point compensate_scale(const scene::Point& own, const scene::Point& parent);

/// Whether 3 rows of 4 equal the matrix, except for rounding.
bool matches_matrix(const std::array<f32, 12>& rows, const scene::Affine&);
std::array<f32, 12> to_matrix_rows(const scene::Affine&);

}  // namespace dio::brres
