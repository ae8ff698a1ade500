// bdhc_dp.hpp: the BDHC of Diamond and Pearl: triangles, and a grid of cells, each with strips that list the triangles
// of a z range.
#pragma once
#include <algorithm>
#include <optional>
#include <vector>

#include "layout/reference.hpp"
#include "layout/xyz.hpp"

namespace dio::platinum {

/// A corner of triangles. The game does not read its height, but uses the plane.
struct DpPoint {
  fx32 x, height, z;
  static constexpr void layout(auto& v, auto& s) {
    v(Key("x").unit("units"), s.x);
    v(Key("height").unit("units").doc("the game uses the plane of the triangle instead"), s.height);
    v(Key("z").unit("units"), s.z);
  }
  constexpr bool operator==(const DpPoint&) const = default;
};

/// Three corners on the plane normal * p + constant = 0. They run counterclockwise, seen from above with north at the
/// top; the game does not find other triangles.
struct DpTriangle {
  std::array<u16, 3> corners;  // indices of points
  u16 normal;
  fx32 constant;
  static constexpr void layout(auto& v, auto& s) {
    v(Key("corners").words(k_index_into<"points">), s.corners);
    v(Key("normal").words(k_index_into<"normals">), s.normal);
    v(Key("constant").doc("negative distance of the plane from the origin along its normal"), s.constant);
  }
  constexpr bool operator==(const DpTriangle&) const = default;
};

/// The strips of one grid rectangle.
struct DpCell {
  u16 count, first;
  static constexpr void layout(auto& v, auto& s) {
    v(Key("count").doc("number of this cell's strips"), s.count);
    v(Key("first").doc("index of its first strip").words(k_run_of<"strips", "count">), s.first);
  }
  constexpr bool operator==(const DpCell&) const = default;
};

/// The triangles in a z range of a cell, from the scanline of the previous strip to the scanline of this one.
struct DpStrip {
  u16 count;
  fx32 scanline;
  u32 first;
  static constexpr void layout(auto& v, auto& s) {
    v(Key("count").doc("number of this strip's entries in the access list"), s.count);
    v(Key("scanline").unit("units").doc("the z where the strip ends"), s.scanline);
    v(Key("first").doc("index of its first entry").words(k_run_of<"access_list", "count">), s.first);
  }
  constexpr bool operator==(const DpStrip&) const = default;
};

/// The position and size of the cells, row by row from the north-west.
struct DpGrid {
  u16 columns, rows;
  fx32 west, north, east, south, width, depth;
  static constexpr void layout(auto& v, auto& s) {
    v("columns", s.columns);
    v(Key("rows").doc("the game finds the right row only if there are as many rows as columns"), s.rows);
    v(Key("west").unit("units").doc("one unit west of all points"), s.west);
    v(Key("north").unit("units").doc("one unit north of all points"), s.north);
    v(Key("east").unit("units").doc("the game does not read it"), s.east);
    v(Key("south").unit("units").doc("the game does not read it"), s.south);
    v(Key("width").unit("units").doc("width of a cell"), s.width);
    v(Key("depth").unit("units").doc("depth of a cell"), s.depth);
  }
  constexpr bool operator==(const DpGrid&) const = default;
};
static_assert(wire_size<DpPoint>() == 12 && wire_size<DpTriangle>() == 12 && wire_size<DpCell>() == 4 &&
              wire_size<DpStrip>() == 10 && wire_size<DpGrid>() == 28);

/// The sizes of the records, which the game does not read, and of the last two arrays.
struct DpHead {
  static constexpr u32 k_head_size = 32;
  static constexpr u64 k_size = 0x28;  // including the magic
  u32 head_size;
  u16 point_size, normal_size, triangle_size, grid_size, unk_16, strip_size, most_strips, most_triangles;
  u32 strips_size, access_size;
  DpGrid grid;
};

/// The available data of a file that ends before its arrays do, like ten Diamond files.
struct CutBdhcDp : DpHead {
  u16 point_count, normal_count, triangle_count, cell_count;
  std::vector<DpPoint> points;
  std::vector<Xyz<fx32>> normals;
  std::vector<DpTriangle> triangles;
  Bytes rest;
  static constexpr void layout(auto& v, auto& s);
};

struct BdhcDp : DpHead {
  std::optional<CutBdhcDp> cut;  // the other members are then empty
  std::vector<DpPoint> points;
  std::vector<Xyz<fx32>> normals;
  std::vector<DpTriangle> triangles;
  std::vector<DpCell> cells;
  std::vector<DpStrip> strips;
  std::vector<u16> access_list;

