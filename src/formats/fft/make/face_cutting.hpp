// face_cutting.hpp: joins the triangles of a scene to quads, and cuts faces at the borders of tiles and of repeated
// pictures.
#pragma once
#include <array>
#include <vector>

#include "formats/fft/make/scene_faces.hpp"
#include "scene/scene.hpp"

namespace dio::fft {

/// Joins triangles of one kind with a common edge to quads, where these are flat and convex, or exactly cover a tile as
/// seen from above. O(n log n).
std::vector<Face> join_to_quads(const std::vector<Face>& triangles);

/// The parts of a face between grid lines of the ground, `width` units apart. A face that is not flat, or whose texture
/// coordinates are not those of a plane, is first split into triangles.
std::vector<Face> cut_at_tiles(const Face&, f64 width, u32 across, u32 deep);

/// How a face shows a picture.
struct PictureUse {
  std::array<scene::Texture::Wrap, 2> wraps{};
  std::array<u32, 2> texels{1, 1};   // width and height of the picture
  std::array<u32, 2> repeats{1, 1};  // the most repetitions in one part
};
/// The parts of a face that show at most so many repetitions of its picture, with coordinates from 0. Less than half a
/// texel beyond a repetition does not count. Empty if there are more than `most` parts.
std::vector<Face> cut_at_repeats(const Face&, const PictureUse&, size_t most);

/// Convex polygons of more than four corners as quads and triangles.
std::vector<Face> split_to_quads(const Face&);

}  // namespace dio::fft
