// material_adder.hpp: adds triangles with new materials to the models of a file.
#pragma once
#include "formats/brres/layout/file.hpp"
#include "formats/contract/scenes.hpp"

namespace dio::brres {

/// Adds a shape for each node of the edited scene that has triangles with a material that no shape has, and the
/// materials and textures that these shapes need. `original`: the scene of the file before the edit.
void add_materials(Brres&, const scene::Scene& original, const scene::TriangleDifferences&, SceneImportResult&);

/// Enlarges the boxes of a bone and of its model so that they contain a position in the space of the bone.
void enlarge_boxes(Model&, u32 bone, const std::array<f32, 3>& position);

}  // namespace dio::brres
