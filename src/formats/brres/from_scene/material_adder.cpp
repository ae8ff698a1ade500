#include "formats/brres/from_scene/material_adder.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "core/text_format.hpp"
#include "formats/brres/from_scene/material_builder.hpp"
#include "formats/brres/from_scene/names.hpp"
#include "formats/brres/from_scene/shape_builder.hpp"
#include "formats/brres/pictures/texture_builder.hpp"
#include "formats/contract/reporter.hpp"
#include "layout/path_steps.hpp"
#include "scene/transforms.hpp"
#include "scene/triangle_indices.hpp"

namespace dio::brres {
namespace {

using scene::Index;
using scene::k_none;
using scene::Point;

scene::Affine affine_of(const std::array<f32, 12>& rows) {
  scene::Affine out;
  for (size_t row = 0; row < 3; ++row) {
    for (size_t k = 0; k < 3; ++k) out.linear.columns[k][row] = rows[row * 4 + k];
    out.origin[row] = rows[row * 4 + 3];
  }
  return out;
}

class MaterialAdder {
 public:
  MaterialAdder(Brres& file, const scene::Scene& original, const scene::TriangleDifferences& differences,
                SceneImportResult& out)
      : file_(file),
        original_(original),
        edited_(*differences.edited),
        differences_(differences),
        original_places_(scene::world_transforms(original)),
        out_(out) {}

  void run() {
    for (const scene::UnplacedTriangles& u : differences_.unplaced) {
      const std::string why = add(u);
      if (why.empty()) continue;
      out_.lost += u.count;
      note(Severity::warning, "scene.place", edited_.nodes[u.node].name,
           text(format_count(u.count, "triangle"), " with ",
                u.material.empty() ? "no material" : "the material " + in_quotes(u.material),
                " cannot be added: ", why));
    }
    if (squared_error_ > 0)
      note(Severity::hint, "brres.make-texels", {},
           text("the new textures differ from the pictures by ",
                format_real(std::round(std::sqrt(squared_error_ / f64(pixels_ * 3)) * 100) / 100, true),
                " of 255 on average (root mean square)"));
  }

 private:
  void note(Severity severity, std::string_view id, std::string where, std::string message) {
    out_.notes.push_back(make_diagnostic(severity, id, std::move(where), {.message = std::move(message)}));
  }
  /// Returns why the triangles cannot be added; empty if they are.
  std::string add(const scene::UnplacedTriangles& u) {
    const scene::Node& node = edited_.nodes[u.node];
    if (file_.models.empty()) return "the file has no model";
    if (node.skin != k_none) return "new materials of skinned meshes are not supported";
    const size_t number = find_model(u);
    Model& m = file_.models[number];
    const auto matrix = find_matrix(m);
    if (!matrix) return "no bone of the model moves geometry on its own";
    const u32 bone = u32(m.matrix_bones[*matrix]);
    const scene::Affine to_bone = to_bone_space(number, bone);
    std::vector<std::pair<const scene::Primitive*, Triangles>> shapes;
    for (const scene::UnplacedTriangle& t : u.triangles) {
      if (shapes.empty() || shapes.back().first != t.primitive || shapes.back().second.size() == k_most_triangles)
        shapes.push_back({t.primitive, {}});
      shapes.back().second.push_back(&t);
    }
    for (const auto& [primitive, triangles] : shapes) {
      ShapeGeometry g = make_geometry(*primitive, triangles, to_bone);
      const u16 material = get_material(number, *primitive, g);
      g.matrix = i32(*matrix);
      g.name = unused_shape_name(m, node.name);
      for (const ShapeVertex& v : g.vertices) enlarge_boxes(m, bone, v.position);
      out_.added += u32(g.vertices.size() / 3);
      add_shape(m, g);
      add_draw(m, {.code = code::draw, .bone = u16(bone), .material = material, .shape = u16(m.shapes.size() - 1)});
    }
    return {};
  }

