// quad_joining.hpp: faces that share edges, and pairs of triangles joined to quads.
#pragma once
#include <algorithm>
#include <array>
#include <functional>
#include <unordered_map>
#include <vector>

#include "core/bytes.hpp"

namespace dio::scene {

inline constexpr u32 k_no_face = ~u32(0);

/// Polygons with `N` corners, and their neighbours across each edge.
template <size_t N>
class Faces {
 public:
  using Face = std::array<u32, N>;
  explicit Faces(std::vector<Face> faces) : faces_(std::move(faces)), free_(faces_.size(), true) {
    for (u32 i = 0; i < faces_.size(); ++i)
      for (size_t e = 0; e < N; ++e) edges_[key(faces_[i][e], faces_[i][(e + 1) % N])].push_back(i);
  }
  size_t size() const { return faces_.size(); }
  const Face& operator[](u32 i) const { return faces_[i]; }
  bool is_free(u32 i) const { return free_[i]; }
  void mark_used(u32 i) { free_[i] = false; }
  void mark_unused(u32 i) { free_[i] = true; }
  /// A free face with the edge from `from` to `to`.
  u32 find_free_face(u32 from, u32 to) const {
    const auto found = edges_.find(key(from, to));
    if (found == edges_.end()) return k_no_face;
    for (const u32 i : found->second)
      if (free_[i]) return i;
    return k_no_face;
  }
  /// The number of free faces across the edges of a face.
  size_t count_free_neighbours(u32 i) const {
    size_t n = 0;
    for (size_t e = 0; e < N; ++e) n += find_free_face(faces_[i][(e + 1) % N], faces_[i][e]) != k_no_face;
    return n;
  }
  /// The corner of a face at a vertex.
  size_t find_vertex(u32 i, u32 vertex) const {
    return size_t(std::ranges::find(faces_[i], vertex) - faces_[i].begin());
  }

 private:
  static u64 key(u32 a, u32 b) { return u64(a) << 32 | b; }
  std::vector<Face> faces_;
  std::vector<bool> free_;
  std::unordered_map<u64, std::vector<u32>> edges_;
};

/// Joins triangles with a common edge to quads where `is_quad` accepts the four vertices, and marks these triangles as
/// used: first consecutive triangles, because exporters split quads this way, then the others, starting with triangles
/// that have the fewest candidates. The common edge is between the first and third vertices of a quad.
std::vector<std::array<u32, 4>> join_triangles_into_quads(
    Faces<3>& triangles, const std::function<bool(const std::array<u32, 4>&)>& is_quad);

}  // namespace dio::scene
