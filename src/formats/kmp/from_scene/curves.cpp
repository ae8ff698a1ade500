#include "formats/kmp/from_scene/curves.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <queue>
#include <set>

#include "core/sorting.hpp"
#include "scene/triangle_indices.hpp"

namespace dio::kmp {

using scene::Index;
using scene::k_none;

namespace {

f64 distance(const Point& a, const Point& b) { return scene::length({a[0] - b[0], a[1] - b[1], a[2] - b[2]}); }

/// An undirected graph whose vertices have positions.
struct Graph {
  std::vector<Point> points;
  std::vector<std::set<u32>> neighbours;

  u32 add(const Point& p) {
    points.push_back(p);
    neighbours.emplace_back();
    return u32(points.size() - 1);
  }
  void connect(u32 a, u32 b) {
    if (a != b) neighbours[a].insert(b), neighbours[b].insert(a);
  }
};

/// Joins vertices at the same place, which exporters split where texture coordinates differ.
class Welder {
 public:
  explicit Welder(Graph& g) : graph_(g) {}
  u32 operator()(const Point& p) {
    constexpr f64 k_most = 1e15;  // whole numbers far beyond any course
    std::array<i64, 3> key{};
    for (size_t i = 0; i < 3; ++i) key[i] = std::llround(std::clamp(p[i], -k_most, k_most));
    const auto [known, is_new] = known_.try_emplace(key, 0);
    if (is_new) known->second = graph_.add(p);
    return known->second;
  }

