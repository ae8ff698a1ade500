#include "formats/nitro/from_scene/matrix_stack.hpp"

namespace dio::nitro {

std::vector<std::vector<u32>> batches_of(std::span<const u16> mixes, size_t most) {
  struct Batch {
    std::set<u16> mixes;
    std::vector<u32> triangles;
  };
  std::vector<Batch> open;
  for (u32 t = 0; 3 * t + 2 < mixes.size(); ++t) {
    // Into the batch that has most of what it needs, if the rest fits as well.
    Batch* best = nullptr;
    size_t fewest = 4;
    for (Batch& b : open) {
      std::set<u16> more;
      for (size_t k = 0; k < 3; ++k)
        if (const u16 m = mixes[3 * t + k]; m != k_no_mix && !b.mixes.contains(m)) more.insert(m);
      if (b.mixes.size() + more.size() <= most && more.size() < fewest) best = &b, fewest = more.size();
    }
    if (!best) best = &open.emplace_back();
    for (size_t k = 0; k < 3; ++k)
      if (const u16 m = mixes[3 * t + k]; m != k_no_mix) best->mixes.insert(m);
    best->triangles.push_back(t);
  }
  std::vector<std::vector<u32>> out;
  for (Batch& b : open) out.push_back(std::move(b.triangles));
  return out;
}

}  // namespace dio::nitro
