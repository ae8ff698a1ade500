#include "formats/kcl/from_scene/simplify.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <map>
#include <queue>

#include "formats/kcl/geometry.hpp"

namespace dio::kcl {

namespace {

constexpr f64 k_border_weight = 10;  // borders are more visible than bumps
constexpr f64 k_least_cosine = 0.5;  // between the normals of a triangle before and after a collapse

}  // namespace

class Simplifier::Mesh {
 public:
  explicit Mesh(std::span<const FlaggedTriangle> given) {
    add_triangles(given);
    quadrics_.resize(corners_.size());
    versions_.resize(corners_.size());
    for (size_t t = 0; t < faces_.size(); ++t) add_planes(u32(t));
    push_all();
  }

  std::vector<FlaggedTriangle> run(size_t most) {
    bool has_collapsed = false;
    while (alive_ > most) {
      if (queue_.empty()) {  // edges that were refused may have become possible
        if (!std::exchange(has_collapsed, false)) break;
        push_all();
        continue;
      }
      const Collapse c = queue_.top();
      queue_.pop();
      if (versions_[c.from] != c.from_version || versions_[c.to] != c.to_version) continue;
      if (can_collapse(c.from, c.to)) collapse(c.from, c.to), has_collapsed = true;
    }
    std::vector<FlaggedTriangle> out;
    for (const Face& f : faces_)
      if (f.is_alive) out.push_back({{corners_[f.v[0]], corners_[f.v[1]], corners_[f.v[2]]}, f.flags});
    return out;
  }

 private:
  /// The sum of squared distances to planes, as a function of the position.
  struct Quadric {
    f64 xx = 0, xy = 0, xz = 0, yy = 0, yz = 0, zz = 0, xd = 0, yd = 0, zd = 0, dd = 0;

    void add_plane(const Point& normal, const Point& on, f64 weight) {
      const auto [x, y, z] = normal;
      const f64 d = -dot(normal, on);
      xx += weight * x * x, xy += weight * x * y, xz += weight * x * z, yy += weight * y * y, yz += weight * y * z;
      zz += weight * z * z, xd += weight * x * d, yd += weight * y * d, zd += weight * z * d, dd += weight * d * d;
    }
    Quadric& operator+=(const Quadric& o) {
      xx += o.xx, xy += o.xy, xz += o.xz, yy += o.yy, yz += o.yz;
      zz += o.zz, xd += o.xd, yd += o.yd, zd += o.zd, dd += o.dd;
      return *this;
    }
    f64 operator()(const Point& p) const {
      const auto [x, y, z] = p;
      return std::max(0.0, xx * x * x + yy * y * y + zz * z * z + dd +
                               2 * (xy * x * y + xz * x * z + yz * y * z + xd * x + yd * y + zd * z));
    }
  };

  /// Moves vertex `from` to vertex `to`. Outdated once the quadric of one of them has changed.
  struct Collapse {
    f64 error;
    u32 from, to, from_version, to_version;
    bool operator>(const Collapse& o) const { return std::tie(error, from, to) > std::tie(o.error, o.from, o.to); }
  };
  struct Face {
    std::array<u32, 3> v;
    u16 flags;
    bool is_alive = true;
    bool has(u32 vertex) const { return v[0] == vertex || v[1] == vertex || v[2] == vertex; }
  };
  std::vector<Vec3> corners_;
  std::vector<Face> faces_;
  std::vector<std::vector<u32>> faces_of_;  // vertices' faces that are alive
  std::vector<Quadric> quadrics_;
  std::vector<u32> versions_;
  std::priority_queue<Collapse, std::vector<Collapse>, std::greater<>> queue_;
  size_t alive_ = 0;

  Point at(u32 v) const { return point_of(corners_[v]); }
  Triangle triangle_of(const Face& f) const { return {at(f.v[0]), at(f.v[1]), at(f.v[2])}; }

  void add_triangles(std::span<const FlaggedTriangle> given) {
    std::map<std::array<u32, 3>, u32> known;
    for (const FlaggedTriangle& t : given) {
      if (!has_area(t)) continue;
      Face f{{}, t.flags};
      for (size_t c = 0; c < 3; ++c) {
        const Vec3 v{t.corners[c].x + 0.0f, t.corners[c].y + 0.0f, t.corners[c].z + 0.0f};  // -0 is 0
        const std::array key{std::bit_cast<u32>(v.x), std::bit_cast<u32>(v.y), std::bit_cast<u32>(v.z)};
        const auto [entry, is_new] = known.try_emplace(key, u32(corners_.size()));
        if (is_new) corners_.push_back(v);
        f.v[c] = entry->second;
      }
      faces_.push_back(f);
    }
    faces_of_.resize(corners_.size());
    for (u32 t = 0; t < faces_.size(); ++t)
      for (const u32 v : faces_[t].v) faces_of_[v].push_back(t);
    alive_ = faces_.size();
  }

