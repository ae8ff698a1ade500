// header_table.hpp: finds the table of map headers in the program of the game.
#pragma once
#include <optional>
#include <string_view>

#include "core/bytes.hpp"

namespace dio::platinum {

inline constexpr u64 k_header_size = 24;  // in all five games

/// The structure of a header: MapHeader, MapHeaderDp, MapHeaderHgss.
enum class HeaderForm : u8 { platinum, diamond_pearl, heartgold_soulsilver };

/// Whether 24 bytes can be a header: numbers in the range of the game's tables, and music, which is numbered from 1000.
/// Archives may be larger than on the cartridge. All 593 Platinum headers pass; the other forms are not tested on data.
bool can_be_header(ByteView, HeaderForm = HeaderForm::platinum);

struct HeaderTable {
  u64 offset = 0;  // in the unpacked arm9
  u64 count = 0;   // number of headers
};

/// Finds the table in an unpacked arm9: at the known offset for the game code of the cartridge (such as CPUE; empty:
/// any) if headers are there, or else the longest run of possible headers. `count`: the number of headers (mapname.bin
/// has 16 bytes for each); 0: unknown. Nothing if there is no table. Sources: symbol and size in pret/pokeplatinum,
/// offsets of other languages and games in DSPRE.
std::optional<HeaderTable> find_header_table(ByteView arm9, std::string_view game_code = {}, u64 count = 0,
                                             HeaderForm = HeaderForm::platinum);

}  // namespace dio::platinum
