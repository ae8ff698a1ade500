// from_scene.cpp: applies an edited scene to the polygons of a file. `Primitive::sources` says which vertex of the file
// each vertex of the scene is. Specification: README.md, "Editing".
#include <cmath>
#include <map>
#include <tuple>

#include "formats/contract/reporter.hpp"
#include "formats/contract/scenes.hpp"
#include "formats/fft/parts.hpp"
#include "formats/fft/scene/builder.hpp"
#include "formats/fft/scene/polygons.hpp"
#include "scene/maths.hpp"
#include "scene/placing.hpp"

namespace dio::fft {

namespace {

using scene::Affine;
using scene::Linear;
using scene::Point;

constexpr f64 k_whole = 0.05;    // units or texels that still count as a whole number
constexpr f64 k_far = 0.5;       // units or texels that two vertices with one source may be apart
constexpr f64 k_turned = 0.004;  // of a unit normal: as far as other programs round them
constexpr f64 k_farthest = 1e6;  // units or texels: outside of any range, but can still be rounded
constexpr f32 k_tinted = 0.02f;  // of a linear colour: farther than other programs round them

/// What the vertices of a scene with one source say.
struct SceneCorner {
  bool is_there = false, has_uv = false, has_normal = false;
  bool several_uvs = false;  // vertices that are this corner disagree: it keeps those of the file
  Point position{};          // units of the file
  Point normal{};            // sum
  std::array<f64, 2> uv{};   // texels of the whole texture
};

/// What the material of a triangle says of its polygon.
struct SceneLook {
  enum class Kind : u8 {
    unknown,  // no material of a file
    plain,    // one that shows no texels of the map
    palette
  } kind = Kind::unknown;
  u8 palette = 0;
  bool operator==(const SceneLook&) const = default;
};

/// By its extras; where another program dropped those, by its name: "palette 3", "palette 3 moving", "untextured".
SceneLook look_of(const scene::Material& m) {
  using enum SceneLook::Kind;
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
  const bool is_ours = (kind && kind->is(Value::Kind::text) && kind->text() == "fft.material") ||
                       m.name.starts_with("untextured") || m.name.starts_with("not in the files of the map");
  return {is_ours ? plain : unknown};
}

/// To the axes of a mesh file: Y down, Z to the north.
constexpr Point to_file(const Point& p) { return {p[0], -p[1], -p[2]}; }

/// Which mesh a node shows, by its extras or, if another program dropped those, by its name.
std::optional<size_t> mesh_of(const scene::Scene& s, const scene::Node& node) {
  const Value *kind = node.extras.find("kind"), *path = node.extras.find("path");
  const bool is_told = kind && path && kind->is(Value::Kind::text) && path->is(Value::Kind::text);
  if (is_told && kind->text() != k_mesh_node) return {};
  const auto named = [](std::string name) -> std::optional<size_t> {
    // Blender counts copies: "animated 1.001".
    if (const size_t dot = name.rfind('.'); dot != name.npos && name.size() - dot == 4) name.resize(dot);
    for (char& c : name)
      if (c == ' ') c = '_';
    if (name.ends_with("_mesh")) name.resize(name.size() - 5);  // "animated 1" is its parent
    for (size_t m = 0; m < k_meshes; ++m)
      if (name == mesh_name(m)) return m;
    return {};
  };
  if (is_told) return named(path->text());
  if (const auto by_node = named(node.name)) return by_node;
  return named(s.meshes[node.mesh].name);
}

/// Primitives of points or lines.
u64 lines_of(const scene::Mesh& m) {
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
class Returner {
 public:
  Returner(Mesh& file, const scene::Scene& s) : file_(file), s_(s), places_(scene::places_of(s)) {
    // Our own scenes are in the units of the file; those of other programs in metres, with tiles one metre wide.
    units_ = f64(s.metres_per_unit) * k_tile_units;
    if (std::fabs(units_ - 1) < 1e-5) units_ = 1;
    for (size_t m = 0; m < k_meshes; ++m)
      if (const Geometry* g = geometry_of(std::as_const(file), m)) {
        u64 polygons = 0;
        for (const size_t n : counts_of(*g)) polygons += n;
        corners_[m].resize(polygons * 4);
        looks_[m].resize(polygons);
      }
    for (const scene::Material& m : s.materials) materials_.push_back(look_of(m));
    find_light();
  }

  Result<TakenScene> run() {
    note_sources();
    for (size_t i = 0; i < s_.nodes.size(); ++i)
      if (auto problem = take_node(i)) return refuse(std::move(*problem));
    if (!any_source_ && unknown_)
      return refuse(make_diagnostic(
          "scene.source", {},
          {.message = text("no mesh of the scene can be matched to the file: ", counted(unknown_, "node"),
                           unknown_ == 1 ? " has another name" : " have other names"),
           .hint = "export the scene with extras (custom properties), or keep the names: primary, animated 1"}));
    if (!any_source_)
      return refuse("scene.source", {},
                    {.message = "no vertex of the scene has _SOURCE, which says which vertex of the file it is",
                     .hint = "export the scene with its attributes (in Blender: Data, Mesh, Attributes)"});
    u64 missing = 0;
    std::optional<Diagnostic> problem;
    each_polygon(file_, [&](const PolygonRef& r, auto& polygon) {
      if (problem) return;
      const auto corners = corners_at(r, polygon.positions.size());
      if (std::ranges::none_of(corners, [](const SceneCorner& c) { return c.is_there; })) {
        ++missing;
        return;
      }
      torn_ += u64(std::ranges::count_if(corners, [](const SceneCorner& c) { return !c.is_there; }));
      auto now = polygon;
      problem = put(now, corners, r);
      if (problem) return;
      put_look(now, r);
      const bool is_same = same(now, polygon);
      ++(is_same ? taken_.unchanged : taken_.changed);
      if (!is_same) polygon = now;
    });
    if (problem) return refuse(std::move(*problem));
    tell(missing);
    return std::move(taken_);
  }

 private:
  /// Notes which sources the vertices of the scene have. Programs that merge vertices drop some.
  void note_sources() {
    for (size_t m = 0; m < k_meshes; ++m) is_said_[m].resize(corners_[m].size());
    for (const scene::Node& node : s_.nodes) {
      const auto mesh = node.mesh == scene::k_none ? std::nullopt : mesh_of(s_, node);
      if (!mesh) continue;
      for (const scene::Primitive& p : s_.meshes[node.mesh].primitives)
        for (const u32 source : p.sources)
          if (source < is_said_[*mesh].size()) is_said_[*mesh][source] = true;
    }
    each_polygon(std::as_const(file_), [&](const PolygonRef& r, const auto& polygon) {
      const u32 first = source_of(*geometry_of(std::as_const(file_), r.mesh), {r.kind, r.index, 0});
      for (u32 i = 0; i < polygon.positions.size(); ++i) merged_[r.mesh] |= !is_said_[r.mesh][first + i];
    });
  }

  std::optional<Diagnostic> take_node(size_t index) {
    const scene::Node& node = s_.nodes[index];
    if (node.mesh == scene::k_none) return {};
    const auto mesh = mesh_of(s_, node);
    if (!mesh) {
      unknown_ += std::ranges::any_of(s_.meshes[node.mesh].primitives,
                                      [](const scene::Primitive& p) { return !p.sources.empty(); });
      if (!node.extras.find("kind")) lines_ += lines_of(s_.meshes[node.mesh]);
      return {};
    }
    if (auto problem = take_file(*mesh, node)) return problem;
    lines_ += lines_of(s_.meshes[node.mesh]);
    const Geometry* g = geometry_of(std::as_const(file_), *mesh);
    const Affine place = *mesh ? place_of_animated(index) : places_[index];
    const bool stays = is_identity(place);
    const auto inverse = scene::inverse(place.linear);
    if (!inverse && !stays) ++flattened_;
    const bool moves = !stays && inverse;
    for (const scene::Primitive& p : s_.meshes[node.mesh].primitives) {
      if (p.shape != scene::Primitive::Shape::triangles) continue;
      // Programs give all of a mesh texture coordinates, even where they are not used.
      const bool has_texture = p.material != scene::k_none && s_.materials[p.material].texture != scene::k_none;
      without_source_ += p.positions.size() - std::min(p.positions.size(), p.sources.size());
      if (p.sources.empty()) continue;
      for (const u32 source : p.sources)
        if (source != k_no_source && !(g && corner_of(*g, source)))
          return make_diagnostic("scene.source", mesh_name(*mesh),
                                 {.message = text("_SOURCE names vertex ", source % 4, " of polygon ", source / 4,
                                                  ", which the file does not have"),
                                  .hint = "the scene was made from another file, or the file was edited since"});
      const auto seen_at = [&](size_t i) {
        SceneCorner seen;
        seen.is_there = true;
        const Point at{p.positions[i][0], p.positions[i][1], p.positions[i][2]};
        seen.position = to_file(moves ? place * at : at);
        for (f64& x : seen.position) x *= units_;
        if (i < p.uvs.size() && has_texture) {
          seen.has_uv = true;
          seen.uv = {f64(p.uvs[i][0]) * k_page_texels, f64(p.uvs[i][1]) * k_page_texels * k_pages};
        }
        if (i < p.normals.size()) {
          seen.has_normal = true;
          const Point n{p.normals[i][0], p.normals[i][1], p.normals[i][2]};
          seen.normal = to_file(moves ? scene::unit(transposed(*inverse) * n) : n);
        }
        return seen;
      };
      const size_t corners = p.indices.empty() ? p.positions.size() : p.indices.size();
      for (size_t t = 0; t + 3 <= corners; t += 3) {
        std::array<u32, 3> vertices{}, sources{};
        for (size_t k = 0; k < 3; ++k) {
          vertices[k] = p.indices.empty() ? u32(t + k) : p.indices[t + k];
          sources[k] = vertices[k] < p.sources.size() ? p.sources[vertices[k]] : k_no_source;
        }
        if (std::ranges::all_of(sources, [](u32 source) { return source == k_no_source; })) continue;
        any_source_ = true;
        auto taken =
            take_triangle(*mesh, *g, sources, {seen_at(vertices[0]), seen_at(vertices[1]), seen_at(vertices[2])});
        if (!taken) return std::move(taken.error());
        if (*taken == k_no_source) continue;
        if (p.material != scene::k_none) note_look(looks_[*mesh][*taken], materials_[p.material]);
        for (size_t k = 0; k < 3; ++k)
          if (vertices[k] < p.colors.size() && sources[k] != k_no_source) look_at_color(*mesh, *g, p, vertices[k]);
      }
    }
    return {};
  }

  /// Applies the vertices of a triangle to the polygon it is a part of, and returns the number of that polygon, counted
  /// through all kinds, or k_no_source. Programs merge vertices at one position, and the merged one has the source of
  /// only one of the polygons around it: then it may be any vertex that was there. If no polygon of the file has three
  /// vertices at these positions, the triangle is new.
  Result<u32> take_triangle(size_t mesh, const Geometry& g, const std::array<u32, 3>& sources,
                            const std::array<SceneCorner, 3>& seen) {
    const auto conflict_with = [&](const std::array<u32, 3>& corners, bool with_uvs) -> std::optional<Diagnostic> {
      for (size_t k = 0; k < 3; ++k) {
        if (corners[k] == k_no_source) continue;  // where the scene cut a polygon
        const PolygonCorner c = *corner_of(g, corners[k]);
        if (auto conflict =
                conflict_of(corners_[mesh][corners[k]], seen[k], {u8(mesh), c.kind, c.index}, c.corner, with_uvs))
          return conflict;
      }
      return {};
    };
    const auto take = [&](const std::array<u32, 3>& corners) {
      u32 polygon = k_no_source;
      for (size_t k = 0; k < 3; ++k)
        if (corners[k] != k_no_source) merge(corners_[mesh][corners[k]], seen[k]), polygon = corners[k] / 4;
      return polygon;
    };
    u32 first = k_no_source;
    bool is_one = true;
    for (const u32 source : sources) {
      if (source == k_no_source) continue;
      if (first == k_no_source) first = source;
      is_one &= source / 4 == first / 4;
    }
    const auto take_as_said = [&](bool with_uvs) -> Result<u32> {
      if (auto conflict = conflict_with(sources, with_uvs)) return refuse(std::move(*conflict));
      return take(sources);
    };
    // If no source of the mesh is missing, each vertex is what it says.
    if (is_one && !merged_[mesh]) return take_as_said(true);
    auto candidates = polygons_at(mesh, g, first, sources, seen);
    std::ranges::stable_sort(candidates, [](const Candidate& a, const Candidate& b) {
      return std::tuple(a.faces_so, a.same_uvs, a.own) > std::tuple(b.faces_so, b.same_uvs, b.own);
    });
    // If vertices with different texture coordinates were merged, positions still identify the corners.
    for (const bool with_uvs : {true, false})
      for (const Candidate& c : candidates)
        if (!conflict_with(c.corners, with_uvs)) return take(c.corners);
    if (is_one) return take_as_said(false);
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
  std::vector<Candidate> polygons_at(size_t mesh, const Geometry& g, u32 first, const std::array<u32, 3>& sources,
                                     const std::array<SceneCorner, 3>& seen) {
    note_places(mesh);
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
          if (corner_of(g, corner) && places[corner] == places[sources[k]] && is_free(corner)) c.corners[k] = corner;
        fits = c.corners[k] != k_no_source;
        is_missed |= fits && !is_said_[mesh][c.corners[k]];
      }
      // A polygon whose sources are all in the scene is shown by those.
      if (!fits || (c.own < 3 && !is_missed)) continue;
      c.faces_so = faces_front(c.corners);
      for (size_t k = 0; k < 3; ++k)
        if (c.corners[k] != k_no_source && seen[k].has_uv)
          if (const auto& uv = uv_of_[mesh][c.corners[k]]; uv && !is_apart(*uv, seen[k].uv)) ++c.same_uvs;
      all.push_back(c);
    }
    return all;
  }
  /// Whether these vertices of a polygon are in the order of triangles of scenes, whose front is counterclockwise; in
  /// the file it is clockwise.
  static bool faces_front(const std::array<u32, 3>& corners) {
    constexpr std::array<u32, 4> k_around{0, 1, 3, 2};  // quads are strips
    std::array<u32, 3> at{};
    for (size_t k = 0; k < 3; ++k) {
      if (corners[k] == k_no_source) return true;
      at[k] = k_around[corners[k] % 4];
    }
    return (at[0] < at[1]) + (at[1] < at[2]) + (at[2] < at[0]) == 1;
  }
  /// Notes where the vertices of a mesh are in the file, and at which texels.
  void note_places(size_t mesh) {
    if (!place_of_[mesh].empty()) return;
    place_of_[mesh].resize(corners_[mesh].size());
    uv_of_[mesh].resize(corners_[mesh].size());
    each_polygon(std::as_const(file_), [&](const PolygonRef& r, const auto& polygon) {
      if (r.mesh != mesh) return;
      const u32 source = source_of(*geometry_of(std::as_const(file_), mesh), {r.kind, r.index, 0});
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
  Affine place_of_animated(size_t index) const {
    Affine place = scene::affine_of(s_.nodes[index]);
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
  std::optional<Diagnostic> take_file(size_t mesh, const scene::Node& node) {
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

  static Linear transposed(const Linear& m) {
    Linear out;
    for (size_t c = 0; c < 3; ++c)
      for (size_t i = 0; i < 3; ++i) out.columns[c][i] = m.columns[i][c];
    return out;
  }

  /// Several vertices may have one source; they must have one position and texel.
  static std::optional<Diagnostic> conflict_of(const SceneCorner& corner, const SceneCorner& seen, const PolygonRef& r,
                                               u32 number, bool with_uvs) {
    if (!corner.is_there) return {};
    const auto torn = [&](const char* list, Said said) {
      said.hint =
          "vertices with the same _SOURCE are one vertex of the file: move them together, and remove copies and new "
          "polygons, which cannot be imported";
      return make_diagnostic("fft.scene-torn", text(path_of(r), ".", list, "[", number, "]"), std::move(said));
    };
    for (size_t k = 0; k < 3; ++k)
      if (std::fabs(corner.position[k] - seen.position[k]) > k_far)
        return torn("positions", {.message = text("two copies of this vertex have different positions: ",
                                                  told(corner.position), " and ", told(seen.position))});
    if (with_uvs && corner.has_uv && seen.has_uv && is_apart(corner.uv, seen.uv))
      return torn("uvs", {.message = text("two copies of this vertex have different texels: ", told(corner.uv), " and ",
                                          told(seen.uv))});
    return {};
  }
  static bool is_apart(const std::array<f64, 2>& a, const std::array<f64, 2>& b) {
    return std::fabs(a[0] - b[0]) > k_far || std::fabs(a[1] - b[1]) > k_far;
  }
  /// Their normals are averaged.
  static void merge(SceneCorner& corner, const SceneCorner& seen) {
    if (!corner.is_there) {
      corner = seen;
      return;
    }
    corner.several_uvs |= corner.has_uv && seen.has_uv && is_apart(corner.uv, seen.uv);
    for (size_t k = 0; k < 3; ++k) corner.normal[k] += seen.normal[k];
  }
  // ---- materials and vertex colours

  /// All triangles of a polygon have one material.
  struct PolygonLook {
    SceneLook look;
    bool is_there = false, several = false;
  };
  static void note_look(PolygonLook& of, const SceneLook& look) {
    of.several |= of.is_there && of.look != look;
    of.look = look;
    of.is_there = true;
  }

  /// Takes the palette from the material; the file stores nothing else of it.
  void put_look(auto& polygon, const PolygonRef& r) {
    const u32 number = source_of(*geometry_of(std::as_const(file_), r.mesh), {r.kind, r.index, 0}) / 4;
    const PolygonLook& now = looks_[r.mesh][number];
    if (!now.is_there) return;
    using enum SceneLook::Kind;
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
    if (is_lost && !other_materials_++) other_material_ = path_of(r);
  }

  /// The light of the file, if the scene was made in that: vertex colours follow from it.
  void find_light() {
    if (!file_.lights) return;
    Value own = Value::object();
    add_light_extras(own, *file_.lights);
    for (const char* name : {"lights", "ambient"})
      if (const Value* said = s_.extras.find(name); said && *said != *own.find(name)) return;
    std::optional<MeshMotion> motion;
    if (file_.mesh_animations) motion.emplace(*file_.mesh_animations);
    const LightRig rig = rig_of(*file_.lights);
    rigs_.push_back(rig);
    for (size_t i = 0; i + 1 < k_meshes; ++i)
      rigs_.push_back(turned(rig, light_rotation(motion ? &*motion : nullptr, i)));
  }

  /// Counts vertex colours that are others than those that the light of the file gives.
  void look_at_color(size_t mesh, const Geometry& g, const scene::Primitive& p, u32 vertex) {
    if (rigs_.empty() || p.material == scene::k_none) return;
    const scene::Material& m = s_.materials[p.material];
    if (!m.unlit || materials_[p.material].kind != SceneLook::Kind::palette) return;
    f64 headroom = k_plain_intensity;
    if (const Value* times = m.extras.find("texels_times");
        times && (times->is(Value::Kind::real) || times->is(Value::Kind::integer)))
      headroom *= times->number();
    else if (m.name.find(" for light up to ") != m.name.npos)
      return;  // how much brighter its picture is was in the extras
    const PolygonCorner c = *corner_of(g, p.sources[vertex]);
    with_polygon(std::as_const(file_), PolygonRef{u8(mesh), c.kind, c.index}, [&](const auto& polygon) {
      if constexpr (k_is_textured<decltype(polygon)>) {
        if (polygon.palette != materials_[p.material].palette) return;  // its texels were made brighter for another
        const bool is_lit = mesh || polygon.render.lit;
        const Intensity light = is_lit ? intensity_of(rigs_[mesh], polygon.normals[c.corner]) : k_unlit;
        bool is_other = false;
        for (size_t k = 0; k < 3; ++k)
          is_other |= std::fabs(p.colors[vertex][k] -
                                scene::srgb_to_linear(f32(std::min<f64>(light[k], headroom) / headroom))) > k_tinted;
        if (is_other && !tinted_[mesh]++)
          first_tinted_[mesh] = text(path_of({u8(mesh), c.kind, c.index}), ", corner ", c.corner);
      }
    });
  }

  static std::string told(const auto& numbers) {
    std::string out;
    for (const f64 x : numbers) out += text(out.empty() ? "" : ", ", f32(x));
    return out;
  }

  std::span<const SceneCorner> corners_at(const PolygonRef& r, size_t count) const {
    const u32 first = source_of(*geometry_of(std::as_const(file_), r.mesh), {r.kind, r.index, 0});
    return std::span(corners_[r.mesh]).subspan(first, count);
  }

  static bool same(const auto& a, const auto& b) {
    if constexpr (k_is_textured<decltype(a)>)
      if (a.normals != b.normals || a.uvs != b.uvs || a.page != b.page || a.palette != b.palette) return false;
    return a.positions == b.positions;
  }

  /// Nothing if the number is too large to be rounded.
  static std::optional<i64> rounded(f64 x) {
    if (!(std::fabs(x) < k_farthest)) return {};
    return i64(std::lround(x));
  }

  std::optional<Diagnostic> put(auto& polygon, std::span<const SceneCorner> corners, const PolygonRef& r) {
    const std::optional<Normal> face = face_normal(polygon.positions);
    for (size_t i = 0; i < corners.size(); ++i)
      if (corners[i].is_there)
        if (auto problem = put_position(polygon.positions[i], corners[i], r, i)) return problem;
    if constexpr (k_is_textured<decltype(polygon)>) {
      const Normal without = face.value_or(Normal{{0}, {-4096}, {0}});
      for (size_t i = 0; i < corners.size(); ++i)
        if (corners[i].has_normal) put_normal(polygon.normals[i], corners[i], without);
      // Images of the interface are not shown as in the game.
      if (polygon.image == 3 && polygon.page_y == 0) return put_uvs(polygon, corners, r);
    }
    return {};
  }

  std::optional<Diagnostic> put_position(Position& p, const SceneCorner& c, const PolygonRef& r, size_t corner) {
    size_t axis = 0;
    for (i16* to : {&p.x, &p.y, &p.z}) {
      const f64 x = c.position[axis++];
      const auto whole = rounded(x);
      if (!whole || *whole < INT16_MIN || *whole > INT16_MAX)
        return make_diagnostic(
            "fft.scene-range", text(path_of(r), ".positions[", corner, "]"),
            {.message = text("position ", told(c.position), " is out of range (-32768 to 32767 units)"),
             .hint = text("a tile is ", k_tile_units, " units wide")});
      if (*whole != *to && std::fabs(x - f64(*whole)) > k_whole) ++between_;
      *to = i16(*whole);
    }
    return {};
  }

  /// A normal that still points in the same direction is unchanged: many are not of unit length. `without`: how a
  /// normal of length 0 is shown.
  static void put_normal(Normal& n, const SceneCorner& c, const Normal& without) {
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

  std::optional<Diagnostic> put_uvs(auto& polygon, std::span<const SceneCorner> corners, const PolygonRef& r) {
    // Vertices that the scene does not have stay where they are.
    std::array<std::array<i64, 2>, 4> texels{};
    bool any = false;
    for (size_t i = 0; i < corners.size(); ++i) {
      const Uv& was = polygon.uvs[i];
      texels[i] = {was.u, was.v + i64(k_page_texels) * polygon.page};
      if (!corners[i].has_uv) continue;
      if (corners[i].several_uvs) {
        if (!several_uvs_++) first_several_ = text(path_of(r), ".uvs[", i, "]");
        continue;
      }
      for (size_t k = 0; k < 2; ++k) {
        const f64 x = corners[i].uv[k];
        const auto whole = rounded(x);
        if (!whole) return outside(r, i, corners[i]);
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
      if (corners[i].has_uv) return outside(r, i, corners[i]);
    return {};
  }
  static Diagnostic outside(const PolygonRef& r, size_t corner, const SceneCorner& c) {
    return make_diagnostic(
        "fft.scene-range", text(path_of(r), ".uvs[", corner, "]"),
        {.message =
             text("the UVs of the polygon are not all in one page of 256 x 256 texels; this one is at ", told(c.uv)),
         .hint = "pages are stacked: page 1 is rows 256 to 511 from the top"});
  }

  static std::string vertices(u64 n) { return n == 1 ? "1 vertex" : text(n, " vertices"); }

  void tell(u64 missing) {
    if (missing)
      taken_.notes.push_back(
          make_diagnostic(Severity::hint, "fft.scene-missing", {},
                          {.message = text(counted(missing, "polygon"), missing == 1 ? " is" : " are",
                                           " not in the scene and unchanged in the file"),
                           .hint = "`dio edit FILE remove-polygons` removes polygons"}));
    if (without_source_)
      taken_.notes.push_back(
          make_diagnostic(Severity::hint, "fft.scene-new", {},
                          {.message = text(vertices(without_source_), " ignored: not from the file (no _SOURCE)"),
                           .hint = "new polygons cannot be imported; use `dio edit FILE copy-polygons`"}));
    if (lines_)
      taken_.notes.push_back(
          make_diagnostic(Severity::hint, "fft.scene-new", {},
                          {.message = text(counted(lines_, "primitive"), " ignored: points or lines"),
                           .hint = "only triangles can be imported"}));
    if (torn_)
      taken_.notes.push_back(
          make_diagnostic(Severity::warning, "fft.scene-missing", {},
                          {.message = text(vertices(torn_), " missing from polygons that are in the scene"),
                           .hint = "they stay where they were, while the rest of their polygons moves"}));
    if (new_triangles_)
      taken_.notes.push_back(make_diagnostic(
          Severity::hint, "fft.scene-new", {},
          {.message = text(counted(new_triangles_, "triangle"), " ignored: they belong to no polygon of the file"),
           .hint = "new polygons cannot be imported; use `dio edit FILE copy-polygons`"}));
    if (several_uvs_)
      taken_.notes.push_back(
          make_diagnostic(Severity::warning, "fft.scene-uvs", first_several_,
                          {.message = text(vertices(several_uvs_), " merged from vertices with different texels"),
                           .hint = "texture coordinates there are unchanged in the file"}));
    if (other_materials_)
      taken_.notes.push_back(make_diagnostic(
          Severity::warning, "fft.scene-material", other_material_,
          {.message = text(counted(other_materials_, "polygon"), other_materials_ == 1 ? " does" : " do",
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
    if (tinted)
      taken_.notes.push_back(make_diagnostic(
          Severity::warning, "fft.scene-colors", *first_tinted,
          {.message = text(vertices(tinted), tinted == 1 ? " has a colour" : " have colours",
                           " that the lights of the file do not produce; the colours are ignored"),
           .hint = "the file has no vertex colours: edit its lights (dio ls FILE lights) or its normals"}));
    if (between_)
      taken_.notes.push_back(
          make_diagnostic(Severity::warning, "fft.scene-rounded", {},
                          {.message = text(counted(between_, "coordinate"), " rounded to whole units or texels")}));
    if (edges_)
      taken_.notes.push_back(
          make_diagnostic(Severity::warning, "fft.scene-rounded", {},
                          {.message = text(vertices(edges_), " moved from texel 256 to 255, the last one of a page")}));
    if (flattened_)
      taken_.notes.push_back(
          make_diagnostic(Severity::hint, "fft.scene-flattened", {},
                          {.message = text(counted(flattened_, "node"), flattened_ == 1 ? " has" : " have",
                                           " a scale of 0; the transform of such a node is ignored")}));
  }

  Mesh& file_;
  const scene::Scene& s_;
  std::vector<Affine> places_;
  f64 units_ = 1;
  std::array<std::vector<SceneCorner>, k_meshes> corners_;  // by source
  std::string of_file_;                                     // that nodes name
  TakenScene taken_;
  bool any_source_ = false;
  std::array<std::vector<bool>, k_meshes> is_said_;  // by source: whether a vertex of the scene has it
  std::array<bool, k_meshes> merged_{};              // whether some sources of a mesh are missing
  std::array<std::vector<u64>, k_meshes> place_of_;  // by source: where the vertex is in the file
  std::array<std::multimap<u64, u32>, k_meshes> corners_there_;
  std::array<std::vector<std::optional<std::array<f64, 2>>>, k_meshes> uv_of_;  // by source: of the whole texture
  std::vector<SceneLook> materials_;                                            // of the scene
  std::array<std::vector<PolygonLook>, k_meshes> looks_;                        // by polygon
  std::vector<LightRig> rigs_;  // of each mesh; empty where the scene was made in another light
  u64 lines_ = 0, several_uvs_ = 0, other_materials_ = 0;
  std::array<u64, k_meshes> tinted_{};
  std::array<std::string, k_meshes> first_tinted_;
  std::string first_several_, other_material_;
  u64 torn_ = 0, new_triangles_ = 0;
  u64 unknown_ = 0, without_source_ = 0, between_ = 0, edges_ = 0, flattened_ = 0;
};

}  // namespace

Result<TakenScene> from_scene(Mesh& file, const scene::Scene& s) {
  Mesh now = file;  // a scene that is refused changes nothing
  auto taken = Returner(now, s).run();
  if (taken) file = std::move(now);
  return taken;
}

std::span<const Rule> from_scene_rules() {
  static constexpr Rule k_rules[] = {
      {"fft.scene-torn", Severity::stop, "vertices with the same _SOURCE have the same position and texel",
       "A scene shows a quad as two triangles, so two of the quad's vertices occur twice. Both copies must agree.",
       "Move all copies of the vertex together; in Blender, merge vertices at the same position before moving them.",
       "specification 1.5; dec"},
      {"fft.scene-range", Severity::stop, "edited positions and texture coordinates fit into the file",
       "Positions are 16-bit numbers, texture coordinates 8-bit numbers within a page.",
       "Move the vertices back into the range that the message names.", "specification 1.5; dec"},
      {"fft.scene-missing", Severity::hint, "an edited scene has all polygons of the file",
       "What is not in the scene stays as it is in the file.",
       "Restore the polygons in the scene, or remove them from the file with `dio edit FILE remove-polygons`.",
       "diorama", Severities{Severity::warning}},
      {"fft.scene-new", Severity::hint, "the vertices of an edited scene come from the file",
       "New polygons cannot be imported; `dio edit FILE copy-polygons` or JSON adds them.",
       "Remove the new polygons, and add copies with `dio edit FILE copy-polygons` first.", "diorama"},
      {"fft.scene-rounded", Severity::warning,
       "edited vertices are at whole units and texels, and texels of a page end at 255",
       "The file stores whole numbers.", "Move the vertices to whole units if the difference matters.",
       "specification 1.5; dec"},
      {"fft.scene-uvs", Severity::warning, "merged vertices have the same texture coordinates",
       "A vertex of a polygon has one pair of texture coordinates. Programs that merge vertices mix those of several "
       "polygons.",
       "Split the vertices where texture coordinates differ, and export again.", "specification 1.5; dec"},
      {"fft.scene-material", Severity::warning,
       "each polygon of an edited scene has exactly one of the file's materials",
       "For each polygon, the file stores only the number of its palette.",
       "Change the palette with `dio edit FILE set-polygons palette=N`.", "specification 1.5; dec"},
      {"fft.scene-colors", Severity::warning, "vertex colours of an edited scene match the lights of the file",
       "The game computes them from lights and normals; the file stores none.",
       "Change the lights with `dio edit FILE set-light`.", "specification 1.5; dec"},
      {"fft.scene-flattened", Severity::hint, "nodes of an edited scene have a scale other than 0",
       "Programs without node visibility hide a mesh with a scale of 0.",
       "Export with node visibility, or ignore the node: its polygons are taken from the file.", "diorama"},
  };
  return k_rules;
}

}  // namespace dio::fft
