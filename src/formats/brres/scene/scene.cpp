// scene.cpp: builds scenes from models: bones become nodes, and shapes become meshes with one material each.
#include <algorithm>
#include <map>

#include "console/wii/texels.hpp"
#include "core/sorting.hpp"
#include "core/text_format.hpp"
#include "formats/brres/parts.hpp"
#include "formats/brres/pictures/pictures.hpp"
#include "formats/brres/scene/bone_motion.hpp"
#include "formats/brres/scene/color_motion.hpp"
#include "formats/brres/scene/motion.hpp"
#include "formats/brres/scene/rest_pose.hpp"
#include "formats/brres/scene/surfaces.hpp"
#include "formats/brres/scene/vertices.hpp"
#include "formats/brres/scene/visibility_motion.hpp"
#include "formats/brres/semantics.hpp"
#include "formats/contract/reporter.hpp"
#include "layout/path_steps.hpp"
#include "scene/math.hpp"

namespace dio::brres {

namespace {

using scene::Affine;
using scene::Index;
using scene::k_none;
using scene::Mat3d;
using scene::Point;
using scene::Primitive;

constexpr f32 k_metres_per_unit = 0.01f;  // as in courses
constexpr u32 k_hidden_shape = 2;
constexpr u32 k_most_sources = u32(1) << 24;

scene::Vec3 to_f32(const Point& p) { return {f32(p[0]), f32(p[1]), f32(p[2])}; }
scene::Vec4 average_color(const scene::Image& image) {
  std::array<u64, 4> sum{};
  for (u32 y = 0; y < image.height; ++y)
    for (u32 x = 0; x < image.width; ++x) {
      const scene::Rgba c = scene::color_of(image, x, y);
      for (size_t i = 0; i < 4; ++i) sum[i] += c[i];
    }
  const f32 whole = 255 * f32(u64(image.width) * image.height);
  return {f32(sum[0]) / whole, f32(sum[1]) / whole, f32(sum[2]) / whole, f32(sum[3]) / whole};
}

/// The bones that the vertices with a matrix follow.
struct Binding {
  i32 bone = -1;
  std::vector<std::pair<u16, f32>> weights;  // of bones; at most four, the sum is 1
};

class BrresSceneBuilder {
 public:
  BrresSceneBuilder(const Brres& file, bool sources) : file_(file), with_sources_(sources) {}

  Result<SceneResult> run() {
    if (file_.models.empty())
      return refuse("scene.none", "",
                    {.message = "the file has no models", .hint = "{textures} extracts its textures"});
    scene_.metres_per_unit = k_metres_per_unit;
    for (size_t i = 0; i < file_.models.size(); ++i)
      BrresModelBuilder(*this, file_.models[i], text("models[", i, "]")).run();
    add_animations();
    if (!missing_.empty()) {
      std::string names;
      constexpr size_t k_named = 3;
      for (size_t i = 0; i < std::min(missing_.size(), k_named); ++i) names += (i ? ", " : "") + in_quotes(missing_[i]);
      if (missing_.size() > k_named) names += text(" and ", missing_.size() - k_named, " more");
      add_warning("brres.scene-texture", missing_at_,
                  {.message = text(missing_.size() == 1 ? "the texture " : "the textures ", names,
                                   missing_.size() == 1 ? " is" : " are", " not in this file")});
    }
    if (left_out_)
      add_warning("brres.scene-left-out", left_out_at_,
                  {.message = text(format_count(left_out_, "polygon"),
                                   left_out_ == 1 ? " refers to missing vertices and is not drawn"
                                                  : " refer to missing vertices and are not drawn")});
    return SceneResult{std::move(scene_), std::move(notes_)};
  }

