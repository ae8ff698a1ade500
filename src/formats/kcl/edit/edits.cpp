// edits.cpp: named edits of collision files.
#include "formats/contract/arguments.hpp"
#include "formats/contract/reporter.hpp"
#include "formats/kcl/geometry.hpp"
#include "formats/kcl/parts.hpp"

namespace dio::kcl {

namespace {

using Done = Result<std::string>;

u64 octree_byte_size(const Octree& octree) {
  u64 n = 4 * u64(octree.nodes.size());
  for (const PrismList& l : octree.lists) n += 2 * u64(l.prisms.size());
  return n;
}

const Kcl& as_wii_collision(const Kcl& k) { return k; }
Kcl as_wii_collision(const DsKcl& ds) { return to_wii_units(ds); }

template <class File>
Done rebuild_octree(AnyDocument& d, std::span<const Argument> all) {
  Arguments a(all);
  const OctreeOptions options = parse_octree_options(a);
  if (!a.done()) return refuse(std::move(*a.problem));
  File& file = edit_of<File>(d);
  const u64 before = octree_byte_size(file.octree);
  if (auto built = build_octree(file, options); !built) return refuse(std::move(built.error()));
  u64 cells = 0, most = 0;
  const auto& k = as_wii_collision(file);
  OctreeView(k).for_each_cell([&](const Cell&, std::span<const u16> list) {
    ++cells;
    most = std::max<u64>(most, list.size());
  });
  return text("rebuilt the octree: ", cells, " cells, at most ", most, " triangles in a cell, ",
              octree_byte_size(file.octree), " bytes (was ", before, ")");
}

/// Whether prisms have new numbers or can be hit from other positions.
bool have_prisms_moved(const Kcl& was, const Kcl& is) {
  if (was.prisms.size() != is.prisms.size() || !(hit_depths(was) == hit_depths(is))) return true;
  for (size_t i = 0; i < is.prisms.size(); ++i) {
    const auto before = compute_prism_triangle(was, was.prisms[i]), after = compute_prism_triangle(is, is.prisms[i]);
    if (before != after) return true;
    if (after && point_of(was.normals[was.prisms[i].face_normal]) != point_of(is.normals[is.prisms[i].face_normal]))
      return true;
  }
  return false;
}
template <class File>
bool is_octree_stale(const AnyDocument& was, const AnyDocument& is) {
  return have_prisms_moved(as_wii_collision(value_of<File>(was)), as_wii_collision(value_of<File>(is)));
}

constexpr std::string_view k_made[] = {"octree", "area_min", "area_mask", "block_shift", "x_shift", "xy_shift"};
constexpr Parameter k_rebuild_octree_parameters[] = {optional("triangles", "N", ParameterKind::integer),
                                                     optional("cell", "UNITS", ParameterKind::number)};

template <class File>
constexpr Edit k_edits[] = {
    {"rebuild-octree", k_rebuild_octree_parameters,
     "Rebuilds the octree for the current prisms. Cells with more than N triangles (default 30) are split, down to a "
     "size of UNITS (default 512). Other edits that add, remove or move prisms rebuild it automatically.",
     rebuild_octree<File>, is_octree_stale<File>, k_made},
};

}  // namespace

std::span<const Edit> edits() { return k_edits<Kcl>; }
std::span<const Edit> ds_edits() { return k_edits<DsKcl>; }

}  // namespace dio::kcl
