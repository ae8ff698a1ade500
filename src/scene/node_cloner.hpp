// node_cloner.hpp: copies parts of a scene.
#pragma once
#include "scene/scene.hpp"

namespace dio::scene {

/// A node with its descendants, captured at construction, for copying. Copies share meshes, materials, cameras and
/// lights. They have their own nodes and skins, and their own channels in the animations of the original: an animation
/// moves all copies alike.
class NodeCloner {
 public:
  NodeCloner(Scene&, Index original);
  /// Adds a copy below `parent` and returns its topmost node, which keeps the local transform of the original.
  Index place(Index parent);

 private:
  /// A channel that animates one of the nodes.
  struct AnimatedChannel {
    Index animation;
    size_t channel;
    Index node;  // its index in `nodes_`
  };
  Scene& scene_;
  std::vector<Index> nodes_;    // the original first
  std::vector<Index> parents_;  // for each node: the index of its parent in `nodes_`
  std::vector<Index> skins_;    // skins with joints among the nodes
  std::vector<AnimatedChannel> channels_, visibility_channels_;
};

}  // namespace dio::scene
