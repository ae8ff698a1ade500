// pictures.hpp: exports textures as pictures, and imports edited ones.
#pragma once
#include <optional>

#include "formats/brres/layout/file.hpp"
#include "formats/contract/pictures.hpp"

namespace dio::brres {

/// The picture of a texture; nothing if its format is unknown or it has no texels.
std::optional<scene::Image> decode_texture(const Texture&, const Palette*);
/// The picture of the texture with this name and the palette with this name; an empty palette name means the texture's
/// name. Nothing if the file does not have the texture.
std::optional<scene::Image> decode_texture(const Brres&, std::string_view texture, std::string_view palette);
/// The palette that materials use with a texture, else the one with its name; null if it needs none or there is none.
const Palette* find_palette(const Brres&, const Texture&);

/// All textures, each with its palette. Leaves out the alpha of I4 and I8, which repeats the brightness.
PictureSet export_pictures(const Brres&);
/// Imports pictures. Their size, format and number of mipmaps may differ from the texture: the manifest says `format`
/// and `levels`. `is_placed_anew`: whether all parts of the file have new places, so that nothing else of it is kept.
Result<PictureImportResult> import_pictures(Brres&, const Value& manifest, std::span<const NamedImage>,
                                            bool& is_placed_anew);
std::span<const Rule> picture_rules();

}  // namespace dio::brres