 private:
  void add_warning(const char* id, const std::string& path, DiagnosticText said) {
    notes_.push_back(make_diagnostic(Severity::warning, id, path, std::move(said)));
  }
  void note_still(const std::string& path, const std::string& animation, std::string_view why) {
    notes_.push_back(
        make_diagnostic(Severity::hint, "brres.scene-motion", path,
                        {.message = text("the animation ", in_quotes(animation), " is not shown: ", why)}));
  }
  void add_animations() {
    const auto note_all = [&](const auto& files, const char* list, const std::vector<size_t>& still, const char* why) {
      for (const size_t i : still) note_still(text(list, "[", i, "].animation"), files[i].animation->name, why);
    };
    const AddTexture add_texture = [&](const Sampler& s) {
      const Index image = get_or_add_image(s, {});
      return image == k_none ? k_none : get_or_add_texture(image, s);
    };
    note_all(file_.chr_files, "chr_files", add_chr_animations(file_, models_, scene_), "it moves no bone of the scene");
    note_all(file_.clr_files, "clr_files", add_clr_animations(file_, materials_, scene_),
             "it changes no colour of the scene");
    note_all(file_.pat_files, "pat_files", add_pat_animations(file_, materials_, shapes_, add_texture, scene_),
             "it changes no texture of the scene");
    note_all(file_.srt_files, "srt_files", add_srt_animations(file_, materials_, scene_),
             "it moves no texture of the scene");
    note_all(file_.vis_files, "vis_files", add_vis_animations(file_, shapes_, scene_),
             "it shows and hides no shape of the scene");
  }
  Index add_node(scene::Node n) {
    scene_.nodes.push_back(std::move(n));
    return Index(scene_.nodes.size() - 1);
  }
  /// The index of the picture with this name; k_none and a note if the file does not have it.
  Index get_or_add_image(const Sampler& s, const std::string& path) {
    const auto [known, fresh] = images_.try_emplace({s.texture, s.palette}, k_none);
    if (!fresh) return known->second;
    if (auto picture = decode_texture(file_, s.texture, s.palette)) {
      known->second = Index(scene_.images.size());
      scene_.images.push_back(std::move(*picture));
    } else if (std::ranges::find(missing_, s.texture) == missing_.end()) {
      if (missing_.empty()) missing_at_ = path;
      missing_.push_back(s.texture);
    }
    return known->second;
  }
  /// Properties from which a model that is built from the scene gets textures of the same form.
  void add_texture_properties(const Sampler& s, Value& extras) const {
    const auto texture = std::ranges::find(file_.textures, s.texture, &Texture::name);
    if (texture == file_.textures.end()) return;
    if (const auto word = k_texture_formats.of(i64(texture->format)); !word.empty()) extras.add("texture_format", word);
    extras.add("mipmaps", u64(texture->level_count ? texture->level_count - 1 : 0));
  }
  Index get_or_add_texture(Index image, const Sampler& s) {
    using Wrap = scene::Texture::Wrap;
    const auto wrap = [](u32 w) { return w == 0 ? Wrap::clamp : w == 2 ? Wrap::mirror : Wrap::repeat; };
    scene::Texture t{.name = s.texture,
                     .image = image,
                     .wrap_u = wrap(s.wrap_u),
                     .wrap_v = wrap(s.wrap_v),
                     .nearest = s.mag_filter == 0};
    for (size_t i = 0; i < scene_.textures.size(); ++i) {
      const scene::Texture& o = scene_.textures[i];
      if (o.image == image && o.wrap_u == t.wrap_u && o.wrap_v == t.wrap_v && o.nearest == t.nearest) return Index(i);
    }
    scene_.textures.push_back(std::move(t));
    return Index(scene_.textures.size() - 1);
  }

  class BrresModelBuilder {
   public:
    BrresModelBuilder(BrresSceneBuilder& all, const Model& m, std::string path)
        : all_(all),
          s_(all.scene_),
          m_(m),
          path_(std::move(path)),
          rest_(compute_rest_poses(m)),
          surfaces_(m.materials.size()),
          materials_(m.materials.size(), k_none) {}

    void run() {
      root_ = all_.add_node({.name = m_.name, .extras = make_extras("model", path_)});
      // a shadow volume: the game draws only what is inside it
      s_.nodes[root_].visible = !std::string_view(m_.name).ends_with("-shadow");
      if (all_.scene_.name.empty()) all_.scene_.name = m_.name;
      for (size_t i = 0; i < m_.bones.size(); ++i) add_bone(i);
      read_bindings();
      for (const std::string_view program : {"DrawOpa", "DrawXlu"})
        for (size_t i = 0; i < m_.programs.size() && i < m_.program_dictionary.entries.size(); ++i)
          if (m_.program_dictionary.entries[i].name == program)
            for (const Command& c : m_.programs[i].commands)
              if (c.code == code::draw) draw(c, program == "DrawXlu");
      add_skin_joints();
      all_.models_.push_back({&m_, bones_});
    }

   private:
    static Value make_extras(const char* kind, const std::string& path) {
      Value v = Value::object();
      v.add("kind", kind);
      v.add("path", path);
      return v;
    }

