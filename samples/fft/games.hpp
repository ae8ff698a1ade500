// games.hpp: a small disc made from nothing: for tests of whole games, and for the demo.
#pragma once
#include "containers/disc/iso9660.hpp"
#include "samples/fft/maps.hpp"

namespace dio::fft {

/// The files of the disc with their places: MAP000 has all in one mesh file, MAP001 is the valley with its states.
std::vector<DiscFile> game_files();

}  // namespace dio::fft
