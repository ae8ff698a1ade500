// build_scene.hpp: files and parts of games as scenes, as convert, world and render show them.
#pragma once
#include "../files/folders.hpp"
#include "formats/contract/companions.hpp"
#include "formats/contract/scenes.hpp"
#include "games.hpp"

namespace dio::cli {

/// The scene of a file and the given companions. Without companions, a file of a game becomes the scene that the game
/// shows, and any other file a scene of its own. Notes go to the report. Nothing if the file cannot be shown, or if the
/// request has options that have no effect here; the report has the reason.
std::optional<SceneResult> build_input_scene(const Request&, const Input&, const OpenedFile&,
                                             const std::vector<Companion>&, Report&);

/// A part of a game: land/489, map/1; empty: its largest world. `--time` is a time of day.
std::optional<SceneResult> build_game_part_scene(const Request&, const std::string& game, const std::string& part,
                                                 Report&);
/// The same of a game that is open.
std::optional<SceneResult> build_game_part_scene(const Request&, const OpenedGameInput&, const std::string& part,
                                                 Report&);

}  // namespace dio::cli
