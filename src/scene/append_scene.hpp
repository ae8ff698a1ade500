// append_scene.hpp: adds scenes to other scenes.
#pragma once
#include "scene/scene.hpp"

namespace dio::scene {

/// Adds the content of a scene below a new node and returns the index of that node. Both scenes use the same units; the
/// name, background and extras of the added scene are dropped. Neither scene may have material variants.
Index append_scene(Scene& to, Scene&& other, Node below);

/// Adds a copy of the nodes [first, end), a node with all descendants, with the same meshes, below `parent`. Returns
/// the index of the copy of the first node. Animations stay with the originals.
Index append_copy(Scene&, Index first, Index end, Index parent);

}  // namespace dio::scene