    void add_bone(size_t i) {
      const Bone& b = m_.bones[i];
      const BoneRestPose& r = rest_[i];
      Value extras = make_extras("bone", text(path_, ".bones[", i, "]"));
      if (b.billboard) extras.add("billboard", u64(b.billboard));
      bones_.push_back(all_.add_node({.name = b.name,
                                      .parent = r.parent >= 0 ? bones_[size_t(r.parent)] : root_,
                                      .translation = to_f32(r.translation),
                                      .rotation = r.rotation,
                                      .scale = to_f32(r.scale),
                                      .extras = std::move(extras)}));
    }

    /// The meaning of each matrix: a bone, from the table, or a mix, from the commands.
    void read_bindings() {
      bindings_.resize(m_.matrix_bones.size());
      for (size_t i = 0; i < bindings_.size(); ++i)
        if (m_.matrix_bones[i] >= 0 && size_t(m_.matrix_bones[i]) < m_.bones.size())
          bindings_[i].bone = m_.matrix_bones[i];
      for (const Program& p : m_.programs)
        for (const Command& c : p.commands) {
          if (c.code != code::mix || c.matrix >= bindings_.size()) continue;
          Binding& b = bindings_[c.matrix];
          f32 sum = 0;
          for (const Weight& w : c.weights) {
            if (w.matrix >= bindings_.size() || bindings_[w.matrix].bone < 0 || !(w.weight > 0)) continue;
            b.weights.emplace_back(u16(bindings_[w.matrix].bone), w.weight);
          }
          sort_stably(b.weights, [](auto& x, auto& y) { return x.second > y.second; });
          if (b.weights.size() > 4) b.weights.resize(4);
          for (const auto& [bone, weight] : b.weights) sum += weight;
          for (auto& [bone, weight] : b.weights) weight /= sum;
        }
    }

    const Surface& get_surface(size_t i) {
      if (surfaces_[i]) return *surfaces_[i];
      const Material& m = m_.materials[i];
      Surface& look = surfaces_[i].emplace(analyze_material(m, find_shader(m_, i)));
      // reflections look the same everywhere
      for (const Sampler& s : m.samplers)
        if (!look.combiner.is_of_vertices(s.slot))
          if (const auto picture = decode_texture(all_.file_, s.texture, s.palette))
            look.combiner.set_texture(s.slot, average_color(*picture));
      return look;
    }
    Index get_or_add_material(size_t i, bool has_uvs, bool has_colors) {
      if (materials_[i] != k_none) return materials_[i];
      const Material& m = m_.materials[i];
      const Surface& look = get_surface(i);
      scene::Material out{.name = m.name, .alpha = look.alpha, .alpha_cutoff = look.alpha_cutoff};
      if (!has_colors) out.color = scene::srgb_to_linear(look.color());
      out.double_sided = m.cull == 0;
      if (look.sampler && has_uvs) {
        const std::string path = text(path_, ".materials[", i, "].samplers[", *look.sampler, "]");
        if (const Index image = all_.get_or_add_image(m.samplers[*look.sampler], path); image != k_none) {
          out.texture = all_.get_or_add_texture(image, m.samplers[*look.sampler]);
          out.transform = look.transform;
        }
      }
      Value extras = make_extras("material", text(path_, ".materials[", i, "]"));
      if (m.samplers.size() > 1) {
        Value& list = extras.add("textures", Value::list());
        for (const Sampler& s : m.samplers) list.push(s.texture);
      }
      if (out.texture != k_none) all_.add_texture_properties(m.samplers[*look.sampler], extras);
      constexpr u32 k_one = 1;
      const u32 blend = look.combiner.bp(0x41).value_or(0);
      if (blend & 1 && (blend >> 5 & 7) == k_one) extras.add("blend", "add");
      out.extras = std::move(extras);
      materials_[i] = Index(s_.materials.size());
      all_.materials_.push_back({.model = &m_,
                                 .material = i,
                                 .in_scene = materials_[i],
                                 .sampler = out.texture == k_none ? nullptr : &m.samplers[*look.sampler],
                                 .surface = look,
                                 .has_vertex_colors = has_colors});
      s_.materials.push_back(std::move(out));
      return materials_[i];
    }

