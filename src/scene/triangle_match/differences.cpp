#include "scene/triangle_match/differences.hpp"

#include <algorithm>
#include <unordered_map>

#include "scene/triangle_match/skinned_meshes.hpp"

namespace dio::scene {
namespace {

constexpr f64 k_same_color = 4.0 / 255;  // sRGB: some programs store 8 bits and convert twice
constexpr f64 k_same_normal = 0.02;      // length of the difference

PointIds sorted(PointIds ids) {
  std::ranges::sort(ids);
  return ids;
}
bool is_same_color(const Vec4& a, const Vec4& b) {
  for (size_t i = 0; i < 3; ++i) {
    const auto srgb = [&](const Vec4& c) { return linear_to_srgb(std::clamp(f64(c[i]), 0.0, 1.0)); };
    if (std::fabs(srgb(a) - srgb(b)) > k_same_color) return false;
  }
  return true;
}
bool contains_normal(const std::vector<Vec3>& normals, const Vec3& n) {
  return std::ranges::any_of(normals, [&](const Vec3& one) { return distance(one, n) <= k_same_normal; });
}

/// The normals that the vertices of the edited scene had in the original, without duplicates.
class OriginalNormals {
 public:
  explicit OriginalNormals(const TrianglePairs& pairs) {
    for (const SeenTriangle& e : pairs.seen) {
      if (e.original == k_none || e.p->normals.empty()) continue;
      const OriginalTriangle& t = pairs.own.triangles[e.original];
      const Primitive& own = *pairs.own.primitive_of(t).p;
      if (own.normals.empty()) continue;
      auto& of_primitive = normals_[e.p];
      of_primitive.resize(e.p->positions.size());
      for (size_t k = 0; k < 3; ++k) {
        std::vector<Vec3>& normals = of_primitive[e.vertices[e.of[k]]];
        const Vec3& n = own.normals[t.vertices[k]];
        if (!contains_normal(normals, n)) normals.push_back(n);
      }
    }
  }
  /// Whether a program has merged vertices with different normals and kept the normal of one.
  bool is_merged(const SeenTriangle& e, size_t k, const Vec3& normal) const {
    const auto found = normals_.find(e.p);
    if (found == normals_.end()) return false;
    const std::vector<Vec3>& normals = found->second[e.vertices[k]];
    return normals.size() > 1 && contains_normal(normals, normal);
  }

 private:
  std::unordered_map<const Primitive*, std::vector<std::vector<Vec3>>> normals_;  // by vertex
};

class DifferenceFinder {
 public:
  DifferenceFinder(const TrianglePairs& pairs, const std::set<Index>& collapsed)
      : pairs_(pairs), s_(pairs.scenes), own_(pairs.own), collapsed_(collapsed), original_normals_(pairs) {}

  TriangleDifferences run() {
    out_.original = &s_.original, out_.edited = &s_.edited;
    sort_new_triangles();
    for (u32 i = 0; i < own_.primitives.size(); ++i) {
      EditedPrimitive made = compare_primitive(own_.primitives[i]);
      add_new_triangles(i, made);
      if (made.changed || made.added || made.removed) out_.primitives.push_back(std::move(made));
    }
    return std::move(out_);
  }

 private:
  void sort_new_triangles() {
    added_.resize(own_.primitives.size());
    std::map<std::pair<Index, std::string_view>, std::vector<UnplacedTriangle>> unplaced;
    for (u32 e = 0; e < pairs_.seen.size(); ++e) {
      const SeenTriangle& t = pairs_.seen[e];
      if (t.original != k_none || t.has_no_area()) continue;
      if (t.target == k_none) {
        unplaced[{t.node, t.material}].push_back({t.p, t.vertices, t.at});
        (s_.options.adds_materials ? replacing_ : unplaced_at_).insert(sorted(t.ids));
      } else {
        added_[t.target].push_back(e), replacing_.insert(sorted(t.ids));
      }
    }
    for (auto& [where, triangles] : unplaced)
      out_.unplaced.push_back({.node = where.first,
                               .count = u32(triangles.size()),
                               .material = std::string(where.second),
                               .original_root = find_original_root(s_, where.first),
                               .triangles = std::move(triangles)});
  }
  /// Compares the triangles that the primitive still has.
  EditedPrimitive compare_primitive(const OriginalPrimitive& o) {
    EditedPrimitive made{.node = o.node, .primitive = o.number, .triangles = {}};
    for (u32 k = 0; k < o.indices.size() / 3; ++k) {
      const OriginalTriangle& t = own_.triangles[o.first_triangle + k];
      if (t.seen == k_none && !t.is_flat && !is_kept_unseen(o, t)) {
        ++made.removed;
        if (const auto twin = replacing_.find(sorted(t.ids)); twin != replacing_.end())
          ++out_.reassigned, replacing_.erase(twin);
        continue;
      }
      EditedTriangle edited = compare(o, t);
      edited.triangle = k;
      const bool is_changed = edited.is_flipped || std::ranges::any_of(edited.vertices, &EditedVertex::is_changed);
      made.changed += is_changed, out_.unchanged += !is_changed;
      made.triangles.push_back(std::move(edited));
    }
    return made;
  }
  /// Whether a triangle that the edited scene lacks was not removed: it is hidden, or the same with a material that the
  /// file cannot take.
  bool is_kept_unseen(const OriginalPrimitive& o, const OriginalTriangle& t) {
    const bool is_hidden = o.is_hidden || collapsed_.contains(o.node);
    out_.hidden += is_hidden;
    if (is_hidden) return true;
    const auto unplaced_twin = unplaced_at_.find(sorted(t.ids));
    if (unplaced_twin == unplaced_at_.end()) return false;
    unplaced_at_.erase(unplaced_twin);
    return true;
  }
  void add_new_triangles(u32 primitive, EditedPrimitive& made) const {
    const OriginalPrimitive& o = own_.primitives[primitive];
    for (const u32 e : added_[primitive]) {
      EditedTriangle fresh;
      for (size_t k = 0; k < 3; ++k) fresh.vertices[k] = make_vertex(o, pairs_.seen[e], k);
      if (o.is_mirrored) std::swap(fresh.vertices[1], fresh.vertices[2]);
      made.triangles.push_back(std::move(fresh));
      ++made.added;
    }
  }

