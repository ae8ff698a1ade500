// view_load.hpp: how many polygons and vertices may be in view at once. The hardware stores only what is not clipped,
// so those near the middle of the picture count: here, in a window around the point that the default camera looks
// at.
#pragma once
#include <map>

#include "formats/platinum/game/tables.hpp"

namespace dio::platinum {

inline constexpr u64 k_most_polygons = 2048, k_most_vertices = 6144;  // of a frame, in the memory of the hardware

/// What may be in view at once, about.
struct ViewLoad {
  f32 polygons = 0, vertices = 0;
  void raise_to_maximum(const ViewLoad& other) {
    polygons = std::max(polygons, other.polygons), vertices = std::max(vertices, other.vertices);
  }
};

/// The loads of the cells of matrices. What was computed is kept, for at most 900 lands.
class ViewLoads {
 public:
  explicit ViewLoads(const GameTables& t);
  ~ViewLoads();
  ViewLoads(const ViewLoads&) = delete;
  ViewLoads& operator=(const ViewLoads&) = delete;
  /// The worst while the player walks over a cell. Nothing is drawn of a cell without a land.
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
