#include "formats/brres/from_scene/value_encoder.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace dio::brres {

namespace {

void put_big_endian(Bytes& to, u32 n, u32 bytes) {
  for (u32 i = 0; i < bytes; ++i) to.push_back(u8(n >> 8 * (bytes - 1 - i)));
}

Bytes encode_color(u32 type, u32 size, const std::array<f64, 4>& color) {
  const auto part = [&](size_t i, u32 bits) {
    return u32(std::lround(std::clamp(color[i], 0.0, 1.0) * ((1u << bits) - 1)));
  };
  const auto all = [&](u32 red, u32 green, u32 blue, u32 alpha) {
    return ((part(0, red) << green | part(1, green)) << blue | part(2, blue)) << alpha | (alpha ? part(3, alpha) : 0);
  };
  u32 n = 0;
  switch (type) {
    case 0:
      n = all(5, 6, 5, 0);
      break;
    case 1:
      n = all(8, 8, 8, 0);
      break;
    case 2:
      n = all(8, 8, 8, 0) << 8;
      break;
    case 3:
      n = all(4, 4, 4, 4);
      break;
    case 4:
      n = all(6, 6, 6, 6);
      break;
    default:
      n = all(8, 8, 8, 8);
  }
  Bytes out;
  put_big_endian(out, n, size);
  return out;
}

}  // namespace

std::optional<Bytes> encode_value(const AttributeSource& source, const std::array<f64, 4>& values, f64& unstorable) {
  static constexpr u32 k_sizes[] = {1, 1, 2, 2, 4};
  static constexpr f64 k_low[] = {0, -128, 0, -32768}, k_high[] = {255, 127, 65535, 32767};
  if (!source.size()) return {};
  if (source.is_color) return encode_color(source.type, source.size(), values);
  Bytes out;
  for (u32 i = 0; i < std::min(3u, source.components); ++i) {
    u32 raw = std::bit_cast<u32>(f32(values[i]));
    if (source.type < 4) {
      const f64 whole = std::round(std::ldexp(values[i], int(source.shift)));
      if (!(whole >= k_low[source.type] && whole <= k_high[source.type])) {
        unstorable = values[i];
        return {};
      }
      raw = u32(i32(whole));
    }
    put_big_endian(out, raw, k_sizes[source.type]);
  }
  return out;
}

f64 rounding_error(const AttributeSource& source, const std::array<f64, 4>& values) {
  f64 most = 0;
  if (source.is_color || source.type >= 4) return most;
  for (u32 i = 0; i < std::min(3u, source.components); ++i) {
    const f64 whole = std::ldexp(values[i], int(source.shift));
    most = std::max(most, std::ldexp(std::fabs(whole - std::round(whole)), -int(source.shift)));
  }
  return most;
}

}  // namespace dio::brres
