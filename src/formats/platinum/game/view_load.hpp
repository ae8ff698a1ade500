// view_load.hpp: estimates the polygons and vertices in view at once. The hardware stores only unclipped polygons, so
// this counts a window around the point that the default camera looks at.
#pragma once
#include <map>

#include "formats/platinum/game/tables.hpp"

namespace dio::platinum {

inline constexpr u64 k_most_polygons = 2048, k_most_vertices = 6144;  // hardware limits per frame

/// An estimate of the polygons and vertices in view at once.
struct ViewLoad {
  f32 polygons = 0, vertices = 0;
  void raise_to_maximum(const ViewLoad& other) {
    polygons = std::max(polygons, other.polygons), vertices = std::max(vertices, other.vertices);
  }
};

/// Computes the view loads of matrix cells; caches at most 900 lands.
class ViewLoads {
 public:
  explicit ViewLoads(const GameTables& t);
  ~ViewLoads();
  ViewLoads(const ViewLoads&) = delete;
  ViewLoads& operator=(const ViewLoads&) = delete;
  /// The highest load while the player walks over a cell. A cell without a land draws nothing.
  ViewLoad compute_cell_load(const Matrix&, size_t cell);

 private:
  struct Patch;
  class Windows;
  const std::vector<Patch>& prop_patches(u32 prop);
  Windows& land_windows(u32 land);
  static std::vector<Patch> compute_patches(const nitro::Model&);

  const GameTables& t_;
  std::map<u32, std::vector<Patch>> models_;
  std::map<u32, Windows> lands_;
};

}  // namespace dio::platinum
