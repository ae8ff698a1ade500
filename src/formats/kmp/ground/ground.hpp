// ground.hpp: what lies below a place of a course, by its collision file.
#pragma once
#include "formats/kcl/geometry.hpp"

namespace dio::kmp {

/// The roads of a collision file, and what takes karts away, to be asked for what lies on a vertical line.
class Ground {
 public:
  explicit Ground(const kcl::Kcl&);

  struct Hit {
    u32 prism;
    f64 height;  // units
    u8 type;
  };
  /// The highest road, or fall boundary, at most `above` over a place; nothing if there is none.
  std::optional<Hit> find_surface_below(const kcl::Point& place, f64 above) const;
  bool is_empty() const { return triangles_.empty(); }

 private:
  struct Triangle {
    kcl::Triangle corners;
    u32 prism;
    u8 type;
  };
  std::optional<size_t> cell_index_at(f64 x, f64 z) const;
  static constexpr size_t k_cells = 128;  // along each side
  std::vector<Triangle> triangles_;
  std::vector<std::vector<u32>> cells_;
  f64 west_ = 0, north_ = 0, wide_ = 1, deep_ = 1;
};

}  // namespace dio::kmp
