#include "scene/triangle_match.hpp"

#include <algorithm>
#include <deque>
#include <map>
#include <set>
#include <unordered_map>

#include "scene/material_match.hpp"
#include "scene/point_index.hpp"
#include "scene/transforms.hpp"
#include "scene/triangle_indices.hpp"

namespace dio::scene {
namespace {

// The precision, relative to the extent, that single-precision programs keep: for rigid meshes, and for skinned meshes,
// which they multiply with several matrices.
constexpr f64 k_rigid_digits = 1 << 19, k_skinned_digits = 1 << 14;
constexpr f64 k_same_uv = 5e-5;          // less than a sixteenth of a texel of 1,024
constexpr f64 k_same_color = 4.0 / 255;  // sRGB: some programs store 8 bits and convert twice
constexpr f64 k_same_normal = 0.02;      // length of the difference

using Ids = std::array<u32, 3>;  // of positions, the smallest first

/// The smallest rotation of a list of three.
Ids rotate_to_least(const Ids& ids) {
  const Ids once{ids[1], ids[2], ids[0]}, twice{ids[2], ids[0], ids[1]};
  return std::min({ids, once, twice});
}

Vec2 transform_uv(const TextureTransform& t, const Vec2& uv) {
  const f64 u = f64(uv[0]) * t.scale[0], v = f64(uv[1]) * t.scale[1], c = std::cos(t.rotation),
            s = std::sin(t.rotation);
  return {f32(c * u + s * v + t.offset[0]), f32(-s * u + c * v + t.offset[1])};
}
Vec2 untransform_uv(const TextureTransform& t, const Vec2& uv) {
  const f64 x = f64(uv[0]) - t.offset[0], y = f64(uv[1]) - t.offset[1], c = std::cos(t.rotation),
            s = std::sin(t.rotation);
  const auto divide = [](f64 a, f32 by) { return f32(by == 0 ? 0 : a / by); };
  return {divide(c * x - s * y, t.scale[0]), divide(s * x + c * y, t.scale[1])};
}

bool is_same_color(const Vec4& a, const Vec4& b) {
  for (size_t i = 0; i < 3; ++i) {
    const auto srgb = [&](const Vec4& c) { return linear_to_srgb(std::clamp(f64(c[i]), 0.0, 1.0)); };
    if (std::fabs(srgb(a) - srgb(b)) > k_same_color) return false;
  }
  return true;
}

Point point_of(const Vec3& v) { return {v[0], v[1], v[2]}; }

class TriangleMatcher {
 public:
  TriangleMatcher(const Scene& original, const Scene& edited, std::span<const Index> original_nodes,
                  const std::vector<bool>& original_parts, const std::vector<bool>& edited_parts)
      : own_(original),
        edited_(edited),
        of_(original_nodes),
        takes_part_(original_parts),
        edited_takes_part_(edited_parts),
        own_places_(world_transforms(original)),
        places_(world_transforms(edited)),
        points_(compute_tolerance()) {}

  TriangleDifferences run() {
    collect_original();
    find_animated_nodes();
    for (Index node = 0; node < edited_.nodes.size(); ++node) collect_edited(node);
    for (u32 e = 0; e < seen_.size(); ++e) match_in_place(e);
    for (u32 e = 0; e < seen_.size(); ++e)
      if (seen_[e].original == k_none) seen_[e].target = choose_primitive(seen_[e]);
    pair_changed();
    return report();
  }

 private:
  /// A primitive of the original.
  struct OriginalPrimitive {
    Index node;
    u32 number;  // in its mesh
    const Primitive* p;
    std::vector<Index> indices;
    std::string_view material;
    TextureTransform transform;
    bool is_skinned, is_mirrored, is_hidden;
    u32 first_triangle;
  };
  struct OriginalTriangle {
    u32 primitive;
    std::array<Index, 3> vertices;  // fronts are counterclockwise in the scene
    Ids ids;                        // of the same
    bool is_flat = false;           // it has no area
    u32 seen = k_none;              // the matching edited triangle
  };
  /// A triangle of the edited scene.
  struct SeenTriangle {
    Index node;
    const Primitive* p;
    std::array<Index, 3> vertices;  // fronts are counterclockwise in the scene
    std::array<Point, 3> at;        // in the scene, at the position in the original
    Ids ids;
    std::string_view material;
    const TextureTransform* transform;
    const Affine* place;     // of its node; null for skinned meshes
    u32 original = k_none;   // the matching original triangle
    u32 target = k_none;     // the primitive that it belongs to, if it matches none of the original
    std::array<u8, 3> of{};  // by original vertex: the matching vertex of this triangle
  };

