// sizer.hpp: the size of a record in bytes, computed by the compiler.
#pragma once
#include "layout/field_types.hpp"
#include "layout/load_options.hpp"

namespace dio {

template <class T>
constexpr bool prove_fixed();
struct Sizer;
template <class T>
concept Described = Leaf<T> || Range<T> || requires(Sizer& v, T& t) { T::layout(v, t); };
/// A structure whose size depends only on the version. A list of such structures is read and written after one size
/// check.
template <class T>
concept FixedSize = Described<T> && std::is_trivially_default_constructible_v<T> &&
                    requires { requires std::bool_constant<prove_fixed<T>()>::value; };

/// Counts bytes without reading values. To prove a fixed size, the walk visits an uninitialised object in every version
/// that makes a difference: a layout that reads a value is then no constant expression.
struct Sizer {
  static constexpr bool reads = true, grows = false;
  constexpr bool reading() const { return true; }
  constexpr bool growing() const { return false; }
  constexpr bool is_about_values() const { return false; }
  static constexpr u32 k_last_version = ~u32(0);
  u32 version_ = 0, next_version = k_last_version;  // the next version for which a `since` changes its result
  size_t bytes = 0;
  bool proving = false, dynamic = false;
  constexpr void operator()(const Key& k, auto&& x) {
    using T = std::remove_cvref_t<decltype(x)>;
    if constexpr (Leaf<T>)
      bytes += sizeof(T);
    else if constexpr (k_is_bytes<T> || std::is_same_v<T, std::string> || Resizable<T>)
      dynamic = true;
    else if constexpr (Range<T>) {
      if (proving)
        dynamic |= !FixedSize<std::ranges::range_value_t<T>>;
      else
        for (auto& e : x) (*this)(k, e);
    } else if (proving)
      dynamic |= !FixedSize<T>;
    else
      T::layout(*this, x);
  }
  template <class W>
  constexpr void as(W, Key, auto& x) {
    if constexpr (Range<decltype(x)>) {
      if constexpr (Resizable<decltype(x)>)
        dynamic = true;
      else
        bytes += sizeof(W) * x.size();
    } else
      bytes += sizeof(W);
  }
  template <class U, class... B>
  constexpr void bits(U, B...) {
    static_assert((B::width + ...) == 8 * sizeof(U), "the bit fields must fill their unit");
    bytes += sizeof(U);
  }
  constexpr bool since(u32 v) {
    if (v > version_) next_version = std::min(next_version, v);
    return version_ >= v;
  }
  template <size_t N>
  constexpr void magic(const char (&)[N]) {
    bytes += N - 1;
  }
  constexpr void text(u64, Key, auto&) { dynamic = true; }
  constexpr u64 here() {
    dynamic = true;
    return 0;
  }
  constexpr u64 end() {
    dynamic = true;
    return 0;
  }
  constexpr u64 total() {
    dynamic = true;
    return 0;
  }
  constexpr void derive(auto&&...) { dynamic = true; }
  constexpr u32 version() {
    dynamic = true;
    return 0;
  }
  // any other call makes the size depend on more than the version
  constexpr void version(u32) { dynamic = true; }
  constexpr void each(auto&&...) { dynamic = true; }
  constexpr void until(auto&&...) { dynamic = true; }
  constexpr void inside(auto&&...) { dynamic = true; }
  constexpr void count(auto&&...) { dynamic = true; }
  constexpr void implied(auto&&...) { dynamic = true; }
  constexpr void upto(auto&&...) { dynamic = true; }
  constexpr void align(auto&&...) { dynamic = true; }
  constexpr void cstring(auto&&...) { dynamic = true; }
  constexpr void decimal(auto&&...) { dynamic = true; }
  constexpr void at(auto&&...) { dynamic = true; }
  constexpr void there(auto&&...) { dynamic = true; }
  constexpr void mark(auto&&...) { dynamic = true; }
  constexpr u64 base(auto&&...) {
    dynamic = true;
    return 0;
  }
  constexpr void round(auto&&...) { dynamic = true; }
  constexpr void maybe(auto&&...) { dynamic = true; }
  constexpr void infer(auto&&...) { dynamic = true; }
  template <Leaf T>
  constexpr T peek() {
    dynamic = true;
    return {};
  }
  constexpr ByteView ahead() {
    dynamic = true;
    return {};
  }
  constexpr LoadOptions options() { return {}; }
  constexpr void or_raw(auto&&...) { dynamic = true; }
  template <class T>
  constexpr void coded(auto&&...) {
    dynamic = true;
  }
  constexpr void each_in(auto&&...) { dynamic = true; }
  constexpr void require(auto&&...) { dynamic = true; }
  constexpr void nested(auto&&...) { dynamic = true; }
  constexpr void with_version(auto&&...) { dynamic = true; }
};
template <class T>
constexpr bool prove_fixed() {
  if constexpr (Leaf<T>)
    return true;
  else {
    for (u32 version = 0;;) {
      Sizer s;
      s.proving = true;
      s.version_ = version;
      T t;
      if constexpr (requires { T::layout(s, t); })
        T::layout(s, t);
      else
        s("", t);
      if (s.dynamic) return false;
      if (s.next_version == Sizer::k_last_version) return true;
      version = s.next_version;
    }
  }
}

/// The size of a fixed-size record in that version, in bytes.
template <class T>
constexpr size_t wire_size(u32 version = 0) {
  if constexpr (Leaf<T>)
    return sizeof(T);
  else {
    Sizer s;
    s.version_ = version;
    T t{};
    s("", t);
    return s.bytes;
  }
}
/// The smallest size of an element: bounds a count by the remaining bytes before anything is allocated.
template <class T>
constexpr u64 least_size(u32 version) {
  if constexpr (Leaf<T>)
    return 1;  // an element may be narrower in the file
  else if constexpr (FixedSize<T>)
    return std::max<u64>(1, wire_size<T>(version));
  else if constexpr (requires { T::k_least_size; })
    return T::k_least_size;
  else
    return 1;
}

}  // namespace dio
