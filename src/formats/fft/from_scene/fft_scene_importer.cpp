// fft_scene_importer.cpp: applies an edited scene to the polygons of a file. `Primitive::sources` says which vertex of
// the file each vertex of the scene is. Specification: README.md, "Editing".
#include <cmath>
#include <map>
#include <tuple>

#include "core/sorting.hpp"
#include "formats/contract/reporter.hpp"
#include "formats/contract/scenes.hpp"
#include "formats/fft/from_scene/match_geometry.hpp"
#include "formats/fft/from_scene/terrain_importer.hpp"
#include "formats/fft/parts.hpp"
#include "formats/fft/scene/builder.hpp"
#include "formats/fft/scene/polygons.hpp"
#include "scene/math.hpp"
#include "scene/transforms.hpp"

namespace dio::fft {

namespace {

using scene::Affine;
using scene::Mat3d;
using scene::Point;

constexpr f64 k_whole = 0.05;    // units or texels that still count as a whole number
constexpr f64 k_far = 0.5;       // units or texels that two vertices with one source may be apart
constexpr f64 k_turned = 0.004;  // of a unit normal: as far as other programs round them
constexpr f64 k_farthest = 1e6;  // units or texels: outside of any range, but can still be rounded
constexpr f32 k_tinted = 0.02f;  // of a linear colour: farther than other programs round them

/// What the vertices of a scene with one source say.
struct SceneVertexRef {
  bool is_there = false, has_uv = false, has_normal = false;
  bool several_uvs = false;  // vertices that are this corner disagree: it keeps those of the file
  Point position{};          // units of the file
  Point normal{};            // sum
  std::array<f64, 2> uv{};   // texels of the whole texture
};

/// What the material of a triangle says of its polygon: by its extras; where another program dropped those, by its
/// name: "palette 3", "palette 3 moving", "untextured".
TriangleMaterial classify_material(const scene::Material& m) {
  using enum TriangleMaterial::Kind;
  if (const Value* number = m.extras.find("palette"); number && number->is(Value::Kind::integer) && number->bits() < 16)
    return {palette, u8(number->bits())};
  constexpr std::string_view k_palette = "palette ";
  if (m.name.starts_with(k_palette)) {
    u32 n = 0;
    size_t at = k_palette.size();
    for (; at < m.name.size() && '0' <= m.name[at] && m.name[at] <= '9' && n < 16; ++at)
      n = n * 10 + u32(m.name[at] - '0');
    if (at > k_palette.size() && n < 16) return {palette, u8(n)};
  }
  const Value* kind = m.extras.find("kind");
  if (m.name.starts_with("untextured")) return {untextured};
  const bool is_ours = (kind && kind->is(Value::Kind::text) && kind->text() == "fft.material") ||
                       m.name.starts_with("not in the files of the map");
  return {is_ours ? foreign : unknown};
}

/// To the axes of a mesh file: Y down, Z to the north.
constexpr Point to_file_axes(const Point& p) { return {p[0], -p[1], -p[2]}; }

/// Which mesh a node shows, by its extras or, if another program dropped those, by its name.
std::optional<size_t> identify_mesh_of_node(const scene::Scene& s, const scene::Node& node) {
  const Value *kind = node.extras.find("kind"), *path = node.extras.find("path");
  const bool is_told = kind && path && kind->is(Value::Kind::text) && path->is(Value::Kind::text);
  if (is_told && kind->text() != k_mesh_node) return {};
  const auto parse_mesh_name = [](std::string name) -> std::optional<size_t> {
    // Blender counts copies: "animated 1.001".
    if (const size_t dot = name.rfind('.'); dot != name.npos && name.size() - dot == 4) name.resize(dot);
    for (char& c : name)
      if (c == ' ') c = '_';
    if (name.ends_with("_mesh")) name.resize(name.size() - 5);  // "animated 1" is its parent
    for (size_t m = 0; m < k_meshes; ++m)
      if (name == mesh_name(m)) return m;
    return {};
  };
  if (is_told) return parse_mesh_name(path->text());
  if (const auto by_node = parse_mesh_name(node.name)) return by_node;
  return parse_mesh_name(s.meshes[node.mesh].name);
}

/// Primitives of points or lines.
u64 count_line_and_point_primitives(const scene::Mesh& m) {
  return u64(std::ranges::count_if(
      m.primitives, [](const scene::Primitive& p) { return p.shape != scene::Primitive::Shape::triangles; }));
}

bool is_identity(const Affine& m) {
  constexpr f64 k_near = 1e-5;
  f64 most = 0;
  for (size_t c = 0; c < 3; ++c) {
    for (size_t i = 0; i < 3; ++i) most = std::max(most, std::fabs(m.linear.columns[c][i] - (c == i ? 1 : 0)));
    most = std::max(most, std::fabs(m.origin[c]));
  }
  return most < k_near;
}

/// Applies the vertices of a scene to a file.
class FftSceneImporter {
 public:
  FftSceneImporter(Mesh& file, const scene::Scene& s) : file_(file), s_(s), places_(scene::world_transforms(s)) {
    // Our own scenes are in the units of the file; those of other programs in metres, with tiles one metre wide.
    units_ = f64(s.metres_per_unit) * k_tile_units;
    if (std::fabs(units_ - 1) < 1e-5) units_ = 1;
    for (size_t m = 0; m < k_meshes; ++m)
      if (const Geometry* g = geometry_of(std::as_const(file), m)) {
        u64 polygons = 0;
        for (const size_t n : count_polygons_by_kind(*g)) polygons += n;
        corners_[m].resize(polygons * 4);
        looks_[m].resize(polygons);
        copies_[m].resize(polygons);
      }
    is_of_states_ =
        std::ranges::count_if(s.nodes, [](const scene::Node& n) { return n.extras.find("states") != nullptr; }) > 1;
    for (const scene::Material& m : s.materials) materials_.push_back(classify_material(m));
    set_up_light_rigs();
  }

  Result<SceneImportResult> run() {
    for (size_t i = 0; i < s_.nodes.size(); ++i)
      if (auto problem = collect_node_triangles(i)) return refuse(std::move(*problem));
    SceneImportResult tiles;
    if (file_.terrain) tiles = import_terrain(*file_.terrain, s_, units_);
    const bool has_tiles = tiles.unchanged || tiles.any() || tiles.lost;
    if (!has_tiles && std::ranges::all_of(triangles_, [](const auto& list) { return list.empty(); }))
      return refuse(no_matching_mesh_error());
    for (size_t m = 0; m < k_meshes; ++m) {
      auto problem = has_sources_[m] ? import_mesh(m) : import_mesh_without_sources(m);
      if (problem) return refuse(std::move(*problem));
    }
    u64 missing = 0;
    std::optional<Diagnostic> problem;
    for_each_polygon(file_, [&](const PolygonRef& r, auto& polygon) {
      if (problem) return;
      const auto corners = scene_vertices_of_polygon(r, polygon.positions.size());
      if (std::ranges::none_of(corners, [](const SceneVertexRef& c) { return c.is_there; })) {
        if (was_deleted_in_scene(r, polygon))
          gone_.push_back(r);
        else
          ++missing;
        return;
      }
      torn_ += u64(std::ranges::count_if(corners, [](const SceneVertexRef& c) { return !c.is_there; }));
      const auto original = polygon;
      problem = apply_vertices(polygon, corners, r);
      if (problem) return;
      apply_material(polygon, looks_[r.mesh][polygon_number(r)], r);
      ++(are_polygons_equal(polygon, original) ? taken_.unchanged : taken_.changed);
      for (const Instance& copy : copies_[r.mesh][polygon_number(r)]) {
        if (problem) return;
        auto made = original;
        problem = apply_vertices(made, std::span(copy.corners).first(made.positions.size()), r);
        if (problem) return;
        apply_material(made, copy.look, r);
        clear_ambiguous_properties(made, r);
        queue_new_polygon(r, std::move(made));
      }
    });
    if (problem) return refuse(std::move(*problem));
    if (auto too_many = remove_and_append_polygons()) return refuse(std::move(*too_many));
    add_import_notes(missing);
    taken_.changed += tiles.changed, taken_.lost += tiles.lost;
    for (Diagnostic& d : tiles.notes) taken_.notes.push_back(std::move(d));
    return std::move(taken_);
  }

