// world.hpp: rules and overlays of world scenes.
#pragma once
#include "formats/platinum/game/parts.hpp"

namespace dio::platinum {

/// The rules of the notes of `build_world_scene` about differences from the game.
std::span<const Rule> world_rules();
/// The overlays that WorldOptions::show may name.
std::span<const std::string_view> overlay_names();

}  // namespace dio::platinum
