// shape_facts.hpp: computes the values in a model's header that depend on its display lists and SBC.
#pragma once
#include "formats/nitro/layout/model.hpp"

namespace dio::nitro {

inline constexpr u64 k_frame_polygons = 2048, k_frame_vertices = 6144;  // limits of the DS

struct ShapeFacts {
  u64 vertices = 0, triangles = 0, quads = 0;
  bool has_normal = false, has_color = false, has_texcoord = false, has_matrix = false;
  bool whole = true;  // the list could be read to its end
  void operator+=(const ShapeFacts&);
};
ShapeFacts analyze_display_list(ByteView list);

/// The cycles that the geometry engine needs for the commands of a list if it never waits; `lights`: the number of
/// lights that are on.
u64 geometry_cycles(ByteView list, u32 lights);
/// The cycles of all display lists that the SBC of a model sends.
u64 geometry_cycles(const Model&);

/// 1 + the highest slot of the matrix stack that the SBC stores to; 0 if it stores to none.
u8 first_unused_slot(const std::vector<SbcCommand>&);

}  // namespace dio::nitro
