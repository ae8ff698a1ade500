// heights.hpp: the height of the ground, as the game finds it; the tables of BDHC made from its plates; edits of
// plates. All coordinates are raw fx32 (1/4096 unit) from the middle of the map, x to the east, z to the south; heights
// are absolute. Source: specification 8.
#pragma once
#include <optional>
#include <span>

#include "formats/platinum/layout/land_data.hpp"

namespace dio::platinum {

inline constexpr size_t k_most_candidates = 10;    // plates over a point that the game compares
inline constexpr i32 k_blocking_step = 20 * 4096;  // a difference of heights that blocks the way
inline constexpr f64 k_most_units = 8192;          // of edits and questions: far outside of a map, but within fx32

/// The nearest fx32; nothing if it is out of range.
std::optional<fx32> to_fx32(f64 units);

/// A plate with its points, normal and constant; or a triangle of Diamond and Pearl.
struct PlateShape {
  BdhcPoint low, high;  // the corners of the smallest and the largest x and z
  BdhcNormal normal;
  fx32 constant;
  std::optional<std::array<BdhcPoint, 3>> corners = {};  // of a triangle
  /// Including all edges; rounded as by the game for triangles.
  bool contains(i32 x, i32 z) const;
  /// The height of its plane, rounded as by the game. A vertical plane gives 0, like the divider of the DS.
  i32 height(i32 x, i32 z) const;
};
/// Nothing if the plate, or an entry it refers to, does not exist.
std::optional<PlateShape> find_plate_shape(const Bdhc&, size_t plate);
/// How many plates there are, or triangles.
size_t plate_count(const Bdhc&);
/// Where they are in it, and what they are called.
constexpr const char* path_of_plates(const Bdhc& b) { return b.dp ? "dp.triangles" : "plates"; }
constexpr const char* name_of_plates(const Bdhc& b) { return b.dp ? "triangle" : "plate"; }
constexpr const char* plural_of_plates(const Bdhc& b) { return b.dp ? "triangles" : "plates"; }
/// Whether the file ends before the arrays do (Diamond, Pearl): the game finds what follows it.
constexpr bool is_truncated(const Bdhc& b) { return b.dp && b.dp->cut; }
/// The corners seen from above, counterclockwise: of a plate, from the south-west on, as in the game's files.
std::vector<BdhcPoint> plate_outline(const PlateShape&);

/// The ground under an object that is now at `height`: the plate over the point, among those that the strips list,
/// whose height is nearest. Nothing: the game uses 0.
std::optional<i32> ground_height_at(const Bdhc&, i32 x, i32 z, i32 height = 0);

/// A plate, or a triangle, over a point.
struct Ground {
  u16 plate;
  i32 height;
};
/// The plates that the strips of the file list for a point, in their order: the game chooses among them.
std::vector<Ground> find_listed_grounds(const Bdhc&, i32 x, i32 z);
/// The plates (no triangles) that correct strips would list, found without them: every plate over the point except
/// those that end at exactly that z (a strip does not list the plates that end where it starts).
std::vector<Ground> find_all_grounds(const Bdhc&, i32 x, i32 z);

/// The middle of a tile, counted from the west or from the north, as a coordinate.
constexpr i32 tile_middle(u32 tile) { return (i32(tile) * k_tile_units + k_tile_units / 2 - k_half_map) * 4096; }
/// The tile of a coordinate; outside of the map it is negative, or `k_tiles` or more.
constexpr i64 tile_of(fx32 coordinate) { return (i64(coordinate.raw) + k_half_map * 4096) >> 16; }
static_assert(k_tile_units * 4096 == 1 << 16);

/// The same floors in the form of Diamond and Pearl: two triangles for each plate. In that form already: unchanged.
Bdhc convert_to_triangles(const Bdhc&);
/// Empty heights in that form.
BdhcDp make_empty_bdhc_dp();
/// Rebuilds the strips and the access list, as the game's own tools do.
void rebuild_strips(Bdhc&);
/// The first fault of the strips; nothing if they are in order and each lists every plate that it crosses.
struct StripFault {
  enum class Kind : u8 { order, range, plate, end, missing } kind;
  size_t strip;
  size_t plate = 0;  // of `missing`
};
std::optional<StripFault> find_strip_fault(const Bdhc&);

// ---- edits; each leaves tables without unused entries, in the order of first use, and new strips ----

/// Appends a plate, or several, and the table entries they need; in the form of Diamond and Pearl their triangles.
/// False if a table is full.
bool add_plate(Bdhc&, const PlateShape&);
bool add_plates(Bdhc&, std::span<const PlateShape>);
/// Replaces a plate. False if a table is full.
bool replace_plate(Bdhc&, size_t plate, const PlateShape&);
void remove_plate(Bdhc&, size_t plate);

/// The plate over a rectangle on the plane through three heights: at its north-west corner (smallest x and z), and at
/// the corners to the east and to the south of it. Nothing if the rectangle has no area or numbers do not fit.
std::optional<PlateShape> make_plate_through(BdhcPoint low, BdhcPoint high, f64 north_west, f64 north_east,
                                             f64 south_west);
/// The constant of the plane raised by `units`. Nothing if it is out of range.
std::optional<fx32> raise_plane_constant(const PlateShape&, f64 units);

}  // namespace dio::platinum
