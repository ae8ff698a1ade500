// land_model_editor.hpp: models of lands of an exported world that somebody edited, changed in place: shapes with other
// triangles are compiled again, all else keeps its bytes.
#pragma once
#include "formats/platinum/game/exported_lands.hpp"

namespace dio::platinum {

class LandModelEditor {
 public:
  LandModelEditor(const GameTables&, const scene::Scene& edited);
  /// The model of a land as the edited scene has it. What is drawn below the model of the land belongs to it, wherever
  /// it reaches; new objects that are below no land belong to that on which their middle is. Nothing if the model
  /// cannot have all of it: new materials, positions out of range.
  std::optional<nitro::Nsbmd> edit(const ExportedLand&) const;

 private:
  /// The nodes of the model of a land and new objects, as seen from its root.
  struct LandScene {
    scene::Scene scene;
    std::vector<bool> parts;  // by node: its mesh is drawn with the model
  };
  std::optional<LandScene> isolate_land(const ExportedLand&) const;
  scene::Index find_model_root(const ExportedLand&) const;
  std::vector<scene::Index> find_new_objects(const ExportedLand&) const;
  std::shared_ptr<const nitro::Nsbtx> find_textures(const LandData&, u32 land) const;

  const GameTables& t_;
  const scene::Scene& s_;
  std::vector<scene::Affine> places_;
  std::vector<bool> apart_;      // what stands for something else: props, events
  std::vector<bool> in_a_land_;  // by node: it is a land or below one
};

}  // namespace dio::platinum
