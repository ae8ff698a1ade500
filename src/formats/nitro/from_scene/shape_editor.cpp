#include "formats/nitro/from_scene/shape_editor.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "core/sorting.hpp"
#include "core/text_format.hpp"
#include "formats/contract/reporter.hpp"
#include "formats/nitro/from_scene/display_list_writer.hpp"
#include "formats/nitro/from_scene/model_box.hpp"
#include "formats/nitro/from_scene/nsbmd_materials.hpp"
#include "formats/nitro/scene/builder.hpp"
#include "formats/nitro/scene/extent.hpp"

namespace dio::nitro {
namespace {

using scene::EditedPrimitive;
using scene::EditedTriangle;
using scene::EditedVertex;
using scene::k_none;

constexpr u16 k_current_matrix = 0xFFFF;  // the one that is current when the list begins

/// The structure of a display list beyond its vertices and triangles.
struct ListStructure {
  std::vector<scene::PrimitiveRun> runs;  // runs of vertex indices in the list
  std::vector<u16> slot;                  // matrix stack slot, by vertex
  bool restores = false, scales = false;
  bool is_known = true;  // false: it has commands that the writer does not support
};

bool is_16_bits(f64 x) { return x >= -32768 && x <= 32767; }

ListStructure read_structure(ByteView list) {
  ListStructure out;
  u16 slot = k_current_matrix;
  out.runs.push_back({scene::PrimitiveRun::triangles, {}});
  const bool is_whole = for_each_gx_command(list, [&](u8 code, const u8* p) {
    switch (code) {
      case gx::begin:
        out.runs.push_back({scene::PrimitiveRun::Kind(gx_read_word(p) & 3), {}});
        return;
      case gx::mtx_restore:
        slot = u16(gx_read_word(p) & 31);
        out.restores = true;
        return;
      case gx::mtx_scale:
        out.is_known = out.is_known && out.restores;
        out.scales = true;
        return;
      case gx::vtx_16:
      case gx::vtx_10:
      case gx::vtx_xy:
      case gx::vtx_xz:
      case gx::vtx_yz:
      case gx::vtx_diff:
        out.runs.back().vertices.push_back(u32(out.slot.size()));
        return out.slot.push_back(slot);
      case gx::nop:
      case gx::color:
      case gx::normal:
      case gx::texcoord:
      case gx::end:
        return;
      default:
        out.is_known = false;
    }
  });
  out.is_known = out.is_known && is_whole;
  return out;
}

/// Compiles one display list again.
class ListCompiler {
 public:
  ListCompiler(const scene::Scene& original, const DrawnPrimitive& drawn, const EditedPrimitive& edited,
               ShapeEditOptions options)
      : options_(options),
        drawn_(drawn),
        g_(drawn.geometry),
        edited_(edited),
        p_(original.meshes[original.nodes[drawn.node].mesh].primitives[drawn.primitive]),
        list_(read_structure(*drawn.draw.list)) {}

  /// Compiles the list. Nothing, with problem() set, if the list cannot contain these triangles.
  std::optional<Bytes> run() {
    if (!list_.is_known || list_.slot.size() != g_.corners.size())
      return fail("the display list of the shape has unsupported commands");
    if (list_.scales && !has_one_scale())
      return fail("the display list of the shape scales vertices by different factors");
    for (u32 i = 0; i < g_.corners.size(); ++i) vertices_.push_back(vertex_of_file(i));
    place_vertices();
    if (!problem_.empty()) return {};
    std::vector<scene::PrimitiveRun> runs = keep_runs();
    const bool keeps_all =
        edited_.triangles.size() == is_kept_.size() && std::ranges::find(is_kept_, false) == is_kept_.end();
    if (keeps_all && vertices_ == vertices_of_file_)
      return *drawn_.draw.list;  // the differences are below the stored precision
    add_loose_triangles(runs);
    if (!problem_.empty()) return {};
    return write(runs);
  }
  const std::string& problem() const { return problem_; }

 private:
  std::nullopt_t fail(std::string why) {
    if (problem_.empty()) problem_ = std::move(why);
    return std::nullopt;
  }
  bool has_one_scale() const {
    const auto scaled = [&](const GxVertex& c) {
      return list_.slot[size_t(&c - g_.corners.data())] != k_current_matrix;
    };
    std::optional<f32> one;
    for (const GxVertex& c : g_.corners)
      if (scaled(c) && c.scale != one.value_or(c.scale))
        return false;
      else if (scaled(c))
        one = c.scale;
    return true;
  }