  /// The model whose node is above the new node; otherwise the first that is visible.
  size_t find_model(const scene::UnplacedTriangles& u) const {
    const auto model_of = [&](const scene::Node& n) {
      std::string_view path = path_from_extras(n.extras);
      const auto model = take_element(path, "models");
      return model && *model < file_.models.size() ? std::optional(size_t(*model)) : std::nullopt;
    };
    for (Index i = u.node; i != k_none; i = edited_.nodes[i].parent)
      if (const auto model = model_of(edited_.nodes[i])) return *model;
    if (u.original_root != k_none)
      if (const auto model = model_of(original_.nodes[u.original_root])) return *model;
    for (size_t i = 0; i < file_.models.size(); ++i)
      if (const Index root = find_node(text("models[", i, "]")); root != k_none && original_.nodes[root].visible)
        return i;
    return 0;
  }
  /// The node of a part of the file; k_none if there is none.
  Index find_node(std::string_view path) const {
    for (Index i = 0; i < original_.nodes.size(); ++i)
      if (path_from_extras(original_.nodes[i].extras) == path) return i;
    return k_none;
  }
  /// From the space of the scene to that of a bone.
  scene::Affine to_bone_space(size_t model, u32 bone) const {
    const Index node = find_node(text("models[", model, "].bones[", bone, "]"));
    const Index root = find_node(text("models[", model, "]"));
    if (node != k_none) return scene::inverse(original_places_[node]).value_or(scene::Affine{});
    const scene::Affine to_model =
        root == k_none ? scene::Affine{} : scene::inverse(original_places_[root]).value_or(scene::Affine{});
    return affine_of(file_.models[model].bones[bone].from_model) * to_model;
  }
  /// The matrix of the first bone that has a matrix for geometry.
  static std::optional<u32> find_matrix(const Model& m) {
    std::optional<u32> best;
    for (u32 i = 0; i < m.matrix_bones.size() && i < m.info.matrix_count; ++i)
      if (const i32 bone = m.matrix_bones[i];
          bone >= 0 && u32(bone) < m.bones.size() && (!best || bone < m.matrix_bones[*best]))
        best = i;
    return best;
  }
  using Triangles = std::vector<const scene::UnplacedTriangle*>;
  /// Of one shape: each corner may have values of its own.
  static constexpr size_t k_most_triangles = k_most_list_values / 3;

  ShapeGeometry make_geometry(const scene::Primitive& p, const Triangles& triangles,
                              const scene::Affine& to_bone) const {
    ShapeGeometry g;
    const scene::Material* look = p.material == k_none ? nullptr : &edited_.materials[p.material];
    g.has_uvs = look && look->texture != k_none && !p.uvs.empty();
    g.has_colors = has_colors(p.material);
    const scene::Vec4 of_material = look ? unlit_color(*look) : scene::Vec4{1, 1, 1, 1};
    const bool is_mirrored = scene::determinant(to_bone.linear) < 0;
    for (const scene::UnplacedTriangle* t : triangles)
      for (const size_t k : {size_t(0), size_t(is_mirrored ? 2 : 1), size_t(is_mirrored ? 1 : 2)}) {
        const Index v = t->vertices[k];
        const Point at = to_bone * t->at[k];
        ShapeVertex made{.position = {f32(at[0]), f32(at[1]), f32(at[2])}};
        if (g.has_colors) {
          scene::Vec4 color = p.colors.empty() ? scene::Vec4{1, 1, 1, 1} : p.colors[v];
          for (size_t n = 0; n < 4; ++n) color[n] *= of_material[n];
          made.color = to_display_color(color);
        }
        if (g.has_uvs) made.uv = p.uvs[v];
        g.vertices.push_back(made);
      }
    return g;
  }
  /// Whether any new triangle with the material has vertex colours.
  bool has_colors(Index material) const {
    return std::ranges::any_of(differences_.unplaced, [&](const scene::UnplacedTriangles& u) {
      return std::ranges::any_of(u.triangles, [&](const scene::UnplacedTriangle& t) {
        return t.primitive->material == material && !t.primitive->colors.empty();
      });
    });
  }

  u16 get_material(size_t model, const scene::Primitive& p, ShapeGeometry& g) {
    static const scene::Material k_white{.name = "white"};
    const scene::Material& look = p.material == k_none ? k_white : edited_.materials[p.material];
    const scene::Texture* texture = g.has_uvs ? &edited_.textures[look.texture] : nullptr;
    MaterialUse use{.name = {}, .texture = {}, .has_vertex_colors = g.has_colors};
    if (texture) {
      const TextureUse& used = get_texture(texture->image);
      use.texture = used.name, use.has_mipmaps = used.has_mipmaps;
      g.texture_size = used.size;
    }
    const auto [known, is_new] = materials_.try_emplace({model, p.material, g.has_uvs}, u16(0));
    if (!is_new) return known->second;
    Model& m = file_.models[model];
    UniqueNames names;
    for (const Material& other : m.materials) names(other.name, {});
    use.name = names(look.name, "material");
    BuiltMaterial built = build_material(look, texture, use);
    // A place of its own, by which the material knows its shader until both are placed.
    constexpr i32 k_first_place = 0x40000000, k_distance = 64, k_to_shader = 32;
    const i32 place = k_first_place + k_distance * i32(materials_.size());
    built.material.model_offset = -place;
    built.material.shader_offset = k_to_shader;
    built.shader.model_offset = -(place + k_to_shader);
    for (const Shader& other : m.shaders) built.shader.index = std::max(built.shader.index, other.index + 1);
    known->second = u16(m.materials.size());
    m.materials.push_back(std::move(built.material));
    m.shaders.push_back(std::move(built.shader));
    return known->second;
  }

