// behaviors.hpp: tile behaviours, the low eight bits of a tile attribute.
#pragma once
#include <optional>
#include <span>
#include <string>

#include "layout/key.hpp"

namespace dio::platinum {

/// Behaviours of one colour in the overlay of tiles.
enum class TileGroup : u8 {
  plain,
  grass,
  floor,
  water,
  puddle,
  sand,
  slide,
  snow,
  mud,
  edge,   // cannot be left or entered in some directions
  ledge,  // the player jumps over it
  climb,
  bridge,
  bike,
  warp,
  door,
  thing,    // an object to look at: a shelf, a table
  dynamic,  // its height changes
};

struct Behavior {
  u8 value;
  std::string_view name;  // name in lower case
  TileGroup group;
  bool encounters;  // wild Pokémon appear
  bool surfable;
};

/// The behaviours with a name or a flag, in the order of their values.
std::span<const Behavior> behaviors();
/// Finds a behaviour; null if it has neither a name nor a flag.
const Behavior* find_behavior(u8 value);
/// The name of a behaviour, or "unknown".
std::string behavior_name(u8 value);
std::optional<u8> find_behavior_by_name(std::string_view name);
/// Words for the whole attribute of a tile: collision, and its behaviour.
extern const EnumNames k_tile_words;

// ---- parts of a tile attribute ----

inline constexpr u16 k_collision = 0x8000;
inline constexpr u16 k_behavior_bits = 0x00FF;
inline constexpr u16 k_unused_bits = 0x7F00;
inline constexpr u8 k_door = 0x69;
inline constexpr u8 k_not_loaded = 0xFF;  // returned by the game where no map is loaded

constexpr u8 behavior_in(u16 tile) { return u8(tile & k_behavior_bits); }
constexpr bool is_blocked(u16 tile) { return (tile & k_collision) != 0; }

}  // namespace dio::platinum
