// textures.cpp: checks of textures and their palettes.
#include <algorithm>
#include <bit>

#include "console/wii/texels.hpp"
#include "formats/brres/check/checks.hpp"
#include "formats/brres/pictures/pictures.hpp"

namespace dio::brres {

namespace {

using enum Severity;
constexpr Rule k_textures_rules[] = {
    {"brres.texture-format", error, "a texture has a format that the console supports",
     "If the format of a texture is unknown, the GPU shows a wrong picture.",
     "Convert the texture to a supported format.", "RiiStudio, gx/Texture.hpp"},
    {"brres.texture-size", error, "a texture is 1 to 1,024 texels wide and high",
     "The GPU stores the width and height of a texture in ten bits each.", "Resize the texture.",
     "RiiStudio, gx/Texture.hpp"},
    {"brres.texture-wrap", hint, "the width and height of a texture that repeats or has mipmaps are powers of two",
     "The GPU can repeat, mirror or mipmap only textures whose width and height are powers of two.",
     "Resize the texture, or set the material to clamp the texture and remove the mipmaps.",
     "measured on 47 models; Wiimm's szs-tools"},
    {"brres.texels", error, "a texture contains the texels of all its mipmap levels",
     "If texels are missing, the GPU shows whatever follows the texture in memory.", "Export the texture again.",
     "RiiStudio, TextureIO.cpp"},
    {"brres.lod", warning, "max_lod is at most the number of mipmaps",
     "If max_lod is too large, distant surfaces show whatever follows the texture in memory.",
     "Set `max_lod` to the number of mipmaps.", "measured on 213 textures"},
    {"brres.palette", warning, "a texture with palette indices has a palette, and every palette has a known format",
     "If the palette of a texture is missing, the texture is drawn with the colours of another texture.",
     "Add the palette, or correct its format.", "BrawlLib, TEX0.cs"},
};

void check_texture(Check& c, const Texture& t, const std::string& path) {
  const auto quoted = in_quotes(t.name);
  if (!wii::is_texel_format(t.format))
    return c.report("brres.texture-format", path + ".format",
                    {.message = text("texture ", quoted, " has the unknown format ", t.format)});
  constexpr u16 k_most = 1024;
  if (!t.width || !t.height || t.width > k_most || t.height > k_most)
    c.report("brres.texture-size", path + (!t.width || t.width > k_most ? ".width" : ".height"),
             {.message = text("texture ", quoted, " is ", t.width, " x ", t.height,
                              " texels large; width and height must be 1 to 1,024")});
  const auto format = wii::TexelFormat(t.format);
  const u32 levels = std::min(t.level_count, 16u);
  if (const u64 needed = wii::texture_size_bytes(format, t.width, t.height, levels); needed > t.texels.size())
    c.report("brres.texels", path + ".texels",
             {.message = text("texture ", quoted, " needs ", format_count(needed, "byte"), " of texels, but has ",
                              t.texels.size())});
  if (t.max_lod > f32(t.level_count) - 1)
    c.report("brres.lod", path + ".max_lod",
             {.message = text("max_lod of texture ", quoted, " is ", t.max_lod, ", but the number of mipmaps is ",
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
             {.message = text("texture ", quoted, t.level_count > 1 ? " has mipmaps" : " repeats",
                              ", but its width and height (", t.width, " x ", t.height,
                              " texels) are not both powers of two")});
}

void check_textures(Check& c) {
  for (size_t i = 0; i < c.file.textures.size(); ++i) check_texture(c, c.file.textures[i], text("textures[", i, "]"));
  for (size_t i = 0; i < c.file.palettes.size(); ++i)
    if (c.file.palettes[i].format > 2)
      c.report("brres.palette", text("palettes[", i, "].format"),
               {.message = text("the palette has the unknown format ", c.file.palettes[i].format)});
}

}  // namespace

constinit const Topic k_texture_checks{k_textures_rules, check_textures};

}  // namespace dio::brres
