// uncovered.hpp: roads where a kart is in no sector.
#pragma once
#include "formats/kcl/geometry.hpp"
#include "formats/kmp/race/sectors.hpp"

namespace dio::kmp {

/// Roads that hang together, as far as they lie in no sector.
struct UncoveredRoad {
  f64 area = 0;        // square units, seen from above
  kcl::Point place{};  // in the largest part
  u32 prism = 0;       // which has that place
  std::vector<kcl::Triangle> parts = {};
};
/// Those of at least `area` square units, the largest first. Prisms are cut into triangles with sides of about 300
/// units; what their middles say is taken for all of them.
std::vector<UncoveredRoad> find_uncovered_roads(const Sectors&, const kcl::Kcl&, f64 area = 1e6);

}  // namespace dio::kmp
