// compare.hpp: compares the drawings of two scenes: added, removed and changed triangles, lines and points.
#pragma once
#include "bridge/raster/pictures.hpp"

namespace dio::raster {

/// The number of triangles, lines and points in each group. A face that moved or looks different counts as changed.
struct Differences {
  u64 same = 0, changed = 0, added = 0, removed = 0;
  bool any() const { return changed || added || removed; }
};

/// Two scenes in one: everything that the second one draws, faded to grey where equal, yellow where changed and green
/// where new; and from the first one, removed faces in red and the old positions of moved faces in a shade of yellow.
/// Node 0 holds equal faces, node 1 the rest. Positions are those of the scenes.
struct Comparison {
  Differences found;
  scene::Scene marked;
};

/// Compares drawings, not their storage. Faces are equal if they have the same corners (up to a millionth of the size
/// of both scenes), texture coordinates, colours, normals (if lit), and a material with the same look. Among the
/// others, faces with the same corners belong together; so do faces of nodes with the same extras (`path`, otherwise
/// the name) that have the same `sources` in a primitive or, if the primitives have equally many faces, the same index.
/// Units are those of the first scene.
Comparison compare(const scene::Scene& a, const Pose& pose_a, const scene::Scene& b, const Pose& pose_b);

/// Both scenes and their comparison, seen from the same position: a placed camera shows all of both; a camera of a file
/// is that of the second scene or, if it has none with this name, of the first. Hidden marks shine through in the third
/// picture, and small marks get a frame. Ids: as render_picture.
struct ComparedPictures {
  scene::Image a, b, marked;
  Differences found;
  u64 differing_pixels = 0;  // between the first two pictures
  /// Faces can differ invisibly, and lamps or backgrounds change how equal faces look.
  bool is_visible() const { return found.any() || differing_pixels; }
};
Result<ComparedPictures> render_comparison(const scene::Scene& a, const scene::Scene& b, const RenderOptions&);

/// Same, for textures: one row for each that differs (first, second, changes), by name. Ids: render.size.
struct ComparedTextures {
  u64 same = 0, changed = 0, added = 0, removed = 0;  // pictures
  std::vector<LabelledImage> cells;                   // three for each row
};
ComparedTextures compare_textures(const std::vector<LabelledImage>& a, const std::vector<LabelledImage>& b);

/// Pictures of one size side by side, with a line of text below each, cut if it is too long.
scene::Image draw_labelled_row(const std::vector<LabelledImage>&, const SheetOptions&);

}  // namespace dio::raster