 private:
  Graph& graph_;
  std::map<std::array<i64, 3>, u32> known_;
};

/// Follows vertices with two neighbours, up to the next end or junction.
Curve follow(const Graph& g, u32 from, u32 to, std::set<std::pair<u32, u32>>& done) {
  Curve c;
  c.points.push_back(g.points[from]);
  for (u32 before = from, at = to;;) {
    done.insert(std::minmax(before, at));
    if (at == from) {
      c.is_closed = true;
      return c;
    }
    c.points.push_back(g.points[at]);
    if (g.neighbours[at].size() != 2) return c;
    const u32 next = *g.neighbours[at].begin() == before ? *g.neighbours[at].rbegin() : *g.neighbours[at].begin();
    before = std::exchange(at, next);
  }
}

/// Splits a graph at its junctions.
std::vector<Curve> split_into_curves(const Graph& g) {
  std::vector<Curve> out;
  std::set<std::pair<u32, u32>> done;
  for (const bool at_ends : {true, false})  // what is left after the ends and junctions are closed curves
    for (u32 i = 0; i < g.points.size(); ++i) {
      if (at_ends == (g.neighbours[i].size() == 2)) continue;
      for (const u32 next : g.neighbours[i])
        if (!done.contains(std::minmax(i, next))) out.push_back(follow(g, i, next, done));
    }
  std::erase_if(out, [](const Curve& c) { return c.points.size() < (c.is_closed ? 3u : 2u); });
  // Exporters number the vertices of a curve in its direction: from the first vertex to the next one.
  return out;
}

/// The vertices and edges of the triangles of a mesh.
struct Surface {
  Graph graph;
  f64 area = 0;
};

/// The lengths of the shortest paths along edges from a vertex (Dijkstra), and the vertices that it reaches, by index.
/// `far`: infinite for all vertices of its component.
std::vector<u32> measure_distances(const Graph& g, u32 from, std::vector<f64>& far) {
  using Entry = std::pair<f64, u32>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> open;
  std::vector<u32> reached;
  open.push({far[from] = 0, from});
  while (!open.empty()) {
    const auto [at, i] = open.top();
    open.pop();
    if (at > far[i]) continue;
    reached.push_back(i);
    for (const u32 n : g.neighbours[i])
      if (const f64 next = at + distance(g.points[i], g.points[n]); next < far[n]) open.push({far[n] = next, n});
  }
  std::ranges::sort(reached);
  reached.erase(std::ranges::unique(reached).begin(), reached.end());
  return reached;
}

/// The centre line of a thin surface: the Reeb graph of the distance from its first vertex. Vertices at about the same
/// distance that are connected become one point.
Graph find_centre_line(const Graph& g, f64 area) {
  Graph out;
  std::vector<u32> part(g.points.size(), ~0u);
  std::vector<f64> far(g.points.size(), std::numeric_limits<f64>::infinity());
  for (u32 seed = 0; seed < g.points.size(); ++seed) {
    if (part[seed] != ~0u || g.neighbours[seed].empty()) continue;
    const std::vector<u32> component = measure_distances(g, seed, far);
    f64 farthest = 0, longest_edge = 0;
    for (const u32 i : component) {
      farthest = std::max(farthest, far[i]);
      for (const u32 n : g.neighbours[i]) longest_edge = std::max(longest_edge, distance(g.points[i], g.points[n]));
    }
    const f64 perimeter = farthest > 0 ? area / (2 * farthest) : 0;
    const f64 band = std::max({perimeter, longest_edge * 1.001, 1.0});
    const auto band_of = [&](u32 i) { return std::floor(far[i] / band); };
    for (const u32 i : component) {
      if (part[i] != ~0u) continue;
      const u32 centre = out.add({0, 0, 0});
      std::vector<u32> open{i};
      size_t count = 0;
      part[i] = centre;
      while (!open.empty()) {
        const u32 at = open.back();
        open.pop_back();
        ++count;
        for (size_t k = 0; k < 3; ++k) out.points[centre][k] += g.points[at][k];
        for (const u32 n : g.neighbours[at])
          if (part[n] == ~0u && band_of(n) == band_of(i)) part[n] = centre, open.push_back(n);
      }
      for (f64& x : out.points[centre]) x /= f64(count);
    }
    for (const u32 i : component)
      for (const u32 n : g.neighbours[i]) out.connect(part[i], part[n]);
  }
  return out;
}

/// Drops short dead ends, which occur where the two sides of a closed tube meet.
void prune_closed(Graph& g) {
  const bool has_loop = std::ranges::any_of(g.neighbours, [](const auto& n) { return n.size() > 2; });
  for (u32 i = 0; has_loop && i < g.points.size(); ++i)
    if (g.neighbours[i].size() == 1) {
      const u32 other = *g.neighbours[i].begin();
      if (g.neighbours[other].size() > 2) g.neighbours[other].erase(i), g.neighbours[i].clear();
    }
}

std::vector<Curve> find_mesh_curves(const scene::Mesh& mesh, const scene::Affine& place, f64 units) {
  Graph lines, surface;
  Welder weld_line(lines), weld_surface(surface);
  f64 area = 0;
  for (const scene::Primitive& p : mesh.primitives) {
    const auto at = [&](size_t corner) {
      const scene::Vec3& v = p.positions[p.indices.empty() ? corner : p.indices[corner]];
      Point out = place * Point{v[0], v[1], v[2]};
      for (f64& x : out) x *= units;
      return out;
    };
    const size_t corners = p.indices.empty() ? p.positions.size() : p.indices.size();
    if (p.shape == scene::Primitive::Shape::lines)
      for (size_t i = 0; i + 2 <= corners; i += 2) {
        const u32 from = weld_line(at(i)), to = weld_line(at(i + 1));  // in this order, which is that of the curve
        lines.connect(from, to);
      }
    if (p.shape != scene::Primitive::Shape::triangles) continue;
    for (size_t i = 0; i + 3 <= corners; i += 3) {
      const Point a = at(i), b = at(i + 1), c = at(i + 2);
      const u32 na = weld_surface(a), nb = weld_surface(b), nc = weld_surface(c);
      surface.connect(na, nb), surface.connect(nb, nc), surface.connect(nc, na);
      const Point ab{b[0] - a[0], b[1] - a[1], b[2] - a[2]}, ac{c[0] - a[0], c[1] - a[1], c[2] - a[2]};
      area += scene::length(scene::cross(ab, ac)) / 2;
    }
  }
  if (!lines.points.empty() || surface.points.empty()) return split_into_curves(lines);
  Graph centre = find_centre_line(surface, area);
  prune_closed(centre);
  return split_into_curves(centre);
}

}  // namespace

f64 Curve::length() const {
  f64 sum = is_closed ? distance(points.back(), points.front()) : 0;
  for (size_t i = 1; i < points.size(); ++i) sum += distance(points[i - 1], points[i]);
  return sum;
}

std::vector<Curve> find_curves(const scene::Scene& s, Index node, const std::vector<scene::Affine>& places, f64 units) {
  if (s.nodes[node].mesh != k_none) return find_mesh_curves(s.meshes[s.nodes[node].mesh], places[node], units);
  std::vector<Index> children;
  for (Index i = node + 1; i < s.nodes.size(); ++i)
    if (s.nodes[i].parent == node && s.nodes[i].mesh == k_none) children.push_back(i);
  // "point 10" comes after "point 9"
  const auto key = [&](Index i) {
    const std::string& name = s.nodes[i].name;
    size_t digits = name.size();
    while (digits > 0 && '0' <= name[digits - 1] && name[digits - 1] <= '9') --digits;
    return std::tuple(name.substr(0, digits), name.size() - digits, name.substr(digits));
  };
  sort_stably(children, [&](Index a, Index b) { return key(a) < key(b); });
  Curve c;
  for (const Index i : children) {
    Point p = places[i].origin;
    for (f64& x : p) x *= units;
    if (c.points.empty() || distance(c.points.back(), p) > 1) c.points.push_back(p);
  }
  if (c.points.size() < 2) return {};
  return {std::move(c)};
}

Curve resample(const Curve& c, f64 step) {
  const f64 whole = c.length();
  constexpr f64 k_most_pieces = 20000;
  const size_t pieces =
      std::max<size_t>(c.is_closed ? 3 : 1, size_t(std::llround(std::min(whole / step, k_most_pieces))));
  Curve out;
  out.is_closed = c.is_closed;
  const size_t last = c.is_closed ? c.points.size() : c.points.size() - 1;
  f64 before = 0;
  size_t n = 0;
  for (size_t i = 0; i < last; ++i) {
    const Point &a = c.points[i], &b = c.points[(i + 1) % c.points.size()];
    const f64 piece = distance(a, b);
    for (; n < pieces && whole * f64(n) / f64(pieces) < before + piece; ++n) {
      const f64 t = piece > 0 ? (whole * f64(n) / f64(pieces) - before) / piece : 0;
      out.points.push_back({a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t, a[2] + (b[2] - a[2]) * t});
    }
    before += piece;
  }
  if (!c.is_closed) out.points.push_back(c.points.back());
  return out;
}

void rotate_start(Curve& c, size_t first) {
  std::rotate(c.points.begin(), c.points.begin() + i64(first), c.points.end());
}
void reverse(Curve& c) { std::ranges::reverse(c.points); }

}  // namespace dio::kmp
