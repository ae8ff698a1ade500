// jpeg.hpp: pictures out of JPEG files (ITU-T T.81), as models of other programs have them.
#pragma once
#include "core/result.hpp"
#include "scene/image.hpp"

namespace dio::jpeg {

/// Four bytes a pixel, all opaque, the same on every platform. Sequential and progressive files with Huffman codes and
/// 8 bits a sample, grey, YCbCr or RGB; colours of fewer samples than there are pixels are repeated. Ids: jpeg.syntax
/// (damaged, cut off, or of another kind), jpeg.size (more than so many pixels).
Result<scene::Image> read_jpeg(ByteView, u64 most_pixels = u64(1) << 26);

/// By its first bytes.
bool is_jpeg(ByteView);

}  // namespace dio::jpeg
