#include "scene/quad_joining.hpp"

#include "core/sorting.hpp"

namespace dio::scene {
namespace {

/// Joins a triangle and its neighbour across edge `e` to a quad, with the shared edge between its first and third
/// corners.
std::array<u32, 4> join_triangles(const Faces<3>& t, u32 one, size_t e, u32 other) {
  const u32 a = t[one][(e + 1) % 3], b = t[one][(e + 2) % 3], c = t[one][e];  // the edge is c to a
  const u32 far = t[other][(t.find_vertex(other, c) + 1) % 3];                // the other has a to c
  return {a, b, c, far};
}

}  // namespace

std::vector<std::array<u32, 4>> join_triangles_into_quads(
    Faces<3>& t, const std::function<bool(const std::array<u32, 4>&)>& is_quad) {
  std::vector<std::array<u32, 4>> out;
  const auto try_join = [&](u32 i, size_t e, u32 other) {
    const auto quad = join_triangles(t, i, e, other);
    if (quad[3] == quad[1] || !is_quad(quad)) return false;
    t.mark_used(i), t.mark_used(other);
    out.push_back(quad);
    return true;
  };
  const auto across = [&](u32 i, size_t e) { return t.find_free_face(t[i][(e + 1) % 3], t[i][e]); };
  for (u32 i = 0; i + 1 < t.size(); ++i) {
    if (!t.is_free(i) || !t.is_free(i + 1)) continue;
    for (size_t e = 0; e < 3; ++e)
      if (across(i, e) == i + 1 && try_join(i, e, i + 1)) break;
  }
  std::vector<u32> order;
  for (u32 i = 0; i < t.size(); ++i)
    if (t.is_free(i)) order.push_back(i);
  sort_stably(order, [&](u32 a, u32 b) { return t.count_free_neighbours(a) < t.count_free_neighbours(b); });
  for (const u32 i : order) {
    if (!t.is_free(i)) continue;
    std::array<std::pair<size_t, size_t>, 3> edges;  // neighbours of that face, edge
    size_t n = 0;
    for (size_t e = 0; e < 3; ++e)
      if (const u32 other = across(i, e); other != k_no_face && other != i)
        edges[n++] = {t.count_free_neighbours(other), e};
    std::sort(edges.begin(), edges.begin() + n);
    for (size_t k = 0; k < n; ++k)
      if (try_join(i, edges[k].second, across(i, edges[k].second))) break;
  }
  return out;
}

}  // namespace dio::scene