  struct TextureUse {
    std::string name;
    bool has_mipmaps = false;
    u32 size = 0;  // the longer side
  };
  static TextureUse use_of(const Texture& t) { return {t.name, t.level_count > 1, std::max<u32>(t.width, t.height)}; }
  /// The texture of the file that is shown as the same picture; otherwise a new one.
  const TextureUse& get_texture(Index image) {
    const auto [known, is_new] = textures_.try_emplace(image);
    if (!is_new) return known->second;
    scene::Image shown = scene::to_rgba(edited_.images[image]);
    std::string name = edited_.images[image].name;
    for (const std::string_view extension : {".png", ".jpg", ".jpeg", ".tga"})
      if (lower_case(name).ends_with(extension)) name.resize(name.size() - extension.size());
    for (const scene::Image& own : original_.images) {
      const auto texture = std::ranges::find(file_.textures, own.name, &Texture::name);
      if (own.name != name || texture == file_.textures.end()) continue;
      if (wii::has_palette(wii::TexelFormat(texture->format))) continue;  // its picture depends on the palette
      const scene::Image pixels = scene::to_rgba(own);
      if (pixels.width == shown.width && pixels.height == shown.height && pixels.pixels == shown.pixels)
        return known->second = use_of(*texture);
    }
    UniqueNames names;
    for (const Texture& other : file_.textures) names(other.name, {});
    const bool needs_alpha = std::ranges::any_of(edited_.materials, [&](const scene::Material& m) {
      return m.alpha != scene::Material::Alpha::opaque && m.texture != k_none &&
             edited_.textures[m.texture].image == image;
    });
    for (size_t i = 3; i < shown.pixels.size() && !needs_alpha; i += 4) shown.pixels[i] = 255;
    BuiltTexture built = build_texture(names(name, "texture"), shown, {});
    squared_error_ += built.squared_error, pixels_ += built.visible_pixels;
    file_.textures.push_back(std::move(built.texture));
    return known->second = use_of(file_.textures.back());
  }

  /// A name that no shape and no list of vertices has.
  static std::string unused_shape_name(const Model& m, const std::string& name) {
    UniqueNames names;
    const auto add = [&](const auto& all) {
      for (const auto& x : all) names(x.name, "polygon");
    };
    add(m.shapes), add(m.positions), add(m.colors), add(m.texcoords);
    return names(name, "polygon");
  }
  static void add_draw(Model& m, const Command& draw) {
    const std::string_view name = m.materials[draw.material].flags & Material::k_translucent ? "DrawXlu" : "DrawOpa";
    std::vector<DictionaryEntry>& entries = m.program_dictionary.entries;
    size_t i = size_t(std::ranges::find(entries, name, &DictionaryEntry::name) - entries.begin());
    if (i >= m.programs.size()) {
      i = m.programs.size();
      entries.resize(i);
      entries.emplace_back().name = name;
      m.programs.push_back({{{.code = code::end}}});
    }
    std::vector<Command>& commands = m.programs[i].commands;
    const bool has_end = !commands.empty() && commands.back().code == code::end;
    commands.insert(commands.end() - (has_end ? 1 : 0), draw);
  }

  Brres& file_;
  const scene::Scene &original_, &edited_;
  const scene::TriangleDifferences& differences_;
  const std::vector<scene::Affine> original_places_;
  SceneImportResult& out_;
  std::map<std::tuple<size_t, Index, bool>, u16> materials_;  // by model, material, and whether it has a texture
  std::map<Index, TextureUse> textures_;                      // by image of the edited scene
  f64 squared_error_ = 0;
  u64 pixels_ = 0;
};

}  // namespace

void enlarge_boxes(Model& m, u32 bone, const std::array<f32, 3>& at) {
  constexpr u32 k_has_geometry = 0x200;
  const auto enlarge = [](Vec3& min, Vec3& max, const Point& p) {
    min = {std::min(min.x, f32(p[0])), std::min(min.y, f32(p[1])), std::min(min.z, f32(p[2]))};
    max = {std::max(max.x, f32(p[0])), std::max(max.y, f32(p[1])), std::max(max.z, f32(p[2]))};
  };
  Bone& b = m.bones[bone];
  b.flags |= k_has_geometry;
  const Point p{at[0], at[1], at[2]};
  enlarge(b.min, b.max, p);
  enlarge(m.info.min, m.info.max, affine_of(b.to_model) * p);
}

void add_materials(Brres& file, const scene::Scene& original, const scene::TriangleDifferences& differences,
                   SceneImportResult& out) {
  if (!differences.unplaced.empty()) MaterialAdder(file, original, differences, out).run();
}

}  // namespace dio::brres
