// info.cpp: summarizes a collision file in a dozen lines.
#include <map>

#include "formats/contract/enum_names.hpp"
#include "formats/kcl/geometry.hpp"
#include "formats/kcl/parts.hpp"

namespace dio::kcl {

namespace {

/// Values that files of both consoles have.
Value describe_collision(const Kcl& k, std::string_view game) {
  Value v = Value::object();
  v.add("game", game);
  v.add("prisms", u64(k.prisms.size()));
  v.add("positions", u64(k.positions.size()));
  v.add("normals", u64(k.normals.size()));
  const auto roots = root_cell_counts(k);
  v.add("cells_of_first_level", std::to_string(roots[0]) + " x " + std::to_string(roots[1]) + " x " +
                                    std::to_string(roots[2]) + " of " + std::to_string(u64(1) << (k.block_shift & 31)) +
                                    " units");
  u64 cells = 0, most = 0, splits = 0;
  OctreeView(k).for_each_cell([&](const Cell& c, std::span<const u16> prisms) {
    ++cells;
    most = std::max<u64>(most, prisms.size());
    splits = std::max<u64>(splits, c.splits);
  });
  v.add("cells", cells);
  v.add("deepest_cell", splits);
  v.add("most_prisms_in_a_cell", most);
  return v;
}
void add_types(Value& v, const std::map<u8, u64>& counts, const EnumNames& words) {
  if (counts.empty()) return;
  Value& types = v.add("types", Value::object());
  for (const auto& [type, n] : counts) types.add(enum_name_or_number(words, type), n);
}

}  // namespace

Value info(const Kcl& k) {
  Value v = describe_collision(k, k.is_mario_kart_wii() ? "Mario Kart Wii" : "another Wii game");
  if (!k.is_mario_kart_wii()) return v;
  std::map<u8, u64> counts;
  for (const Prism& p : k.prisms) ++counts[p.type];
  add_types(v, counts, k_types);
  return v;
}

Value info(const DsKcl& ds) {
  Value v = describe_collision(to_wii_units(ds), ds.is_mario_kart_ds() ? "Mario Kart DS" : "another DS game");
  if (!ds.is_mario_kart_ds()) return v;
  std::map<u8, u64> counts;
  for (const DsPrism& p : ds.prisms) ++counts[p.type];
  add_types(v, counts, k_ds_types);
  return v;
}

}  // namespace dio::kcl
