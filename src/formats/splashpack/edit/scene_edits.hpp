// scene_edits.hpp: applies edited scenes to a pack.
#pragma once
#include "formats/contract/scenes.hpp"
#include "formats/splashpack/layout/pack.hpp"

namespace dio::splashpack {

/// Moves and turns what a node stands for: an object with its box, colliders and the boxes around it, a trigger, a
/// collider, a portal, a light, a waypoint, or the start of the player. False: the pack cannot store that.
bool move_node(Pack&, const NodeTransformChange&);

/// Applies triangles that differ: positions, texture coordinates, colours, new and removed triangles.
SceneImportResult write_triangles(Pack&, const scene::TriangleDifferences&);

/// Gives both scenes the same meaning of vertex colours: the brightness of the edited scene's pictures, which depends
/// on the texels of the pack. Without it, colours are not compared.
void match_colors(const Pack&, ComparedScenes&);

}  // namespace dio::splashpack