    void draw(const Command& c, bool translucent) {
      if (c.shape >= m_.shapes.size() || c.material >= m_.materials.size()) return;
      const Shape& shape = m_.shapes[c.shape];
      const Material& m = m_.materials[c.material];
      const Surface& look = get_surface(c.material);
      const std::string path = text(path_, ".shapes[", c.shape, "]");
      const VertexReader reader(m_, shape);
      const Attribute uv = Attribute(k_texcoord_0 + std::min(look.texcoords, 7u));
      const bool has_uvs = reader.has(uv), has_colors = look.has_vertex_colors && reader.has(k_color_0),
                 has_normals = reader.has(k_normal);
      // one bone for all vertices: a child of its node; otherwise in model space, with a skin
      const Binding* whole =
          shape.matrix >= 0 && size_t(shape.matrix) < bindings_.size() ? &bindings_[size_t(shape.matrix)] : nullptr;
      const bool rigid = bones_.empty() || (whole ? whole->bone >= 0 : bindings_.empty());

      std::map<Primitive::Shape, Primitive> parts;
      u32 number = 0;
      const auto add = [&](u8 kind, std::span<const Vertex> vertices) {
        const u32 first_source = number;
        number += u32(vertices.size());
        const Primitive::Shape as = kind == gx::points                            ? Primitive::Shape::points
                                    : kind == gx::lines || kind == gx::line_strip ? Primitive::Shape::lines
                                                                                  : Primitive::Shape::triangles;
        Primitive& p = parts.try_emplace(as, Primitive{.shape = as}).first->second;
        const u32 first = u32(p.positions.size());
        const auto leave_out_polygon = [&] {
          const auto shorten = [&](auto& xs) { xs.resize(std::min<size_t>(xs.size(), first)); };
          shorten(p.positions), shorten(p.normals), shorten(p.colors), shorten(p.uvs);
          shorten(p.joints), shorten(p.weights), shorten(p.sources);
          if (!all_.left_out_++) all_.left_out_at_ = path;
        };
        for (size_t i = 0; i < vertices.size(); ++i) {
          const Vertex& v = vertices[i];
          const auto position = reader.value(k_position, v);
          const auto color = has_colors ? reader.value(k_color_0, v) : std::array<f32, 4>{1, 1, 1, 1};
          const auto at = has_uvs ? reader.value(uv, v) : std::array<f32, 4>{};
          const auto normal = has_normals ? reader.value(k_normal, v) : std::array<f32, 4>{};
          const auto finite = [](const auto& x) { return x && scene::is_finite(*x); };
          if (!finite(position) || !finite(color) || !finite(at) || !finite(normal)) return leave_out_polygon();
          Point place{(*position)[0], (*position)[1], (*position)[2]};
          Point side{(*normal)[0], (*normal)[1], (*normal)[2]};
          if (!rigid) bind_vertex(p, whole ? *whole : binding(v.matrix), place, side);
          p.positions.push_back(to_f32(place));
          if (!scene::is_finite(p.positions.back())) return leave_out_polygon();  // a damaged bone
          if (has_normals) p.normals.push_back(scene::unit(side[0], side[1], side[2], scene::k_axis_y));
          if (has_colors) p.colors.push_back(scene::srgb_to_linear(look.color(*color)));
          if (has_uvs) p.uvs.push_back({(*at)[0], (*at)[1]});
          if (all_.with_sources_) p.sources.push_back(std::min(first_source + u32(i), k_most_sources - 1));
        }
        add_indices(p, kind, first, u32(vertices.size()), m.cull == 1);
      };
      reader.for_each_primitive(add);

      scene::Mesh mesh{.name = shape.name, .primitives = {}};
      for (auto& [as, p] : parts) {
        if (p.indices.empty()) continue;
        p.material = get_or_add_material(c.material, has_uvs, has_colors);
        if (s_.materials[p.material].texture == k_none) p.uvs.clear();
        mesh.primitives.push_back(std::move(p));
      }
      if (mesh.primitives.empty()) return;
      s_.meshes.push_back(std::move(mesh));
      Value extras = make_extras("shape", path);
      extras.add("material", m.name);
      extras.add("priority", u64(c.priority));
      if (translucent) extras.add("translucent", true);
      scene::Node node{
          .name = m.name, .parent = root_, .mesh = Index(s_.meshes.size() - 1), .extras = std::move(extras)};
      if (rigid && whole && !bones_.empty()) node.parent = bones_[size_t(whole->bone)];
      if (!rigid) node.skin = get_or_add_skin();
      if (c.bone < bones_.size() && node.parent != bones_[c.bone]) node.extras.add("bone", m_.bones[c.bone].name);
      const bool shown = c.bone >= m_.bones.size() || m_.bones[c.bone].flags & Bone::k_visible;
      const bool is_hidden = shape.flags & k_hidden_shape || m.cull == 3;
      node.visible = shown && !is_hidden;
      all_.shapes_.push_back({&m_, c.material, c.bone, all_.add_node(std::move(node)), is_hidden});
    }