  /// The largest coordinate, up to which floats can distinguish points.
  f64 compute_tolerance() const {
    f64 most = 1e-6, digits = k_rigid_digits;
    for (Index i = 0; i < own_.nodes.size(); ++i) {
      const Node& n = own_.nodes[i];
      if (n.mesh == k_none || !takes_part_[i]) continue;
      if (n.skin != k_none) digits = k_skinned_digits;
      for (const Primitive& p : own_.meshes[n.mesh].primitives)
        for (const Vec3& v : p.positions) {
          const Point at = n.skin == k_none ? own_places_[i] * point_of(v) : point_of(v);
          for (const f64 x : at) most = std::max(most, std::fabs(x));
        }
    }
    return most / digits;
  }

  static std::string_view material_name(const Scene& s, Index material) {
    return material == k_none ? std::string_view() : std::string_view(s.materials[material].name);
  }
  /// The name of the original material that an edited material stands for.
  std::string_view original_material_name(Index material) const {
    if (material == k_none) return {};
    return scene::original_material_name(edited_.materials[material], names_);
  }

  void collect_original() {
    for (Index i = 0; i < own_.nodes.size(); ++i) {
      const Node& n = own_.nodes[i];
      if (n.mesh == k_none || !takes_part_[i]) continue;
      for (u32 k = 0; k < own_.meshes[n.mesh].primitives.size(); ++k) {
        const Primitive& p = own_.meshes[n.mesh].primitives[k];
        if (p.shape != Primitive::Shape::triangles) continue;
        OriginalPrimitive o{
            .node = i,
            .number = k,
            .p = &p,
            .indices = triangle_indices(p),
            .material = material_name(own_, p.material),
            .transform = p.material == k_none ? TextureTransform{} : own_.materials[p.material].transform,
            .is_skinned = n.skin != k_none && !p.joints.empty(),
            .is_mirrored = false,
            .is_hidden = is_hidden(i),
            .first_triangle = 0};
        o.is_mirrored = !o.is_skinned && determinant(own_places_[i].linear) < 0;
        names_.insert(o.material);
        for (Index v = 0; v < p.positions.size(); ++v) points_.add(vertex_transform(o, v) * point_of(p.positions[v]));
        primitives_.push_back(std::move(o));
      }
    }
    // Only after all points are known: of several close points, the nearest counts, as in the edited scene.
    for (u32 i = 0; i < primitives_.size(); ++i) add_triangles(i);
  }
  bool is_same_point(const Point& a, const Point& b) const { return distance(a, b) < points_.tolerance(); }
  /// Whether the triangle has no area: its height is less than the tolerance.
  bool is_flat(const std::array<Point, 3>& t) const {
    const auto edge = [&](size_t from, size_t to) {
      return Point{t[to][0] - t[from][0], t[to][1] - t[from][1], t[to][2] - t[from][2]};
    };
    const f64 longest = std::max({distance(t[0], t[1]), distance(t[1], t[2]), distance(t[2], t[0])});
    return length(cross(edge(0, 1), edge(0, 2))) <= longest * points_.tolerance();
  }
  bool is_hidden(Index node) const {
    for (Index i = node; i != k_none; i = own_.nodes[i].parent)
      if (!own_.nodes[i].visible) return true;
    return false;
  }
  void add_triangles(u32 number) {
    OriginalPrimitive& o = primitives_[number];
    o.first_triangle = u32(triangles_.size());
    std::vector<u32> ids(o.p->positions.size(), k_none);
    for (size_t c = 0; c + 2 < o.indices.size(); c += 3) {
      OriginalTriangle t{
          .primitive = number, .vertices = {o.indices[c], o.indices[c + 1], o.indices[c + 2]}, .ids = {}};
      if (o.is_mirrored) std::swap(t.vertices[1], t.vertices[2]);
      for (size_t k = 0; k < 3; ++k) {
        u32& id = ids[t.vertices[k]];
        if (id == k_none)
          id = points_.find(vertex_transform(o, t.vertices[k]) * point_of(o.p->positions[t.vertices[k]]));
        t.ids[k] = id;
      }
      t.is_flat = is_flat({points_[t.ids[0]], points_[t.ids[1]], points_[t.ids[2]]});
      by_ids_[rotate_to_least(t.ids)].push_back(u32(triangles_.size()));
      triangles_.push_back(t);
    }
  }
  /// From the space of an original primitive to its scene, for a vertex.
  Affine vertex_transform(const OriginalPrimitive& o, Index vertex) const {
    if (!o.is_skinned) return own_places_[o.node];
    return skin_matrix(own_places_, own_.skins[own_.nodes[o.node].skin], o.p->joints[vertex], o.p->weights[vertex]);
  }

