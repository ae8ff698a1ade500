#include "formats/brres/scene/rest_pose.hpp"

#include "formats/brres/semantics.hpp"

namespace dio::brres {

using scene::Affine;
using scene::Mat3d;
using scene::Point;

Point to_point(const Vec3& v) {
  const auto finite = [](f32 x) { return std::isfinite(x) ? f64(x) : 0.0; };
  return {finite(v.x), finite(v.y), finite(v.z)};
}

std::vector<BoneRestPose> compute_rest_poses(const Model& m) {
  std::vector<BoneRestPose> rest(m.bones.size());
  for (size_t i = 0; i < m.bones.size(); ++i) {
    const Bone& b = m.bones[i];
    BoneRestPose& r = rest[i];
    r.parent = find_parent_bone(m, i);
    r.scale = to_point(b.scale);
    r.translation = to_point(b.translation);
    r.rotation = scene::from_euler_degrees({b.rotation.x, b.rotation.y, b.rotation.z});
    if (r.parent >= 0 && b.flags & Bone::k_compensates)
      r.scale = compensate_scale(r.scale, to_point(m.bones[size_t(r.parent)].scale));
    const scene::Mat3 turn = scene::to_matrix(r.rotation);
    Mat3d linear;
    for (size_t k = 0; k < 3; ++k)
      linear.columns[k] = {turn[k][0] * r.scale[k], turn[k][1] * r.scale[k], turn[k][2] * r.scale[k]};
    const Affine local{linear, r.translation};
    r.to_model = r.parent >= 0 ? rest[size_t(r.parent)].to_model * local : local;
  }
  return rest;
}

Point compensate_scale(const Point& own, const Point& parent) {
  Point out = own;
  for (size_t k = 0; k < 3; ++k)
    if (parent[k] != 0) out[k] /= parent[k];
  return out;
}

bool matches_matrix(const std::array<f32, 12>& rows, const Affine& a) {
  f64 most = 0, size = 1;
  for (size_t row = 0; row < 3; ++row)
    for (size_t column = 0; column < 4; ++column) {
      const f64 must = column < 3 ? a.linear.columns[column][row] : a.origin[row];
      most = std::max(most, std::fabs(rows[4 * row + column] - must));
      if (std::isnan(rows[4 * row + column])) return false;
      size = std::max(size, std::fabs(must));
    }
  constexpr f64 k_tolerance = 1e-3;
  return most <= k_tolerance * size;
}

std::array<f32, 12> to_matrix_rows(const Affine& a) {
  std::array<f32, 12> rows{};
  for (size_t row = 0; row < 3; ++row) {
    for (size_t column = 0; column < 3; ++column) rows[4 * row + column] = f32(a.linear.columns[column][row]);
    rows[4 * row + 3] = f32(a.origin[row]);
  }
  return rows;
}

}  // namespace dio::brres
