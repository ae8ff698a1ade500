// cmpr.hpp: encodes blocks of CMPR textures.
#pragma once
#include <array>

#include "scene/image.hpp"

namespace dio::wii {

/// Encodes 4 x 4 pixels in 8 bytes; pixels with an alpha below 128 become transparent. Endpoints are fitted to the
/// principal axis of the colours and refined by least squares; then each is moved by single steps while the squared
/// error of the decoded colours decreases. The same with every compiler.
void encode_cmpr_block(const std::array<scene::Rgba, 16>& pixels, u8* to);

}  // namespace dio::wii
