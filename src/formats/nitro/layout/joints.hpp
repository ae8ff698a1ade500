// joints.hpp: block JNT0: joint animations. Specification: README.md, "Joint animations".
#pragma once
#include <algorithm>

#include "formats/nitro/layout/dictionary.hpp"

namespace dio::nitro {

inline constexpr EnumName k_step_words[] = {{0, "every frame"}, {1, "every 2nd frame"}, {2, "every 4th frame"}};
inline constexpr EnumNames k_steps{k_step_words};

/// The number of frames from one sample to the next: 1, 2 or 4.
constexpr u32 frames_per_sample(u8 step) { return step == 0 ? 1 : step == 1 ? 2 : 4; }
/// The number of samples of a curve: one for each step up to frame `last`, then one for each frame.
constexpr u64 sample_count(u8 step, u32 last, u32 frames) {
  const u32 n = frames_per_sample(step);
  if (n == 1) return frames;
  return u64(last) / n + 1 + (frames > last + 1 ? frames - 1 - last : 0);
}

/// The offset and storage format of the samples of a channel.
struct Curve {
  u16 unused_0, last;
  u8 narrow, step;
  u32 offset;
  static constexpr void layout(auto& v, auto& s) {
    v.bits(u32{}, bit<2>(Key("step").words(k_steps), s.step),
           bit<1>(Key("narrow").doc("samples have 16 bits"), s.narrow),
           bit<13>(Key("last")
                       .doc("last frame that is interpolated between samples; each later frame has its own sample")
                       .unit("frames"),
                   s.last),
           bit<16>("unused_0", s.unused_0));
    v(Key("offset").doc("offset of the samples from the start of the animation").placement(), s.offset);
  }
};
static_assert(wire_size<Curve>() == 8);

struct TranslationChannel {
  u8 constant;
  fx32 value;
  Curve curve;
  std::vector<i32> samples;  // 1/4096
  static constexpr void layout(auto& v, auto& s) {
    if (s.constant)
      v(Key("value").unit("model units"), s.value);
    else
      v("curve", s.curve);
  }
};
struct RotationChannel {
  u8 constant;
  u16 index, pad;
  Curve curve;
  std::vector<u16> samples;
  static constexpr void layout(auto& v, auto& s) {
    if (s.constant) {
      v(Key("index").doc("index into pivots if bit 15 is set, otherwise into bases"), s.index);
      v("pad", s.pad);
    } else
      v("curve", s.curve);
  }
};
struct ScaleChannel {
  u8 constant;
  fx32 value, inverse;
  Curve curve;
  std::vector<i32> samples;  // 1/4096: alternating values and inverses
  static constexpr void layout(auto& v, auto& s) {
    if (s.constant) {
      v("value", s.value);
      v(Key("inverse").doc("1 / value, or 0 if value is 0"), s.inverse);
    } else
      v("curve", s.curve);
  }
};

struct Track {
  u16 offset;
  u8 node, identity, translation_identity, translation_model, rotation_identity, rotation_model, scale_identity,
      scale_model;
  u16 unused_14;
  std::array<TranslationChannel, 3> translation;
  RotationChannel rotation;
  std::array<ScaleChannel, 3> scale;
  static constexpr u64 k_least_size = 2;
  constexpr bool translates() const { return !identity && !translation_identity && !translation_model; }
  constexpr bool rotates() const { return !identity && !rotation_identity && !rotation_model; }
  constexpr bool scales() const { return !identity && !scale_identity && !scale_model; }
  static constexpr void layout(auto& v, auto& s) {
    v.bits(u32{}, bit<8>(Key("node").doc("index of the track itself"), s.node), bit<10>("unused_14", s.unused_14),
           bit<1>("scale_z_constant", s.scale[2].constant), bit<1>("scale_y_constant", s.scale[1].constant),
           bit<1>("scale_x_constant", s.scale[0].constant),
           bit<1>(Key("scale_model").doc("1: use the scale of the model's node"), s.scale_model),
           bit<1>("scale_identity", s.scale_identity), bit<1>("rotation_constant", s.rotation.constant),
           bit<1>("rotation_model", s.rotation_model), bit<1>("rotation_identity", s.rotation_identity),
           bit<1>("translation_z_constant", s.translation[2].constant),
           bit<1>("translation_y_constant", s.translation[1].constant),
           bit<1>("translation_x_constant", s.translation[0].constant),
           bit<1>(Key("translation_model").doc("1: use the translation of the model's node"), s.translation_model),
           bit<1>("translation_identity", s.translation_identity),
           bit<1>(Key("identity").doc("1: translation, rotation and scale are the identity, and no values follow"),
                  s.identity));
    if (s.translates()) v("translation", s.translation);
    if (s.rotates()) v("rotation", s.rotation);
    if (s.scales()) v("scale", s.scale);
  }
};

/// A rotation with one element that is 1 or -1, alone in its row and column.
struct PivotRotation {
  u8 pivot_index, pivot_negative, c_negative, d_negative;
  u16 unused_7;
  fx16 a, b;
  static constexpr void layout(auto& v, auto& s) {
    v.bits(u16{}, bit<9>("unused_7", s.unused_7), bit<1>("d_negative", s.d_negative),
           bit<1>("c_negative", s.c_negative), bit<1>("pivot_negative", s.pivot_negative),
           bit<4>("pivot_index", s.pivot_index));
    v("a", s.a);
    v("b", s.b);
  }
};
static_assert(wire_size<PivotRotation>() == 6);
/// A rotation as two axes in five words.
struct BasisRotation {
  std::array<u16, 5> words;
  static constexpr void layout(auto& v, auto& s) { v("words", s.words); }
};
static_assert(wire_size<BasisRotation>() == 10);

struct JointAnimation {
  u32 offset;
  std::string name;
  u16 frames;
  u8 interpolate, interpolate_last;
  u32 unused_2, pivots_offset, bases_offset;
  std::vector<Track> tracks;
  std::vector<PivotRotation> pivots;
  std::vector<BasisRotation> bases;
  static constexpr u64 k_unit = 4, k_least_size = 4;
  static constexpr void entry(auto& v, auto& s) { v(k_offset, s.offset); }
  static constexpr void layout(auto& v, auto& s) {
    v.mark(s);
    v.magic("J\0AC");
    v(Key("frames").unit("frames"), s.frames);
    v.count(u16{}, "track_count", s.tracks);
    v.bits(u32{}, bit<30>("unused_2", s.unused_2),
           bit<1>(Key("interpolate_last").doc("1: interpolate from the last frame to the first"), s.interpolate_last),
           bit<1>(Key("interpolate").doc("1: also interpolate between whole frames"), s.interpolate));
    v(Key("pivots_offset").placement(), s.pivots_offset);
    v(Key("bases_offset").placement(), s.bases_offset);
    v.each("tracks", s.tracks, [&](auto& t) { v(Key("offset").placement(), t.offset); });
    v.each("tracks", s.tracks, [&](auto& t) { v.at(v.base(s), to(t.offset).align(4), [&] { Track::layout(v, t); }); });
  }
  /// Calls body(pool, curve, channel) for every curve, in pool order.
  static constexpr void for_each_curve(auto& v, auto& s, auto body) {
    v.each("tracks", s.tracks, [&](auto& t) {
      if (t.translates())
        v.each("translation", t.translation, [&](auto& c) {
          if (!c.constant) body(c.curve.narrow ? 2 : 4, c);
        });
      if (t.rotates() && !t.rotation.constant) v.inside("rotation", [&] { body(0, t.rotation); });
      if (t.scales())
        v.each("scale", t.scale, [&](auto& c) {
          if (!c.constant) body(c.curve.narrow ? 1 : 3, c);
        });
    });
  }
  /// The number of values per sample in a pool.
  static constexpr u64 pool_value_width(int pool) { return pool == 1 || pool == 3 ? 2 : 1; }
  /// The offset of the first curve from the start of the animation; `end` if there is none.
  static constexpr u64 first_curve_offset(const auto& s, u64 end) {
    const auto see = [&](bool moves, const auto& c) {
      if (moves && !c.constant) end = std::min<u64>(end, c.curve.offset);
    };
    for (const auto& t : s.tracks) {
      see(t.rotates(), t.rotation);
      for (const auto& c : t.translation) see(t.translates(), c);
      for (const auto& c : t.scale) see(t.scales(), c);
    }
    return end;
  }
};

/// An NSBCA file.
struct Nsbca {
  static constexpr std::endian k_order = std::endian::little;
  FileHeader header;
  Block block;
  std::vector<JointAnimation> animations;

