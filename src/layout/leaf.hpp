// leaf.hpp: values without parts: numbers, fixed-point numbers, four-character codes.
#pragma once
#include <array>
#include <bit>
#include <concepts>
#include <cstring>
#include <string_view>
#include <type_traits>

#include "core/bytes.hpp"
#include "layout/wire.hpp"

namespace dio {

/// A fixed-point number with `F` fraction bits: raw / 2^F.
template <std::integral R, int F>
struct FixedPoint {
  using Raw = R;
  static constexpr int k_fraction = F;
  R raw;
  constexpr f64 value() const { return f64(raw) / f64(u64(1) << F); }
  constexpr bool operator==(const FixedPoint&) const = default;
};
using fx16 = FixedPoint<i16, 12>;
using fx32 = FixedPoint<i32, 12>;

/// Four characters that identify a block.
struct FourCc {
  std::array<char, 4> chars;
  constexpr bool operator==(const FourCc& o) const { return std::bit_cast<u32>(chars) == std::bit_cast<u32>(o.chars); }
  std::string_view view() const { return {chars.data(), 4}; }
};
constexpr FourCc fourcc(const char (&s)[5]) { return {{s[0], s[1], s[2], s[3]}}; }

template <class T>
constexpr bool k_is_fixed_point = false;
template <class R, int F>
constexpr bool k_is_fixed_point<FixedPoint<R, F>> = true;

template <class T>
concept Leaf = std::is_arithmetic_v<T> || std::is_enum_v<T> || k_is_fixed_point<T> || std::is_same_v<T, FourCc>;

template <Leaf T>
constexpr Wire wire_of() {
  if constexpr (std::is_same_v<T, FourCc>)
    return Wire::fourcc;
  else if constexpr (k_is_fixed_point<T>)
    return wire_of<typename T::Raw>();
  else if constexpr (std::is_enum_v<T>)
    return wire_of<std::underlying_type_t<T>>();
  else if constexpr (std::is_floating_point_v<T>)
    return sizeof(T) == 4 ? Wire::f32 : Wire::f64;
  else if constexpr (std::is_signed_v<T>)
    return sizeof(T) == 1 ? Wire::i8 : sizeof(T) == 2 ? Wire::i16 : sizeof(T) == 4 ? Wire::i32 : Wire::i64;
  else
    return sizeof(T) == 1 ? Wire::u8 : sizeof(T) == 2 ? Wire::u16 : sizeof(T) == 4 ? Wire::u32 : Wire::u64;
}
template <Leaf T>
constexpr u8 fraction_of() {
  if constexpr (k_is_fixed_point<T>)
    return T::k_fraction;
  else
    return 0;
}

/// A leaf as 64 bits, as stored in `Span::raw`.
template <Leaf T>
constexpr u64 raw_bits(const T& x) {
  if constexpr (std::is_same_v<T, FourCc>)
    return u64(u8(x.chars[0])) << 24 | u64(u8(x.chars[1])) << 16 | u64(u8(x.chars[2])) << 8 | u64(u8(x.chars[3]));
  else if constexpr (k_is_fixed_point<T>)
    return raw_bits(x.raw);
  else if constexpr (std::is_floating_point_v<T>) {
    if constexpr (sizeof(T) == 4)
      return std::bit_cast<u32>(x);
    else
      return std::bit_cast<u64>(x);
  } else
    return u64(i64(x));
}

constexpr u64 low_bits(unsigned n) { return n >= 64 ? ~u64(0) : (u64(1) << n) - 1; }

template <Leaf T>
T byte_swapped(T x) {
  if constexpr (sizeof(T) == 1 || std::is_same_v<T, FourCc>)
    return x;
  else if constexpr (sizeof(T) == 2)
    return std::bit_cast<T>(__builtin_bswap16(std::bit_cast<u16>(x)));
  else if constexpr (sizeof(T) == 4)
    return std::bit_cast<T>(__builtin_bswap32(std::bit_cast<u32>(x)));
  else
    return std::bit_cast<T>(__builtin_bswap64(std::bit_cast<u64>(x)));
}

}  // namespace dio
