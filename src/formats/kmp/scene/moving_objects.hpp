// moving_objects.hpp: objects of a course on their routes.
#pragma once
#include <vector>

#include "formats/kmp/layout.hpp"
#include "scene/scene.hpp"

namespace dio::kmp {

/// The kind of the nodes that show where objects move.
inline constexpr const char* k_moving_object = "moving object";

/// Where an object is: keys, in seconds, between which it moves evenly.
struct MovingObject {
  size_t object;  // index into GOBJ
  std::vector<f32> times;
  std::vector<scene::Vec3> places;
};
/// The objects whose routes have speeds, for half a minute, from the first point of each route. Objects that move at a
/// speed of their own, which a course does not say, are left out. Source: README.md, "Routes".
std::vector<MovingObject> animate_moving_objects(const Kmp&);

}  // namespace dio::kmp
