// build_scene.hpp: files and parts of games as scenes, as convert, world and render show them.
#pragma once
#include "../files/folders.hpp"
#include "formats/contract/companions.hpp"
#include "formats/contract/scenes.hpp"
#include "games.hpp"

namespace dio::cli {

/// A file as a scene: with those companions; without any as its game shows it, if it lies in one; else alone. Notes go
/// to the report. Nothing if it cannot be shown, or if the request has options that nothing reads here; the report
/// says why.
std::optional<SceneResult> build_input_scene(const Request&, const Input&, const OpenedFile&,
                                             const std::vector<Companion>&, Report&);

/// A part of a game: land/489, map/1; empty: its largest world. `--time` is a time of day.
std::optional<SceneResult> build_game_part_scene(const Request&, const std::string& game, const std::string& part,
                                                 Report&);
/// The same of a game that is open.
std::optional<SceneResult> build_game_part_scene(const Request&, const OpenedGameInput&, const std::string& part,
                                                 Report&);

}  // namespace dio::cli
