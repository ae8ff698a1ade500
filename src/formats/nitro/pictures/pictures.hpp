// pictures.hpp: the textures of a TEX0 block as pictures of a folder, and such a folder back into the block.
#pragma once
#include <optional>
#include <string>

#include "core/value.hpp"
#include "formats/contract/companions.hpp"
#include "formats/nitro/layout/files.hpp"
#include "formats/nitro/pictures/texels.hpp"

namespace dio::nitro {

/// A texture as `decode_texels` takes it. Without a palette its colours are black.
TexelView view_of(const Texture&, const Palette*);

/// How it is known which palette a texture is shown with: a material of a model names both, its name is that of the
/// texture (perhaps with "_pl" behind), or it is the best guess: of those with enough colours, rather one that has not
/// the name of another texture, the one whose name is most alike. `colors`: it has all colours, which is all that is
/// known. A block by itself does not say.
enum class PairedBy : u8 { nothing, material, name, guess, colors };
std::string_view to_string(PairedBy);

/// One picture: a texture with a palette.
struct TexturePicture {
  std::string file;  // "grass.png", "grass.night.png": no two of a block are the same, even where case is ignored
  u32 texture;       // index in Textures::textures
  std::optional<u32> palette;  // index in Textures::palettes; direct texels have none
  PairedBy paired_by;
};

/// Each texture with each palette that a pair gives it, and once if there is no pair: in the order of the textures.
/// With `every_palette`, also with all others that have its colours.
std::vector<TexturePicture> pictures_of(const Textures&, std::span<const TexturePair>, bool every_palette = false);
scene::Image image_of(const Textures&, const TexturePicture&);

/// What is in a folder of pictures, for people and for `take_pictures`: format, size, palette of each.
Value manifest_of(const Textures&, std::span<const TexturePicture>);

/// Puts pictures back into the textures that the manifest says they are from. A picture that still looks the same
/// leaves all bytes as they are. One that does not keeps the format and, if it has all colours, the palette; it may
/// have another size (nitro.size-changed warns). A palette that several pictures use takes new colours where all of
/// them that are given agree: pixels of one index have one colour, and a PNG with a palette says it of all indices.
/// Pictures that were painted without a palette, and do not agree, get the nearest of its colours. A format that the
/// manifest says otherwise than the file is taken over. Of the manifest, pictures without a file are left alone and
/// follow those that share texels or colours with them; files it does not name are not looked at. The notes say what
/// no longer looks like its picture. Refuses what encode_texels refuses, (nitro.manifest) a manifest that names what is
/// not there, (nitro.palette-conflict) PNGs with palettes that want different colours at one index, and
/// (nitro.shared-texels) new pixels in another palette's picture of a texture whose first one was left as it is; then
/// the textures are partly changed.
Result<TakenPictures> take_pictures(Textures&, const Value& manifest, std::span<const NamedImage>);

}  // namespace dio::nitro
