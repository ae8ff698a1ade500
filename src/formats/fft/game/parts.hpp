// parts.hpp: what the files about whole games provide to game.cpp, to each other and to the tests.
#pragma once
#include "formats/contract/game.hpp"
#include "formats/contract/reporter.hpp"
#include "formats/fft/game/maps.hpp"

namespace dio::fft {

const GameKind& game_kind();  // game.cpp

// pairing.cpp: whether the files that rows name exist and have the lengths the rows give: fft.file-count,
// fft.file-length, fft.sector-growth, fft.gns-table
std::span<const Rule> pairing_rules();
void check_pairing(const GameMap&, Reporter&);
/// Compares the table in BATTLE.BIN with the directory of the disc; does nothing for loose files.
void check_battle_bin_table(const FileTree&, std::span<const MapFiles>, Reporter&);

// checks.cpp: faults of several files of a map together. Findings name the file at fault and a path in it.
std::span<const Rule> map_rules();
void check_map(const GameMap&, Reporter&);

// describe.cpp
/// What each state changes; given a state, the file each part comes from in it. Only for a map whose rows have files.
Value describe_map(const GameMap&, const MapState*);

// diff.cpp: a map in two games
std::vector<GameChange> diff_maps(const GameMap&, const GameMap&);

/// Where the LBAs of the GNS files are in BATTLE.BIN, u32 each, by the number of the map.
inline constexpr u64 k_table_offset = 0x8EC74;
inline constexpr u32 k_table_size = 126;

// follow.cpp: lists and the table in BATTLE.BIN after files of a disc got other sizes or places
Result<std::vector<DependentFile>> follow(const ArchiveTree& image, std::span<const ChangedFile> changed);
/// The same where a folder has become a disc. Lists whose rows cannot be paired with the files of the folder stay, with
/// a note.
Result<GameEdited> follow_packing(const FileTree& folder, const ArchiveTree& image);
/// Whether that is all that says where a file is: those of maps.
bool finds_elsewhere(const FileTree& image, std::string_view path);

// edits.cpp: edits that need the places of files on a disc
std::span<const GameEdit> game_edits();

/// The files that a game of this kind was opened from.
const FileTree& tree_of(const Game&);  // game.cpp

// world.cpp: one state of a map as a scene, or several in one scene, the first of them visible
Result<SceneResult> build_state_scene(std::span<const MergedMap> states, const WorldOptions&);

}  // namespace dio::fft
