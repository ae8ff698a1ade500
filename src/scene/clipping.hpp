// clipping.hpp: what of a scene stands in a part of the ground.
#pragma once
#include <limits>

#include "scene/affine.hpp"
#include "scene/scene.hpp"

namespace dio::scene {

/// A part of the ground with all that is over and under it, in the units of the scene; infinite where nothing is given.
struct Ground {
  f64 west = -std::numeric_limits<f64>::infinity(), east = std::numeric_limits<f64>::infinity();
  f64 north = -std::numeric_limits<f64>::infinity(), south = std::numeric_limits<f64>::infinity();
};

/// The scene with only those parts of its meshes that stand on `ground`: triangles are cut at its borders. All nodes
/// are there, with their names, parents and extras, but meshes are in the space of the scene and nodes have no
/// transforms: what animations and skins move is as it is at rest, and they are gone, as are lines and points.
/// `at`: the point that becomes the origin. Materials that are used no more have no pictures.
Scene clip_scene_to_area(const Scene&, const Ground& ground, const Vec3& at = {0, 0, 0});
/// For those who cut a scene many times: the nodes to look at, and where all of them stand.
Scene clip_scene_to_area(const Scene&, const Ground& ground, const Vec3& at, const std::vector<bool>& near,
                         const std::vector<Affine>& places);

}  // namespace dio::scene
