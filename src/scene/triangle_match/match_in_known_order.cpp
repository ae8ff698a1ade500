#include <algorithm>

#include "scene/affine_fit.hpp"
#include "scene/triangle_match/matching_steps.hpp"

namespace dio::scene {
namespace {

/// Triangles of one node with one material, in their order: those of the original and of the edited scene.
struct OrderedTriangles {
  std::vector<u32> own, seen;
};
std::map<std::pair<Index, std::string_view>, OrderedTriangles> group_triangles(const TrianglePairs& pairs) {
  std::map<std::pair<Index, std::string_view>, OrderedTriangles> out;
  for (u32 t = 0; t < pairs.own.triangles.size(); ++t) {
    const OriginalPrimitive& o = pairs.own.primitive_of(pairs.own.triangles[t]);
    out[{o.node, o.material}].own.push_back(t);
  }
  for (u32 e = 0; e < pairs.seen.size(); ++e)
    if (const Index node = pairs.scenes.original_nodes[pairs.seen[e].node]; node != k_none)
      out[{node, pairs.seen[e].material}].seen.push_back(e);
  return out;
}

bool has_same_topology(const TrianglePairs& pairs, const OrderedTriangles& group) {
  if (group.own.size() != group.seen.size()) return false;
  std::map<std::pair<const Primitive*, Index>, std::pair<const Primitive*, Index>> of_own, of_seen;
  for (size_t i = 0; i < group.own.size(); ++i) {
    const OriginalTriangle& t = pairs.own.triangles[group.own[i]];
    const OriginalPrimitive& o = pairs.own.primitive_of(t);
    const SeenTriangle& e = pairs.seen[group.seen[i]];
    if (e.node != pairs.seen[group.seen[0]].node) return false;  // of a copy
    if (!e.place != o.is_skinned) return false;
    if (e.is_mirrored() != o.is_mirrored) return false;
    for (size_t k = 0; k < 3; ++k) {
      const std::pair own(o.p, t.vertices[k]), seen(e.p, e.vertices[k]);
      if (of_own.try_emplace(own, seen).first->second != seen || of_seen.try_emplace(seen, own).first->second != own)
        return false;
    }
  }
  return true;
}

/// Whether an original triangle of the same node, with the same texture coordinates and material, is where an edited
/// one is.
bool has_unmoved_twin(const TrianglePairs& pairs, const SeenTriangle& e) {
  const OriginalTriangles& own = pairs.own;
  PointIds ids;
  for (size_t k = 0; k < 3; ++k) ids[k] = own.points.find(e.at[k]);
  const auto found = own.by_ids.find(rotate_to_least(ids));
  return found != own.by_ids.end() && std::ranges::any_of(found->second, [&](u32 number) {
           const OriginalTriangle& t = own.triangles[number];
           const OriginalPrimitive& o = own.primitive_of(t);
           return o.material == e.material && pairs.is_of_node(e, o) && pairs.has_same_uvs(e, t, find_turn(ids, t.ids));
         });
}
bool is_flipped_in_place(const OriginalTriangles& own, const SeenTriangle& e) {
  return own.by_ids.contains(
      rotate_to_least({own.points.find(e.at[0]), own.points.find(e.at[2]), own.points.find(e.at[1])}));
}
/// The transform that most vertices follow, if their order is the same: least squares without the vertices that follow
/// it least.
Affine fit_movement(const TrianglePairs& pairs, const OrderedTriangles& group) {
  const PointIndex& points = pairs.own.points;
  std::vector<std::pair<Point, Point>> all;
  for (size_t i = 0; i < group.own.size(); ++i)
    for (size_t k = 0; k < 3; ++k)
      all.emplace_back(points[pairs.own.triangles[group.own[i]].ids[k]], pairs.seen[group.seen[i]].at[k]);
  Affine out = fit_affine(all);
  constexpr size_t k_rounds = 6;
  for (size_t round = 0; round < k_rounds; ++round) {
    const auto error = [&](const auto& pair) { return distance(out * pair.first, pair.second); };
    std::vector<f64> errors;
    for (const auto& pair : all) errors.push_back(error(pair));
    std::ranges::nth_element(errors, errors.begin() + std::ptrdiff_t(errors.size() / 2));
    const f64 most = std::max(points.tolerance() / 4, 2 * errors[errors.size() / 2]);
    std::vector<std::pair<Point, Point>> kept;
    for (const auto& pair : all)
      if (error(pair) <= most) kept.push_back(pair);
    if (kept.size() == all.size()) break;
    out = fit_affine(kept);
  }
  return out;
}
/// Whether the order of the triangles agrees with their positions: most are where they were, or moved together, unlike
/// triangles in the place of another one.
bool is_in_order(const TrianglePairs& pairs, const OrderedTriangles& group) {
  const OriginalTriangles& own = pairs.own;
  const Affine movement = fit_movement(pairs, group);
  size_t unmoved = 0, explained = 0, elsewhere = 0, in_place = 0;
  for (size_t i = 0; i < group.own.size(); ++i) {
    const OriginalTriangle& t = own.triangles[group.own[i]];
    const SeenTriangle& e = pairs.seen[group.seen[i]];
    bool has_moved_along = true, is_unmoved = true;
    for (size_t k = 0; k < 3; ++k) {
      has_moved_along &= own.is_same_point(movement * own.points[t.ids[k]], e.at[k]);
      is_unmoved &= own.is_same_point(own.points[t.ids[k]], e.at[k]);
    }
    const bool has_uvs = pairs.has_same_uvs(e, t, 0), is_in_place = has_unmoved_twin(pairs, e);
    unmoved += is_unmoved && has_uvs, in_place += is_in_place;
    if (has_uvs && (is_unmoved || has_moved_along || count_shared(e, t, 0) == 3))
      ++explained;
    else
      elsewhere += is_in_place || (pairs.scenes.options.pairs_flipped && is_flipped_in_place(own, e));
  }
  if (in_place == group.own.size()) return unmoved == group.own.size();
  return elsewhere * 4 <= explained;
}

}  // namespace

void match_in_known_order(TrianglePairs& pairs) {
  for (const auto& [_, group] : group_triangles(pairs))
    if (has_same_topology(pairs, group) && is_in_order(pairs, group))
      for (size_t i = 0; i < group.own.size(); ++i)
        if (pairs.seen[group.seen[i]].original == k_none && pairs.own.triangles[group.own[i]].seen == k_none)
          pairs.pair(group.seen[i], group.own[i], 0);
}

}  // namespace dio::scene