 private:
  /// All triangles of a polygon have one material.
  struct PolygonMaterial {
    TriangleMaterial look;
    bool is_there = false, several = false;
  };
  /// A polygon as it is once in the scene.
  struct Instance {
    std::array<SceneVertexRef, 4> corners{};
    PolygonMaterial look;
  };
  /// A triangle of the scene.
  struct SceneTriangleVertices {
    std::array<u32, 3> sources{}, vertices{};
    std::array<SceneVertexRef, 3> corners{};
    std::array<Point, 3> local{};  // in the axes of the file, without the transform of the node
    const scene::Primitive* primitive = nullptr;
    u32 number = 0;  // of the primitive, counted through the scene
  };

  Diagnostic no_matching_mesh_error() const {
    return unknown_
               ? make_diagnostic(
                     "scene.source", {},
                     {.message =
                          text("no mesh of the scene can be matched to the file: ", format_count(unknown_, "node"),
                               unknown_ == 1 ? " has another name" : " have other names"),
                      .hint =
                          "export the scene with extras (custom properties), or keep the names: primary, animated 1"})
               : make_diagnostic("scene.source", {},
                                 {.message = "no mesh of the scene can be matched to the file",
                                  .hint = "make the scene from this file: dio convert FILE -o SCENE.glb"});
  }

  /// Notes which sources the vertices of a mesh have. Programs that merge vertices drop some.
  void record_used_sources(size_t mesh) {
    is_said_[mesh].resize(corners_[mesh].size());
    for (const SceneTriangleVertices& t : triangles_[mesh])
      for (const u32 source : t.sources)
        if (source < is_said_[mesh].size()) is_said_[mesh][source] = true;
    bool any_missing = false;
    for_each_polygon(std::as_const(file_), [&](const PolygonRef& r, const auto& polygon) {
      if (r.mesh != mesh) return;
      const u32 first = 4 * polygon_number(r);
      for (u32 i = 0; i < polygon.positions.size(); ++i) any_missing |= !is_said_[mesh][first + i];
    });
    // Polygons may be missing because they were deleted. Where vertices were merged, some say that they are vertices of
    // other polygons: there are triangles with vertices of several, or polygons are there twice, but not the same way.
    if (!any_missing) return;
    std::map<std::array<u32, 3>, const SceneTriangleVertices*> first;
    for (const SceneTriangleVertices& t : triangles_[mesh]) {
      if (!is_from_one_polygon(t.sources)) {
        merged_[mesh] |= is_from_several_polygons(t.sources) && !has_placeholder_sources(t.sources);
        continue;
      }
      merged_[mesh] |= !has_scene_winding(t.sources);
      auto key = t.sources;
      sort_stably(key);
      const auto [at, fresh] = first.try_emplace(key, &t);
      if (fresh) continue;
      bool in_one_place = true, with_other_uvs = false;
      for (size_t k = 0; k < 3; ++k) {
        const size_t i = size_t(std::ranges::find(at->second->sources, t.sources[k]) - at->second->sources.begin());
        const SceneVertexRef &a = at->second->corners[i], &b = t.corners[k];
        in_one_place &= !positions_differ(a, b);
        with_other_uvs |= a.has_uv && b.has_uv && uvs_differ(a.uv, b.uv);
      }
      merged_[mesh] |= in_one_place && with_other_uvs;
    }
  }
  /// Three vertices of one polygon.
  static bool is_from_one_polygon(const std::array<u32, 3>& s) {
    return std::ranges::find(s, k_no_source) == s.end() && s[0] / 4 == s[1] / 4 && s[1] / 4 == s[2] / 4 &&
           s[0] != s[1] && s[1] != s[2] && s[2] != s[0];
  }
  /// Vertices of several polygons, or one twice.
  static bool is_from_several_polygons(const std::array<u32, 3>& s) {
    for (size_t a = 0; a < 3; ++a)
      for (size_t b = 0; b < a; ++b)
        if (s[a] != k_no_source && s[b] != k_no_source && (s[a] / 4 != s[b] / 4 || s[a] == s[b])) return true;
    return false;
  }
  /// A new vertex has a source that a program made up, 0: a triangle of such is from no polygon.
  static bool has_placeholder_sources(const std::array<u32, 3>& s) { return s[0] == s[1] && s[1] == s[2]; }

  std::optional<Diagnostic> collect_node_triangles(size_t index) {
    const scene::Node& node = s_.nodes[index];
    if (node.mesh == scene::k_none) return {};
    const auto mesh = identify_mesh_of_node(s_, node);
    if (!mesh) {
      unknown_ += std::ranges::any_of(s_.meshes[node.mesh].primitives,
                                      [](const scene::Primitive& p) { return !p.positions.empty(); });
      if (!node.extras.find("kind")) lines_ += count_line_and_point_primitives(s_.meshes[node.mesh]);
      return {};
    }
    if (auto problem = check_single_source_file(*mesh, node)) return problem;
    lines_ += count_line_and_point_primitives(s_.meshes[node.mesh]);
    const Geometry* g = geometry_of(std::as_const(file_), *mesh);
    const Affine place = *mesh ? animated_mesh_transform(index) : places_[index];
    const bool stays = is_identity(place);
    const auto inverse = scene::inverse(place.linear);
    if (!inverse && !stays) ++flattened_;
    const bool moves = !stays && inverse;
    for (const scene::Primitive& p : s_.meshes[node.mesh].primitives) {
      if (p.shape != scene::Primitive::Shape::triangles) continue;
      // Programs give all of a mesh texture coordinates, even where they are not used.
      const bool has_texture = p.material != scene::k_none && s_.materials[p.material].texture != scene::k_none;
      without_source_of_[*mesh] += p.positions.size() - std::min(p.positions.size(), p.sources.size());
      for (const u32 source : p.sources)
        if (source != k_no_source && !(g && find_corner(*g, source)))
          return make_diagnostic("scene.source", mesh_name(*mesh),
                                 {.message = text("_SOURCE names vertex ", source % 4, " of polygon ", source / 4,
                                                  ", which the file does not have"),
                                  .hint = "the scene was made from another file, or the file was edited since"});
      const auto seen_at = [&](size_t i) {
        SceneVertexRef seen;
        seen.is_there = true;
        const Point at{p.positions[i][0], p.positions[i][1], p.positions[i][2]};
        seen.position = to_file_axes(moves ? place * at : at);
        for (f64& x : seen.position) x *= units_;
        if (i < p.uvs.size() && has_texture) {
          seen.has_uv = true;
          seen.uv = {f64(p.uvs[i][0]) * k_page_texels, f64(p.uvs[i][1]) * k_page_texels * k_pages};
        }
        if (i < p.normals.size()) {
          seen.has_normal = true;
          const Point n{p.normals[i][0], p.normals[i][1], p.normals[i][2]};
          seen.normal = to_file_axes(moves ? scene::unit(transpose(*inverse) * n) : n);
        }
        return seen;
      };
      const size_t corners = p.indices.empty() ? p.positions.size() : p.indices.size();
      ++primitives_;
      for (size_t t = 0; t + 3 <= corners; t += 3) {
        SceneTriangleVertices& seen = triangles_[*mesh].emplace_back();
        seen.primitive = &p;
        seen.number = primitives_;
        for (size_t k = 0; k < 3; ++k) {
          const u32 vertex = p.indices.empty() ? u32(t + k) : p.indices[t + k];
          seen.vertices[k] = vertex;
          seen.sources[k] = vertex < p.sources.size() ? p.sources[vertex] : k_no_source;
          seen.corners[k] = seen_at(vertex);
          seen.local[k] = to_file_axes({p.positions[vertex][0], p.positions[vertex][1], p.positions[vertex][2]});
          has_sources_[*mesh] |= seen.sources[k] != k_no_source;
        }
      }
    }
    nodes_of_[*mesh].push_back(triangles_[*mesh].size());
    return {};
  }

  // ---- a mesh with sources

  std::optional<Diagnostic> import_mesh(size_t mesh) {
    record_used_sources(mesh);
    without_source_ += without_source_of_[mesh];
    return merged_[mesh] ? import_merged_mesh(mesh) : import_unmerged_mesh(mesh);
  }

  /// Some vertices stand for several corners: each triangle is found again by where its vertices were.
  std::optional<Diagnostic> import_merged_mesh(size_t mesh) {
    const Geometry& g = *geometry_of(std::as_const(file_), mesh);
    for (const SceneTriangleVertices& t : triangles_[mesh]) {
      if (std::ranges::all_of(t.sources, [](u32 source) { return source == k_no_source; })) continue;
      auto taken = import_triangle(mesh, g, t.sources, t.corners);
      if (!taken) return std::move(taken.error());
      if (*taken == k_no_source) continue;
      record_triangle_material(looks_[mesh][*taken], t);
      count_edited_vertex_colors(mesh, g, t);
    }
    return {};
  }

