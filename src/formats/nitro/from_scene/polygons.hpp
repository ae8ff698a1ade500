// polygons.hpp: converts triangles to DS strips and quads, which need fewer vertices and count as fewer polygons.
#pragma once
#include <functional>
#include <span>
#include <vector>

#include "core/bytes.hpp"

namespace dio::nitro {

/// The vertices between BEGIN and END.
struct Run {
  enum Kind : u8 { triangles, quads, triangle_strip, quad_strip } kind;
  std::vector<u32> vertices;
};

/// `triangles`: three vertices each, counterclockwise; equal numbers are the same vertex. `is_quad` returns whether
/// four vertices in order can be drawn as one polygon; null: never. Leaves out triangles with two equal vertices.
std::vector<Run> build_primitive_runs(std::span<const u32> triangles,
                                      const std::function<bool(const std::array<u32, 4>&)>& is_quad);

}  // namespace dio::nitro
