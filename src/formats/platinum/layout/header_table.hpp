// header_table.hpp: where the table of map headers lies in the program of the game.
#pragma once
#include <optional>
#include <string_view>

#include "core/bytes.hpp"

namespace dio::platinum {

inline constexpr u64 k_header_size = 24;  // in all five games

/// Which structure a header is: MapHeader, MapHeaderDp, MapHeaderHgss.
enum class HeaderForm : u8 { platinum, diamond_pearl, heartgold_soulsilver };

/// Whether 24 bytes can be a header: numbers in the range the game has tables for, and music, which is numbered from
/// 1000 on. Archives may be larger than the cartridge's. Of Platinum, all 593 real headers can; the other forms are not
/// proven on data.
bool can_be_header(ByteView, HeaderForm = HeaderForm::platinum);

struct HeaderTable {
  u64 offset = 0;  // in the unpacked arm9
  u64 count = 0;   // of headers
};

/// The table in an unpacked arm9: at the offset that is known for the game code (the cartridge's, such as CPUE; empty:
/// any), if headers lie there, else the longest run of what can be headers. `count`: how many there must be
/// (mapname.bin has 16 bytes for each); 0: as many as there are. Nothing if there are none. Sources: symbol and size in
/// pret/pokeplatinum, offsets of other languages and games in DSPRE.
std::optional<HeaderTable> find_header_table(ByteView arm9, std::string_view game_code = {}, u64 count = 0,
                                             HeaderForm = HeaderForm::platinum);

}  // namespace dio::platinum
