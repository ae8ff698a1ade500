#include "formats/brres/from_scene/vertex_editor.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "formats/brres/from_scene/material_adder.hpp"
#include "formats/brres/from_scene/polygon_editor.hpp"
#include "formats/brres/from_scene/value_encoder.hpp"
#include "formats/brres/parts.hpp"
#include "formats/brres/scene/rest_pose.hpp"
#include "formats/brres/scene/surfaces.hpp"
#include "formats/brres/scene/vertices.hpp"
#include "formats/brres/semantics.hpp"
#include "formats/contract/reporter.hpp"
#include "layout/path_steps.hpp"
#include "scene/math.hpp"

namespace dio::brres {
namespace {

using AttributeMode = AttributeSource::AttributeMode;
using scene::EditedPrimitive;
using scene::EditedTriangle;
using scene::EditedVertex;
using Values = std::array<f64, 3>;  // the components of an attribute

/// Identifies an attribute of a vertex in the file.
struct AttributeOfVertex {
  u32 model, shape, vertex;
  Attribute attribute;
  auto operator<=>(const AttributeOfVertex&) const = default;
};

class VertexEditor {
 public:
  VertexEditor(Brres& file, const scene::Scene& original, const scene::TriangleDifferences& differences)
      : file_(file), source_(file), original_(original), differences_(differences) {}

  SceneImportResult run() {
    out_.unchanged = u32(differences_.unchanged);
    for (const EditedPrimitive& e : differences_.primitives) take_primitive(e);
    // Values that all of their vertices change are changed in place. Shapes with other edited values get new ones, or
    // lists of other types.
    std::map<ShapeIndex, std::set<u32>> others;  // vertices
    for (const auto& [where, values] : wanted_)
      if (!write(where, values)) others[{where.model, where.shape}].insert(where.vertex);
    for (const auto& [shape, vertices] : others) give_own_values(shape, vertices.size());
    for (const ShapeIndex& shape : edited_) enlarge_boxes_of(shape);
    add_materials(file_, original_, differences_, out_);
    return std::move(out_);
  }

 private:
  using ShapeIndex = std::pair<u32, u32>;  // model, shape

  void note(std::string where, std::string message) {
    out_.notes.push_back(
        make_diagnostic(Severity::warning, "scene.place", std::move(where), {.message = std::move(message)}));
  }
  void lose(const EditedPrimitive& e, u64 count, std::string_view why) {
    out_.lost += count;
    note(original_.nodes[e.node].name,
         text(format_count(count, "edited triangle"), count == 1 ? " stays" : " stay", " unchanged: ", why));
  }

  void take_primitive(const EditedPrimitive& e) {
    const scene::Node& node = original_.nodes[e.node];
    const scene::Primitive& p = original_.meshes[node.mesh].primitives[e.primitive];
    std::string_view path = path_from_extras(node.extras);
    const auto model = take_element(path, "models");
    const auto shape = model ? take_element(path, "shapes") : std::nullopt;
    const bool is_skinned = node.skin != scene::k_none;
    if (!shape || (is_skinned && (e.added || e.removed)))
      return lose(e, u64(e.changed) + e.added + e.removed, "the vertices follow several bones");
    const Place place{.model = u32(*model), .shape = u32(*shape), .vertices = list_vertices(u32(*model), u32(*shape))};
    edited_.insert({place.model, place.shape});
    const auto uv = find_texcoords(place, p);
    const bool has_plain_colors = shows_plain_colors(place, p);
    if (e.added || e.removed || (has_plain_colors && has_new_colors(e))) {
      const std::string why = write_shape(place, p, e, uv, has_plain_colors);
      if (why.empty())
        out_.changed += e.changed, out_.added += e.added, out_.removed += e.removed;
      else
        lose(e, u64(e.changed) + e.added + e.removed, why);
      return;
    }
    moved_.emplace(ShapeIndex(place.model, place.shape), MovedPrimitive{e, p, uv, has_plain_colors});
    bool has_other_colors = false;
    u32 taken = 0;
    for (const EditedTriangle& t : e.triangles) {
      if (t.triangle == scene::k_none) continue;
      bool is_taken = false;
      for (const EditedVertex& v : t.vertices) {
        has_other_colors = has_other_colors || v.color;
        if (v.position)
          is_taken = true, want(place, p, v, k_position, is_skinned ? in_file(place, p, v) : *v.position);
        else
          kept_.insert(attribute_of(place, p, v, k_position));
        if (v.uv && uv)
          is_taken = true, want(place, p, v, *uv, {(*v.uv)[0], (*v.uv)[1], 0});
        else if (uv)
          kept_.insert(attribute_of(place, p, v, *uv));
      }
      taken += is_taken;
    }
    out_.changed += taken, out_.unchanged += has_other_colors ? 0 : e.changed - taken;
    if (has_other_colors) lose(e, e.changed - std::min(taken, e.changed - 1), "vertex colours cannot be edited");
  }

