// lighting.hpp: lights surfaces that are not unlit.
#pragma once
#include "bridge/raster/triangles.hpp"

namespace dio::raster {

/// The light that a lit surface reflects to the eye for each part of its colour and of its specular reflection: glTF
/// 2.0, appendix B, for a rough dielectric (roughness 1, metalness 0).
struct Lighting {
  scene::Vec3 diffuse{0, 0, 0}, shine{0, 0, 0};
};
/// At a position in eye space, where `normal` has length 1.
Lighting compute_lighting(const Triangles&, const scene::Vec3& normal, const scene::Vec3& position);

/// The normal of a triangle towards the eye, whatever the order of its vertices.
scene::Vec3 face_normal(const Vertex&, const Vertex&, const Vertex&);

/// Linear RGBA at the vertices of a triangle, including the colour of its material, lit if the material is lit:
/// consoles compute light for vertices, not for pixels.
std::array<scene::Vec4, 3> lit_vertex_colors(const Triangles&, const Triangle&, const Surface&);

}  // namespace dio::raster
