// rest_pose.hpp: where the bones of a model are at rest.
#pragma once
#include <vector>

#include "formats/brres/layout/model.hpp"
#include "scene/math.hpp"

namespace dio::brres {

/// A bone at rest. Where it compensates for the scale of its parent, that is divided out of its own.
struct BoneRestPose {
  i32 parent = -1;
  scene::Point scale{1, 1, 1}, translation{};
  scene::Vec4 rotation = scene::k_no_rotation;
  scene::Affine to_model;
};
std::vector<BoneRestPose> compute_rest_poses(const Model&);

/// Whether 3 rows of 4 are that matrix, but for rounding.
bool matches_matrix(const std::array<f32, 12>& rows, const scene::Affine&);
std::array<f32, 12> to_matrix_rows(const scene::Affine&);

}  // namespace dio::brres