  Vertex vertex_of_file(u32 i) const {
    const GxVertex& c = g_.corners[i];
    Vertex v{};
    for (size_t k = 0; k < 3; ++k) v.position[k] = i16(std::lround(c.position[k] * 4096));
    v.texcoord = c.texcoord;
    v.is_lit = c.lit;
    v.has_normal = c.normal_word != k_no_normal && (c.lit || drawn_.draw.texgen != Draw::Texgen::material);
    if (v.has_normal)
      for (int k = 0; k < 3; ++k) v.normal[size_t(k)] = i16(gx_signed_10_bits(c.normal_word, 10 * k));
    v.color = c.lit ? 0 : c.color;
    v.matrix = list_.slot[i];
    return v;
  }
  /// Makes a list vertex from a scene vertex. `like`: the list vertex that supplies the matrix and all other values.
  Vertex make_vertex(const EditedVertex& e, u32 like) {
    Vertex v = vertices_of_file_[like];
    if (e.position) set_position(v, *e.position, like);
    if (e.uv && drawn_.has_uvs) set_texcoord(v, *e.uv);
    if (e.normal && v.has_normal)
      for (size_t k = 0; k < 3; ++k) v.normal[k] = i16(std::clamp(std::lround((*e.normal)[k] * 512), -512l, 511l));
    // A new vertex is lit like its neighbours; an old vertex has a colour only if it was painted.
    if (e.color && !(v.is_lit && (e.vertex == k_none || options_.keeps_lit_colors))) {
      v.is_lit = false;
      v.color = to_ds_color(*e.color);
      v.has_normal = v.has_normal && drawn_.draw.texgen != Draw::Texgen::material;
    }
    return v;
  }
  void set_position(Vertex& v, const scene::Point& at, u32 like) {
    const GxVertex& c = g_.corners[like];
    Affine to_scene = drawn_.transforms.at(c.matrix);
    for (scene::Point& column : to_scene.linear.columns)
      for (f64& x : column) x *= c.scale;
    const auto back = scene::inverse(to_scene);
    const scene::Point raw = back ? *back * at : scene::Point{};
    for (size_t k = 0; k < 3; ++k) {
      const f64 x = std::round(raw[k] * 4096);
      if (!back || !is_16_bits(x)) {
        fail("a vertex is too far from its node to be stored");
        return;
      }
      v.position[k] = i16(x);
    }
  }
  void set_texcoord(Vertex& v, const scene::Vec2& uv) {
    const TextureMatrix& t = drawn_.texture_matrix;
    const f64 d = t.uu * t.vv - t.uv * t.vu, x = uv[0] - t.u0, y = uv[1] - t.v0;
    if (d == 0) return void(fail("the texture matrix of the shape is not invertible"));
    const std::array<f64, 2> at{(t.vv * x - t.uv * y) / d * 16 * drawn_.width,
                                (t.uu * y - t.vu * x) / d * 16 * drawn_.height};
    for (size_t k = 0; k < 2; ++k) {
      if (!is_16_bits(std::round(at[k]))) return void(fail("a texture coordinate is beyond 2,048 texels"));
      v.texcoord[k] = i16(std::round(at[k]));
    }
  }

