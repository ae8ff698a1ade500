// geo.hpp: the triangles of streamed objects: a .geo file. The stream of the pack locates the triangles of each object.
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
    v(Key("sectors").doc("sectors of 2,048 bytes; the stream of the pack locates the triangles in them"), s.sectors);
  }
};

/// The triangles of one object in the file.
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
