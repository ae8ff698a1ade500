// octree_extent.cpp: finds the end of an octree, which the file does not state.
#include "formats/kcl/layout.hpp"

namespace dio::kcl {

namespace {

u32 read_number(ByteView b, u64 at, size_t size, std::endian order) {
  u32 n = 0;
  for (size_t i = 0; i < size; ++i) n = n << 8 | b[size_t(at) + (order == std::endian::big ? i : size - 1 - i)];
  return n;
}
/// The position of the 0 that ends the list; nothing if the list does not end.
std::optional<u64> find_list_end(ByteView b, u64 at) {
  while (at + 2 <= b.size() && (b[size_t(at)] || b[size_t(at) + 1])) at += 2;
  return at + 2 <= b.size() ? std::optional(at) : std::nullopt;
}

}  // namespace

u64 Grid::root_cell_count() const {
  const auto last = [&](u32 mask) { return block_shift < 32 ? u64(u32(~mask)) >> block_shift : 0; };
  const auto shifted = [](u64 n, u32 by) { return by < 32 ? n << by : n; };
  return (shifted(last(area_mask.z), xy_shift) | shifted(last(area_mask.y), x_shift) | last(area_mask.x)) + 1;
}

OctreeExtent measure_octree(ByteView bytes, const Grid& grid, std::endian order) {
  // Visits all blocks that nodes lead to, each once. Lists follow the blocks; the last referenced list is the end.
  const u64 end = bytes.size();
  std::vector<bool> seen(size_t(end / 4 + 1));
  std::vector<u64> blocks{0};
  u64 nodes_end = 0;
  std::vector<u64> lists;
  for (u64 count = std::min(grid.root_cell_count(), end); !blocks.empty(); count = 8) {
    const u64 block = blocks.back();
    blocks.pop_back();
    for (u64 at = block; at < block + 4 * count && at + 4 <= end; at += 4) {
      nodes_end = std::max(nodes_end, at + 4);
      const u32 node = read_number(bytes, at, 4, order);
      const u64 to = block + (node & 0x7FFFFFFF);
      if (node >> 31) {
        if (to % 2 == 0) lists.push_back(to + 2);
      } else if (to % 4 == 0 && to + 4 <= end && !seen[size_t(to / 4)]) {
        seen[size_t(to / 4)] = true;
        blocks.push_back(to);
      }
    }
  }
  std::sort(lists.begin(), lists.end());
  std::optional<u64> last;  // 0 of the last list that ends
  // no list before an unterminated one can end after it
  ByteView before = bytes;
  for (auto i = lists.rbegin(); i != lists.rend() && !last; ++i) {
    last = find_list_end(before, *i);
    before = before.first(size_t(std::min<u64>(*i, before.size())));
  }
  OctreeExtent extent{nodes_end / 4, 0};
  for (u64 at = nodes_end; last && at <= *last; ++extent.lists) at = *find_list_end(bytes, at) + 2;
  return extent;
}

}  // namespace dio::kcl
