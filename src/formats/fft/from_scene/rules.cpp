// rules.cpp: rules for edited scenes that are applied to files.
#include "formats/contract/reporter.hpp"
#include "formats/fft/parts.hpp"

namespace dio::fft {

std::span<const Rule> from_scene_rules() {
  static constexpr Rule k_rules[] = {
      {"fft.scene-torn", Severity::hint,
       "in an edited scene, quads stay whole, and polygons that are split by an animated texture also stay whole",
       "In a scene, a quad consists of two triangles. If one triangle is deleted, or the triangles no longer meet, the "
       "remaining triangles are written as separate triangles. A polygon that is split by an animated texture consists "
       "of several pieces in the scene, but the file can store only the whole polygon.",
       "Move the vertices of both triangles of a quad together, and move all pieces of a split polygon together.",
       "diorama's own rule", Severities{Severity::warning}},
      {"fft.scene-range", Cause::limit, "the positions and texture coordinates of an edited scene fit in the file",
       "The file stores positions as 16-bit numbers, and texture coordinates as 8-bit numbers within a texture page.",
       "Move the vertices back into the range that the message names.", "src/formats/fft/README.md#editing"},
      {"fft.scene-missing", Severity::hint,
       "every polygon of the file is in the edited scene, or was deleted in the scene",
       "A missing polygon is removed from the file if the rest of its mesh is in the scene. Polygons without an area "
       "are not removed from the file, because many programs drop such polygons from scenes.",
       "Restore the polygons in the scene, or remove them from the file with {edit ORIGINAL remove-polygons}.",
       "diorama's own rule", Severities{Severity::warning}},
      {"fft.scene-removed", Severity::hint, "polygons deleted in the scene are removed from the file",
       "The polygons after a removed polygon are renumbered and keep their render properties and tiles. References to "
       "polygons by number, such as those of texture animations, are not updated.",
       "If the polygons were only hidden or not exported, export the scene again and include the polygons.",
       "diorama's own rule", Severities{Severity::warning}},
      {"fft.scene-copy", Severity::hint, "new faces of a scene become polygons of the file",
       "A scene does not show the tile and render word of a polygon, so a new polygon copies them from its original. "
       "If several polygons could be the original, the new polygon is bound to no tile and uses the default render "
       "word.",
       "Check the tile and render word of the new polygon.", "diorama's own rule", Severities{Severity::warning}},
      {"fft.scene-moved", Severity::hint, "each polygon of an edited scene matches exactly one polygon of the file",
       "3D programs drop or reorder the data that identifies polygons, so diorama can compare only positions, texels "
       "and palettes. Several polygons may be equal in all three.",
       "Check the tile and render word of each polygon that the message names.", "diorama's own rule"},
      {"fft.scene-terrain", Severity::hint,
       "the corners of an edited tile have at most two heights and form one of the game's slopes",
       "Raising or lowering corners in the scene changes the height and slope of a tile. A tile has one of the game's "
       "slopes, in whole steps of 12 units, and cannot move sideways.",
       "Move the corners of the tile up or down by whole steps of 12 units. Do not raise only two opposite corners.",
       "src/formats/fft/README.md#mesh-files", Severities{Severity::warning}},
      {"fft.scene-limit", Cause::limit,
       "with the new faces of an edited scene, the polygons of the file still fit in the game's arrays",
       "The game has room for 360 textured triangles, 710 textured quads, 64 untextured triangles and 256 untextured "
       "quads in all meshes together. If a map has more polygons, the game writes past the end of its arrays.",
       "Delete other polygons of the map, or add fewer new faces.", "src/formats/fft/README.md#editing"},
      {"fft.scene-new", Severity::hint,
       "each new face of a scene has one of the materials of the file, and no copied face is at the position of its "
       "original",
       "For each textured polygon, the file stores only a palette number, so it cannot store new materials. The file "
       "also cannot store points or lines.",
       "Give each new face one of the materials \"palette 0\" to \"palette 15\" or \"untextured\", and move copied "
       "faces away from their originals.",
       "diorama's own rule", Severities{Severity::warning}},
      {"fft.scene-rounded", Severity::warning,
       "edited vertices have whole-number coordinates, and their texture coordinates are at most 255",
       "The file stores coordinates as whole numbers, so fractional coordinates are rounded.",
       "If the rounding matters, move the vertices to whole units.", "src/formats/fft/README.md#editing"},
      {"fft.scene-material", Severity::warning, "each polygon of an edited scene has one of the file's materials",
       "The file stores only the palette number of each polygon.",
       "Change the palette of the polygon with {edit ORIGINAL set-polygons palette=N}.",
       "src/formats/fft/README.md#editing"},
      {"fft.scene-colors", Severity::warning, "the vertex colours of an edited scene match the lights of the file",
       "The game computes vertex colours from lights and normals; the file stores no vertex colours.",
       "Change the lights with {edit ORIGINAL set-light}.", "src/formats/fft/README.md#light"},
      {"fft.scene-flattened", Severity::hint, "no node of an edited scene has a scale of 0",
       "Some programs hide a mesh by setting its scale to 0. diorama ignores the transform of a node with scale 0.",
       "Export the scene with node visibility, or ignore this message: the polygons of the hidden mesh keep their "
       "positions in the file.",
       "diorama's own rule"},
  };
  return k_rules;
}

}  // namespace dio::fft
