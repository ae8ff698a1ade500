// make_map.hpp: builds a map from a scene and writes all its files to the game. Rules: README.md, "From glTF".
#pragma once
#include "formats/contract/game.hpp"

namespace dio::platinum {

inline constexpr Parameter k_make_map_parameters[] = {
    required("scene", "FILE.glb", ParameterKind::file),       required("header", "N|NAME", ParameterKind::text),
    optional("matrix", "N|new", ParameterKind::text),         optional("at", "X,Z", ParameterKind::vector),
    optional("area", "N|new", ParameterKind::text),           optional("light", "N", ParameterKind::integer),
    optional("middle", "X,Z", ParameterKind::vector),         optional("units-per-metre", "N", ParameterKind::number),
    optional("largest-texture", "N", ParameterKind::integer), optional_one_of("quads", {"yes", "no"})};

/// Error ids: edit.argument, edit.limit, those of make_land_rules, and those of the files.
Result<GameEdited> make_map(const Game&, const scene::Scene&, std::span<const Argument>);

}  // namespace dio::platinum
