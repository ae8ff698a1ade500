// motion.hpp: converts animations of a scene to a pack of v20 or later: skins with their clips (skins.cpp), animations
// of objects (motion.cpp). Specification: README.md, "From glTF".
#pragma once
#include <map>

#include "formats/splashpack/from_scene/parts.hpp"

namespace dio::splashpack {

/// The transforms of nodes during an animation.
class AnimationPlayer {
 public:
  /// `nodes`: in rising order, with their ancestors.
  AnimationPlayer(const scene::Scene&, const scene::Animation&, std::span<const Index> nodes);
  bool any() const { return first <= last; }
  /// From each of the nodes to the scene. A key at most `near` seconds away is used unchanged.
  void transforms_at(f64 time, f64 near, std::vector<Affine>& out) const;

  f64 first = HUGE_VAL, last = -HUGE_VAL;  // of the keys of these nodes, in seconds

 private:
  struct AnimatedNode {
    const scene::Node* node;
    size_t parent;  // index into the nodes; the number of nodes means none
    std::array<const scene::Channel*, 3> channels{};
  };
  std::vector<AnimatedNode> moving_;
};

/// Nodes and their ancestors, in rising order.
std::vector<Index> with_ancestors(const scene::Scene&, std::span<const Index> nodes);

/// Skins and their clips by their numbers in the original pack of a scene.
using ClipNumbers = std::map<std::array<u32, 2>, std::array<u32, 2>>;

/// Differences between the skins of a pack and those of the scene.
struct SkinCounts {
  size_t at_rest = 0;                   // meshes over the limit, which stay in the rest pose
  size_t shared = 0;                    // vertices that follow several joints
  size_t beyond = 0;                    // joints over the limit
  size_t scaled = 0;                    // frames in which bones scale too much
  size_t more_clips = 0, too_long = 0;  // omitted clips
  size_t renamed = 0;                   // clips
  std::string first_renamed;            // "OLD to NEW"
  void add_notes(Diagnostics& notes) const;
};

/// Skinned meshes become objects whose corners follow one bone each, if an animation moves the joints.
class SkinSectionBuilder {
 public:
  SkinSectionBuilder(const scene::Scene& s, std::span<const Affine> places, const MakeSettings& settings,
                     CoordinateRange& reach);

  /// The transform of the object of a skinned mesh, unless it has a node of its own: that of the mesh node or, at the
  /// top of a scene as glTF recommends, that of the parent of the joints.
  Index find_object_frame(size_t mesh_node) const;
  /// The bones and rest positions of the vertices of a skinned mesh in an object with this transform. False if the mesh
  /// must stay in the rest pose: nothing moves it, or there are too many. `is_ours`: the scene was made from a pack.
  bool bind_skin(size_t mesh_node, Index frame, bool is_ours, MeshInstance&);
  /// The skin of the last placed object.
  void add_skin(u16 object, const scene::Node&, std::vector<std::array<u8, 3>> corner_bones);
  /// In the order of the original pack; new skins last.
  std::vector<Skin> take_skins(Diagnostics& notes);

  /// Marks the animations of the scene that have become clips.
  const std::vector<bool>& used() const { return used_; }
  /// Whether one of them is a clip of this object.
  bool is_clip(u16 object, Index animation) const { return of_object_.contains({object, animation}); }
  const ClipNumbers& clips() const { return clips_; }

 private:
  struct Skeleton {
    std::string name;            // of the mesh's node
    std::vector<Index> joints;   // of each bone
    std::vector<Affine> binds;   // from the object's file to the joint
    std::vector<Index> nodes;    // joints with their ancestors
    std::vector<Index> places;   // for each bone: its joint in `nodes`
    std::vector<Index> motions;  // animations
    Affine to_object;            // from the scene
  };
  struct BuiltSkin {
    Skin skin;
    std::optional<f64> number;  // in the original pack
    std::vector<std::optional<f64>> clips;
  };
  void add_clip(const scene::Animation&, const scene::Node& object, BuiltSkin&);
  void restore_kept_matrices(const scene::Animation&, size_t bones, std::vector<BoneMatrix>& frames);
  BoneMatrix to_bone_matrix(const Affine&, const std::string& where);

  const scene::Scene& s_;
  std::span<const Affine> places_;
  const MakeSettings& settings_;
  CoordinateRange& reach_;
  std::vector<std::vector<Index>> moved_by_;  // for each node: animations
  Skeleton now_;
  std::vector<BuiltSkin> made_;
  std::vector<bool> used_;
  std::set<std::pair<u16, Index>> of_object_;
  ClipNumbers clips_;
  u64 steps_ = 0, matrices_ = 0;
  SkinCounts counts_;
};

/// Adds scene animations that move, rotate, show or hide objects to the animations of the pack. Excludes those that
/// cutscenes and animations in the extras of the scene stand for. `objects`: the node of each object.
void add_animations(const scene::Scene&, const MakeSettings&, std::span<const Index> objects, const SkinSectionBuilder&,
                    Pack&, Diagnostics& notes);

}  // namespace dio::splashpack
