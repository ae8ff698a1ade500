// placement.hpp: gives the parts of a BRRES file new offsets.
#pragma once
#include "formats/brres/layout/file.hpp"

namespace dio::brres {

/// Adds the folders that the lists of models, textures, palettes and animations need, and gives the dictionaries of all
/// folders an entry for each part.
void add_missing_folders(Brres&);

/// Which materials share a shader in the new layout.
enum class SharedShaders : u8 {
  none,
  equal,   // those with equal shaders
  as_read  // those whose shaders had the same offset in the file that was read
};

/// Gives all parts sizes, offsets, dictionaries and names, in the order of the games' own tools: the root and its
/// folders, then models, textures, palettes and animations, then all names. Dictionary entries get the names of their
/// parts; programs and shaders have names in their dictionaries only. Links to textures and palettes are built from the
/// samplers. The parts that find_unplaceable_parts lists are lost.
void place_parts(Brres&, SharedShaders = SharedShaders::none);

/// The parts of a file that `place_parts` would lose, as a list for messages; empty if there are none.
std::string find_unplaceable_parts(const Brres&);

}  // namespace dio::brres
