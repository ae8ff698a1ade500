// matching_steps.hpp: the steps that pair triangles, in their order. Each step pairs only triangles that are left.
#pragma once
#include "scene/triangle_match/triangle_pairs.hpp"

namespace dio::scene {

/// Triangles whose vertices still have their numbers in the file. Of several copies, the one that was not moved counts,
/// or the first.
void match_by_sources(TrianglePairs&);
/// Meshes whose triangles share their vertices as in the original have kept their order.
void match_in_known_order(TrianglePairs&);
/// Triangles that were not moved.
void match_in_place(TrianglePairs&);
/// Triangles with the same vertices in the reversed order (TriangleMatching::pairs_flipped).
void match_flipped(TrianglePairs&);
/// Triangles that were changed. Also finds the primitives of the new ones (SeenTriangle::target).
void match_changed(TrianglePairs&);

}  // namespace dio::scene
