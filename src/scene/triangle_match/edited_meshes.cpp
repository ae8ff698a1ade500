#include "scene/triangle_match/edited_meshes.hpp"

#include <algorithm>

#include "scene/material_match.hpp"
#include "scene/triangle_indices.hpp"
#include "scene/triangle_match/bone_axes.hpp"
#include "scene/triangle_match/skinned_meshes.hpp"

namespace dio::scene {
namespace {

/// A primitive of the edited scene.
struct PlacedPrimitive {
  const Primitive* p;
  std::vector<Index> indices;
  std::vector<Point> at = {}, rest = {};  // of its vertices, as in SeenTriangle
  const Affine* place = nullptr;

  bool is_mirrored() const { return place && determinant(place->linear) < 0; }
};

std::vector<Point> locate(const Affine& place, const Primitive& p) {
  std::vector<Point> out;
  for (const Vec3& v : p.positions) out.push_back(place * to_point(v));
  return out;
}

class MeshPlacer {
 public:
  MeshPlacer(const OriginalTriangles& original, const PosedNodes& posed)
      : own_(original),
        s_(original.scenes),
        posed_(posed),
        skinned_(original),
        below_bones_(infer_places_below_bones(original, posed)) {}

  EditedMeshes run() {
    for (Index node = 0; node < s_.edited.nodes.size(); ++node)
      if (s_.edited.nodes[node].mesh != k_none && s_.edited_parts[node]) add_mesh(node);
    for (const auto& place : below_bones_) out_.is_placed_below_bones.push_back(place.has_value());
    return std::move(out_);
  }

 private:
  void add_mesh(Index node) {
    const Node& n = s_.edited.nodes[node];
    std::vector<PlacedPrimitive> all;
    for (const Primitive& p : s_.edited.meshes[n.mesh].primitives) {
      PlacedPrimitive one{.p = &p, .indices = triangle_indices(p)};
      if (one.indices.empty()) continue;
      if (n.skin != k_none && !p.joints.empty())
        one.at = skinned_.locate(n, p);
      else
        one.place = &out_.places.emplace_back(choose_transform(node, p)), one.at = locate(*one.place, p);
      one.rest = one.at;
      all.push_back(std::move(one));
    }
    if (is_collapsed(all)) return out_.collapsed.insert(s_.original_nodes[node]), void();
    undo_movement(node, all);
    for (const PlacedPrimitive& one : all) add_triangles(node, one);
  }
  /// The transform that puts the vertices of a mesh at their original positions: that of the edited scene with posed
  /// nodes at rest, with the axes of bones that other meshes show; that of the original node, if the node itself is
  /// posed; or the one in the scene.
  Affine choose_transform(Index node, const Primitive& p) const {
    if (below_bones_[node]) return *below_bones_[node];
    const Index own = s_.original_nodes[node];
    const Affine* best = &posed_.rest_place(node);
    size_t most = own_.count_known(locate(*best, p));
    const Affine* others[] = {own == k_none ? nullptr : &s_.original_places[own], &s_.edited_places[node]};
    for (const Affine* other : others) {
      if (most == p.positions.size()) break;
      if (!other) continue;
      // If a node was moved, all its vertices are elsewhere; its earlier position does not count.
      if (other == others[0] &&
          (!posed_.is_below_posed(node) || posed_.was_moved_itself(node) || posed_.was_turned_itself(node)))
        continue;
      if (const size_t known = own_.count_known(locate(*other, p)); known > most) most = known, best = other;
    }
    return *best;
  }
  /// Whether all vertices are at one point: a program without hidden nodes applied the scale of 0 that stands for them.
  bool is_collapsed(const std::vector<PlacedPrimitive>& all) const {
    return !all.empty() && std::ranges::all_of(all, [&](const PlacedPrimitive& one) {
      return std::ranges::all_of(one.at, [&](const Point& p) { return own_.is_same_point(p, all.front().at.front()); });
    });
  }

