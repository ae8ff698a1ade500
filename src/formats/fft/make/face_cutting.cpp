#include "formats/fft/make/face_cutting.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "formats/fft/layout/mesh.hpp"
#include "scene/quad_joining.hpp"

namespace dio::fft {

namespace {

using Wrap = scene::Texture::Wrap;

constexpr f64 k_flat = 0.75;  // units: the largest distance of a corner of a flat quad from its plane
constexpr f64 k_same_uv = 1e-4;

FaceVertex interpolate(const FaceVertex& a, const FaceVertex& b, f64 t) {
  // Always from the same end of the edge, so that neighbours get exactly the same position.
  if (b.position < a.position) return interpolate(b, a, 1 - t);
  FaceVertex out;
  const auto mix = [&](const auto& x, const auto& y, auto& to) {
    for (size_t i = 0; i < to.size(); ++i) to[i] = x[i] + (y[i] - x[i]) * t;
  };
  mix(a.position, b.position, out.position);
  mix(a.normal, b.normal, out.normal);
  mix(a.uv, b.uv, out.uv);
  mix(a.color, b.color, out.color);
  out.normal = scene::unit(out.normal);
  return out;
}

bool is_flat(const std::vector<FaceVertex>& c) {
  const Point normal = face_normal(c);
  return std::ranges::all_of(c, [&](const FaceVertex& v) {
    return std::fabs(scene::dot(normal, difference(v.position, c[0].position))) < k_flat;
  });
}
bool is_convex(const std::vector<FaceVertex>& c) {
  const Point normal = face_normal(c);
  for (size_t i = 0; i < c.size(); ++i) {
    const Point a = difference(c[(i + 1) % c.size()].position, c[i].position),
                b = difference(c[(i + 2) % c.size()].position, c[(i + 1) % c.size()].position);
    if (scene::dot(normal, scene::cross(a, b)) < 1e-3 * scene::length(a) * scene::length(b)) return false;
  }
  return true;
}
/// Whether the corners are, as seen from above, those of a tile.
bool covers_tile(const std::vector<FaceVertex>& c) {
  f64 low_x = HUGE_VAL, low_z = HUGE_VAL;
  for (const FaceVertex& v : c) low_x = std::min(low_x, v.position[0]), low_z = std::min(low_z, v.position[2]);
  const auto near = [](f64 a, f64 b) { return std::fabs(a - b) < 0.1; };
  const auto is_line = [&](f64 x) { return near(x, std::round(x / k_tile_units) * k_tile_units); };
  if (!is_line(low_x) || !is_line(low_z)) return false;
  int seen = 0;
  for (const FaceVertex& v : c) {
    const bool east = near(v.position[0], low_x + k_tile_units), south = near(v.position[2], low_z + k_tile_units);
    if ((!east && !near(v.position[0], low_x)) || (!south && !near(v.position[2], low_z))) return false;
    seen |= 1 << (east + 2 * south);
  }
  return c.size() == 4 && seen == 15;
}

/// Whether a quad is a parallelogram in its positions and its values alike, or these follow from a plane.
bool is_affine(const std::vector<FaceVertex>& c) {
  if (c.size() == 3) return true;
  if (!is_flat(c)) return false;
  // The fourth corner in the axes of the first triangle.
  const Point a = difference(c[1].position, c[0].position), b = difference(c[3].position, c[0].position),
              d = difference(c[2].position, c[0].position);
  const f64 aa = scene::dot(a, a), ab = scene::dot(a, b), bb = scene::dot(b, b), ad = scene::dot(a, d),
            bd = scene::dot(b, d), det = aa * bb - ab * ab;
  if (!(std::fabs(det) > 1e-9)) return false;
  const f64 s = (bb * ad - ab * bd) / det, t = (aa * bd - ab * ad) / det;
  const auto follows = [&](const auto& of, f64 within) {
    for (size_t i = 0; i < of(c[0]).size(); ++i) {
      const f64 expected = of(c[0])[i] + s * (of(c[1])[i] - of(c[0])[i]) + t * (of(c[3])[i] - of(c[0])[i]);
      if (std::fabs(expected - of(c[2])[i]) > within) return false;
    }
    return true;
  };
  return follows([](const FaceVertex& v) { return v.uv; }, 1e-3) &&
         follows([](const FaceVertex& v) { return v.color; }, 0.02);
}

/// A quad as the two triangles that join_to_quads made it of: their edge is between its first and third corners.
std::vector<Face> triangles_of(const Face& f) {
  std::vector<Face> out;
  for (size_t i = 1; i + 1 < f.corners.size(); ++i) {
    Face& one = out.emplace_back();
    one.kind = f.kind, one.node = f.node, one.source = f.source;
    one.corners = {f.corners[0], f.corners[i], f.corners[i + 1]};
  }
  return out;
}

/// The convex polygon on one side of a plane: `value` of a vertex is at most (or, with `above`, at least) `at`.
std::vector<FaceVertex> clip(const std::vector<FaceVertex>& polygon, auto&& value, auto&& set, f64 at, bool above) {
  std::vector<FaceVertex> out;
  for (size_t i = 0; i < polygon.size(); ++i) {
    const FaceVertex &a = polygon[i], &b = polygon[(i + 1) % polygon.size()];
    const f64 x = above ? value(a) - at : at - value(a), y = above ? value(b) - at : at - value(b);
    if (x >= 0) out.push_back(a);
    if ((x > 0 && y < 0) || (x < 0 && y > 0)) set(out.emplace_back(interpolate(a, b, x / (x - y))), at);
  }
  return out;
}

/// Cuts polygons at each of these values of a vertex.
std::vector<std::vector<FaceVertex>> cut_all(std::vector<std::vector<FaceVertex>> polygons, auto&& value, auto&& set,
                                             const std::vector<f64>& lines) {
  for (const f64 at : lines) {
    std::vector<std::vector<FaceVertex>> next;
    for (auto& p : polygons) {
      const auto [low, high] = std::ranges::minmax(p, {}, value);
      constexpr f64 k_sliver = 0.02;  // less beyond a line stays with the rest
      if (value(high) <= at + k_sliver || value(low) >= at - k_sliver) {
        next.push_back(std::move(p));
        continue;
      }
      for (const bool above : {false, true}) {
        auto side = clip(p, value, set, at, above);
        if (side.size() >= 3) next.push_back(std::move(side));
      }
    }
    polygons = std::move(next);
  }
  return polygons;
}

std::vector<Face> faces_of(const Face& like, std::vector<std::vector<FaceVertex>> polygons) {
  std::vector<Face> out;
  for (auto& p : polygons) {
    if (scene::length(face_normal(p)) == 0) continue;
    Face& one = out.emplace_back();
    one.kind = like.kind, one.node = like.node, one.source = like.source;
    one.corners = std::move(p);
  }
  return out;
}

/// The grid lines within a face.
std::vector<f64> lines_within(const Face& f, size_t axis, f64 width, f64 first, f64 last) {
  f64 low = HUGE_VAL, high = -HUGE_VAL;
  for (const FaceVertex& c : f.corners) low = std::min(low, c.position[axis]), high = std::max(high, c.position[axis]);
  std::vector<f64> out;
  for (f64 at = std::max(std::ceil(low / width) * width, first); at <= std::min(high, last); at += width)
    out.push_back(at);
  return out;
}

/// The repetitions of a picture along one axis of a face.
struct Repeats {
  Wrap wrap;
  f64 base = 0;    // where the first part starts
  f64 period = 1;  // repetitions in a part
  std::vector<f64> cuts;

