// skeleton.hpp: the nodes and matrices of a model that is made from a scene.
#pragma once
#include <functional>

#include "formats/nitro/layout/model.hpp"
#include "scene/transforms.hpp"

namespace dio::nitro {

/// A node of the model.
struct Bone {
  scene::Index node = scene::k_none;                               // of the scene; k_none: none of its own
  scene::Index inner = scene::k_none;                              // that turns and scales it, if its node undoes the
                                                                   // scale of the parent, as models of Maya do
  u32 parent = 0;                                                  // earlier; of the first one itself
  scene::Affine place;                                             // at rest, in the model
  enum class Turns : u8 { no, fully, about_y } turns = Turns::no;  // what is drawn turned to the camera
  bool is_joint = false;                                           // a skin needs its matrix when all nodes are placed
  std::optional<scene::Affine> bind;                               // from the space of skinned meshes to its own
};

/// The part of a matrix of which vertices follow the sum.
struct Influence {
  u16 bone;    // more than a model can have, until they are counted
  u16 weight;  // 1/256
  auto operator<=>(const Influence&) const = default;
};
/// What vertices follow: one bone, or a mix of several.
using VertexInfluences = std::vector<Influence>;

class Skeleton {
 public:
  /// Nodes that move, that skins follow, that turn to the camera or that state so (`bone`: true in their extras) become
  /// nodes of the model, with those above them; what hangs on others moves with the nearest that is one.
  explicit Skeleton(const scene::Scene&);
  const std::vector<Bone>& bones() const { return bones_; }
  /// Nodes that an export states the number of, and that have another one: animations of the game follow the numbers.
  struct RenumberedBone {
    u32 bone, before;
  };
  std::vector<RenumberedBone> list_renumbered_bones() const;
  /// Whether a bone has the transform of a node of the scene, and hangs on what that hangs on.
  bool has_own_node(u32 bone) const {
    return bones_[bone].node != scene::k_none && bone_of_[bones_[bone].node] == bone;
  }
  bool inherits_parent_transform(u32 bone) const;
  /// The node with the rotation and scale of a bone that is its own.
  scene::Index rotation_node(u32 bone) const {
    return bones_[bone].inner == scene::k_none ? bones_[bone].node : bones_[bone].inner;
  }
  /// The bone that a node of the scene moves with.
  u32 bone_of(scene::Index node) const { return bone_of_[node]; }
  /// Whether what it draws turns to the camera, as its bone says.
  bool is_billboard_node(scene::Index node) const { return is_turned_[node]; }
  /// Whether a bone and all that it hangs on in the scene are visible: at rest, and in an animation.
  bool is_visible(u32 bone) const;
  bool is_visible(u32 bone, const scene::Animation&, f64 time) const;
  const scene::Affine& node_transform(scene::Index node) const { return places_[node]; }
  /// From a node of the scene to the bone that it moves with. Also where that has a scale of 0.
  scene::Affine to_bone(scene::Index node) const;
  /// The bone of a joint of a skin; one of its own where another skin binds the joint in another way.
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
  std::vector<scene::Index> shows_;  // for each bone: the node whose visibility is its own
};

/// The transform of a node as a file has it: rotations as pivots where they are one, values that do nothing left out.
Node build_node(const std::string& name, const scene::Pose&);
fx32 to_fx32(f64);
/// The pivot that a rotation is, to the last digit; nothing if it is none.
struct Pivot {
  u8 index, negative, c_negative, d_negative;
  fx16 a, b;
};
std::optional<Pivot> find_pivot(const std::array<i16, 9>& rotation);
/// The nine elements of a rotation, column after column, in 1/4096.
std::array<i16, 9> to_rotation_elements(const scene::Vec4& quaternion);

}  // namespace dio::nitro
