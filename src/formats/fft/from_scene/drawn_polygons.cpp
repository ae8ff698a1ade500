#include "formats/fft/from_scene/drawn_polygons.hpp"

#include "core/sorting.hpp"
#include "formats/fft/scene/builder.hpp"

namespace dio::fft {

using scene::Point;

bool is_same_place(const Point& a, const Point& b) {
  bool out = true;
  for (size_t k = 0; k < 3; ++k) out &= std::fabs(a[k] - b[k]) <= k_apart;
  return out;
}
bool is_same_texel(const std::optional<ComparedTexel>& a, const std::optional<ComparedTexel>& b) {
  if (!a || !b) return true;  // one of them is unknown
  return a->palette == b->palette && std::fabs(a->u - b->u) <= k_apart && std::fabs(a->v - b->v) <= k_apart;
}

OriginalPieces::OriginalPieces(const Mesh& file, const scene::Scene& original) {
  for_each_polygon(file, [&](const PolygonRef& r, const auto&) {
    refs_[r.mesh].push_back(r);
    pieces_[r.mesh].emplace_back();
  });
  for (const scene::Node& n : original.nodes) {
    if (n.mesh == scene::k_none) continue;
    const Value *kind = n.extras.find("kind"), *path = n.extras.find("path");
    if (!kind || !path || kind->text() != k_mesh_node) continue;
    for (size_t m = 0; m < k_meshes; ++m) {
      if (path->text() != mesh_name(m)) continue;
      const auto& primitives = original.meshes[n.mesh].primitives;
      for (size_t p = 0; p < 2; ++p)
        for (u32 t = 0; t < primitives[p].indices.size() / 3; ++t) add_triangle(file, m, primitives[p], p, t);
    }
  }
}

void OriginalPieces::add_triangle(const Mesh& file, size_t mesh, const scene::Primitive& p, size_t primitive,
                                  u32 triangle) {
  const u32 polygon = p.sources[p.indices[3 * triangle]] / 4;
  Piece piece;
  visit_polygon(file, refs_[mesh][polygon], [&](const auto& of_file) {
    for (size_t k = 0; k < 3; ++k) {
      // Fronts are counterclockwise in scenes, clockwise in files.
      const u32 v = p.indices[3 * triangle + (3 - k) % 3];
      DrawnVertex& to = piece.vertices[k];
      to.position = {f64(p.positions[v][0]), -f64(p.positions[v][1]), -f64(p.positions[v][2])};
      if (!p.uvs.empty()) to.texel = ComparedTexel::decode(p.uvs[v]);
      if (!p.normals.empty()) to.normal = Point{p.normals[v][0], -p.normals[v][1], -p.normals[v][2]};
      to.corner = u8(p.sources[v] % 4);
      if (to.corner) continue;  // vertices of cuts have the number of the first corner
      const Position& at = of_file.positions[0];
      bool is_first = is_same_place(to.position, {f64(at.x), f64(at.y), f64(at.z)});
      if constexpr (k_is_textured<decltype(of_file)>)
        is_first &=
            !to.texel || is_same_texel(to.texel, ComparedTexel{f64(of_file.uvs[0].u),
                                                               f64(of_file.uvs[0].v + k_page_texels * of_file.page),
                                                               to.texel->palette});
      if (!is_first) to.corner = 4;
    }
  });
  show_texels_ |= piece.vertices[0].texel && piece.vertices[0].texel->has_palette();
  pieces_[mesh][polygon].push_back(piece);
  of_triangle_[mesh][primitive].push_back({polygon, u32(pieces_[mesh][polygon].size() - 1)});
}

namespace {

using Numbers = std::vector<i64>;

i64 to_whole(f64 x) { return std::llround(std::clamp(x, -1e7, 1e7)); }

class PolygonAssembler {
 public:
  PolygonAssembler(const OriginalPieces& original, std::vector<DrawnPolygon> triangles)
      : original_(original), triangles_(std::move(triangles)), is_used_(triangles_.size()) {}

