// states.hpp: the states of a map, and the rows of its GNS file that the game loads in each. Sources: README.md,
// "States".
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "core/result.hpp"
#include "formats/fft/layout/gns.hpp"

namespace dio::fft {

// Variables of event scripts used by rows, and types of rows: k_variables, k_resources.
inline constexpr u16 k_weather_variable = 0x22, k_arrangement_variable = 0x30, k_crystals_variable = 0x70;
inline constexpr u8 k_page_type = 0x13, k_texture_type = 0x17, k_primary_type = 0x2E, k_override_type = 0x2F,
                    k_alternate_type = 0x30;

/// The state in which the game requests a map.
struct MapState {
  u16 arrangement = 0;  // 0..4095
  u8 weather = 0;       // 0..7, as k_weathers
  bool night = false;
  u16 crystals = 0;  // found in the Deep Dungeon, 0..4095
  bool operator==(const MapState&) const = default;
};

/// Reads `night,heavy-rain,arrangement=1`: words in any order, at most one for each property; empty is the default
/// state. Id: game.state.
Result<MapState> parse_state(std::string_view);
/// The inverse of `parse_state`: the differences from the default state, or `default`. With `snow`, rain is called
/// snow.
std::string to_string(const MapState&, bool snow = false);
/// Whether bad weather is snow, according to the commands of the file.
bool has_snow(const Gns&);

/// The state named by a row, whatever its comparison.
MapState named_state(const GnsRow&);

/// Whether a row matches a state, by its variable and comparison.
bool row_matches_state(const GnsRow&, const MapState&);
/// Whether a row is a default: its variable is 0x22 or 0x30 and its state 0. Such rows are loaded as defaults, never by
/// matching.
bool is_default(const GnsRow&);

/// The row for a file loaded only in one state: the variable and the word that the game compares.
GnsRow make_row_for_state(GnsRow file, const MapState&);
/// Inserts a row. Filler that repeated the last row of a file then repeats the new last row.
void insert_row(Gns&, size_t at, const GnsRow&);
/// Removes a row, in the same way.
void erase_row(Gns&, size_t at);

/// The rows whose files the game loads, in the order of application: primary, override and alternate mesh, texture,
/// pages.
std::vector<u32> find_loaded_rows(const Gns&, const MapState&);

/// The default state and every other state named by rows of files, without duplicates, sorted by arrangement, crystals,
/// time and weather. For a row that matches all states below or above its own, the nearest.
std::vector<MapState> list_row_states(const Gns&);

}  // namespace dio::fft
