#include "formats/nitro/pictures/texels.hpp"

namespace dio::nitro {
namespace {

tl::unexpected<Diagnostic> refuse_picture(std::string_view id, std::string expected, std::string found,
                                          std::string hint) {
  return refuse(id, {}, {.expected = std::move(expected), .found = std::move(found), .hint = std::move(hint)});
}

}  // namespace

Result<EncodedTexels> encode_texels(const scene::Image& image, const EncodeOptions& options) {
  auto encoded = ds::texels_of(image, options);
  if (encoded) return std::move(*encoded);
  switch (encoded.error()) {
    case ds::Unencodable::size:
      return refuse_picture("nitro.texel-size", "a width and height of 8, 16, 32, 64, 128, 256, 512 or 1024",
                            std::to_string(image.width) + " x " + std::to_string(image.height),
                            "scale the picture or add a border");
    case ds::Unencodable::nothing:
      return refuse_picture("nitro.texel-size", "a picture and a format to store it in", "none", {});
    case ds::Unencodable::clear:
      return refuse_picture("nitro.texel-clear", "opaque pixels only", "clear ones",
                            "let colour 0 be transparent, or take another format");
    case ds::Unencodable::few_colors:
      return refuse_picture("nitro.texel-palette", "a palette of 2 colours or more",
                            std::to_string(options.palette->size()), {});
    case ds::Unencodable::no_color:
      break;
  }
  return refuse_picture("nitro.texel-palette", "a palette with a colour to show", "none", {});
}

std::span<const Rule> texel_rules() {
  static constexpr Rule k_rules[] = {
      {"nitro.texel-size", Severity::stop, "a texture is 8 to 1024 texels wide and high, each a power of two",
       "The hardware knows only sizes that are powers of two.", "GBATEK, DS 3D Texture Attributes, TEXIMAGE_PARAM"},
      {"nitro.texel-clear", Severity::stop, "a picture with clear pixels becomes texels that can be clear",
       "Texels with a palette are clear only where their index is 0 and the texture says so.",
       "GBATEK, DS 3D Texture Attributes, TEXIMAGE_PARAM"},
      {"nitro.texel-palette", Severity::stop, "a palette that is to be kept has a colour for the picture",
       "Texels that point behind the palette show whatever lies there.", "GBATEK, DS 3D Texture Formats"},
      {"nitro.texel-changed", Severity::warning, "a texture shows the colours of the picture it was made from",
       "There are more colours than the texture can have, or it shares texels or a palette with another picture.",
       "GBATEK, DS 3D Texture Formats"},
      {"nitro.size-changed", Severity::warning, "a picture keeps the size of its texture",
       "Texture coordinates count texels, so that a model repeats a smaller texture more often, and shows a part of a "
       "larger one.",
       "GBATEK, DS 3D Texture Coordinates"},
      {"nitro.palette-conflict", Severity::stop, "pictures of one palette want the same colours of it",
       "A palette is there once: what one picture changes in it shows in all of them.",
       "GBATEK, DS 3D Texture Formats"},
      {"nitro.shared-texels", Severity::stop, "a texture shown with several palettes has the same pixels with each",
       "Its texels are there once: new pixels in the picture of one palette show with all of them.",
       "GBATEK, DS 3D Texture Formats"},
      {"nitro.manifest", Severity::stop, "a manifest names textures and palettes that the file has",
       "Without that nobody knows where a picture belongs.", "diorama"},
  };
  return k_rules;
}

}  // namespace dio::nitro
