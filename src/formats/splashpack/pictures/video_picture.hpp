// video_picture.hpp: the whole VRAM as a picture for people.
#pragma once
#include "formats/splashpack/pictures/texels.hpp"

namespace dio::splashpack {

/// Two pixels per word in both directions, with a legend below. Texels of islands are drawn with their depth and
/// palette, all other words as colours. Frame buffers, atlases, palettes and fonts have frames.
scene::Image render_video_memory(const Pack&, const VideoMemory&, std::span<const TexelRegion>);

}  // namespace dio::splashpack
