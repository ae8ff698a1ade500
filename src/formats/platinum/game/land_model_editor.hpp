// land_model_editor.hpp: edits land models of an exported world in place: shapes with changed triangles are recompiled,
// everything else keeps its bytes.
#pragma once
#include "formats/platinum/game/exported_lands.hpp"

namespace dio::platinum {

class LandModelEditor {
 public:
  LandModelEditor(const GameTables&, const scene::Scene& edited);
  /// The model of a land in the edited scene. Everything below the model node belongs to the land, wherever it reaches;
  /// a new object below no land belongs to the land under its middle. Nothing if the model cannot hold the changes (new
  /// materials, positions out of range).
  std::optional<nitro::Nsbmd> edit(const ExportedLand&) const;

 private:
  /// The nodes of a land model, and new objects, relative to its root.
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
  std::vector<bool> apart_;      // nodes that stand for props or events
  std::vector<bool> in_a_land_;  // by node: it is a land or below one
};

}  // namespace dio::platinum
