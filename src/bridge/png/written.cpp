#include "bridge/png/written.hpp"

#include <string_view>

namespace dio::png {
namespace {

u64 hash_image_data(const scene::Image& image) {
  const auto hash = [](const auto& bytes) {
    return std::hash<std::string_view>()({reinterpret_cast<const char*>(bytes.data()), bytes.size() * sizeof bytes[0]});
  };
  return hash(image.pixels) ^ hash(image.palette) * 3 ^ u64(image.width) << 32;
}

bool has_equal_pixels(const scene::Image& a, const scene::Image& b) {
  return a.width == b.width && a.height == b.height && a.depth == b.depth && a.palette == b.palette &&
         a.pixels == b.pixels;
}

}  // namespace

const Bytes* Written::find(const scene::Image& image) const {
  for (auto [i, end] = known_.equal_range(hash_image_data(image)); i != end; ++i)
    if (has_equal_pixels(i->second.image, image)) return &i->second.file;
  return nullptr;
}

void Written::keep(const scene::Image& image, const Bytes& file) {
  const size_t more = file.size() + image.pixels.size() + image.palette.size() * sizeof(scene::Rgba);
  if (size_ + more > k_most || find(image)) return;
  size_ += more;
  Known& known = known_.emplace(hash_image_data(image), Known{image, file})->second;
  known.image.name.clear();
}

}  // namespace dio::png
