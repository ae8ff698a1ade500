// lighting.hpp: light on surfaces that are not unlit.
#pragma once
#include "bridge/raster/triangles.hpp"

namespace dio::raster {

/// Light that a lit surface sends to the eye for each part of its colour and of its shine: glTF 2.0, appendix B, for a
/// rough dielectric (roughness 1, metalness 0).
struct Lighting {
  scene::Vec3 diffuse{0, 0, 0}, shine{0, 0, 0};
};
/// At a place in the eye's space, where `normal` has length 1.
Lighting compute_lighting(const Triangles&, const scene::Vec3& normal, const scene::Vec3& position);

/// At right angles to a triangle, towards the eye, whichever way around its vertices are.
scene::Vec3 face_normal(const Vertex&, const Vertex&, const Vertex&);

/// Linear RGBA at the vertices of a triangle, the colour of its material included, lit if it is lit: consoles compute
/// light for vertices, not for pixels.
std::array<scene::Vec4, 3> lit_vertex_colors(const Triangles&, const Triangle&, const Surface&);

}  // namespace dio::raster