  /// Calls `visit` with the faces at an edge.
  void for_each_face_at_edge(u32 a, u32 b, auto visit) const {
    if (faces_of_[a].size() > faces_of_[b].size()) std::swap(a, b);
    for (const u32 t : faces_of_[a])
      if (faces_[t].has(b)) visit(faces_[t]);
  }
  size_t count_faces_at_edge(u32 a, u32 b) const {
    size_t n = 0;
    for_each_face_at_edge(a, b, [&](const Face&) { ++n; });
    return n;
  }
  bool is_border(u32 a, u32 b) const {
    size_t n = 0;
    std::array<u16, 2> flags{};
    for_each_face_at_edge(a, b, [&](const Face& f) { flags[n++ % 2] = f.flags; });
    return n != 2 || flags[0] != flags[1];
  }
  std::vector<u32> neighbours_of(u32 v) const {
    std::vector<u32> out;
    for (const u32 t : faces_of_[v])
      for (const u32 n : faces_[t].v)
        if (n != v) out.push_back(n);
    std::ranges::sort(out);
    out.erase(std::ranges::unique(out).begin(), out.end());
    return out;
  }

  /// The planes of a face, and those through its border edges, perpendicular to it.
  void add_planes(u32 face) {
    const Face& f = faces_[face];
    const Triangle t = triangle_of(f);
    const Point normal = unit(cross(t[1] - t[0], t[2] - t[0]));
    for (size_t i = 0; i < 3; ++i) {
      quadrics_[f.v[i]].add_plane(normal, t[0], 1);
      const u32 a = f.v[i], b = f.v[(i + 1) % 3];
      if (!is_border(a, b)) continue;
      const Point across = unit(cross(t[(i + 1) % 3] - t[i], normal));
      for (const u32 v : {a, b}) quadrics_[v].add_plane(across, t[i], k_border_weight);
    }
  }
  void push_all() {
    for (u32 v = 0; v < corners_.size(); ++v)
      for (const u32 n : neighbours_of(v)) push(v, n);
  }
  void push(u32 from, u32 to) {
    Quadric both = quadrics_[from];
    both += quadrics_[to];
    queue_.push({both(at(to)), from, to, versions_[from], versions_[to]});
  }

  /// Vertices on borders move only along their border, and stay where borders meet or end.
  bool keeps_borders(u32 from, u32 to, const std::vector<u32>& neighbours) const {
    const auto borders = std::ranges::count_if(neighbours, [&](u32 n) { return is_border(from, n); });
    return borders == 0 || (borders == 2 && is_border(from, to));
  }
  bool can_collapse(u32 from, u32 to) const {
    constexpr size_t k_most_faces = 500;           // the centres of large fans stay, which keeps the time short
    if (faces_of_[from].size() < 2) return false;  // the face would vanish
    if (faces_of_[from].size() + faces_of_[to].size() > k_most_faces) return false;
    const std::vector<u32> own = neighbours_of(from), others = neighbours_of(to);
    if (!std::ranges::binary_search(own, to) || !keeps_borders(from, to, own)) return false;
    // The link condition: otherwise, two faces would become one.
    const auto common = std::ranges::count_if(own, [&](u32 n) { return std::ranges::binary_search(others, n); });
    if (size_t(common) != count_faces_at_edge(from, to)) return false;
    return std::ranges::all_of(faces_of_[from], [&](u32 t) {
      return faces_[t].has(to) || stays_similar(triangle_of(faces_[t]), faces_[t], from, to);
    });
  }
  /// Whether the face neither turns over nor becomes too thin to be hit.
  bool stays_similar(const Triangle& before, const Face& f, u32 from, u32 to) const {
    Triangle after = before;
    for (size_t c = 0; c < 3; ++c)
      if (f.v[c] == from) after[c] = at(to);
    const Point was = cross(before[1] - before[0], before[2] - before[0]);
    const Point is = cross(after[1] - after[0], after[2] - after[0]);
    if (dot(was, is) <= k_least_cosine * length(was) * length(is)) return false;
    return least_height(after) >= std::min(k_least_height, least_height(before));
  }
  void collapse(u32 from, u32 to) {
    for (const u32 t : faces_of_[from]) {
      Face& f = faces_[t];
      if (f.has(to)) {
        f.is_alive = false;
        --alive_;
        for (const u32 v : f.v)
          if (v != from) std::erase(faces_of_[v], t);
        continue;
      }
      std::ranges::replace(f.v, from, to);
      faces_of_[to].push_back(t);
    }
    faces_of_[from].clear();
    quadrics_[to] += quadrics_[from];
    ++versions_[from], ++versions_[to];
    for (const u32 n : neighbours_of(to)) push(to, n), push(n, to);
  }
};

Simplifier::Simplifier(std::span<const FlaggedTriangle> given) : mesh_(std::make_unique<Mesh>(given)) {}
Simplifier::~Simplifier() = default;
std::vector<FlaggedTriangle> Simplifier::run(size_t most) { return mesh_->run(most); }

namespace {

/// A bounding volume hierarchy of triangles.
class TriangleTree {
 public:
  explicit TriangleTree(std::vector<Triangle> triangles) : triangles_(std::move(triangles)) {
    if (!triangles_.empty()) add_node(0, u32(triangles_.size()));
  }
  f64 distance(const Point& p) const {
    f64 best = std::numeric_limits<f64>::infinity();
    if (!nodes_.empty()) search(0, p, best);
    return best;
  }