  /// A shape of the file, with its vertices in display list order.
  struct Place {
    u32 model, shape;
    const std::vector<Vertex>& vertices;
  };
  const std::vector<Vertex>& list_vertices(u32 model, u32 shape) {
    const auto [known, is_new] = vertices_.try_emplace({model, shape});
    std::vector<Vertex>& out = known->second;
    if (!is_new) return out;
    const Model& m = source_.models[model];
    VertexReader(m, m.shapes[shape]).for_each_primitive([&](u8, std::span<const Vertex> v) {
      out.insert(out.end(), v.begin(), v.end());
    });
    return out;
  }
  /// How the first material that draws a shape looks; nothing if none does.
  static std::optional<Surface> find_surface(const Model& m, u32 shape) {
    for (const Program& program : m.programs)
      for (const Command& c : program.commands)
        if (c.code == code::draw && c.shape == shape && c.material < m.materials.size())
          return analyze_material(m.materials[c.material], find_shader(m, c.material));
    return {};
  }
  /// The texture coordinates that the scene shows.
  std::optional<Attribute> find_texcoords(const Place& place, const scene::Primitive& p) const {
    if (p.uvs.empty()) return {};
    const Model& m = source_.models[place.model];
    const VertexReader reader(m, m.shapes[place.shape]);
    const auto surface = find_surface(m, place.shape);
    std::vector<Attribute> sets;
    if (surface) sets.push_back(Attribute(k_texcoord_0 + std::min(surface->texcoords, 7u)));
    for (u8 i = 0; i < 8; ++i) sets.push_back(Attribute(k_texcoord_0 + i));
    for (const Attribute a : sets) {
      if (!reader.has(a)) continue;
      bool is_it = true;
      for (size_t v = 0; v < p.uvs.size() && is_it; ++v) {
        const auto value = reader.value(a, place.vertices[p.sources[v]]);
        is_it = value && (*value)[0] == p.uvs[v][0] && (*value)[1] == p.uvs[v][1];
      }
      if (is_it) return a;
    }
    return {};
  }
  /// Whether the scene shows the colours of the vertices as they are.
  bool shows_plain_colors(const Place& place, const scene::Primitive& p) const {
    const Model& m = source_.models[place.model];
    const VertexReader reader(m, m.shapes[place.shape]);
    if (p.colors.empty() || !reader.has(k_color_0)) return false;
    if (const auto surface = find_surface(m, place.shape)) {
      constexpr std::array<f32, 4> k_probes[] = {{0.25f, 0.5f, 0.75f, 1}, {0.8f, 0.1f, 0.4f, 1}};
      constexpr f32 k_same = 1e-3f;
      for (const std::array<f32, 4>& probe : k_probes) {
        const scene::Vec4 shown = surface->color(probe);
        for (size_t i = 0; i < 3; ++i)
          if (std::fabs(shown[i] - probe[i]) > k_same) return false;
      }
    }
    for (size_t v = 0; v < p.colors.size(); ++v) {
      const auto value = reader.value(k_color_0, place.vertices[p.sources[v]]);
      if (!value || scene::srgb_to_linear(*value) != p.colors[v]) return false;
    }
    return true;
  }
  static bool has_new_colors(const EditedPrimitive& e) {
    return std::ranges::any_of(e.triangles, [](const EditedTriangle& t) {
      return std::ranges::any_of(t.vertices, [](const EditedVertex& v) { return v.color.has_value(); });
    });
  }
  /// Writes the polygons of a shape anew. Returns why that is not possible.
  std::string write_shape(const Place& place, const scene::Primitive& p, const EditedPrimitive& e,
                          std::optional<Attribute> uv, bool has_plain_colors) {
    const Model& m = source_.models[place.model];
    u32 draws = 0, material = 0;
    for (const Program& program : m.programs)
      for (const Command& c : program.commands)
        if (c.code == code::draw && c.shape == place.shape) ++draws, material = c.material;
    if (draws != 1) return "the shape is drawn several times";
    const DrawnShape drawn{.model = m,
                           .shape = place.shape,
                           .primitive = p,
                           .draws_back_faces = material < m.materials.size() && m.materials[material].cull == 1,
                           .texcoords = uv,
                           .has_plain_colors = has_plain_colors};
    const WrittenPolygons written = write_polygons(file_.models[place.model], drawn, e, appended_[place.model]);
    const auto lose_values = [&](u64 n, std::string_view what) {
      if (!n) return;
      out_.lost += n;
      note(original_.nodes[e.node].name, text(n, n == 1 ? " edited vertex keeps " : " edited vertices keep ", what,
                                              " from the file: the scene does not show them as they are stored"));
    };
    if (written.problem.empty()) {
      lose_values(written.kept_colors, "colours");
      lose_values(written.kept_texcoords, "texture coordinates");
    }
    return written.problem;
  }
  /// Writes the polygons of a shape anew, with values of its own for vertices that share them with unedited ones, or
  /// whose lists cannot store them.
  void give_own_values(const ShapeIndex& index, size_t vertices) {
    const MovedPrimitive& moved = moved_.at(index);
    const Place place{
        .model = index.first, .shape = index.second, .vertices = list_vertices(index.first, index.second)};
    const std::string why = write_shape(place, moved.primitive, moved.edited, moved.texcoords, moved.has_plain_colors);
    if (why.empty()) return;
    out_.lost += vertices;
    note(original_.nodes[moved.edited.node].name,
         text(vertices, vertices == 1 ? " edited vertex stays" : " edited vertices stay",
              " unchanged: the file cannot store the values in place, and ", why));
  }
  /// The position of a vertex of a skin as the file has it: in the space of its bone, or of the model if several move
  /// it.
  Values in_file(const Place& place, const scene::Primitive& p, const EditedVertex& v) {
    const Model& m = source_.models[place.model];
    const Shape& shape = m.shapes[place.shape];
    const i32 matrix = shape.matrix >= 0 ? shape.matrix : place.vertices[p.sources[v.vertex]].matrix;
    const i32 bone = matrix >= 0 && size_t(matrix) < m.matrix_bones.size() ? m.matrix_bones[size_t(matrix)] : -1;
    if (bone < 0 || size_t(bone) >= m.bones.size()) return *v.position;
    const auto [poses, is_new] = rest_poses_.try_emplace(place.model);
    if (is_new) poses->second = compute_rest_poses(m);
    const auto from_model = scene::inverse(poses->second[size_t(bone)].to_model);
    return from_model ? *from_model * scene::Point(*v.position) : *v.position;
  }
  /// The boxes of the bone and the model contain the positions of an edited shape, if they have boxes.
  void enlarge_boxes_of(const ShapeIndex& index) {
    Model& m = file_.models[index.first];
    const Shape& shape = m.shapes[index.second];
    const bool has_bone = shape.matrix >= 0 && size_t(shape.matrix) < m.matrix_bones.size();
    const i32 bone = has_bone ? m.matrix_bones[size_t(shape.matrix)] : -1;
    if (bone < 0 || size_t(bone) >= m.bones.size()) return;
    const Bone& b = m.bones[size_t(bone)];
    if (b.min.x == b.max.x && b.min.y == b.max.y && b.min.z == b.max.z) return;
    std::vector<std::array<f32, 3>> positions;
    const VertexReader reader(m, shape);
    reader.for_each_primitive([&](u8, std::span<const Vertex> vertices) {
      for (const Vertex& v : vertices)
        if (const auto at = reader.value(k_position, v); at && scene::is_finite(*at))
          positions.push_back({(*at)[0], (*at)[1], (*at)[2]});
    });
    for (const auto& at : positions) enlarge_boxes(m, u32(bone), at);
  }
  static AttributeOfVertex attribute_of(const Place& place, const scene::Primitive& p, const EditedVertex& v,
                                        Attribute a) {
    return {place.model, place.shape, p.sources[v.vertex], a};
  }
  void want(const Place& place, const scene::Primitive& p, const EditedVertex& v, Attribute a, const Values& values) {
    const AttributeOfVertex where = attribute_of(place, p, v, a);
    const auto [known, is_new] = wanted_.try_emplace(where, values);
    if (!is_new && known->second != values) kept_.insert(where);
  }