  /// Each vertex is what it says: what is there several times was copied.
  std::optional<Diagnostic> import_unmerged_mesh(size_t mesh) {
    const Geometry* g = geometry_of(std::as_const(file_), mesh);
    if (!g) return {};
    std::vector<std::vector<u32>> of_polygon(looks_[mesh].size());
    for (u32 i = 0; i < triangles_[mesh].size(); ++i) {
      const SceneTriangleVertices& t = triangles_[mesh][i];
      u32 polygon = k_no_source;
      for (const u32 source : t.sources)
        if (source != k_no_source) polygon = source / 4;
      if (polygon == k_no_source) continue;
      if (is_from_several_polygons(t.sources)) {
        if (has_placeholder_sources(t.sources))
          ++made_up_;
        else
          ++new_triangles_;
        continue;
      }
      of_polygon[polygon].push_back(i);
      // Programs that drop sources are coarse with colours.
      if (has_sources_[mesh]) count_edited_vertex_colors(mesh, *g, t);
    }
    for (u32 polygon = 0; polygon < of_polygon.size(); ++polygon)
      if (auto problem = split_into_polygon_copies(mesh, *g, polygon, of_polygon[polygon])) return problem;
    return {};
  }

  /// Sorts the triangles of a polygon into itself and its copies.
  std::optional<Diagnostic> split_into_polygon_copies(size_t mesh, const Geometry& g, u32 polygon,
                                                      const std::vector<u32>& triangles) {
    if (triangles.empty()) return {};
    const PolygonVertexRef first = *find_corner(g, 4 * polygon);
    const PolygonRef r{u8(mesh), first.kind, first.index};
    // By which corners they have.
    std::map<std::array<u32, 3>, std::vector<u32>> parts;
    bool is_cut = false;
    for (const u32 i : triangles) {
      auto key = triangles_[mesh][i].sources;
      is_cut |= !is_from_one_polygon(key);
      sort_stably(key);
      parts[key].push_back(i);
    }
    std::vector<std::vector<u32>> instances;
    const bool is_once = std::ranges::all_of(parts, [](const auto& part) { return part.second.size() == 1; });
    const bool is_quad = vertex_count(first.kind) == 4;
    if (is_cut && !is_of_states_) {
      instances = group_pieces_by_offset(mesh, r, triangles);
    } else if (is_once || is_of_states_) {
      instances.push_back(triangles);
    } else if (!is_quad) {
      for (const u32 i : triangles) instances.push_back({i});
    } else {
      // Two triangles are a quad if they have the edge between them at one place: best, its very vertices.
      if (parts.size() > 2) return torn_copy_error(r);
      std::vector<u32> others = parts.size() == 2 ? parts.rbegin()->second : std::vector<u32>{};
      std::vector<u32> alone;
      for (const bool by_vertices : {true, false}) {
        const std::vector<u32> left = by_vertices ? parts.begin()->second : std::exchange(alone, {});
        for (const u32 i : left) {
          const auto fits = [&](u32 other) { return are_connected(mesh, i, other, by_vertices); };
          const auto with = std::ranges::find_if(others, fits);
          if (with == others.end()) {
            alone.push_back(i);
            continue;
          }
          // Of several it may be any, if these are the same.
          if (!by_vertices)
            for (const u32 other : others)
              if (other != *with && fits(other) && are_disconnected(mesh, other, *with)) return torn_copy_error(r);
          instances.push_back({i, *with});
          others.erase(with);
        }
      }
      if (!alone.empty() && !others.empty()) return torn_copy_error(r);
      if (instances.empty()) {
        // Only one half is left, several times: the first one stands for the polygon.
        alone.insert(alone.end(), others.begin(), others.end());
        sort_stably(alone);
        instances.push_back({alone[0]});
        alone.erase(alone.begin());
        others.clear();
      }
      alone.insert(alone.end(), others.begin(), others.end());
      for (const u32 i : alone) {
        bool is_known = false;  // the same half once more
        for (const auto& instance : instances)
          for (const u32 other : instance)
            is_known |= have_same_sources(mesh, i, other) && !are_disconnected(mesh, i, other);
        if (!is_known && !halves_++) first_half_ = polygon_path(r);
      }
      sort_stably(instances);
    }
    std::vector<Instance> made;
    for (const auto& instance : instances) {
      Instance one;
      for (const u32 i : instance) {
        const SceneTriangleVertices& t = triangles_[mesh][i];
        for (size_t k = 0; k < 3; ++k) {
          if (t.sources[k] == k_no_source) continue;  // where the scene cut a polygon
          SceneVertexRef& corner = one.corners[t.sources[k] % 4];
          if (auto conflict = find_vertex_conflict(corner, t.corners[k], r, t.sources[k] % 4, true)) return conflict;
          merge_vertex(corner, t.corners[k]);
        }
        record_triangle_material(one.look, t);
      }
      if (is_cut && instances.size() > 1)
        for (u32 k = 0; k < vertex_count(first.kind); ++k)
          if (!one.corners[k].is_there) return torn_pieces_error(r);
      // One that is where another one is, and looks the same, is the same.
      bool is_known = false;
      for (Instance& other : made) {
        bool is_same = other.look.look == one.look.look;
        for (u32 k = 0; k < 4 && is_same; ++k)
          is_same = other.corners[k].is_there == one.corners[k].is_there &&
                    !find_vertex_conflict(other.corners[k], one.corners[k], r, k, true);
        if (!is_same) continue;
        for (size_t k = 0; k < 4; ++k) merge_vertex(other.corners[k], one.corners[k]);
        is_known = true;
        break;
      }
      if (is_known)
        ++in_place_;
      else
        made.push_back(one);
    }
    // The polygon itself is the one with the most corners where the file has them.
    size_t own = 0;
    if (made.size() > 1)
      visit_polygon(std::as_const(file_), r, [&](const auto& p) {
        u32 most = 0;
        for (size_t i = 0; i < made.size(); ++i) {
          u32 in_place = 0;
          for (size_t k = 0; k < p.positions.size(); ++k) {
            const Point was{f64(p.positions[k].x), f64(p.positions[k].y), f64(p.positions[k].z)};
            bool is_there = true;
            for (size_t axis = 0; axis < 3; ++axis)
              is_there &= std::fabs(made[i].corners[k].position[axis] - was[axis]) < k_far;
            in_place += is_there;
          }
          if (in_place > most) own = i, most = in_place;
        }
      });
    for (u32 k = 0; k < vertex_count(first.kind); ++k) corners_[mesh][4 * polygon + k] = made[own].corners[k];
    looks_[mesh][polygon] = made[own].look;
    made.erase(made.begin() + std::ptrdiff_t(own));
    copies_[mesh][polygon] = std::move(made);
    return {};
  }
  static Diagnostic torn_copy_error(const PolygonRef& r) {
    return make_diagnostic(
        "fft.scene-torn", polygon_path(r),
        {.message = "copies of the quad are not whole, or overlap so that their halves cannot be told apart",
         .hint = "copy both triangles of a quad, and move them together"});
  }
  /// The pieces of a polygon that the scene cut, sorted into the polygon and its copies: copies have all of theirs as
  /// far from where the file has them. One list if no corner is at two places.
  std::vector<std::vector<u32>> group_pieces_by_offset(size_t mesh, const PolygonRef& r,
                                                       const std::vector<u32>& triangles) const {
    std::array<SceneVertexRef, 4> corners{};
    std::vector<std::pair<Point, std::vector<u32>>> parts;
    bool is_once = true;
    visit_polygon(std::as_const(file_), r, [&](const auto& p) {
      for (const u32 i : triangles) {
        const SceneTriangleVertices& t = triangles_[mesh][i];
        Point by{};
        u32 first = k_no_source;
        for (size_t k = 0; k < 3; ++k) {
          if (t.sources[k] == k_no_source) continue;
          const size_t corner = t.sources[k] % 4;
          if (t.sources[k] < first) {
            first = t.sources[k];
            const Position& was = p.positions[corner];
            by = vector_between({f64(was.x), f64(was.y), f64(was.z)}, t.corners[k].position);
          }
          is_once &= !find_vertex_conflict(corners[corner], t.corners[k], r, u32(corner), true);
          corners[corner] = t.corners[k];
        }
        const auto is_here = [&](const auto& part) {
          bool out = true;
          for (size_t k = 0; k < 3; ++k) out &= std::fabs(part.first[k] - by[k]) <= k_far;
          return out;
        };
        if (const auto part = std::ranges::find_if(parts, is_here); part != parts.end())
          part->second.push_back(i);
        else
          parts.push_back({by, {i}});
      }
    });
    if (is_once) return {triangles};
    std::vector<std::vector<u32>> out;
    for (auto& [by, list] : parts) out.push_back(std::move(list));
    return out;
  }
  static Diagnostic torn_pieces_error(const PolygonRef& r) {
    return make_diagnostic(
        "fft.scene-torn", polygon_path(r),
        {.message = "an animated texture cuts the polygon, and copies of it are not whole, or turned or bent",
         .hint = "copy all pieces of the polygon, and move them together without turning them"});
  }
  bool have_same_sources(size_t mesh, u32 a, u32 b) const {
    auto x = triangles_[mesh][a].sources, y = triangles_[mesh][b].sources;
    sort_stably(x), sort_stably(y);
    return x == y;
  }
  /// Whether the corners that two triangles of a quad share are the same vertices, or at one place with the same
  /// texels.
  bool are_connected(size_t mesh, u32 a, u32 b, bool by_vertices) const {
    const SceneTriangleVertices &x = triangles_[mesh][a], &y = triangles_[mesh][b];
    if (by_vertices && x.number != y.number) return false;
    for (size_t i = 0; i < 3; ++i)
      for (size_t k = 0; k < 3; ++k) {
        if (x.sources[i] != y.sources[k]) continue;
        if (by_vertices ? x.vertices[i] != y.vertices[k]
                        : find_vertex_conflict(x.corners[i], y.corners[k], {}, 0, true).has_value())
          return false;
      }
    return true;
  }
  bool are_disconnected(size_t mesh, u32 a, u32 b) const { return !are_connected(mesh, a, b, false); }

