// texture_builder.hpp: textures from the pictures of a scene.
#pragma once
#include <optional>

#include "console/wii/texels.hpp"
#include "formats/brres/layout/textures.hpp"

namespace dio::brres {

struct TextureOptions {
  std::optional<wii::TexelFormat> format;  // empty: CMPR, or 16 bits where the picture needs them
  u32 largest = 1024;                      // width and height
  bool mipmaps = true;
  std::optional<u32> most_mipmaps = {};  // at most as many smaller versions
};

struct BuiltTexture {
  Texture texture;
  bool is_resized = false;  // the console needs powers of two
  f64 squared_error = 0;    // of red, green and blue of all visible pixels
  u64 visible_pixels = 0;
};
/// Whether a format has the colours and the transparency of a picture, apart from rounding.
bool can_store(wii::TexelFormat, const scene::Image&);
BuiltTexture build_texture(std::string name, const scene::Image&, const TextureOptions&);

}  // namespace dio::brres
