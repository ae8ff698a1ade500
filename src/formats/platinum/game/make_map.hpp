// make_map.hpp: a map of the game from a scene, with all files that belong to it. Rules: README.md, "From glTF".
#pragma once
#include "formats/contract/game.hpp"

namespace dio::platinum {

inline constexpr std::string_view k_make_map_usage =
    "scene=FILE.glb header=N|NAME [matrix=N|new] [at=X,Z] [area=N|new] [light=N] [middle=X,Z] [units-per-metre=N] "
    "[largest-texture=N] [quads=yes|no]";

/// Ids: edit.argument, edit.limit, those of make_land_rules, and those of the files.
Result<GameEdited> make_map(const Game&, const scene::Scene&, std::span<const Argument>);

}  // namespace dio::platinum
