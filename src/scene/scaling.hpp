// scaling.hpp: pictures of another size.
#pragma once
#include "scene/image.hpp"

namespace dio::scene {

/// The picture in colours, with so many pixels: each the mean of what it covers, as light (not as display colours),
/// clear pixels counting nothing. For becoming smaller; where it becomes larger, pixels are repeated. Whole numbers, so
/// that every compiler agrees. No size may be 0, nor above 2^14.
Image scaled(const Image&, u32 width, u32 height);

}  // namespace dio::scene
