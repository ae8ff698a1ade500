// scaling.hpp: resizes pictures.
#pragma once
#include "scene/image.hpp"

namespace dio::scene {

/// The picture without a palette in a new size: each pixel is the mean, in linear light, of the pixels that it covers;
/// transparent ones are ignored. Meant for smaller sizes; larger sizes repeat pixels. In integers, so that all
/// compilers agree. Sizes are 1 to 2^14.
Image resize_image(const Image&, u32 width, u32 height);

}  // namespace dio::scene
