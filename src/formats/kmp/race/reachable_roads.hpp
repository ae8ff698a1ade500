// reachable_roads.hpp: which roads karts can get to.
#pragma once
#include <vector>

#include "formats/kcl/geometry.hpp"

namespace dio::kmp {

struct RoadTriangle {
  kcl::Triangle corners;
  f64 covered = 0;  // the part of its area that is in checkpoint sectors
};

/// Whether karts can get to each triangle from the connected road that has the largest area in sectors: over shared
/// corners, or by falling or jumping to a road that is less than about 3,000 units away and at most 500 units higher.
/// A road that is partly in sectors may be eight times as far away. Roofs and tree tops beside a road are out of reach.
std::vector<bool> find_reachable_roads(const std::vector<RoadTriangle>&);

}  // namespace dio::kmp
