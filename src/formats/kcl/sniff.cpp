// sniff.cpp: recognises collision files by their bytes.
#include <array>
#include <bit>

#include "formats/kcl/geometry.hpp"
#include "formats/kcl/parts.hpp"

namespace dio::kcl {

namespace {

using enum Sniff::Certainty;

u32 read_u32(ByteView b, size_t at, std::endian order) {
  u32 n = 0;
  for (size_t i = 0; i < 4; ++i) n = n << 8 | b[at + (order == std::endian::big ? i : 3 - i)];
  return n;
}

/// The file has no magic, so everything in its header must be consistent: the offsets and the parts between them,
/// masks, shifts and the size of the first level.
template <class T>
bool has_plausible_header(ByteView b) {
  if (b.size() < k_short_header) return false;
  const auto word = [&](size_t at) { return read_u32(b, at, T::k_order); };
  const u64 positions = word(0), normals = word(4), prisms = u64(word(8)) + k_prism_size, octree = word(12);
  if (positions != k_short_header && positions != k_long_header) return false;
  if (normals < positions || prisms < normals || octree < prisms || octree >= b.size()) return false;
  const u64 normal = wire_size<typename decltype(T::normals)::value_type>(0);
  if ((normals - positions) % 12 > 3 || (prisms - normals) % normal > 3 || (octree - prisms) % k_prism_size > 3)
    return false;
  T k{};
  if constexpr (std::is_same_v<T, Kcl>)
    for (size_t at = 16; at < 32; at += 4)
      if (!(std::abs(std::bit_cast<f32>(word(at))) < 1e8f)) return false;
  k.area_mask = {word(32), word(36), word(40)};
  k.block_shift = word(44), k.x_shift = word(48), k.xy_shift = word(52);
  Kcl grid{};
  grid.area_mask = k.area_mask, grid.block_shift = k.block_shift, grid.x_shift = k.x_shift, grid.xy_shift = k.xy_shift;
  return root_cell_counts(grid)[0] && 4 * k.grid().root_cell_count() <= b.size() - octree;
}

}  // namespace

Sniff sniff(ByteView bytes, std::string_view name) {
  if (has_plausible_header<Kcl>(bytes)) return {certain, "has consistent offsets, masks and shifts"};
  if (name.ends_with(".kcl")) return {possible, "has the extension .kcl"};
  return {};
}

Sniff sniff_ds(ByteView bytes, std::string_view) {
  return has_plausible_header<DsKcl>(bytes) ? Sniff{certain, "has consistent offsets, masks and shifts"} : Sniff{};
}

}  // namespace dio::kcl
