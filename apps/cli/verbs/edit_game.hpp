// edit_game.hpp: `dio edit GAME`: edits that take several files of a game.
#pragma once
#include "../input/inputs.hpp"
#include "operations/game_editing.hpp"

namespace dio::cli {

/// Edits a cartridge, a disc or a folder, and writes what has changed where the request says.
void edit_game(const Request&, std::span<const EditStep>, Referrers, Report&);
/// Adds to what is wrong with an edit where it stands in the script.
void add_script_line(const Request&, const EditStep&, Diagnostic&);
/// The edits of the game that a folder or an archive is; nothing if it is none.
std::string game_edits_text(const GameKind&, const Game&);

}  // namespace dio::cli
