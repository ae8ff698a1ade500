// pictures.hpp: textures as pictures.
#pragma once
#include <optional>

#include "formats/brres/layout/file.hpp"
#include "scene/image.hpp"

namespace dio::brres {

/// Nothing if its format is unknown, or it has no texels.
std::optional<scene::Image> picture_of(const Texture&, const Palette*);
/// The texture of that name, with the palette of that name; of an empty one, with that of the texture's name. Nothing
/// if the file does not have the texture.
std::optional<scene::Image> picture_of(const Brres&, std::string_view texture, std::string_view palette);

}  // namespace dio::brres