  Repeats(const Face& f, size_t axis, const PictureUse& use, size_t most) : wrap(use.wraps[axis]) {
    f64 low = HUGE_VAL, high = -HUGE_VAL;
    for (const FaceVertex& c : f.corners) low = std::min(low, c.uv[axis]), high = std::max(high, c.uv[axis]);
    const f64 half = 0.5 / use.texels[axis];
    period = use.repeats[axis];
    // A mirrored picture repeats every second time.
    if (wrap == Wrap::mirror && period > 1) period = std::floor(period / 2) * 2;
    if (wrap == Wrap::clamp) period = 1;
    base = std::floor(low + half);
    if (wrap == Wrap::mirror && period > 1) base = std::floor((low + half) / 2) * 2;
    if (wrap == Wrap::clamp) base = std::max(base, -1.0);
    const f64 last = wrap == Wrap::clamp ? std::min(high - half, 1 + half) : high - half;
    for (f64 at = base + period; at < last && cuts.size() <= most; at += period) cuts.push_back(at);
  }
  /// A coordinate of a part whose middle is given.
  f64 wrapped(f64 x, f64 middle) const {
    if (wrap == Wrap::clamp) return std::clamp(x, 0.0, 1.0);
    const f64 shift = base + std::floor((middle - base) / period) * period;
    const f64 inside = std::clamp(x - shift, 0.0, period);
    const bool is_odd = std::fmod(std::fabs(shift), 2) == 1;
    return wrap == Wrap::mirror && is_odd ? 1 - inside : inside;
  }
};

/// Cuts polygons at texture coordinates.
std::vector<std::vector<FaceVertex>> cut_at_uvs(std::vector<std::vector<FaceVertex>> polygons, size_t axis,
                                                const std::vector<f64>& cuts) {
  for (const f64 at : cuts) {
    std::vector<std::vector<FaceVertex>> next;
    for (const auto& p : polygons)
      for (const bool above : {false, true}) {
        auto side = clip(
            p, [axis](const FaceVertex& v) { return v.uv[axis]; }, [axis](FaceVertex& v, f64 cut) { v.uv[axis] = cut; },
            at, above);
        if (side.size() >= 3) next.push_back(std::move(side));
      }
    polygons = std::move(next);
  }
  return polygons;
}

}  // namespace

std::vector<Face> join_to_quads(const std::vector<Face>& triangles) {
  // Equal vertices of one kind get equal numbers.
  std::map<std::vector<i64>, u32> numbers;
  std::vector<const FaceVertex*> vertices;
  std::vector<std::array<u32, 3>> list;
  for (const Face& f : triangles) {
    std::array<u32, 3>& three = list.emplace_back();
    for (size_t k = 0; k < 3; ++k) {
      const FaceVertex& v = f.corners[k];
      std::vector<i64> key{f.kind};
      for (const f64 x : v.position) key.push_back(std::llround(x * 16));
      for (const f64 x : v.uv) key.push_back(std::llround(x / k_same_uv));
      for (const f64 x : v.normal) key.push_back(std::llround(x * 32));
      for (const f64 x : v.color) key.push_back(std::llround(x * 128));
      const auto [known, is_new] = numbers.try_emplace(std::move(key), u32(vertices.size()));
      if (is_new) vertices.push_back(&v);
      three[k] = known->second;
    }
  }
  scene::Faces<3> graph(list);
  std::map<std::array<u32, 3>, u32> first_of;  // the triangle with these vertices, for the object of a quad
  for (u32 i = 0; i < list.size(); ++i) {
    auto sorted = list[i];
    std::ranges::sort(sorted);
    first_of.try_emplace(sorted, i);
  }
  const auto corners_of = [&](const std::array<u32, 4>& quad) {
    std::vector<FaceVertex> out;
    for (const u32 v : quad) out.push_back(*vertices[v]);
    return out;
  };
  const auto quads = scene::join_triangles_into_quads(graph, [&](const std::array<u32, 4>& quad) {
    const auto corners = corners_of(quad);
    return is_convex(corners) && (is_flat(corners) || covers_tile(corners));
  });
  std::vector<Face> out;
  for (const auto& quad : quads) {
    std::array<u32, 3> half{quad[0], quad[1], quad[2]};
    std::ranges::sort(half);
    const Face& of = triangles[first_of.at(half)];
    Face& one = out.emplace_back();
    one.kind = of.kind, one.node = of.node, one.source = of.source;
    one.corners = corners_of(quad);
  }
  for (u32 i = 0; i < list.size(); ++i)
    if (graph.is_free(i)) out.push_back(triangles[i]);
  return out;
}

std::vector<Face> cut_at_tiles(const Face& f, f64 width, u32 across, u32 deep) {
  if (covers_tile(f.corners)) return {f};
  const auto xs = lines_within(f, 0, width, 0, width * across), zs = lines_within(f, 2, width, -width * deep, 0);
  if (xs.empty() && zs.empty()) return {f};
  std::vector<Face> out;
  for (const Face& part : is_affine(f.corners) ? std::vector{f} : triangles_of(f)) {
    const auto axis = [](size_t k) { return [k](const FaceVertex& v) { return v.position[k]; }; };
    const auto set = [](size_t k) { return [k](FaceVertex& v, f64 at) { v.position[k] = at; }; };
    auto polygons = cut_all({part.corners}, axis(0), set(0), xs);
    polygons = cut_all(std::move(polygons), axis(2), set(2), zs);
    for (const Face& one : faces_of(part, std::move(polygons)))
      for (Face& piece : split_to_quads(one)) out.push_back(std::move(piece));
  }
  return out;
}

std::vector<Face> cut_at_repeats(const Face& f, const PictureUse& use, size_t most) {
  const std::array<Repeats, 2> repeats{Repeats(f, 0, use, most), Repeats(f, 1, use, most)};
  if ((repeats[0].cuts.size() + 1) * (repeats[1].cuts.size() + 1) > most) return {};
  std::vector<Face> pieces;
  if (repeats[0].cuts.empty() && repeats[1].cuts.empty()) {
    pieces.push_back(f);
  } else {
    for (const Face& part : is_affine(f.corners) ? std::vector{f} : triangles_of(f)) {
      auto polygons = cut_at_uvs({part.corners}, 0, repeats[0].cuts);
      polygons = cut_at_uvs(std::move(polygons), 1, repeats[1].cuts);
      for (const Face& one : faces_of(part, std::move(polygons)))
        for (Face& piece : split_to_quads(one)) pieces.push_back(std::move(piece));
    }
  }
  for (Face& p : pieces)
    for (size_t axis = 0; axis < 2; ++axis) {
      f64 middle = 0;
      for (const FaceVertex& c : p.corners) middle += c.uv[axis] / f64(p.corners.size());
      for (FaceVertex& c : p.corners) c.uv[axis] = repeats[axis].wrapped(c.uv[axis], middle);
    }
  return pieces;
}

std::vector<Face> split_to_quads(const Face& f) {
  if (f.corners.size() <= 4) return {f};
  std::vector<Face> out;
  for (size_t i = 1; i + 1 < f.corners.size(); i += 2) {
    Face& one = out.emplace_back();
    one.kind = f.kind, one.node = f.node, one.source = f.source;
    one.corners = {f.corners[0], f.corners[i], f.corners[i + 1]};
    if (i + 2 < f.corners.size()) one.corners.push_back(f.corners[i + 2]);
  }
  return out;
}

}  // namespace dio::fft
