// octree.cpp: octree lookups.
#include <cmath>

#include "formats/kcl/geometry.hpp"

namespace dio::kcl {

namespace {

u64 count_cells_along(u32 mask, u32 shift) {
  const u32 last = ~mask;
  if (shift > 31 || (last & (last + 1)) != 0) return 0;  // a mask is ones, then zeros
  return (u64(last) >> shift) + 1;
}

}  // namespace

std::array<u64, 3> root_cell_counts(const Kcl& k) {
  const std::array<u64, 3> n{count_cells_along(k.area_mask.x, k.block_shift),
                             count_cells_along(k.area_mask.y, k.block_shift),
                             count_cells_along(k.area_mask.z, k.block_shift)};
  const Point low = point_of(k.area_min);
  const bool is_finite = std::ranges::all_of(low, [](f64 x) { return std::abs(x) < 1e9; });
  const bool fits = is_finite && n[0] && n[1] && n[2] && k.x_shift < 32 && k.xy_shift < 32 &&
                    n[0] <= u64(1) << k.x_shift && n[1] << k.x_shift <= u64(1) << k.xy_shift;
  return fits ? n : std::array<u64, 3>{};
}

OctreeView::OctreeView(const Kcl& k) : kcl_(k) {
  size_t n = 0;
  for (const PrismList& l : k.octree.lists) n += l.prisms.size();
  numbers_.reserve(n);
  for (const PrismList& l : k.octree.lists) numbers_.insert(numbers_.end(), l.prisms.begin(), l.prisms.end());
}

std::optional<std::span<const u16>> OctreeView::list_at(u64 offset) const {
  if (offset < bytes_of_nodes() || (offset - bytes_of_nodes()) % 2) return {};
  const u64 first = (offset - bytes_of_nodes()) / 2;
  if (first >= numbers_.size()) return {};
  const auto from = numbers_.begin() + std::ptrdiff_t(first);
  const auto end = std::find(from, numbers_.end(), u16(0));
  if (end == numbers_.end()) return {};
  return std::span(from, end);
}

std::optional<OctreeView::Found> OctreeView::at(const Point& p) const& {
  std::array<u32, 3> cell{};
  const std::array<u32, 3> masks{kcl_.area_mask.x, kcl_.area_mask.y, kcl_.area_mask.z};
  const std::array<f32, 3> low{kcl_.area_min.x, kcl_.area_min.y, kcl_.area_min.z};
  for (size_t i = 0; i < 3; ++i) {
    const f32 from = f32(p[i]) - low[i];  // computed exactly as in the game: rounding decides about the cell
    if (!(std::abs(from) < 2147483648.0f)) return {};
    cell[i] = u32(i32(from));
    if (cell[i] & masks[i]) return {};
  }
  if (root_cell_counts(kcl_)[0] == 0) return {};
  u32 shift = kcl_.block_shift;
  u64 block = 0,
      index = u64(cell[2] >> shift) << kcl_.xy_shift | u64(cell[1] >> shift) << kcl_.x_shift | cell[0] >> shift;
  for (;;) {
    const u64 node = block / 4 + index;
    if (node >= kcl_.octree.nodes.size()) return {};
    const OctreeNode& n = kcl_.octree.nodes[size_t(node)];
    if (n.is_leaf) {
      const auto list = list_at(block + n.offset + 2);
      return list ? std::optional(Found{u32(node), *list}) : std::nullopt;
    }
    block += n.offset;
    if (shift == 0 || block % 4 || block >= bytes_of_nodes()) return {};
    --shift;
    index = (cell[0] >> shift & 1) | (cell[1] >> shift & 1) << 1 | (cell[2] >> shift & 1) << 2;
  }
}

bool OctreeView::for_each_cell(const OnCell& cell, const OnBroken& on_broken, const Box* within, u64& visits) const {
  const auto roots = root_cell_counts(kcl_);
  struct Block {
    u64 at;
    Point min;
    u32 shift;
  };
  std::vector<Block> blocks;
  if (roots[0]) blocks.push_back({0, point_of(kcl_.area_min), kcl_.block_shift});
  const auto report_broken = [&](u64 node, bool is_list) {
    if (on_broken) on_broken({u32(std::min<u64>(node, ~u32(0))), is_list});
  };
  const auto& nodes = kcl_.octree.nodes;
  while (!blocks.empty()) {
    const Block b = blocks.back();
    blocks.pop_back();
    const f64 size = std::ldexp(1.0, int(b.shift));
    const bool is_root = b.shift == kcl_.block_shift;
    const std::array<u64, 3> n = is_root ? roots : std::array<u64, 3>{2, 2, 2};
    std::array<u64, 3> first{}, last{};  // of the cells that touch the box
    for (size_t i = 0; i < 3; ++i) {
      const f64 low = within ? (within->min[i] - b.min[i]) / size : 0;
      const f64 high = within ? (within->max[i] - b.min[i]) / size : f64(n[i]);
      first[i] = u64(std::clamp(std::floor(low), 0.0, f64(n[i])));
      last[i] = u64(std::clamp(std::floor(high) + 1, 0.0, f64(n[i])));
    }
    for (u64 z = first[2]; z < last[2]; ++z)
      for (u64 y = first[1]; y < last[1]; ++y)
        for (u64 x = first[0]; x < last[0]; ++x) {
          if (!visits) return false;
          --visits;
          const u64 index = is_root ? z << kcl_.xy_shift | y << kcl_.x_shift | x : x | y << 1 | z << 2;
          const u64 node = b.at / 4 + index;
          if (node >= nodes.size()) {
            report_broken(node, false);
            return true;  // the rest of the first level is also missing
          }
          const Point min{b.min[0] + f64(x) * size, b.min[1] + f64(y) * size, b.min[2] + f64(z) * size};
          const u64 to = b.at + nodes[size_t(node)].offset;
          if (nodes[size_t(node)].is_leaf) {
            const auto list = list_at(to + 2);
            // numbers in lists cost less than nodes, but many cells may have one long list
            if (list) visits -= std::min<u64>(visits, list->size() / 8);
            if (list)
              cell({min, size, u32(node), kcl_.block_shift - b.shift}, *list);
            else
              report_broken(node, true);
          } else if (b.shift == 0 || to % 4 || to + 32 > bytes_of_nodes())
            report_broken(node, false);
          else
            blocks.push_back({to, min, b.shift - 1});
        }
  }
  return true;
}

}  // namespace dio::kcl
