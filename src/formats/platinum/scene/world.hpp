// world.hpp: the maps of a game as a scene: the rules and overlays, for the game and the tests.
#pragma once
#include "formats/platinum/game/parts.hpp"

namespace dio::platinum {

/// The rules of the notes of `build_world_scene`: what may differ from the game.
std::span<const Rule> world_rules();
/// The overlays that WorldOptions::show may name.
std::span<const std::string_view> overlay_names();

}  // namespace dio::platinum
