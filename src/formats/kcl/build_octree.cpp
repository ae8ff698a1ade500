// build_octree.cpp: builds the octree of a file: finds the prisms that can be hit from each cell, and places nodes and
// lists.
#include <bit>
#include <cmath>
#include <limits>
#include <map>

#include "core/text_format.hpp"
#include "formats/contract/arguments.hpp"
#include "formats/contract/reporter.hpp"
#include "formats/kcl/geometry.hpp"
#include "formats/kcl/parts.hpp"

namespace dio::kcl {

namespace {

// The game truncates positions to whole units, towards 0, and computes with 32 bits.
constexpr f64 k_margin = 2;

/// Distinct lists. A list that is the end of another one shares its bytes.
class Lists {
 public:
  /// Adds a list; returns its number for `place`.
  u32 add_list(std::vector<u16> list) {
    std::ranges::reverse(list);
    return known_.try_emplace(std::move(list), u32(known_.size())).first->second;
  }
  /// The start of each list, counted in numbers, and all numbers.
  std::vector<u64> layout_lists(std::vector<PrismList>& out) const {
    std::vector<u64> at(known_.size());
    u64 end = 0;
    // Sorted by reversed numbers, a list that is the end of another one comes before it, so iterates from the back.
    std::vector<const std::pair<const std::vector<u16>, u32>*> order;
    for (const auto& entry : known_) order.push_back(&entry);
    const std::vector<u16>* holder = nullptr;
    u64 holder_end = 0;
    for (auto i = order.rbegin(); i != order.rend(); ++i) {
      const auto& [reversed, number] = **i;
      if (!holder || reversed.size() > holder->size() ||
          !std::equal(reversed.begin(), reversed.end(), holder->begin())) {
        PrismList list;
        list.prisms.assign(reversed.rbegin(), reversed.rend());
        list.prisms.push_back(0);
        end += list.prisms.size();
        out.push_back(std::move(list));
        holder = &reversed;
        holder_end = end - 1;  // the place of its 0
      }
      at[number] = holder_end - reversed.size();
    }
    return at;
  }

 private:
  std::map<std::vector<u16>, u32> known_;  // reversed
};

/// The next power of two, at least 1.
u32 ceil_log2(f64 length) { return u32(std::bit_width(u64(std::max(0.0, std::ceil(length) - 1)))); }

class OctreeBuilder {
 public:
  OctreeBuilder(Kcl& k, const OctreeOptions& o) : kcl_(k), options_(o), depths_(hit_depths(k)) {}

  Result<void> run() {
    if (!collect_prism_volumes()) return refuse(far_triangle_error());
    choose_area();
    subdivide_cells();
    if (nodes_.size() > options_.most_nodes)
      return refuse(make_diagnostic(
          "kcl.build-octree", {},
          {.message = "the octree would have more than " + format_with_commas(options_.most_nodes) + " nodes",
           .hint = text("allow more than ", options_.most_prisms,
                        options_.most_prisms == 1 ? " triangle" : " triangles", " in a cell, or cells larger than ",
                        options_.smallest_cell, options_.smallest_cell == 1 ? " unit" : " units")}));
    write_octree();
    return {};
  }

 private:
  Kcl& kcl_;
  const OctreeOptions& options_;
  const Depths depths_;
  struct Numbered {
    PrismHitVolume reach;
    u16 number;  // from 1 on
  };
  std::vector<Numbered> reaches_;
  Point min_{0, 0, 0}, max_{0, 0, 0};
  std::array<u32, 3> bits_{};  // of the area
  u32 shift_ = 0;

  struct Node {
    u32 list = 0;
    u64 block = 0;  // of its eight cells, in nodes; 0: none
  };
  std::vector<Node> nodes_;
  Lists lists_;

