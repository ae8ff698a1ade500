// textures.cpp: checks of textures, palettes and their size in video memory.
#include "formats/nitro/check/checks.hpp"

namespace dio::nitro {

namespace {

using enum Severity;
constexpr Rule k_texture_rule_table[] = {
    {"nitro.texture-format", error, "every texture has a format from 1 to 7",
     "The hardware shows nothing for a texture with format 0.", "Use a format from 1 to 7.",
     "GBATEK, DS 3D Texture Formats; src/formats/nitro/README.md#textures"},
    {"nitro.vram", error,
     "textures take at most 512 KiB of video memory, palettes take at most 96 KiB, and 4x4 textures fit in their two "
     "slots",
     "The game stops when it loads textures or palettes that do not fit in video memory.",
     "Use smaller textures or formats with fewer bits, or split the file.",
     "GBATEK, DS 3D Texture Formats; src/formats/nitro/README.md#textures"},
    {"nitro.palette-alignment", error, "palettes start at multiples of 16 bytes",
     "The hardware counts palette addresses in units of 16 bytes (8 for four-colour palettes). If a palette starts "
     "between two units, the hardware shows the wrong colours.",
     "Move the palette to a multiple of 16 bytes (8 for a four-colour palette).",
     "measured on 25,594 palettes; src/formats/nitro/README.md#textures", Severities{hint}},
    {"nitro.palette-flag", hint,
     "bit 0x8000 of flag_32 is set if the file has a four-colour palette, and clear otherwise",
     "The game uses bit 0x8000 of flag_32 to choose where to put the palettes.",
     "Set bit 0x8000 of flag_32 if the file has a four-colour palette; otherwise, clear the bit.",
     "measured on 4,396 texture blocks"},
    {"nitro.palette-short", warning, "4x4 textures use only colours inside the palettes of the file",
     "The hardware reads colours past the last palette from the palettes of other files.",
     "Add colours to the palette, or correct the colour indices of the 4x4 blocks.",
     "src/formats/nitro/README.md#textures"},
    {"nitro.original-size", hint, "the original size stored for a texture equals its actual size",
     "The game scales texture coordinates by the ratio of the original size to the actual size. If the original size "
     "is wrong, the texture has the wrong scale.",
     "Set the original size to the actual size of the texture.", "2 of 35,339 game textures break this rule"},
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
               {.message = "the texture format is 0; it must be 1 to 7"});
    const bool same = x.original_width == x.width() && x.original_height == x.height();
    if (!same || !x.same_size)
      r.report("nitro.original-size", field_path(path, "original_width"),
               {.message = same ? text("same_size is 0, but the original size equals the texture size, ", x.width(),
                                       " x ", x.height())
                                : text("the original size is ", x.original_width, " x ", x.original_height,
                                       " texels, but the texture is ", x.width(), " x ", x.height())});
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
                         " bytes after the start of their palette, but all palettes of the file together take only ",
                         format_count(u64(t.colors_size) * 8, "byte"))});

  bool four = false;
  for (size_t i = 0; i < t.palettes.size(); ++i) {
    const Palette& p = t.palettes[i];
    four |= p.four_colors & 1;
    if (p.offset % 2)
      r.report(p.four_colors & 1 ? hint : error, "nitro.palette-alignment",
               field_path(element_path("textures.palettes", i), "offset"),
               {.message = text("the palette starts at byte ", u64(p.offset) * 8,
                                " of the palette data; this offset must be a multiple of 16")});
    if (p.four_colors & 1 && u64(p.offset) * 8 >= 64 << 10)
      r.report("nitro.vram", field_path(element_path("textures.palettes", i), "offset"),
               {.message = text("the four-colour palette starts at byte ", u64(p.offset) * 8,
                                " of the palette data; it must start within the first 64 KiB")});
  }
  if (bool(t.flag_32 & 0x8000) != four)
    r.report("nitro.palette-flag", "textures.flag_32",
             {.message = text("flag_32 is ", format_hex(t.flag_32, 4),
                              four ? "; bit 0x8000 must be set, because a palette has four colours"
                                   : "; bit 0x8000 must be clear, because no palette has four colours")});

  const u64 texels = u64(t.texels_size) * 8, blocks = u64(t.texels_4x4_size) * 8, colors = u64(t.colors_size) * 8;
  if (texels + blocks + blocks / 2 > 4 * k_slot)
    r.report("nitro.vram", "textures.texels_size",
             {.message = text("the textures take ", texels + blocks + blocks / 2, " bytes of video memory (at most ",
                              4 * k_slot, ")")});
  else if (blocks > 2 * k_slot)
    r.report("nitro.vram", "textures.texels_4x4_size",
             {.message = text("the 4x4 textures take ", blocks,
                              " bytes of video memory, but their two slots hold only ", 2 * k_slot)});
  if (colors > 96 << 10)
    r.report("nitro.vram", "textures.colors_size",
             {.message = text("the palettes take ", colors, " bytes of video memory (at most ", 96 << 10, ")")});
}

}  // namespace dio::nitro