  /// Applies the changes of the scene to the vertices of the list. A vertex keeps its values if triangles demand
  /// different ones; these triangles get new vertices.
  void place_vertices() {
    vertices_of_file_ = vertices_;
    std::vector<u8> is_set(vertices_.size());
    splits_.assign(vertices_.size(), false);
    for (const EditedTriangle& t : edited_.triangles) {
      if (t.triangle == k_none) continue;
      for (const EditedVertex& e : t.vertices) {
        const Vertex v = make_vertex(e, e.vertex);
        if (!is_set[e.vertex])
          vertices_[e.vertex] = v, is_set[e.vertex] = true;
        else
          splits_[e.vertex] = splits_[e.vertex] || vertices_[e.vertex] != v;
      }
    }
  }
  /// A polygon of a run, and its triangles.
  struct Polygon {
    std::array<u32, 4> vertices;  // in the order of a strip or of the outline
    u32 first_triangle, count;    // triangle count
    bool is_kept;
  };
  std::vector<Polygon> polygons_of(const scene::PrimitiveRun& run, u32 first_triangle,
                                   const std::vector<bool>& is_left) const {
    const bool has_quads = run.kind == scene::PrimitiveRun::quads || run.kind == scene::PrimitiveRun::quad_strip;
    const bool is_strip =
        run.kind == scene::PrimitiveRun::triangle_strip || run.kind == scene::PrimitiveRun::quad_strip;
    const u32 corners = has_quads ? 4 : 3, step = !is_strip ? corners : has_quads ? 2 : 1, count = has_quads ? 2 : 1;
    std::vector<Polygon> out;
    for (u32 i = 0; i + corners <= run.vertices.size(); i += step) {
      Polygon p{
          .vertices = {}, .first_triangle = first_triangle + count * u32(out.size()), .count = count, .is_kept = true};
      for (u32 k = 0; k < corners; ++k) {
        p.vertices[k] = run.vertices[i + k];
        p.is_kept = p.is_kept && !splits_[p.vertices[k]];
      }
      for (u32 t = 0; t < count; ++t) p.is_kept = p.is_kept && is_left[p.first_triangle + t];
      p.is_kept = p.is_kept && !(has_quads && bends_a_quad(p.vertices, is_strip));
      out.push_back(p);
    }
    return out;
  }
  /// Whether a flat, convex quad no longer is one, so that the DS would draw it differently from two triangles.
  bool bends_a_quad(std::array<u32, 4> quad, bool is_of_strip) const {
    if (is_of_strip) std::swap(quad[2], quad[3]);
    const bool is_moved =
        std::ranges::any_of(quad, [&](u32 v) { return vertices_[v].position != vertices_of_file_[v].position; });
    return is_moved && is_planar_convex_quad(vertices_of_file_, quad) && !is_planar_convex_quad(vertices_, quad);
  }
  /// Keeps the polygons that can be sent in their old form with new vertex values, as runs. Triangle strips are split
  /// only as a whole.
  std::vector<scene::PrimitiveRun> keep_runs() {
    std::vector<bool> is_left(g_.indices.size() / 3);
    for (const EditedTriangle& t : edited_.triangles)
      if (t.triangle != k_none) is_left[t.triangle] = true;
    is_kept_.assign(is_left.size(), false);
    std::vector<scene::PrimitiveRun> out;
    u32 first = 0;
    for (const scene::PrimitiveRun& run : list_.runs) {
      const std::vector<Polygon> all = polygons_of(run, first, is_left);
      for (const Polygon& p : all) first += p.count;
      const bool is_whole = std::ranges::all_of(all, &Polygon::is_kept);
      if (all.empty() || (!is_whole && run.kind == scene::PrimitiveRun::triangle_strip)) continue;
      for (const Polygon& p : all)
        for (u32 t = 0; t < p.count; ++t) is_kept_[p.first_triangle + t] = p.is_kept;
      if (is_whole)
        out.push_back(run);
      else
        split_run(run.kind, all, out);
    }
    return out;
  }
  /// Splits a run at removed polygons.
  static void split_run(scene::PrimitiveRun::Kind kind, const std::vector<Polygon>& all,
                        std::vector<scene::PrimitiveRun>& out) {
    bool continues = false;
    for (const Polygon& p : all) {
      if (p.is_kept) {
        if (!continues) out.push_back({kind, {}});
        const bool adds_half = continues && kind == scene::PrimitiveRun::quad_strip;
        const auto from = p.vertices.begin() + (adds_half ? 2 : 0);
        out.back().vertices.insert(out.back().vertices.end(), from,
                                   p.vertices.begin() + (kind == scene::PrimitiveRun::triangles ? 3 : 4));
      }
      continues = p.is_kept || (continues && kind != scene::PrimitiveRun::quad_strip);
    }
  }

