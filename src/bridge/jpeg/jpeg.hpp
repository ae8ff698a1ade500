// jpeg.hpp: pictures out of JPEG files, as models of other programs have them.
#pragma once
#include "layout/result.hpp"
#include "scene/image.hpp"

namespace dio::jpeg {

/// Four bytes a pixel. Baseline and progressive files of grey, YCbCr, RGB and CMYK; the same pixels on every platform.
/// Ids: jpeg.syntax (damaged or of another kind), jpeg.size (more than so many pixels).
Result<scene::Image> read_jpeg(ByteView, u64 most_pixels = u64(1) << 26);

/// By its first bytes.
bool is_jpeg(ByteView);

}  // namespace dio::jpeg
