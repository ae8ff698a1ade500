// numbers.hpp: an invented format with one field of every kind of number, in either byte order.
#pragma once
#include "layout/walks.hpp"

namespace dio::test {

enum class Weather : u16 { sun, rain, snow };
namespace words {
inline constexpr EnumName weather[] = {{0, "sun"}, {1, "rain"}, {2, "snow"}};
inline constexpr EnumName doors[] = {{1, "north"}, {2, "east"}, {4, "south"}};
}  // namespace words
inline constexpr EnumNames k_weather{words::weather}, k_doors{words::doors, true};
using ufx16 = FixedPoint<u16, 8>;

/// A record of fixed size, with a magic and bits in it.
struct Star {
  fx32 height;
  fx16 turn;
  u8 doors, unk_3;
  i8 slope;
  u16 rest;
  static constexpr void layout(auto& v, auto& s) {
    v.magic("*");
    v.bits(u8{}, bit<1>("unk_3", s.unk_3), bit<3>("slope", s.slope), bit<4>(Key("doors").words(k_doors), s.doors));
    v(Key("height").unit("m"), s.height);
    v("turn", s.turn);
    v.as(u8{}, "rest", s.rest);
  }
};
static_assert(FixedSize<Star> && wire_size<Star>() == 9);

template <std::endian Order>
struct Numbers {
  static constexpr std::endian k_order = Order;
  u8 a;
  i8 b;
  u16 c;
  i16 d;
  u32 e;
  i32 f;
  u64 g;
  i64 h;
  f32 single;
  f64 twice;
  fx16 short_fixed;
  fx32 long_fixed;
  ufx16 unsigned_fixed;
  FourCc tag;
  Weather weather;
  std::array<u16, 3> three;
  std::array<std::array<i8, 2>, 2> square;
  u16 mode;
  i32 lean;
  u8 high, low;
  u32 wide;
  std::vector<i16> samples;
  std::vector<i32> narrow;
  std::vector<Star> stars;
  std::vector<f32> singles;
  static constexpr void layout(auto& v, auto& s) {
    v.magic("NUM");
    v("a", s.a);
    v("b", s.b);
    v("c", s.c);
    v("d", s.d);
    v("e", s.e);
    v("f", s.f);
    v("g", s.g);
    v("h", s.h);
    v("single", s.single);
    v("twice", s.twice);
    v("short_fixed", s.short_fixed);
    v("long_fixed", s.long_fixed);
    v("unsigned_fixed", s.unsigned_fixed);
    v("tag", s.tag);
    v(Key("weather").words(k_weather), s.weather);
    v("three", s.three);
    v("square", s.square);
    v.bits(u16{}, bit<9>("mode", s.mode), bit<5>("lean", s.lean), bit<1>("high", s.high), bit<1>("low", s.low));
    v.as(u16{}, "wide", s.wide);
    v.count(u8{}, "sample_count", s.samples);
    v.count(u16{}, "narrow", s.narrow);
    v.count(u32{}, "star_count", s.stars);
    v.count(i8{}, "single_count", s.singles);
    v("samples", s.samples);
    v.as(i8{}, "narrow", s.narrow);
    v("stars", s.stars);
    v("singles", s.singles);
  }
};

}  // namespace dio::test