  void add_loose_triangles(std::vector<scene::PrimitiveRun>& runs) {
    std::vector<u32> corners;
    std::map<Vertex, u32> numbers;
    const auto add = [&](const Vertex& v) {
      const auto [known, is_new] = numbers.try_emplace(v, u32(vertices_.size()));
      if (is_new) vertices_.push_back(v);
      corners.push_back(known->second);
    };
    for (const EditedTriangle& t : edited_.triangles) {
      const bool is_old = t.triangle != k_none;
      if (is_old && is_kept_[t.triangle]) continue;
      for (size_t k = 0; k < 3; ++k) {
        // Back faces have the opposite vertex order in the file.
        const EditedVertex& e = t.vertices[drawn_.is_reversed && k ? 3 - k : k];
        const auto like = e.vertex == k_none ? find_like(e) : std::optional(e.vertex);
        if (!like) return void(fail("a new vertex has bone weights that no existing vertex of the shape has"));
        add(make_vertex(e, *like));
        if (list_.restores && vertices_[corners.back()].matrix == k_current_matrix)
          return void(fail("the display list of the shape uses a matrix that it does not restore"));
      }
    }
    const auto is_quad = [&](const std::array<u32, 4>& q) { return is_planar_convex_quad(vertices_, q); };
    std::vector<scene::PrimitiveRun> loose = scene::build_primitive_runs(corners, is_quad);
    if (list_.restores)  // group triangles with the same matrix
      sort_stably(loose, [&](const scene::PrimitiveRun& a, const scene::PrimitiveRun& b) {
        return vertices_[a.vertices[0]].matrix < vertices_[b.vertices[0]].matrix;
      });
    for (scene::PrimitiveRun& r : loose) runs.push_back(std::move(r));
  }
  /// A list vertex with the same bones.
  std::optional<u32> find_like(const EditedVertex& e) const {
    constexpr f32 k_near = 1.0f / 64;
    if (p_.positions.empty()) return {};
    if (!drawn_.is_skinned) return 0;
    for (u32 i = 0; i < p_.joints.size(); ++i) {
      f32 far = 0;
      for (size_t k = 0; k < 4; ++k) {
        f32 other = 0;
        for (size_t j = 0; j < 4; ++j)
          if (e.weights[j] > 0 && e.joints[j] == p_.joints[i][k]) other += e.weights[j];
        if (p_.weights[i][k] > 0) far = std::max(far, std::fabs(p_.weights[i][k] - other));
      }
      if (far < k_near) return i;
    }
    return {};
  }

  Bytes write(const std::vector<scene::PrimitiveRun>& runs) const {
    ListOptions options;
    const bool has_new_uvs =
        drawn_.has_uvs && std::ranges::any_of(edited_.triangles, [](const EditedTriangle& t) {
          return std::ranges::any_of(t.vertices, [](const EditedVertex& v) { return v.uv.has_value(); });
        });
    options.texcoords = g_.has_texcoords || has_new_uvs;
    if (!g_.has_colors) options.color = drawn_.first_color;
    if (list_.restores) {
      options.slot_of = [](u16 slot) { return u8(slot); };
      options.first_matrix = k_current_matrix;
      options.scales = list_.scales;
      for (u32 i = 0; i < list_.slot.size(); ++i)
        if (list_.slot[i] != k_current_matrix) options.pos_scale = {i32(std::lround(g_.corners[i].scale * 4096))};
    }
    Bytes out = write_display_list(runs, vertices_, options);
    if (out.empty()) out.resize(4);  // one word of NOPs, because the game sends every list
    return out;
  }

  const ShapeEditOptions options_;
  const DrawnPrimitive& drawn_;
  const Geometry& g_;
  const EditedPrimitive& edited_;
  const scene::Primitive& p_;
  const ListStructure list_;
  std::vector<Vertex> vertices_, vertices_of_file_;  // vertices of the list, then of loose triangles
  std::vector<bool> splits_;                         // by vertex: triangles demand different values
  std::vector<bool> is_kept_;                        // by triangle: a kept run contains it
  std::string problem_;
};

/// All edits of one display list, which may be drawn several times.
struct ListEdit {
  const Bytes* list;
  u32 draws = 0;
  std::vector<std::pair<const DrawnPrimitive*, const EditedPrimitive*>> edits = {};
};

class ShapeEditor {
 public:
  ShapeEditor(Nsbmd& file, const Nsbmd& source, const ModelScene& original,
              const scene::TriangleDifferences& differences, ShapeEditOptions options)
      : file_(file), source_(source), original_(original), differences_(differences), options_(options) {}

  SceneImportResult run() {
    out_.unchanged = u32(differences_.unchanged);
    std::vector<ListEdit> lists;  // in drawing order
    std::map<const Bytes*, size_t> numbers;
    for (const DrawnPrimitive& d : original_.drawn) {
      const auto [at, is_new] = numbers.try_emplace(d.draw.list, lists.size());
      if (is_new) lists.push_back({d.draw.list});
      ++lists[at->second].draws;
    }
    for (const EditedPrimitive& e : differences_.primitives) {
      const auto d = std::ranges::find_if(
          original_.drawn, [&](const DrawnPrimitive& d) { return d.node == e.node && d.primitive == e.primitive; });
      if (d == original_.drawn.end())
        lose(e, "the shape is drawn without a material");
      else
        lists[numbers.at(d->draw.list)].edits.push_back({&*d, &e});
    }
    std::map<const Bytes*, Bytes> compiled;
    for (const ListEdit& edit : lists)
      if (!edit.edits.empty())
        if (auto bytes = compile(edit)) compiled[edit.list] = std::move(*bytes);
    replace_lists(compiled);
    return std::move(out_);
  }

