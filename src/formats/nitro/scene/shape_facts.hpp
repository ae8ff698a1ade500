// shape_facts.hpp: what a model's header says of its display lists and its SBC, found out from them.
#pragma once
#include "formats/nitro/layout/model.hpp"

namespace dio::nitro {

struct ShapeFacts {
  u64 vertices = 0, triangles = 0, quads = 0;
  bool has_normal = false, has_color = false, has_texcoord = false, has_matrix = false;
  bool whole = true;  // the list could be read to its end
  void operator+=(const ShapeFacts&);
};
ShapeFacts facts_of(ByteView list);

/// 1 + the highest slot of the matrix stack that the SBC stores to; 0 where there is none.
u8 first_unused_slot(const std::vector<SbcCommand>&);

}  // namespace dio::nitro
