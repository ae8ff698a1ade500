// new_props.hpp: prop models from parts of a scene.
#pragma once
#include <map>

#include "formats/platinum/from_scene/maps.hpp"

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
class NewProps {
 public:
  NewProps(const scene::Scene& s, const MapOptions& options) : s_(s), options_(options) {}
  /// Notes a prop that has a name; those without a mesh may be props of the game.
  void take(const SceneProp&);

  struct Made {
    std::vector<NewProp> props;
    Diagnostics notes;
  };
  /// All that were noted. Ids: those of nitro::make_model.
  Result<Made> make();
  /// Which of them a prop shows; nothing if no object of its name has a mesh.
  std::optional<size_t> model_of(const SceneProp&) const;
  /// Corrects the scale of a prop where the model has it already.
  void place(SceneProp&) const;

 private:
  /// A model that is to be made.
  struct Variant {
    std::string name;                       // of the prop in the scene
    std::array<i32, 4> turn{};              // its rotation, rounded
    std::optional<scene::Linear> is_baked;  // mirrored or skewed: the model has all of it
    scene::Index source = scene::k_none;    // the node that has the mesh
    scene::Vec4 rotation{0, 0, 0, 1};
    bool operator==(const Variant& o) const { return name == o.name && turn == o.turn && is_baked == o.is_baked; }
  };
  Variant variant_of(const SceneProp&) const;
  scene::Scene part_for(const Variant&) const;

  const scene::Scene& s_;
  const MapOptions& options_;
  std::vector<Variant> variants_;
  std::vector<SceneProp> taken_;
  std::map<size_t, Appearance> looks_;  // of variants
};

}  // namespace dio::platinum
