// motion.hpp: what moves in a scene as what moves in a pack of v20 or later: skins with their clips
// (skins.cpp), animations of objects (motion.cpp). Specification: README.md, "From glTF".
#pragma once
#include <map>

#include "formats/splashpack/from_scene/parts.hpp"

namespace dio::splashpack {

/// Where nodes are while an animation plays.
class AnimationPlayer {
 public:
  /// `nodes`: rising, with all they hang on.
  AnimationPlayer(const scene::Scene&, const scene::Animation&, std::span<const Index> nodes);
  bool any() const { return first <= last; }
  /// From each of the nodes to the scene. A key at most `near` seconds away is used unchanged.
  void transforms_at(f64 time, f64 near, std::vector<Affine>& out) const;

  f64 first = HUGE_VAL, last = -HUGE_VAL;  // of the keys that move the nodes, in seconds

 private:
  struct AnimatedNode {
    const scene::Node* node;
    size_t parent;  // of the nodes; as many as there are: none
    std::array<const scene::Channel*, 3> channels{};
  };
  std::vector<AnimatedNode> moving_;
};

/// Nodes and all they hang on, rising.
std::vector<Index> with_ancestors(const scene::Scene&, std::span<const Index> nodes);

/// Skins and their clips by the numbers they had in the pack that a scene was made of.
using ClipNumbers = std::map<std::array<u32, 2>, std::array<u32, 2>>;

/// How the skins of a pack differ from those of the scene.
struct SkinCounts {
  size_t at_rest = 0;                   // meshes over the limit, which keep their rest pose
  size_t shared = 0;                    // vertices that follow several joints
  size_t beyond = 0;                    // joints over the limit
  size_t scaled = 0;                    // frames of bones that make things too large
  size_t more_clips = 0, too_long = 0;  // clips that are left out
  size_t renamed = 0;                   // clips
  std::string first_renamed;            // "OLD to NEW"
  void add_notes(Diagnostics& notes) const;
};

/// Meshes that follow joints become objects whose corners follow a bone each, if an animation moves the joints.
class SkinSectionBuilder {
 public:
  SkinSectionBuilder(const scene::Scene& s, std::span<const Affine> places, const MakeSettings& settings,
                     CoordinateRange& reach);

  /// Where the object of a mesh on a skin stands, unless a node of its own says so: where the node of the mesh is; at
  /// the top of a scene, where glTF wants it, what the joints hang on.
  Index find_object_frame(size_t mesh_node) const;
  /// What a mesh on a skin is as an object placed so: bones of its vertices, and where they are at rest. False if it
  /// has to stay as it is at rest: nothing moves it, or there are too many. `is_ours`: the scene was made of a pack.
  bool bind_skin(size_t mesh_node, Index frame, bool is_ours, MeshInstance&);
  /// The skin of the object that was placed last.
  void add_skin(u16 object, const scene::Node&, std::vector<std::array<u8, 3>> corner_bones);
  /// In the order they had in the pack that the scene was made of; new ones last.
  std::vector<Skin> take_skins(Diagnostics& notes);

  /// Which animations of the scene have become clips.
  const std::vector<bool>& used() const { return used_; }
  /// Whether one of them is a clip of this object.
  bool is_clip(u16 object, Index animation) const { return of_object_.contains({object, animation}); }
  const ClipNumbers& clips() const { return clips_; }

 private:
  struct Skeleton {
    std::string name;            // of the mesh's node
    std::vector<Index> joints;   // of each bone
    std::vector<Affine> binds;   // from the object's file to the joint
    std::vector<Index> nodes;    // joints with all they hang on
    std::vector<Index> places;   // of each bone: its joint in `nodes`
    std::vector<Index> motions;  // animations
    Affine to_object;            // from the scene
  };
  struct BuiltSkin {
    Skin skin;
    std::optional<f64> number;  // in the pack it comes from
    std::vector<std::optional<f64>> clips;
  };
  void add_clip(const scene::Animation&, const scene::Node& object, BuiltSkin&);
  void restore_kept_matrices(const scene::Animation&, size_t bones, std::vector<BoneMatrix>& frames);
  BoneMatrix to_bone_matrix(const Affine&, const std::string& where);

  const scene::Scene& s_;
  std::span<const Affine> places_;
  const MakeSettings& settings_;
  CoordinateRange& reach_;
  std::vector<std::vector<Index>> moved_by_;  // of each node: animations
  Skeleton now_;
  std::vector<BuiltSkin> made_;
  std::vector<bool> used_;
  std::set<std::pair<u16, Index>> of_object_;
  ClipNumbers clips_;
  u64 steps_ = 0, matrices_ = 0;
  SkinCounts counts_;
};

/// Animations of the scene that move, turn, show or hide objects, as animations of the pack, after those that it has.
/// Those of cutscenes and animations that the scene keeps in its extras are these. `objects`: the node of each.
void add_animations(const scene::Scene&, const MakeSettings&, std::span<const Index> objects, const SkinSectionBuilder&,
                    Pack&, Diagnostics& notes);

}  // namespace dio::splashpack
