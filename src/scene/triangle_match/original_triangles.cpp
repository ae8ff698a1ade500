#include "scene/triangle_match/original_triangles.hpp"

#include "scene/triangle_indices.hpp"

namespace dio::scene {
namespace {

// The precision, relative to the extent, that single-precision programs keep: for rigid meshes, for those below bones,
// and for skinned meshes, which they multiply with several matrices.
constexpr f64 k_rigid_digits = 1 << 19, k_boned_digits = 1 << 17, k_skinned_digits = 1 << 14;

struct Tolerances {
  f64 all, rigid;
};
/// From the largest coordinate, up to which floats can distinguish points.
Tolerances compute_tolerances(const ScenePair& s) {
  f64 most = 1e-6, digits = k_rigid_digits;
  for (Index i = 0; i < s.original.nodes.size(); ++i) {
    const Node& n = s.original.nodes[i];
    if (n.mesh == k_none || !s.original_parts[i]) continue;
    if (n.skin != k_none) digits = k_skinned_digits;
    for (const Primitive& p : s.original.meshes[n.mesh].primitives)
      for (const Vec3& v : p.positions) {
        const Point at = n.skin == k_none ? s.original_places[i] * to_point(v) : to_point(v);
        for (const f64 x : at) most = std::max(most, std::fabs(x));
      }
  }
  return {most / digits, most / (digits == k_rigid_digits ? k_rigid_digits : k_boned_digits)};
}
bool is_hidden(const Scene& s, Index node) {
  for (Index i = node; i != k_none; i = s.nodes[i].parent)
    if (!s.nodes[i].visible) return true;
  return false;
}

}  // namespace

OriginalTriangles::OriginalTriangles(const ScenePair& pair)
    : scenes(pair), points(compute_tolerances(pair).all), rigid_tolerance(compute_tolerances(pair).rigid) {
  for (Index i = 0; i < scenes.original.nodes.size(); ++i)
    if (scenes.original.nodes[i].mesh != k_none && scenes.original_parts[i]) add_primitives(i);
  // Only after all points are known: of several close points, the nearest counts, as in the edited scene.
  for (u32 i = 0; i < primitives.size(); ++i) add_triangles(i);
}

void OriginalTriangles::add_primitives(Index node) {
  const Scene& s = scenes.original;
  const Node& n = s.nodes[node];
  for (u32 k = 0; k < s.meshes[n.mesh].primitives.size(); ++k) {
    const Primitive& p = s.meshes[n.mesh].primitives[k];
    if (p.shape != Primitive::Shape::triangles) continue;
    OriginalPrimitive o{
        .node = node,
        .number = k,
        .p = &p,
        .indices = triangle_indices(p),
        .material = p.material == k_none ? std::string_view() : std::string_view(s.materials[p.material].name),
        .transform = p.material == k_none ? TextureTransform{} : s.materials[p.material].transform,
        .is_skinned = n.skin != k_none && !p.joints.empty(),
        .is_mirrored = false,
        .is_hidden = is_hidden(s, node),
        .first_triangle = 0};
    o.is_mirrored = !o.is_skinned && determinant(scenes.original_places[node].linear) < 0;
    materials.insert(o.material);
    for (Index v = 0; v < p.positions.size(); ++v) points.add(vertex_transform(o, v) * to_point(p.positions[v]));
    primitives.push_back(std::move(o));
  }
}
void OriginalTriangles::add_triangles(u32 primitive) {
  OriginalPrimitive& o = primitives[primitive];
  o.first_triangle = u32(triangles.size());
  std::vector<u32> ids(o.p->positions.size(), k_none);
  for (size_t c = 0; c + 2 < o.indices.size(); c += 3) {
    OriginalTriangle t{
        .primitive = primitive, .vertices = {o.indices[c], o.indices[c + 1], o.indices[c + 2]}, .ids = {}};
    if (o.is_mirrored) std::swap(t.vertices[1], t.vertices[2]);
    for (size_t k = 0; k < 3; ++k) {
      u32& id = ids[t.vertices[k]];
      if (id == k_none) id = points.find(vertex_transform(o, t.vertices[k]) * to_point(o.p->positions[t.vertices[k]]));
      t.ids[k] = id;
    }
    t.is_flat = is_flat({points[t.ids[0]], points[t.ids[1]], points[t.ids[2]]});
    if (t.is_flat) flat_points.insert(t.ids.begin(), t.ids.end());
    by_ids[rotate_to_least(t.ids)].push_back(u32(triangles.size()));
    triangles.push_back(t);
  }
}

bool OriginalTriangles::is_flat(const std::array<Point, 3>& t) const {
  const auto edge = [&](size_t from, size_t to) {
    return Point{t[to][0] - t[from][0], t[to][1] - t[from][1], t[to][2] - t[from][2]};
  };
  const f64 longest = std::max({distance(t[0], t[1]), distance(t[1], t[2]), distance(t[2], t[0])});
  return length(cross(edge(0, 1), edge(0, 2))) <= longest * points.tolerance();
}
size_t OriginalTriangles::count_known(const std::vector<Point>& at) const {
  return size_t(std::ranges::count_if(at, [&](const Point& p) { return points.find(p) != PointIndex::k_unknown; }));
}
Affine OriginalTriangles::vertex_transform(const OriginalPrimitive& o, Index vertex) const {
  const auto& places = scenes.original_places;
  if (!o.is_skinned) return places[o.node];
  const Skin& skin = scenes.original.skins[scenes.original.nodes[o.node].skin];
  return skin_matrix(places, skin, o.p->joints[vertex], o.p->weights[vertex]);
}

}  // namespace dio::scene
