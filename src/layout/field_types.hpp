// field_types.hpp: types that layouts use besides the functions of the walk: offsets, bits, positions.
#pragma once
#include <algorithm>
#include <optional>
#include <ranges>
#include <string>
#include <vector>

#include "core/file_bytes.hpp"
#include "layout/key.hpp"
#include "layout/leaf.hpp"

namespace dio {

inline constexpr u64 k_max_file_size = u64(1) << 30;

/// An offset field, counted in units of `unit` bytes. The other members control placement: `align` aligns the target
/// from the base, `pad` aligns the end of the target, and `shared` stores equal contents of one pool once; shared data
/// contains no offsets itself.
template <class T>
struct Offset {
  T& field;
  u64 unit_ = 1, align_ = 1, pad_ = 1, pool_ = 0;
  bool shared_ = false;
  constexpr Offset unit(u64 n) const {
    auto o = *this;
    o.unit_ = n;
    o.align_ = std::max(o.align_, n);
    return o;
  }
  constexpr Offset align(u64 n) const {
    auto o = *this;
    o.align_ = std::max(n, unit_);
    return o;
  }
  constexpr Offset pad(u64 n) const {
    auto o = *this;
    o.pad_ = n;
    return o;
  }
  constexpr Offset shared(u64 pool) const {
    auto o = *this;
    o.shared_ = true;
    o.pool_ = pool;
    return o;
  }
};
template <class T>
constexpr Offset<T> to(T& field) {
  return {field};
}

/// `n` bits of a unit, stored in `ref`.
template <unsigned N, class T>
struct Bit {
  const Key& key;  // lives until the call of `bits` returns
  T& ref;
  static constexpr unsigned width = N;
  static_assert(std::is_same_v<T, bool> ? N == 1 : N <= 8 * sizeof(T),
                "a variable that holds all the bits of its field");
};
template <unsigned N>
constexpr auto bit(const Key& key, auto& x) {
  return Bit<N, std::remove_reference_t<decltype(x)>>{key, x};
}

/// An element of a list, as the position of a part described elsewhere.
struct Element {
  Key list;
  u64 index;
};
/// The current position of the walk, as such a position.
struct AtCursor {};

template <class T>
concept Resizable = requires(T t) { t.resize(1); };
template <class T>
concept Range = std::ranges::range<T> && !std::is_same_v<std::remove_cvref_t<T>, std::string>;
/// Whether the value is single: not an object or a list.
template <class T>
constexpr bool k_is_bytes = std::is_same_v<T, Bytes> || std::is_same_v<T, FileBytes>;
template <class T>
constexpr bool k_no_parts = Leaf<T> || k_is_bytes<T> || std::is_same_v<T, std::string>;
template <class T>
concept Integer = std::is_integral_v<std::remove_cvref_t<T>>;
template <class T>
constexpr bool k_is_optional = false;
template <class T>
constexpr bool k_is_optional<std::optional<T>> = true;

/// The byte between the parts of a file of this structure and in its padding: `T::k_fill`; usually 0.
template <class T>
constexpr u8 fill_of() {
  if constexpr (requires { T::k_fill; })
    return T::k_fill;
  else
    return 0;
}

}  // namespace dio
