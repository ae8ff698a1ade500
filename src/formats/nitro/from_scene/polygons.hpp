// polygons.hpp: triangles as the polygons of the DS: strips and quads, which take fewer vertices and count as fewer
// polygons.
#pragma once
#include <functional>
#include <span>
#include <vector>

#include "core/bytes.hpp"

namespace dio::nitro {

/// What lies between BEGIN and END.
struct Run {
  enum Kind : u8 { triangles, quads, triangle_strip, quad_strip } kind;
  std::vector<u32> vertices;
};

/// `triangles`: three vertices each, counterclockwise; equal numbers are the same vertex. `is_quad` says whether four
/// vertices in order can be drawn as one polygon; null: none can. Triangles with two equal vertices are left out.
std::vector<Run> build_primitive_runs(std::span<const u32> triangles,
                                      const std::function<bool(const std::array<u32, 4>&)>& is_quad);

}  // namespace dio::nitro
