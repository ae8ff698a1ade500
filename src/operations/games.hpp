// games.hpp: what the command line and the C interface say about an open game, as JSON, and the options of its worlds.
#pragma once
#include "core/value.hpp"
#include "formats/contract/game.hpp"

namespace dio {

/// {"schema": "diorama.maps/1", "game", "files", "columns", "maps"}: Game::info is `files`.
Value maps_json(const GameKind&, const Game&);
/// {"schema": "diorama.parts/1", "game", "parts": [{"id", "kind", "number", "name"?, "path"?, "element"?}]}
Value parts_json(const GameKind&, const Game&);
/// {"schema": "diorama.part/1", "game", ...} with what Game::describe returned.
Value part_json(const GameKind&, Value described);
/// {"schema": "diorama.budget/1", "game", ...} with what Game::budget returned.
Value budget_json(const GameKind&, Value budget);
/// The parts by which a game is summed up, and those that can be read of them: Game::budget.
std::vector<Value> collect_budgets(const Game&);
/// {"schema": "diorama.budgets/1", "game", "parts": [{"part", "name"?, "budgets"}]}
Value budgets_json(const GameKind&, const std::vector<Value>& budgets);

std::string_view to_string(GameChange::Kind);
/// {"schema": "diorama.map-diff/1", "changes": [{"kind", "part", "name"?, "what"?, "old"?, "new"?, "count"?, "maps"}]}
Value changes_json(const std::vector<GameChange>&);

/// Sets an option of a world by its name on the command line, from what was typed: time 20:30, show tiles,events.
/// Returns what is wrong, to be read after the name: `must be hours and minutes ...`.
std::optional<std::string> set_world_option(WorldOptions&, const GameKind&, const Game&, std::string_view name,
                                            std::string_view typed);

}  // namespace dio
