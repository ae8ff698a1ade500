#include "scene/primitive_runs.hpp"

#include <algorithm>

#include "core/sorting.hpp"
#include "scene/quad_joining.hpp"

namespace dio::scene {
namespace {

using Triangles = Faces<3>;
using Quads = Faces<4>;

/// Takes the chain of quads that starts with `first`, entered across its edge `entry`. Returns each quad with its entry
/// edge.
std::vector<std::pair<u32, size_t>> take_quad_chain(Quads& q, u32 first, size_t entry) {
  std::vector<std::pair<u32, size_t>> out;
  for (u32 i = first; i != k_no_face;) {
    q.mark_used(i);
    out.push_back({i, entry});
    const u32 from = q[i][(entry + 2) % 4], to = q[i][(entry + 3) % 4];
    i = q.find_free_face(to, from);
    if (i != k_no_face) entry = q.find_vertex(i, to);
  }
  return out;
}

/// The longest strip of free quads through a quad, as its vertices in sending order.
std::vector<u32> find_longest_quad_strip(Quads& q, u32 i) {
  std::vector<std::pair<u32, size_t>> best;
  for (size_t axis = 0; axis < 2; ++axis) {
    auto ahead = take_quad_chain(q, i, axis);
    // Backwards: across the entry edge of the first quad, in the other direction.
    const u32 from = q[i][axis], to = q[i][(axis + 1) % 4];
    std::vector<std::pair<u32, size_t>> behind;
    if (const u32 other = q.find_free_face(to, from); other != k_no_face)
      behind = take_quad_chain(q, other, q.find_vertex(other, to));
    std::vector<std::pair<u32, size_t>> whole;
    for (size_t k = behind.size(); k-- > 0;) whole.push_back({behind[k].first, (behind[k].second + 2) % 4});
    whole.insert(whole.end(), ahead.begin(), ahead.end());
    for (const auto& [quad, entry] : whole) q.mark_unused(quad);
    if (whole.size() > best.size()) best = std::move(whole);
  }
  std::vector<u32> out;
  for (const auto& [quad, entry] : best) {
    q.mark_used(quad);
    const auto corner = [&](size_t k) { return q[quad][(entry + k) % 4]; };
    if (out.empty()) out = {corner(0), corner(1)};
    out.push_back(corner(3));
    out.push_back(corner(2));
  }
  return out;
}

/// The longest strip of free triangles, forwards from one of the three corners.
std::vector<u32> find_longest_triangle_strip(Triangles& t, u32 first) {
  std::vector<u32> best, best_used;
  for (size_t turn = 0; turn < 3; ++turn) {
    std::vector<u32> used{first};
    std::vector<u32> out{t[first][turn], t[first][(turn + 1) % 3], t[first][(turn + 2) % 3]};
    t.mark_used(first);
    for (bool odd = true;; odd = !odd) {
      const u32 a = out[out.size() - 2], b = out.back();
      const u32 from = odd ? b : a, to = odd ? a : b;
      const u32 next = t.find_free_face(from, to);
      if (next == k_no_face) break;
      t.mark_used(next);
      used.push_back(next);
      out.push_back(t[next][(t.find_vertex(next, from) + 2) % 3]);
    }
    for (const u32 i : used) t.mark_unused(i);
    if (used.size() > best_used.size()) best = std::move(out), best_used = std::move(used);
  }
  for (const u32 i : best_used) t.mark_used(i);
  return best;
}

/// Sorts faces with the fewest neighbours first, because they would be left over otherwise.
std::vector<u32> order_by_fewest_neighbours(const auto& faces) {
  std::vector<u32> order;
  for (u32 i = 0; i < faces.size(); ++i)
    if (faces.is_free(i)) order.push_back(i);
  sort_stably(order, [&](u32 a, u32 b) { return faces.count_free_neighbours(a) < faces.count_free_neighbours(b); });
  return order;
}

}  // namespace

std::vector<PrimitiveRun> build_primitive_runs(std::span<const u32> corners,
                                               const std::function<bool(const std::array<u32, 4>&)>& is_quad) {
  std::vector<std::array<u32, 3>> list;
  for (size_t i = 0; i + 2 < corners.size(); i += 3) {
    const u32 a = corners[i], b = corners[i + 1], c = corners[i + 2];
    if (a != b && b != c && c != a) list.push_back({a, b, c});
  }
  Triangles triangles(std::move(list));
  std::vector<PrimitiveRun> out;
  PrimitiveRun single_quads{PrimitiveRun::quads, {}}, single_triangles{PrimitiveRun::triangles, {}};
  if (is_quad) {
    Quads quads(join_triangles_into_quads(triangles, is_quad));
    for (const u32 i : order_by_fewest_neighbours(quads)) {
      if (!quads.is_free(i)) continue;
      std::vector<u32> strip = find_longest_quad_strip(quads, i);
      if (strip.size() > 4)
        out.push_back({PrimitiveRun::quad_strip, std::move(strip)});
      else
        single_quads.vertices.insert(single_quads.vertices.end(), quads[i].begin(), quads[i].end());
    }
  }
  for (const u32 i : order_by_fewest_neighbours(triangles)) {
    if (!triangles.is_free(i)) continue;
    std::vector<u32> strip = find_longest_triangle_strip(triangles, i);
    if (strip.size() > 3)
      out.push_back({PrimitiveRun::triangle_strip, std::move(strip)});
    else
      single_triangles.vertices.insert(single_triangles.vertices.end(), strip.begin(), strip.end());
  }
  for (PrimitiveRun* single : {&single_quads, &single_triangles})
    if (!single->vertices.empty()) out.push_back(std::move(*single));
  return out;
}

}  // namespace dio::scene
