// heights.hpp: looks up ground heights like the game, builds BDHC tables from plates, and edits plates. All coordinates
// are raw fx32 (1/4096 unit) from the middle of the map, x to the east, z to the south; heights are absolute. Source:
// README.md, "Heights".
#pragma once
#include <optional>
#include <span>

#include "formats/platinum/layout/land_data.hpp"

namespace dio::platinum {

inline constexpr size_t k_most_candidates = 10;    // plates over a point that the game compares
inline constexpr i32 k_blocking_step = 20 * 4096;  // a difference of heights that blocks the way
inline constexpr f64 k_most_units = 8192;          // limit of edits and questions: far outside a map, but within fx32

/// The nearest fx32; nothing if it is out of range.
std::optional<fx32> to_fx32(f64 units);

/// A plate with its points, normal and constant, or a Diamond and Pearl triangle.
struct PlateShape {
  BdhcPoint low, high;  // corners with the smallest and the largest x and z
  BdhcNormal normal;
  fx32 constant;
  std::optional<std::array<BdhcPoint, 3>> corners = {};  // only for triangles
  /// Whether a point is in the shape, edges included; for triangles, rounded like the game.
  bool contains(i32 x, i32 z) const;
  /// The height of its plane, rounded like the game. A vertical plane gives 0, like the DS divider.
  i32 height(i32 x, i32 z) const;
};
/// Finds the shape of a plate; nothing if the plate or an entry it refers to does not exist.
std::optional<PlateShape> find_plate_shape(const Bdhc&, size_t plate);
/// The number of plates or triangles.
size_t plate_count(const Bdhc&);
/// Path and name of plates or triangles.
constexpr const char* path_of_plates(const Bdhc& b) { return b.dp ? "dp.triangles" : "plates"; }
constexpr const char* name_of_plates(const Bdhc& b) { return b.dp ? "triangle" : "plate"; }
constexpr const char* plural_of_plates(const Bdhc& b) { return b.dp ? "triangles" : "plates"; }
/// Whether the file ends before its arrays do (Diamond, Pearl); the game reads on into the next file.
constexpr bool is_truncated(const Bdhc& b) { return b.dp && b.dp->cut; }
/// The corners seen from above, counterclockwise; for a plate, starting in the south-west, as in game files.
std::vector<BdhcPoint> plate_outline(const PlateShape&);

/// The ground under an object that is now at `height`: the plate over the point, among those that the strips list,
/// whose height is nearest. Nothing: the game uses 0.
std::optional<i32> ground_height_at(const Bdhc&, i32 x, i32 z, i32 height = 0);

/// A plate, or a triangle, over a point.
struct Ground {
  u16 plate;
  i32 height;
};
/// The plates that the strips of the file list for a point, in order; the game chooses among them.
std::vector<Ground> find_listed_grounds(const Bdhc&, i32 x, i32 z);
/// The plates (not triangles) that correct strips would list, found without strips: every plate over the point except
/// plates that end at exactly that z, because a strip does not list plates that end where it starts.
std::vector<Ground> find_all_grounds(const Bdhc&, i32 x, i32 z);

/// The middle of a tile, counted from the west or from the north, as a coordinate.
constexpr i32 tile_middle(u32 tile) { return (i32(tile) * k_tile_units + k_tile_units / 2 - k_half_map) * 4096; }
/// The tile of a coordinate; outside the map, negative or at least `k_tiles`.
constexpr i64 tile_of(fx32 coordinate) { return (i64(coordinate.raw) + k_half_map * 4096) >> 16; }
static_assert(k_tile_units * 4096 == 1 << 16);

/// Converts floors to the Diamond and Pearl form, with two triangles per plate. Leaves that form unchanged.
Bdhc convert_to_triangles(const Bdhc&);
/// Empty heights in the Diamond and Pearl form.
BdhcDp make_empty_bdhc_dp();
/// Rebuilds the strips and the access list like the game developers' tools.
void rebuild_strips(Bdhc&);
/// The first fault of the strips; nothing if they are in order and complete.
struct StripFault {
  enum class Kind : u8 { order, range, plate, end, missing } kind;
  size_t strip;
  size_t plate = 0;  // only for `missing`
};
std::optional<StripFault> find_strip_fault(const Bdhc&);

// ---- edits; each rebuilds the strips, and drops unused table entries, in order of first use ----

/// Appends plates and the table entries they need, or their triangles in the Diamond and Pearl form. False if a table
/// is full.
bool add_plate(Bdhc&, const PlateShape&);
bool add_plates(Bdhc&, std::span<const PlateShape>);
/// Replaces a plate. False if a table is full.
bool replace_plate(Bdhc&, size_t plate, const PlateShape&);
void remove_plate(Bdhc&, size_t plate);

/// Makes the plate over a rectangle on the plane through three heights: at its north-west corner (smallest x and z),
/// and at the corners to the east and to the south of that corner. Nothing if the rectangle has no area or a number
/// does not fit.
std::optional<PlateShape> make_plate_through(BdhcPoint low, BdhcPoint high, f64 north_west, f64 north_east,
                                             f64 south_west);
/// The constant of the plane raised by `units`. Nothing if it is out of range.
std::optional<fx32> raise_plane_constant(const PlateShape&, f64 units);

}  // namespace dio::platinum
