// pictures.hpp: the textures of a TEX0 block as a folder of pictures, and such a folder applied to the block.
#pragma once
#include <optional>
#include <string>

#include "core/value.hpp"
#include "formats/contract/companions.hpp"
#include "formats/nitro/layout/files.hpp"
#include "formats/nitro/pictures/texels.hpp"

namespace dio::nitro {

/// A texture as `decode_texels` takes it. Without a palette its colours are black.
TexelView texel_view(const Texture&, const Palette*);

/// How a palette was chosen for a texture: a material of a model names both; it has the name of the texture (perhaps
/// followed by "_pl"); or it is the best guess: among the palettes with enough colours, preferably one without the name
/// of another texture, the one with the most similar name. `colors`: it has enough colours, nothing more is known. The
/// block itself does not pair them.
enum class PairedBy : u8 { nothing, material, name, guess, colors };
std::string_view to_string(PairedBy);

/// One picture: a texture with a palette.
struct TexturePicture {
  std::string file;            // "grass.png", "grass.night.png": unique in a block, even if case is ignored
  u32 texture;                 // index in Textures::textures
  std::optional<u32> palette;  // index in Textures::palettes; direct texels have none
  PairedBy paired_by;
};

/// Each texture with each palette that it is paired with, or once if it has no pair, in the order of the textures.
/// With `every_palette`, also with all other palettes that have enough colours.
std::vector<TexturePicture> list_texture_pictures(const Textures&, std::span<const TexturePair>,
                                                  bool every_palette = false);
scene::Image decode_picture(const Textures&, const TexturePicture&);

/// The manifest of a folder of pictures, for people and for `import_pictures`: format, size and palette of each.
/// With `palette_files`, entries name a file for their palette.
Value build_manifest(const Textures&, std::span<const TexturePicture>, bool palette_files = false);

/// Applies pictures to the textures that the manifest names. A picture that still looks like its texture changes no
/// bytes. An edited one keeps the texture's format, and its palette if that has all colours; its size may differ
/// (nitro.size-changed warns). A palette that several pictures use gets new colours where all of them that are given
/// agree: pixels of one index have one colour, and a PNG with a palette gives the colours of all indices. Pictures that
/// were painted without a palette, and do not agree, get the nearest of its colours. A format in the manifest that
/// differs from the file's is applied. Entries of the manifest without a file follow those that share texels or colours
/// with them; files that it does not name are ignored. A note names each texture that no longer looks like its picture.
/// An entry with "add": true is a new texture, of the format that it states or else of the smallest one, with a palette
/// that is there or a new one. With "rescale": true in the manifest, nothing warns of sizes: coordinates.hpp.
/// Refuses what encode_nitro_texels refuses, (nitro.manifest) a manifest that names textures or palettes that do not
/// exist, (nitro.palette-conflict) PNGs with palettes that want different colours at one index, and
/// (nitro.shared-texels) new pixels in another palette's picture of a texture whose first picture was not edited; the
/// textures may then be partly changed.
Result<PictureImportResult> import_pictures(Textures&, const Value& manifest, std::span<const NamedImage>);

}  // namespace dio::nitro
