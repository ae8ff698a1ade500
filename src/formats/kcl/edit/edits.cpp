// edits.cpp: edits by name.
#include "formats/contract/arguments.hpp"
#include "formats/contract/reporter.hpp"
#include "formats/kcl/facts.hpp"
#include "formats/kcl/parts.hpp"

namespace dio::kcl {

namespace {

using Done = Result<std::string>;

u64 bytes_of(const Octree& octree) {
  u64 n = 4 * u64(octree.nodes.size());
  for (const PrismList& l : octree.lists) n += 2 * u64(l.prisms.size());
  return n;
}

const Kcl& ours(const Kcl& k) { return k; }
Kcl ours(const DsKcl& ds) { return in_our_numbers(ds); }

template <class File>
Done rebuild_octree(AnyDocument& d, std::span<const Argument> all) {
  Arguments a(all);
  const OctreeOptions options = octree_options(a);
  if (!a.done()) return refuse(std::move(*a.problem));
  File& file = edit_of<File>(d);
  const u64 before = bytes_of(file.octree);
  if (auto built = build_octree(file, options); !built) return refuse(std::move(built.error()));
  u64 cells = 0, most = 0;
  const auto& k = ours(file);
  OctreeView(k).each_cell([&](const Cell&, std::span<const u16> list) {
    ++cells;
    most = std::max<u64>(most, list.size());
  });
  return text("rebuilt the octree: ", cells, " cells, at most ", most, " triangles in one, ", bytes_of(file.octree),
              " bytes (were ", before, ")");
}

/// Whether prisms have other numbers, or can be hit from elsewhere.
bool are_elsewhere(const Kcl& was, const Kcl& is) {
  if (was.prisms.size() != is.prisms.size() || !(depths_of(was) == depths_of(is))) return true;
  for (size_t i = 0; i < is.prisms.size(); ++i) {
    const auto before = triangle_of(was, was.prisms[i]), after = triangle_of(is, is.prisms[i]);
    if (before != after) return true;
    if (after && point_of(was.normals[was.prisms[i].face_normal]) != point_of(is.normals[is.prisms[i].face_normal]))
      return true;
  }
  return false;
}
template <class File>
bool is_octree_due(const AnyDocument& was, const AnyDocument& is) {
  return are_elsewhere(ours(value_of<File>(was)), ours(value_of<File>(is)));
}

constexpr std::string_view k_made[] = {"octree", "area_min", "area_mask", "block_shift", "x_shift", "xy_shift"};
template <class File>
constexpr Edit k_edits[] = {
    {"rebuild-octree", "[triangles=N] [cell=UNITS]",
     "Builds the octree again for the prisms that are there. Cells with more than N triangles (30) are split, down "
     "to a size of UNITS (512). Other edits that add, remove or move prisms do so by themselves.",
     rebuild_octree<File>, is_octree_due<File>, k_made},
};

}  // namespace

std::span<const Edit> edits() { return k_edits<Kcl>; }
std::span<const Edit> ds_edits() { return k_edits<DsKcl>; }

}  // namespace dio::kcl
