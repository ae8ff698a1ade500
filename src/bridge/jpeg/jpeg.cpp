#include "bridge/jpeg/jpeg.hpp"

#include <string>

// The only file that sees the library. Of all it reads, we want JPEG alone; without vector instructions its inverse
// cosine transform gives the same numbers everywhere.
#define STB_IMAGE_IMPLEMENTATION
#define STB_IMAGE_STATIC
#define STBI_ONLY_JPEG
#define STBI_NO_STDIO
#define STBI_NO_SIMD
#define STBI_NO_THREAD_LOCALS
#define STBI_NO_FAILURE_STRINGS
#define STBI_ASSERT(x) ((void)0)
#define STBIDEF [[maybe_unused]] static
#include <stb/stb_image.h>

namespace dio::jpeg {
namespace {

constexpr u64 k_most_bytes = u64(1) << 30;

Diagnostic problem(std::string_view id, std::string expected, std::string found) {
  Diagnostic d;
  d.id = id;
  d.expected = std::move(expected);
  d.found = std::move(found);
  return d;
}

}  // namespace

bool is_jpeg(ByteView file) { return file.size() >= 3 && file[0] == 0xFF && file[1] == 0xD8 && file[2] == 0xFF; }

Result<scene::Image> read_jpeg(ByteView file, u64 most_pixels) {
  int width = 0, height = 0, channels = 0;
  if (!is_jpeg(file) || file.size() > k_most_bytes ||
      !stbi_info_from_memory(file.data(), int(file.size()), &width, &height, &channels) || width <= 0 || height <= 0)
    return refuse(problem("jpeg.syntax", "a JPEG file", "something else, or one that is damaged"));
  if (u64(width) * u64(height) > most_pixels)
    return refuse(problem("jpeg.size", "at most " + std::to_string(most_pixels) + " pixels",
                          std::to_string(width) + " by " + std::to_string(height)));
  stbi_uc* pixels = stbi_load_from_memory(file.data(), int(file.size()), &width, &height, &channels, 4);
  if (!pixels) return refuse(problem("jpeg.syntax", "the pixels of a JPEG file", "damaged ones"));
  scene::Image image{.name = {}, .width = u32(width), .height = u32(height), .depth = 8, .palette = {}, .pixels = {}};
  image.pixels.assign(pixels, pixels + size_t(width) * size_t(height) * 4);
  stbi_image_free(pixels);
  return image;
}

}  // namespace dio::jpeg
