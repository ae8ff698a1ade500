// maps.hpp: a small map made from nothing, with all that a map can have: for tests, the demo, and games put together
// of it.
#pragma once
#include "formats/fft/parts.hpp"
#include "samples/samples.hpp"

namespace dio::fft {

/// A valley of 8 x 8 tiles with a stream, a bridge over it, a mill whose sails turn, a house and a hill: every part
/// that a mesh file can have. Nothing is wrong with it.
Mesh valley_mesh();
Texture valley_texture();
/// The same at night: palettes and lights alone, and lit windows.
Mesh night_mesh();
Texture night_texture();
/// In the rain: lights alone.
Mesh rain_mesh();
/// Arrangement 1: the bridge is gone; polygons without render properties, and the one animated mesh that is left.
Mesh broken_bridge_mesh();
/// What only few files have: a texture page of its own, a terrain of 17 x 16 tiles, palettes that are read as pictures
/// of the interface.
Mesh odd_mesh();
/// No polygons: terrain alone, as an override file has it.
Mesh terrain_mesh();
/// The list of these files: LBAs from `first_lba` on, in the order of `valley_files`.
Gns valley_gns(u32 first_lba);
inline constexpr u32 k_valley_lba = 10027;

struct SampleFile {
  std::string name;  // MAP001.GNS
  Bytes bytes;
};
/// The files of the map, the list first, in the order of their places on a disc.
std::vector<SampleFile> valley_files(u32 first_lba = k_valley_lba);

}  // namespace dio::fft
