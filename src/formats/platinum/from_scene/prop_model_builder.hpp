// prop_model_builder.hpp: prop models from parts of a scene.
#pragma once
#include <map>

#include "formats/platinum/from_scene/land_map_builder.hpp"

namespace dio::platinum {

/// A prop model with what belongs to it.
struct NewProp {
  std::string name;  // at most 16 characters
  Bytes model;       // NSBMD without textures
  Bytes textures;    // NSBTX; empty: it has none
  std::vector<Bytes> animations;
  bool is_deferred = false;  // the game starts the animations when something happens: doors
};

/// Nodes with the property `prop` and the same text are one model: that of the first that has a mesh. The game turns no
/// props, so each rotation makes a model of its own; it places and scales them.
class PropModelBuilder {
 public:
  PropModelBuilder(const scene::Scene& s, const MapOptions& options) : s_(s), options_(options) {}
  /// Notes a prop that has a name; those without a mesh may be props of the game.
  void add_prop(const SceneProp&);

  struct Made {
    std::vector<NewProp> props;
    Diagnostics notes;
  };
  /// All that were noted. Ids: those of nitro::make_model.
  Result<Made> build();
  /// Which of them a prop shows; nothing if no object of its name has a mesh.
  std::optional<size_t> find_model_index(const SceneProp&) const;
  /// Corrects the scale of a prop where the model has it already.
  void normalize_scale(SceneProp&) const;

 private:
  /// A model that is to be made.
  struct Variant {
    std::string name;                      // of the prop in the scene
    std::array<i32, 4> turn{};             // its rotation, rounded
    std::optional<scene::Mat3d> is_baked;  // mirrored or skewed: the model has all of it
    scene::Index source = scene::k_none;   // the node that has the mesh
    scene::Vec4 rotation{0, 0, 0, 1};
    bool operator==(const Variant& o) const { return name == o.name && turn == o.turn && is_baked == o.is_baked; }
  };
  Variant compute_variant(const SceneProp&) const;
  scene::Scene extract_variant_scene(const Variant&) const;

  const scene::Scene& s_;
  const MapOptions& options_;
  std::vector<Variant> variants_;
  std::vector<SceneProp> taken_;
  std::map<size_t, TriangleFingerprints> looks_;  // of variants
};

}  // namespace dio::platinum