 private:
  std::optional<Bytes> compile(const ListEdit& edit) {
    std::optional<Bytes> out;
    if (edit.edits.size() < edit.draws) {
      const std::string why = text("the shape is drawn ", edit.draws, " times, but only ",
                                   edit.edits.size() == 1 ? "one copy is" : "some copies are", " edited");
      for (const auto& [drawn, edited] : edit.edits) lose(*edited, why);
      return {};
    }
    for (const auto& [drawn, edited] : edit.edits) {
      ListCompiler compiler(original_.scene, *drawn, *edited, options_);
      auto bytes = compiler.run();
      if (bytes && out && *bytes != *out) bytes.reset();
      if (!bytes) {
        const std::string why = compiler.problem().empty()
                                    ? "the shape is drawn several times, and the copies are edited differently"
                                    : compiler.problem();
        for (const auto& [d, e] : edit.edits) lose(*e, why);
        return {};
      }
      out = std::move(bytes);
    }
    const bool is_same = *out == *edit.edits.front().first->draw.list;
    for (const auto& [drawn, edited] : edit.edits)
      if (is_same)
        out_.unchanged += edited->changed;
      else
        out_.changed += edited->changed, out_.added += edited->added, out_.removed += edited->removed;
    return out;
  }
  void lose(const EditedPrimitive& e, const std::string& why) {
    const u64 n = u64(e.changed) + e.added + e.removed;
    out_.lost += n;
    out_.notes.push_back(make_diagnostic(
        Severity::warning, "scene.place", original_.scene.nodes[e.node].name,
        {.message = text(format_count(n, "edited triangle"), n == 1 ? " is" : " are", " not applied: ", why)}));
  }
  void replace_lists(std::map<const Bytes*, Bytes>& compiled) {
    for (size_t i = 0; i < file_.models.size(); ++i) {
      Model& to = file_.models[i];
      const Model& from = source_.models[i];
      bool is_changed = false;
      const auto replace = [&](Bytes& list, const Bytes& original) {
        const auto made = compiled.find(&original);
        if (made == compiled.end()) return;
        is_changed = is_changed || made->second != original;
        list = std::move(made->second);
      };
      for (size_t k = 0; k < to.shapes.size(); ++k) replace(to.shapes[k].list, from.shapes[k].list);
      for (size_t k = 0; k < to.sbc.size(); ++k) replace(to.sbc[k].list, from.sbc[k].list);
      if (is_changed) enlarge_model_box(to, compute_extent(from));
    }
  }

  Nsbmd& file_;
  const Nsbmd& source_;
  const ModelScene& original_;
  const scene::TriangleDifferences& differences_;
  const ShapeEditOptions options_;
  SceneImportResult out_;
};

}  // namespace

ModelScene build_model_scene(const Nsbmd& file, const Textures* textures) {
  ModelScene out;
  Diagnostics notes;
  std::vector<const Textures*> all;
  if (file.textures) all.push_back(&*file.textures);
  if (textures) all.push_back(textures);
  Surfaces surfaces(std::move(all), out.scene, notes);
  ModelAnimations no_motion;
  Setting setting{.motions = no_motion, .surfaces = surfaces, .scene = out.scene, .notes = notes};
  setting.drawn = &out.drawn;
  setting.parts_lit = true;  // like to_scene
  for (size_t i = 0; i < file.models.size(); ++i) {
    setting.path = text("models[", i, "]");
    ModelBuilder(file.models[i], setting).build();
  }
  return out;
}

SceneImportResult write_triangles(Nsbmd& to, const Nsbmd& source, const ModelScene& original,
                                  const scene::TriangleDifferences& differences, ShapeEditOptions options) {
  return ShapeEditor(to, source, original, differences, options).run();
}
SceneImportResult write_triangles(Nsbmd& file, const scene::TriangleDifferences& differences) {
  const Nsbmd source = file;
  return write_triangles(file, source, build_model_scene(source), differences,
                         {.keeps_lit_colors = differences.is_lit_by_game});
}

}  // namespace dio::nitro
