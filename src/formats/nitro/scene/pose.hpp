// pose.hpp: the transforms of a model's nodes, at rest or at a frame of a joint animation, and their matrices.
// Specification: README.md, "Poses".
#pragma once
#include "formats/nitro/layout/joints.hpp"
#include "formats/nitro/scene/sbc_run.hpp"
#include "scene/affine.hpp"

namespace dio::nitro {

using scene::Affine;
using scene::Mat3d;
using scene::Point;
using scene::product;

/// The transform of a node in its parent: scaled, then rotated, then translated.
struct NodePose {
  Point translation{0, 0, 0};
  Mat3d rotation;
  Point scale{1, 1, 1}, inverse_scale{1, 1, 1};
};
using Pose = std::vector<NodePose>;  // one for each node

/// The matrix of a pivot: one element is 1 or -1, alone in its row and column; A, B, C, D fill the others.
Mat3d pivot_matrix(u8 index, bool negative, bool c_negative, bool d_negative, fx16 a, fx16 b);
Mat3d rotation_matrix(const BasisRotation&);
Mat3d rotation_matrix(const PivotRotation&);
Mat3d rotation_matrix(const Node&);

NodePose rest_pose(const Node&);
Pose rest_pose(const Model&);
/// The product of a node's scale and those of all its parents (scaling rule 2), by the parents that the SBC names.
std::vector<Point> cumulative_scales(const Model&, const Pose&, bool inverse);
/// The pose at a frame, which need not be whole, interpolated and clamped as the game does. Nodes without a track keep
/// their rest pose.
Pose pose_at(const Model&, const JointAnimation&, f64 frame);
/// The pose of one node.
NodePose pose_at(const Node&, const JointAnimation&, size_t track, f64 frame);

/// The matrices of a program in a pose, including the pos scale. Billboards are not turned: that depends on the camera.
std::vector<Affine> compute_matrices(const Program&, const Model&, const Pose&);

/// Transforms a vertex into the space in which a matrix of a blend applies.
Affine envelope_matrix(const Envelope&);

}  // namespace dio::nitro
