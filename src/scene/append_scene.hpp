// append_scene.hpp: scenes put into other scenes.
#pragma once
#include "scene/scene.hpp"

namespace dio::scene {

/// Adds all that is in a scene below a new node, whose index it returns. Both count in the same units; what the other
/// scene says of itself (name, background, extras) is dropped. Neither may have variants of materials.
Index append_scene(Scene& to, Scene&& other, Node below);

}  // namespace dio::scene
