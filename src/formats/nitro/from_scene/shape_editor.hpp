// shape_editor.hpp: display lists of a model, compiled again where an edited scene has other triangles. All else of the
// model stays. Rules: README.md, "Edited scenes".
#pragma once
#include "formats/contract/scenes.hpp"
#include "formats/nitro/layout/files.hpp"
#include "formats/nitro/scene/builder.hpp"
#include "scene/triangle_match.hpp"

namespace dio::nitro {

/// The scene of the models of a file, without animations and light, and the draws that its primitives show.
struct ModelScene {
  scene::Scene scene;
  std::vector<DrawnPrimitive> drawn;
};
/// `textures`: those of the models beside those of the file; null: none.
ModelScene build_model_scene(const Nsbmd&, const Textures* textures = nullptr);

struct ShapeEditOptions {
  bool keeps_lit_colors = false;  // the edited scene has other colours where lights make them
};
/// `differences` from `original`, the scene of `source`, of which `to` is a copy. Ids of notes: scene.place (a change
/// that a shape cannot have; it stays as it is).
SceneImportResult write_triangles(Nsbmd& to, const Nsbmd& source, const ModelScene& original,
                                  const scene::TriangleDifferences& differences, ShapeEditOptions = {});
/// The same with the scene that to_scene makes without options.
SceneImportResult write_triangles(Nsbmd&, const scene::TriangleDifferences&);

}  // namespace dio::nitro
