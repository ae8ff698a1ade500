// world.hpp: the maps of a game as a scene: what parts.hpp of games and the tests need of it.
#pragma once
#include "formats/platinum/game/parts.hpp"

namespace dio::platinum {

/// What may not be as in the game: rules of the notes of `world_of`.
std::span<const Rule> world_rules();
/// The overlays that WorldOptions::show may name.
std::span<const std::string_view> overlay_names();

}  // namespace dio::platinum
