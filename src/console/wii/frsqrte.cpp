#include "console/wii/frsqrte.hpp"

#include <bit>

namespace dio::wii {

namespace {

/// The mantissa of the estimate at the start of a segment, and its decrease with each of 2048 steps, in units of 2^26.
struct RootTableSegment {
  u32 base, fall;
};
/// 16 segments from 2 to 4, then 16 from 1 to 2.
constexpr RootTableSegment k_pieces[] = {
    {0x1A7E800, 0x568}, {0x17CB800, 0x4F3}, {0x1552800, 0x48D}, {0x130C000, 0x435}, {0x10F2000, 0x3E7},
    {0x0EFF000, 0x3A2}, {0x0D2E000, 0x365}, {0x0B7C000, 0x32E}, {0x09E5000, 0x2FC}, {0x0867000, 0x2D0},
    {0x06FF000, 0x2A8}, {0x05AB800, 0x283}, {0x046A000, 0x261}, {0x0339800, 0x243}, {0x0218800, 0x226},
    {0x0105800, 0x20B}, {0x3FFA000, 0x7A4}, {0x3C29000, 0x700}, {0x38AA000, 0x670}, {0x3572000, 0x5F2},
    {0x3279000, 0x584}, {0x2FB7000, 0x524}, {0x2D26000, 0x4CC}, {0x2AC0000, 0x47E}, {0x2881000, 0x43A},
    {0x2665000, 0x3FA}, {0x2468000, 0x3C2}, {0x2287000, 0x38E}, {0x20C1000, 0x35E}, {0x1F12000, 0x332},
    {0x1D79000, 0x30A}, {0x1BF4000, 0x2E6}};

/// Single-precision multiplications use 25 bits of their second factor.
f64 round_to_25_bits(f64 x) {
  const u64 bits = std::bit_cast<u64>(x);
  return std::bit_cast<f64>((bits & ~u64(0x7FFFFFF)) + (bits & 0x8000000));
}

}  // namespace

f64 estimate_inverse_sqrt(f64 x) {
  const u64 bits = std::bit_cast<u64>(x);
  const u64 exponent = bits >> 52, steps = bits >> 37;
  const RootTableSegment& piece = k_pieces[steps >> 11 & 31];
  const u64 mantissa = u64(piece.base - piece.fall * u32(steps & 0x7FF)) << 26;
  return std::bit_cast<f64>((0xBFC - exponent) >> 1 << 52 | mantissa);
}

f32 inverse_sqrt(f32 x) {
  const f64 estimate = estimate_inverse_sqrt(x);
  const f32 squared = f32(estimate * round_to_25_bits(estimate));
  return f32(estimate * 0.5) * f32(3.0 - f64(squared) * f64(x));
}

f32 wii_sqrt(f32 x) { return x > 0 ? x * inverse_sqrt(x) : 0; }

}  // namespace dio::wii