  // ---- the edited scene, in the coordinates of the original ----

  /// Nodes that animations move: their transform in the edited scene is a pose, not an edit.
  void find_animated_nodes() {
    is_posed_.assign(edited_.nodes.size(), false);
    for (const Animation& a : edited_.animations) {
      for (const Channel& c : a.channels)
        if (c.node != k_none) is_posed_[c.node] = true;
      for (const VisibilityChannel& c : a.visibility_channels)
        if (c.node != k_none) is_posed_[c.node] = true;
    }
    for (const Skin& s : edited_.skins)
      for (const Index joint : s.joints) is_posed_[joint] = true;
    // The transform of a node of the edited scene if all animated nodes have their original transform.
    rest_.resize(edited_.nodes.size());
    for (Index i = 0; i < edited_.nodes.size(); ++i) {
      const Node& n = edited_.nodes[i];
      const Affine local = local_transform(n);
      const Index own = of_[i];
      const bool is_hidden = determinant(local.linear) == 0;  // by programs without hidden nodes
      if (own != k_none && (is_posed_[i] || is_hidden))
        rest_[i] = own_places_[own];
      else
        rest_[i] = n.parent == k_none ? local : rest_[n.parent] * local;
    }
  }

  /// For each joint of an edited skin, its number in the original skin; k_none if the original skin lacks it.
  std::vector<Index> match_joints(const Skin& skin, const Skin& own) const {
    std::vector<Index> out;
    for (const Index joint : skin.joints) {
      const Index node = of_[joint];
      const auto found = std::ranges::find(own.joints, node);
      out.push_back(node != k_none && found != own.joints.end() ? Index(found - own.joints.begin()) : k_none);
    }
    return out;
  }
  /// The original skin that shares the most joints with an edited one; null if there are no skins.
  const Skin* find_original_skin(const Skin& skin) const {
    const Skin* best = nullptr;
    size_t most = 0;
    for (const Skin& own : own_.skins) {
      const std::vector<Index> joints = match_joints(skin, own);
      const size_t known = joints.size() - size_t(std::ranges::count(joints, k_none));
      if (!best || known > most) best = &own, most = known;
    }
    return best;
  }

