// node_cloner.hpp: copies of a part of a scene.
#pragma once
#include "scene/scene.hpp"

namespace dio::scene {

/// A node with its descendants, as they are at construction, to be copied. Copies share meshes, materials, cameras and
/// lights. They have their own nodes, hence their own skins, and their own channels in the animations of the original:
/// an animation moves all copies alike.
class NodeCloner {
 public:
  NodeCloner(Scene&, Index original);
  /// Adds a copy below `parent` and returns its topmost node, which has the local transform of the original.
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
  std::vector<Index> parents_;  // of each: its index in `nodes_`
  std::vector<Index> skins_;    // those with joints among the nodes
  std::vector<AnimatedChannel> channels_, visibility_channels_;
};

}  // namespace dio::scene
