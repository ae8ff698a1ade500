// skeleton_builder.hpp: the bones of a model, and its matrices.
#pragma once
#include <map>

#include "formats/brres/layout/model.hpp"
#include "scene/math.hpp"
#include "scene/scene.hpp"

namespace dio::brres {

/// The nodes of a scene that belong to one model.
struct ModelNodes {
  scene::Index root = scene::k_none;  // of an exported model; none: the whole scene
  std::vector<bool> is_part;          // by node
};

/// A bone of a made model, and the nodes that move it.
struct MadeBone {
  std::string name;
  std::vector<scene::Index> nodes;  // from the first one below the parent bone to its own
  scene::Affine base;               // from the space of the first node's parent to that of the parent bone
  f64 units = 1;                    // game units for each unit of the scene
};

/// Bones are the joints of skins, nodes that were exported as bones, nodes that animations move, and empty nodes
/// without geometry below, which games find by name. The geometry of other nodes belongs to the nearest bone above.
class SkeletonBuilder {
 public:
  /// `units`: game units for each unit of the scene.
  SkeletonBuilder(const scene::Scene&, const ModelNodes&, f64 units);

  /// Adds all bones to the model. Without a bone for all geometry, the first one has the name of the model.
  void add_bones(Model&);
  /// The bone of a node: itself, or the nearest one above.
  u32 find_bone(scene::Index node) const;
  /// From the space of a node to that of its bone, in units.
  scene::Affine to_bone(scene::Index node) const;
  /// Whether a node is a bone with the same place as in the scene.
  bool is_exact_bone(scene::Index node) const;
  /// A point of the model, in units, in the space of a bone at rest.
  scene::Point from_model(u32 bone, const scene::Point&) const;
  /// From the scene to the model, without units.
  const scene::Affine& to_model() const { return to_model_; }

  /// The number of the matrix of a bone, or of a mix of several; weights are positive and add up to 1.
  u16 get_matrix(u32 bone);
  u16 get_matrix(std::vector<std::pair<u32, f32>> weights);
  /// Extends the boxes of a bone and of the model by a point in the space of the bone.
  void add_to_box(u32 bone, const scene::Point&);
  /// Extends the box of the model by a point in its space.
  void add_to_box(const scene::Point& at) { whole_.add(at); }
  /// Bones that could not have the place of their nodes, because that is skewed.
  u64 skewed() const { return skewed_; }
  /// Fills in the table of matrices, the programs NodeTree and NodeMix, and boxes. Returns the final number of each
  /// matrix.
  std::vector<u16> finish(Model&) const;
  /// The bones that are nodes; the model has their final names.
  std::vector<MadeBone> list_bones(const Model&) const;

 private:
  void mark_bones();
  /// The transform of a node to its parent, or to the model for a node that is not below an exported root, in units.
  scene::Affine local(scene::Index node) const;

  const scene::Scene& s_;
  const ModelNodes& nodes_;
  const f64 units_;
  scene::Affine to_model_;
  std::vector<bool> is_loose_top_;              // by node: a top node outside the exported model
  std::vector<scene::Affine> places_;           // of nodes, in the model, in units
  std::vector<bool> is_bone_, has_mesh_below_;  // by node
  std::map<scene::Index, u32> bones_;
  bool has_own_root_ = false;         // the first bone is no node
  std::vector<scene::Affine> rests_;  // of bones
  std::vector<i32> parents_;
  std::map<std::vector<std::pair<u32, f32>>, u16> matrices_;  // a bone alone, or a mix
  std::vector<std::vector<std::pair<u32, f32>>> in_order_;
  struct Box {
    scene::Point least{}, most{};
    bool is_empty = true;
    void add(const scene::Point&);
  };
  std::vector<Box> boxes_;
  Box whole_;
  u64 skewed_ = 0;
};

}  // namespace dio::brres
