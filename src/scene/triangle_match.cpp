#include "scene/triangle_match.hpp"

#include <algorithm>
#include <deque>
#include <map>
#include <set>
#include <unordered_map>

#include "scene/affine_fit.hpp"
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

Ids sorted(Ids ids) {
  std::ranges::sort(ids);
  return ids;
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
                  const std::vector<bool>& original_parts, const std::vector<bool>& edited_parts,
                  TriangleMatching options)
      : own_(original),
        edited_(edited),
        of_(original_nodes),
        takes_part_(original_parts),
        edited_takes_part_(edited_parts),
        options_(options),
        own_places_(world_transforms(original)),
        places_(world_transforms(edited)),
        points_(compute_tolerance()) {}

  TriangleDifferences run() {
    collect_original();
    find_animated_nodes();
    for (Index node = 0; node < edited_.nodes.size(); ++node) collect_edited(node);
    match_by_sources();
    match_in_known_order();
    for (u32 e = 0; e < seen_.size(); ++e)
      if (seen_[e].original == k_none) match_in_place(e);
    if (options_.pairs_flipped)
      for (u32 e = 0; e < seen_.size(); ++e)
        if (seen_[e].original == k_none) match_flipped(e);
    const size_t known = size_t(std::ranges::count_if(seen_, [](const auto& e) { return e.original != k_none; }));
    for (u32 e = 0; e < seen_.size(); ++e)
      if (seen_[e].original == k_none) seen_[e].target = choose_primitive(seen_[e]);
    pair_changed();
    TriangleDifferences out = report();
    out.known = known;
    out.posed = find_posed_nodes();
    return out;
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
    std::array<Point, 3> at;        // in the scene
    std::array<Point, 3> rest;      // the same, if the mesh as a whole was moved: before that
    Ids ids;                        // of `rest`
    std::string_view material;
    const TextureTransform* transform;
    const Affine* place;      // of its node; null for skinned meshes
    u32 original = k_none;    // the matching original triangle
    bool is_flipped = false;  // the original triangle had its front at the back of this one
    u32 target = k_none;      // the primitive that it belongs to, if it matches none of the original
    std::array<u8, 3> of{};   // by original vertex: the matching vertex of this triangle
  };

  /// A primitive of the edited scene.
  struct PlacedPrimitive {
    const Primitive* p;
    std::vector<Index> indices;
    std::vector<Point> at = {}, rest = {};  // of its vertices, as in SeenTriangle
    const Affine* place = nullptr;
  };
  /// Triangles of one node with one material, in their order: those of the original and of the edited scene.
  struct OrderedTriangles {
    std::vector<u32> own, seen;
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
      if (t.is_flat) flat_points_.insert(t.ids.begin(), t.ids.end());
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
    is_posed_.assign(edited_.nodes.size(), false), has_posed_place_ = is_posed_;
    for (const Animation& a : edited_.animations) {
      for (const Channel& c : a.channels) {
        if (c.node == k_none) continue;
        is_posed_[c.node] = true;
        if (c.target == Channel::Target::translation) has_posed_place_[c.node] = true;
      }
      for (const VisibilityChannel& c : a.visibility_channels)
        if (c.node != k_none) is_posed_[c.node] = true;
    }
    for (const Skin& s : edited_.skins)
      for (const Index joint : s.joints) is_posed_[joint] = has_posed_place_[joint] = true;
    // The transform of a node of the edited scene if all animated nodes have their original transform.
    rest_.resize(edited_.nodes.size());
    for (Index i = 0; i < edited_.nodes.size(); ++i) {
      const Node& n = edited_.nodes[i];
      const Affine local = local_transform(n);
      const Index own = of_[i];
      const bool is_hidden = determinant(local.linear) == 0;  // by programs without hidden nodes
      if (own != k_none && (is_posed_[i] || is_hidden))
        rest_[i] = was_moved_itself(i) ? place_of_moved(i) : own_places_[own];
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
    std::vector<PlacedPrimitive> all;
    for (const Primitive& p : edited_.meshes[n.mesh].primitives) {
      PlacedPrimitive one{.p = &p, .indices = triangle_indices(p)};
      if (one.indices.empty()) continue;
      if (n.skin != k_none && !p.joints.empty())
        one.at = locate_skinned(n, p);
      else
        one.place = &chosen_.emplace_back(choose_transform(node, p)), one.at = locate(*one.place, p);
      one.rest = one.at;
      all.push_back(std::move(one));
    }
    if (is_collapsed(all)) return collapsed_.insert(of_[node]), void();
    undo_movement(node, all);
    for (const PlacedPrimitive& one : all) add_seen(node, one);
  }
  /// Whether all vertices are at one point: a program without hidden nodes applied the scale of 0 that stands for them.
  bool is_collapsed(const std::vector<PlacedPrimitive>& all) const {
    return !all.empty() && std::ranges::all_of(all, [&](const PlacedPrimitive& one) {
      return std::ranges::all_of(one.at, [&](const Point& p) { return is_same_point(p, all.front().at.front()); });
    });
  }
  /// If a mesh was moved as a whole, finds its vertices before that: the movement that brings back the most triangles.
  void undo_movement(Index node, std::vector<PlacedPrimitive>& all) const {
    size_t count = 0, most = 0;
    for (const PlacedPrimitive& one : all) count += one.indices.size() / 3, most += count_in_place(one, one.at);
    if (most == count || of_[node] == k_none) return;
    std::vector<Affine> movements;
    if (const auto moved = find_box_movement(node, all)) movements.push_back(*moved);
    for (const PlacedPrimitive& one : all)  // of the node
      if (const auto from = one.place ? inverse(*one.place) : std::nullopt)
        movements.push_back(own_places_[of_[node]] * *from);
    for (const Affine& back : movements) {
      std::vector<std::vector<Point>> moved;
      size_t known = 0;
      for (const PlacedPrimitive& one : all) {
        std::vector<Point>& to = moved.emplace_back();
        for (const Point& at : one.at) to.push_back(back * at);
        known += count_in_place(one, to);
      }
      if (known <= most) continue;
      most = known;
      for (size_t i = 0; i < all.size(); ++i) all[i].rest = std::move(moved[i]);
    }
  }
  /// The triangles that are at the position of an original triangle with the same material.
  size_t count_in_place(const PlacedPrimitive& one, const std::vector<Point>& at) const {
    std::vector<u32> ids;
    for (const Point& v : at) ids.push_back(points_.find(v));
    const std::string_view material = original_material_name(one.p->material);
    size_t out = 0;
    for (size_t c = 0; c + 2 < one.indices.size(); c += 3) {
      Ids of{ids[one.indices[c]], ids[one.indices[c + 1]], ids[one.indices[c + 2]]};
      if (one.place && determinant(one.place->linear) < 0) std::swap(of[1], of[2]);
      const auto found = by_ids_.find(rotate_to_least(of));
      out += found != by_ids_.end() && std::ranges::any_of(found->second, [&](u32 t) {
               return primitives_[triangles_[t].primitive].material == material;
             });
    }
    return out;
  }
  /// The movement, and change of size along the axes, from the box of an edited mesh to that of the original.
  std::optional<Affine> find_box_movement(Index node, const std::vector<PlacedPrimitive>& all) const {
    struct Box {
      Point low{1e30, 1e30, 1e30}, high{-1e30, -1e30, -1e30};
      void add(const Point& p) {
        for (size_t i = 0; i < 3; ++i) low[i] = std::min(low[i], p[i]), high[i] = std::max(high[i], p[i]);
      }
    } from, to;
    for (const PlacedPrimitive& one : all)
      for (const Index v : one.indices) from.add(one.at[v]);
    for (const OriginalPrimitive& o : primitives_)
      if (o.node == of_[node])
        for (const Index v : o.indices) to.add(vertex_transform(o, v) * point_of(o.p->positions[v]));
    if (from.low[0] > from.high[0] || to.low[0] > to.high[0]) return {};
    Affine out;
    for (size_t i = 0; i < 3; ++i) {
      const f64 was = to.high[i] - to.low[i], is = from.high[i] - from.low[i];
      const bool has_same_size = std::fabs(was - is) < points_.tolerance();
      if (!has_same_size && !(is > points_.tolerance())) return {};
      out.linear.columns[i][i] = has_same_size ? 1 : was / is;
      out.origin[i] = to.low[i] - out.linear.columns[i][i] * from.low[i];
    }
    return out;
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
      if (other == others[0] && (!is_below_posed(node) || was_moved_itself(node))) continue;
      if (const size_t known = count_known(locate(*other, p)); known > most) most = known, best = other;
    }
    return *best;
  }
  /// Whether a node has another translation than its original below the same parent, which no animation sets. Below
  /// animated nodes, programs may put the pose of those into the node.
  bool was_moved_itself(Index node) const {
    const Node &now = edited_.nodes[node], &own = own_.nodes[of_[node]];
    const Index parent = now.parent == k_none ? k_none : of_[now.parent];
    if (now.parent != k_none && is_below_posed(now.parent) && may_have_pose_of_parents(node)) return false;
    return !has_posed_place_[node] && parent == own.parent &&
           distance(point_of(own.translation), point_of(now.translation)) > points_.tolerance() &&
           !may_be_pose(of_[node], now.translation);
  }
  /// Whether a node below animated ones may have the inverse of their pose: it is turned or scaled, or moved by no more
  /// than they are.
  bool may_have_pose_of_parents(Index node) const {
    const Node &now = edited_.nodes[node], &own = own_.nodes[of_[node]];
    const auto differs = [&](const auto& a, const auto& b) {
      constexpr f32 k_same = 1e-4f;
      for (size_t i = 0; i < a.size(); ++i)
        if (std::fabs(a[i] - b[i]) > k_same) return true;
      return false;
    };
    if (differs(now.rotation, own.rotation) || differs(now.scale, own.scale)) return true;
    for (Index above = of_[now.parent]; above != k_none; above = own_.nodes[above].parent) {
      const Vec3& at = own_.nodes[above].translation;
      Vec3 same = at, inverse = at;
      for (size_t i = 0; i < 3; ++i) {
        const f32 by = now.translation[i] - own.translation[i];
        same[i] += by, inverse[i] -= by;
      }
      if (has_moving_channel(above) && (may_be_pose(above, same) || may_be_pose(above, inverse))) return true;
    }
    return false;
  }
  bool has_moving_channel(Index node) const {
    return std::ranges::any_of(own_.animations, [&](const Animation& a) {
      return std::ranges::any_of(
          a.channels, [&](const Channel& c) { return c.node == node && c.target == Channel::Target::translation; });
    });
  }
  std::vector<Index> find_posed_nodes() const {
    std::vector<Index> out;
    for (Index i = 0; i < edited_.nodes.size(); ++i) {
      const Node& now = edited_.nodes[i];
      if (now.mesh == k_none || !edited_takes_part_[i] || of_[i] == k_none || is_posed_[i] || now.parent == k_none ||
          of_[now.parent] != own_.nodes[of_[i]].parent || !is_below_posed(now.parent))
        continue;
      const bool is_moved =
          distance(point_of(own_.nodes[of_[i]].translation), point_of(now.translation)) > points_.tolerance();
      if (is_moved && may_have_pose_of_parents(i)) out.push_back(i);
    }
    return out;
  }
  /// Whether animations of the original bring a node there: exporters drop channels that stay the same.
  bool may_be_pose(Index node, const Vec3& translation) const {
    std::array<f32, 3> low = own_.nodes[node].translation, high = low;
    for (const Animation& a : own_.animations)
      for (const Channel& c : a.channels) {
        if (c.node != node || c.target != Channel::Target::translation) continue;
        for (const Vec4& v : c.values)
          for (size_t i = 0; i < 3; ++i) low[i] = std::min(low[i], v[i]), high[i] = std::max(high[i], v[i]);
      }
    const f64 near = points_.tolerance();
    for (size_t i = 0; i < 3; ++i)
      if (translation[i] < low[i] - near || translation[i] > high[i] + near) return false;
    return true;
  }
  /// The transform of such a node if all animated nodes have their original transform.
  Affine place_of_moved(Index node) const {
    const Node& now = edited_.nodes[node];
    Affine local = local_transform(own_.nodes[of_[node]]);
    local.origin = point_of(now.translation);
    return now.parent == k_none ? local : rest_[now.parent] * local;
  }
  bool is_below_posed(Index node) const {
    for (Index i = node; i != k_none; i = edited_.nodes[i].parent)
      if (is_posed_[i]) return true;
    return false;
  }
  /// A skin whose bind pose is that of the joints without scale, which bones of some programs do not have.
  const Skin& unscaled_skin(const Skin& own) {
    const auto [known, is_new] = unscaled_skins_.try_emplace(&own, own);
    if (!is_new) return known->second;
    Scene unscaled;
    unscaled.nodes = own_.nodes;
    for (const Index joint : own.joints) unscaled.nodes[joint].scale = {1, 1, 1};
    const std::vector<Affine> places = world_transforms(unscaled);
    for (size_t i = 0; i < own.joints.size(); ++i)
      known->second.inverse_bind[i] = to_matrix(inverse(places[own.joints[i]]).value_or(Affine{}));
    return known->second;
  }
  /// For a skinned mesh, whose space is that of the bind pose, or of the pose in the scene.
  std::vector<Point> locate_skinned(const Node& n, const Primitive& p) {
    const Skin& skin = edited_.skins[n.skin];
    const Skin* own_skin = find_original_skin(skin);
    const std::vector<Index> joints =
        own_skin ? match_joints(skin, *own_skin) : std::vector<Index>(skin.joints.size(), k_none);
    std::vector<Point> in_bind_pose, posed, scaled;
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
      scaled.push_back(has_all ? skin_matrix(own_places_, unscaled_skin(*own_skin), own, p.weights[v]) * posed.back()
                               : posed.back());
    }
    std::vector<Point>* best = &in_bind_pose;
    for (std::vector<Point>* other : {&posed, &scaled})
      if (count_known(*other) > count_known(*best)) best = other;
    return std::move(*best);
  }
  void add_seen(Index node, const PlacedPrimitive& one) {
    const Primitive& p = *one.p;
    const std::vector<Index>& indices = one.indices;
    const Affine* place = one.place;
    const bool is_mirrored = place && determinant(place->linear) < 0;
    static const TextureTransform k_no_transform{};
    for (size_t c = 0; c + 2 < indices.size(); c += 3) {
      SeenTriangle t{.node = node,
                     .p = &p,
                     .vertices = {indices[c], indices[c + 1], indices[c + 2]},
                     .at = {},
                     .rest = {},
                     .ids = {},
                     .material = original_material_name(p.material),
                     .transform = p.material == k_none ? &k_no_transform : &edited_.materials[p.material].transform,
                     .place = place};
      if (is_mirrored) std::swap(t.vertices[1], t.vertices[2]);
      for (size_t k = 0; k < 3; ++k)
        t.at[k] = one.at[t.vertices[k]], t.rest[k] = one.rest[t.vertices[k]], t.ids[k] = points_.find(t.rest[k]);
      seen_.push_back(t);
    }
  }

  // ---- triangles that are known without their positions ----

  /// Triangles whose vertices still have their numbers in the file. Of several copies, the one that was not moved
  /// counts, or the first.
  void match_by_sources() {
    std::map<std::tuple<Index, Ids>, std::vector<u32>> known;  // by node, and the numbers of the vertices
    for (u32 t = 0; t < triangles_.size(); ++t) {
      const OriginalPrimitive& o = primitives_[triangles_[t].primitive];
      if (const auto sources = sources_of(*o.p, triangles_[t].vertices))
        known[{o.node, rotate_to_least(*sources)}].push_back(t);
    }
    if (known.empty()) return;
    for (const bool has_moved : {false, true})
      for (u32 e = 0; e < seen_.size(); ++e) {
        const auto sources = sources_of(*seen_[e].p, seen_[e].vertices);
        if (seen_[e].original != k_none || !sources || of_[seen_[e].node] == k_none) continue;
        const auto found = known.find({of_[seen_[e].node], rotate_to_least(*sources)});
        // Pieces of a polygon have the same numbers.
        if (found == known.end() || found->second.size() > 1) continue;
        const u32 t = found->second.front();
        if (triangles_[t].seen != k_none || primitives_[triangles_[t].primitive].material != seen_[e].material ||
            (is_flat(seen_[e].at) && !triangles_[t].is_flat))
          continue;
        const size_t turn =
            find_turn(*sources, *sources_of(*primitives_[triangles_[t].primitive].p, triangles_[t].vertices));
        const size_t shared = count_shared(seen_[e], triangles_[t], turn);
        // Numbers of new vertices may be those between the numbers of old ones.
        const bool is_same = shared >= 2 || has_same_uvs(seen_[e], triangles_[t], turn);
        if (has_moved ? is_same : shared == 3) pair(e, t, turn);
      }
  }
  /// The numbers of three vertices in the file, if all are different.
  static std::optional<Ids> sources_of(const Primitive& p, const std::array<Index, 3>& vertices) {
    if (p.sources.empty()) return {};
    const Ids out{p.sources[vertices[0]], p.sources[vertices[1]], p.sources[vertices[2]]};
    if (out[0] == out[1] || out[1] == out[2] || out[2] == out[0]) return {};
    return out;
  }
  /// By how many places `seen` starts later than `own`, with the same numbers in the same order.
  static size_t find_turn(const Ids& seen, const Ids& own) {
    size_t turn = 0;
    while (turn < 2 && seen[turn] != own[0]) ++turn;
    return turn;
  }

  /// Meshes whose triangles share their vertices as in the original have kept their order.
  void match_in_known_order() {
    std::map<std::pair<Index, std::string_view>, OrderedTriangles> groups;
    for (u32 t = 0; t < triangles_.size(); ++t) {
      const OriginalPrimitive& o = primitives_[triangles_[t].primitive];
      groups[{o.node, o.material}].own.push_back(t);
    }
    for (u32 e = 0; e < seen_.size(); ++e)
      if (of_[seen_[e].node] != k_none) groups[{of_[seen_[e].node], seen_[e].material}].seen.push_back(e);
    for (const auto& [_, group] : groups)
      if (has_same_topology(group) && is_in_order(group))
        for (size_t i = 0; i < group.own.size(); ++i)
          if (seen_[group.seen[i]].original == k_none && triangles_[group.own[i]].seen == k_none)
            pair(group.seen[i], group.own[i], 0);
  }
  bool has_same_topology(const OrderedTriangles& group) const {
    if (group.own.size() != group.seen.size()) return false;
    std::map<std::pair<const Primitive*, Index>, std::pair<const Primitive*, Index>> of_own, of_seen;
    for (size_t i = 0; i < group.own.size(); ++i) {
      const OriginalTriangle& t = triangles_[group.own[i]];
      const SeenTriangle& e = seen_[group.seen[i]];
      if (e.node != seen_[group.seen[0]].node) return false;  // of a copy
      if (!e.place != primitives_[t.primitive].is_skinned) return false;
      const bool is_mirrored = e.place && determinant(e.place->linear) < 0;
      if (is_mirrored != primitives_[t.primitive].is_mirrored) return false;
      for (size_t k = 0; k < 3; ++k) {
        const std::pair own(primitives_[t.primitive].p, t.vertices[k]), seen(e.p, e.vertices[k]);
        if (of_own.try_emplace(own, seen).first->second != seen || of_seen.try_emplace(seen, own).first->second != own)
          return false;
      }
    }
    return true;
  }
  /// Whether the order of the triangles agrees with their positions: most are where they were, or moved together,
  /// unlike those that are in the place of another one.
  bool is_in_order(const OrderedTriangles& group) const {
    const Affine movement = fit_movement(group);
    size_t unmoved = 0, explained = 0, elsewhere = 0, in_place = 0;
    for (size_t i = 0; i < group.own.size(); ++i) {
      const OriginalTriangle& t = triangles_[group.own[i]];
      const SeenTriangle& e = seen_[group.seen[i]];
      bool has_moved_along = true, is_unmoved = true;
      for (size_t k = 0; k < 3; ++k) {
        has_moved_along &= is_same_point(movement * points_[t.ids[k]], e.at[k]);
        is_unmoved &= is_same_point(points_[t.ids[k]], e.at[k]);
      }
      const bool has_uvs = has_same_uvs(e, t, 0), is_in_place = has_unmoved_twin(e);
      unmoved += is_unmoved && has_uvs, in_place += is_in_place;
      if (has_uvs && (is_unmoved || has_moved_along || count_shared(e, t, 0) == 3))
        ++explained;
      else
        elsewhere += is_in_place || (options_.pairs_flipped && is_flipped_in_place(e));
    }
    if (in_place == group.own.size()) return unmoved == group.own.size();
    return elsewhere * 4 <= explained;
  }
  /// Whether an original triangle of the same node, with the same texture coordinates and material, is where an edited
  /// one is.
  bool has_unmoved_twin(const SeenTriangle& e) const {
    Ids ids;
    for (size_t k = 0; k < 3; ++k) ids[k] = points_.find(e.at[k]);
    const auto found = by_ids_.find(rotate_to_least(ids));
    return found != by_ids_.end() && std::ranges::any_of(found->second, [&](u32 number) {
             const OriginalTriangle& t = triangles_[number];
             const size_t turn = find_turn(ids, t.ids);
             const OriginalPrimitive& o = primitives_[t.primitive];
             return o.material == e.material && is_of_node(e, o) && has_same_uvs(e, t, turn);
           });
  }
  bool is_flipped_in_place(const SeenTriangle& e) const {
    return by_ids_.contains(rotate_to_least({points_.find(e.at[0]), points_.find(e.at[2]), points_.find(e.at[1])}));
  }
  /// The transform that most vertices follow, if their order is the same: least squares without the vertices that
  /// follow it least.
  Affine fit_movement(const OrderedTriangles& group) const {
    std::vector<std::pair<Point, Point>> pairs;
    for (size_t i = 0; i < group.own.size(); ++i)
      for (size_t k = 0; k < 3; ++k)
        pairs.emplace_back(points_[triangles_[group.own[i]].ids[k]], seen_[group.seen[i]].at[k]);
    Affine out = fit_affine(pairs);
    constexpr size_t k_rounds = 6;
    for (size_t round = 0; round < k_rounds; ++round) {
      const auto error = [&](const auto& pair) { return distance(out * pair.first, pair.second); };
      std::vector<f64> errors;
      for (const auto& pair : pairs) errors.push_back(error(pair));
      std::ranges::nth_element(errors, errors.begin() + std::ptrdiff_t(errors.size() / 2));
      const f64 most = std::max(points_.tolerance() / 4, 2 * errors[errors.size() / 2]);
      std::vector<std::pair<Point, Point>> kept;
      for (const auto& pair : pairs)
        if (error(pair) <= most) kept.push_back(pair);
      if (kept.size() == pairs.size()) break;
      out = fit_affine(kept);
    }
    return out;
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
    for (size_t k = 0; k < 3; ++k) near[k] = points_.find_all(seen.rest[k]);
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
  /// The unmatched original triangle of the same node with the same vertices in the reversed order.
  void match_flipped(u32 e) {
    SeenTriangle& seen = seen_[e];
    const Ids reversed{seen.ids[0], seen.ids[2], seen.ids[1]};
    const auto found = by_ids_.find(rotate_to_least(reversed));
    if (found == by_ids_.end()) return;
    for (const u32 t : found->second) {
      const OriginalTriangle& own = triangles_[t];
      const OriginalPrimitive& o = primitives_[own.primitive];
      if (own.seen != k_none || own.is_flat || o.material != seen.material || !is_of_node(seen, o)) continue;
      seen.original = t, triangles_[t].seen = e, seen.is_flipped = true;
      for (size_t k = 0; k < 3; ++k) seen.of[k] = u8(std::ranges::find(seen.ids, own.ids[k]) - seen.ids.begin());
      return;
    }
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
      if (options_.has_separate_nodes && fit == 0) continue;
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
    std::multiset<Ids> replacing, unplaced_at;  // vertices of new triangles
    for (u32 e = 0; e < seen_.size(); ++e) {
      if (seen_[e].original != k_none || has_no_area(seen_[e])) continue;
      if (seen_[e].target == k_none)
        ++unplaced[{seen_[e].node, seen_[e].material}], unplaced_at.insert(sorted(seen_[e].ids));
      else
        added[seen_[e].target].push_back(e), replacing.insert(sorted(seen_[e].ids));
    }
    for (const auto& [where, count] : unplaced) out.unplaced.push_back({where.first, count, std::string(where.second)});
    for (u32 i = 0; i < primitives_.size(); ++i) {
      const OriginalPrimitive& o = primitives_[i];
      EditedPrimitive made{.node = o.node, .primitive = o.number, .triangles = {}};
      for (u32 k = 0; k < o.indices.size() / 3; ++k) {
        const OriginalTriangle& t = triangles_[o.first_triangle + k];
        if (t.seen == k_none && !t.is_flat) {
          const bool is_hidden = o.is_hidden || collapsed_.contains(o.node);
          out.hidden += is_hidden;
          const auto unplaced_twin = unplaced_at.find(sorted(t.ids));
          if (!is_hidden && unplaced_twin == unplaced_at.end()) {
            ++made.removed;
            if (const auto twin = replacing.find(sorted(t.ids)); twin != replacing.end())
              ++out.reassigned, replacing.erase(twin);
            continue;
          }
          if (!is_hidden) unplaced_at.erase(unplaced_twin);
        }
        EditedTriangle edited = compare(o, t);
        edited.triangle = k;
        const bool is_changed = edited.is_flipped || std::ranges::any_of(edited.vertices, &EditedVertex::is_changed);
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
      out.is_flipped = e.is_flipped;
      const size_t at = e.of[k];
      const EditedVertex now = make_vertex(o, e, at, v.vertex);
      if (!is_same_point(e.at[at], points_[t.ids[k]])) v.position = now.position;
      const Index i = v.vertex;
      if (now.uv && !o.p->uvs.empty() && !is_same_uv(uv_in_picture(e, at), transform_uv(o.transform, o.p->uvs[i])))
        v.uv = now.uv;
      if (now.color && !is_same_color(*now.color, o.p->colors.empty() ? Vec4{1, 1, 1, 1} : o.p->colors[i]))
        v.color = now.color;
      if (now.normal && !o.p->normals.empty() && distance(*now.normal, o.p->normals[i]) > k_same_normal &&
          !is_merged(e, at, *now.normal) && !flat_points_.contains(t.ids[k]))
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
  const TriangleMatching options_;
  const std::vector<Affine> own_places_, places_;
  std::vector<Affine> rest_;  // by node of the edited scene
  std::vector<bool> is_posed_, has_posed_place_;
  std::map<const Skin*, Skin> unscaled_skins_;
  std::deque<Affine> chosen_;  // transforms of meshes of the edited scene
  PointIndex points_;
  std::set<std::string_view> names_;  // of materials of the original
  std::vector<OriginalPrimitive> primitives_;
  std::vector<OriginalTriangle> triangles_;
  std::map<Ids, std::vector<u32>> by_ids_;
  std::vector<SeenTriangle> seen_;
  std::set<u32> flat_points_;  // of triangles without area, next to which other programs compute wrong normals
  std::set<Index> collapsed_;  // nodes of the original whose edited meshes have no size
  std::unordered_map<const Primitive*, std::vector<std::vector<Vec3>>> original_normals_;  // by vertex
  const bool has_shuffled_colors_ = has_shuffled_colors(edited_);
  u64 kept_ = 0;
};

}  // namespace

bool has_shuffled_colors(const Scene& s) { return s.generator.starts_with("Khronos glTF Blender I/O v3.4."); }

TriangleDifferences match_triangles(const Scene& original, const Scene& edited, std::span<const Index> original_nodes,
                                    const std::vector<bool>& original_parts, const std::vector<bool>& edited_parts,
                                    TriangleMatching options) {
  return TriangleMatcher(original, edited, original_nodes, original_parts, edited_parts, options).run();
}

}  // namespace dio::scene
