// posed_nodes.hpp: tells the poses of animated nodes of an edited scene from edits.
#pragma once
#include "scene/triangle_match/scene_pair.hpp"

namespace dio::scene {

class PosedNodes {
 public:
  /// `tolerance`: as of PointIndex.
  PosedNodes(const ScenePair&, f64 tolerance);

  /// The transform of a node of the edited scene if all animated nodes have their original transform.
  const Affine& rest_place(Index node) const { return rest_[node]; }
  /// Whether an animation or a skin moves a node.
  bool is_posed(Index node) const { return is_posed_[node]; }
  /// Whether a node or one above it is a joint of a skin: programs may give joints other axes.
  bool is_below_joint(Index node) const;
  /// Whether an animation moves a node or one above it.
  bool is_below_posed(Index node) const;
  /// Whether a node has another translation than its original below the same parent, which no animation sets. Below
  /// animated nodes, programs may put the pose of those into the node.
  bool was_moved_itself(Index node) const;
  /// Whether a mesh has another rotation or scale than its original below the same parent, which cannot be the inverse
  /// of a pose: no animation above turns or scales.
  bool was_turned_itself(Index node) const;
  /// TriangleDifferences::posed
  std::vector<Index> find_ignored() const;

 private:
  const Node& original_of(Index node) const { return s_.original.nodes[s_.original_nodes[node]]; }
  void find_animated();
  bool has_other_translation(Index node) const;
  bool may_have_pose_of_parents(Index node) const;
  bool has_other_rotation(Index node) const;
  bool has_other_scale(Index node) const;
  bool is_below_hidden(Index node) const;
  /// Whether an animation of the original moves, turns or scales (or hides) a node.
  bool has_channel(Index original, Channel::Target) const;
  bool may_be_pose(Index original, const Vec3& translation) const;
  Affine place_of_moved(Index node) const;

  const ScenePair& s_;
  const f64 tolerance_;
  // By node of the edited scene:
  std::vector<bool> is_posed_, has_posed_place_, is_joint_;
  std::vector<Affine> rest_;
};

}  // namespace dio::scene
