// png.cpp: pictures of anyone. What is read can be written and read again; what is not gives a diagnostic.
#include "bridge/png/png.hpp"

#include <algorithm>

#include "bridge/png/deflate.hpp"
#include "core/checksums.hpp"
#include "fuzz/require.hpp"

using namespace dio;

static void put_u32(Bytes& to, u32 n) {
  for (int shift = 24; shift >= 0; shift -= 8) to.push_back(u8(n >> shift));
}

static void read(ByteView file) {
  const auto image = png::read_png(file);
  if (!image) {
    require(image.error().id.starts_with("png."), "a refusal is one of PNG's");
    return;
  }
  const auto again = png::read_png(png::write_png(*image));
  require(again && *again == *image, "what was written reads the same");
}

extern "C" int LLVMFuzzerTestOneInput(const u8* data, size_t size) {
  const ByteView input(data, size);
  read(input);
  // Any bytes as rows, behind good checksums: 13 bytes of header, a palette, the rows.
  if (size < 15) return 0;
  const size_t palette = std::min<size_t>(input[13] * 3u, size - 14);
  Bytes file{0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
  const auto put_chunk = [&](std::string_view type, ByteView content) {
    put_u32(file, u32(content.size()));
    const size_t start = file.size();
    file.insert(file.end(), type.begin(), type.end());
    file.insert(file.end(), content.begin(), content.end());
    put_u32(file, png::crc32(ByteView(file).subspan(start)));
  };
  Bytes header(input.begin(), input.begin() + 13);
  header[0] = header[1] = header[2] = header[4] = header[5] = header[6] = 0;  // at most 255 by 255
  const Bytes stream = png::deflate(input.subspan(14 + palette));
  put_chunk("IHDR", header);
  if (palette) put_chunk("PLTE", input.subspan(14, palette));
  put_chunk("IDAT", stream);
  put_chunk("IEND", {});
  read(file);
  const auto rows = png::inflate(stream, size - 14 - palette);
  require(rows && std::equal(rows->begin(), rows->end(), input.begin() + 14 + std::ptrdiff_t(palette)),
          "what was packed unpacks");
  png::inflate(input.subspan(1), input[0] * 16u);  // hardly ever a stream
  return 0;
}
