// shape_editor.hpp: recompiles display lists of a model if an edited scene has other triangles. Everything else in the
// model stays. Rules: README.md, "Edited scenes".
#pragma once
#include "formats/contract/scenes.hpp"
#include "formats/nitro/layout/files.hpp"
#include "formats/nitro/scene/builder.hpp"
#include "scene/triangle_match.hpp"

namespace dio::nitro {

/// The scene of the models in a file, without animations and light, and the draws of its primitives.
struct ModelScene {
  scene::Scene scene;
  std::vector<DrawnPrimitive> drawn;
};
/// `textures`: textures of the models in addition to those in the file, or null.
ModelScene build_model_scene(const Nsbmd&, const Textures* textures = nullptr);

struct ShapeEditOptions {
  bool keeps_lit_colors = false;  // the edited scene has other colours on lit vertices
};
/// Writes `differences` from `original`, the scene of `source`, to `to`, a copy of `source`. Ids of notes: scene.place
/// (a shape cannot store a change and stays unchanged).
SceneImportResult write_triangles(Nsbmd& to, const Nsbmd& source, const ModelScene& original,
                                  const scene::TriangleDifferences& differences, ShapeEditOptions = {});
/// Writes differences from the scene that to_scene makes without options.
SceneImportResult write_triangles(Nsbmd&, const scene::TriangleDifferences&);

}  // namespace dio::nitro
