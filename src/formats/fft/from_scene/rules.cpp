// rules.cpp: rules for edited scenes that are applied to files.
#include "formats/contract/reporter.hpp"
#include "formats/fft/parts.hpp"

namespace dio::fft {

std::span<const Rule> from_scene_rules() {
  static constexpr Rule k_rules[] = {
      {"fft.scene-torn", Severity::hint,
       "in an edited scene, quads stay whole, and so do polygons that an animated texture cuts",
       "A scene shows a quad as two triangles. If one triangle is deleted or the two no longer meet, the rest is "
       "written as triangles. A polygon cut by an animated texture is shown in pieces, but the file can store it only "
       "as a whole.",
       "Move the vertices of both triangles together, and move all pieces of a polygon together.", "diorama's own rule",
       Severities{Severity::warning}},
      {"fft.scene-range", Cause::limit, "edited positions and texture coordinates fit in the file",
       "Positions are 16-bit numbers. Texture coordinates are 8-bit numbers within a page.",
       "Move the vertices back into the range that the message names.", "src/formats/fft/README.md#editing"},
      {"fft.scene-missing", Severity::hint, "every polygon of the file is in the edited scene or was deleted there",
       "A missing polygon is removed from the file if the rest of its mesh is in the scene. Polygons without an area "
       "stay, because many programs drop them.",
       "Restore the polygons in the scene, or remove them from the file with {edit ORIGINAL remove-polygons}.",
       "diorama's own rule", Severities{Severity::warning}},
      {"fft.scene-removed", Severity::hint, "polygons deleted in the scene are removed from the file",
       "Later polygons are renumbered and keep their render properties and tiles. Other references to polygons by "
       "number are not updated.",
       "If the polygons were only hidden or not exported, export the scene again and include the polygons.",
       "diorama's own rule", Severities{Severity::warning}},
      {"fft.scene-copy", Severity::hint, "new faces of a scene become polygons of the file",
       "A scene does not show the tile and render word of a polygon, so a new polygon copies them from its original. "
       "If several polygons could be the original, the new polygon is bound to no tile and uses the default render "
       "word.",
       "Check the tile and render word of the new polygon.", "diorama's own rule", Severities{Severity::warning}},
      {"fft.scene-moved", Severity::hint, "each polygon of a scene matches exactly one polygon of the file",
       "Programs drop and reorder the data that identifies polygons, so only positions, texels and palettes can be "
       "compared.",
       "Check the tile and render word of the polygon.", "diorama's own rule"},
      {"fft.scene-terrain", Severity::hint,
       "the corners of an edited tile have at most two heights and form one of the game's slopes",
       "Raising or lowering corners in the scene changes the height and slope of a tile. A tile has one of the game's "
       "slopes, in whole steps of 12 units, and cannot move sideways.",
       "Move corners up or down by whole steps. Do not raise only two opposite corners.",
       "src/formats/fft/README.md#mesh-files", Severities{Severity::warning}},
      {"fft.scene-limit", Cause::limit, "the polygons of a file fit in the game's arrays even with the new faces",
       "The game has room for 360 textured triangles, 710 textured quads, 64 untextured triangles and 256 untextured "
       "quads in all meshes together. With more, it writes past the end of its arrays.",
       "Delete other polygons, or add fewer.", "src/formats/fft/README.md#editing"},
      {"fft.scene-new", Severity::hint,
       "each new face has a material of the file, and no copy stays at the position of its original",
       "For the material of a polygon, the file stores only a palette number, or that the polygon is untextured. It "
       "cannot store points or lines.",
       "Give each new face one of the materials \"palette 0\" to \"palette 15\" or \"untextured\", and move copies "
       "away from their originals.",
       "diorama's own rule", Severities{Severity::warning}},
      {"fft.scene-rounded", Severity::warning,
       "edited vertices have whole coordinates, and texture coordinates are at most 255",
       "The file stores whole numbers, so other values are rounded.",
       "Move the vertices to whole units if the difference matters.", "src/formats/fft/README.md#editing"},
      {"fft.scene-material", Severity::warning, "each polygon of an edited scene has one of the file's materials",
       "The file stores only the palette number of each polygon.",
       "Change the palette with {edit ORIGINAL set-polygons palette=N}.", "src/formats/fft/README.md#editing"},
      {"fft.scene-colors", Severity::warning, "vertex colours of an edited scene match the lights of the file",
       "The game computes vertex colours from lights and normals; the file stores none.",
       "Change the lights with {edit ORIGINAL set-light}.", "src/formats/fft/README.md#light"},
      {"fft.scene-flattened", Severity::hint, "no node of an edited scene has a scale of 0",
       "Some programs hide a mesh by setting its scale to 0. The transform of such a node is ignored.",
       "Export with node visibility, or ignore this message: the polygons keep their positions in the file.",
       "diorama's own rule"},
  };
  return k_rules;
}

}  // namespace dio::fft