  /// If a mesh was moved as a whole, finds its vertices before that: the movement that brings back the most triangles.
  void undo_movement(Index node, std::vector<PlacedPrimitive>& all) const {
    const Index own = s_.original_nodes[node];
    size_t count = 0, most = 0;
    for (const PlacedPrimitive& one : all) count += one.indices.size() / 3, most += count_in_place(one, one.at);
    if (most == count || own == k_none) return;
    std::vector<Affine> movements;
    if (const auto moved = find_box_movement(own, all)) movements.push_back(*moved);
    for (const PlacedPrimitive& one : all)  // of the node
      if (const auto from = one.place ? inverse(*one.place) : std::nullopt)
        movements.push_back(s_.original_places[own] * *from);
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
    for (const Point& v : at) ids.push_back(own_.points.find(v));
    const std::string_view material = original_material(one.p->material);
    size_t out = 0;
    for (size_t c = 0; c + 2 < one.indices.size(); c += 3) {
      PointIds of{ids[one.indices[c]], ids[one.indices[c + 1]], ids[one.indices[c + 2]]};
      if (one.is_mirrored()) std::swap(of[1], of[2]);
      const auto found = own_.by_ids.find(rotate_to_least(of));
      out += found != own_.by_ids.end() && std::ranges::any_of(found->second, [&](u32 t) {
               return own_.primitive_of(own_.triangles[t]).material == material;
             });
    }
    return out;
  }
  /// The movement, and change of size along the axes, from the box of an edited mesh to that of the original node.
  std::optional<Affine> find_box_movement(Index original_node, const std::vector<PlacedPrimitive>& all) const {
    struct Box {
      Point low{1e30, 1e30, 1e30}, high{-1e30, -1e30, -1e30};
      void add(const Point& p) {
        for (size_t i = 0; i < 3; ++i) low[i] = std::min(low[i], p[i]), high[i] = std::max(high[i], p[i]);
      }
    } from, to;
    for (const PlacedPrimitive& one : all)
      for (const Index v : one.indices) from.add(one.at[v]);
    for (const OriginalPrimitive& o : own_.primitives)
      if (o.node == original_node)
        for (const Index v : o.indices) to.add(own_.vertex_transform(o, v) * to_point(o.p->positions[v]));
    if (from.low[0] > from.high[0] || to.low[0] > to.high[0]) return {};
    const f64 tolerance = own_.points.tolerance();
    Affine out;
    for (size_t i = 0; i < 3; ++i) {
      const f64 was = to.high[i] - to.low[i], is = from.high[i] - from.low[i];
      const bool has_same_size = std::fabs(was - is) < tolerance;
      if (!has_same_size && !(is > tolerance)) return {};
      out.linear.columns[i][i] = has_same_size ? 1 : was / is;
      out.origin[i] = to.low[i] - out.linear.columns[i][i] * from.low[i];
    }
    return out;
  }

  /// The name of the original material that an edited material stands for.
  std::string_view original_material(Index material) const {
    if (material == k_none) return {};
    return original_material_name(s_.edited.materials[material], own_.materials);
  }
  void add_triangles(Index node, const PlacedPrimitive& one) {
    const Primitive& p = *one.p;
    const std::vector<Index>& indices = one.indices;
    const bool is_mirrored = one.is_mirrored();
    static const TextureTransform k_no_transform{};
    for (size_t c = 0; c + 2 < indices.size(); c += 3) {
      SeenTriangle t{.node = node,
                     .p = &p,
                     .vertices = {indices[c], indices[c + 1], indices[c + 2]},
                     .at = {},
                     .rest = {},
                     .ids = {},
                     .material = original_material(p.material),
                     .transform = p.material == k_none ? &k_no_transform : &s_.edited.materials[p.material].transform,
                     .place = one.place};
      if (is_mirrored) std::swap(t.vertices[1], t.vertices[2]);
      for (size_t k = 0; k < 3; ++k)
        t.at[k] = one.at[t.vertices[k]], t.rest[k] = one.rest[t.vertices[k]], t.ids[k] = own_.points.find(t.rest[k]);
      out_.triangles.push_back(t);
    }
  }

  const OriginalTriangles& own_;
  const ScenePair& s_;
  const PosedNodes& posed_;
  SkinnedMeshes skinned_;
  const std::vector<std::optional<Affine>> below_bones_;
  EditedMeshes out_;
};

}  // namespace

EditedMeshes place_edited_meshes(const OriginalTriangles& original, const PosedNodes& posed) {
  return MeshPlacer(original, posed).run();
}

}  // namespace dio::scene
