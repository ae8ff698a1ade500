// primitive_runs.hpp: converts triangles to strips and quads, which need fewer vertices.
#pragma once
#include <functional>
#include <span>
#include <vector>

#include "core/bytes.hpp"

namespace dio::scene {

/// Vertices that are drawn as one list or strip.
struct PrimitiveRun {
  enum Kind : u8 { triangles, quads, triangle_strip, quad_strip } kind;
  std::vector<u32> vertices;
};

/// `triangles`: three vertices each, counterclockwise; equal numbers are the same vertex. `is_quad` returns whether
/// four vertices in order can be drawn as one polygon; null: never. Leaves out triangles with two equal vertices.
std::vector<PrimitiveRun> build_primitive_runs(std::span<const u32> triangles,
                                               const std::function<bool(const std::array<u32, 4>&)>& is_quad);

}  // namespace dio::scene
