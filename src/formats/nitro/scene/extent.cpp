#include "formats/nitro/scene/extent.hpp"

#include <algorithm>

#include "formats/nitro/scene/geometry.hpp"
#include "formats/nitro/scene/pose.hpp"

namespace dio::nitro {

/// Limits the time spent on files crafted to draw large lists many times.
static constexpr u64 k_most_drawn_bytes = 64 << 20;

std::optional<Extent> compute_extent(const Model& m) {
  const Program program = run_sbc(m);
  if (!program.faults.empty()) return {};  // they have findings of their own
  const auto matrices = compute_matrices(program, m, rest_pose(m));
  std::optional<Extent> all;
  Geometry g;
  u64 bytes = 0;
  for (const Draw& d : program.draws) {
    if (d.list) bytes += d.list->size();
    if (bytes > k_most_drawn_bytes) return {};
    run_display_list(d, program, 0, g);
    if (!g.whole) return {};
    for (const GxVertex& c : g.corners) {
      if (c.matrix >= matrices.size()) return {};
      const f64 s = c.scale;
      const Point at = matrices[c.matrix] * Point{c.position[0] * s, c.position[1] * s, c.position[2] * s};
      if (!all) all = Extent{at, at};
      for (size_t i = 0; i < 3; ++i)
        all->low[i] = std::min(all->low[i], at[i]), all->high[i] = std::max(all->high[i], at[i]);
    }
  }
  return all;
}

}  // namespace dio::nitro
