#include "formats/brres/scene/bone_matrices.hpp"

#include <cmath>
#include <iterator>
#include <numbers>

#include "core/elementary.hpp"

namespace dio::brres {

namespace {

using Rows = std::array<f32, 12>;

/// Sine and cosine at one of 256 steps of a circle, and the differences to the next step; all to six decimals.
struct CircleStep {
  f32 sin, cos, sin_difference, cos_difference;
};
const std::array<CircleStep, 256>& circle_steps() {
  static const std::array<CircleStep, 256> steps = [] {
    const auto rounded = [](f64 x) { return f32(std::round(x * 1e6) / 1e6); };
    const auto sine = [](size_t i) { return elementary::sin(f64(i) * 2 * std::numbers::pi / 256); };
    const auto cosine = [](size_t i) { return elementary::cos(f64(i) * 2 * std::numbers::pi / 256); };
    std::array<CircleStep, 256> out{};
    for (size_t i = 0; i < out.size(); ++i)
      out[i] = {rounded(sine(i)), rounded(cosine(i)), rounded(sine(i + 1) - sine(i)),
                rounded(cosine(i + 1) - cosine(i))};
    return out;
  }();
  return steps;
}

struct SineCosine {
  f64 sin, cos;
};
/// Interpolates linearly between the steps.
SineCosine sine_cosine(f32 degrees) {
  const f32 angle = degrees * (256.0f / 360.0f);
  const f64 size = std::isfinite(angle) ? f64(std::fmod(std::fabs(angle), 65536.0f)) : 0;
  const u32 whole = u32(size);
  const f64 rest = size - f64(whole);
  const CircleStep& s = circle_steps()[whole & 0xFF];
  const f64 sine = f64(s.sin) + rest * f64(s.sin_difference);
  return {f64(f32(angle < 0 ? -sine : sine)), f64(f32(f64(s.cos) + rest * f64(s.cos_difference)))};
}

Rows rotation_rows(const Vec3& degrees) {
  const auto [sx, cx] = sine_cosine(degrees.x);
  const auto [sy, cy] = sine_cosine(degrees.y);
  const auto [sz, cz] = sine_cosine(degrees.z);
  return {f32(cz * cy),
          f32((sx * cz) * sy - (cx * sz)),
          f32((cx * cz) * sy + (sx * sz)),
          0,
          f32(sz * cy),
          f32((sx * sz) * sy + (cx * cz)),
          f32((cx * sz) * sy - (sx * cz)),
          0,
          f32(-sy),
          f32(cy * sx),
          f32(cy * cx),
          0};
}

/// Scales the columns, not the translation.
Rows scaled(Rows m, const Vec3& scale) {
  const f32 factors[] = {scale.x, scale.y, scale.z};
  for (size_t row = 0; row < 3; ++row)
    for (size_t column = 0; column < 3; ++column) {
      f32& x = m[4 * row + column];
      x = f32(f64(x) * f64(factors[column]));
    }
  return m;
}

Rows product(const Rows& a, const Rows& b) {
  Rows out{};
  for (size_t row = 0; row < 3; ++row)
    for (size_t column = 0; column < 4; ++column) {
      f64 sum = f64(a[4 * row]) * f64(b[column]) + f64(a[4 * row + 1]) * f64(b[4 + column]) +
                f64(a[4 * row + 2]) * f64(b[8 + column]);
      if (column == 3) sum += f64(a[4 * row + 3]);
      out[4 * row + column] = f32(sum);
    }
  return out;
}

/// The inverse by cofactors; zeros if there is none.
Rows inverse(const Rows& m) {
  const auto at = [&](size_t column, size_t row) { return f64(m[4 * row + column]); };
  const f32 determinant =
      f32(at(0, 0) * at(1, 1) * at(2, 2) + at(1, 0) * at(2, 1) * at(0, 2) + at(2, 0) * at(0, 1) * at(1, 2) -
          at(0, 2) * at(1, 1) * at(2, 0) - at(0, 1) * at(1, 0) * at(2, 2) - at(0, 0) * at(1, 2) * at(2, 1));
  Rows out{};
  if (determinant == 0) return out;
  const f64 factor = f64(1.0f / determinant);
  for (size_t column = 0; column < 3; ++column)
    for (size_t row = 0; row < 3; ++row) {
      const size_t p = row == 0, q = row == 2 ? 1 : 2, s = column == 0, t = column == 2 ? 1 : 2;
      const f64 minor = at(p, s) * at(q, t) - at(p, t) * at(q, s);
      out[4 * row + column] = f32(((column + row) % 2 ? -minor : minor) * factor);
    }
  for (size_t row = 0; row < 3; ++row)
    out[4 * row + 3] =
        f32(f64(-out[4 * row]) * at(3, 0) - f64(out[4 * row + 1]) * at(3, 1) - f64(out[4 * row + 2]) * at(3, 2));
  return out;
}

constexpr u32 k_softimage = 1;

}  // namespace

std::vector<BoneMatrices> compute_bone_matrices(std::span<const Bone> bones, std::span<const i32> parents,
                                                u32 scaling_rule) {
  struct Unscaled {
    Rows rows{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
    Vec3 scale{1, 1, 1};
  };
  std::vector<Unscaled> all(bones.size());
  std::vector<BoneMatrices> out(bones.size());
  for (size_t i = 0; i < bones.size(); ++i) {
    const Bone& b = bones[i];
    const Unscaled above = parents[i] >= 0 ? all[size_t(parents[i])] : Unscaled{};
    const bool compensates = b.flags & Bone::k_compensates, is_softimage = scaling_rule == k_softimage;
    const bool moves_scaled = compensates || is_softimage;
    const auto times = [](f32 x, f32 y) { return f32(f64(x) * f64(y)); };
    const Vec3 at = moves_scaled ? Vec3{times(b.translation.x, above.scale.x), times(b.translation.y, above.scale.y),
                                        times(b.translation.z, above.scale.z)}
                                 : b.translation;
    Rows local = rotation_rows(b.rotation);
    local[3] = at.x, local[7] = at.y, local[11] = at.z;
    all[i].rows = product(moves_scaled ? above.rows : scaled(above.rows, above.scale), local);
    all[i].scale = is_softimage && !compensates ? Vec3{times(b.scale.x, above.scale.x), times(b.scale.y, above.scale.y),
                                                       times(b.scale.z, above.scale.z)}
                                                : b.scale;
    out[i].to_model = scaled(all[i].rows, all[i].scale);
    out[i].from_model = inverse(out[i].to_model);
  }
  return out;
}

}  // namespace dio::brres
