// parts.hpp: functions of the game files for game.cpp, each other and the tests.
#pragma once
#include "formats/contract/game.hpp"
#include "formats/contract/reporter.hpp"
#include "formats/fft/game/maps.hpp"

namespace dio::fft {

const GameKind& game_kind();  // game.cpp

// pairing.cpp: whether the files named by rows exist with the given lengths: fft.file-count, fft.file-length,
// fft.sector-growth, fft.gns-table
std::span<const Rule> pairing_rules();
void check_pairing(const GameMap&, Reporter&);
/// Compares the table in BATTLE.BIN with the directory of the disc; does nothing for loose files.
void check_battle_bin_table(const FileTree&, std::span<const MapFiles>, Reporter&);

// checks.cpp: faults of several files of a map together. Findings name the file at fault and a path in it.
std::span<const Rule> map_rules();
void check_map(const GameMap&, Reporter&);

// describe.cpp
/// The changes in each state; for a given state, the source file of each part. Only for a map whose rows have files.
Value describe_map(const GameMap&, const MapState*);

// diff.cpp: a map in two games
std::vector<GameChange> diff_maps(const GameMap&, const GameMap&);

/// The offset in BATTLE.BIN of the LBAs of the GNS files, u32 each, by map number.
inline constexpr u64 k_table_offset = 0x8EC74;
inline constexpr u32 k_table_size = 126;

// follow.cpp: updates lists and the table in BATTLE.BIN after files of a disc were resized or moved
Result<std::vector<DependentFile>> follow(const ArchiveTree& image, std::span<const ChangedFile> changed);
/// Same, after a folder was packed into a disc. Lists whose rows cannot be matched with the files of the folder stay
/// unchanged, with a note.
Result<GameEdited> follow_packing(const FileTree& folder, const ArchiveTree& image);
/// Whether no other data stores the position of the file: true for map files.
bool finds_elsewhere(const FileTree& image, std::string_view path);

// edits.cpp: edits that need the positions of files on a disc
std::span<const GameEdit> game_edits();

/// The files from which the game was opened.
const FileTree& tree_of(const Game&);  // game.cpp

// world.cpp: one state of a map as a scene, or several in one scene, of which the first is visible
Result<SceneResult> build_state_scene(std::span<const MergedMap> states, const WorldOptions&);

}  // namespace dio::fft
