// bone_axes.hpp: transforms below bones with other axes than in the original scene.
#pragma once
#include <optional>
#include <vector>

#include "scene/triangle_match/original_triangles.hpp"
#include "scene/triangle_match/posed_nodes.hpp"

namespace dio::scene {

/// By node of the edited scene: its transform if all animated nodes above have their original transform, where meshes
/// that stayed in place show it. Blender turns the axes of bones, and the meshes below them back, so that the
/// transforms of both scenes cannot be compared node by node. Nothing for nodes that are animated themselves, and above
/// whose parents no mesh stayed in place.
std::vector<std::optional<Affine>> infer_places_below_bones(const OriginalTriangles&, const PosedNodes&);

}  // namespace dio::scene
