// ground.hpp: finds the road below a position, from the collision file.
#pragma once
#include <optional>
#include <vector>

#include "formats/kcl/geometry.hpp"
#include "scene/scene.hpp"

namespace dio::kmp {

/// The roads and fall boundaries of a collision file, for lookups along a vertical line.
class Ground {
 public:
  explicit Ground(const kcl::Kcl&);

  struct Hit {
    u32 prism;
    f64 height;  // units
    u8 type;
  };
  /// The highest road or fall boundary that is at most `above` units over a position; nothing if there is none.
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

/// The places of the start grid (1 to 12) that have no road below, or a fall boundary.
std::vector<size_t> find_grid_places_off_road(const Ground&, const std::vector<scene::Vec3>& grid);

}  // namespace dio::kmp
