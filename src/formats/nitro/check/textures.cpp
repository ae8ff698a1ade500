// textures.cpp: textures and palettes, and whether they fit video memory.
#include "formats/nitro/check/checks.hpp"

namespace dio::nitro {

namespace {

using enum Severity;
constexpr Rule k_texture_rule_table[] = {
    {"nitro.texture-format", error, "textures have one of the formats 1 to 7",
     "With another format, the hardware shows nothing.", "Use a format from 1 to 7.", "GBATEK; README, Textures"},
    {"nitro.vram", error, "textures take at most 512 KiB, palettes 96 KiB, and 4x4 blocks fit their two slots",
     "Otherwise they do not fit into video memory, and the game stops when it loads them.",
     "Make textures smaller, use formats with fewer bits, or divide the file.", "GBATEK; README, Textures"},
    {"nitro.palette-alignment", error, "palettes start at multiples of 16 bytes",
     "The hardware counts addresses in units of 16 bytes (8 for palettes of four colours), so it shows other colours.",
     "Move the palette to a multiple of 16 bytes (8 for one of four colours).",
     "25,594 real palettes; README, Textures", Severities{hint}},
    {"nitro.palette-flag", hint, "the flag of the block is set if it has a palette of four colours, and only then",
     "The flag decides where the game puts the palettes.", "Set the bit as the message says.", "4,396 real blocks"},
    {"nitro.palette-short", warning, "the colours of 4x4 blocks are inside the palettes of the file",
     "After the last palette of the file, the hardware finds colours of other files.",
     "Add colours to the palette, or correct the blocks.", "README, Textures"},
    {"nitro.original-size", hint, "the original size stored for a texture is its real size",
     "Texture coordinates are scaled by the ratio of the two sizes, so the texture has the wrong scale.",
     "Set the original size to the size of the texture.", "2 of 35,339 real textures"},
};

constexpr u64 k_slot = 128 << 10;

}  // namespace

constinit const std::span<const Rule> k_texture_rules = k_texture_rule_table;

void check_textures(Reporter& r, const Textures& t) {
  check_dictionary(r, "textures.texture_dictionary", t.texture_dictionary, "textures.textures", t.textures, true);
  check_dictionary(r, "textures.palette_dictionary", t.palette_dictionary, "textures.palettes", t.palettes, true);
  u32 most_index = 0;
  size_t most_of = 0;
  for (size_t i = 0; i < t.textures.size(); ++i) {
    const Texture& x = t.textures[i];
    const std::string path = element_path("textures.textures", i);
    if (x.format == 0)
      r.report("nitro.texture-format", field_path(path, "format"),
               {.message = "the texture format is 0; must be 1 to 7"});
    const bool same = x.original_width == x.width() && x.original_height == x.height();
    if (!same || !x.same_size)
      r.report("nitro.original-size", field_path(path, "original_width"),
               {.message = same ? text("same_size is 0 although the original size is the texture's ", x.width(), " x ",
                                       x.height())
                                : text("the original size is ", x.original_width, " x ", x.original_height,
                                       " texels; the texture is ", x.width(), " x ", x.height())});
    for (size_t b = 0; b + 1 < x.blocks.size(); b += 2) {
      const u32 block = u32(x.blocks[b]) | u32(x.blocks[b + 1]) << 8, mode = block >> 14;
      const u32 end = (block & 0x3FFF) * 4 + (mode & 1 ? 4 : mode == 0 ? 6 : 8);
      if (end > most_index) most_index = end, most_of = i;
    }
  }
  if (most_index > u64(t.colors_size) * 8)
    r.report(
        "nitro.palette-short", element_path("textures.textures", most_of),
        {.message = text("4x4 blocks use colours up to ", most_index,
                         " bytes after the start of their palette, but all palettes of the file together have only ",
                         format_count(u64(t.colors_size) * 8, "byte"))});

  bool four = false;
  for (size_t i = 0; i < t.palettes.size(); ++i) {
    const Palette& p = t.palettes[i];
    four |= p.four_colors & 1;
    if (p.offset % 2)
      r.report(p.four_colors & 1 ? hint : error, "nitro.palette-alignment",
               field_path(element_path("textures.palettes", i), "offset"),
               {.message = text("the palette starts ", u64(p.offset) * 8,
                                " bytes after the first one; must be a multiple of 16")});
    if (p.four_colors & 1 && u64(p.offset) * 8 >= 64 << 10)
      r.report("nitro.vram", field_path(element_path("textures.palettes", i), "offset"),
               {.message = text("the palette of four colours is ", u64(p.offset) * 8,
                                " bytes after the first one; must be within 64 KiB")});
  }
  if (bool(t.flag_32 & 0x8000) != four)
    r.report("nitro.palette-flag", "textures.flag_32",
             {.message = text("flag_32 is ", format_hex(t.flag_32, 4),
                              four ? "; bit 0x8000 must be set, because there is a palette of four colours"
                                   : "; bit 0x8000 must not be set, because there is no palette of four colours")});

  const u64 texels = u64(t.texels_size) * 8, blocks = u64(t.texels_4x4_size) * 8, colors = u64(t.colors_size) * 8;
  if (texels + blocks + blocks / 2 > 4 * k_slot)
    r.report("nitro.vram", "textures.texels_size",
             {.message = text("the textures take ", texels + blocks + blocks / 2, " bytes of video memory (at most ",
                              4 * k_slot, ")")});
  else if (blocks > 2 * k_slot)
    r.report("nitro.vram", "textures.texels_4x4_size",
             {.message = text("the 4x4 texels take ", blocks, " bytes; the two slots they can use have ", 2 * k_slot)});
  if (colors > 96 << 10)
    r.report("nitro.vram", "textures.colors_size",
             {.message = text("the palettes take ", colors, " bytes of video memory (at most ", 96 << 10, ")")});
}

}  // namespace dio::nitro
