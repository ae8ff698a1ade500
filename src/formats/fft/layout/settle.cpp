// settle.cpp: updates dependent values of a mesh file.
#include "formats/fft/layout/mesh.hpp"

namespace dio::fft {

void Mesh::settle() {
  if (!render_properties) return;
  using R = RenderProperties;
  const auto left = [&](size_t slots, auto kind) {
    return slots - std::min(slots, primary ? ((*primary).*kind).size() : 0);
  };
  R& r = *render_properties;
  r.unused_textured_triangles.resize(left(R::k_textured_triangles, &Geometry::textured_triangles), k_plain_render);
  r.unused_textured_quads.resize(left(R::k_textured_quads, &Geometry::textured_quads), k_plain_render);
  r.unused_untextured_triangles.resize(left(R::k_untextured_triangles, &Geometry::untextured_triangles),
                                       k_plain_render);
  r.unused_untextured_quads.resize(left(R::k_untextured_quads, &Geometry::untextured_quads), k_plain_render);
}

}  // namespace dio::fft
