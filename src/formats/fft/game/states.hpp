// states.hpp: the states of a map, and which rows of its GNS file the game loads in each. Sources: README.md, "States".
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "core/result.hpp"
#include "formats/fft/layout/gns.hpp"

namespace dio::fft {

// Variables of event scripts that rows name, and types of rows: k_variables, k_resources.
inline constexpr u16 k_weather_variable = 0x22, k_arrangement_variable = 0x30, k_crystals_variable = 0x70;
inline constexpr u8 k_page_type = 0x13, k_texture_type = 0x17, k_primary_type = 0x2E, k_override_type = 0x2F,
                    k_alternate_type = 0x30;

/// What the game asks a map for.
struct MapState {
  u16 arrangement = 0;  // 0..4095
  u8 weather = 0;       // 0..7, as k_weathers
  bool night = false;
  u16 crystals = 0;  // found in the Deep Dungeon, 0..4095
  bool operator==(const MapState&) const = default;
};

/// Of `night,heavy-rain,arrangement=1`: words in any order, each matter at most once; empty is the default. Id:
/// game.state.
Result<MapState> parse_state(std::string_view);
/// What `parse_state` reads: what differs from the default, or `default`. In maps where it snows rain is called snow.
std::string to_string(const MapState&, bool snow = false);
/// Whether it snows in bad weather: as the commands of the file say.
bool has_snow(const Gns&);

/// The state that a row names, whatever its comparison.
MapState named_state(const GnsRow&);

/// Whether a row is loaded in a state because it asks for it: by the variable it names and its comparison.
bool asks_for(const GnsRow&, const MapState&);
/// Whether a row is about no state in particular: its variable is 0x22 or 0x30, its state 0. Such rows are loaded as
/// what they are a default of, and never because they match.
bool is_default(const GnsRow&);

/// The rows whose files the game loads, in the order in which it applies them: primary, override and alternate mesh,
/// texture, pages.
std::vector<u32> rows_of(const Gns&, const MapState&);

/// The default, and every other state that rows of files ask for; each once, sorted by arrangement, crystals, time and
/// weather. For rows that ask for all states below or above theirs, the nearest.
std::vector<MapState> all_states(const Gns&);

}  // namespace dio::fft