  /// All vertex attributes that share one value in the file.
  std::vector<AttributeOfVertex> list_users(const AttributeOfVertex& of, const AttributeList* list, u32 index) {
    const auto [known, is_new] = users_.try_emplace(list);
    if (is_new) {
      const Model& m = source_.models[of.model];
      for (u32 s = 0; s < m.shapes.size(); ++s) {
        const VertexReader reader(m, m.shapes[s]);
        const std::vector<Vertex>& vertices = list_vertices(of.model, s);
        for (u8 a = 0; a < k_attributes; ++a)
          if (reader.source(Attribute(a)).list == list)
            for (u32 v = 0; v < vertices.size(); ++v)
              known->second[vertices[v].where[a]].push_back({of.model, s, v, Attribute(a)});
      }
    }
    return known->second[index];
  }

  /// Whether all vertices that share a value of a list get the same new one.
  bool is_wanted_by_all_users(const AttributeOfVertex& where, const AttributeList* list, u32 at, const Values& values) {
    const auto [known, is_new] = is_wanted_by_all_.try_emplace({list, at}, true);
    if (is_new)
      known->second = std::ranges::all_of(list_users(where, list, at), [&](const AttributeOfVertex& user) {
        const auto also = wanted_.find(user);
        return also != wanted_.end() && also->second == values && !kept_.contains(user);
      });
    return known->second;
  }
  /// Changes a value in place. False if other vertices of the file keep the value, or if its type cannot store it.
  bool write(const AttributeOfVertex& where, const Values& values) {
    const Model& m = source_.models[where.model];
    const Shape& shape = m.shapes[where.shape];
    const VertexReader reader(m, shape);
    const AttributeSource& source = reader.source(where.attribute);
    const Vertex& vertex = list_vertices(where.model, where.shape)[where.vertex];
    const u32 at = vertex.where[where.attribute];
    if (kept_.contains(where)) return false;
    Model& to = file_.models[where.model];
    const std::array<f64, 4> numbers{values[0], values[1], values[2], 0};
    f64 unstorable = 0;
    const auto value = encode_value(source, numbers, unstorable);
    const bool is_coarse = where.attribute != k_position && rounding_error(source, numbers) > k_visible_rounding;
    if (!value || is_coarse) return false;
    note_lost_z(source, values);
    if (source.how == AttributeMode::direct) {
      std::ranges::copy(*value, to.shapes[where.shape].polygons.commands.begin() + i64(at));
      return true;
    }
    if (!is_wanted_by_all_users(where, source.list, at, values)) return false;
    const auto list_of = [&](auto& lists, const auto& from) -> AttributeList* {
      for (size_t i = 0; i < from.size(); ++i)
        if (&from[i] == source.list) return &lists[i];
      return nullptr;
    };
    AttributeList* list =
        where.attribute == k_position ? list_of(to.positions, m.positions) : list_of(to.texcoords, m.texcoords);
    if (!list) return true;
    std::ranges::copy(*value, list->data.begin() + i64(u64(at) * source.list->stride));
    if (where.attribute == k_position) enlarge_bounds(*static_cast<Positions*>(list), values);
    return true;
  }
  void note_lost_z(const AttributeSource& source, const Values& values) {
    if (source.components >= 3 || std::fabs(values[2]) <= k_flat) return;
    ++out_.lost;
    note("", text("the file cannot store the coordinate z ", values[2], " of an edited vertex, only x and y"));
  }
  static void enlarge_bounds(Positions& list, const Values& at) {
    for (const auto& [low, high, x] : {std::tuple(&list.min.x, &list.max.x, at[0]),
                                       {&list.min.y, &list.max.y, at[1]},
                                       {&list.min.z, &list.max.z, at[2]}})
      *low = std::min(*low, f32(x)), *high = std::max(*high, f32(x));
  }

