// layout.hpp: describes every structure of a KCL collision file once. Facts and their sources: README.md next to this
// file.
#pragma once
#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "formats/kcl/enum_names.hpp"
#include "layout/reference.hpp"
#include "layout/sizer.hpp"
#include "layout/xyz.hpp"

namespace dio::kcl {

/// Used as a version: the game that the file is for. Headers for Mario Kart have a sphere radius.
inline constexpr u32 k_mario_kart = 1;

inline constexpr u64 k_short_header = 0x38, k_long_header = 0x3C, k_prism_size = 16;
inline constexpr size_t k_most_prisms = 0xFFFF;  // numbers in lists are u16 and count from 1

using Vec3 = Xyz<f32>;

/// Visits the fields of a prism that are the same in all games.
constexpr void visit_prism_fields(auto& v, auto& s) {
  v(Key("height").doc("distance from the first corner to the opposite edge").unit("units"), s.height);
  v(Key("position").doc("index of the first corner").words(k_index_into<"positions">), s.position);
  v(Key("face_normal").doc("index of the face's normal, on the side that can be hit").words(k_index_into<"normals">),
    s.face_normal);
  v(Key("edge_a")
        .doc("index of the outward normal of the edge from the first to the third corner")
        .words(k_index_into<"normals">),
    s.edge_a);
  v(Key("edge_b")
        .doc("index of the outward normal of the edge from the first to the second corner")
        .words(k_index_into<"normals">),
    s.edge_b);
  v(Key("edge_c")
        .doc("index of the outward normal of the edge opposite the first corner")
        .words(k_index_into<"normals">),
    s.edge_c);
}

/// The names of variants depend on the type, which may come after the variant; `at` is the position of its bits. JSON
/// contains numbers for variants.
constexpr const EnumNames& variants_of(auto& v, const auto& s, const std::array<EnumNames, 32>& all, unsigned at) {
  if (v.growing()) return all[v.template peek<u16>() >> at & 31];
  return v.reading() ? k_no_words : all[s.type & 31];
}

/// A triangle with a direction, as the game tests it: the space in front of a face, between three edges.
struct Prism {
  f32 height;
  u16 position, face_normal, edge_a, edge_b, edge_c;
  u8 soft_wall, reject_road, trickable, wheel_depth, light, variant, type;
  u16 attribute;  // outside of Mario Kart Wii
  static constexpr void layout(auto& v, auto& s) {
    visit_prism_fields(v, s);
    if (v.since(k_mario_kart))
      v.bits(
          u16{}, bit<1>(Key("soft_wall").doc("1: karts do not bounce off"), s.soft_wall),
          bit<1>(Key("reject_road").doc("1: the road pushes karts off"), s.reject_road),
          bit<1>(Key("trickable").doc("1: tricks are possible"), s.trickable),
          bit<2>(Key("wheel_depth").doc("how far wheels sink in"), s.wheel_depth),
          bit<3>(Key("light").doc("index of the course's light (BLIGHT)"), s.light),
          bit<3>(Key("variant").doc("sound and effects, by type").words(variants_of(v, s, k_variants, 0)), s.variant),
          bit<5>(Key("type").words(k_types), s.type));
    else
      v(Key("attribute").doc("index into the surface table next to the file (.pa)"), s.attribute);
  }
};

/// A DS prism; its flags have other positions and meanings.
struct DsPrism {
  fx32 height;
  u16 position, face_normal, edge_a, edge_b, edge_c;
  u8 floor, wall, ignored_by_items, type, variant, ignored_by_drivers, light, map_shadow, unk_0;
  u16 attribute;  // outside of Mario Kart DS
  static constexpr void layout(auto& v, auto& s) {
    visit_prism_fields(v, s);
    if (v.since(k_mario_kart))
      v.bits(u16{}, bit<1>(Key("floor").doc("1: karts drive on it"), s.floor),
             bit<1>(Key("wall").doc("1: karts stop at it"), s.wall),
             bit<1>(Key("ignored_by_items").doc("1: items pass through"), s.ignored_by_items),
             bit<5>(Key("type").words(k_ds_types), s.type),
             bit<3>(Key("variant").doc("sound and effects, by type").words(variants_of(v, s, k_ds_variants, 8)),
                    s.variant),
             bit<1>(Key("ignored_by_drivers").doc("1: karts pass through"), s.ignored_by_drivers),
             bit<2>(Key("light").doc("index of the course's light"), s.light),
             bit<1>(Key("map_shadow").doc("1: dark on the course map"), s.map_shadow), bit<1>("unk_0", s.unk_0));
    else
      v(Key("attribute").doc("meaning depends on the game"), s.attribute);
  }
};

/// A word of the octree.
struct OctreeNode {
  u8 is_leaf;
  u32 offset;
  static constexpr void layout(auto& v, auto& s) {
    v.bits(
        u32{}, bit<1>(Key("is_leaf").doc("0: a cell split into eight; 1: a cell with a list"), s.is_leaf),
        bit<31>(
            Key("offset")
                .doc(
                    "from the start of the node's block to the block of its eight cells, or to 2 bytes before its list")
                .unit("bytes"),
            s.offset));
  }
};
/// The prisms that can be hit from within a cell.
struct PrismList {
  std::vector<u16> prisms;
  static constexpr u64 k_least_size = 2;
  static constexpr void layout(auto& v, auto& s) {
    v.until(Key("prisms").doc("prism numbers, counted from 1; 0 ends the list"), s.prisms,
            [](u16 number) { return number == 0; });
  }
};
/// Cubes over the area, each split into eight until few prisms are left. Lists follow the nodes; several nodes can
/// share a list, and a list can be the end of another one.
struct Octree {
  std::vector<OctreeNode> nodes;
  std::vector<PrismList> lists;
};

/// The first-level cubes of an octree, from the header's fields.
struct Grid {
  Vec3 area_min;
  Xyz<u32> area_mask;
  u32 block_shift, x_shift, xy_shift;
  /// The number of nodes before the first block; more than a file can hold if the fields contradict each other.
  u64 root_cell_count() const;
};
/// The extent of an octree at the start of some bytes.
struct OctreeExtent {
  u64 nodes = 0, lists = 0;
};
OctreeExtent measure_octree(ByteView, const Grid&, std::endian);  // octree_extent.cpp

/// Converts a console's number to f32.
constexpr f32 real(f32 x) { return x; }
constexpr f32 real(fx32 x) { return f32(x.value()); }

/// A whole file. Consoles differ in their number types, and games in their flags; everything else is the same.
template <class Number, class Normal, class PrismOf, std::endian Order>
struct CollisionFile {
  static constexpr std::endian k_order = Order;
  using Position = Xyz<Number>;

