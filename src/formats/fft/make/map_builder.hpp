// map_builder.hpp: a battle map from any scene. Rules: README.md, "Maps from scenes".
#pragma once
#include "core/diagnostic.hpp"
#include "formats/contract/arguments.hpp"
#include "formats/fft/layout/mesh.hpp"
#include "scene/scene.hpp"

namespace dio::fft {

struct MapBuildOptions {
  f64 units_per_metre = k_tile_units;  // a tile is a metre
  u32 largest_texture = k_page_texels;
  bool cuts_floors = true;  // one polygon for each tile of a floor
  bool hides_walls = true;  // walls in front of tiles are hidden from the cameras that they would block
};

/// Reads the options from arguments: units-per-metre, largest-texture, cut-floors, hide-walls. Other arguments that
/// were not read before are a problem.
MapBuildOptions parse_build_options(Arguments&);

struct BuiltMap {
  Mesh mesh{};
  Texture texture;
  Diagnostics notes;
  u64 lost = 0;  // parts of the scene that the map does not have
};

/// Ids: fft.make-empty, fft.make-limit, fft.make-tiles, fft.make-range, fft.make-repeats.
Result<BuiltMap> build_map(const scene::Scene&, const MapBuildOptions&);

}  // namespace dio::fft
