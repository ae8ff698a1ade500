// textures.cpp: textures, palettes, and what of them fits into video memory.
#include "formats/nitro/check/checks.hpp"

namespace dio::nitro {

namespace {

using enum Severity;
constexpr Rule k_texture_rule_table[] = {
    {"nitro.texture-format", error, "textures have one of the formats 1 to 7", "The hardware shows nothing.",
     "GBATEK; README, Textures"},
    {"nitro.vram", error, "textures take at most 512 KiB, palettes 96 KiB, and 4x4 blocks fit their two slots",
     "There is no more video memory for them: the game stops when it loads them.", "GBATEK; README, Textures"},
    {"nitro.palette-alignment", error, "palettes start on 16 bytes",
     "The hardware counts addresses in 16 bytes, of palettes of four colours in 8: other colours are shown.",
     "25,594 real palettes; README, Textures", Severities{hint}},
    {"nitro.palette-flag", hint, "the block says whether it has a palette of four colours",
     "The game decides by it where palettes may lie.", "4,396 real blocks"},
    {"nitro.palette-short", warning, "4x4 blocks take their colours from a palette of the file",
     "Colours behind the last palette are those of another file.", "README, Textures"},
    {"nitro.original-size", hint, "textures are as large as they say they were",
     "Texture coordinates are scaled by the ratio.", "2 of 35,339 real textures"},
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
    const std::string path = at("textures.textures", i);
    if (x.format == 0) r.report("nitro.texture-format", in(path, "format"), {.expected = "1 to 7", .found = "0"});
    const bool same = x.original_width == x.width() && x.original_height == x.height();
    if (!same || !x.same_size)
      r.report("nitro.original-size", in(path, "original_width"),
               {.expected = text(x.width(), " x ", x.height()),
                .found = text(x.original_width, " x ", x.original_height, ", same size: ", x.same_size)});
    for (size_t b = 0; b + 1 < x.blocks.size(); b += 2) {
      const u32 block = u32(x.blocks[b]) | u32(x.blocks[b + 1]) << 8, mode = block >> 14;
      const u32 end = (block & 0x3FFF) * 4 + (mode & 1 ? 4 : mode == 0 ? 6 : 8);
      if (end > most_index) most_index = end, most_of = i;
    }
  }
  if (most_index > u64(t.colors_size) * 8)
    r.report("nitro.palette-short", at("textures.textures", most_of),
             {.expected = text("at most ", u64(t.colors_size) * 8, ", all colours of the file"),
              .found = text("colours up to ", most_index, " bytes behind the palette's start")});

  bool four = false;
  for (size_t i = 0; i < t.palettes.size(); ++i) {
    const Palette& p = t.palettes[i];
    four |= p.four_colors & 1;
    if (p.offset % 2)
      r.report(p.four_colors & 1 ? hint : error, "nitro.palette-alignment", in(at("textures.palettes", i), "offset"),
               {.expected = "a multiple of 16", .found = text(u64(p.offset) * 8, " bytes from the first")});
    if (p.four_colors & 1 && u64(p.offset) * 8 >= 64 << 10)
      r.report("nitro.vram", in(at("textures.palettes", i), "offset"),
               {.expected = "palettes of four colours in the first 64 KiB",
                .found = text(u64(p.offset) * 8, " bytes from the first")});
  }
  if (bool(t.flag_32 & 0x8000) != four)
    r.report("nitro.palette-flag", "textures.flag_32",
             {.expected = four ? "0x8000" : "0x0000", .found = hex_number(t.flag_32, 4)});

  const u64 texels = u64(t.texels_size) * 8, blocks = u64(t.texels_4x4_size) * 8, colors = u64(t.colors_size) * 8;
  if (texels + blocks + blocks / 2 > 4 * k_slot)
    r.report(
        "nitro.vram", "textures.texels_size",
        {.expected = text("at most ", 4 * k_slot), .found = text(texels + blocks + blocks / 2, " bytes of textures")});
  else if (blocks > 2 * k_slot)
    r.report("nitro.vram", "textures.texels_4x4_size",
             {.expected = text("at most ", 2 * k_slot, ", for they lie in two of the four slots"),
              .found = text(blocks, " bytes of 4x4 texels")});
  if (colors > 96 << 10)
    r.report("nitro.vram", "textures.colors_size",
             {.expected = text("at most ", 96 << 10), .found = text(colors, " bytes of palettes")});
}

}  // namespace dio::nitro
