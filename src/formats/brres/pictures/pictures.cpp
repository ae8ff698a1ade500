#include "formats/brres/pictures/pictures.hpp"

#include <algorithm>

#include "console/wii/texels.hpp"

namespace dio::brres {

std::optional<scene::Image> picture_of(const Texture& t, const Palette* palette) {
  if (!wii::is_texel_format(t.format) || !t.width || !t.height) return {};
  const auto format = wii::TexelFormat(t.format);
  if (wii::texel_bytes(format, t.width, t.height) > t.texels.size()) return {};
  std::vector<scene::Rgba> colors;
  if (palette && palette->format < 3)
    for (const u16 c : palette->colors) colors.push_back(wii::color_of(wii::ColorFormat(palette->format), c));
  scene::Image image = wii::decode(format, t.width, t.height, t.texels, colors);
  image.name = t.name;
  return image;
}

std::optional<scene::Image> picture_of(const Brres& file, std::string_view texture, std::string_view palette) {
  const auto t = std::ranges::find(file.textures, texture, &Texture::name);
  if (t == file.textures.end()) return {};
  const auto p = std::ranges::find(file.palettes, palette.empty() ? texture : palette, &Palette::name);
  return picture_of(*t, p == file.palettes.end() ? nullptr : &*p);
}

}  // namespace dio::brres
