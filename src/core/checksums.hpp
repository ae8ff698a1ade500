// checksums.hpp: the two sums of a PNG file, of its chunks and of the compressed stream in them.
#pragma once
#include "core/bytes.hpp"

namespace dio::png {

/// CRC-32 as PNG has it (polynomial 0xedb88320, bits reversed).
u32 crc32(ByteView);
/// Adler-32 (RFC 1950).
u32 adler32(ByteView);

}  // namespace dio::png
