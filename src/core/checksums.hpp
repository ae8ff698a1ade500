// checksums.hpp: the two checksums of PNG: of chunks and of compressed data.
#pragma once
#include "core/bytes.hpp"

namespace dio::png {

/// CRC-32 as used in PNG (polynomial 0xedb88320, bits reversed).
u32 crc32(ByteView);
/// Adler-32 (RFC 1950).
u32 adler32(ByteView);

}  // namespace dio::png
