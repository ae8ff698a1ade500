#include "scene/triangle_match/triangle_pairs.hpp"

#include <algorithm>

#include "core/elementary.hpp"

namespace dio::scene {

Vec2 transform_uv(const TextureTransform& t, const Vec2& uv) {
  const f64 u = f64(uv[0]) * t.scale[0], v = f64(uv[1]) * t.scale[1], c = elementary::cos(t.rotation),
            s = elementary::sin(t.rotation);
  return {f32(c * u + s * v + t.offset[0]), f32(-s * u + c * v + t.offset[1])};
}
Vec2 untransform_uv(const TextureTransform& t, const Vec2& uv) {
  const f64 x = f64(uv[0]) - t.offset[0], y = f64(uv[1]) - t.offset[1], c = elementary::cos(t.rotation),
            s = elementary::sin(t.rotation);
  const auto divide = [](f64 a, f32 by) { return f32(by == 0 ? 0 : a / by); };
  return {divide(c * x - s * y, t.scale[0]), divide(s * x + c * y, t.scale[1])};
}
bool is_same_uv(const Vec2& a, const Vec2& b) {
  constexpr f64 k_same = 5e-5;  // less than a sixteenth of a texel of 1,024
  for (size_t i = 0; i < 2; ++i)
    if (std::fabs(a[i] - b[i]) > k_same * std::max(1.0, std::fabs(f64(b[i])))) return false;
  return true;
}

void TrianglePairs::pair(u32 seen_triangle, u32 original_triangle, size_t turn) {
  SeenTriangle& e = seen[seen_triangle];
  e.original = original_triangle, own.triangles[original_triangle].seen = seen_triangle;
  for (size_t k = 0; k < 3; ++k) e.of[k] = u8((k + turn) % 3);
}
bool TrianglePairs::has_same_uvs(const SeenTriangle& e, const OriginalTriangle& t, size_t turn) const {
  const OriginalPrimitive& o = own.primitive_of(t);
  if (e.p->uvs.empty() || o.p->uvs.empty()) return true;
  for (size_t k = 0; k < 3; ++k)
    if (!is_same_uv(uv_in_picture(e, (k + turn) % 3), transform_uv(o.transform, o.p->uvs[t.vertices[k]]))) return false;
  return true;
}

size_t count_shared(const SeenTriangle& e, const OriginalTriangle& t, size_t turn) {
  size_t n = 0;
  for (size_t k = 0; k < 3; ++k) n += e.ids[(k + turn) % 3] == t.ids[k];
  return n;
}
size_t find_turn(const PointIds& seen, const PointIds& original) {
  size_t turn = 0;
  while (turn < 2 && seen[turn] != original[0]) ++turn;
  return turn;
}

}  // namespace dio::scene
