// affine.hpp: affine transforms in 64 bits, used by formats before values are rounded for a scene.
#pragma once
#include <array>
#include <cmath>
#include <optional>

#include "core/bytes.hpp"

namespace dio::scene {

using Point = std::array<f64, 3>;

/// Three columns of a 3x3 matrix: the images of the axes.
struct Mat3d {
  std::array<Point, 3> columns{Point{1, 0, 0}, Point{0, 1, 0}, Point{0, 0, 1}};
  constexpr bool operator==(const Mat3d&) const = default;
};
/// A linear part, then a translation. `a * b` applies b first.
struct Affine {
  Mat3d linear;
  Point origin{0, 0, 0};
  constexpr bool operator==(const Affine&) const = default;
};

constexpr Point operator*(const Mat3d& m, const Point& p) {
  Point out{};
  for (size_t i = 0; i < 3; ++i) out[i] = m.columns[0][i] * p[0] + m.columns[1][i] * p[1] + m.columns[2][i] * p[2];
  return out;
}
constexpr Mat3d operator*(const Mat3d& a, const Mat3d& b) {
  return {{a * b.columns[0], a * b.columns[1], a * b.columns[2]}};
}
constexpr Point operator*(const Affine& m, const Point& p) {
  Point out = m.linear * p;
  for (size_t i = 0; i < 3; ++i) out[i] += m.origin[i];
  return out;
}
constexpr Affine operator*(const Affine& a, const Affine& b) { return {a.linear * b.linear, a * b.origin}; }

constexpr Mat3d scaling(const Point& s) { return {{Point{s[0], 0, 0}, Point{0, s[1], 0}, Point{0, 0, s[2]}}}; }
constexpr Affine shift(const Point& p) { return {{}, p}; }

/// Component by component.
constexpr Point product(const Point& a, const Point& b) { return {a[0] * b[0], a[1] * b[1], a[2] * b[2]}; }
constexpr Point cross(const Point& a, const Point& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
constexpr f64 dot(const Point& a, const Point& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
inline f64 length(const Point& p) { return std::sqrt(dot(p, p)); }
/// The unit vector along p; p itself if its length is 0.
inline Point unit(const Point& p) {
  const f64 n = length(p);
  return n > 0 && std::isfinite(n) ? Point{p[0] / n, p[1] / n, p[2] / n} : p;
}
constexpr f64 determinant(const Mat3d& m) { return dot(m.columns[0], cross(m.columns[1], m.columns[2])); }

/// Nothing if the matrix is singular.
inline std::optional<Mat3d> inverse(const Mat3d& m) {
  const f64 d = determinant(m);
  if (!(std::fabs(d) > 1e-30) || !std::isfinite(d)) return {};
  const Point a = cross(m.columns[1], m.columns[2]), b = cross(m.columns[2], m.columns[0]),
              c = cross(m.columns[0], m.columns[1]);
  Mat3d out;
  for (size_t i = 0; i < 3; ++i) out.columns[i] = {a[i] / d, b[i] / d, c[i] / d};
  return out;
}
inline std::optional<Affine> inverse(const Affine& m) {
  const auto linear = inverse(m.linear);
  if (!linear) return {};
  const Point back = *linear * m.origin;
  return Affine{*linear, {-back[0], -back[1], -back[2]}};
}

/// A linear map as a rotation (a quaternion, x y z w) and the sign of the scale applied before it: -1 if it mirrors. A
/// map that is not a rotation becomes a rotation close to it.
struct SignedRotation {
  std::array<f64, 4> quaternion{0, 0, 0, 1};
  f64 sign = 1;
};
inline SignedRotation decompose_rotation(const Mat3d& m) {
  SignedRotation out;
  if (determinant(m) < 0) out.sign = -1;
  const auto e = [&](size_t row, size_t column) { return m.columns[column][row] * out.sign; };
  const f64 xx = e(0, 0), yy = e(1, 1), zz = e(2, 2);
  std::array<f64, 4>& q = out.quaternion;
  // Divides by the largest of the four components, so that the others keep their precision.
  if (xx + yy + zz > 0)
    q = {e(2, 1) - e(1, 2), e(0, 2) - e(2, 0), e(1, 0) - e(0, 1), 1 + xx + yy + zz};
  else if (xx >= yy && xx >= zz)
    q = {1 + xx - yy - zz, e(0, 1) + e(1, 0), e(2, 0) + e(0, 2), e(2, 1) - e(1, 2)};
  else if (yy >= zz)
    q = {e(0, 1) + e(1, 0), 1 - xx + yy - zz, e(1, 2) + e(2, 1), e(0, 2) - e(2, 0)};
  else
    q = {e(2, 0) + e(0, 2), e(1, 2) + e(2, 1), 1 - xx - yy + zz, e(1, 0) - e(0, 1)};
  const f64 n = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  if (!(n > 0) || !std::isfinite(n)) return {};
  for (f64& x : q) x /= n;
  return out;
}

}  // namespace dio::scene
