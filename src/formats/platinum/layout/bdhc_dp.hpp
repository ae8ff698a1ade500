// bdhc_dp.hpp: BDHC as Diamond and Pearl have it: triangles, in four quadrants. From the notes of tools; no file was
// available, so the bytes after the triangles are kept as they are.
#pragma once
#include "layout/sizer.hpp"

namespace dio::platinum {

struct DpPoint {
  FixedPoint<i32, 16> x, height, z;
  static constexpr void layout(auto& v, auto& s) {
    v(Key("x").unit("units"), s.x);
    v(Key("height").unit("units"), s.height);
    v(Key("z").unit("units"), s.z);
  }
};
struct DpSlope {
  fx32 x, y, z;
  static constexpr void layout(auto& v, auto& s) {
    v("x", s.x);
    v("y", s.y);
    v("z", s.z);
  }
};
struct DpTriangle {
  std::array<u16, 3> points;
  u16 slope;
  i32 constant;
  static constexpr void layout(auto& v, auto& s) {
    v("points", s.points);
    v("slope", s.slope);
    v("constant", s.constant);
  }
};
static_assert(wire_size<DpPoint>() == 12 && wire_size<DpSlope>() == 12 && wire_size<DpTriangle>() == 12);

struct BdhcDp {
  static constexpr u16 k_unk_04 = 32;
  u16 unk_04, unk_06, point_size, slope_size, triangle_size;
  std::array<u16, 4> unk_14;
  u16 most_strips, most_triangles, strips_size, unk_22, indices_size, unk_26;
  std::array<u16, 2> unk_28;
  std::array<i32, 6> bounds;
  std::vector<DpPoint> points;
  std::vector<DpSlope> slopes;
  std::vector<DpTriangle> triangles;
  Bytes strips;  // and the indices after them

  static constexpr void layout(auto& v, auto& s) {
    v.magic("BDHC");
    v("unk_04", s.unk_04);
    v("unk_06", s.unk_06);
    v(Key("point_size").unit("bytes"), s.point_size);
    v.count(u16{}, "point_count", s.points);
    v(Key("slope_size").unit("bytes"), s.slope_size);
    v.count(u16{}, "slope_count", s.slopes);
    v(Key("triangle_size").unit("bytes"), s.triangle_size);
    v.count(u16{}, "triangle_count", s.triangles);
    v("unk_14", s.unk_14);
    v("most_strips", s.most_strips);
    v("most_triangles", s.most_triangles);
    v(Key("strips_size").unit("bytes"), s.strips_size);
    v("unk_22", s.unk_22);
    v(Key("indices_size").unit("bytes"), s.indices_size);
    v("unk_26", s.unk_26);
    v("unk_28", s.unk_28);
    v("bounds", s.bounds);
    v.require(s.point_size == 12 && s.slope_size == 12 && s.triangle_size == 12, "record sizes of 12 bytes");
    v("points", s.points);
    v("slopes", s.slopes);
    v("triangles", s.triangles);
    v.upto([&] { return v.total() - v.here(); }, s.strips);
    v(Key("strips").doc("strips of 10 bytes and indices of 2 bytes; not known well enough to describe"), s.strips);
  }
};

/// Whether one starts here: `BDHC`, 32 and 0, where the other form has its counts of points and normals.
constexpr bool is_bdhc_dp(auto& v, u64 start) {
  if (start + 8 > v.total() || !(v.template peek<FourCc>() == fourcc("BDHC"))) return false;
  bool is = false;
  v.there(start + 4, [&] { is = v.template peek<u32>() == BdhcDp::k_unk_04; });
  return is;
}

}  // namespace dio::platinum
