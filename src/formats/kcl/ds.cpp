// ds.cpp: DS files: what they share with Wii files, and how they differ.
#include "core/text_format.hpp"
#include "formats/contract/enum_names.hpp"
#include "formats/kcl/geometry.hpp"
#include "formats/kcl/parts.hpp"

namespace dio::kcl {

u16 flags_of(const DsPrism& p, bool mario_kart_ds) {
  if (!mario_kart_ds) return p.attribute;
  return u16(p.floor << 15 | p.wall << 14 | p.ignored_by_items << 13 | p.type << 8 | p.variant << 5 |
             p.ignored_by_drivers << 4 | p.light << 2 | p.map_shadow << 1 | p.unk_0);
}

void set_flags(DsPrism& p, u16 flags, bool mario_kart_ds) {
  if (!mario_kart_ds) {
    p.attribute = flags;
    return;
  }
  p.floor = flags >> 15 & 1, p.wall = flags >> 14 & 1, p.ignored_by_items = flags >> 13 & 1;
  p.type = ds_type_of(flags), p.variant = ds_variant_of(flags);
  p.ignored_by_drivers = flags >> 4 & 1, p.light = flags >> 2 & 3, p.map_shadow = flags >> 1 & 1, p.unk_0 = flags & 1;
}

std::string surface_of_ds(u16 flags) {
  const u8 type = ds_type_of(flags), variant = ds_variant_of(flags);
  const auto word = k_ds_variants[type].of(variant);
  return enum_name_or_number(k_ds_types, type) + ": " +
         (word.empty() ? "variant " + std::to_string(variant) : std::string(word));
}

Kcl to_wii_units(const DsKcl& ds) {
  Kcl k{};
  k.positions_offset = ds.positions_offset, k.normals_offset = ds.normals_offset;
  k.prisms_offset = ds.prisms_offset, k.octree_offset = ds.octree_offset;
  k.thickness = real(ds.thickness);
  k.area_min = ds.grid().area_min, k.area_mask = ds.area_mask;
  k.block_shift = ds.block_shift, k.x_shift = ds.x_shift, k.xy_shift = ds.xy_shift;
  const auto real3 = [](const auto& v) { return Vec3{f32(v.x.value()), f32(v.y.value()), f32(v.z.value())}; };
  for (const auto& p : ds.positions) k.positions.push_back(real3(p));
  for (const auto& n : ds.normals) k.normals.push_back(real3(n));
  for (const DsPrism& d : ds.prisms) {
    Prism p{};
    p.height = real(d.height);
    p.position = d.position, p.face_normal = d.face_normal;
    p.edge_a = d.edge_a, p.edge_b = d.edge_b, p.edge_c = d.edge_c;
    p.attribute = flags_of(d, ds.is_mario_kart_ds());
    k.prisms.push_back(p);
  }
  k.octree = ds.octree;
  return k;
}

}  // namespace dio::kcl
