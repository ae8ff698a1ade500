// parts.hpp: declarations about whole games, shared by the files of this folder and the tests.
#pragma once
#include "formats/contract/game.hpp"
#include "formats/platinum/check/known_oddities.hpp"
#include "formats/platinum/game/tables.hpp"

namespace dio::platinum {

const GameKind& game_kind();                // game.cpp
std::span<const Rule> game_rules();         // check/checks.cpp
Diagnostics check_game(const GameTables&);  // check/checks.cpp: known findings included
/// The digest of the file or archive member of a finding, or of the record if the finding is about one, because a
/// program with other changes may have the same headers. Game::check identifies known findings by it.
std::string digest_at_location(const GameFiles&, const Location&);  // game.cpp
/// Game::count_unproven_values: see README.md, "HeartGold and SoulSilver".
Value count_unproven_values(const GameTables&);                                          // unproven.cpp
GameGraph build_game_graph(const GameTables&);                                           // graph.cpp
MapTable list_maps(const GameTables&);                                                   // graph.cpp
std::vector<GameChange> diff_games(const GameTables&, const GameTables&);                // diff.cpp
std::vector<NumberedList> find_numbered_lists(const GameFiles&, std::string_view kind);  // edits.cpp
std::span<const GameEdit> game_edits();                                                  // edits.cpp
// sources of a decompilation, and loose files; edits.cpp
Result<std::optional<BuiltPart>> build_part(const GameTables&, const GamePart&);
Result<GameEdited> change_built_part(const GameTables&, const GamePart&, Bytes);
/// Nothing for kinds that cannot be copied alone.
std::optional<Result<GameEdited>> duplicate_part(const GameTables&, const GamePart&);
/// Game::budget; nothing for parts that have no limits or cannot be read.
std::optional<Value> compute_budget(const GameTables&, const GamePart&);  // budget.cpp
std::span<const std::string_view> budget_kinds();                         // budget.cpp
/// The tables of an open game of this kind.
const GameTables& tables_of(const Game&);                                                              // game.cpp
Result<SceneResult> build_world_scene(const GameTables&, std::string_view part, const WorldOptions&);  // world.cpp

}  // namespace dio::platinum