 private:
  struct Node {
    Point low, high;
    u32 begin, end;           // of its triangles
    u32 left = 0, right = 0;  // 0: a leaf
  };
  static f64 middle(const Triangle& t, size_t axis) { return t[0][axis] + t[1][axis] + t[2][axis]; }
  u32 add_node(u32 begin, u32 end) {
    constexpr u32 k_leaf = 8;
    Node n{triangles_[begin][0], triangles_[begin][0], begin, end};
    for (u32 i = begin; i < end; ++i)
      for (const Point& p : triangles_[i])
        for (size_t k = 0; k < 3; ++k) n.low[k] = std::min(n.low[k], p[k]), n.high[k] = std::max(n.high[k], p[k]);
    const u32 own = u32(nodes_.size());
    nodes_.push_back(n);
    if (end - begin <= k_leaf) return own;
    size_t axis = 0;
    for (size_t k = 1; k < 3; ++k)
      if (n.high[k] - n.low[k] > n.high[axis] - n.low[axis]) axis = k;
    const u32 half = begin + (end - begin) / 2;
    std::nth_element(triangles_.begin() + begin, triangles_.begin() + half, triangles_.begin() + end,
                     [&](const Triangle& a, const Triangle& b) { return middle(a, axis) < middle(b, axis); });
    const u32 left = add_node(begin, half), right = add_node(half, end);
    nodes_[own].left = left, nodes_[own].right = right;
    return own;
  }
  f64 distance_to_box(const Node& n, const Point& p) const {
    Point nearest;
    for (size_t k = 0; k < 3; ++k) nearest[k] = std::clamp(p[k], n.low[k], n.high[k]);
    return length(p - nearest);
  }
  void search(u32 at, const Point& p, f64& best) const {
    const Node& n = nodes_[at];
    if (distance_to_box(n, p) >= best) return;
    if (!n.left) {
      for (u32 i = n.begin; i < n.end; ++i)
        best = std::min(best, length(p - nearest_point_on_triangle(triangles_[i], p)));
      return;
    }
    const bool is_left_nearer = distance_to_box(nodes_[n.left], p) < distance_to_box(nodes_[n.right], p);
    search(is_left_nearer ? n.left : n.right, p, best);
    search(is_left_nearer ? n.right : n.left, p, best);
  }

  std::vector<Triangle> triangles_;
  std::vector<Node> nodes_;
};

}  // namespace

f64 greatest_distance(std::span<const FlaggedTriangle> from, const Kcl& to) {
  std::vector<Triangle> surface;
  for (const Prism& p : to.prisms)
    if (const auto t = compute_prism_triangle(to, p)) surface.push_back(*t);
  const TriangleTree tree(std::move(surface));
  std::vector<Point> corners;
  for (const FlaggedTriangle& t : from)
    if (has_area(t))
      for (const Vec3& v : t.corners) corners.push_back(point_of(v));
  std::ranges::sort(corners);
  corners.erase(std::ranges::unique(corners).begin(), corners.end());
  f64 greatest = 0;
  for (const Point& p : corners) greatest = std::max(greatest, tree.distance(p));
  return greatest;
}

}  // namespace dio::kcl