  void collect_edited(Index node) {
    const Node& n = edited_.nodes[node];
    if (n.mesh == k_none || !edited_takes_part_[node]) return;
    for (const Primitive& p : edited_.meshes[n.mesh].primitives) {
      const std::vector<Index> indices = triangle_indices(p);
      if (indices.empty()) continue;
      const Affine* place = nullptr;
      std::vector<Point> at;
      if (n.skin != k_none && !p.joints.empty())
        at = locate_skinned(n, p);
      else
        place = &chosen_.emplace_back(choose_transform(node, p)), at = locate(*place, p);
      add_seen(node, p, indices, at, place);
    }
  }
  std::vector<Point> locate(const Affine& place, const Primitive& p) const {
    std::vector<Point> out;
    for (const Vec3& v : p.positions) out.push_back(place * point_of(v));
    return out;
  }
  size_t count_known(const std::vector<Point>& at) const {
    return size_t(std::ranges::count_if(at, [&](const Point& p) { return points_.find(p) != PointIndex::k_unknown; }));
  }
  /// The transform that puts the vertices of a mesh at their original positions: that of the edited scene with posed
  /// nodes at rest; that of the original node, if the node itself is posed; or the one in the scene.
  Affine choose_transform(Index node, const Primitive& p) const {
    const Affine* best = &rest_[node];
    size_t most = count_known(locate(*best, p));
    const Affine* others[] = {of_[node] == k_none ? nullptr : &own_places_[of_[node]], &places_[node]};
    for (const Affine* other : others) {
      if (most == p.positions.size()) break;
      if (!other) continue;
      // If a node was moved, all its vertices are elsewhere; its earlier position does not count.
      if (other == others[0] && !is_below_posed(node)) continue;
      if (const size_t known = count_known(locate(*other, p)); known > most) most = known, best = other;
    }
    return *best;
  }
  bool is_below_posed(Index node) const {
    for (Index i = node; i != k_none; i = edited_.nodes[i].parent)
      if (is_posed_[i]) return true;
    return false;
  }
  /// For a skinned mesh, whose space is that of the bind pose or of the pose in the scene.
  std::vector<Point> locate_skinned(const Node& n, const Primitive& p) const {
    const Skin& skin = edited_.skins[n.skin];
    const Skin* own_skin = find_original_skin(skin);
    const std::vector<Index> joints =
        own_skin ? match_joints(skin, *own_skin) : std::vector<Index>(skin.joints.size(), k_none);
    std::vector<Point> in_bind_pose, posed;
    for (size_t v = 0; v < p.positions.size(); ++v) {
      const Point at = point_of(p.positions[v]);
      posed.push_back(skin_matrix(places_, skin, p.joints[v], p.weights[v]) * at);
      std::array<u16, 4> own{};
      bool has_all = own_skin != nullptr;
      for (size_t k = 0; k < 4; ++k) {
        if (!(p.weights[v][k] > 0)) continue;
        const Index joint = joints[p.joints[v][k]];
        has_all = has_all && joint != k_none;
        own[k] = u16(joint);
      }
      in_bind_pose.push_back(has_all ? skin_matrix(own_places_, *own_skin, own, p.weights[v]) * at : posed.back());
    }
    return count_known(in_bind_pose) >= count_known(posed) ? in_bind_pose : posed;
  }
  void add_seen(Index node, const Primitive& p, const std::vector<Index>& indices, const std::vector<Point>& at,
                const Affine* place) {
    const bool is_mirrored = place && determinant(place->linear) < 0;
    static const TextureTransform k_no_transform{};
    for (size_t c = 0; c + 2 < indices.size(); c += 3) {
      SeenTriangle t{.node = node,
                     .p = &p,
                     .vertices = {indices[c], indices[c + 1], indices[c + 2]},
                     .at = {},
                     .ids = {},
                     .material = original_material_name(p.material),
                     .transform = p.material == k_none ? &k_no_transform : &edited_.materials[p.material].transform,
                     .place = place};
      if (is_mirrored) std::swap(t.vertices[1], t.vertices[2]);
      for (size_t k = 0; k < 3; ++k) t.at[k] = at[t.vertices[k]], t.ids[k] = points_.find(t.at[k]);
      seen_.push_back(t);
    }
  }

  // ---- triangles that were not moved ----

