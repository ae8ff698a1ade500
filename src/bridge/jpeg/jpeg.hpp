// jpeg.hpp: reads JPEG files (ITU-T T.81), for textures of glTF files.
#pragma once
#include "core/result.hpp"
#include "scene/image.hpp"

namespace dio::jpeg {

/// Four bytes per pixel, all opaque, the same on every platform. Reads sequential and progressive files with Huffman
/// coding and 8 bits per sample, in greyscale, YCbCr or RGB; subsampled colours are repeated. Ids: jpeg.syntax
/// (damaged, truncated or unsupported), jpeg.size (more than `most_pixels`).
Result<scene::Image> read_jpeg(ByteView, u64 most_pixels = u64(1) << 26);

/// Detects JPEG by its first bytes.
bool is_jpeg(ByteView);

}  // namespace dio::jpeg
