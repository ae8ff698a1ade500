// geo.hpp: the triangles of streamed objects: a .geo file. Where each object's are, the stream of the pack states.
// Source: engine, world streamer.
#pragma once
#include "formats/splashpack/layout/pack.hpp"

namespace dio::splashpack {

/// A .geo file. It has no header: regions start at multiples of 2048.
struct Geo {
  static constexpr std::endian k_order = std::endian::little;
  Bytes sectors;
  static constexpr void layout(auto& v, auto& s) {
    v.upto([&] { return v.total() - v.here(); }, s.sectors);
    v(Key("sectors").doc("of 2048 bytes; the stream of the pack states which triangles are where"), s.sectors);
  }
};

/// Triangles of one object in it.
struct GeoTriangles {
  static constexpr std::endian k_order = std::endian::little;
  u16 unk_0 = 0;
  std::vector<Triangle> triangles;
  static constexpr void layout(auto& v, auto& s) {
    v.version(u32(k_newest));
    v.implied(v.growing() ? v.total() / WorldStream::k_triangle : s.triangles.size(), s.triangles);
    v("triangles", s.triangles);
  }
};

}  // namespace dio::splashpack
