// bone_axes.hpp: transforms below bones with other axes than in the original scene.
#pragma once
#include <optional>
#include <vector>

#include "scene/triangle_match/original_triangles.hpp"
#include "scene/triangle_match/posed_nodes.hpp"

namespace dio::scene {

/// By node of the edited scene, below joints of skins: its transform if all animated nodes above have their original
/// transform. Blender turns the axes of joints, and the meshes below them back, so that the transforms of both scenes
/// cannot be compared node by node. Below joints that no animation moves, it is that of the scene; below others, it
/// follows from meshes that stayed in place. Nothing if there are none, and for nodes that are animated themselves.
std::vector<std::optional<Affine>> infer_places_below_bones(const OriginalTriangles&, const PosedNodes&);

}  // namespace dio::scene
