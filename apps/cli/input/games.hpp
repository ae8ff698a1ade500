// games.hpp: games on the command line: an image of a cartridge or a disc, a folder, an archive.
#pragma once
#include <functional>

#include "formats/contract/game.hpp"
#include "open.hpp"

namespace dio::cli {

/// A game, and the files it reads when it needs them.
struct OpenedGameInput {
  std::string name;
  std::unique_ptr<FileTree> files;
  const GameKind* kind = nullptr;
  std::unique_ptr<Game> game;
  u64 cut = 0, members = 0;  // of an archive: how many reach beyond its end, of how many
};
/// Nothing if there is none; the report has the reason.
std::optional<OpenedGameInput> open_game(const Request&, const std::string& name, Report&);

/// The diagnostic of something in a game, told with the game's name before that of its file.
Diagnostic in_game(Diagnostic, const OpenedGameInput&);

/// What the options say of the state of a map, of light and of time; they are those of convert and world. Nothing if
/// that cannot be; the report says why.
std::optional<WorldOptions> parse_world_options(const Request&, Report&);

/// Whether a file is of the sort by which a game is known, and is no archive: such a file lists others, and is shown
/// and described with them.
bool is_game_index_file(const Input&, const Format&);

/// The game that a file belongs to, and which part of it the file is: the game in the archive it lies in; or, for those
/// that list others, and those beside such a file that have its name, in its folder. `at` is called if there is one.
void visit_input_game_part(const Input&, const Format&,
                           const std::function<void(const OpenedGame&, const GamePart&)>& at);
/// Another file of that game, by its path in it. Ids: file.missing, io.read, and those of the archive.
Result<Bytes> read_game_file(const Input&, const std::string& path);

}  // namespace dio::cli
