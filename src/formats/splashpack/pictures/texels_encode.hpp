// texels_encode.hpp: pictures as the console can show them, and how extras of scenes keep them.
#pragma once
#include <optional>

#include "console/psx/texels_encode.hpp"
#include "core/value.hpp"
#include "formats/splashpack/pictures/texels.hpp"

namespace dio::splashpack {

using psx::most_colors, psx::Texels, psx::make_texels;

/// {"width", "height", "depth", "colors", "texels"}. `colors` are four hex digits a word; `texels` base64: a byte each,
/// into `colors`, or at 16 bits the words, low bytes first.
Value value_of(const Texels&);
/// The inverse; nothing if it is no such value, or of more than 256 x 256 texels.
std::optional<Texels> texels_from_json(const Value&);
/// Texels with the exact words of video memory, semi-transparency and all, as `value_of` has them.
Value encode_exact_texels(const VideoMemory&, const TexelRegion&);

}  // namespace dio::splashpack
