// elementary.hpp: elementary functions that give the same bits on every platform: the math libraries of C differ in the
// last digit. Computed with additions, multiplications, divisions and square roots, which IEEE 754 rounds in one way.
// Errors are at most four units in the last place, of `pow` 1e-13 of the result. Nothing sets `errno`; NaN gives NaN.
#pragma once
#include <cmath>

#include "core/bytes.hpp"

namespace dio::elementary {

/// Of an angle in radians, precise up to a million turns.
f64 sin(f64 angle);
f64 cos(f64 angle);
f64 tan(f64 angle);
/// From -pi/2 to pi/2.
f64 atan(f64 x);
/// The angle of the vector (x, y), from -pi to pi; 0 for (0, 0).
f64 atan2(f64 y, f64 x);
/// NaN outside -1 to 1.
f64 asin(f64 x);
f64 acos(f64 x);

f64 exp(f64 x);
/// NaN for negative numbers, and minus infinity for 0.
f64 log(f64 x);
/// Of a number from 0 on. Integral exponents up to 64 multiply.
f64 pow(f64 base, f64 exponent);
f64 cbrt(f64 x);
/// Without care for squares beyond the range of f64.
inline f64 hypot(f64 x, f64 y) { return std::sqrt(x * x + y * y); }
inline f64 hypot(f64 x, f64 y, f64 z) { return std::sqrt(x * x + y * y + z * z); }

}  // namespace dio::elementary
