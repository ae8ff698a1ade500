// edited_game.hpp: games that tests edit, and what is found in them.
#pragma once
#include <gtest/gtest.h>

#include "formats/platinum/game/tables.hpp"
#include "operations/game_editing.hpp"

namespace dio::platinum {

inline GameTables tables_in(const FileTree& files) {
  auto tables = GameTables::load(files);
  EXPECT_TRUE(tables);
  return std::move(*tables);
}
/// All findings across files, also those known in retail games; a line each.
inline std::string findings_in(const FileTree& files) {
  const auto game = open_game(files);
  EXPECT_TRUE(game);
  std::string out;
  for (const Diagnostic& d : game->game->check(true)) out += format_one_line(d) + "\n";
  return out;
}
/// make-map with these arguments, and a scene.
inline EditStep step_of(std::vector<Argument> arguments) {
  arguments.insert(arguments.begin(), {"scene", "town.glb"});
  return {"make-map", {}, std::move(arguments)};
}
inline GameEditing editing_of(const FileTree& files) {
  auto editing = GameEditing::begin(files);
  EXPECT_TRUE(editing);
  return std::move(*editing);
}

}  // namespace dio::platinum
