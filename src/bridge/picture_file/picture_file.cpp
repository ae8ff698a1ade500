#include "bridge/picture_file/picture_file.hpp"

#include <algorithm>
#include <array>

#include "bridge/jpeg/jpeg.hpp"
#include "bridge/png/png.hpp"

namespace dio {

namespace {

bool is_png(ByteView bytes) {
  constexpr std::array<u8, 4> k_png{0x89, 'P', 'N', 'G'};
  return bytes.size() >= k_png.size() && std::equal(k_png.begin(), k_png.end(), bytes.begin());
}

}  // namespace

bool is_picture_file(ByteView bytes) { return is_png(bytes) || jpeg::is_jpeg(bytes); }

Result<scene::Image> read_picture_file(ByteView bytes, u64 most_pixels) {
  return is_png(bytes) ? png::read_png(bytes) : jpeg::read_jpeg(bytes, std::min(most_pixels, u64(1) << 26));
}

}  // namespace dio