  // ---- a mesh without

  std::optional<Diagnostic> import_mesh_without_sources(size_t mesh) {
    auto& all = triangles_[mesh];
    if (all.empty()) return {};
    if (!geometry_of(std::as_const(file_), mesh))
      return make_diagnostic("scene.source", mesh_name(mesh),
                             {.message = "the file has no such mesh",
                              .hint = "the scene was made from another file, or the file was edited since"});
    std::vector<SceneTriangle> seen(all.size());
    for (size_t i = 0; i < all.size(); ++i) {
      const SceneTriangleVertices& t = all[i];
      seen[i].primitive = t.number;
      seen[i].vertices = t.vertices;
      if (t.primitive->material != scene::k_none) seen[i].look = materials_[t.primitive->material];
      seen[i].has_uvs = t.corners[0].has_uv && t.corners[1].has_uv && t.corners[2].has_uv;
      for (size_t k = 0; k < 3; ++k) {
        seen[i].uvs[k] = t.corners[k].uv;
        if (t.corners[k].has_normal) seen[i].normals[k] = t.corners[k].normal;
      }
    }
    // A node may have been moved, or its transform applied to its vertices: as it is, or as its mesh is.
    for (size_t node = 0, from = 0; node < nodes_of_[mesh].size(); from = nodes_of_[mesh][node++]) {
      const auto part = std::span(seen).subspan(from, nodes_of_[mesh][node] - from);
      const auto place = [&](size_t frame) {
        for (size_t i = 0; i < part.size(); ++i)
          for (size_t k = 0; k < 3; ++k)
            for (size_t axis = 0; axis < 3; ++axis)
              part[i].positions[k][axis] = frame == 0   ? all[from + i].corners[k].position[axis]
                                           : frame == 1 ? all[from + i].local[k][axis] * units_
                                                        : all[from + i].local[k][axis];
        return count_triangles_in_place(file_, mesh, part);
      };
      size_t best = 0;
      u64 most = place(0);
      for (const size_t frame : {1, 2})
        if (const u64 count = place(frame); count > most) best = frame, most = count;
      place(best);
    }
    MatchedTriangles matched = match_triangles_by_geometry(file_, mesh, seen);
    if (!matched.exact && (matched.unknown || !matched.unclear.empty()))
      return make_diagnostic(
          "scene.source", mesh_name(mesh),
          {.message = "no triangle of the mesh is where the file has one, and no vertex has _SOURCE",
           .hint = "make the scene from this file, and export it with its attributes if the program can"});
    if (!matched.unclear.empty()) {
      sort_stably(matched.unclear);
      const auto [end, last] = std::ranges::unique(matched.unclear);
      matched.unclear.erase(end, last);
      const Geometry& g = *geometry_of(std::as_const(file_), mesh);
      std::string names;
      for (size_t i = 0; i < matched.unclear.size() && i < 3; ++i) {
        const PolygonVertexRef c = *find_corner(g, 4 * matched.unclear[i]);
        names += text(i ? ", " : "", polygon_path({u8(mesh), c.kind, c.index}));
      }
      if (matched.unclear.size() > 3) names += text(" and ", matched.unclear.size() - 3, " more");
      return make_diagnostic(
          "fft.scene-unclear", mesh_name(mesh),
          {.message = text("the triangle at ", format_numbers(all[matched.unclear_triangle].corners[0].position),
                           " may have been moved from any of several places (", names, "), or be a copy"),
           .hint = "edit in smaller steps, or with a program that keeps the attribute _SOURCE"});
    }
    for (size_t i = 0; i < all.size(); ++i) all[i].sources = matched.sources[i];
    unknown_triangles_ += matched.unknown;
    may_be_there_[mesh] = std::move(matched.may_be_there);
    look_alikes_[mesh] = std::move(matched.look_alikes);
    for (const u32 polygon : matched.moved_as_whole) {
      const PolygonVertexRef c = *find_corner(*geometry_of(std::as_const(file_), mesh), 4 * polygon);
      if (!moved_as_whole_++) first_moved_ = polygon_path({u8(mesh), c.kind, c.index});
    }
    detect_shared_vertices(mesh);
    return import_unmerged_mesh(mesh);
  }
  /// Programs that merge vertices drop triangles that are the same then: where polygons share vertices, a polygon that
  /// is missing was not deleted.
  void detect_shared_vertices(size_t mesh) {
    std::map<std::pair<u32, u32>, u32> of_vertex;
    for (const SceneTriangleVertices& t : triangles_[mesh])
      for (size_t k = 0; k < 3; ++k)
        if (t.sources[k] != k_no_source)
          shared_[mesh] |=
              of_vertex.try_emplace({t.number, t.vertices[k]}, t.sources[k] / 4).first->second != t.sources[k] / 4;
  }

  // ---- what is gone, and what is new

  u32 polygon_number(const PolygonRef& r) const {
    return source_number(*geometry_of(std::as_const(file_), r.mesh), {r.kind, r.index, 0}) / 4;
  }

  /// Whether a polygon that is not in the scene was deleted there.
  bool was_deleted_in_scene(const PolygonRef& r, const auto& polygon) {
    if (triangles_[r.mesh].empty()) return false;  // its mesh was not exported
    const u32 number = polygon_number(r);
    const bool is_hidden = number < may_be_there_[r.mesh].size() && may_be_there_[r.mesh][number];
    // Programs may drop what has no area.
    if (!merged_[r.mesh] && !shared_[r.mesh] && !is_hidden && face_normal(polygon.positions)) return true;
    if (!kept_++) first_kept_ = polygon_path(r);
    return false;
  }

  /// If a new polygon may be a copy of several, what these do not agree in is as if it were of none.
  void clear_ambiguous_properties(auto& made, const PolygonRef& r) {
    const u32 number = polygon_number(r);
    if (number >= look_alikes_[r.mesh].size() || look_alikes_[r.mesh][number].empty()) return;
    const Geometry& g = *geometry_of(std::as_const(file_), r.mesh);
    bool same_tile = true, same_render = true, same_rest = true;
    for (const u32 other : look_alikes_[r.mesh][number]) {
      const PolygonVertexRef c = *find_corner(g, 4 * other);
      if (c.kind != r.kind) continue;
      visit_polygon_list(g, c.kind, [&](const auto& list) {
        if constexpr (std::is_same_v<std::remove_cvref_t<decltype(list[0])>, std::remove_cvref_t<decltype(made)>>) {
          const auto& like = list[c.index];
          if constexpr (k_is_textured<decltype(made)>) {
            same_tile &= like.tile == made.tile;
            same_rest &= like.clut_y == made.clut_y && like.blend == made.blend && like.page_unk_9 == made.page_unk_9 &&
                         like.clut_unk_15 == made.clut_unk_15;
          } else {
            same_rest &= like.unread == made.unread;
          }
          same_render &= like.render == made.render;
        }
      });
    }
    if constexpr (k_is_textured<decltype(made)>)
      if (!same_tile) made.tile = {TileBinding::k_no_z, 0, TileBinding::k_no_x};
    if (!same_render) made.render = k_plain_render;
    if ((!same_tile || !same_render || !same_rest) && !unsure_copies_++) first_unsure_ = polygon_path(r);
  }