  static constexpr void layout(auto& v, auto& s) {
    v.maybe([&] { return is_truncated(v, v.here()); }, Key("cut").doc("the file ends before its arrays do"), s.cut);
    if (s.cut) return;
    layout_head(
        v, s, [&] { v.count(u16{}, "point_count", s.points); }, [&] { v.count(u16{}, "normal_count", s.normals); },
        [&] { v.count(u16{}, "triangle_count", s.triangles); }, [&] { v.count(u16{}, "cell_count", s.cells); });
    v("points", s.points);
    v("normals", s.normals);
    v("triangles", s.triangles);
    v("cells", s.cells);
    v.require(s.strips.size() <= k_most && s.strips_size % wire_size<DpStrip>() == 0 && s.access_size % 2 == 0,
              "at most 65535 whole strips and entries of 2 bytes");
    v.implied(s.strips_size / wire_size<DpStrip>(), s.strips);
    v("strips", s.strips);
    v.derive(s.strips_size, s.strips.size() * wire_size<DpStrip>());
    v.implied(s.access_size / sizeof(u16), s.access_list);
    v(Key("access_list").doc("indices of triangles").words(k_index_into<"triangles">), s.access_list);
    v.derive(s.access_size, s.access_list.size() * sizeof(u16));
  }

  /// Visits everything except the arrays; functions visit the element counts.
  static constexpr void layout_head(auto& v, auto& s, auto points, auto normals, auto triangles, auto cells) {
    const auto layout_record_size = [&](const char* name, auto& field, u64 is) {
      v(Key(name).unit("bytes").doc("the game does not read it"), field);
      v.require(field == is, "the record size that the game uses");
    };
    v.magic("BDHC");
    v(Key("head_size").unit("bytes").doc("size of the data from here to the grid"), s.head_size);
    layout_record_size("point_size", s.point_size, wire_size<DpPoint>());
    points();
    layout_record_size("normal_size", s.normal_size, wire_size<Xyz<fx32>>());
    normals();
    layout_record_size("triangle_size", s.triangle_size, wire_size<DpTriangle>());
    triangles();
    layout_record_size("grid_size", s.grid_size, wire_size<DpGrid>());
    v(Key("unk_16").doc("2 in all files; the game does not read it"), s.unk_16);
    cells();
    layout_record_size("strip_size", s.strip_size, wire_size<DpStrip>());
    v(Key("most_strips").doc("most strips in a cell; the game does not use it"), s.most_strips);
    v(Key("most_triangles").doc("most triangles in a strip; the game does not read it"), s.most_triangles);
    v(Key("strips_size").unit("bytes").placement(), s.strips_size);
    v(Key("access_size").unit("bytes").placement(), s.access_size);
    v("grid", s.grid);
  }
  static constexpr size_t k_most = 0xFFFF;

 private:
  static constexpr bool is_truncated(auto& v, u64 start) {
    if (start + DpHead::k_size + wire_size<DpGrid>() > v.total()) return false;
    u64 size = DpHead::k_size + wire_size<DpGrid>();
    const auto add = [&](u64 at, auto leaf, u64 each) {
      v.there(start + at, [&] { size += u64(v.template peek<decltype(leaf)>()) * each; });
    };
    for (const u64 at : {0x0A, 0x0E, 0x12}) add(at, u16{}, 12);
    add(0x18, u16{}, wire_size<DpCell>());
    add(0x20, u32{}, 1);
    add(0x24, u32{}, 1);
    return start + size > v.total();
  }
};

constexpr void CutBdhcDp::layout(auto& v, auto& s) {
  BdhcDp::layout_head(
      v, s, [&] { v("point_count", s.point_count); }, [&] { v("normal_count", s.normal_count); },
      [&] { v("triangle_count", s.triangle_count); }, [&] { v("cell_count", s.cell_count); });
  const auto layout_partial_array = [&](const char* name, u16 count, auto& list, u64 size) {
    v.upto([&] { return std::min<u64>(count, (v.total() - v.here()) / size); }, list);
    v(Key(name), list);
  };
  layout_partial_array("points", s.point_count, s.points, wire_size<DpPoint>());
  layout_partial_array("normals", s.normal_count, s.normals, wire_size<Xyz<fx32>>());
  layout_partial_array("triangles", s.triangle_count, s.triangles, wire_size<DpTriangle>());
  v.upto([&] { return v.total() - v.here(); }, s.rest);
  v("rest", s.rest);
}

/// Whether a Diamond and Pearl BDHC starts here: `BDHC`, 32 and 0, where the Platinum form has its counts of points and
/// normals.
constexpr bool is_bdhc_dp(auto& v, u64 start) {
  if (start + 8 > v.total() || !(v.template peek<FourCc>() == fourcc("BDHC"))) return false;
  bool is = false;
  v.there(start + 4, [&] { is = v.template peek<u32>() == DpHead::k_head_size; });
  return is;
}

// ---- tables built from triangles ----

/// Rebuilds the grid position, cells, strips and access list, like the game developers' tools. Keeps an existing number
/// of cells if no cell gets too many triangles.
void rebuild_cells(BdhcDp&);
/// Drops points and normals that no triangle refers to, and merges equal ones.
void compact_tables(BdhcDp&);
/// The first fault of the cells; nothing if they are in order and complete.
struct CellFault {
  enum class Kind : u8 { grid, run, order, range, triangle, missing } kind;
  size_t cell, strip = 0, triangle = 0;
};
std::optional<CellFault> find_cell_fault(const BdhcDp&);

}  // namespace dio::platinum
