#include "console/psx/video_memory.hpp"

#include "console/psx/color.hpp"

namespace dio::psx {

u16 texel_at(const VideoMemory& memory, const TextureSource& source, u8 u, u8 v) {
  const TexturePage page = TexturePage::from_word(source.page);
  const u32 per_word = page.texels_per_word(), bits = 16 / per_word;
  const u16 word = memory.at(page.x + u / per_word, page.y + v);
  if (bits == 16) return word;
  const u32 index = word >> (u % per_word * bits) & ((1u << bits) - 1);
  return memory.at(source.clut_x * 16u + index, source.clut_y);
}

std::vector<u16> read_clut(const VideoMemory& memory, const TextureSource& source) {
  std::vector<u16> words;
  if (bits_of(source) == 16) return words;
  for (u32 i = 0; i < 1u << bits_of(source); ++i) words.push_back(memory.at(source.clut_x * 16u + i, source.clut_y));
  return words;
}

scene::Image decode_vram_picture(const VideoMemory& memory, const TextureSource& source, const Rect& texels) {
  const TexturePage page = TexturePage::from_word(source.page);
  const u32 bits = bits_of(source), per_word = page.texels_per_word();
  scene::Image image{{}, texels.width, texels.height, u8(bits == 4 ? 4 : 8), {}, {}};
  for (const u16 word : read_clut(memory, source)) image.palette.push_back(rgb555_to_rgba(word));
  image.pixels.reserve(size_t(texels.width) * texels.height * (bits == 16 ? 4 : 1));
  for (u32 v = texels.y; v < texels.y + texels.height; ++v)
    for (u32 u = texels.x; u < texels.x + texels.width; ++u) {
      const u16 word = memory.at(page.x + u / per_word, page.y + v);
      if (bits == 16) {
        const scene::Rgba c = rgb555_to_rgba(word);
        image.pixels.insert(image.pixels.end(), c.begin(), c.end());
      } else {
        image.pixels.push_back(u8(word >> (u % per_word * bits) & ((1u << bits) - 1)));
      }
    }
  return image;
}

}  // namespace dio::psx
