// build.cpp: builds a collision file from triangles.
#include <bit>
#include <cmath>
#include <unordered_map>

#include "core/text_format.hpp"
#include "formats/kcl/geometry.hpp"
#include "formats/kcl/parts.hpp"

namespace dio::kcl {

std::span<const Rule> build_rules() {
  using enum Severity;
  static constexpr Rule k_rules[] = {
      {"kcl.build-prisms", Cause::limit, "a collision file has at most 65,535 triangles",
       "The lists of the octree number prisms with 16 bits, starting at 1.",
       "Remove triangles that nobody can reach, or use fewer and larger triangles.", "src/formats/kcl/README.md"},
      {"kcl.build-numbers", Cause::limit, "a collision file has at most 65,536 positions and 65,536 normals",
       "Prisms refer to positions and normals by 16-bit numbers.",
       "Use fewer triangles (at most about 18,000 on curved ground), or make more of them coplanar.",
       "src/formats/kcl/README.md"},
      {"kcl.build-area", Cause::limit, "all triangles are within 1,000,000 units of the origin",
       "An octree for an area beyond this limit does not fit in the file.",
       "Move the triangles closer to the origin, or scale them down.", "src/formats/kcl/README.md"},
      {"kcl.build-octree", Cause::limit, "an octree has at most 1,048,576 nodes",
       "An octree with more than 1,048,576 nodes does not fit in the console's memory.",
       "Allow more triangles in a cell, or make the cells larger.", "the console's memory size"},
  };
  return k_rules;
}

namespace {

/// A list of distinct directions or positions. With a step, entries closer than the step may be merged.
class Pool {
 public:
  Pool(std::vector<Vec3>& all, f64 step) : all_(all), step_(step) {}
  size_t operator()(const Point& p) {
    const Vec3 v{clean(p[0]), clean(p[1]), clean(p[2])};
    const auto [i, is_new] = known_.try_emplace(Key{key(v.x), key(v.y), key(v.z)}, all_.size());
    if (is_new) all_.push_back(v);
    return i->second;
  }

 private:
  using Key = std::array<i64, 3>;
  struct Hash {
    size_t operator()(const Key& k) const {
      u64 h = 0;
      for (const i64 x : k) h = (h ^ u64(x)) * 0x9E3779B97F4A7C15u, h ^= h >> 29;
      return size_t(h);
    }
  };
  static f32 clean(f64 x) { return f32(x) + 0.0f; }  // -0 is 0
  i64 key(f32 x) const { return step_ > 0 ? i64(std::round(x / step_)) : i64(std::bit_cast<u32>(x)); }
  std::vector<Vec3>& all_;
  const f64 step_;
  std::unordered_map<Key, size_t, Hash> known_;
};

constexpr f64 k_coarsest_step = 1e-4;       // between normals that may be merged
constexpr f64 k_least_exact_height = 1e-3;  // units; lower triangles have no normal that 32 bits can hold
/// Makes positions, normals and prisms, but no octree. Prism numbers are right only within the limits of the format.
Built make_prisms(std::span<const FlaggedTriangle> triangles, f64 step) {
  Built built;
  Kcl& k = built.kcl;
  k.thickness = k_usual_thickness;
  k.sphere_radius = k_usual_sphere_radius;
  Pool positions(k.positions, 0), normals(k.normals, step);
  for (const FlaggedTriangle& t : triangles) {
    const Point a = point_of(t.corners[0]), b = point_of(t.corners[1]), c = point_of(t.corners[2]);
    const Point across = cross(b - a, c - a);
    if (!has_area(t)) {
      ++built.dropped;
      continue;
    }
    const Point face = unit(across);
    Prism p{};
    p.position = u16(positions(a));
    p.face_normal = u16(normals(face));
    p.edge_a = u16(normals(unit(cross(a - c, face))));
    p.edge_b = u16(normals(unit(cross(b - a, face))));
    const size_t edge_c = normals(unit(cross(c - b, face)));
    p.edge_c = u16(edge_c);
    p.height = f32(dot(b - a, point_of(k.normals[edge_c])));
    set_flags(p, t.flags, true);
    k.prisms.push_back(p);
  }
  return built;
}

}  // namespace

bool has_area(const FlaggedTriangle& t) {
  const Point a = point_of(t.corners[0]), b = point_of(t.corners[1]), c = point_of(t.corners[2]);
  const f64 area = length(cross(b - a, c - a)), longest = std::max({length(b - a), length(c - b), length(a - c)});
  return area > k_least_exact_height * longest && std::isfinite(area);
}

size_t count_numbers(std::span<const FlaggedTriangle> triangles) {
  const Kcl k = make_prisms(triangles, k_coarsest_step).kcl;
  return std::max(k.positions.size(), k.normals.size());
}

Result<Built> build_collision(std::span<const FlaggedTriangle> triangles, const OctreeOptions& options) {
  // Curved ground has more than three normals for each triangle. If these are too many, nearly equal normals are
  // merged: corners move by at most a ten thousandth of the size of their triangle.
  Built built;
  for (const f64 step : {0.0, 1e-6, 1e-5, k_coarsest_step}) {
    built = make_prisms(triangles, step);
    if (built.kcl.normals.size() <= k_most_numbers || built.kcl.prisms.size() > k_most_prisms) break;
  }
  const Kcl& k = built.kcl;
  if (k.prisms.size() > k_most_prisms)
    return refuse(make_diagnostic("kcl.build-prisms", {},
                                  {.message = format_with_commas(k.prisms.size()) +
                                              " triangles are too many; a collision file holds at most 65,535"}));
  for (const auto& [list, what] : {std::pair(&k.positions, " positions"), std::pair(&k.normals, " normals")})
    if (list->size() > k_most_numbers)
      return refuse(make_diagnostic(
          "kcl.build-numbers", {},
          {.message = "the " + format_with_commas(k.prisms.size()) + " triangles need " +
                      format_with_commas(list->size()) + what + "; a collision file holds at most 65,536"}));
  if (auto done = build_octree(built.kcl, options); !done) return refuse(std::move(done.error()));
  return built;
}

}  // namespace dio::kcl
