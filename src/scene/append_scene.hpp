// append_scene.hpp: scenes put into other scenes.
#pragma once
#include "scene/scene.hpp"

namespace dio::scene {

/// Adds all that is in a scene below a new node, whose index it returns. Both count in the same units; what the other
/// scene says of itself (name, background, extras) is dropped. Neither may have variants of materials.
Index append_scene(Scene& to, Scene&& other, Node below);

/// Adds a copy of the nodes [first, end), a node and all below it, with the same meshes, below `parent`. Returns the
/// index of the copy of the first. Animations stay with the originals.
Index append_copy(Scene&, Index first, Index end, Index parent);

}  // namespace dio::scene
