// visibility.hpp: the camera directions from which polygons would hide the tiles behind them.
#pragma once
#include <vector>

#include "formats/fft/layout/mesh.hpp"
#include "formats/fft/make/scene_faces.hpp"

namespace dio::fft {

/// For each face, the directions in which it is hidden (k_hidden): walls that stand between a camera of the game and a
/// tile that lies behind and below them, such as the front walls of a room without a roof. Floors are never hidden, and
/// no face is hidden from all directions. Cameras are those of the game: twelve directions around the map, at its lower
/// pitch, in parallel projection.
std::vector<u16> find_hiding_directions(const std::vector<Face>&, const std::vector<TileBinding>&, const Terrain&);

}  // namespace dio::fft
