#include <limits>

#include "bridge/png/deflate.hpp"
#include "core/checksums.hpp"

// Only the inflate of stb_image is used: unused static functions are not linked.
#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#endif
#define STB_IMAGE_IMPLEMENTATION
#define STB_IMAGE_STATIC
#define STBI_ONLY_PNG
#define STBI_NO_STDIO
#define STBI_NO_LINEAR
#define STBI_NO_HDR
#define STBI_NO_FAILURE_STRINGS
#define STBI_NO_THREAD_LOCALS
#define STBI_NO_SIMD
#define STBI_ASSERT(x)
#include <stb/stb_image.h>
#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif

namespace dio::png {

std::optional<Bytes> inflate(ByteView stream, size_t size) {
  constexpr size_t most = std::numeric_limits<int>::max();
  if (stream.size() < 6 || stream.size() > most || size > most) return std::nullopt;
  Bytes bytes(size);
  const auto from = reinterpret_cast<const char*>(stream.data());
  if (stbi_zlib_decode_buffer(reinterpret_cast<char*>(bytes.data()), int(size), from, int(stream.size())) != int(size))
    return std::nullopt;
  const u8* sum = stream.data() + stream.size() - 4;
  if (adler32(bytes) != (u32(sum[0]) << 24 | u32(sum[1]) << 16 | u32(sum[2]) << 8 | sum[3])) return std::nullopt;
  return bytes;
}

}  // namespace dio::png
