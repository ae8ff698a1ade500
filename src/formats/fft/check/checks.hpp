// checks.hpp: shared by the check files: collects findings and merges many of a kind into one.
#pragma once
#include <algorithm>
#include <string>

#include "formats/contract/reporter.hpp"
#include "formats/fft/parts.hpp"
#include "formats/fft/scene/polygons.hpp"

namespace dio::fft {

/// A mesh file under check.
struct MeshCheck : Reporter {
  MeshCheck(const Mesh& m, Findings& f) : Reporter(f), mesh(m) {}
  const Mesh& mesh;
};

/// Rules and the function that checks them; one for each check file.
struct Topic {
  std::span<const Rule> rules;
  void (*check)(MeshCheck&);
};
extern const Topic k_container_checks, k_geometry_checks, k_place_checks, k_color_checks, k_terrain_checks,
    k_texture_animation_checks, k_mesh_animation_checks, k_render_checks;
extern const std::span<const Rule> k_gns_rules, k_texture_rules;

/// Many occurrences of the same fault: one finding, at the first occurrence, with the number of the others. Texts are
/// created only for the first few.
class Tally {
 public:
  /// `path` and `message` return texts: the location and the fault.
  void add(auto path, auto message) {
    if (count_ == 0) {
      path_ = path();
      message_ = message();
    } else if (count_ <= k_named) {
      others_ += (count_ == 1 ? ": " : ", ") + path();
    }
    ++count_;
  }
  void report(Severity severity, Reporter& r, std::string_view id, std::string_view hint = {}) {
    if (count_ == 0) return;
    if (count_ > 1)
      message_ += text("; ", count_ - 1, count_ == 2 ? " more place has" : " more places have", " the same problem",
                       others_, count_ > 1 + k_named ? ", ..." : "");
    r.report(severity, id, std::move(path_), {.message = std::move(message_), .hint = std::string(hint)});
  }

 private:
  static constexpr size_t k_named = 3;  // of the others
  size_t count_ = 0;
  std::string path_, message_, others_;
};

/// A mesh with its name in the file: primary, animated_3.
struct NamedMesh {
  const Geometry* geometry;
  std::string_view name;
  bool is_primary;
};
/// The meshes, out of nine, that the file has.
std::vector<NamedMesh> list_present_meshes(const std::optional<Geometry>& primary,
                                           const std::array<std::optional<Geometry>, k_animated_meshes>& animated);
inline std::vector<NamedMesh> list_present_meshes(const Mesh& m) { return list_present_meshes(m.primary, m.animated); }

/// Calls f(name, kind, room, slots, high) for each kind of polygons: its member of Geometry, the room in the game for
/// all nine meshes, the number of slots in the table of render properties, and the number in the fullest map of the
/// game.
void for_each_polygon_kind(auto f) {
  f("textured_triangles", &Geometry::textured_triangles, k_most_polygons[0], k_render_slots[0], size_t(350));
  f("textured_quads", &Geometry::textured_quads, k_most_polygons[1], k_render_slots[1], size_t(683));
  f("untextured_triangles", &Geometry::untextured_triangles, k_most_polygons[2], k_render_slots[2], size_t(58));
  f("untextured_quads", &Geometry::untextured_quads, k_most_polygons[3], k_render_slots[3], size_t(241));
}
/// Calls f(polygon, path); `path(field...)` creates the path of the polygon or of one of its fields.
void for_each_textured_polygon(const NamedMesh& m, auto f) {
  const auto all = [&](std::string_view kind, const auto& polygons) {
    for (size_t i = 0; i < polygons.size(); ++i)
      f(polygons[i], [&, i](const auto&... field) { return text(m.name, ".", kind, "[", i, "]", field...); });
  };
  all("textured_triangles", m.geometry->textured_triangles);
  all("textured_quads", m.geometry->textured_quads);
}
void for_each_untextured_polygon(const NamedMesh& m, auto f) {
  const auto all = [&](std::string_view kind, const auto& polygons) {
    for (size_t i = 0; i < polygons.size(); ++i)
      f(polygons[i], [&, i](const auto&... field) { return text(m.name, ".", kind, "[", i, "]", field...); });
  };
  all("untextured_triangles", m.geometry->untextured_triangles);
  all("untextured_quads", m.geometry->untextured_quads);
}

/// The normal of the front, from which A, B, C is clockwise; for a quad whose first triangle has no area, the normal of
/// the second one. Its length is twice the area.
template <size_t N>
constexpr std::array<i64, 3> unnormalized_face_normal(const std::array<Position, N>& p) {
  const auto of = [](const Position& a, const Position& b, const Position& c) {
    const i64 cx = c.x - a.x, cy = c.y - a.y, cz = c.z - a.z, bx = b.x - a.x, by = b.y - a.y, bz = b.z - a.z;
    return std::array<i64, 3>{cy * bz - cz * by, cz * bx - cx * bz, cx * by - cy * bx};
  };
  auto n = of(p[0], p[1], p[2]);
  if constexpr (N == 4)
    if (n == std::array<i64, 3>{}) n = of(p[1], p[3], p[2]);
  return n;
}

// Checks across the parts of a map. The parts may come from several files: paths name the part first.

/// places.cpp: positions of polygons on the terrain.
void check_polygon_placement(Reporter&, std::span<const NamedMesh>, const Terrain&);
/// mesh_animation.cpp: whether every animated mesh exists, and every existing one is shown. Null: there is no
/// animation. `lost`: meshes missing only in this state, which another finding reports.
void check_animated_mesh_visibility(Reporter&, const MeshAnimations*, const std::array<bool, k_animated_meshes>& there,
                                    const std::array<bool, k_animated_meshes>& lost = {});
/// geometry.cpp: all nine meshes together.
void check_polygon_counts(Reporter&, std::span<const NamedMesh>);

}  // namespace dio::fft
