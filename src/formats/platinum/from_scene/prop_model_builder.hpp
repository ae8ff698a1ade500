// prop_model_builder.hpp: builds prop models from parts of a scene.
#pragma once
#include <map>

#include "formats/platinum/from_scene/land_map_builder.hpp"

namespace dio::platinum {

/// A prop model with its textures and animations.
struct NewProp {
  std::string name;  // at most 16 characters
  Bytes model;       // NSBMD without textures
  Bytes textures;    // NSBTX, or empty
  std::vector<Bytes> animations;
  bool is_deferred = false;  // the game starts the animations on demand, like those of doors
};

/// Nodes with the same text in the property `prop` share one model, built from the first node with a mesh. The game
/// places and scales props but does not rotate them, so each rotation gets its own model.
class PropModelBuilder {
 public:
  PropModelBuilder(const scene::Scene& s, const MapOptions& options) : s_(s), options_(options) {}
  /// Registers a named prop; a prop without a mesh may be a prop of the game.
  void add_prop(const SceneProp&);

  struct Made {
    std::vector<NewProp> props;
    Diagnostics notes;
  };
  /// Builds all registered props. Error ids: those of nitro::make_model.
  Result<Made> build();
  /// The index of the model for a prop; nothing if no object with its name has a mesh.
  std::optional<size_t> find_model_index(const SceneProp&) const;
  /// Corrects the scale of a prop if the model already includes it.
  void normalize_scale(SceneProp&) const;

 private:
  /// A model to build.
  struct Variant {
    std::string name;                      // name of the prop in the scene
    std::array<i32, 4> turn{};             // its rotation, rounded
    std::optional<scene::Mat3d> is_baked;  // mirrored or skewed transform, which the model includes
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
  std::map<size_t, TriangleFingerprints> looks_;  // fingerprints of variants
};

}  // namespace dio::platinum
