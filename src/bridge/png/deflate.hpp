// deflate.hpp: compresses and decompresses zlib streams.
#pragma once
#include <optional>

#include "core/bytes.hpp"

namespace dio::png {

/// A zlib stream (RFC 1950, RFC 1951) that inflates to the bytes: the same stream with every compiler.
Bytes deflate(ByteView);

/// The `size` bytes a zlib stream holds; nothing if it is damaged or holds more or fewer. Needs no memory but for them.
std::optional<Bytes> inflate(ByteView stream, size_t size);

}  // namespace dio::png
