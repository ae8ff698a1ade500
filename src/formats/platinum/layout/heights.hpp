// heights.hpp: the height of the ground, as the game finds it; the tables of BDHC made from its plates; plates changed.
// All coordinates are raw fx32 (1/4096 unit) from the middle of the map, x to the east, z to the south; heights are
// absolute. Source: specification 8.
#pragma once
#include <optional>

#include "formats/platinum/layout/land_data.hpp"

namespace dio::platinum {

inline constexpr size_t k_most_candidates = 10;    // plates over a point that the game compares
inline constexpr i32 k_blocking_step = 20 * 4096;  // a difference of heights that blocks the way
inline constexpr f64 k_most_units = 8192;  // of edits and questions: far behind the edge of a map, far below an fx32

/// The nearest fx32; nothing if there is none.
std::optional<fx32> fixed_of(f64 units);

/// A plate with what it refers to.
struct PlateShape {
  BdhcPoint low, high;  // the corners of the least and the greatest x and z
  BdhcNormal normal;
  fx32 constant;
  /// Closed on all sides.
  constexpr bool contains(i32 x, i32 z) const {
    return low.x.raw <= x && x <= high.x.raw && low.z.raw <= z && z <= high.z.raw;
  }
  /// The height of its plane, rounded as the game rounds. A plane that stands upright gives 0, as the divider of the
  /// DS.
  i32 height(i32 x, i32 z) const;
};
/// Nothing if the plate does not exist, or refers to something that does not.
std::optional<PlateShape> shape_of(const Bdhc&, size_t plate);

/// The height that an object gets which stands at `height` now: of the plates over the point, as the strips give them,
/// the one nearest to it. Nothing: the game takes 0.
std::optional<i32> height_at(const Bdhc&, i32 x, i32 z, i32 height = 0);

/// A plate over a point.
struct Ground {
  u16 plate;
  i32 height;
};
/// What the strips of the file give for a point, in their order: what the game chooses from.
std::vector<Ground> candidates_at(const Bdhc&, i32 x, i32 z);
/// What well-made strips give, found without them: every plate over the point, but for those that end at that very z
/// (a strip does not have the plates that end where it starts).
std::vector<Ground> grounds_at(const Bdhc&, i32 x, i32 z);

/// The middle of a tile, counted from the west or from the north, as a coordinate.
constexpr i32 tile_middle(u32 tile) { return (i32(tile) * k_tile_units + k_tile_units / 2 - k_half_map) * 4096; }
/// The tile of a coordinate; of one outside of the map it is negative, or `k_tiles` and more.
constexpr i64 tile_of(fx32 coordinate) { return (i64(coordinate.raw) + k_half_map * 4096) >> 16; }
static_assert(k_tile_units * 4096 == 1 << 16);

/// The strips and the access list, as the tools of the game made them.
void rebuild_strips(Bdhc&);
/// Whether the strips are in order and have every plate in all that it crosses; else the first thing that is wrong.
struct StripFault {
  enum class Kind : u8 { order, range, plate, end, missing } kind;
  size_t strip;
  size_t plate = 0;  // of `missing`
};
std::optional<StripFault> strip_fault(const Bdhc&);

// ---- changes; each leaves tables without unused entries, in the order of first use, and new strips ----

/// Appends a plate, and whatever of the tables it needs. False if a table is full.
bool add_plate(Bdhc&, const PlateShape&);
/// Puts another plate in the place of one that exists. False if a table is full.
bool replace_plate(Bdhc&, size_t plate, const PlateShape&);
void remove_plate(Bdhc&, size_t plate);

/// The plate over a rectangle on the plane through three heights: at its corner of least x and z (north-west), and at
/// the corners to the east and to the south of it. Nothing if the rectangle has no area or numbers do not fit.
std::optional<PlateShape> plate_through(BdhcPoint low, BdhcPoint high, f64 north_west, f64 north_east, f64 south_west);
/// The same plane, higher by so many units. Nothing if that does not fit.
std::optional<fx32> raised(const PlateShape&, f64 units);

}  // namespace dio::platinum