  static constexpr void layout(auto& v, auto& s) {
    animation_file_layout<JointAnimation>(v, s, "BCA0", "JNT0", "animations", s.animations,
                                          [&](u64 start) { pools_layout(v, s, start); });
  }

 private:
  /// Tables and samples are in pools, one per kind, shared by all animations of the block.
  static constexpr void pools_layout(auto& v, auto& s, u64 start) {
    const auto all = [&](auto body) { v.each("animations", s.animations, body); };
    // Table sizes are not stored: a table ends where the next one of its kind starts; the last one ends where the next
    // kind starts. Bases follow pivots, and curves follow both.
    const auto compute_table_size = [&](u64 from, bool is_bases) {
      u64 end = std::max(from, start + s.block.size);
      for (const auto& o : s.animations) {
        const u64 pivots = v.base(o) + o.pivots_offset, bases = v.base(o) + o.bases_offset,
                  curves = v.base(o) + JointAnimation::first_curve_offset(o, end);
        if (const u64 next = is_bases ? bases : pivots; next > from) end = std::min(end, next);
        if (!is_bases && bases >= from) end = std::min(end, bases);
        if (curves >= from) end = std::min(end, curves);
      }
      return end - from;
    };
    all([&](auto& a) {
      v.upto([&] { return compute_table_size(v.base(a) + a.pivots_offset, false) / 6; }, a.pivots);
      v.at(v.base(a), to(a.pivots_offset).align(4).pad(4).shared(5), "pivots", a.pivots);
    });
    all([&](auto& a) {
      v.upto([&] { return compute_table_size(v.base(a) + a.bases_offset, true) / 10; }, a.bases);
      v.at(v.base(a), to(a.bases_offset).align(4).pad(4).shared(6), "bases", a.bases);
    });
    for (int pool = 0; pool < 5; ++pool) {
      bool first = true;
      all([&](auto& a) {
        JointAnimation::for_each_curve(v, a, [&](int kind, auto& c) {
          if (kind != pool) return;
          v.implied(sample_count(c.curve.step, c.curve.last, a.frames) * JointAnimation::pool_value_width(kind),
                    c.samples);
          v.inside("curve", [&] {
            v.at(v.base(a), to(c.curve.offset).align(first ? 4 : 1).shared(u64(pool)), [&] {
              if (kind && c.curve.narrow)
                v.as(i16{}, "samples", c.samples);
              else
                v("samples", c.samples);
            });
          });
          first = false;
        });
      });
    }
    v.round(start, 4);
  }
};

}  // namespace dio::nitro