  std::vector<DrawnPolygon> run() {
    if (triangles_.empty()) return {};
    for (u32 i = 0; i < triangles_.size(); ++i) by_place_[place_key(corners_of(i), {})].push_back(i);
    index_pieces();
    for (u32 i = 0; i < triangles_.size(); ++i)
      if (!is_used_[i] && !triangles_[i].origin) take_copy(i);
    for (u32 i = 0; i < triangles_.size(); ++i)
      for (size_t k = 0; k < 3; ++k) by_edge_[edge_key(i, k, (k + 1) % 3)].push_back({i, k});
    for (u32 i = 0; i < triangles_.size(); ++i) {
      if (is_used_[i] || take_quad(i)) continue;
      is_used_[i] = true;
      made_.emplace_back(i, triangles_[i]);
    }
    sort_stably(made_, [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<DrawnPolygon> out;
    for (auto& [at, polygon] : made_) out.push_back(std::move(polygon));
    return out;
  }

 private:
  using Triangle = std::array<DrawnVertex, 3>;
  Triangle corners_of(u32 i) const {
    const auto& c = triangles_[i].corners;
    return {c[0], c[1], c[2]};
  }
  static Numbers place_key(const Triangle& t, const Point& by) {
    Numbers out;
    for (size_t k = 0; k < 3; ++k)
      out.push_back(to_whole(t[0].position[k] + t[1].position[k] + t[2].position[k] + 3 * by[k]));
    return out;
  }
  /// What triangles that may be copies of each other have in common: texels or, without texels, the shape.
  static Numbers look_key(size_t mesh, bool is_textured, const Triangle& t) {
    std::array<Numbers, 3> turns;
    const bool has_texels = t[0].texel && t[0].texel->has_palette();
    for (size_t turn = 0; turn < 3; ++turn)
      for (size_t k = 0; k < 3; ++k) {
        const DrawnVertex &v = t[(turn + k) % 3], &first = t[turn];
        if (has_texels) {
          turns[turn].insert(turns[turn].end(), {to_whole(v.texel->u), to_whole(v.texel->v), v.texel->palette});
        } else {
          for (size_t axis = 0; axis < 3; ++axis)
            turns[turn].push_back(to_whole(v.position[axis] - first.position[axis]));
        }
      }
    Numbers out = *std::ranges::min_element(turns);
    out.push_back(i64(4 * mesh + 2 * is_textured + has_texels));
    return out;
  }

  // ---- copies of polygons of the file

  void index_pieces() {
    for (size_t m = 0; m < k_meshes; ++m) {
      const auto& polygons = original_.of_mesh(m);
      for (u32 i = 0; i < polygons.size(); ++i)
        for (const OriginalPieces::Piece& piece : polygons[i]) {
          auto& same =
              by_look_[look_key(m, original_.ref(m, i).kind < PolygonKind::untextured_triangle, piece.vertices)];
          constexpr size_t k_enough = 64;  // any of several polygons that look alike will do
          if (same.size() < k_enough) same.push_back({i, piece.vertices});
        }
    }
    // Prefers a quad to a triangle that looks like half of it.
    for (auto& [look, same] : by_look_)
      sort_stably(same, [&](const auto& a, const auto& b) {
        const size_t mesh = size_t(look.back() / 4);
        return original_.of_mesh(mesh)[a.first].size() > original_.of_mesh(mesh)[b.first].size();
      });
  }
  /// The rotation in which a triangle is that piece, moved; nothing if there is none.
  static std::optional<size_t> find_turn(const Triangle& t, const Triangle& piece, const std::optional<Point>& by) {
    for (size_t turn = 0; turn < 3; ++turn) {
      Point moved = by.value_or(Point{});
      if (!by)
        for (size_t k = 0; k < 3; ++k) moved[k] = t[turn].position[k] - piece[0].position[k];
      bool fits = true;
      for (size_t k = 0; k < 3 && fits; ++k) {
        Point to = piece[k].position;
        for (size_t axis = 0; axis < 3; ++axis) to[axis] += moved[axis];
        fits = is_same_place(t[(k + turn) % 3].position, to) && is_same_texel(t[(k + turn) % 3].texel, piece[k].texel);
      }
      if (fits) return turn;
    }
    return {};
  }
  void take_copy(u32 i) {
    const DrawnPolygon& t = triangles_[i];
    const auto found = by_look_.find(look_key(t.mesh, t.is_textured, corners_of(i)));
    if (found == by_look_.end()) return;
    for (const auto& [polygon, piece] : found->second) {
      const auto turn = find_turn(corners_of(i), piece, {});
      if (!turn) continue;
      Point by;
      for (size_t k = 0; k < 3; ++k) by[k] = t.corners[*turn].position[k] - piece[0].position[k];
      if (take_pieces(t.mesh, polygon, by)) return;
    }
  }
  bool take_pieces(u8 mesh, u32 polygon, const Point& by) {
    std::vector<u32> taken;
    const PolygonRef& r = original_.ref(mesh, polygon);
    DrawnPolygon made{
        .mesh = mesh, .is_textured = r.kind < PolygonKind::untextured_triangle, .corners = {}, .origin = {}};
    made.corners.resize(vertex_count(r.kind));
    for (const OriginalPieces::Piece& piece : original_.of_mesh(mesh)[polygon]) {
      const auto found = by_place_.find(place_key(piece.vertices, by));
      if (found == by_place_.end()) return false;
      std::optional<size_t> turn;
      for (const u32 i : found->second) {
        const DrawnPolygon& t = triangles_[i];
        if (is_used_[i] || t.origin || t.mesh != mesh || t.is_textured != made.is_textured) continue;
        if (std::ranges::find(taken, i) != taken.end()) continue;
        turn = find_turn(corners_of(i), piece.vertices, by);
        if (!turn) continue;
        taken.push_back(i);
        for (size_t k = 0; k < 3; ++k)
          if (piece.vertices[k].corner < 4) made.corners[piece.vertices[k].corner] = t.corners[(k + *turn) % 3];
        break;
      }
      if (!turn) return false;
    }
    for (const u32 i : taken) is_used_[i] = true;
    made_.emplace_back(*std::ranges::min_element(taken), std::move(made));
    return true;
  }

  // ---- quads

  Numbers edge_key(u32 i, size_t from, size_t to) const {
    const DrawnPolygon& t = triangles_[i];
    Numbers out{t.mesh, t.is_textured};
    for (const size_t end : {from, to})
      for (const f64 x : t.corners[end].position) out.push_back(to_whole(x));
    return out;
  }
  bool take_quad(u32 i) {
    const Triangle t = corners_of(i);
    for (size_t k = 0; k < 3; ++k) {
      const auto found = by_edge_.find(edge_key(i, (k + 1) % 3, k));
      if (found == by_edge_.end()) continue;
      for (const auto& [j, at] : found->second) {
        if (is_used_[j] || j == i) continue;
        const Triangle other = corners_of(j);
        if (!is_same_texel(t[k].texel, other[(at + 1) % 3].texel) ||
            !is_same_texel(t[(k + 1) % 3].texel, other[at].texel))
          continue;
        if (triangles_[i].origin && triangles_[j].origin) continue;  // they were torn apart
        DrawnPolygon made = triangles_[i];
        made.corners = {t[(k + 2) % 3], t[k], t[(k + 1) % 3], other[(at + 2) % 3]};
        if (!made.origin) made.origin = triangles_[j].origin;
        if (!is_flat_and_convex(made) && !looks_like_one_of_the_file(made)) continue;
        is_used_[i] = is_used_[j] = true;
        made_.emplace_back(std::min(i, j), std::move(made));
        return true;
      }
    }
    return false;
  }
  static bool is_flat_and_convex(const DrawnPolygon& quad) {
    const auto normal = [&](size_t a, size_t b, size_t c) {
      Point x, y;
      for (size_t k = 0; k < 3; ++k) {
        x[k] = quad.corners[b].position[k] - quad.corners[a].position[k];
        y[k] = quad.corners[c].position[k] - quad.corners[a].position[k];
      }
      return scene::unit(scene::cross(x, y));
    };
    // Both triangles, and both of the other diagonal.
    constexpr f64 k_flat = 0.9998;  // cosine: about a degree
    const Point first = normal(0, 1, 2);
    return scene::dot(first, normal(1, 3, 2)) > k_flat && scene::dot(first, normal(0, 1, 3)) > k_flat &&
           scene::dot(first, normal(0, 3, 2)) > k_flat;
  }
  /// Both halves, whatever their shape.
  bool looks_like_one_of_the_file(const DrawnPolygon& quad) const {
    if (!quad.corners[0].texel || !quad.corners[0].texel->has_palette()) return false;
    const auto polygons_of = [&](size_t a, size_t b, size_t c) {
      std::vector<u32> out;
      const auto found =
          by_look_.find(look_key(quad.mesh, quad.is_textured, {quad.corners[a], quad.corners[b], quad.corners[c]}));
      if (found != by_look_.end())
        for (const auto& [polygon, piece] : found->second)
          if (original_.ref(quad.mesh, polygon).kind == quad.kind()) out.push_back(polygon);
      return out;
    };
    const std::vector<u32> one = polygons_of(0, 1, 2), other = polygons_of(1, 3, 2);
    return std::ranges::any_of(one, [&](u32 p) { return std::ranges::find(other, p) != other.end(); });
  }

  const OriginalPieces& original_;
  const std::vector<DrawnPolygon> triangles_;
  std::vector<bool> is_used_;
  std::map<Numbers, std::vector<u32>> by_place_;
  std::map<Numbers, std::vector<std::pair<u32, Triangle>>> by_look_;  // polygons and pieces of the original
  std::map<Numbers, std::vector<std::pair<u32, size_t>>> by_edge_;    // triangles, and the start of the edge in each
  std::vector<std::pair<u32, DrawnPolygon>> made_;                    // with the first triangle of each
};

}  // namespace

std::vector<DrawnPolygon> put_together(const OriginalPieces& original, std::vector<DrawnPolygon> triangles) {
  return PolygonAssembler(original, std::move(triangles)).run();
}

}  // namespace dio::fft
