// copies.hpp: the same part of a scene in several places.
#pragma once
#include "scene/scene.hpp"

namespace dio::scene {

/// A node with all that hangs on it, as it is when this is made, to be placed again. Copies share meshes, materials,
/// cameras and lights. They have nodes of their own, and so skins, and channels in the animations that move the
/// original: an animation moves all copies alike.
class Copies {
 public:
  Copies(Scene&, Index original);
  /// One more, on that node. Gives its uppermost node, which has the place of the original in its parent.
  Index place(Index parent);

 private:
  /// A channel that moves one of the nodes.
  struct Moved {
    Index animation;
    size_t channel;
    Index node;  // its place in `nodes_`
  };
  Scene& scene_;
  std::vector<Index> nodes_;    // the original first
  std::vector<Index> parents_;  // of each: its place in `nodes_`
  std::vector<Index> skins_;    // those with joints among the nodes
  std::vector<Moved> channels_, visibility_channels_;
};

}  // namespace dio::scene
