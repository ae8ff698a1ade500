// replace_prop.hpp: replaces the files of a prop: model, textures, animations and draw list.
#pragma once
#include "formats/contract/game.hpp"

namespace dio::platinum {

inline constexpr Parameter k_replace_prop_parameters[] = {required("prop", "N", ParameterKind::integer),
                                                          required("model", "FILE.nsbmd", ParameterKind::file),
                                                          optional("textures", "FILE.nsbtx", ParameterKind::file),
                                                          optional("animation", "FILE", ParameterKind::file).repeated(),
                                                          optional_one_of("animations", {"keep", "none"}),
                                                          optional_one_of("start", {"always", "on-demand"}),
                                                          optional_one_of("place", {"outdoors", "indoors"})};

/// Error ids: edit.argument, edit.limit, and those of the files.
Result<GameEdited> replace_prop(const Game&, std::span<const Argument>);

}  // namespace dio::platinum
