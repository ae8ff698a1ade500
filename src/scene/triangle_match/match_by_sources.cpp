#include "scene/triangle_match/matching_steps.hpp"

namespace dio::scene {
namespace {

/// The numbers of three vertices in the file, if all are different.
std::optional<PointIds> sources_of(const Primitive& p, const std::array<Index, 3>& vertices) {
  if (p.sources.empty()) return {};
  const PointIds out{p.sources[vertices[0]], p.sources[vertices[1]], p.sources[vertices[2]]};
  if (out[0] == out[1] || out[1] == out[2] || out[2] == out[0]) return {};
  return out;
}

}  // namespace

void match_by_sources(TrianglePairs& pairs) {
  const OriginalTriangles& own = pairs.own;
  std::map<std::tuple<Index, PointIds>, std::vector<u32>> known;  // by node, and the numbers of the vertices
  for (u32 t = 0; t < own.triangles.size(); ++t) {
    const OriginalPrimitive& o = own.primitive_of(own.triangles[t]);
    if (const auto sources = sources_of(*o.p, own.triangles[t].vertices))
      known[{o.node, rotate_to_least(*sources)}].push_back(t);
  }
  if (known.empty()) return;
  for (const bool has_moved : {false, true})
    for (u32 e = 0; e < pairs.seen.size(); ++e) {
      const SeenTriangle& seen = pairs.seen[e];
      const Index node = pairs.scenes.original_nodes[seen.node];
      const auto sources = sources_of(*seen.p, seen.vertices);
      if (seen.original != k_none || !sources || node == k_none) continue;
      const auto found = known.find({node, rotate_to_least(*sources)});
      // Pieces of a polygon have the same numbers.
      if (found == known.end() || found->second.size() > 1) continue;
      const u32 number = found->second.front();
      const OriginalTriangle& t = own.triangles[number];
      const OriginalPrimitive& o = own.primitive_of(t);
      if (t.seen != k_none || o.material != seen.material || (own.is_flat(seen.at) && !t.is_flat)) continue;
      const size_t turn = find_turn(*sources, *sources_of(*o.p, t.vertices));
      const size_t shared = count_shared(seen, t, turn);
      // Numbers of new vertices may be those between the numbers of old ones.
      const bool is_same = shared >= 2 || pairs.has_same_uvs(seen, t, turn);
      if (has_moved ? is_same : shared == 3) pairs.pair(e, number, turn);
    }
}

}  // namespace dio::scene