  EditedTriangle compare(const OriginalPrimitive& o, const OriginalTriangle& t) const {
    EditedTriangle out;
    for (size_t k = 0; k < 3; ++k) {
      EditedVertex& v = out.vertices[k];
      v.vertex = t.vertices[k];
      if (t.seen == k_none) continue;  // programs may drop triangles without area and hidden triangles
      const SeenTriangle& e = pairs_.seen[t.seen];
      out.is_flipped = e.is_flipped;
      const size_t at = e.of[k];
      const EditedVertex now = make_vertex(o, e, at, v.vertex);
      if (!is_in_place(o, t, k, e, at)) v.position = now.position;
      const Index i = v.vertex;
      if (now.uv && !o.p->uvs.empty() && !is_same_uv(uv_in_picture(e, at), transform_uv(o.transform, o.p->uvs[i])))
        v.uv = now.uv;
      if (now.color && !is_same_color(*now.color, o.p->colors.empty() ? Vec4{1, 1, 1, 1} : o.p->colors[i]))
        v.color = now.color;
      if (now.normal && !o.p->normals.empty() && distance(*now.normal, o.p->normals[i]) > k_same_normal &&
          !original_normals_.is_merged(e, at, *now.normal) && !own_.flat_points.contains(t.ids[k]))
        v.normal = now.normal;
    }
    if (o.is_mirrored) std::swap(out.vertices[1], out.vertices[2]);
    return out;
  }

  /// Whether a vertex is where it was: as exactly as the programs can keep it, which is less for skins.
  bool is_in_place(const OriginalPrimitive& o, const OriginalTriangle& t, size_t k, const SeenTriangle& e,
                   size_t at) const {
    if (o.is_skinned || !e.place) return own_.is_same_point(e.at[at], own_.points[t.ids[k]]);
    const Point was = s_.original_places[o.node] * to_point(o.p->positions[t.vertices[k]]);
    return distance(e.at[at], was) < own_.rigid_tolerance;
  }

  /// A vertex of the edited scene in the space of a primitive. `like`: the original vertex.
  EditedVertex make_vertex(const OriginalPrimitive& o, const SeenTriangle& e, size_t k, Index like = k_none) const {
    const Index v = e.vertices[k];
    EditedVertex out;
    Affine to_scene = s_.original_places[o.node];
    if (o.is_skinned) {
      const Skin& skin = s_.original.skins[s_.original.nodes[o.node].skin];
      if (like != k_none) {
        out.joints = o.p->joints[like], out.weights = o.p->weights[like];
      } else {
        const std::vector<Index> joints = match_joints(s_, s_.edited.skins[s_.edited.nodes[e.node].skin], skin);
        for (size_t i = 0; i < 4; ++i)
          if (e.p->weights[v][i] > 0)
            if (const Index joint = joints[e.p->joints[v][i]]; joint != k_none)
              out.joints[i] = u16(joint), out.weights[i] = e.p->weights[v][i];
      }
      to_scene = skin_matrix(s_.original_places, skin, out.joints, out.weights);
    }
    const auto back = inverse(to_scene);
    out.position = back ? *back * e.at[k] : e.at[k];
    if (!e.p->normals.empty() && e.place && back)
      out.normal = transform_normal((*back * *e.place).linear, e.p->normals[v], e.at);
    if (!e.p->colors.empty() && !has_shuffled_colors_) out.color = e.p->colors[v];
    if (!e.p->uvs.empty()) out.uv = untransform_uv(o.transform, uv_in_picture(e, k));
    return out;
  }
  /// Nothing if the triangle has no area.
  std::optional<Vec3> transform_normal(const Mat3d& turn, const Vec3& normal,
                                       const std::array<Point, 3>& triangle) const {
    // Normals transform with the inverse transpose: that of both transforms equals that of their quotient.
    const Mat3d normals{{cross(turn.columns[1], turn.columns[2]), cross(turn.columns[2], turn.columns[0]),
                         cross(turn.columns[0], turn.columns[1])}};
    const Point n = scene::unit(normals * to_point(normal));
    const f32 sign = determinant(turn) < 0 ? -1 : 1;
    const bool has_area = n != Point{0, 0, 0} && !own_.is_flat(triangle);
    if (!has_area) return {};
    return Vec3{f32(n[0]) * sign, f32(n[1]) * sign, f32(n[2]) * sign};
  }

  const TrianglePairs& pairs_;
  const ScenePair& s_;
  const OriginalTriangles& own_;
  const std::set<Index>& collapsed_;
  const OriginalNormals original_normals_;
  const bool has_shuffled_colors_ = has_shuffled_colors(s_.edited);
  std::vector<std::vector<u32>> added_;              // new triangles by primitive
  std::multiset<PointIds> replacing_, unplaced_at_;  // vertices of new triangles
  TriangleDifferences out_;
};

}  // namespace

TriangleDifferences find_differences(const TrianglePairs& pairs, const std::set<Index>& collapsed) {
  return DifferenceFinder(pairs, collapsed).run();
}

}  // namespace dio::scene
