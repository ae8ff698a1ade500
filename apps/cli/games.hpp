// games.hpp: games as they are named on the command line: a cartridge, a folder, an archive; and what verbs do with
// --maps.
#pragma once
#include "formats/game.hpp"
#include "work.hpp"

namespace dio::cli {

/// A game, and the files it reads when it needs them.
struct Played {
  std::string name;
  std::unique_ptr<FileTree> files;
  const GameKind* kind = nullptr;
  std::unique_ptr<Game> game;
};
/// Nothing if there is none; the report says why.
std::optional<Played> open_game(const Request&, const std::string& name, Report&);

// verbs/maps.cpp: what tree and diff do with --maps
Exit tree_of_game(const Request&);
Exit diff_of_games(const Request&);

}  // namespace dio::cli
