#include "core/text_format.hpp"
#include "formats/nitro/pictures/texels.hpp"

namespace dio::nitro {
namespace {

tl::unexpected<Diagnostic> refuse_picture(std::string_view id, std::string message, std::string hint) {
  return refuse(id, {}, {.message = std::move(message), .hint = std::move(hint)});
}

}  // namespace

PictureNeeds analyze_picture(const scene::Image& picture, bool as_mask) {
  PictureNeeds n;
  std::vector<bool> seen(0x8000);
  const scene::Image rgba = scene::to_rgba(picture);
  for (size_t i = 0; i + 3 < rgba.pixels.size(); i += 4) {
    const u8* p = &rgba.pixels[i];
    const bool hidden = as_mask ? p[3] < 128 : p[3] == 0;
    n.clear |= hidden;
    n.partial |= !as_mask && p[3] != 0 && p[3] != 255;
    if (hidden) continue;
    const u16 word = ds::word_of(std::array<u8, 3>{p[0], p[1], p[2]});
    n.colors += !seen[word];
    seen[word] = true;
  }
  return n;
}

TexelFormat smallest_format(const PictureNeeds& n) {
  using enum TexelFormat;
  if (n.partial) return n.colors <= 8 ? a5i3 : a3i5;
  const size_t colors = n.colors + n.clear;
  return colors <= 4 ? palette4 : colors <= 16 ? palette16 : colors <= 256 ? palette256 : block4x4;
}

Result<EncodedTexels> encode_nitro_texels(const scene::Image& image, const EncodeOptions& options) {
  auto encoded = ds::encode_texels(image, options);
  if (encoded) return std::move(*encoded);
  switch (encoded.error()) {
    case ds::Unencodable::size:
      return refuse_picture("nitro.texel-size",
                            "the picture is " + std::to_string(image.width) + " x " + std::to_string(image.height) +
                                " pixels; width and height must each be 8, 16, 32, 64, 128, 256, 512 or 1024",
                            "scale the picture or add a border");
    case ds::Unencodable::nothing:
      return refuse_picture("nitro.texel-size", "the picture is empty, or the texture has no format", {});
    case ds::Unencodable::clear:
      return refuse_picture("nitro.texel-clear", "the picture has transparent pixels, which the texture cannot show",
                            "in textures.json, set color0_clear to true or choose another format");
    case ds::Unencodable::few_colors:
      return refuse_picture(
          "nitro.texel-palette",
          "the palette has " + format_count(options.palette->size(), "colour") + "; it needs at least 2", {});
    case ds::Unencodable::no_color:
      break;
  }
  return refuse_picture("nitro.texel-palette", "the palette has no usable colour", {});
}

std::span<const Rule> texel_rules() {
  static constexpr Rule k_rules[] = {
      {"nitro.texel-size", Cause::limit, "the width and height of a texture are powers of two from 8 to 1024",
       "The hardware supports only widths and heights that are powers of two from 8 to 1024.",
       "Scale the picture so that its width and height are powers of two from 8 to 1024.",
       "GBATEK, DS 3D Texture Attributes, TEXIMAGE_PARAM"},
      {"nitro.texel-clear", Cause::limit, "a picture with transparent pixels uses a texture format that can show them",
       "In the formats palette4, palette16 and palette256, only index 0 can be transparent, and only if color0_clear "
       "is set.",
       "Make all pixels opaque, or change \"format\" in textures.json to one with transparency.",
       "GBATEK, DS 3D Texture Attributes, TEXIMAGE_PARAM"},
      {"nitro.texel-palette", Severity::stop,
       "a palette that keeps its colours has at least one colour that the picture can use",
       "If the palette has no colour that the picture can use, the texture cannot show the picture.",
       "Add a colour of the picture to the palette, or let the palette be rebuilt.", "GBATEK, DS 3D Texture Formats"},
      {"nitro.texel-changed", Severity::warning, "a texture shows the same colours as the picture it was made from",
       "The picture has more colours than the texture can hold, or shares texels or a palette with another picture.",
       "Reduce the picture to the colours that the texture can hold, or choose another \"format\" in textures.json.",
       "GBATEK, DS 3D Texture Formats"},
      {"nitro.size-changed", Severity::warning, "a picture keeps the size of its texture",
       "Texture coordinates count texels: a model repeats a smaller texture more often, and shows only part of a "
       "larger one.",
       "Keep the size of the texture, or change the texture coordinates of the models that use it.",
       "GBATEK, DS 3D Texture Coordinates"},
      {"nitro.palette-conflict", Cause::limit, "pictures that share a palette use the same palette colours",
       "A palette is stored once, so a colour that changes in one picture changes in all pictures with this palette.",
       "Change the colour in the same way in all pictures that use the palette.", "GBATEK, DS 3D Texture Formats"},
      {"nitro.shared-texels", Cause::limit,
       "all pictures of a texture that is shown with several palettes have the same pixels",
       "The texels are stored once, so pixels drawn in one picture appear in all pictures of the texture.",
       "Draw the same pixels in all pictures of the texture, or delete the pictures that you did not edit.",
       "GBATEK, DS 3D Texture Formats"},
      {"nitro.rescale", Cause::limit,
       "if a texture changes size, its texture coordinates are in the same file and still fit in 16 bits",
       "Texture coordinates are stored in sixteenths of a texel, so a larger texture needs larger numbers. A texture "
       "set contains no texture coordinates.",
       "Use a smaller picture, or replace the texture without {--rescale}.", "GBATEK, DS 3D Texture Coordinates"},
      {"nitro.manifest", Severity::stop, "textures.json names only textures and palettes that the file has",
       "A picture cannot replace a texture or palette that the file does not have.",
       "Correct the name in textures.json, or export the pictures again.", "diorama's own rule"},
  };
  return k_rules;
}

}  // namespace dio::nitro
