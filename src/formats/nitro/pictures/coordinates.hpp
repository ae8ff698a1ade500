// coordinates.hpp: rescales texture coordinates when textures change size.
#pragma once
#include <map>
#include <string>

#include "core/result.hpp"
#include "formats/nitro/layout/files.hpp"

namespace dio::nitro {

/// Width and height of each texture, by name.
using TextureSizes = std::map<std::string, std::array<u32, 2>>;
TextureSizes list_texture_sizes(const Textures&);

/// Scales the texture coordinates of shapes whose textures changed size, so that they show the same part of the
/// texture. Returns the number of changed shapes. Refuses (nitro.rescale) coordinates that would not fit, and a shape
/// drawn with textures whose sizes changed by different factors; the file may then be partly changed.
Result<u64> rescale_texcoords(Nsbmd&, const TextureSizes& before);

}  // namespace dio::nitro
