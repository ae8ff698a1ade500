// rules.cpp: what is said of edited scenes that are applied to files.
#include "formats/contract/reporter.hpp"
#include "formats/fft/parts.hpp"

namespace dio::fft {

std::span<const Rule> from_scene_rules() {
  static constexpr Rule k_rules[] = {
      {"fft.scene-torn", Severity::hint,
       "quads are whole in edited scenes, and so are polygons that animated textures cut",
       "A scene shows a quad as two triangles. Where one of them was deleted, or both no longer meet, what is left "
       "becomes "
       "triangles of the file. A polygon that an animated texture cuts is shown in pieces; the file has it only as a "
       "whole.",
       "Move vertices of both triangles together, and all pieces of a polygon.", "diorama",
       Severities{Severity::warning}},
      {"fft.scene-range", Cause::limit, "edited positions and texture coordinates fit into the file",
       "Positions are 16-bit numbers, texture coordinates 8-bit numbers within a page.",
       "Move the vertices back into the range that the message names.", "specification 1.5; dec"},
      {"fft.scene-missing", Severity::hint, "an edited scene has all polygons of the file, or they were deleted there",
       "Polygons are removed from the file if the rest of their mesh is in the scene. Those without an area stay, as "
       "programs drop them.",
       "Restore the polygons in the scene, or remove them from the file with `dio edit FILE remove-polygons`.",
       "diorama", Severities{Severity::warning}},
      {"fft.scene-removed", Severity::hint, "polygons that were deleted in the scene are removed from the file",
       "Later polygons move up, with their render properties and tiles. What refers to polygons by number is "
       "unchanged.",
       "If the polygons were only hidden or not exported, export the scene with them.", "diorama",
       Severities{Severity::warning}},
      {"fft.scene-copy", Severity::hint, "new faces of a scene become polygons of the file",
       "What a scene does not show of a polygon is that of the one of which it is a copy. Several polygons may be the "
       "original.",
       "Check the tile and the render word of the new polygon.", "diorama", Severities{Severity::warning}},
      {"fft.scene-moved", Severity::hint, "it is known which polygons of a scene are which of the file",
       "Programs drop and reorder what names a polygon; places, texels and palettes are left.",
       "Check the tile and the render word of the polygon.", "diorama"},
      {"fft.scene-terrain", Severity::hint,
       "corners of edited tiles are at one height or at two, as the slopes of the game",
       "Tiles whose corners were raised or lowered in the scene get that height and slope. A tile has a height and one "
       "of "
       "the slopes of the game, in whole steps of 12 units; it cannot be moved to the side.",
       "Move corners up or down by whole steps; opposite corners cannot be high together.", "README.md, Terrain",
       Severities{Severity::warning}},
      {"fft.scene-limit", Cause::limit, "with new faces, the polygons of a file fit into the arrays of the game",
       "The game has room for 360 textured triangles, 710 textured quads, 64 untextured triangles and 256 untextured "
       "quads "
       "in all meshes; with more, it writes past the end of its arrays.",
       "Delete other polygons, or add fewer.", "specification 1.5; dec"},
      {"fft.scene-new", Severity::hint, "new faces have materials of the file, and are no copies in place",
       "The file stores the number of a palette, or that a polygon is untextured; it draws no points and no lines.",
       "Give new faces one of the materials palette 0 to palette 15 or untextured, and move copies away from their "
       "originals.",
       "diorama", Severities{Severity::warning}},
      {"fft.scene-rounded", Severity::warning,
       "edited vertices are at whole units and texels, and texels of a page end at 255",
       "The file stores whole numbers.", "Move the vertices to whole units if the difference matters.",
       "specification 1.5; dec"},
      {"fft.scene-material", Severity::warning, "each polygon of an edited scene has one of the file's materials",
       "For each polygon, the file stores only the number of its palette.",
       "Change the palette with `dio edit FILE set-polygons palette=N`.", "specification 1.5; dec"},
      {"fft.scene-colors", Severity::warning, "vertex colours of an edited scene match the lights of the file",
       "The game computes them from lights and normals; the file stores none.",
       "Change the lights with `dio edit FILE set-light`.", "specification 1.5; dec"},
      {"fft.scene-flattened", Severity::hint, "nodes of an edited scene have a scale other than 0",
       "Programs without node visibility hide a mesh with a scale of 0.",
       "Export with node visibility, or ignore the node: its polygons are taken from the file.", "diorama"},
  };
  return k_rules;
}

}  // namespace dio::fft
