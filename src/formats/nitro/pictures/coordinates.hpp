// coordinates.hpp: texture coordinates that follow textures of another size.
#pragma once
#include <map>
#include <string>

#include "core/result.hpp"
#include "formats/nitro/layout/files.hpp"

namespace dio::nitro {

/// Width and height of each texture, by name.
using TextureSizes = std::map<std::string, std::array<u32, 2>>;
TextureSizes list_texture_sizes(const Textures&);

/// Scales the texture coordinates of what is drawn with textures that had another size, so that it shows the same part
/// of them. Returns how many shapes were changed. Refuses (nitro.rescale) coordinates that would not fit, and a shape
/// that is drawn with textures whose sizes changed in different ways; the file may then be partly changed.
Result<u64> rescale_texcoords(Nsbmd&, const TextureSizes& before);

}  // namespace dio::nitro
