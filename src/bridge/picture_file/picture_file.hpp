// picture_file.hpp: reads picture files of the types that scenes use.
#pragma once
#include "core/result.hpp"
#include "scene/scene.hpp"

namespace dio {

/// Whether a file is a PNG or a JPEG picture, by its first bytes.
bool is_picture_file(ByteView);

/// Reads a PNG or JPEG picture. `most_pixels` limits JPEG pictures, which can be far larger than their files.
Result<scene::Image> read_picture_file(ByteView, u64 most_pixels = u64(1) << 26);

}  // namespace dio
