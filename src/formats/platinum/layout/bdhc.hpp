// bdhc.hpp: BDHC, the heights of a map: rectangles ("plates") on planes, and strips that list the plates of each z
// range. In patched games, cameras may follow. Diamond and Pearl use triangles instead.
#pragma once
#include <optional>
#include <vector>

#include "formats/platinum/layout/bdhc_dp.hpp"
#include "layout/reference.hpp"
#include "layout/xyz.hpp"

namespace dio::platinum {

/// A corner of plates: x to the east, z to the south, from the middle of the map.
struct BdhcPoint {
  fx32 x, z;
  static constexpr void layout(auto& v, auto& s) {
    v(Key("x").unit("units"), s.x);
    v(Key("z").unit("units"), s.z);
  }
  constexpr bool operator==(const BdhcPoint&) const = default;
};

using BdhcNormal = Xyz<fx32>;

/// A rectangle between two corners, on the plane normal * p + constant = 0.
struct Plate {
  u16 first_point, second_point, normal, constant;
  static constexpr void layout(auto& v, auto& s) {
    v(Key("first_point").doc("the corner with the smaller x and z").words(k_index_into<"points">), s.first_point);
    v(Key("second_point").words(k_index_into<"points">), s.second_point);
    v(Key("normal").words(k_index_into<"normals">), s.normal);
    v(Key("constant").words(k_index_into<"constants">), s.constant);
  }
  constexpr bool operator==(const Plate&) const = default;
};

/// The plates in a z range from the scanline of the previous strip to the scanline of this one.
struct Strip {
  fx32 scanline;
  u16 count, first;
  static constexpr void layout(auto& v, auto& s) {
    v(Key("scanline").unit("units").doc("the z where the strip ends"), s.scanline);
    v(Key("count").doc("number of this strip's entries in the access list"), s.count);
    v(Key("first").doc("index of its first entry").words(k_run_of<"access_list", "count">), s.first);
  }
  constexpr bool operator==(const Strip&) const = default;
};
static_assert(wire_size<BdhcPoint>() == 8 && wire_size<BdhcNormal>() == 12 && wire_size<Plate>() == 8 &&
              wire_size<Strip>() == 8);

// ---- cameras of patched games (BDHCAM) ----

struct CameraParameter {
  u32 type;
  FixedPoint<i32, 16> first, second;
  static constexpr void layout(auto& v, auto& s) {
    v(Key("type").doc("which camera value changes"), s.type);
    v(Key("first").doc("value at the first edge; for plates of type 0 the duration, in units of 1/65536 here"),
      s.first);
    v(Key("second").doc("value at the last edge, or the final value"), s.second);
  }
};
/// A rectangle of tiles that moves the camera.
struct CameraPlate {
  u8 x0, y0, x1, y1, z, type;
  u16 offset;
  std::vector<CameraParameter> parameters;
  static constexpr u64 k_least_size = 8;
  static constexpr void layout(auto& v, auto& s) {
    v.mark(s);
    v(Key("x0").unit("tiles"), s.x0);
    v(Key("y0").unit("tiles"), s.y0);
    v(Key("x1").unit("tiles").doc("exclusive"), s.x1);
    v(Key("y1").unit("tiles").doc("exclusive"), s.y1);
    v(Key("z").doc("128: any height"), s.z);
    v(Key("type").doc("0: independent of the position, 1: depends on x, 2: depends on y"), s.type);
    v(Key("offset").unit("bytes").placement(), s.offset);
  }
};
struct Cameras {
  std::vector<CameraPlate> plates;
  static constexpr void layout(auto& v, auto& s) {
    v.magic("DCAM");
    v.count(u32{}, "count", s.plates);
    v("plates", s.plates);
    v.each("plates", s.plates, [&](auto& p) {
      v.at(v.base(p), p.offset, [&] {
        v.count(u32{}, "parameter_count", p.parameters);
        v("parameters", p.parameters);
      });
    });
  }
};
/// The sizes that replace the first four bytes if cameras follow.
struct CameraSizes {
  u16 cameras, heights;
  static constexpr void layout(auto& v, auto& s) {
    v(Key("cameras").unit("bytes").placement(), s.cameras);
    v(Key("heights").unit("bytes").placement().doc("size of the arrays before the cameras"), s.heights);
  }
};

struct Bdhc {
  static constexpr std::endian k_order = std::endian::little;
  static constexpr u64 k_header_size = 16;
  std::optional<BdhcDp> dp;          // the Diamond and Pearl form; the other members are then empty
  std::optional<CameraSizes> sizes;  // in place of the magic
  FourCc magic;                      // the game ignores it
  std::vector<BdhcPoint> points;
  std::vector<BdhcNormal> normals;
  std::vector<fx32> constants;
  std::vector<Plate> plates;
  std::vector<Strip> strips;
  std::vector<u16> access_list;
  Bytes cameras_pad;
  std::optional<Cameras> cameras;

  static constexpr void layout(auto& v, auto& s) {
    const u64 start = v.here();
    v.maybe([&] { return is_bdhc_dp(v, start); }, Key("dp").doc("the Diamond and Pearl form"), s.dp);
    if (s.dp) return;
    v.maybe([&] { return has_cameras(v, start); }, "sizes", s.sizes);
    if (!s.sizes) v(Key("magic").doc("BDHC; the game ignores it"), s.magic);
    v.count(u16{}, "point_count", s.points);
    v.count(u16{}, "normal_count", s.normals);
    v.count(u16{}, "constant_count", s.constants);
    v.count(u16{}, "plate_count", s.plates);
    v.count(u16{}, "strip_count", s.strips);
    v.count(u16{}, "access_count", s.access_list);
    v("points", s.points);
    v("normals", s.normals);
    v(Key("constants").doc("negative distance of the plane from the origin along its normal"), s.constants);
    v("plates", s.plates);
    v("strips", s.strips);
    v(Key("access_list").doc("indices of plates").words(k_index_into<"plates">), s.access_list);
    if (!s.sizes) return;
    v.implied((4 - (v.here() - start) % 4) % 4, s.cameras_pad);
    v("cameras_pad", s.cameras_pad);
    v.inside("sizes", [&] { v.derive(s.sizes->heights, v.here() - start - k_header_size); });
    const u64 camera_start = v.here();
    v.maybe(true, "cameras", s.cameras);
    // Pokemon DS Map Studio counts the padding in both sizes.
    v.inside("sizes", [&] { v.derive(s.sizes->cameras, v.end() - camera_start + s.cameras_pad.size()); });
  }
  /// Rebuilds the strips and access list if they do not cover the plates.
  void settle();
  /// Rebuilds everything from the plates.
  void normalise();

 private:
  /// Whether the sizes point to cameras and the arrays end there.
  static constexpr bool has_cameras(auto& v, u64 start) {
    const u64 heights = v.template peek<u32>() >> 16, at = start + k_header_size + heights;
    if (at + 8 > v.total()) return false;
    u64 arrays = 0;
    for (u64 field = 0; field < std::size(k_element_sizes); ++field)
      v.there(start + 4 + 2 * field, [&] { arrays += k_element_sizes[field] * v.template peek<u16>(); });
    bool is = false;
    v.there(at, [&] { is = v.template peek<FourCc>() == fourcc("DCAM"); });
    return is && (arrays + 3) / 4 * 4 == heights;
  }
  static constexpr u64 k_element_sizes[] = {8, 12, 4,
                                            8, 8,  2};  // element sizes of the arrays, in the order of their counts
};

}  // namespace dio::platinum
