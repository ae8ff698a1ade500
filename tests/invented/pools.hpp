// pools.hpp: an invented format of animations whose curves lie in pools, one pool for each kind of curve over all
// animations of the block, as in JNT0 of Nitro files.
#pragma once
#include "layout/walks.hpp"

namespace dio::test {

struct Curve {
  u8 step, narrow;
  u16 last;
  u16 offset;  // from the start of the animation
  std::vector<i32> samples;
  static constexpr void layout(auto& v, auto& s) {
    v.bits(u16{}, bit<2>("step", s.step), bit<1>("narrow", s.narrow), bit<13>("last", s.last));
    v("offset", s.offset);
  }
  constexpr u64 count(u64 frames) const {
    const u64 n = step == 0 ? 1 : step == 1 ? 2 : 4;
    return n == 1 ? frames : last / n + 1 + (frames > last ? frames - 1 - last : 0);
  }
};
struct Channel {
  u8 constant;
  i16 value;
  Curve curve;
  static constexpr void layout(auto& v, auto& s) {
    if (s.constant)
      v("value", s.value);
    else
      v("curve", s.curve);
  }
};
struct Track {
  u16 offset;  // from the start of the animation
  u8 moves, turns, unused_2;
  std::array<Channel, 2> place;
  Channel turn;
  static constexpr u64 k_least_size = 2;
  static constexpr void layout(auto& v, auto& s) {
    v.bits(u8{}, bit<1>("moves", s.moves), bit<1>("turns", s.turns), bit<3>("unused_2", s.unused_2),
           bit<1>("turn_constant", s.turn.constant), bit<1>("y_constant", s.place[1].constant),
           bit<1>("x_constant", s.place[0].constant));
    v.align(2);
    if (s.moves) v("place", s.place);
    if (s.turns) v("turn", s.turn);
  }
};
struct Animation {
  u16 offset;  // from the start of the block
  u16 frames;
  std::vector<Track> tracks;
  static constexpr u64 k_least_size = 2;
  static constexpr void layout(auto& v, auto& s) {
    v.mark(s);
    v("frames", s.frames);
    v.count(u8{}, "track_count", s.tracks);
    v.align(2);
    v.each("tracks", s.tracks, [&](auto& t) { v("offset", t.offset); });
    v.each("tracks", s.tracks, [&](auto& t) { v.at(v.base(s), to(t.offset).align(2), [&] { Track::layout(v, t); }); });
  }
  /// body(kind, curve) for every curve.
  static constexpr void curves(auto& v, auto& s, auto body) {
    v.each("tracks", s.tracks, [&](auto& t) {
      if (t.turns && !t.turn.constant) v.inside("turn.curve", [&] { body(0, t.turn.curve); });
      if (t.moves)
        v.each("place", t.place, [&](auto& c) {
          if (!c.constant) v.inside("curve", [&] { body(c.curve.narrow ? 1 : 2, c.curve); });
        });
    });
  }
};

struct Pools {
  static constexpr std::endian k_order = std::endian::little;
  u16 size;
  std::vector<Animation> animations;
  static constexpr void layout(auto& v, auto& s) {
    const u64 block = v.here();
    v.magic("PL");
    v("size", s.size);
    v.count(u8{}, "count", s.animations);
    v.align(2, block);
    v.each("animations", s.animations, [&](auto& a) { v("offset", a.offset); });
    v.each("animations", s.animations, [&](auto& a) { v.at(block, to(a.offset).align(4), "data", a); });
    for (int pool = 0; pool < 3; ++pool) {  // the order of the pools
      bool first = true;
      v.each("animations", s.animations, [&](auto& a) {
        v.inside("data", [&] {
          Animation::curves(v, a, [&](int kind, auto& c) {
            if (kind != pool) return;
            v.implied(c.count(a.frames), c.samples);
            v.at(v.base(a), to(c.offset).align(first ? 4 : 1).shared(u64(pool)), [&] {
              if (c.narrow)
                v.as(i16{}, "samples", c.samples);
              else
                v("samples", c.samples);
            });
            first = false;
          });
        });
      });
    }
    v.round(block, 4);
    v.derive(s.size, v.end() - block);
  }
};

}  // namespace dio::test
