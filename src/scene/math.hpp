// math.hpp: vectors, quaternions, curves and colours of a scene. Computed in 64 bits and rounded once, so that all
// platforms get the same 32 bits. No function returns NaN for finite input.
#pragma once
#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/elementary.hpp"
#include "scene/affine.hpp"
#include "scene/scene.hpp"

namespace dio::scene {

inline constexpr Vec3 k_axis_x{1, 0, 0}, k_axis_y{0, 1, 0}, k_axis_z{0, 0, 1};
inline constexpr Vec4 k_no_rotation{0, 0, 0, 1};

template <size_t N>
bool is_finite(const std::array<f32, N>& v) {
  return std::all_of(v.begin(), v.end(), [](f32 x) { return std::isfinite(x); });
}

constexpr Vec3 add(const Vec3& a, const Vec3& b) { return {a[0] + b[0], a[1] + b[1], a[2] + b[2]}; }
constexpr Vec3 sub(const Vec3& a, const Vec3& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
constexpr Vec3 mul(const Vec3& a, const Vec3& b) { return {a[0] * b[0], a[1] * b[1], a[2] * b[2]}; }
constexpr Vec3 mul(const Vec3& a, f32 s) { return {a[0] * s, a[1] * s, a[2] * s}; }
constexpr Vec3 lerp(const Vec3& a, const Vec3& b, f32 t) {
  auto axis = [&](int i) { return f32((1 - f64(t)) * a[i] + f64(t) * b[i]); };
  return {axis(0), axis(1), axis(2)};
}

constexpr f64 dot(const Vec3& a, const Vec3& b) { return f64(a[0]) * b[0] + f64(a[1]) * b[1] + f64(a[2]) * b[2]; }
inline f64 length(const Vec3& v) { return std::sqrt(dot(v, v)); }
inline f64 distance(const Vec3& a, const Vec3& b) {
  return elementary::hypot(f64(a[0]) - b[0], f64(a[1]) - b[1], f64(a[2]) - b[2]);
}

/// The unit vector along (x, y, z); `fallback` if it has no direction (zero or not finite).
inline Vec3 unit(f64 x, f64 y, f64 z, const Vec3& fallback) {
  const f64 n = std::sqrt(x * x + y * y + z * z);
  if (!(n > 0) || !std::isfinite(n)) return fallback;
  return {f32(x / n), f32(y / n), f32(z / n)};
}
inline Vec3 unit(const Vec3& v, const Vec3& fallback) { return unit(v[0], v[1], v[2], fallback); }
constexpr Vec3 cross(const Vec3& a, const Vec3& b) {
  auto axis = [&](int i, int j) { return f32(f64(a[i]) * b[j] - f64(a[j]) * b[i]); };
  return {axis(1, 2), axis(2, 0), axis(0, 1)};
}
/// The unit quaternion (x, y, z, w); the identity if its length is 0.
inline Vec4 unit_quaternion(f64 x, f64 y, f64 z, f64 w) {
  const f64 n = std::sqrt(x * x + y * y + z * z + w * w);
  if (!(n > 0) || !std::isfinite(n)) return k_no_rotation;
  return {f32(x / n), f32(y / n), f32(z / n), f32(w / n)};
}

/// Applies `b` first, then `a`.
inline Vec4 multiply(const Vec4& a, const Vec4& b) {
  const f64 ax = a[0], ay = a[1], az = a[2], aw = a[3], bx = b[0], by = b[1], bz = b[2], bw = b[3];
  return unit_quaternion(aw * bx + ax * bw + ay * bz - az * by, aw * by + ay * bw + az * bx - ax * bz,
                         aw * bz + az * bw + ax * by - ay * bx, aw * bw - ax * bx - ay * by - az * bz);
}

/// Columns: the images of the x, y and z axes.
using Mat3 = std::array<Vec3, 3>;

inline Mat3 to_matrix(const Vec4& q) {
  const f64 x = q[0], y = q[1], z = q[2], w = q[3];
  return {Vec3{f32(1 - 2 * (y * y + z * z)), f32(2 * (x * y + z * w)), f32(2 * (x * z - y * w))},
          Vec3{f32(2 * (x * y - z * w)), f32(1 - 2 * (x * x + z * z)), f32(2 * (y * z + x * w))},
          Vec3{f32(2 * (x * z + y * w)), f32(2 * (y * z - x * w)), f32(1 - 2 * (x * x + y * y))}};
}
inline Vec3 transform(const Mat3& m, const Vec3& v) {
  auto row = [&](int i) { return f32(f64(m[0][i]) * v[0] + f64(m[1][i]) * v[1] + f64(m[2][i]) * v[2]); };
  return {row(0), row(1), row(2)};
}
inline Vec3 rotate(const Vec4& q, const Vec3& v) { return transform(to_matrix(q), v); }

/// Rounded.
inline Vec4 quaternion_of(const SignedRotation& t) {
  const auto& q = t.quaternion;
  return {f32(q[0]), f32(q[1]), f32(q[2]), f32(q[3])};
}
/// The quaternion of a rotation matrix (orthogonal, not mirrored).
inline Vec4 from_matrix(const Mat3& m) {
  Mat3d linear;
  for (size_t c = 0; c < 3; ++c) linear.columns[c] = {m[c][0], m[c][1], m[c][2]};
  return quaternion_of(decompose_rotation(linear));
}

inline Vec4 from_axis_degrees(const Vec3& unit_axis, f32 degrees) {
  if (!std::isfinite(degrees)) return k_no_rotation;
  const f64 half = std::fmod(f64(degrees), 720.0) * (std::numbers::pi / 360), s = elementary::sin(half);
  return unit_quaternion(unit_axis[0] * s, unit_axis[1] * s, unit_axis[2] * s, elementary::cos(half));
}
/// The matrix Rz * Ry * Rx: X is applied first. A non-finite angle counts as 0.
inline Vec4 from_euler_degrees(const Vec3& degrees) {
  return multiply(from_axis_degrees(k_axis_z, degrees[2]),
                  multiply(from_axis_degrees(k_axis_y, degrees[1]), from_axis_degrees(k_axis_x, degrees[0])));
}

/// Rotates +Z to `direction` and keeps +Y as close to `up` as possible. Any such rotation if `up` is parallel to the
/// direction; the identity if there is no direction.
inline Vec4 rotation_facing_z(const Vec3& direction, const Vec3& up = k_axis_y) {
  const Vec3 z = unit(direction, {0, 0, 0});
  if (dot(z, z) == 0) return k_no_rotation;
  const Vec3 above = unit(up, k_axis_y);
  // For smaller angles, the side would be rounding noise. Looking straight down, north (-Z) is up, as on a map.
  const bool parallel = length(cross(above, z)) < 1e-5;
  const Vec3 other = std::fabs(z[2]) < 0.9f ? Vec3{0, 0, -1} : k_axis_y;
  const Vec3 x = unit(cross(parallel ? other : above, z), k_axis_x);
  return from_matrix({x, cross(z, x), z});
}
/// The rotation of a camera at `eye` with `target` in the middle of its view: a glTF camera looks along -Z, +Y is up.
inline Vec4 look_at(const Vec3& eye, const Vec3& target, const Vec3& up = k_axis_y) {
  return rotation_facing_z(unit(f64(eye[0]) - target[0], f64(eye[1]) - target[1], f64(eye[2]) - target[2], {0, 0, 0}),
                           up);
}

/// A cubic Bezier curve at `t` in 0..1.
constexpr Vec3 bezier(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d, f32 t) {
  const f64 u = 1 - f64(t), wa = u * u * u, wb = 3 * u * u * t, wc = 3 * u * t * t, wd = f64(t) * t * t;
  auto axis = [&](int i) { return f32(wa * a[i] + wb * b[i] + wc * c[i] + wd * d[i]); };
  return {axis(0), axis(1), axis(2)};
}

/// Converts a display colour in 0..1 to linear RGBA for glTF and Scene; alpha is already linear.
inline f32 srgb_to_linear(f32 c) {
  return f32(c <= 0.04045f ? c / 12.92 : elementary::pow((f64(c) + 0.055) / 1.055, 2.4));
}
/// In 64 bits, because colours are rounded next.
inline f64 linear_to_srgb(f64 c) { return c <= 0.0031308 ? c * 12.92 : 1.055 * elementary::pow(c, 1 / 2.4) - 0.055; }
inline Vec4 srgb_to_linear(const Vec4& c) {
  return {srgb_to_linear(c[0]), srgb_to_linear(c[1]), srgb_to_linear(c[2]), c[3]};
}

}  // namespace dio::scene