  bool is_of_node(const SeenTriangle& e, const OriginalPrimitive& o) const { return of_[e.node] == o.node; }
  Vec2 uv_in_picture(const SeenTriangle& e, size_t k) const {
    return transform_uv(*e.transform, e.p->uvs[e.vertices[k]]);
  }
  bool has_same_uvs(const SeenTriangle& e, const OriginalTriangle& t, size_t turn) const {
    const OriginalPrimitive& o = primitives_[t.primitive];
    if (e.p->uvs.empty() || o.p->uvs.empty()) return true;
    for (size_t k = 0; k < 3; ++k)
      if (!is_same_uv(uv_in_picture(e, (k + turn) % 3), transform_uv(o.transform, o.p->uvs[t.vertices[k]])))
        return false;
    return true;
  }
  static bool is_same_uv(const Vec2& a, const Vec2& b) {
    for (size_t i = 0; i < 2; ++i)
      if (std::fabs(a[i] - b[i]) > k_same_uv * std::max(1.0, std::fabs(f64(b[i])))) return false;
    return true;
  }
  /// The unmatched original triangle with the same positions and the same material, preferably of the same node and
  /// with the same texture coordinates.
  void match_in_place(u32 e) {
    SeenTriangle& seen = seen_[e];
    if (std::ranges::find(seen.ids, PointIndex::k_unknown) != seen.ids.end()) return;
    if (find_in_place(e)) return;
    // Rounding may have moved a vertex closer to another one: any vertex within the tolerance counts.
    const Ids nearest = seen.ids;
    std::array<std::vector<u32>, 3> near;
    for (size_t k = 0; k < 3; ++k) near[k] = points_.find_all(seen.at[k]);
    for (const u32 a : near[0])
      for (const u32 b : near[1])
        for (const u32 c : near[2])
          if (seen.ids = {a, b, c}; find_in_place(e)) return;
    seen.ids = nearest;
  }
  bool find_in_place(u32 e) {
    const SeenTriangle& seen = seen_[e];
    const auto found = by_ids_.find(rotate_to_least(seen.ids));
    if (found == by_ids_.end()) return false;
    u32 best = k_none;
    size_t best_turn = 0;
    int most = -1;
    for (const u32 t : found->second) {
      const OriginalTriangle& own = triangles_[t];
      const OriginalPrimitive& o = primitives_[own.primitive];
      if (own.seen != k_none || o.material != seen.material) continue;
      for (size_t turn = 0; turn < 3 && most < 3; ++turn) {
        if (count_shared(seen, own, turn) < 3) continue;
        const int fit = 2 * has_same_uvs(seen, own, turn) + is_of_node(seen, o);
        if (fit > most) most = fit, best = t, best_turn = turn;
      }
      if (most == 3) break;
    }
    if (best != k_none) pair(e, best, best_turn);
    return best != k_none;
  }
  void pair(u32 e, u32 t, size_t turn) {
    seen_[e].original = t, triangles_[t].seen = e;
    for (size_t k = 0; k < 3; ++k) seen_[e].of[k] = u8((k + turn) % 3);
  }

  // ---- triangles that were moved ----

