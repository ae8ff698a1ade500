// skeleton.hpp: the nodes and matrices of a model built from a scene.
#pragma once
#include <functional>

#include "formats/nitro/layout/model.hpp"
#include "scene/transforms.hpp"

namespace dio::nitro {

/// A node of the model.
struct Bone {
  scene::Index node = scene::k_none;   // scene node; k_none: no own node
  scene::Index inner = scene::k_none;  // node with its rotation and scale if its node compensates
                                       // for the scale of the parent, as in Maya models
  u32 parent = 0;                      // index of an earlier bone; the first bone is its own parent
  scene::Affine place;                 // at rest, in the model
  enum class Turns : u8 { no, fully, about_y } turns = Turns::no;  // whether its draws turn to the camera
  bool is_joint = false;                                           // a skin needs its matrix after all nodes are placed
  std::optional<scene::Affine> bind;  // from the space of skinned meshes to the space of the bone
};

/// A bone and its weight in a vertex.
struct Influence {
  u16 bone;    // may exceed the limit of a model before bones are counted
  u16 weight;  // 1/256
  auto operator<=>(const Influence&) const = default;
};
/// The bones that a vertex follows: one, or several weighted ones.
using VertexInfluences = std::vector<Influence>;

class Skeleton {
 public:
  /// Nodes become bones if they move, if a skin uses them, if they turn to the camera, or if their extras have `bone`:
  /// true; their ancestors become bones as well. All other nodes move with their nearest bone.
  explicit Skeleton(const scene::Scene&);
  const std::vector<Bone>& bones() const { return bones_; }
  /// Exported nodes whose number changed. Animations of games refer to these numbers.
  struct RenumberedBone {
    u32 bone, before;
  };
  std::vector<RenumberedBone> list_renumbered_bones() const;
  /// Whether a bone has the transform and the parent of a scene node.
  bool has_own_node(u32 bone) const {
    return bones_[bone].node != scene::k_none && bone_of_[bones_[bone].node] == bone;
  }
  bool inherits_parent_transform(u32 bone) const;
  /// The scene node with the rotation and scale of a bone.
  scene::Index rotation_node(u32 bone) const {
    return bones_[bone].inner == scene::k_none ? bones_[bone].node : bones_[bone].inner;
  }
  /// The bone that a scene node moves with.
  u32 bone_of(scene::Index node) const { return bone_of_[node]; }
  /// Whether the draws of a node turn to the camera.
  bool is_billboard_node(scene::Index node) const { return is_turned_[node]; }
  /// Whether a bone and its ancestors in the scene are visible, at rest or in an animation.
  bool is_visible(u32 bone) const;
  bool is_visible(u32 bone, const scene::Animation&, f64 time) const;
  const scene::Affine& node_transform(scene::Index node) const { return places_[node]; }
  /// The transform from a scene node to its bone. Also works if the bone has scale 0.
  scene::Affine to_bone(scene::Index node) const;
  /// The bone of a skin joint; a separate bone if another skin binds the joint differently.
  u32 find_or_add_joint(scene::Index node, const scene::Affine& bind);

 private:
  u32 add_bone(scene::Index node, u32 parent);
  void restore_order();
  bool is_visible(u32 bone, const std::function<bool(scene::Index)>& is) const;
  const scene::Scene& s_;
  std::vector<scene::Affine> places_;
  std::vector<Bone> bones_;
  std::vector<u32> bone_of_;
  std::vector<bool> is_turned_;
  std::vector<scene::Index> shows_;  // for each bone: the node that determines its visibility
};

/// The transform of a node in file form: pivot rotations as pivots, without values that have no effect.
Node build_node(const std::string& name, const scene::Pose&);
fx32 to_fx32(f64);
/// The exact pivot form of a rotation; nothing if it has none.
struct Pivot {
  u8 index, negative, c_negative, d_negative;
  fx16 a, b;
};
std::optional<Pivot> find_pivot(const std::array<i16, 9>& rotation);
/// The nine elements of a rotation, column by column, in 1/4096.
std::array<i16, 9> to_rotation_elements(const scene::Vec4& quaternion);

}  // namespace dio::nitro
