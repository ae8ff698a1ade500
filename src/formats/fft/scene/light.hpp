// light.hpp: the game's lighting of a vertex: the command NCT of the PlayStation's geometry engine, with 16-bit numbers
// that have 12 fractional bits. Sources: README.md, "Light".
#pragma once
#include "console/psx/color.hpp"
#include "formats/fft/layout/mesh.hpp"
#include "scene/affine.hpp"

namespace dio::fft {

/// Red, green, blue. 128 draws a texture unchanged, 255 about twice as bright.
using Intensity = std::array<u8, 3>;
inline constexpr u8 k_plain_intensity = psx::k_neutral;
using psx::lit_texel;
/// The intensity of polygons that are not lit.
inline constexpr Intensity k_unlit{k_plain_intensity, k_plain_intensity, k_plain_intensity};

/// The registers of the geometry engine: 16-bit numbers, 4096 is 1.
struct LightRig {
  std::array<std::array<i16, 3>, 3> directions{};  // one row per light: x, y, z towards it
  std::array<std::array<i16, 3>, 3> colors{};      // one row per channel, red first: of the three lights
  std::array<u8, 3> ambient{};
};
LightRig light_rig(const Lights&);
/// Whether the three lights are red, green and blue and shine along the axes, without ambient light: then normals state
/// the colours of vertices, sixteenths of an intensity each. Maps from scenes with vertex colours are lit that way.
bool normals_are_colors(const Lights&);
/// For a rotated mesh: each direction times the rotation, so that unrotated normals can be used.
LightRig rotate_light_rig(const LightRig&, const scene::Mat3d& rotation);

/// The intensity at a vertex with that normal:
///     towards[i] = (directions[i] . normal) >> 12, at least 0, at most 32767
///     intensity  = (ambient * 16 + ((colors . towards) >> 12)) >> 4, at least 0, at most 255
/// where >> rounds down. Between the two steps nothing else is clamped: sums are wider than 16 bits.
Intensity compute_vertex_intensity(const LightRig&, const Normal&);

}  // namespace dio::fft