  /// The primitive that receives a triangle: of its node or a nearby node, with its material.
  u32 choose_primitive(const SeenTriangle& e) const {
    u32 best = k_none;
    int most = -1;
    for (u32 i = 0; i < primitives_.size(); ++i) {
      const OriginalPrimitive& o = primitives_[i];
      if (o.material != e.material || o.is_skinned != !e.place) continue;
      int fit = 0;
      if (is_of_node(e, o))
        fit = 2;
      else if (const Index parent = edited_.nodes[e.node].parent; parent != k_none && of_[parent] == o.node)
        fit = 1;
      if (fit > most) most = fit, best = i;
    }
    return best;
  }
  /// Pairs the remaining triangles of each primitive: first triangles that share two positions, then in order if their
  /// numbers are equal.
  void pair_changed() {
    std::vector<std::vector<u32>> seen_of(primitives_.size()), left_of(primitives_.size()), flat_of(primitives_.size());
    for (u32 e = 0; e < seen_.size(); ++e)
      if (seen_[e].original == k_none && seen_[e].target != k_none && !has_no_area(seen_[e]))
        seen_of[seen_[e].target].push_back(e);
    for (u32 t = 0; t < triangles_.size(); ++t)
      if (triangles_[t].seen == k_none)
        (triangles_[t].is_flat ? flat_of : left_of)[triangles_[t].primitive].push_back(t);
    for (u32 i = 0; i < primitives_.size(); ++i) {
      if (seen_of[i].empty()) continue;
      const bool may_be_in_order = seen_of[i].size() == left_of[i].size() && !left_of[i].empty();
      if (may_be_in_order && !has_more_edges_elsewhere(seen_of[i], left_of[i]) && pair_in_order(seen_of[i], left_of[i]))
        continue;
      pair_by_edges(seen_of[i], left_of[i]);
      pair_by_vertex(seen_of[i], flat_of[i]);
    }
  }
  /// The number of positions that a rotated triangle shares with an original triangle.
  size_t count_shared(const SeenTriangle& e, const OriginalTriangle& t, size_t turn) const {
    size_t n = 0;
    for (size_t k = 0; k < 3; ++k) n += e.ids[(k + turn) % 3] == t.ids[k];
    return n;
  }
  /// Whether more triangles share an edge with some remaining triangle than with the one in order: then the order has
  /// changed.
  bool has_more_edges_elsewhere(const std::vector<u32>& seen, const std::vector<u32>& left) const {
    std::set<std::array<u32, 2>> edges;
    for (const u32 t : left)
      for (size_t k = 0; k < 3; ++k) edges.insert({triangles_[t].ids[k], triangles_[t].ids[(k + 1) % 3]});
    size_t in_order = 0, anywhere = 0;
    for (size_t i = 0; i < seen.size(); ++i) {
      const Ids& ids = seen_[seen[i]].ids;
      in_order += count_shared(seen_[seen[i]], triangles_[left[i]], 0) >= 2;
      bool has_edge = false;
      for (size_t k = 0; k < 3; ++k) has_edge |= edges.contains({ids[k], ids[(k + 1) % 3]});
      anywhere += has_edge;
    }
    return anywhere > in_order;
  }
  /// Assumes that the program kept the order of triangles and vertices. Not if unmoved vertices contradict this.
  bool pair_in_order(const std::vector<u32>& seen, const std::vector<u32>& left) {
    for (size_t i = 0; i < seen.size(); ++i) {
      const OriginalTriangle& t = triangles_[left[i]];
      for (size_t k = 0; k < 3; ++k) {
        const u32 id = seen_[seen[i]].ids[k];
        const bool is_own = std::ranges::find(t.ids, id) != t.ids.end();
        if (is_own && id != t.ids[k]) return false;
      }
      if (!has_same_uvs(seen_[seen[i]], t, 0) && !count_shared(seen_[seen[i]], t, 0)) return false;
    }
    for (size_t i = 0; i < seen.size(); ++i) pair(seen[i], left[i], 0);
    return true;
  }
  void pair_by_edges(const std::vector<u32>& seen, const std::vector<u32>& left) {
    std::multimap<std::array<u32, 2>, std::pair<u32, u8>>
        edges;  // of the original: to a triangle, and the start of the edge in it
    for (const u32 t : left)
      for (u8 k = 0; k < 3; ++k)
        edges.emplace(std::array{triangles_[t].ids[k], triangles_[t].ids[(k + 1) % 3]}, std::pair(t, k));
    for (const u32 e : seen)
      for (u8 k = 0; k < 3 && seen_[e].original == k_none; ++k) {
        const std::array edge{seen_[e].ids[k], seen_[e].ids[(k + 1) % 3]};
        if (edge[0] == PointIndex::k_unknown || edge[1] == PointIndex::k_unknown) continue;
        const auto [from, to] = edges.equal_range(edge);
        for (auto one = from; one != to; ++one)
          if (const auto& [t, at] = one->second; triangles_[t].seen == k_none) {
            pair(e, t, size_t(k + 3 - at) % 3);
            break;
          }
      }
  }
  /// Pairs triangles without area, of which other programs keep at most a few.
  void pair_by_vertex(const std::vector<u32>& seen, const std::vector<u32>& left) {
    for (const u32 e : seen)
      for (size_t i = 0; i < 3 * left.size() && seen_[e].original == k_none; ++i)
        if (triangles_[left[i / 3]].seen == k_none && count_shared(seen_[e], triangles_[left[i / 3]], i % 3))
          pair(e, left[i / 3], i % 3);
  }

  // ---- differences ----