    /// On the console, front faces are clockwise. `back`: draws back faces.
    static void add_indices(Primitive& p, u8 kind, u32 first, u32 count, bool back) {
      const auto triangle = [&](u32 a, u32 b, u32 c) {
        if (back) std::swap(b, c);
        for (const u32 i : {a, c, b}) p.indices.push_back(first + i);
      };
      switch (kind) {
        case gx::quads:
        case gx::quads_2:
          for (u32 i = 0; i + 3 < count; i += 4) triangle(i, i + 1, i + 2), triangle(i, i + 2, i + 3);
          break;
        case gx::triangles:
          for (u32 i = 0; i + 2 < count; i += 3) triangle(i, i + 1, i + 2);
          break;
        case gx::strip:
          for (u32 i = 0; i + 2 < count; ++i) i % 2 ? triangle(i + 1, i, i + 2) : triangle(i, i + 1, i + 2);
          break;
        case gx::fan:
          for (u32 i = 1; i + 1 < count; ++i) triangle(0, i, i + 1);
          break;
        case gx::lines:
          for (u32 i = 0; i + 1 < count; i += 2) p.indices.insert(p.indices.end(), {first + i, first + i + 1});
          break;
        case gx::line_strip:
          for (u32 i = 0; i + 1 < count; ++i) p.indices.insert(p.indices.end(), {first + i, first + i + 1});
          break;
        default:
          for (u32 i = 0; i < count; ++i) p.indices.push_back(first + i);
      }
    }

    const Binding& binding(i32 matrix) const {
      static const Binding k_nothing;
      return matrix >= 0 && size_t(matrix) < bindings_.size() ? bindings_[size_t(matrix)] : k_nothing;
    }
    /// Transforms a vertex to model space and binds it to its bones.
    void bind_vertex(Primitive& p, const Binding& b, Point& place, Point& normal) {
      std::array<u16, 4> joints{};
      scene::Vec4 weights{1, 0, 0, 0};
      if (b.bone >= 0) {
        const Affine& to_model = rest_[size_t(b.bone)].to_model;
        place = to_model * place;
        if (const auto back = scene::inverse(to_model.linear)) {
          const Mat3d& i = *back;  // normals: the inverse, transposed
          normal = {scene::dot(i.columns[0], normal), scene::dot(i.columns[1], normal),
                    scene::dot(i.columns[2], normal)};
        }
        joints[0] = u16(b.bone);
      } else if (!b.weights.empty()) {
        weights = {};
        for (size_t i = 0; i < b.weights.size(); ++i) joints[i] = b.weights[i].first, weights[i] = b.weights[i].second;
      }
      p.joints.push_back(joints);
      p.weights.push_back(weights);
    }
    Index get_or_add_skin() {
      if (skin_ == k_none) {
        skin_ = Index(s_.skins.size());
        s_.skins.push_back({.name = m_.name, .joints = {}, .inverse_bind = {}});
      }
      return skin_;
    }
    void add_skin_joints() {
      if (skin_ == k_none) return;
      for (size_t i = 0; i < bones_.size(); ++i) {
        Affine b = scene::inverse(rest_[i].to_model).value_or(Affine{});
        const auto finite = [](const Point& p) { return scene::is_finite(to_f32(p)); };
        if (!finite(b.origin) || !std::ranges::all_of(b.linear.columns, finite)) b = {};  // a damaged bone
        scene::Mat4 m{};
        for (size_t c = 0; c < 3; ++c)
          for (size_t k = 0; k < 3; ++k) m[4 * c + k] = f32(b.linear.columns[c][k]);
        for (size_t k = 0; k < 3; ++k) m[12 + k] = f32(b.origin[k]);
        m[15] = 1;
        s_.skins[skin_].joints.push_back(bones_[i]);
        s_.skins[skin_].inverse_bind.push_back(m);
      }
    }

