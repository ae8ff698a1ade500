// moving_objects.hpp: moves the objects of a course along their routes.
#pragma once
#include <vector>

#include "formats/kmp/layout.hpp"
#include "scene/scene.hpp"

namespace dio::kmp {

/// The kind of nodes that show moving objects.
inline constexpr const char* k_moving_object = "moving object";

/// The positions of an object: keys, in seconds, with linear motion in between.
struct MovingObject {
  size_t object;  // index into GOBJ
  std::vector<f32> times;
  std::vector<scene::Vec3> places;
};
/// Animates the objects whose routes have speeds, for half a minute from the first point of each route. Objects with a
/// speed of their own, which is not in the course file, are left out. Source: README.md, "Routes".
std::vector<MovingObject> animate_moving_objects(const Kmp&);

}  // namespace dio::kmp
