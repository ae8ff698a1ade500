// frsqrte.hpp: square roots as computed by Wii games. Others differ in the last digit, which decides on which side of a
// line a point on the line is. Source: README.
#pragma once
#include "core/bytes.hpp"

namespace dio::wii {

/// The estimate of the PowerPC 750CL instruction frsqrte: 1 / sqrt(x), to about 12 bits; for x > 0 that is not
/// denormal.
f64 estimate_inverse_sqrt(f64 x);
/// 1 / sqrt(x) as refined by the library of the games, for x > 0.
f32 inverse_sqrt(f32 x);
/// sqrt(x); 0 for x <= 0.
f32 wii_sqrt(f32 x);

}  // namespace dio::wii
