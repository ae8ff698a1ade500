// make_map.hpp: a scene in place of a map of the game: `dio edit game.bin make-map scene=castle.glb map=1`.
#pragma once
#include "formats/contract/game.hpp"

namespace dio::fft {

inline constexpr Parameter k_make_map_parameters[] = {required("scene", "FILE.glb", ParameterKind::file),
                                                      required("map", "N", ParameterKind::integer),
                                                      optional("units-per-metre", "N", ParameterKind::number),
                                                      optional("largest-texture", "N", ParameterKind::integer),
                                                      optional_one_of("cut-floors", {"yes", "no"}),
                                                      optional_one_of("hide-walls", {"yes", "no"})};

/// Replaces the files of a map. The mesh and the textures of the default state become those of the scene, in all
/// states; other mesh files of the map keep only their lights. Ids: edit.argument, those of make_rules, and those of
/// the files.
Result<GameEdited> make_map(const Game&, const scene::Scene&, std::span<const Argument>);

}  // namespace dio::fft
