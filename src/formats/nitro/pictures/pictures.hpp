// pictures.hpp: the textures of a TEX0 block as a folder of pictures, and such a folder applied to the block.
#pragma once
#include <optional>
#include <string>

#include "core/value.hpp"
#include "formats/contract/companions.hpp"
#include "formats/nitro/layout/files.hpp"
#include "formats/nitro/pictures/texels.hpp"

namespace dio::nitro {

/// A view of a texture for `decode_texels`. Without a palette, its colours are black.
TexelView texel_view(const Texture&, const Palette*);

/// How a palette was chosen for a texture. `material`: a material of a model names both. `name`: the palette has the
/// name of the texture, perhaps followed by "_pl". `guess`: it has the most similar name among the palettes with enough
/// colours, preferring palettes not named after another texture. `colors`: it has enough colours; nothing more is
/// known. The block itself does not pair them.
enum class PairedBy : u8 { nothing, material, name, guess, colors };
std::string_view to_string(PairedBy);

/// One picture: a texture with a palette.
struct TexturePicture {
  std::string file;            // "grass.png", "grass.night.png": unique in a block, even if case is ignored
  u32 texture;                 // index in Textures::textures
  std::optional<u32> palette;  // index in Textures::palettes; direct texels have none
  PairedBy paired_by;
};

/// Lists each texture with each of its paired palettes, or once if it has none, in texture order. With `every_palette`,
/// also lists it with all other palettes that have enough colours.
std::vector<TexturePicture> list_texture_pictures(const Textures&, std::span<const TexturePair>,
                                                  bool every_palette = false);
scene::Image decode_picture(const Textures&, const TexturePicture&);

/// The manifest of a picture folder, read by users and by `import_pictures`: format, size and palette of each picture.
/// With `palette_files`, entries name a file for their palette.
Value build_manifest(const Textures&, std::span<const TexturePicture>, bool palette_files = false);

/// Applies pictures to the textures named in the manifest. A picture that still looks like its texture changes no
/// bytes. An edited picture keeps the format of its texture, and its palette if that has all colours; its size may
/// differ (with a warning, nitro.size-changed). A shared palette gets new colours where all given pictures agree:
/// pixels with one index have one colour, and a PNG with a palette defines the colours of all indices. Pictures painted
/// without a palette that disagree get the nearest palette colours. If the manifest gives another format than the file,
/// that format is applied. Manifest entries without a picture file follow entries that share texels or colours with
/// them; picture files missing from the manifest are ignored. A note names each texture that no longer looks like its
/// picture. An entry with "add": true is a new texture, in the given format or else the smallest one, with an existing
/// or a new palette. With "rescale": true in the manifest, size changes cause no warning; see coordinates.hpp. Refuses
/// everything that encode_nitro_texels refuses, a manifest that names missing textures or palettes (nitro.manifest),
/// PNG palettes that want different colours at one index (nitro.palette-conflict), and new pixels in the picture of a
/// second palette if the first picture of the texture was not edited (nitro.shared-texels); the textures may then be
/// partly changed.
Result<PictureImportResult> import_pictures(Textures&, const Value& manifest, std::span<const NamedImage>);

}  // namespace dio::nitro