  void queue_new_polygon(const PolygonRef& r, auto&& made) {
    if constexpr (k_is_textured<decltype(made)>) {
      if constexpr (std::tuple_size_v<decltype(made.positions)> == 3)
        made_[r.mesh].textured_triangles.push_back(std::move(made));
      else
        made_[r.mesh].textured_quads.push_back(std::move(made));
    } else {
      if constexpr (std::tuple_size_v<decltype(made.positions)> == 3)
        made_[r.mesh].untextured_triangles.push_back(std::move(made));
      else
        made_[r.mesh].untextured_quads.push_back(std::move(made));
    }
    if (!taken_.added++) first_copied_ = polygon_path(r);
  }

  /// Removes what is gone, and adds what is new after the others of its kind.
  std::optional<Diagnostic> remove_and_append_polygons() {
    const auto before = count_all_polygons(file_);
    taken_.removed = u32(gone_.size());
    for (size_t i = gone_.size(); i-- > 0;)  // from the back: numbers of the others hold
      visit_polygon_list(*geometry_of(file_, gone_[i].mesh), gone_[i].kind,
                         [&](auto& list) { list.erase(list.begin() + std::ptrdiff_t(gone_[i].index)); });
    for (size_t m = 0; m < k_meshes; ++m)
      if (Geometry* g = geometry_of(file_, m)) {
        const auto append = [](auto& to, const auto& from) { to.insert(to.end(), from.begin(), from.end()); };
        append(g->textured_triangles, made_[m].textured_triangles);
        append(g->textured_quads, made_[m].textured_quads);
        append(g->untextured_triangles, made_[m].untextured_triangles);
        append(g->untextured_quads, made_[m].untextured_quads);
      }
    const auto after = count_all_polygons(file_);
    for (size_t k = 0; k < after.size(); ++k)
      if (after[k] > before[k] && after[k] > k_most_polygons[k])
        return make_diagnostic(
            "fft.scene-limit", {},
            {.message = text("with the copies there would be ", after[k], " ", k_polygon_kinds[k],
                             " in all meshes; the game has room for ", k_most_polygons[k]),
             .hint = "with more, the game writes past the end of its arrays; delete others, or copy fewer"});
    return {};
  }

  /// Applies the vertices of a triangle to the polygon it is a part of, and returns the number of that polygon, counted
  /// through all kinds, or k_no_source. Programs merge vertices at one position, and the merged one has the source of
  /// only one of the polygons around it: then it may be any vertex that was there. If no polygon of the file has three
  /// vertices at these positions, the triangle is new.
  Result<u32> import_triangle(size_t mesh, const Geometry& g, const std::array<u32, 3>& sources,
                              const std::array<SceneVertexRef, 3>& seen) {
    const auto find_triangle_conflict = [&](const std::array<u32, 3>& corners,
                                            bool with_uvs) -> std::optional<Diagnostic> {
      for (size_t k = 0; k < 3; ++k) {
        if (corners[k] == k_no_source) continue;  // where the scene cut a polygon
        const PolygonVertexRef c = *find_corner(g, corners[k]);
        if (auto conflict = find_vertex_conflict(corners_[mesh][corners[k]], seen[k], {u8(mesh), c.kind, c.index},
                                                 c.corner, with_uvs))
          return conflict;
      }
      return {};
    };
    const auto apply_to_vertices = [&](const std::array<u32, 3>& corners) {
      u32 polygon = k_no_source;
      for (size_t k = 0; k < 3; ++k)
        if (corners[k] != k_no_source) {
          SceneVertexRef corner = seen[k];
          // A vertex that was merged has the normal of one of its corners.
          if (corners[k] != sources[k]) corner.has_normal = false, corner.normal = {};
          merge_vertex(corners_[mesh][corners[k]], corner);
          polygon = corners[k] / 4;
        }
      return polygon;
    };
    u32 first = k_no_source;
    bool is_one = true;
    for (const u32 source : sources) {
      if (source == k_no_source) continue;
      if (first == k_no_source) first = source;
      is_one &= source / 4 == first / 4;
    }
    auto candidates = find_candidate_polygons(mesh, g, first, sources, seen);
    sort_stably(candidates, [](const Candidate& a, const Candidate& b) {
      return std::tuple(a.faces_so, a.same_uvs, a.own) > std::tuple(b.faces_so, b.same_uvs, b.own);
    });
    // If vertices with different texture coordinates were merged, positions still identify the corners.
    for (const bool with_uvs : {true, false})
      for (const Candidate& c : candidates)
        if (!find_triangle_conflict(c.corners, with_uvs)) return apply_to_vertices(c.corners);
    if (is_one) {
      if (auto conflict = find_triangle_conflict(sources, false)) return refuse(std::move(*conflict));
      return apply_to_vertices(sources);
    }
    ++new_triangles_;
    return k_no_source;
  }

  struct Candidate {
    std::array<u32, 3> corners;
    size_t own;       // how many vertices have a source in this polygon
    bool faces_so;    // whether it faces the way the triangle does
    size_t same_uvs;  // how many vertices have the texture coordinates that the file has there
  };
  /// The polygons that have vertices at the positions of the `sources` in the file; `first` is one of these.
  std::vector<Candidate> find_candidate_polygons(size_t mesh, const Geometry& g, u32 first,
                                                 const std::array<u32, 3>& sources,
                                                 const std::array<SceneVertexRef, 3>& seen) {
    index_file_vertices(mesh);
    const auto& places = place_of_[mesh];
    std::vector<Candidate> all;
    const auto [from, to] = corners_there_[mesh].equal_range(places[first]);
    for (auto i = from; i != to; ++i) {
      const u32 polygon = i->second / 4;
      Candidate c{{k_no_source, k_no_source, k_no_source}, 0, false, 0};
      bool fits = true, is_missed = false;
      for (size_t k = 0; k < 3 && fits; ++k) {
        if (sources[k] == k_no_source) continue;
        const auto is_free = [&](u32 corner) { return std::ranges::find(c.corners, corner) == c.corners.end(); };
        if (sources[k] / 4 == polygon && is_free(sources[k])) {
          c.corners[k] = sources[k];
          ++c.own;
          continue;
        }
        for (u32 corner = polygon * 4; corner < polygon * 4 + 4 && c.corners[k] == k_no_source; ++corner)
          if (find_corner(g, corner) && places[corner] == places[sources[k]] && is_free(corner)) c.corners[k] = corner;
        fits = c.corners[k] != k_no_source;
        is_missed |= fits && !is_said_[mesh][c.corners[k]];
      }
      // A polygon whose sources are all in the scene is shown by those.
      if (!fits || (c.own < 3 && !is_missed)) continue;
      c.faces_so = has_scene_winding(c.corners);
      for (size_t k = 0; k < 3; ++k)
        if (c.corners[k] != k_no_source && seen[k].has_uv)
          if (const auto& uv = uv_of_[mesh][c.corners[k]]; uv && !uvs_differ(*uv, seen[k].uv)) ++c.same_uvs;
      all.push_back(c);
    }
    return all;
  }
  /// Whether these vertices of a polygon are in the order of triangles of scenes, whose front is counterclockwise; in
  /// the file it is clockwise.
  static bool has_scene_winding(const std::array<u32, 3>& corners) {
    constexpr std::array<u32, 4> k_around{0, 1, 3, 2};  // quads are strips
    std::array<u32, 3> at{};
    for (size_t k = 0; k < 3; ++k) {
      if (corners[k] == k_no_source) return true;
      at[k] = k_around[corners[k] % 4];
    }
    return (at[0] < at[1]) + (at[1] < at[2]) + (at[2] < at[0]) == 1;
  }
  /// Notes where the vertices of a mesh are in the file, and at which texels.
  void index_file_vertices(size_t mesh) {
    if (!place_of_[mesh].empty()) return;
    place_of_[mesh].resize(corners_[mesh].size());
    uv_of_[mesh].resize(corners_[mesh].size());
    for_each_polygon(std::as_const(file_), [&](const PolygonRef& r, const auto& polygon) {
      if (r.mesh != mesh) return;
      const u32 source = source_number(*geometry_of(std::as_const(file_), mesh), {r.kind, r.index, 0});
      for (u32 i = 0; i < polygon.positions.size(); ++i) {
        const Position& p = polygon.positions[i];
        const u64 place = u64(u16(p.x)) << 32 | u64(u16(p.y)) << 16 | u16(p.z);
        place_of_[mesh][source + i] = place;
        corners_there_[mesh].emplace(place, source + i);
        if constexpr (k_is_textured<decltype(polygon)>)
          uv_of_[mesh][source + i] = {f64(polygon.uvs[i].u), f64(polygon.uvs[i].v) + f64(k_page_texels) * polygon.page};
      }
    });
  }

