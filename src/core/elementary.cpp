#include "core/elementary.hpp"

#include <limits>
#include <numbers>

namespace dio::elementary {
namespace {

constexpr f64 k_pi = std::numbers::pi;

/// The polynomial c[0] + c[1] x + c[2] x^2 ... (Horner's method).
template <size_t N>
constexpr f64 polynomial(f64 x, const f64 (&c)[N]) {
  f64 out = c[N - 1];
  for (size_t i = N - 1; i-- > 0;) out = out * x + c[i];
  return out;
}

/// An angle without its quarter turns: from -pi/4 to pi/4. pi/2 is split so that products with the number of quarter
/// turns are exact (Cody and Waite).
struct Reduced {
  f64 angle;
  i64 quarters;
};
Reduced reduce(f64 angle) {
  constexpr f64 k_high = 0x1.921fb544p+0, k_middle = 0x1.0b4611a6p-34, k_low = 0x1.3198a2e037073p-69;
  constexpr f64 k_most = 0x1p22;  // radians
  if (std::fabs(angle) > k_most) angle = std::fmod(angle, 2 * k_pi);
  const f64 quarters = std::nearbyint(angle / (k_pi / 2));
  return {((angle - quarters * k_high) - quarters * k_middle) - quarters * k_low, i64(quarters)};
}

// Taylor series, up to the last bit for angles up to pi/4.
f64 short_sin(f64 x) {
  constexpr f64 k_terms[] = {-1.0 / 6,        1.0 / 120,        -1.0 / 5040,         1.0 / 362880,
                             -1.0 / 39916800, 1.0 / 6227020800, -1.0 / 1307674368e3, 1.0 / 355687428096e3};
  return x + x * x * x * polynomial(x * x, k_terms);
}
f64 short_cos(f64 x) {
  constexpr f64 k_terms[] = {1.0 / 24,
                             -1.0 / 720,
                             1.0 / 40320,
                             -1.0 / 3628800,
                             1.0 / 479001600,
                             -1.0 / 87178291200,
                             1.0 / 20922789888000.0,
                             -1.0 / 6402373705728e3};
  const f64 square = x * x, half = 0.5 * square, high = 1 - half;
  return high + ((1 - high) - half + square * square * polynomial(square, k_terms));
}

}  // namespace

f64 sin(f64 angle) {
  if (!std::isfinite(angle)) return std::numeric_limits<f64>::quiet_NaN();
  const Reduced r = reduce(angle);
  const f64 out = r.quarters & 1 ? short_cos(r.angle) : short_sin(r.angle);
  return r.quarters & 2 ? -out : out;
}
f64 cos(f64 angle) {
  if (!std::isfinite(angle)) return std::numeric_limits<f64>::quiet_NaN();
  const Reduced r = reduce(angle);
  const f64 out = r.quarters & 1 ? short_sin(r.angle) : short_cos(r.angle);
  return (r.quarters + 1) & 2 ? -out : out;
}
f64 tan(f64 angle) { return sin(angle) / cos(angle); }

f64 atan(f64 x) {
  if (std::isnan(x)) return x;
  if (x < 0) return -atan(-x);
  if (x > 1) return k_pi / 2 - atan(1 / x);
  // atan x = c + atan((x - t) / (1 + t x)) with t = tan c: nearby angles leave little for the series.
  constexpr struct {
    f64 tangent, angle;
  } k_steps[] = {{0, 0},
                 {0x1.975f5e0553158p-3, k_pi / 16},     // tan 11.25 degrees
                 {0x1.a827999fcef32p-2, k_pi / 8},      // tan 22.5 degrees
                 {0x1.561b82ab7f99p-1, 3 * k_pi / 16},  // tan 33.75 degrees
                 {1, k_pi / 4}};
  size_t step = 0;
  while (step < 4 && x > (k_steps[step].tangent + k_steps[step + 1].tangent) / 2) ++step;
  const f64 t = k_steps[step].tangent, y = (x - t) / (1 + t * x);
  constexpr f64 k_terms[] = {-1.0 / 3, 1.0 / 5, -1.0 / 7, 1.0 / 9, -1.0 / 11, 1.0 / 13, -1.0 / 15, 1.0 / 17};
  return k_steps[step].angle + (y + y * y * y * polynomial(y * y, k_terms));
}
f64 atan2(f64 y, f64 x) {
  if (std::isnan(x) || std::isnan(y)) return x + y;
  if (y == 0) return std::signbit(x) ? std::copysign(k_pi, y) : y;
  f64 out = k_pi / 2;
  if (std::isinf(x) && std::isinf(y))
    out = x > 0 ? k_pi / 4 : 3 * k_pi / 4;
  else if (x != 0)
    out = x > 0 ? atan(std::fabs(y / x)) : k_pi - atan(std::fabs(y / x));
  return std::copysign(out, y);
}
f64 asin(f64 x) { return std::fabs(x) <= 1 ? atan2(x, std::sqrt((1 - x) * (1 + x))) : x - x + std::sqrt(-1.0); }
f64 acos(f64 x) { return std::fabs(x) <= 1 ? atan2(std::sqrt((1 - x) * (1 + x)), x) : x - x + std::sqrt(-1.0); }

// ln 2 in two parts: products of the first with exponents are exact.
constexpr f64 k_ln2_high = 0x1.62e42feep-1, k_ln2_low = 0x1.a39ef35793c76p-33;

f64 exp(f64 x) {
  constexpr f64 k_most = 709.79, k_least = -745.14;
  if (std::isnan(x)) return x;
  if (x > k_most) return std::numeric_limits<f64>::infinity();
  if (x < k_least) return 0;
  const f64 twos = std::nearbyint(x / std::numbers::ln2);
  const f64 r = (x - twos * k_ln2_high) - twos * k_ln2_low;
  constexpr f64 k_terms[] = {1.0 / 2,       1.0 / 6,        1.0 / 24,        1.0 / 120,
                             1.0 / 720,     1.0 / 5040,     1.0 / 40320,     1.0 / 362880,
                             1.0 / 3628800, 1.0 / 39916800, 1.0 / 479001600, 1.0 / 6227020800};
  return std::ldexp(1 + (r + r * r * polynomial(r, k_terms)), int(twos));
}
f64 log(f64 x) {
  if (std::isnan(x) || x < 0) return std::numeric_limits<f64>::quiet_NaN();
  if (x == 0) return -std::numeric_limits<f64>::infinity();
  if (std::isinf(x)) return x;
  int twos = 0;
  f64 part = std::frexp(x, &twos);
  if (part < std::numbers::sqrt2 / 2) part *= 2, --twos;
  const f64 s = (part - 1) / (part + 1);
  constexpr f64 k_terms[] = {2.0 / 3,  2.0 / 5,  2.0 / 7,  2.0 / 9,  2.0 / 11,
                             2.0 / 13, 2.0 / 15, 2.0 / 17, 2.0 / 19, 2.0 / 21};
  return twos * k_ln2_high + (2 * s + (s * s * s * polynomial(s * s, k_terms) + twos * k_ln2_low));
}
f64 pow(f64 base, f64 exponent) {
  constexpr f64 k_most = 64;
  if (exponent == std::trunc(exponent) && std::fabs(exponent) <= k_most) {
    f64 out = 1;
    for (i64 i = i64(std::fabs(exponent)); i > 0; --i) out *= base;
    return exponent < 0 ? 1 / out : out;
  }
  if (base == 0) return exponent > 0 ? 0 : std::numeric_limits<f64>::infinity();
  return exp(exponent * log(base));
}
f64 cbrt(f64 x) {
  if (x == 0 || !std::isfinite(x)) return x;
  const f64 size = std::fabs(x);
  f64 root = exp(log(size) / 3);
  root -= (root * root * root - size) / (3 * root * root);  // Newton's method
  return std::copysign(root, x);
}

}  // namespace dio::elementary
