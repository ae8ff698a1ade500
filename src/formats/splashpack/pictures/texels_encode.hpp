// texels_encode.hpp: converts pictures to texels of the console, and stores them in extras of scenes.
#pragma once
#include <optional>

#include "console/psx/texels_encode.hpp"
#include "core/value.hpp"
#include "formats/splashpack/pictures/texels.hpp"

namespace dio::splashpack {

using psx::most_colors, psx::Texels, psx::make_texels;

/// {"width", "height", "depth", "colors", "texels"}. `colors` has four hex digits per word; `texels` is Base64: one
/// byte each, an index into `colors`, or for 16 bits the words, low bytes first.
Value value_of(const Texels&);
/// The inverse; nothing if the value is invalid or has more than 256 x 256 texels.
std::optional<Texels> texels_from_json(const Value&);
/// Texels with the exact words of VRAM, including semi-transparency, as written by `value_of`.
Value encode_exact_texels(const VideoMemory&, const TexelRegion&);

}  // namespace dio::splashpack