  /// The normals that the vertices of the edited scene had in the original, without duplicates.
  void collect_original_normals() {
    for (const SeenTriangle& e : seen_) {
      if (e.original == k_none || e.p->normals.empty()) continue;
      const OriginalTriangle& t = triangles_[e.original];
      const Primitive& own = *primitives_[t.primitive].p;
      if (own.normals.empty()) continue;
      auto& of_primitive = original_normals_[e.p];
      of_primitive.resize(e.p->positions.size());
      for (size_t k = 0; k < 3; ++k) {
        std::vector<Vec3>& normals = of_primitive[e.vertices[e.of[k]]];
        const Vec3& n = own.normals[t.vertices[k]];
        if (!contains_normal(normals, n)) normals.push_back(n);
      }
    }
  }
  static bool contains_normal(const std::vector<Vec3>& normals, const Vec3& n) {
    return std::ranges::any_of(normals, [&](const Vec3& one) { return distance(one, n) <= k_same_normal; });
  }
  /// Whether a program has merged vertices with different normals and kept the normal of one.
  bool is_merged(const SeenTriangle& e, size_t k, const Vec3& normal) const {
    const auto found = original_normals_.find(e.p);
    if (found == original_normals_.end()) return false;
    const std::vector<Vec3>& normals = found->second[e.vertices[k]];
    return normals.size() > 1 && contains_normal(normals, normal);
  }

  TriangleDifferences report() {
    collect_original_normals();
    TriangleDifferences out{.original = &own_, .edited = &edited_, .primitives = {}, .unplaced = {}};
    std::vector<std::vector<u32>> added(primitives_.size());
    std::map<std::pair<Index, std::string_view>, u32> unplaced;
    for (u32 e = 0; e < seen_.size(); ++e) {
      if (seen_[e].original != k_none || has_no_area(seen_[e])) continue;
      if (seen_[e].target == k_none)
        ++unplaced[{seen_[e].node, seen_[e].material}];
      else
        added[seen_[e].target].push_back(e);
    }
    for (const auto& [where, count] : unplaced) out.unplaced.push_back({where.first, count, std::string(where.second)});
    for (u32 i = 0; i < primitives_.size(); ++i) {
      const OriginalPrimitive& o = primitives_[i];
      EditedPrimitive made{.node = o.node, .primitive = o.number, .triangles = {}};
      for (u32 k = 0; k < o.indices.size() / 3; ++k) {
        const OriginalTriangle& t = triangles_[o.first_triangle + k];
        if (t.seen == k_none && !t.is_flat) {
          out.hidden += o.is_hidden, made.removed += !o.is_hidden;
          if (!o.is_hidden) continue;
        }
        EditedTriangle edited = compare(o, t);
        edited.triangle = k;
        const bool is_changed = std::ranges::any_of(edited.vertices, &EditedVertex::is_changed);
        made.changed += is_changed, kept_ += !is_changed;
        made.triangles.push_back(std::move(edited));
      }
      for (const u32 e : added[i]) {
        EditedTriangle fresh;
        for (size_t k = 0; k < 3; ++k) fresh.vertices[k] = make_vertex(o, seen_[e], k);
        if (o.is_mirrored) std::swap(fresh.vertices[1], fresh.vertices[2]);
        made.triangles.push_back(std::move(fresh));
        ++made.added;
      }
      if (made.changed || made.added || made.removed) out.primitives.push_back(std::move(made));
    }
    out.unchanged = kept_;
    return out;
  }

  static bool has_no_area(const SeenTriangle& e) {
    return e.at[0] == e.at[1] || e.at[1] == e.at[2] || e.at[2] == e.at[0];
  }
  EditedTriangle compare(const OriginalPrimitive& o, const OriginalTriangle& t) const {
    EditedTriangle out;
    for (size_t k = 0; k < 3; ++k) {
      EditedVertex& v = out.vertices[k];
      v.vertex = t.vertices[k];
      if (t.seen == k_none) continue;  // programs may drop triangles without area and hidden triangles
      const SeenTriangle& e = seen_[t.seen];
      const size_t at = e.of[k];
      const EditedVertex now = make_vertex(o, e, at, v.vertex);
      if (!is_same_point(e.at[at], points_[t.ids[k]])) v.position = now.position;
      const Index i = v.vertex;
      if (now.uv && !o.p->uvs.empty() && !is_same_uv(uv_in_picture(e, at), transform_uv(o.transform, o.p->uvs[i])))
        v.uv = now.uv;
      if (now.color && !is_same_color(*now.color, o.p->colors.empty() ? Vec4{1, 1, 1, 1} : o.p->colors[i]))
        v.color = now.color;
      if (now.normal && !o.p->normals.empty() && distance(*now.normal, o.p->normals[i]) > k_same_normal &&
          !is_merged(e, at, *now.normal))
        v.normal = now.normal;
    }
    if (o.is_mirrored) std::swap(out.vertices[1], out.vertices[2]);
    return out;
  }

