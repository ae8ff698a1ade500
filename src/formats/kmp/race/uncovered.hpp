// uncovered.hpp: finds roads outside all checkpoint sectors.
#pragma once
#include "formats/kcl/geometry.hpp"
#include "formats/kmp/race/sectors.hpp"

namespace dio::kmp {

/// The parts of a connected road that are in no sector.
struct UncoveredRoad {
  f64 area = 0;        // square units, seen from above
  kcl::Point place{};  // in the largest part
  u32 prism = 0;       // the prism that contains the place
  std::vector<kcl::Triangle> parts = {};
};
/// For each prism, whether it is a road that karts can reach from the sectors (reachable_roads.hpp). Without sectors,
/// all.
std::vector<bool> find_reachable_prisms(const Sectors&, const kcl::Kcl&);

/// The uncovered roads of at least `area` square units that karts can reach (reachable_roads.hpp), the largest first.
/// Prisms are cut into triangles with sides of about 300 units, and each triangle counts as covered if its middle is.
std::vector<UncoveredRoad> find_uncovered_roads(const Sectors&, const kcl::Kcl&, f64 area = 1e6);

}  // namespace dio::kmp
