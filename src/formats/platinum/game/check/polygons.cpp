// polygons.cpp: checks the number of polygons and vertices in view at once.
#include "formats/platinum/game/check/checks.hpp"
#include "formats/platinum/game/view_load.hpp"

namespace dio::platinum {

void GameCheck::check_polygon_counts() {
  ViewLoads loads(t);
  for (u32 i = 0; i < t.matrices.size(); ++i) {
    if (!t.matrices[i] || t.matrices[i]->cells() > k_most_cells) continue;
    const Matrix& m = *t.matrices[i];
    for (size_t c = 0; c < m.cells(); ++c) {
      const ViewLoad worst = loads.compute_cell_load(m, c);
      if (worst.polygons > f32(k_most_polygons) || worst.vertices > f32(k_most_vertices))
        out.report("platinum.polygons", cell_location(i, "land_data_ids", c),
                   {.message = text("land ", m.lands[c], " and its neighbours have about ", u32(worst.polygons),
                                    " polygons and ", u32(worst.vertices), " vertices in view (at most ",
                                    k_most_polygons, " and ", k_most_vertices, ")")});
    }
  }
}

}  // namespace dio::platinum