  /// The parents of an animated mesh move, and are wherever the animation was when the scene was saved: only its own
  /// node counts, and the scale of the map around all that moves.
  Affine animated_mesh_transform(size_t index) const {
    Affine place = scene::local_transform(s_.nodes[index]);
    scene::Index around = s_.nodes[index].parent;
    while (around != scene::k_none && is_animated(s_.nodes[around])) around = s_.nodes[around].parent;
    if (around == scene::k_none) return place;
    const f64 size = std::cbrt(std::fabs(scene::determinant(places_[around].linear)));
    if (size == 0) return place;
    for (Point& column : place.linear.columns)
      for (f64& x : column) x *= size;
    for (f64& x : place.origin) x *= size;
    return place;
  }
  static bool is_animated(const scene::Node& node) {
    const Value* kind = node.extras.find("kind");
    return kind && kind->is(Value::Kind::text) ? kind->text() == k_animated_node : node.name.starts_with("animated");
  }

  /// A scene of several files cannot be applied to one: polygons of each are counted from 0.
  std::optional<Diagnostic> check_single_source_file(size_t mesh, const scene::Node& node) {
    const auto several = [&](std::string message) {
      return make_diagnostic("scene.source", mesh_name(mesh),
                             {.message = std::move(message),
                              .hint = "make the scene from this file alone: dio convert FILE -o SCENE.glb"});
    };
    if (node.extras.find("files")) return several("the mesh was combined from several files");
    const Value* file = node.extras.find("file");
    if (!file || !file->is(Value::Kind::text)) return {};
    if (!of_file_.empty() && of_file_ != file->text())
      return several(text("the meshes are from two files: ", of_file_, " and ", file->text()));
    of_file_ = file->text();
    return {};
  }

  static Mat3d transpose(const Mat3d& m) {
    Mat3d out;
    for (size_t c = 0; c < 3; ++c)
      for (size_t i = 0; i < 3; ++i) out.columns[c][i] = m.columns[i][c];
    return out;
  }

  /// Several vertices may have one source; they must have one position and texel.
  static std::optional<Diagnostic> find_vertex_conflict(const SceneVertexRef& corner, const SceneVertexRef& seen,
                                                        const PolygonRef& r, u32 number, bool with_uvs) {
    if (!corner.is_there) return {};
    const auto torn_vertex_error = [&](const char* list, DiagnosticText said) {
      said.hint = "both triangles of a quad have this vertex: move them together, and copy whole polygons";
      return make_diagnostic("fft.scene-torn", text(polygon_path(r), ".", list, "[", number, "]"), std::move(said));
    };
    if (positions_differ(corner, seen))
      return torn_vertex_error(
          "positions", {.message = text("two copies of this vertex have different positions: ",
                                        format_numbers(corner.position), " and ", format_numbers(seen.position))});
    if (with_uvs && corner.has_uv && seen.has_uv && uvs_differ(corner.uv, seen.uv))
      return torn_vertex_error("uvs", {.message = text("two copies of this vertex have different texels: ",
                                                       format_numbers(corner.uv), " and ", format_numbers(seen.uv))});
    return {};
  }
  static bool positions_differ(const SceneVertexRef& a, const SceneVertexRef& b) {
    bool out = false;
    for (size_t k = 0; k < 3; ++k) out |= !(std::fabs(a.position[k] - b.position[k]) <= k_far);
    return out;
  }
  static bool uvs_differ(const std::array<f64, 2>& a, const std::array<f64, 2>& b) {
    return std::fabs(a[0] - b[0]) > k_far || std::fabs(a[1] - b[1]) > k_far;
  }
  /// Their normals are averaged.
  static void merge_vertex(SceneVertexRef& corner, const SceneVertexRef& seen) {
    if (!corner.is_there) {
      corner = seen;
      return;
    }
    corner.several_uvs |= corner.has_uv && seen.has_uv && uvs_differ(corner.uv, seen.uv);
    corner.has_normal |= seen.has_normal;
    for (size_t k = 0; k < 3; ++k) corner.normal[k] += seen.normal[k];
  }
  // ---- materials and vertex colours

  void record_triangle_material(PolygonMaterial& of, const SceneTriangleVertices& t) const {
    if (t.primitive->material == scene::k_none) return;
    const TriangleMaterial& look = materials_[t.primitive->material];
    of.several |= of.is_there && of.look != look;
    of.look = look;
    of.is_there = true;
  }

  /// Takes the palette from the material; the file stores nothing else of it.
  void apply_material(auto& polygon, const PolygonMaterial& now, const PolygonRef& r) {
    if (!now.is_there) return;
    using enum TriangleMaterial::Kind;
    bool is_lost = now.several || now.look.kind == unknown;
    if constexpr (k_is_textured<decltype(polygon)>) {
      const bool is_of_map = polygon.image == k_map_image && polygon.page_y == 0 && polygon.color_depth == 0;
      if (!is_lost && now.look.kind == palette) {
        if (is_of_map && polygon.palette < 16)
          polygon.palette = now.look.palette;
        else
          is_lost = true;
      }
    } else {
      is_lost |= now.look.kind == palette;
    }
    if (is_lost && !other_materials_++) other_material_ = polygon_path(r);
  }

  /// The light of the file, if the scene was made in that: vertex colours follow from it.
  void set_up_light_rigs() {
    if (!file_.lights) return;
    Value own = Value::object();
    add_light_extras(own, *file_.lights);
    for (const char* name : {"lights", "ambient"})
      if (const Value* said = s_.extras.find(name); said && *said != *own.find(name)) return;
    std::optional<MeshMotion> motion;
    if (file_.mesh_animations) motion.emplace(*file_.mesh_animations);
    const LightRig rig = light_rig(*file_.lights);
    rigs_.push_back(rig);
    for (size_t i = 0; i + 1 < k_meshes; ++i)
      rigs_.push_back(rotate_light_rig(rig, light_rotation(motion ? &*motion : nullptr, i)));
  }

  void count_edited_vertex_colors(size_t mesh, const Geometry& g, const SceneTriangleVertices& t) {
    for (size_t k = 0; k < 3; ++k)
      if (t.vertices[k] < t.primitive->colors.size() && t.sources[k] != k_no_source)
        count_edited_vertex_color(mesh, g, *t.primitive, t.vertices[k], t.sources[k]);
  }
  /// Counts vertex colours that are others than those that the light of the file gives.
  void count_edited_vertex_color(size_t mesh, const Geometry& g, const scene::Primitive& p, u32 vertex, u32 source) {
    if (rigs_.empty() || p.material == scene::k_none) return;
    const scene::Material& m = s_.materials[p.material];
    if (!m.unlit || materials_[p.material].kind != TriangleMaterial::Kind::palette) return;
    f64 headroom = k_plain_intensity;
    if (const Value* times = m.extras.find("texels_times");
        times && (times->is(Value::Kind::real) || times->is(Value::Kind::integer)))
      headroom *= times->number();
    else if (m.name.find(" for light up to ") != m.name.npos)
      return;  // how much brighter its picture is was in the extras
    const PolygonVertexRef c = *find_corner(g, source);
    visit_polygon(std::as_const(file_), PolygonRef{u8(mesh), c.kind, c.index}, [&](const auto& polygon) {
      if constexpr (k_is_textured<decltype(polygon)>) {
        if (polygon.palette != materials_[p.material].palette) return;  // its texels were made brighter for another
        const bool is_lit = mesh || polygon.render.lit;
        const Intensity light = is_lit ? compute_vertex_intensity(rigs_[mesh], polygon.normals[c.corner]) : k_unlit;
        bool is_other = false;
        for (size_t k = 0; k < 3; ++k)
          is_other |= std::fabs(p.colors[vertex][k] -
                                scene::srgb_to_linear(f32(std::min<f64>(light[k], headroom) / headroom))) > k_tinted;
        if (is_other && !tinted_[mesh]++)
          first_tinted_[mesh] = text(polygon_path({u8(mesh), c.kind, c.index}), ", corner ", c.corner);
      }
    });
  }