  Brres& file_;
  const Brres source_;  // the file before the edit
  const scene::Scene& original_;
  const scene::TriangleDifferences& differences_;
  std::map<std::pair<u32, u32>, std::vector<Vertex>> vertices_;  // by model and shape
  std::map<u32, std::vector<BoneRestPose>> rest_poses_;          // by model
  std::set<ShapeIndex> edited_;
  std::map<AttributeOfVertex, Values> wanted_;
  /// Those that also have another value, in another triangle of the same strip.
  std::set<AttributeOfVertex> kept_;
  std::map<const AttributeList*, std::map<u32, std::vector<AttributeOfVertex>>> users_;  // by list and index
  std::map<u32, AppendedValues> appended_;                                               // by model
  std::map<std::pair<const AttributeList*, u32>, bool> is_wanted_by_all_;
  /// A primitive whose vertices were edited, but whose triangles are the same.
  struct MovedPrimitive {
    const EditedPrimitive& edited;
    const scene::Primitive& primitive;
    std::optional<Attribute> texcoords;
    bool has_plain_colors;
  };
  std::map<ShapeIndex, MovedPrimitive> moved_;
  SceneImportResult out_;
};

}  // namespace

Result<SceneImportResult> write_triangles(Brres& file, const scene::TriangleDifferences& differences) {
  const auto original = to_scene(file, true);
  if (!original) return refuse(original.error());
  return VertexEditor(file, original->scene, differences).run();
}

}  // namespace dio::brres