    BrresSceneBuilder& all_;
    scene::Scene& s_;
    const Model& m_;
    const std::string path_;
    const std::vector<BoneRestPose> rest_;
    std::vector<std::optional<Surface>> surfaces_;
    std::vector<Index> materials_, bones_;
    std::vector<Binding> bindings_;
    Index root_ = k_none, skin_ = k_none;
  };

  const Brres& file_;
  const bool with_sources_;
  scene::Scene scene_;
  Diagnostics notes_;
  std::map<std::pair<std::string, std::string>, Index> images_;
  std::vector<SceneMaterial> materials_;
  std::vector<SceneShape> shapes_;
  std::vector<SceneModel> models_;
  std::vector<std::string> missing_;
  std::string missing_at_, left_out_at_;
  u64 left_out_ = 0;
};

/// The shape at a path, or the shape that contains it.
struct ShapeLocation {
  const Model* model = nullptr;
  const Shape* shape = nullptr;
};
ShapeLocation find_shape_location(const Brres& file, std::string_view& path) {
  ShapeLocation out;
  const auto model = take_element(path, "models");
  if (!model || *model >= file.models.size()) return out;
  out.model = &file.models[*model];
  const auto shape = take_element(path, "shapes");
  if (shape && *shape < out.model->shapes.size()) out.shape = &out.model->shapes[*shape];
  return out;
}

u32 count_shape_vertices(const ShapeLocation& p) {
  u64 n = 0;
  VertexReader(*p.model, *p.shape).for_each_primitive([&](u8, std::span<const Vertex> v) { n += v.size(); });
  return u32(std::min<u64>(n, k_most_sources));
}

}  // namespace

std::span<const Rule> scene_rules() {
  static constexpr Rule k_rules[] = {
      {"brres.scene-texture", Severity::warning, "a file contains every texture that its materials use",
       "Games also look for textures in other loaded files, but diorama draws a model only with textures from the same "
       "file.",
       "Add the missing texture to the file, or draw the file that contains the texture.",
       "src/formats/brres/README.md"},
      {"brres.scene-left-out", Severity::warning, "every polygon can be drawn",
       "Polygons that refer to vertices outside the vertex lists cannot be drawn; {check FILE} lists these polygons.",
       "Correct the vertex indices.", "src/formats/brres/README.md"},
      {"brres.scene-motion", Severity::hint, "animations move bones and textures of the scene",
       "A material becomes one texture, so movements of its other textures are not shown, nor of bones and materials "
       "of "
       "other files.",
       "Ignore the note.", "src/formats/brres/README.md, The picture"},
  };
  return k_rules;
}

Result<SceneResult> to_scene(const Brres& file, bool sources) { return BrresSceneBuilder(file, sources).run(); }

std::optional<ValuePart> value_of_source(const Brres& file, std::string_view node, u32 source) {
  const ShapeLocation p = find_shape_location(file, node);
  if (!p.shape) return {};
  std::optional<ValuePart> out;
  u64 n = 0;
  VertexReader(*p.model, *p.shape).for_each_primitive([&](u8, std::span<const Vertex> vertices) {
    if (!out && source < n + vertices.size()) {
      const Vertex& v = vertices[size_t(source - n)];
      out = ValuePart{text("models[", p.model - file.models.data(), "].shapes[", p.shape - p.model->shapes.data(),
                           "].polygons.commands"),
                      v.at, v.size};
    }
    n += vertices.size();
  });
  return out;
}

std::vector<SourceRun> sources_of_value(const Brres& file, std::string_view node, std::string_view path) {
  const ShapeLocation p = find_shape_location(file, node);
  if (!p.shape) return {};
  const ShapeLocation wanted = find_shape_location(file, path);
  if (wanted.model != p.model && wanted.model) return {};
  const auto all = [&] { return std::vector{SourceRun{0, count_shape_vertices(p)}}; };
  if (wanted.shape) return wanted.shape == p.shape ? all() : std::vector<SourceRun>{};
  if (wanted.model && path.empty()) return all();
  // lists of attributes that it has
  const auto leads = [&](const char* list, auto& numbers) {
    std::string_view rest = path;
    const auto i = take_element(rest, list);
    return i && std::ranges::any_of(numbers, [&](i16 n) { return n >= 0 && u64(n) == *i; });
  };
  const std::array<i16, 1> positions{p.shape->positions}, normals{p.shape->normals};
  if (leads("positions", positions) || leads("normals", normals) || leads("colors", p.shape->colors) ||
      leads("texcoords", p.shape->texcoords))
    return all();
  return {};
}

}  // namespace dio::brres