  bool collect_prism_volumes() {
    bool any = false;
    for (size_t i = 0; i < kcl_.prisms.size() && i < k_most_prisms; ++i) {
      const auto t = compute_prism_triangle(kcl_, kcl_.prisms[i]);
      if (!t) continue;
      const PrismHitVolume r(*t, point_of(kcl_.normals[kcl_.prisms[i].face_normal]), depths_);
      for (size_t axis = 0; axis < 3; ++axis) {
        if (r.min[axis] < -2 * k_farthest || r.max[axis] > 2 * k_farthest) return false;
        min_[axis] = any ? std::min(min_[axis], r.min[axis]) : r.min[axis];
        max_[axis] = any ? std::max(max_[axis], r.max[axis]) : r.max[axis];
      }
      any = true;
      reaches_.push_back({r, u16(i + 1)});
    }
    return true;
  }
  void choose_area() {
    // whole units, because positions are truncated to them
    for (f64& x : min_) x = std::floor(x) - k_margin;
    for (size_t i = 0; i < 3; ++i) bits_[i] = std::max(ceil_log2(max_[i] + k_margin - min_[i]), 1u);
    const u32 smallest = ceil_log2(options_.smallest_cell);
    shift_ = std::max(std::min({bits_[0], bits_[1], bits_[2]}), smallest);
    const auto roots = [&] {
      u64 n = 1;
      for (const u32 b : bits_) n <<= b > shift_ ? b - shift_ : 0;
      return n;
    };
    while (roots() > options_.most_root_cells) ++shift_;
    for (u32& b : bits_) b = std::max(b, shift_);
  }
  struct Pending {
    u64 node;
    Point min;
    f64 size;
    std::vector<u32> reaches;
  };
  std::vector<u32> filter_touching(const std::vector<u32>& some, const Point& min, f64 size) const {
    std::vector<u32> found;
    const f64 half = size / 2 + k_margin;
    const Point middle{min[0] + size / 2, min[1] + size / 2, min[2] + size / 2};
    for (const u32 i : some)
      if (reaches_[i].reach.may_touch_cube(middle, half)) found.push_back(i);
    return found;
  }
  u32 add_leaf_list(const std::vector<u32>& some) {
    std::vector<u16> numbers;
    for (const u32 i : some) numbers.push_back(reaches_[i].number);
    return lists_.add_list(std::move(numbers));
  }
  void subdivide_cells() {
    std::vector<Pending> level;
    std::vector<u32> all(reaches_.size());
    for (u32 i = 0; i < all.size(); ++i) all[i] = i;
    const f64 size = std::ldexp(1.0, int(shift_));
    const auto count = [&](u32 b) { return u64(1) << (b - shift_); };
    for (u64 z = 0; z < count(bits_[2]); ++z)
      for (u64 y = 0; y < count(bits_[1]); ++y)
        for (u64 x = 0; x < count(bits_[0]); ++x) {
          const Point min{min_[0] + f64(x) * size, min_[1] + f64(y) * size, min_[2] + f64(z) * size};
          level.push_back({nodes_.size(), min, size, filter_touching(all, min, size)});
          nodes_.emplace_back();
        }
    while (!level.empty() && nodes_.size() <= options_.most_nodes) {
      std::vector<Pending> below;
      for (Pending& p : level) {
        if (nodes_.size() > options_.most_nodes) return;
        const f64 half = p.size / 2;
        if (p.reaches.size() <= options_.most_prisms || half < options_.smallest_cell) {
          nodes_[size_t(p.node)].list = add_leaf_list(p.reaches);
          continue;
        }
        std::array<std::vector<u32>, 8> parts;
        size_t least = p.reaches.size();
        const auto corner = [&](size_t i) {
          return Point{p.min[0] + f64(i & 1) * half, p.min[1] + f64(i >> 1 & 1) * half, p.min[2] + f64(i >> 2) * half};
        };
        for (size_t i = 0; i < 8; ++i) {
          parts[i] = filter_touching(p.reaches, corner(i), half);
          least = std::min(least, parts[i].size());
        }
        if (least == p.reaches.size()) {  // splitting separates nothing
          nodes_[size_t(p.node)].list = add_leaf_list(p.reaches);
          continue;
        }
        nodes_[size_t(p.node)].block = nodes_.size();
        for (size_t i = 0; i < 8; ++i) {
          below.push_back({nodes_.size(), corner(i), half, std::move(parts[i])});
          nodes_.emplace_back();
        }
      }
      level = std::move(below);
    }
  }
  void write_octree() {
    Octree octree;
    const std::vector<u64> starts = lists_.layout_lists(octree.lists);
    u64 block = 0, in_block = 0;
    const u64 first = [&] {
      u64 n = 1;
      for (const u32 b : bits_) n <<= b - shift_;
      return n;
    }();
    const u64 lists_at = 4 * nodes_.size();
    for (size_t i = 0; i < nodes_.size(); ++i, ++in_block) {
      if (in_block == (block ? 8 : first)) block = i, in_block = 0;
      const Node& n = nodes_[i];
      const u64 to = n.block ? 4 * n.block : lists_at + 2 * starts[n.list] - 2;
      octree.nodes.push_back({u8(n.block == 0), u32(to - 4 * block)});
    }
    kcl_.area_min = {f32(min_[0]), f32(min_[1]), f32(min_[2])};
    const auto mask = [](u32 b) { return ~u32((u64(1) << b) - 1); };
    kcl_.area_mask = {mask(bits_[0]), mask(bits_[1]), mask(bits_[2])};
    kcl_.block_shift = shift_;
    kcl_.x_shift = bits_[0] - shift_;
    kcl_.xy_shift = bits_[0] - shift_ + bits_[1] - shift_;
    kcl_.octree = std::move(octree);
  }
};

}  // namespace

Diagnostic far_triangle_error() {
  return make_diagnostic("kcl.build-area", {}, {.message = "a triangle is more than 1,000,000 units from the origin"});
}

OctreeOptions parse_octree_options(Arguments& a) {
  OctreeOptions options;
  if (a.has("triangles")) options.most_prisms = u32(a.whole("triangles", 1, k_most_prisms));
  if (a.has("cell")) {
    const i64 cell = a.whole("cell", 1, 1 << 20);
    if (cell && !std::has_single_bit(u64(cell)))
      a.refuse({.message = text("cell is ", cell, "; it must be a power of two, such as ", std::bit_ceil(u64(cell)))});
    options.smallest_cell = u32(cell);
  }
  return options;
}

Result<void> build_octree(Kcl& k, const OctreeOptions& options) { return OctreeBuilder(k, options).run(); }

Result<void> build_octree(DsKcl& ds, const OctreeOptions& options) {
  Kcl k = to_wii_units(ds);
  if (auto built = build_octree(k, options); !built) return built;
  const std::array<f32, 3> corner{k.area_min.x, k.area_min.y, k.area_min.z};  // whole units
  for (const f32 x : corner)
    if (std::abs(x) >= f32(1 << (31 - fx32::k_fraction)))
      return refuse(make_diagnostic(
          "kcl.build-area", {},
          {.message = text("the octree would begin at ", x < 0 ? "-" : "", format_with_commas(u64(std::abs(x))),
                           " units; in a DS file, coordinates are at most 524,287 units from 0")}));
  const auto fixed = [](f32 x) { return fx32{i32(x) * (1 << fx32::k_fraction)}; };
  ds.area_min = {fixed(corner[0]), fixed(corner[1]), fixed(corner[2])};
  ds.area_mask = k.area_mask;
  ds.block_shift = k.block_shift, ds.x_shift = k.x_shift, ds.xy_shift = k.xy_shift;
  ds.octree = std::move(k.octree);
  return {};
}

}  // namespace dio::kcl
