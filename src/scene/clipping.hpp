// clipping.hpp: cuts out the part of a scene on an area of the ground.
#pragma once
#include <limits>

#include "scene/affine.hpp"
#include "scene/scene.hpp"

namespace dio::scene {

/// A rectangle of the ground with everything above and below it, in the units of the scene; infinite by default.
struct Ground {
  f64 west = -std::numeric_limits<f64>::infinity(), east = std::numeric_limits<f64>::infinity();
  f64 north = -std::numeric_limits<f64>::infinity(), south = std::numeric_limits<f64>::infinity();
};

/// The scene with only those parts of its meshes that are on `ground`: triangles are cut at its borders. All nodes
/// remain, with their names, parents and extras, but meshes are in scene space and nodes have no transforms: animated
/// and skinned parts are at rest, without their animations and skins; lines and points are dropped. `at`: the point
/// that becomes the origin. Unused materials have no pictures.
Scene clip_scene_to_area(const Scene&, const Ground& ground, const Vec3& at = {0, 0, 0});
/// For callers that cut a scene many times: the nodes to visit and the transforms of all nodes.
Scene clip_scene_to_area(const Scene&, const Ground& ground, const Vec3& at, const std::vector<bool>& near,
                         const std::vector<Affine>& places);

}  // namespace dio::scene
