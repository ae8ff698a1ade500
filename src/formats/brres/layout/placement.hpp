// placement.hpp: lays a BRRES file out anew.
#pragma once
#include "formats/brres/layout/file.hpp"

namespace dio::brres {

/// Adds the folders of models, textures, palettes and animations, with the names of these.
void name_folders(Brres&);

/// Gives all parts sizes, offsets, dictionaries and names, in the order of the games' own tools: the root and its
/// folders, then models, textures, palettes, animations and other files, then all names. Names of parts become those of
/// their dictionary entries; programs, links and other files keep the names of theirs. Offsets of bones to each other,
/// and texture links, are filled in; the parts that find_unplaceable_parts lists are lost. `shares_shaders`: materials
/// with equal shaders share one.
void place_parts(Brres&, bool shares_shaders = false);

/// The parts of a file that `place_parts` would lose, as a list for messages; empty if there are none.
std::string find_unplaceable_parts(const Brres&);

}  // namespace dio::brres
