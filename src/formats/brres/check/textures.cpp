// textures.cpp: textures and their palettes.
#include <algorithm>
#include <bit>

#include "console/wii/texels.hpp"
#include "formats/brres/check/checks.hpp"
#include "formats/brres/pictures/pictures.hpp"

namespace dio::brres {

namespace {

using enum Severity;
constexpr Rule k_textures_rules[] = {
    {"brres.texture-format", error, "textures have a format that the console knows", "The GPU shows something else.",
     "Convert the texture.", "RiiStudio, gx/Texture.hpp"},
    {"brres.texture-size", error, "textures are 1 to 1024 texels wide and high", "The GPU has ten bits for each.",
     "Scale the texture.", "RiiStudio, gx/Texture.hpp"},
    {"brres.texture-wrap", warning, "textures that repeat have sizes that are powers of two",
     "The GPU repeats and mirrors only those, and has mipmaps only of them.",
     "Scale the texture, or let the material clamp it.", "47 real models; wiimms-szs-tools"},
    {"brres.texels", error, "a texture has texels for all its levels", "The GPU shows whatever is behind the texture.",
     "Export the texture again.", "RiiStudio, TextureIO.cpp"},
    {"brres.lod", warning, "no smaller mipmap is asked for than there is",
     "The GPU shows whatever is behind the texture, at a distance.", "Set max_lod to the number of mipmaps.",
     "213 real textures"},
    {"brres.palette", warning, "textures with indices have a palette, which has a known format",
     "Without a palette the colours are those of another texture.", "Add the palette.", "BrawlLib, TEX0.cs"},
};

void check_texture(Check& c, const Texture& t, const std::string& path) {
  const auto quoted = in_quotes(t.name);
  if (!wii::is_texel_format(t.format))
    return c.report("brres.texture-format", path + ".format",
                    {.message = text("format ", t.format, " of texture ", quoted, " is unknown")});
  constexpr u16 k_most = 1024;
  if (!t.width || !t.height || t.width > k_most || t.height > k_most)
    c.report("brres.texture-size", path + (!t.width || t.width > k_most ? ".width" : ".height"),
             {.message = text("texture ", quoted, " is ", t.width, " x ", t.height, "; must be 1 to 1024")});
  const auto format = wii::TexelFormat(t.format);
  const u32 levels = std::min(t.level_count, 16u);
  if (const u64 needed = wii::texture_size_bytes(format, t.width, t.height, levels); needed > t.texels.size())
    c.report("brres.texels", path + ".texels",
             {.message =
                  text("texture ", quoted, " needs ", format_count(needed, "byte"), "; there are ", t.texels.size())});
  if (t.max_lod > f32(t.level_count) - 1)
    c.report("brres.lod", path + ".max_lod",
             {.message = text("texture ", quoted, " asks for mipmap ", t.max_lod, "; there are ",
                              t.level_count ? t.level_count - 1 : 0)});
  if (wii::has_palette(format) && !find_palette(c.file, t))
    c.report("brres.palette", path + ".format", {.message = text("texture ", quoted, " has no palette in this file")});
  if (std::has_single_bit(t.width) && std::has_single_bit(t.height)) return;
  bool repeats = t.level_count > 1;
  for (const Model& m : c.file.models)
    for (const Material& material : m.materials)
      for (const Sampler& s : material.samplers)
        repeats |= s.texture == t.name &&
                   ((s.wrap_u && !std::has_single_bit(t.width)) || (s.wrap_v && !std::has_single_bit(t.height)));
  if (repeats)
    c.report("brres.texture-wrap", path + ".width",
             {.message = text("texture ", quoted, " is ", t.width, " x ", t.height, " and ",
                              t.level_count > 1 ? "has mipmaps" : "repeats")});
}

void check_textures(Check& c) {
  for (size_t i = 0; i < c.file.textures.size(); ++i) check_texture(c, c.file.textures[i], text("textures[", i, "]"));
  for (size_t i = 0; i < c.file.palettes.size(); ++i)
    if (c.file.palettes[i].format > 2)
      c.report("brres.palette", text("palettes[", i, "].format"),
               {.message = text("format ", c.file.palettes[i].format, " of a palette is unknown")});
}

}  // namespace

constinit const Topic k_texture_checks{k_textures_rules, check_textures};

}  // namespace dio::brres
