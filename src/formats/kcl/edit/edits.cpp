// edits.cpp: edits by name.
#include "formats/contract/arguments.hpp"
#include "formats/contract/reporter.hpp"
#include "formats/kcl/facts.hpp"
#include "formats/kcl/parts.hpp"

namespace dio::kcl {

namespace {

using Done = Result<std::string>;

u64 bytes_of_octree(const Kcl& k) {
  u64 n = 4 * u64(k.octree.nodes.size());
  for (const PrismList& l : k.octree.lists) n += 2 * u64(l.prisms.size());
  return n;
}

Done rebuild_octree(AnyDocument& d, std::span<const Argument> all) {
  Arguments a(all);
  const OctreeOptions options = octree_options(a);
  if (!a.done()) return refuse(std::move(*a.problem));
  Kcl& k = edit_of<Kcl>(d);
  const u64 before = bytes_of_octree(k);
  if (auto built = build_octree(k, options); !built) return refuse(std::move(built.error()));
  u64 cells = 0, most = 0;
  OctreeView(k).each_cell([&](const Cell&, std::span<const u16> list) {
    ++cells;
    most = std::max<u64>(most, list.size());
  });
  return text("rebuilt the octree: ", cells, " cells, at most ", most, " triangles in one, ", bytes_of_octree(k),
              " bytes (were ", before, ")");
}

}  // namespace

std::span<const Edit> edits() {
  static constexpr Edit k_edits[] = {
      {"rebuild-octree", "[triangles=N] [cell=UNITS]",
       "Builds the octree again for the prisms that are there. Cells with more than N triangles (30) are split, down "
       "to a "
       "size of UNITS (512).",
       rebuild_octree},
  };
  return k_edits;
}

}  // namespace dio::kcl
