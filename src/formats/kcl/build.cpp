// build.cpp: a collision file from triangles.
#include <bit>
#include <cmath>
#include <unordered_map>

#include "core/printing.hpp"
#include "formats/kcl/facts.hpp"
#include "formats/kcl/parts.hpp"

namespace dio::kcl {

std::span<const Rule> build_rules() {
  using enum Severity;
  static constexpr Rule k_rules[] = {
      {"kcl.build-prisms", stop, "a collision file has at most 65,535 triangles",
       "Lists of the octree number prisms with 16 bits, from 1 on.",
       "Leave out triangles that nobody can reach, or use larger ones.", "layout"},
      {"kcl.build-numbers", stop, "a collision file has at most 65,536 positions and as many normals",
       "Prisms number them with 16 bits.", "Use fewer triangles, or more that are flat together.", "layout"},
      {"kcl.build-area", stop, "the triangles are within 1,000,000 units of the origin",
       "An octree around them would have no room in the file.", "Move or scale the triangles.", "layout"},
      {"kcl.build-octree", stop, "an octree has at most 1,048,576 nodes",
       "It would not fit into the memory of the console.", "Allow more triangles in a cell, or larger cells.",
       "memory of the console"},
  };
  return k_rules;
}

namespace {

/// Directions and places, each once.
class Pool {
 public:
  explicit Pool(std::vector<Vec3>& all) : all_(all) {}
  size_t operator()(const Point& p) {
    const Vec3 v{clean(p[0]), clean(p[1]), clean(p[2])};
    const auto [i, is_new] = known_.try_emplace(Bits{bits(v.x), bits(v.y), bits(v.z)}, all_.size());
    if (is_new) all_.push_back(v);
    return i->second;
  }

 private:
  using Bits = std::array<u32, 3>;
  struct Hash {
    size_t operator()(const Bits& b) const {
      u64 h = 0;
      for (const u32 x : b) h = (h ^ x) * 0x9E3779B97F4A7C15u, h ^= h >> 29;
      return size_t(h);
    }
  };
  static f32 clean(f64 x) { return f32(x) + 0.0f; }  // -0 is 0
  static u32 bits(f32 x) { return std::bit_cast<u32>(x); }
  std::vector<Vec3>& all_;
  std::unordered_map<Bits, size_t, Hash> known_;
};

constexpr f64 k_least_height = 1e-3;  // units; less has no normal that 32 bits can hold

}  // namespace

Result<Built> build(std::span<const FlaggedTriangle> triangles, const OctreeOptions& options) {
  Built built;
  Kcl& k = built.kcl;
  k.thickness = k_usual_thickness;
  k.sphere_radius = k_usual_sphere_radius;
  Pool positions(k.positions), normals(k.normals);
  u64 wanted = 0;
  for (const FlaggedTriangle& t : triangles) {
    const Point a = point_of(t.corners[0]), b = point_of(t.corners[1]), c = point_of(t.corners[2]);
    const Point across = cross(b - a, c - a);
    const f64 area = length(across), longest = std::max({length(b - a), length(c - b), length(a - c)});
    if (!(area > k_least_height * longest) || !std::isfinite(area)) {
      ++built.dropped;
      continue;
    }
    if (++wanted > k_most_prisms) continue;
    const Point face = unit(across);
    const Point edge_a = unit(cross(a - c, face)), edge_b = unit(cross(b - a, face)), edge_c = unit(cross(c - b, face));
    Prism p{};
    // all are below 2^16 here: each prism adds one position and four normals at most, and the sums are checked below
    const size_t position = positions(a),
                 numbers[] = {normals(face), normals(edge_a), normals(edge_b), normals(edge_c)};
    p.height = f32(dot(b - a, edge_c));
    p.position = u16(position), p.face_normal = u16(numbers[0]);
    p.edge_a = u16(numbers[1]), p.edge_b = u16(numbers[2]), p.edge_c = u16(numbers[3]);
    set_flags(p, t.flags, true);
    k.prisms.push_back(p);
  }
  if (wanted > k_most_prisms)
    return refuse(make_diagnostic(
        "kcl.build-prisms", {},
        {.message = std::to_string(wanted) + " triangles are more than the 65,535 of a collision file"}));
  for (const auto& [list, what] : {std::pair(&k.positions, " positions"), std::pair(&k.normals, " normals")})
    if (list->size() > 0x10000)
      return refuse(make_diagnostic(
          "kcl.build-numbers", {},
          {.message = std::to_string(list->size()) + what + " are more than the 65,536 that prisms can number"}));
  if (auto done = build_octree(k, options); !done) return refuse(std::move(done.error()));
  return built;
}

}  // namespace dio::kcl
