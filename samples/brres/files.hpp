// files.hpp: the sample files before they are placed, for tests that damage them.
#pragma once
#include "samples/brres/sample_brres_builder.hpp"

namespace dio::brres {

/// A course as small as can be: a hill with a road, a sign, water, and the bones that place the small map.
SampleBrres hill();
/// A box that bends: two bones, and vertices that follow one or both; lines and points.
SampleBrres bending();
/// Water that flows past a wheel that turns: animations of textures.
SampleBrres river();
/// A lamp that swings and blinks: it changes its colour and its texture, and is shown and hidden.
SampleBrres signals();
/// A texture of each format, and palettes.
SampleBrres formats_of_textures();

}  // namespace dio::brres