  static std::string format_numbers(const auto& numbers) {
    std::string out;
    for (const f64 x : numbers) out += text(out.empty() ? "" : ", ", f32(x));
    return out;
  }

  std::span<const SceneVertexRef> scene_vertices_of_polygon(const PolygonRef& r, size_t count) const {
    return std::span(corners_[r.mesh]).subspan(4 * polygon_number(r), count);
  }

  static bool are_polygons_equal(const auto& a, const auto& b) {
    if constexpr (k_is_textured<decltype(a)>)
      if (a.normals != b.normals || a.uvs != b.uvs || a.page != b.page || a.palette != b.palette) return false;
    return a.positions == b.positions;
  }

  /// Nothing if the number is too large to be rounded.
  static std::optional<i64> round_to_integer(f64 x) {
    if (!(std::fabs(x) < k_farthest)) return {};
    return i64(std::lround(x));
  }

  std::optional<Diagnostic> apply_vertices(auto& polygon, std::span<const SceneVertexRef> corners,
                                           const PolygonRef& r) {
    const std::optional<Normal> face = face_normal(polygon.positions);
    const auto were = polygon.positions;
    for (size_t i = 0; i < corners.size(); ++i)
      if (corners[i].is_there)
        if (auto problem = apply_position(polygon.positions[i], corners[i], r, i)) return problem;
    if constexpr (k_is_textured<decltype(polygon)>) {
      const Normal without = face.value_or(Normal{{0}, {-4096}, {0}});
      // Programs that drop sources turn normals by themselves where a vertex moves.
      size_t stay = 0;
      for (size_t i = 0; i < corners.size(); ++i) stay += polygon.positions[i] == were[i];
      const bool is_bent = !has_sources_[r.mesh] && 0 < stay && stay < corners.size();
      for (size_t i = 0; i < corners.size(); ++i)
        if (corners[i].has_normal && !is_bent) apply_normal(polygon.normals[i], corners[i], without);
      // Images of the interface are not shown as in the game.
      if (polygon.image == 3 && polygon.page_y == 0) return apply_uvs(polygon, corners, r);
    }
    return {};
  }

  std::optional<Diagnostic> apply_position(Position& p, const SceneVertexRef& c, const PolygonRef& r, size_t corner) {
    size_t axis = 0;
    for (i16* to : {&p.x, &p.y, &p.z}) {
      const f64 x = c.position[axis++];
      const auto whole = round_to_integer(x);
      if (!whole || *whole < INT16_MIN || *whole > INT16_MAX)
        return make_diagnostic(
            "fft.scene-range", text(polygon_path(r), ".positions[", corner, "]"),
            {.message = text("position ", format_numbers(c.position), " is out of range (-32768 to 32767 units)"),
             .hint = text("a tile is ", k_tile_units, " units wide")});
      if (*whole != *to && std::fabs(x - f64(*whole)) > k_whole) ++between_;
      *to = i16(*whole);
    }
    return {};
  }

  /// A normal that still points in the same direction is unchanged: many are not of unit length. `without`: how a
  /// normal of length 0 is shown.
  static void apply_normal(Normal& n, const SceneVertexRef& c, const Normal& without) {
    const bool has_length = n != Normal{};
    const Normal& shown = has_length ? n : without;
    const Point was = scene::unit({shown.x.value(), shown.y.value(), shown.z.value()}), is = scene::unit(c.normal);
    if (!(std::fabs(scene::length(is) - 1) < k_turned)) return;  // it has no direction
    bool turned = false;
    for (size_t k = 0; k < 3; ++k) turned |= std::fabs(was[k] - is[k]) > k_turned;
    if (!turned) return;
    size_t axis = 0;
    for (fx16* to : {&n.x, &n.y, &n.z}) to->raw = i16(std::lround(is[axis++] * 4096));
  }

  std::optional<Diagnostic> apply_uvs(auto& polygon, std::span<const SceneVertexRef> corners, const PolygonRef& r) {
    // Vertices that the scene does not have stay where they are.
    std::array<std::array<i64, 2>, 4> texels{};
    bool any = false;
    for (size_t i = 0; i < corners.size(); ++i) {
      const Uv& was = polygon.uvs[i];
      texels[i] = {was.u, was.v + i64(k_page_texels) * polygon.page};
      if (!corners[i].has_uv) continue;
      if (corners[i].several_uvs) {
        if (!several_uvs_++) first_several_ = text(polygon_path(r), ".uvs[", i, "]");
        continue;
      }
      for (size_t k = 0; k < 2; ++k) {
        const f64 x = corners[i].uv[k];
        const auto whole = round_to_integer(x);
        if (!whole) return uv_outside_page_error(r, i, corners[i]);
        if (*whole == texels[i][k]) continue;
        any = true;
        texels[i][k] = *whole;
        if (std::fabs(x - f64(*whole)) > k_whole) ++between_;
      }
    }
    if (!any) return {};
    // All vertices lie in one page: the one it had, if possible. The far edge of a page is that of its last texel.
    std::array<u8, 5> pages = {polygon.page, 0, 1, 2, 3};
    for (const u8 page : pages) {
      const i64 top = i64(k_page_texels) * page;
      const bool fits =
          std::all_of(texels.begin(), texels.begin() + std::ptrdiff_t(corners.size()), [&](const auto& t) {
            return 0 <= t[0] && t[0] <= i64(k_page_texels) && top <= t[1] && t[1] <= top + i64(k_page_texels);
          });
      if (!fits) continue;
      polygon.page = page;
      for (size_t i = 0; i < corners.size(); ++i) {
        const i64 last = k_page_texels - 1;
        edges_ += texels[i][0] > last || texels[i][1] - top > last;
        polygon.uvs[i] = {u8(std::min(texels[i][0], last)), u8(std::min(texels[i][1] - top, last))};
      }
      return {};
    }
    for (size_t i = 0; i < corners.size(); ++i)
      if (corners[i].has_uv) return uv_outside_page_error(r, i, corners[i]);
    return {};
  }
  static Diagnostic uv_outside_page_error(const PolygonRef& r, size_t corner, const SceneVertexRef& c) {
    return make_diagnostic(
        "fft.scene-range", text(polygon_path(r), ".uvs[", corner, "]"),
        {.message = text("the UVs of the polygon are not all in one page of 256 x 256 texels; this one is at ",
                         format_numbers(c.uv)),
         .hint = "pages are stacked: page 1 is rows 256 to 511 from the top"});
  }

  static std::string format_vertex_count(u64 n) { return n == 1 ? "1 vertex" : text(n, " vertices"); }

