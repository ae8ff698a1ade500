// video_picture.hpp: the whole video memory as a picture for people.
#pragma once
#include "formats/splashpack/pictures/texels.hpp"

namespace dio::splashpack {

/// Two pixels a word in both directions, and a legend below. Texels that islands show are drawn with their depth and
/// their palette, all other words as colours. Frame buffers, atlases, palettes and fonts are framed.
scene::Image render_video_memory(const Pack&, const VideoMemory&, std::span<const TexelRegion>);

}  // namespace dio::splashpack
