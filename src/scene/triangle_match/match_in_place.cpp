#include <algorithm>

#include "scene/triangle_match/matching_steps.hpp"

namespace dio::scene {
namespace {

/// Pairs with the unmatched original triangle with the same positions and the same material, preferably of the same
/// node and with the same texture coordinates. False: there is none.
bool pair_in_place(TrianglePairs& pairs, u32 e) {
  const SeenTriangle& seen = pairs.seen[e];
  const auto found = pairs.own.by_ids.find(rotate_to_least(seen.ids));
  if (found == pairs.own.by_ids.end()) return false;
  u32 best = k_none;
  size_t best_turn = 0;
  int most = -1;
  for (const u32 t : found->second) {
    const OriginalTriangle& own = pairs.own.triangles[t];
    const OriginalPrimitive& o = pairs.own.primitive_of(own);
    if (own.seen != k_none || o.material != seen.material) continue;
    for (size_t turn = 0; turn < 3 && most < 3; ++turn) {
      if (count_shared(seen, own, turn) < 3) continue;
      const int fit = 2 * pairs.has_same_uvs(seen, own, turn) + pairs.is_of_node(seen, o);
      if (fit > most) most = fit, best = t, best_turn = turn;
    }
    if (most == 3) break;
  }
  if (best != k_none) pairs.pair(e, best, best_turn);
  return best != k_none;
}
void pair_near(TrianglePairs& pairs, u32 e) {
  SeenTriangle& seen = pairs.seen[e];
  if (std::ranges::find(seen.ids, PointIndex::k_unknown) != seen.ids.end()) return;
  if (pair_in_place(pairs, e)) return;
  // Rounding may have moved a vertex closer to another one: any vertex within the tolerance counts.
  const PointIds nearest = seen.ids;
  std::array<std::vector<u32>, 3> near;
  for (size_t k = 0; k < 3; ++k) near[k] = pairs.own.points.find_all(seen.rest[k]);
  for (const u32 a : near[0])
    for (const u32 b : near[1])
      for (const u32 c : near[2])
        if (seen.ids = {a, b, c}; pair_in_place(pairs, e)) return;
  seen.ids = nearest;
}
/// Pairs with the unmatched original triangle of the same node with the same vertices in the reversed order.
void pair_flipped(TrianglePairs& pairs, u32 e) {
  SeenTriangle& seen = pairs.seen[e];
  const PointIds reversed{seen.ids[0], seen.ids[2], seen.ids[1]};
  const auto found = pairs.own.by_ids.find(rotate_to_least(reversed));
  if (found == pairs.own.by_ids.end()) return;
  for (const u32 t : found->second) {
    OriginalTriangle& own = pairs.own.triangles[t];
    const OriginalPrimitive& o = pairs.own.primitive_of(own);
    if (own.seen != k_none || own.is_flat || o.material != seen.material || !pairs.is_of_node(seen, o)) continue;
    seen.original = t, own.seen = e, seen.is_flipped = true;
    for (size_t k = 0; k < 3; ++k) seen.of[k] = u8(std::ranges::find(seen.ids, own.ids[k]) - seen.ids.begin());
    return;
  }
}

}  // namespace

void match_in_place(TrianglePairs& pairs) {
  for (u32 e = 0; e < pairs.seen.size(); ++e)
    if (pairs.seen[e].original == k_none) pair_near(pairs, e);
}
void match_flipped(TrianglePairs& pairs) {
  for (u32 e = 0; e < pairs.seen.size(); ++e)
    if (pairs.seen[e].original == k_none) pair_flipped(pairs, e);
}

}  // namespace dio::scene
