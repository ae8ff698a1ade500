// parts.hpp: what the files about whole games provide to game.cpp, to each other and to the tests.
#pragma once
#include "formats/contract/game.hpp"
#include "formats/contract/reporter.hpp"
#include "formats/fft/game/maps.hpp"

namespace dio::fft {

const GameKind& game_kind();  // game.cpp

// pairing.cpp: whether the files are there that rows mean, with the lengths they say: fft.file-count,
// fft.file-length, fft.sector-growth, fft.gns-table
std::span<const Rule> pairing_rules();
void check_pairing(const GameMap&, Reporter&);
/// The table of BATTLE.BIN against the directory of the disc; nothing elsewhere.
void check_table(const FileTree&, std::span<const MapFiles>, Reporter&);

// checks.cpp: what several files of a map make wrong together. Findings name the file at fault and a path in it.
std::span<const Rule> map_rules();
void check_map(const GameMap&, Reporter&);

// describe.cpp
/// What each state changes; with a state, who gives which part in it. Of a map whose files are paired.
Value describe_map(const GameMap&, const MapState*);

// diff.cpp: of a map in two games
std::vector<GameChange> diff_maps(const GameMap&, const GameMap&);

// follow.cpp
Result<std::vector<FollowingFile>> follow(const ArchiveTree& image, std::span<const std::string> changed);

// world.cpp (of the scene): one state of a map, or with several of them all in one scene, the default first
Result<Staged> stage(std::span<const MergedMap> states, const WorldOptions&);

}  // namespace dio::fft
