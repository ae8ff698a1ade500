// video_picture.hpp: the whole video memory as a picture for people.
#pragma once
#include "formats/splashpack/texels.hpp"

namespace dio::splashpack {

/// Two pixels a word in both directions, and a legend below. Texels that triangles look at are drawn with the depth and
/// the palette of those triangles, all other words as colours. Frame buffers, atlases, palettes and fonts are framed.
scene::Image picture_of(const Pack&, const VideoMemory&, const Islands&);

}  // namespace dio::splashpack
