#include "formats/nitro/scene/shape_facts.hpp"

#include <algorithm>

namespace dio::nitro {

void ShapeFacts::operator+=(const ShapeFacts& o) {
  vertices += o.vertices, triangles += o.triangles, quads += o.quads;
  has_normal |= o.has_normal, has_color |= o.has_color;
  has_texcoord |= o.has_texcoord, has_matrix |= o.has_matrix;
  whole &= o.whole;
}

ShapeFacts analyze_display_list(ByteView list) {
  ShapeFacts f;
  u32 primitive = 0;
  u64 corners = 0;  // of the run since begin
  const auto close = [&] {
    if (primitive == 0) f.triangles += corners / 3;
    if (primitive == 1) f.quads += corners / 4;
    if (primitive == 2 && corners > 2) f.triangles += corners - 2;
    if (primitive == 3 && corners > 3) f.quads += (corners - 2) / 2;
    corners = 0;
  };
  f.whole = for_each_gx_command(list, [&](u8 code, const u8* p) {
    switch (code) {
      case gx::begin:
        close();
        primitive = gx_read_word(p) & 3;
        break;
      case gx::normal:
        f.has_normal = true;
        break;
      case gx::color:
        f.has_color = true;
        break;
      case gx::texcoord:
        f.has_texcoord = true;
        break;
      case gx::mtx_restore:
        f.has_matrix = true;
        break;
      default:
        if (code >= gx::vtx_16 && code <= gx::vtx_diff) ++f.vertices, ++corners;
    }
  });
  close();
  return f;
}

u64 geometry_cycles(ByteView list, u32 lights) {
  u64 sum = 0;
  for_each_gx_command(list, [&](u8 code, const u8*) {
    sum += gx_cycles(code);
    if (code == gx::normal && lights > 1) sum += lights - 1;
  });
  return sum;
}

u64 geometry_cycles(const Model& m) {
  u64 sum = 0;
  u32 lights = 0;
  for (const SbcCommand& c : m.sbc) {
    if (c.code == sbc::mat && c.index < m.materials.size()) {
      const Material& x = m.materials[c.index];
      lights = u32(x.light_0 + x.light_1 + x.light_2 + x.light_3);
    }
    if (c.code == sbc::shp && c.index < m.shapes.size()) sum += geometry_cycles(m.shapes[c.index].list, lights);
    if (c.code == sbc::calldl) sum += geometry_cycles(c.list, lights);
  }
  return sum;
}

u8 first_unused_slot(const std::vector<SbcCommand>& commands) {
  u8 first = 0;
  for (const SbcCommand& c : commands) {
    const bool described = c.code == sbc::nodedesc || c.code == sbc::bb || c.code == sbc::bby;
    if (c.code == sbc::nodemix || (described && c.stores())) first = std::max(first, u8(c.store + 1));
  }
  return first;
}

}  // namespace dio::nitro
