// compare.hpp: compares two maps, or two files of a map, part by part.
#pragma once
#include "formats/fft/game/maps.hpp"

namespace dio::fft {

/// The parts of a file, or of a map in a state; null if missing.
struct Parts {
  std::array<const Geometry*, 1 + k_animated_meshes> geometry{};  // the primary mesh, then the animated ones
  std::array<const Palettes*, 3> palettes{};                      // colours, frames, gray
  std::array<const TexturePage*, k_pages> pages{};
  const Lights* lights = nullptr;
  const Terrain* terrain = nullptr;
  const TextureAnimations* texture_animations = nullptr;
  const MeshAnimations* mesh_animations = nullptr;
};
Parts collect_map_parts(const MergedMap&);
Parts collect_map_parts(const ReadFile&);

struct Difference {
  size_t slot;          // of the part, as in a mesh file
  std::string what;     // of the part: rows[3]; empty: the part itself
  std::string was, is;  // as text; empty if too long
  u64 count = 1;        // number of different values
};
/// In the order of the slots.
std::vector<Difference> compare(const Parts& was, const Parts& is);

/// A difference without its part: `3 polygons: texture`, `ambient 1, 2, 3 -> 4, 5, 6`.
std::string to_string(const Difference&);

}  // namespace dio::fft
