// village.hpp: a village at a lake: a small game that is pleasant to look at, for pictures and the viewer.
#pragma once
#include "samples/platinum/games.hpp"

namespace dio::platinum {

/// As `game_sample`, with the same numbers for headers, matrices and areas: 1 VILLAGE, 2 LAKE, 3 ROOM, and a forest of
/// no map. The sails of a mill turn, the lake moves, and the light changes with the time of day.
GameSample village_sample();

}  // namespace dio::platinum
