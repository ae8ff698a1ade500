// spu.hpp: the sounds of a pack of v20 or later: a .spu file. Source: engine, scenemanager.cpp.
#pragma once
#include <vector>

#include "layout/field_types.hpp"

namespace dio::splashpack {

struct SpuClip {
  u16 rate = 0;
  u8 loop = 0, unk_7 = 0;
  Bytes samples;
  static constexpr u64 k_least_size = 8;
  static constexpr void layout(auto& v, auto& s) {
    v.count(u32{}, "size", s.samples);
    v(Key("rate").unit("Hz"), s.rate);
    v(Key("loop").doc("0: plays once"), s.loop);
    v(Key("unk_7").doc("0"), s.unk_7);
    v(Key("samples").doc("the console's ADPCM, in blocks of 16 bytes"), s.samples);
    v.align(4);
  }
};

/// A .spu file.
struct Spu {
  static constexpr std::endian k_order = std::endian::little;
  std::vector<SpuClip> clips;
  static constexpr void layout(auto& v, auto& s) {
    v.magic("SA");
    v.count(u16{}, "clip_count", s.clips);
    v("clips", s.clips);
  }
};

}  // namespace dio::splashpack
