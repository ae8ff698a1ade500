// differences.hpp: the differences between matched triangles.
#pragma once
#include "scene/triangle_match/triangle_pairs.hpp"

namespace dio::scene {

/// All but TriangleDifferences::known and posed. `collapsed`: EditedMeshes::collapsed.
TriangleDifferences find_differences(const TrianglePairs&, const std::set<Index>& collapsed);

}  // namespace dio::scene
