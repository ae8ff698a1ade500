// compare.hpp: what two scenes draw differently: triangles, lines and points that were added, removed or changed.
#pragma once
#include "bridge/raster/pictures.hpp"

namespace dio::raster {

/// How many triangles, lines and points are how. One that is elsewhere or looks different is changed.
struct Differences {
  u64 same = 0, changed = 0, added = 0, removed = 0;
  bool any() const { return changed || added || removed; }
};

/// Two scenes in one: all that the second one draws, faded to grey where it is the same, yellow where it changed and
/// green where it is new; and of the first one what is gone, red, and where what moved has been, a shade of yellow.
/// Node 0 holds what is the same, node 1 the rest. Positions are those of the scenes.
struct Comparison {
  Differences found;
  scene::Scene marked;
};

/// Compares what is drawn, not how it is stored. Equal are faces with the same corners (up to a millionth of the size
/// of both scenes), texture coordinates, colours, normals if they are lit, and a material that looks the same. Of the
/// others, those with the same corners belong together; and those of nodes with the same extras (`path`, else the name)
/// that have the same `sources` in a primitive or, where primitives have as many faces, the same number. Units are
/// those of the first scene.
Comparison compare(const scene::Scene& a, const Pose& pose_a, const scene::Scene& b, const Pose& pose_b);

/// Both scenes and their comparison, seen from the same place: a camera that is placed shows all of both; one of a file
/// is that of the second scene or, if that has none of the name, of the first. What is hidden behind others shines
/// through in the third picture, and a frame is drawn around marks that are small. Ids: as render_picture.
struct ComparedPictures {
  scene::Image a, b, marked;
  Differences found;
  u64 differing_pixels = 0;  // of the first two pictures
  /// Faces can differ in what nobody sees, and lamps or backgrounds change what is drawn of equal ones.
  bool is_visible() const { return found.any() || differing_pixels; }
};
Result<ComparedPictures> render_comparison(const scene::Scene& a, const scene::Scene& b, const RenderOptions&);

/// The same of textures: those that differ in a row each (first, second, what changed), by name. Ids: render.size.
struct ComparedTextures {
  u64 same = 0, changed = 0, added = 0, removed = 0;  // pictures
  std::vector<LabelledImage> cells;                   // three for each row
};
ComparedTextures compare_textures(const std::vector<LabelledImage>& a, const std::vector<LabelledImage>& b);

/// Pictures of one size side by side, with a line of text below each, cut if it is too long.
scene::Image draw_labelled_row(const std::vector<LabelledImage>&, const SheetOptions&);

}  // namespace dio::raster
