// deflate.hpp: compresses and decompresses zlib streams.
#pragma once
#include <optional>

#include "core/bytes.hpp"

namespace dio::png {

/// A zlib stream (RFC 1950, RFC 1951) that inflates to the bytes. The stream is the same on every platform.
Bytes deflate(ByteView);

/// The `size` bytes of a zlib stream; nothing if it is damaged or holds more or fewer bytes. Uses no other memory.
std::optional<Bytes> inflate(ByteView stream, size_t size);

}  // namespace dio::png
