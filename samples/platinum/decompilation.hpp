// decompilation.hpp: the small game as the tree of a decompilation: sources in JSON and C, as people there write them.
#pragma once
#include "samples/platinum/games.hpp"

namespace dio::platinum {

/// Its files. The names of numbers are made up: OBJ_EVENT_GFX_5, MAP_HEADER_TOWN. What the sources do not have is where
/// the decompilation has it as a binary.
MemoryTree decompilation_of(const GameSample&);
/// It as an archive.
std::vector<Sample> decompilation_samples();

}  // namespace dio::platinum
