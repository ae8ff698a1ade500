#include "formats/nitro/from_scene/matrix_stack.hpp"

#include <set>

namespace dio::nitro {

std::vector<std::vector<u32>> split_into_batches(std::span<const std::vector<u32>> needs, size_t most) {
  struct Batch {
    std::set<u32> has;
    std::vector<u32> triangles;
  };
  std::vector<Batch> open;
  for (u32 t = 0; t < needs.size(); ++t) {
    // Put the triangle into the batch that already has most of its matrices, if the others fit as well.
    Batch* best = nullptr;
    size_t fewest = ~size_t(0);
    for (Batch& b : open) {
      const std::set<u32> wanted(needs[t].begin(), needs[t].end());
      const size_t more = size_t(std::ranges::count_if(wanted, [&](u32 n) { return !b.has.contains(n); }));
      if (b.has.size() + more <= most && more < fewest) best = &b, fewest = more;
      if (!fewest) break;
    }
    if (!best) best = &open.emplace_back();
    best->has.insert(needs[t].begin(), needs[t].end());
    best->triangles.push_back(t);
  }
  std::vector<std::vector<u32>> out;
  for (Batch& b : open) out.push_back(std::move(b.triangles));
  return out;
}

}  // namespace dio::nitro