  void add_import_notes(u64 missing) {
    taken_.lost = halves_ + in_place_ + unknown_triangles_ + made_up_ + without_source_ + lines_ + new_triangles_ +
                  other_materials_;
    if (missing > kept_)
      taken_.notes.push_back(make_diagnostic(
          Severity::hint, "fft.scene-missing", {},
          {.message = text(format_count(missing - kept_, "polygon"), missing - kept_ == 1 ? " is" : " are",
                           " not in the scene and unchanged in the file, with the rest of their meshes"),
           .hint = "`dio edit FILE remove-polygons` removes polygons"}));
    if (kept_)
      taken_.notes.push_back(make_diagnostic(
          Severity::warning, "fft.scene-missing", first_kept_,
          {.message = text(format_count(kept_, "polygon"), kept_ == 1 ? " is" : " are",
                           " not in the scene, but may not have been deleted there: unchanged in the file"),
           .hint = "vertices were merged, the polygon has no area, or another one may be it; `dio edit FILE "
                   "remove-polygons` removes polygons"}));
    if (!gone_.empty())
      taken_.notes.push_back(make_diagnostic(
          Severity::hint, "fft.scene-removed", polygon_path(gone_.front()),
          {.message = text(format_count(gone_.size(), "polygon"), " deleted in the scene and removed from the file")}));
    if (const std::string rows = list_polygon_number_rows(file_); !rows.empty() && (!gone_.empty() || taken_.added))
      taken_.notes.push_back(make_diagnostic(
          Severity::warning, "fft.scene-removed", "texture_animations",
          {.message = text("unchanged: rows of the texture animation that refer to polygons by number: ", rows)}));
    if (taken_.added)
      taken_.notes.push_back(make_diagnostic(
          Severity::hint, "fft.scene-copy", first_copied_,
          {.message = text(format_count(taken_.added, "polygon"), " added after the others of ",
                           taken_.added == 1 ? "its kind: a copy" : "their kinds: copies", " made in the scene")}));
    if (unsure_copies_)
      taken_.notes.push_back(
          make_diagnostic(Severity::warning, "fft.scene-copy", first_unsure_,
                          {.message = text(format_count(unsure_copies_, "new polygon"),
                                           " may be a copy of any of several that look the same, but differ in "
                                           "tile or render word"),
                           .hint = "the copy is bound to no tile, and drawn as most polygons are; `dio edit FILE "
                                   "set-polygons` sets both"}));
    if (moved_as_whole_)
      taken_.notes.push_back(make_diagnostic(
          Severity::hint, "fft.scene-moved", first_moved_,
          {.message = text(format_count(moved_as_whole_, "polygon"),
                           " moved as a whole; without _SOURCE, a polygon that was "
                           "deleted and a copy of another one look the same"),
           .hint = "if it is a copy: check its tile and its render word (dio explain FILE#polygon@...)"}));
    if (halves_)
      taken_.notes.push_back(
          make_diagnostic(Severity::warning, "fft.scene-new", first_half_,
                          {.message = text(format_count(halves_, "triangle"), " ignored: half of a copy of a quad"),
                           .hint = "copy both triangles of a quad"}));
    if (in_place_)
      taken_.notes.push_back(make_diagnostic(
          Severity::hint, "fft.scene-new", {},
          {.message = text(format_count(in_place_, "copied polygon"), " ignored: still where the original is"),
           .hint = "move copies away from what they are copies of"}));
    if (unknown_triangles_ + made_up_)
      taken_.notes.push_back(
          make_diagnostic(Severity::warning, "fft.scene-new", {},
                          {.message = text(format_count(unknown_triangles_ + made_up_, "triangle"),
                                           " ignored: not from the file, and no copy of a polygon of it"),
                           .hint = "add polygons by copying those of the file"}));
    if (without_source_)
      taken_.notes.push_back(make_diagnostic(
          Severity::hint, "fft.scene-new", {},
          {.message = text(format_vertex_count(without_source_), " ignored: not from the file (no _SOURCE)"),
           .hint = "add polygons by copying those of the file"}));
    if (lines_)
      taken_.notes.push_back(
          make_diagnostic(Severity::hint, "fft.scene-new", {},
                          {.message = text(format_count(lines_, "primitive"), " ignored: points or lines"),
                           .hint = "only triangles can be imported"}));
    if (torn_)
      taken_.notes.push_back(
          make_diagnostic(Severity::warning, "fft.scene-missing", {},
                          {.message = text(format_vertex_count(torn_), " missing from polygons that are in the scene"),
                           .hint = torn_ == 1 ? "it stays where it was, while the rest of its polygon moves"
                                              : "they stay where they were, while the rest of their polygons moves"}));
    if (new_triangles_)
      taken_.notes.push_back(make_diagnostic(
          Severity::hint, "fft.scene-new", {},
          {.message = text(format_count(new_triangles_, "triangle"), " ignored: ",
                           new_triangles_ == 1 ? "it belongs" : "they belong", " to no polygon of the file"),
           .hint = "add polygons by copying those of the file"}));
    if (several_uvs_)
      taken_.notes.push_back(make_diagnostic(
          Severity::warning, "fft.scene-uvs", first_several_,
          {.message = text(format_vertex_count(several_uvs_), " merged from vertices with different texels"),
           .hint = "texture coordinates there are unchanged in the file"}));
    if (other_materials_)
      taken_.notes.push_back(make_diagnostic(
          Severity::warning, "fft.scene-material", other_material_,
          {.message = text(format_count(other_materials_, "polygon"), other_materials_ == 1 ? " does" : " do",
                           " not have exactly one fitting material of the file"),
           .hint =
               "they keep their palettes; give each textured polygon one of the materials palette 0 to palette 15"}));
    // A vertex merged from several has the colour of one of them.
    u64 tinted = 0;
    const std::string* first_tinted = nullptr;
    for (size_t mesh = 0; mesh < k_meshes; ++mesh)
      if (tinted_[mesh] && !merged_[mesh]) {
        tinted += tinted_[mesh];
        if (!first_tinted) first_tinted = &first_tinted_[mesh];
      }
    taken_.lost += tinted;
    if (tinted)
      taken_.notes.push_back(make_diagnostic(
          Severity::warning, "fft.scene-colors", *first_tinted,
          {.message = text(format_vertex_count(tinted), tinted == 1 ? " has a colour" : " have colours",
                           " that the lights of the file do not produce; the colours are ignored"),
           .hint = "the file has no vertex colours: edit its lights (dio ls FILE lights) or its normals"}));
    if (between_)
      taken_.notes.push_back(make_diagnostic(
          Severity::warning, "fft.scene-rounded", {},
          {.message = text(format_count(between_, "coordinate"), " rounded to whole units or texels")}));
    if (edges_)
      taken_.notes.push_back(make_diagnostic(
          Severity::warning, "fft.scene-rounded", {},
          {.message = text(format_vertex_count(edges_), " moved from texel 256 to 255, the last one of a page")}));
    if (flattened_)
      taken_.notes.push_back(
          make_diagnostic(Severity::hint, "fft.scene-flattened", {},
                          {.message = text(format_count(flattened_, "node"), flattened_ == 1 ? " has" : " have",
                                           " a scale of 0; the transform of such a node is ignored")}));
  }

  Mesh& file_;
  const scene::Scene& s_;
  std::vector<Affine> places_;
  f64 units_ = 1;
  std::array<std::vector<SceneVertexRef>, k_meshes> corners_;  // by source
  std::string of_file_;                                        // that nodes name
  SceneImportResult taken_;
  std::array<std::vector<SceneTriangleVertices>, k_meshes> triangles_;  // of the scene, by mesh
  std::array<std::vector<size_t>, k_meshes> nodes_of_;                  // where the triangles of each node end
  std::array<bool, k_meshes> has_sources_{}, shared_{};  // shared: polygons share vertices, though they have no sources
  std::array<u64, k_meshes> without_source_of_{};
  u32 primitives_ = 0;
  bool is_of_states_ = false;                                        // a mesh may be there once for each state
  std::array<std::vector<std::vector<Instance>>, k_meshes> copies_;  // by polygon
  std::array<Geometry, k_meshes> made_;                              // of these
  std::vector<PolygonRef> gone_;
  std::array<std::vector<bool>, k_meshes> may_be_there_;             // as in MatchedTriangles
  std::array<std::vector<std::vector<u32>>, k_meshes> look_alikes_;  // as there
  std::array<std::vector<bool>, k_meshes> is_said_;                  // by source: whether a vertex of the scene has it
  std::array<bool, k_meshes> merged_{};                              // whether vertices of a mesh stand for several
  std::array<std::vector<u64>, k_meshes> place_of_;                  // by source: where the vertex is in the file
  std::array<std::multimap<u64, u32>, k_meshes> corners_there_;
  std::array<std::vector<std::optional<std::array<f64, 2>>>, k_meshes> uv_of_;  // by source: of the whole texture
  std::vector<TriangleMaterial> materials_;                                     // of the scene
  std::array<std::vector<PolygonMaterial>, k_meshes> looks_;                    // by polygon
  std::vector<LightRig> rigs_;  // of each mesh; empty where the scene was made in another light
  u64 lines_ = 0, several_uvs_ = 0, other_materials_ = 0;
  std::array<u64, k_meshes> tinted_{};
  std::array<std::string, k_meshes> first_tinted_;
  std::string first_several_, other_material_, first_half_, first_kept_, first_moved_, first_unsure_, first_copied_;
  u64 torn_ = 0, new_triangles_ = 0, made_up_ = 0, unknown_triangles_ = 0;
  u64 halves_ = 0, in_place_ = 0, kept_ = 0, moved_as_whole_ = 0, unsure_copies_ = 0;
  u64 unknown_ = 0, without_source_ = 0, between_ = 0, edges_ = 0, flattened_ = 0;
};

}  // namespace

Result<SceneImportResult> from_scene(Mesh& file, const scene::Scene& s) {
  Mesh now = file;  // a scene that is refused changes nothing
  auto taken = FftSceneImporter(now, s).run();
  if (taken) file = std::move(now);
  return taken;
}

}  // namespace dio::fft