  u32 positions_offset, normals_offset, prisms_offset, octree_offset;
  Number thickness;
  Position area_min;
  Xyz<u32> area_mask;
  u32 block_shift, x_shift, xy_shift;
  std::optional<Number> sphere_radius;
  std::vector<Position> positions;
  std::vector<Xyz<Normal>> normals;
  std::vector<PrismOf> prisms;
  Octree octree;

  Grid grid() const {
    return {{real(area_min.x), real(area_min.y), real(area_min.z)}, area_mask, block_shift, x_shift, xy_shift};
  }

  static constexpr void layout(auto& v, auto& s) {
    v(Key("positions_offset").placement().unit("bytes"), s.positions_offset);
    v(Key("normals_offset").placement().unit("bytes"), s.normals_offset);
    v(Key("prisms_offset").placement().doc("16 bytes before the first prism, as prisms count from 1").unit("bytes"),
      s.prisms_offset);
    v(Key("octree_offset").placement().unit("bytes"), s.octree_offset);
    v(Key("thickness").doc("how far behind its face a prism can be hit").unit("units"), s.thickness);
    v(Key("area_min").doc("the octree's corner with the smallest coordinates").unit("units"), s.area_min);
    v(Key("area_mask").doc("bits that are 0 in every position of the octree, in units from area_min"), s.area_mask);
    v(Key("block_shift").doc("first-level cells are 2 to this power units long"), s.block_shift);
    v(Key("x_shift").doc("2 to this power first-level cells along x"), s.x_shift);
    v(Key("xy_shift").doc("2 to this power first-level cells along x and y together"), s.xy_shift);
    v.maybe([&] { return first_part(s) >= k_long_header; },
            Key("sphere_radius").doc("radius of the largest sphere that the game tests; Mario Kart only").unit("units"),
            s.sphere_radius);
    v.version(s.sphere_radius ? k_mario_kart : 0);
    v.at(0, s.positions_offset, [&] {
      v.upto([&] { return bytes_until_next_part(s, 0, v.total()) / wire_size<Position>(0); }, s.positions);
      v("positions", s.positions);
    });
    v.at(0, s.normals_offset, [&] {
      v.upto([&] { return bytes_until_next_part(s, 1, v.total()) / wire_size<Xyz<Normal>>(0); }, s.normals);
      v(Key("normals").doc("normals of faces and edges, with a length of 1"), s.normals);
    });
    v.at(k_prism_size, s.prisms_offset, [&] {
      v.upto([&] { return bytes_until_next_part(s, 2, v.total()) / k_prism_size; }, s.prisms);
      v("prisms", s.prisms);
    });
    v.at(0, s.octree_offset, [&] {
      OctreeExtent extent;
      v.upto(
          [&] {
            extent =
                measure_octree(v.ahead().first(std::min<u64>(bytes_until_next_part(s, 3, v.total()), v.ahead().size())),
                               s.grid(), Order);
            return extent.nodes;
          },
          s.octree.nodes);
      v("octree.nodes", s.octree.nodes);
      v.upto([&] { return extent.lists; }, s.octree.lists);
      v("octree.lists", s.octree.lists);
    });
  }

 private:
  static constexpr std::array<u64, 4> part_offsets(const auto& s) {
    return {s.positions_offset, s.normals_offset, s.prisms_offset + k_prism_size, s.octree_offset};
  }
  static constexpr u64 first_part(const auto& s) { return std::ranges::min(part_offsets(s)); }
  /// Bytes up to the next part or the end of the file. If two parts start at the same offset, the first is empty.
  static constexpr u64 bytes_until_next_part(const auto& s, size_t part, u64 end) {
    const auto all = part_offsets(s);
    for (size_t i = 0; i < all.size(); ++i)
      if (all[i] > all[part] || (all[i] == all[part] && i > part)) end = std::min(end, all[i]);
    return end > all[part] ? end - all[part] : 0;
  }
};

/// A Wii file.
struct Kcl : CollisionFile<f32, f32, Prism, std::endian::big> {
  bool is_mario_kart_wii() const { return sphere_radius.has_value(); }
};
/// A DS file.
struct DsKcl : CollisionFile<fx32, fx16, DsPrism, std::endian::little> {
  bool is_mario_kart_ds() const { return sphere_radius.has_value(); }
};

static_assert(FixedSize<Vec3> && wire_size<Vec3>(0) == 12);
static_assert(FixedSize<Prism> && wire_size<Prism>(0) == k_prism_size && wire_size<Prism>(1) == k_prism_size);
static_assert(FixedSize<DsPrism> && wire_size<DsPrism>(0) == k_prism_size && wire_size<DsPrism>(1) == k_prism_size);
static_assert(FixedSize<OctreeNode> && wire_size<OctreeNode>(0) == 4);

}  // namespace dio::kcl