  /// A vertex of the edited scene in the space of a primitive. `like`: the original vertex.
  EditedVertex make_vertex(const OriginalPrimitive& o, const SeenTriangle& e, size_t k, Index like = k_none) const {
    const Index v = e.vertices[k];
    EditedVertex out;
    Affine to_scene = own_places_[o.node];
    if (o.is_skinned) {
      if (like != k_none) {
        out.joints = o.p->joints[like], out.weights = o.p->weights[like];
      } else {
        const std::vector<Index> joints =
            match_joints(edited_.skins[edited_.nodes[e.node].skin], own_.skins[own_.nodes[o.node].skin]);
        for (size_t i = 0; i < 4; ++i)
          if (e.p->weights[v][i] > 0)
            if (const Index joint = joints[e.p->joints[v][i]]; joint != k_none)
              out.joints[i] = u16(joint), out.weights[i] = e.p->weights[v][i];
      }
      to_scene = skin_matrix(own_places_, own_.skins[own_.nodes[o.node].skin], out.joints, out.weights);
    }
    const auto back = inverse(to_scene);
    out.position = back ? *back * e.at[k] : e.at[k];
    if (!e.p->normals.empty() && e.place && back) {
      // Normals transform with the inverse transpose: that of both transforms equals that of their quotient.
      const Mat3d turn = (*back * *e.place).linear;
      const Mat3d normals{{cross(turn.columns[1], turn.columns[2]), cross(turn.columns[2], turn.columns[0]),
                           cross(turn.columns[0], turn.columns[1])}};
      const Point n = scene::unit(normals * point_of(e.p->normals[v]));
      const f32 sign = determinant(turn) < 0 ? -1 : 1;
      const bool has_area = n != Point{0, 0, 0} && !is_flat(e.at);
      if (has_area) out.normal = Vec3{f32(n[0]) * sign, f32(n[1]) * sign, f32(n[2]) * sign};
    }
    if (!e.p->colors.empty() && !has_shuffled_colors_) out.color = e.p->colors[v];
    if (!e.p->uvs.empty()) out.uv = untransform_uv(o.transform, uv_in_picture(e, k));
    return out;
  }

  const Scene& own_;
  const Scene& edited_;
  const std::span<const Index> of_;
  const std::vector<bool>&takes_part_, &edited_takes_part_;
  const std::vector<Affine> own_places_, places_;
  std::vector<Affine> rest_;  // by node of the edited scene
  std::vector<bool> is_posed_;
  std::deque<Affine> chosen_;  // transforms of meshes of the edited scene
  PointIndex points_;
  std::set<std::string_view> names_;  // of materials of the original
  std::vector<OriginalPrimitive> primitives_;
  std::vector<OriginalTriangle> triangles_;
  std::map<Ids, std::vector<u32>> by_ids_;
  std::vector<SeenTriangle> seen_;
  std::unordered_map<const Primitive*, std::vector<std::vector<Vec3>>> original_normals_;  // by vertex
  const bool has_shuffled_colors_ = has_shuffled_colors(edited_);
  u64 kept_ = 0;
};

}  // namespace

bool has_shuffled_colors(const Scene& s) { return s.generator.starts_with("Khronos glTF Blender I/O v3.4."); }

TriangleDifferences match_triangles(const Scene& original, const Scene& edited, std::span<const Index> original_nodes,
                                    const std::vector<bool>& original_parts, const std::vector<bool>& edited_parts) {
  return TriangleMatcher(original, edited, original_nodes, original_parts, edited_parts).run();
}

}  // namespace dio::scene
