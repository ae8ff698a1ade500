// brres_builder.cpp: builds models with textures from any scene. Rules: README.md, "From glTF".
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "core/sorting.hpp"
#include "core/text_format.hpp"
#include "formats/brres/from_scene/animation_builder.hpp"
#include "formats/brres/from_scene/material_builder.hpp"
#include "formats/brres/from_scene/names.hpp"
#include "formats/brres/from_scene/shape_builder.hpp"
#include "formats/brres/from_scene/skeleton_builder.hpp"
#include "formats/brres/layout/placement.hpp"
#include "formats/brres/parts.hpp"
#include "formats/brres/pictures/texture_builder.hpp"
#include "formats/contract/arguments.hpp"
#include "formats/contract/building.hpp"
#include "formats/contract/reporter.hpp"
#include "layout/document.hpp"
#include "scene/extras.hpp"
#include "scene/transforms.hpp"
#include "scene/triangle_indices.hpp"

namespace dio::brres {

using scene::Index;
using scene::k_none;

namespace {

constexpr f64 k_units_per_metre = 100;
constexpr size_t k_most_matrices = 2048;  // the game's buffers for matrices
constexpr size_t k_most_shapes = 32767;   // their lists are numbered by an i16

struct Settings {
  f64 units = 1;  // for each unit of the scene
  std::string name;
  TextureOptions textures;
};

/// By name; nothing for formats with a palette.
std::optional<wii::TexelFormat> find_texture_format(std::string_view name) {
  for (const EnumName& format : k_texture_formats.words)
    if (lower_case(std::string(format.word)) == lower_case(std::string(name)) &&
        !wii::has_palette(wii::TexelFormat(format.value)))
      return wii::TexelFormat(format.value);
  return {};
}

/// What the model does not have of its scene.
struct Losses {
  u64 shapes = 0;  // primitives of points and lines
  u64 flat = 0;    // triangles with two equal corners
  u64 skewed = 0;  // bones
  u32 weight_steps = 256;
  std::set<std::string> lit, resized;
  f64 texel_error = 0, squared_error = 0;
  u64 pixels = 0;
};

class FileBuilder {
 public:
  FileBuilder(const scene::Scene& s, const Settings& settings) : s_(s), settings_(settings) {}

  Result<Made> run();

  /// The name of a picture in the file; textures are built once.
  struct TextureUse {
    std::string name;
    bool has_mipmaps = false;
    u32 size = 0;  // the longer side
  };
  const TextureUse& get_texture(Index image);
  Losses losses;

 private:
  std::vector<ModelNodes> find_models() const;
  Result<Model> build_model(const ModelNodes&, const std::string& name);
  bool needs_alpha(Index image) const;
  TextureOptions options_of_texture(Index image, const scene::Image& shown) const;
  void add_notes();
  void note(Severity severity, std::string_view id, std::string message, std::string hint = {}) {
    made_.notes.push_back(make_diagnostic(severity, id, {}, {.message = std::move(message), .hint = std::move(hint)}));
  }

  const scene::Scene& s_;
  const Settings& settings_;
  Brres file_;
  Made made_;
  std::map<Index, TextureUse> textures_;  // by image
  UniqueNames texture_names_;
  MadeParts parts_;
};

/// Builds one model.
class ModelBuilder {
 public:
  /// `weight_steps`: weights of skins are rounded to this part of 1.
  ModelBuilder(FileBuilder& file, const scene::Scene& s, const ModelNodes& nodes, f64 units, std::string name,
               u32 weight_steps)
      : file_(file),
        s_(s),
        nodes_(nodes),
        skeleton_(s, nodes, units),
        units_(units),
        weight_steps_(weight_steps),
        places_(scene::world_transforms(s)) {
    m_.name = std::move(name);
    m_.header.version = k_newest_model;
  }

  size_t draw_count() const { return draws_.size(); }
  /// Adds the parts that animations can move, after `run`.
  void add_parts(const Model& made, MadeParts& out) const {
    for (const auto& [from, number] : materials_)
      if (from.first != k_none)
        out.materials.push_back(
            {made.name, made.materials[number].name, from.first, from.second, colored_.contains(from.first)});
    const std::vector<MadeBone> bones = skeleton_.list_bones(made);
    out.bones.insert(out.bones.end(), bones.begin(), bones.end());
    for (const auto& [node, bone] : shown_by_) out.shapes.push_back({node, nodes_.root, made.bones[bone].name});
  }

  Model run() {
    skeleton_.add_bones(m_);
    find_colored_materials();
    for (const scene::Animation& a : s_.animations)
      for (const scene::VisibilityChannel& c : a.visibility_channels) changing_.insert(c.node);
    for (Index i = 0; i < s_.nodes.size(); ++i)
      if (nodes_.is_part[i] && s_.nodes[i].mesh != k_none) add_mesh(i);
    file_.losses.skewed += skeleton_.skewed();
    const std::vector<u16> numbers = skeleton_.finish(m_);
    if (m_.matrix_bones.size() > k_most_matrices || draws_.size() > k_most_shapes) return std::move(m_);
    UniqueNames names;
    for (Bone& b : m_.bones) b.name = names(b.name, "bone");
    for (const u32 bone : hidden_bones_) m_.bones[bone].flags &= ~Bone::k_visible;
    add_shapes(numbers);
    add_draw_programs();
    return std::move(m_);
  }

 private:
  struct Draw {
    ShapeGeometry geometry;
    Index material = k_none;
    u32 bone = 0, shown_by = 0;
    u8 priority = 0;
  };

  void find_colored_materials() {
    for (Index i = 0; i < s_.nodes.size(); ++i)
      if (nodes_.is_part[i] && s_.nodes[i].mesh != k_none)
        for (const scene::Primitive& p : s_.meshes[s_.nodes[i].mesh].primitives)
          if (!p.colors.empty()) colored_.insert(p.material);
  }

  /// A hidden node hides what is below it. The root of an exported model says only how it is shown.
  bool is_hidden(Index node, bool changes) const {
    for (Index i = node; i != k_none && i != nodes_.root; i = s_.nodes[i].parent)
      if (!s_.nodes[i].visible && changing_.contains(i) == changes) return true;
    return false;
  }
  /// The bone that shows and hides a shape: the bone of the node, or the property of an export.
  u32 find_showing_bone(Index node) const {
    const auto name = scene::read_text_extra(s_.nodes[node].extras, "bone");
    const auto named = name ? std::ranges::find(m_.bones, *name, &Bone::name) : m_.bones.end();
    return named == m_.bones.end() ? skeleton_.find_bone(node) : u32(named - m_.bones.begin());
  }
  void add_mesh(Index node) {
    const scene::Node& n = s_.nodes[node];
    if (is_picture_node(n)) return;
    const u32 shown_by = find_showing_bone(node);
    shown_by_.push_back({node, shown_by});
    if (is_hidden(node, true)) hidden_bones_.insert(shown_by);
    for (const scene::Primitive& p : s_.meshes[n.mesh].primitives) {
      const std::vector<Index> corners = triangle_indices(p);
      if (corners.empty()) {
        file_.losses.shapes += !p.positions.empty();
        continue;
      }
      Draw d;
      d.material = p.material;
      d.geometry.name = s_.meshes[n.mesh].name.empty() ? n.name : s_.meshes[n.mesh].name;
      d.geometry.is_hidden = is_hidden(node, false);
      if (const auto priority = scene::read_number_extra(n.extras, "priority"))
        d.priority = u8(std::clamp(*priority, 0.0, 255.0));
      d.bone = skeleton_.find_bone(node);
      d.shown_by = shown_by;
      add_corners(node, p, corners, std::move(d));
    }
  }

  /// Splits geometry that has too many vertices for one shape.
  void add_corners(Index node, const scene::Primitive& p, const std::vector<Index>& corners, Draw d) {
    const scene::Node& n = s_.nodes[node];
    const bool is_skinned = n.skin != k_none;
    const scene::Affine to_bone = skeleton_.to_bone(node);
    const bool is_mirrored = !is_skinned && scene::determinant(to_bone.linear) < 0;
    const bool has_material = p.material != k_none;
    const scene::Material* material = has_material ? &s_.materials[p.material] : nullptr;
    d.geometry.has_colors = colored_.contains(p.material);
    d.geometry.has_uvs = material && material->texture != k_none && !p.uvs.empty();
    if (d.geometry.has_uvs) d.geometry.texture_size = file_.get_texture(s_.textures[material->texture].image).size;
    d.geometry.matrix = is_skinned ? -1 : i32(skeleton_.get_matrix(d.bone));
    std::set<Index> used;
    for (size_t i = 0; i + 2 < corners.size(); i += 3) {
      const auto &a = p.positions[corners[i]], &b = p.positions[corners[i + 1]], &c = p.positions[corners[i + 2]];
      if (a == b || b == c || c == a) {
        ++file_.losses.flat;
        continue;
      }
      for (size_t k = 0; k < 3; ++k) used.insert(corners[i + k]);
      if (used.size() > k_most_list_values) {
        draws_.push_back(d);
        d.geometry.vertices.clear();
        used = {corners[i], corners[i + 1], corners[i + 2]};
      }
      for (size_t k = 0; k < 3; ++k)
        d.geometry.vertices.push_back(
            make_vertex(node, p, corners[i + (is_mirrored ? 2 - k : k)], to_bone, d.bone, material, d.geometry));
    }
    if (!d.geometry.vertices.empty()) draws_.push_back(std::move(d));
  }

  ShapeVertex make_vertex(Index node, const scene::Primitive& p, Index i, const scene::Affine& to_bone, u32 bone,
                          const scene::Material* material, const ShapeGeometry& g) {
    ShapeVertex v;
    scene::Point at{p.positions[i][0], p.positions[i][1], p.positions[i][2]};
    if (s_.nodes[node].skin != k_none) {
      bind(node, p, i, at, v.matrix);
    } else {
      for (f64& x : at) x *= units_;
      at = to_bone * at;
      skeleton_.add_to_box(bone, at);
    }
    for (size_t k = 0; k < 3; ++k) v.position[k] = f32(at[k]);
    if (g.has_colors) {
      scene::Vec4 color = p.colors.empty() ? scene::Vec4{1, 1, 1, 1} : p.colors[i];
      const scene::Vec4 of_material = material ? unlit_color(*material) : scene::Vec4{1, 1, 1, 1};
      for (size_t k = 0; k < 4; ++k) color[k] *= of_material[k];
      v.color = to_display_color(color);
    }
    if (g.has_uvs) v.uv = p.uvs[i];
    return v;
  }
  /// The matrix of a vertex of a skin, and its position: in the space of a single bone, or else in that of the model.
  void bind(Index node, const scene::Primitive& p, Index i, scene::Point& at, u16& matrix) {
    const scene::Skin& skin = s_.skins[s_.nodes[node].skin];
    const scene::Point in_mesh = at;
    at = skeleton_.to_model() * (scene::skin_matrix(places_, skin, p.joints[i], p.weights[i]) * at);
    for (f64& x : at) x *= units_;
    // Weights in steps, so that vertices share matrices.
    std::map<u32, f32> weights;
    f32 sum = 0;
    std::set<Index> joints;
    for (size_t j = 0; j < 4; ++j) {
      const f32 rounded = std::round(p.weights[i][j] * f32(weight_steps_));
      if (!(rounded > 0)) continue;
      const Index joint = skin.joints[p.joints[i][j]];
      weights[skeleton_.find_bone(joint)] += rounded, sum += rounded;
      joints.insert(joint);
    }
    if (weights.size() > 1) {
      std::vector<std::pair<u32, f32>> all;
      for (const auto& [bone, weight] : weights) all.push_back({bone, weight / sum});
      matrix = skeleton_.get_matrix(std::move(all));
      return skeleton_.add_to_box(at);
    }
    const u32 bone = weights.empty() ? 0 : weights.begin()->first;
    const size_t j = size_t(std::ranges::max_element(p.weights[i]) - p.weights[i].begin());
    const Index joint = skin.joints[p.joints[i][j]];
    if (joints.size() == 1 && skeleton_.is_exact_bone(joint)) {  // without rounding
      const scene::Mat4& b = skin.inverse_bind[p.joints[i][j]];
      for (size_t k = 0; k < 3; ++k)
        at[k] = (b[k] * in_mesh[0] + b[4 + k] * in_mesh[1] + b[8 + k] * in_mesh[2] + b[12 + k]) * units_;
    } else {
      at = skeleton_.from_model(bone, at);
    }
    matrix = skeleton_.get_matrix(bone);
    skeleton_.add_to_box(bone, at);
  }

  void add_shapes(const std::vector<u16>& numbers) {
    // Opaque materials first, textured ones before others: materials with one shader are together.
    const auto material_order = [&](const Draw& d) {
      const scene::Material* m = d.material == k_none ? nullptr : &s_.materials[d.material];
      const bool is_translucent = m && m->alpha == scene::Material::Alpha::blend;
      return std::tuple(!d.geometry.has_uvs, is_translucent, d.material);
    };
    std::vector<const Draw*> sorted;
    for (const Draw& d : draws_) sorted.push_back(&d);
    sort_stably(sorted, [&](const Draw* a, const Draw* b) { return material_order(*a) < material_order(*b); });
    for (const Draw* d : sorted) get_material(*d);
    UniqueNames names;
    for (Draw& d : draws_) {
      for (ShapeVertex& v : d.geometry.vertices) v.matrix = v.matrix < numbers.size() ? numbers[v.matrix] : v.matrix;
      if (d.geometry.matrix >= 0) d.geometry.matrix = numbers[size_t(d.geometry.matrix)];
      d.geometry.name = names(d.geometry.name, "polygon");
      file_.losses.texel_error = std::max(file_.losses.texel_error, add_shape(m_, d.geometry));
    }
  }
  u16 get_material(const Draw& d) {
    const auto [known, is_new] = materials_.try_emplace({d.material, d.geometry.has_uvs}, u16(m_.materials.size()));
    if (!is_new) return known->second;
    static const scene::Material k_white{.name = "white"};
    const scene::Material& look = d.material == k_none ? k_white : s_.materials[d.material];
    if (!look.unlit) file_.losses.lit.insert(look.name);
    const scene::Texture* texture = d.geometry.has_uvs ? &s_.textures[look.texture] : nullptr;
    MaterialUse use;
    use.name = material_names_(look.name, "material");
    use.has_vertex_colors = d.geometry.has_colors;
    if (texture) {
      const auto& made = file_.get_texture(texture->image);
      use.texture = made.name, use.has_mipmaps = made.has_mipmaps;
    }
    BuiltMaterial built = build_material(look, texture, use);
    m_.materials.push_back(std::move(built.material));
    m_.shaders.push_back(std::move(built.shader));
    return known->second;
  }

  void add_draw_programs() {
    Program opaque, translucent;
    for (size_t i = 0; i < draws_.size(); ++i) {
      const u16 material = get_material(draws_[i]);
      const bool is_translucent = m_.materials[material].flags & Material::k_translucent;
      (is_translucent ? translucent : opaque)
          .commands.push_back({.code = code::draw,
                               .bone = u16(draws_[i].shown_by),
                               .material = material,
                               .shape = u16(i),
                               .priority = draws_[i].priority});
    }
    for (auto& [name, program] : {std::pair("DrawOpa", &opaque), {"DrawXlu", &translucent}}) {
      if (program->commands.empty()) continue;
      program->commands.push_back({.code = code::end});
      m_.program_dictionary.entries.emplace_back().name = name;
      m_.programs.push_back(std::move(*program));
    }
  }

  FileBuilder& file_;
  const scene::Scene& s_;
  const ModelNodes& nodes_;
  SkeletonBuilder skeleton_;
  const f64 units_;
  const u32 weight_steps_;
  const std::vector<scene::Affine> places_;
  Model m_;
  std::vector<Draw> draws_;
  std::set<Index> colored_;  // materials of vertices with colours
  std::map<std::pair<Index, bool>, u16> materials_;
  UniqueNames material_names_;
  std::set<Index> changing_;                     // nodes that animations show and hide
  std::vector<std::pair<Index, u32>> shown_by_;  // nodes with meshes, and their bones
  std::set<u32> hidden_bones_;                   // until an animation shows them
};

bool FileBuilder::needs_alpha(Index image) const {
  return std::ranges::any_of(s_.materials, [&](const scene::Material& m) {
    return m.alpha != scene::Material::Alpha::opaque && m.texture != k_none && s_.textures[m.texture].image == image;
  });
}

/// The format and the mipmaps that a material with this picture has as properties, unless an option says otherwise, or
/// the picture was edited and does not fit.
TextureOptions FileBuilder::options_of_texture(Index image, const scene::Image& shown) const {
  TextureOptions out = settings_.textures;
  for (const scene::Material& m : s_.materials) {
    if (m.texture == k_none || s_.textures[m.texture].image != image) continue;
    if (const auto word = scene::read_text_extra(m.extras, "texture_format"); word && !out.format)
      if (const auto format = find_texture_format(*word); format && can_store(*format, shown)) out.format = format;
    if (const auto count = scene::read_number_extra(m.extras, "mipmaps"); count && *count >= 0)
      out.most_mipmaps = u32(std::min(*count, 10.0));
  }
  return out;
}

const FileBuilder::TextureUse& FileBuilder::get_texture(Index image) {
  const auto [known, is_new] = textures_.try_emplace(image);
  if (!is_new) return known->second;
  const scene::Image& picture = s_.images[image];
  std::string name = picture.name;
  for (const std::string_view extension : {".png", ".jpg", ".jpeg", ".tga"})
    if (lower_case(name).ends_with(extension)) name.resize(name.size() - extension.size());
  scene::Image shown = scene::to_rgba(picture);
  if (!needs_alpha(image))  // colours below transparent pixels are seen
    for (size_t i = 3; i < shown.pixels.size(); i += 4) shown.pixels[i] = 255;
  BuiltTexture built = build_texture(texture_names_(name, "texture"), shown, options_of_texture(image, shown));
  if (built.is_resized) losses.resized.insert(built.texture.name);
  losses.squared_error += built.squared_error, losses.pixels += built.visible_pixels;
  known->second = {built.texture.name, built.texture.level_count > 1,
                   std::max<u32>(built.texture.width, built.texture.height)};
  file_.textures.push_back(std::move(built.texture));
  return known->second;
}

/// Each exported model is a model; without any, the whole scene is one.
std::vector<ModelNodes> FileBuilder::find_models() const {
  std::vector<ModelNodes> out;
  std::vector<Index> root_of(s_.nodes.size(), k_none);
  for (Index i = 0; i < s_.nodes.size(); ++i) {
    const scene::Node& n = s_.nodes[i];
    if (n.parent != k_none) root_of[i] = root_of[n.parent];
    if (root_of[i] == k_none && scene::read_text_extra(n.extras, "kind") == "model") {
      root_of[i] = i;
      out.push_back({i, std::vector<bool>(s_.nodes.size())});
    }
    for (ModelNodes& m : out)
      if (m.root == root_of[i]) m.is_part[i] = true;
  }
  // Skinned meshes belong to the model of their joints, wherever they are; other objects outside models to the first.
  if (out.empty()) out.push_back({k_none, std::vector<bool>(s_.nodes.size(), true)});
  for (Index i = 0; i < s_.nodes.size(); ++i) {
    if (root_of[i] != k_none) continue;
    const Index skin = s_.nodes[i].skin;
    const Index root = skin == k_none ? k_none : root_of[s_.skins[skin].joints[0]];
    const auto model = std::ranges::find(out, root, &ModelNodes::root);
    (root == k_none || model == out.end() ? out[0] : *model).is_part[i] = true;
  }
  return out;
}

/// With fewer steps of weights there are fewer matrices.
Result<Model> FileBuilder::build_model(const ModelNodes& nodes, const std::string& name) {
  const Losses before = losses;
  size_t matrices = 0;
  for (const u32 steps : {256u, 64u, 16u, 8u, 4u}) {
    losses = before;
    ModelBuilder builder(*this, s_, nodes, settings_.units, name, steps);
    Model m = builder.run();
    if (builder.draw_count() > k_most_shapes)
      return refuse("brres.make-many", {},
                    {.message = text("model ", in_quotes(name), " would have ", builder.draw_count(),
                                     " shapes; at most ", k_most_shapes, " have numbers")});
    matrices = m.matrix_bones.size();
    if (matrices > k_most_matrices) continue;
    losses.weight_steps = std::min(before.weight_steps, steps);
    builder.add_parts(m, parts_);
    return m;
  }
  return refuse("brres.make-many", {},
                {.message = text("model ", in_quotes(name), " would have ", matrices,
                                 " matrices of bones and mixtures; the game has room for ", k_most_matrices)});
}

Result<Made> FileBuilder::run() {
  UniqueNames names;
  for (const ModelNodes& nodes : find_models()) {
    const bool is_exported = nodes.root != k_none;
    std::string name = is_exported && settings_.name.empty() ? s_.nodes[nodes.root].name : settings_.name;
    auto m = build_model(nodes, names(std::move(name), "course"));
    if (!m) return refuse(std::move(m.error()));
    if (!m->shapes.empty() || is_exported) file_.models.push_back(std::move(*m));
  }
  if (std::ranges::all_of(file_.models, [](const Model& m) { return m.shapes.empty(); }))
    return refuse("brres.make-empty", {}, {.message = "the scene has no triangles"});
  const AnimationNotes motions =
      add_animations(s_, parts_, [&](Index image) { return get_texture(image).name; }, file_);
  std::ranges::sort(file_.textures, {}, &Texture::name);
  add_missing_folders(file_);
  place_parts(file_, SharedShaders::equal);
  Document<Brres> d;
  d.edit() = std::move(file_);
  auto bytes = save(d);
  if (!bytes) return refuse(std::move(bytes.error()));
  made_.files.push_back({".brres", std::move(*bytes)});
  add_notes();
  made_.notes.insert(made_.notes.end(), motions.notes.begin(), motions.notes.end());
  made_.lost += motions.lost;
  return std::move(made_);
}

void FileBuilder::add_notes() {
  using enum Severity;
  if (losses.shapes)
    note(hint, "brres.make-shapes", format_count(losses.shapes, "primitive") + " of points or lines omitted");
  if (losses.flat) note(hint, "brres.make-shapes", format_count(losses.flat, "triangle") + " without an area omitted");
  if (losses.skewed)
    note(warning, "brres.make-skewed", format_count(losses.skewed, "bone") + " cannot be skewed as in the scene");
  if (losses.weight_steps != 256)
    note(hint, "brres.make-weights",
         text("weights of skins are rounded to steps of 1/", losses.weight_steps, ", so that the matrices have room"));
  std::string others;
  for (const auto& [count, one] :
       {std::pair(s_.cameras.size(), "camera"), {s_.lights.size(), "light"}, {s_.variants.size(), "variant"}})
    if (count) others += (others.empty() ? "" : ", ") + format_count(count, one);
  if (!others.empty()) note(hint, "brres.make-omitted", others + " omitted: the file has no place for them");
  if (!losses.lit.empty())
    note(hint, "brres.make-light",
         text("drawn without lighting: ", list_names(losses.lit), "; only colours of vertices and materials count"));
  if (!losses.resized.empty())
    note(hint, "brres.make-size", text("scaled to powers of two: ", list_names(losses.resized)));
  if (losses.texel_error > 0)
    note(hint, "brres.make-rounded",
         text("texture coordinates are rounded by at most ", format_real(losses.texel_error, true), " texels"));
  if (losses.squared_error > 0) {
    const f64 rms = std::sqrt(losses.squared_error / f64(losses.pixels * 3));
    note(hint, "brres.make-texels",
         text("the textures differ from the pictures by ", format_real(std::round(rms * 100) / 100, true),
              " of 255 on average (root mean square)"));
  }
}

std::optional<wii::TexelFormat> parse_texture_format(Arguments& a) {
  constexpr std::string_view k_formats = "auto, I4, I8, IA4, IA8, RGB565, RGB5A3, RGBA32 or CMPR";
  if (!a.has("texture-format")) return {};
  const std::string_view said = a.text("texture-format");
  if (said == "auto") return {};
  if (const auto format = find_texture_format(said)) return format;
  a.refuse({.message = text("texture-format must be ", k_formats, ", not ", dio::given(said))});
  return {};
}

}  // namespace

std::span<const Rule> make_rules() {
  using enum Severity;
  constexpr const char* k_where = "src/formats/brres/README.md, From glTF";
  static constexpr Rule k_rules[] = {
      {"brres.make-empty", stop, "the scene has triangles", "A model without triangles shows nothing.",
       "Export meshes with faces.", k_where},
      {"brres.make-shapes", hint, "meshes consist of triangles",
       "Points, lines and triangles without an area are omitted.",
       "Turn the points and lines into faces if they should be visible.", k_where},
      {"brres.make-many", Cause::limit, "a model has at most 2,048 matrices and 32,767 shapes",
       "The game has buffers for 2,048 matrices of bones and mixtures; the lists of shapes are numbered with 15 bits.",
       "Split the scene into several models.", "NW4R, as decompiled in public projects"},
      {"brres.make-skewed", warning, "bones are moved, rotated and scaled, not skewed",
       "A rotated bone below a node that is scaled unevenly would be skewed, which the file cannot store.",
       "Apply the scale of the nodes above the bone.", k_where},
      {"brres.make-weights", hint, "vertices share few mixtures of bones",
       "Each mixture of bones is a matrix, and there is room for 2,048, so weights are rounded more.",
       "Let fewer bones deform the skin.", k_where},
      {"brres.make-omitted", hint, "the scene has no cameras, lights and material variants",
       "The file has no place for them.", "Ignore the note.", k_where},
      {"brres.make-light", hint, "materials are unlit", "The model is drawn without lighting, as most courses are.",
       "Bake the light into vertex colours, or ignore the note.", k_where},
      {"brres.make-size", hint, "the width and height of a picture are powers of two",
       "Repeated textures and mipmaps need powers of two, at most 1,024.", "Resize the pictures.",
       "GX; src/formats/brres/README.md"},
      {"brres.make-rounded", hint, "texture coordinates fit into 16 bits",
       "Texture coordinates are stored as 16-bit numbers if that moves a texture by at most an eighth of a texel.",
       "Ignore the note.", k_where},
      {"brres.make-texels", hint, "textures can store the colours of their pictures",
       "CMPR stores a picture in 4 bits a pixel, so colours are approximated.",
       "Choose another format with {--texture-format} if the difference is visible.", k_where},
      {"brres.make-motion", warning, "animations move only parts of models, and at most eight move textures",
       "Animations of nodes become CHR0 files, of visibility VIS0 or PAT0, of colours CLR0, and of texture transforms "
       "SRT0. Other animations, such as those of cameras, are not made.",
       "Make the other animations with another tool. Put the movements of several materials into one animation.",
       k_where},
      {"brres.make-scroll", warning, "the property `scroll` of a material is two numbers",
       "The property moves the texture of the material, in widths and heights of the texture per second.",
       "Set the property to two numbers, such as 0.5 and 0, and do not also animate the texture.", k_where},
      {"brres.make-scroll-speed", hint, "scrolling textures of a model fit into one loop",
       "All scrolling textures of a model are in one animation of at most ten minutes, in which each moves by whole "
       "widths and heights.",
       "Choose speeds with a common divisor, or ignore the note.", k_where},
  };
  return k_rules;
}

std::span<const MakeOption> make_options() {
  static constexpr MakeOption k_options[] = {
      {"units-per-metre", "N", "game units per metre of the scene; default 100"},
      {"model-name", "NAME", "name of the model; default course, or the name of an exported model"},
      {"texture-format", "FORMAT",
       "format of all textures: I4, I8, IA4, IA8, RGB565, RGB5A3, RGBA32, CMPR; default auto: CMPR, or a 16-bit format "
       "for partly transparent and very colourful pictures"},
      {"largest-texture", "N", "maximum width and height of textures, in texels; default 1024"},
      {"mipmaps", "yes|no", "textures have smaller versions for the distance; default yes"},
  };
  return k_options;
}

Result<Made> make_model(const scene::Scene& given, std::span<const Argument> all) {
  Arguments a(all);
  Settings settings;
  const f64 units = a.has("units-per-metre") ? a.number("units-per-metre", 1e-3, 1e6) : k_units_per_metre;
  if (a.has("model-name")) settings.name = a.text("model-name");
  settings.textures.format = parse_texture_format(a);
  if (a.has("largest-texture")) settings.textures.largest = u32(a.whole("largest-texture", 8, 1024));
  if (a.has("mipmaps")) {
    const std::string_view said = a.text("mipmaps");
    if (said != "yes" && said != "no") a.refuse({.message = text("mipmaps must be yes or no, not ", dio::given(said))});
    settings.textures.mipmaps = said != "no";
  }
  if (!a.done()) {
    a.problem->id = "make.argument";
    return refuse(*std::move(a.problem));
  }
  if (auto fault = scene::validation_error(given)) return refuse(std::move(*fault));
  // 1 except for rounding: an exported model, whose vertices stay unchanged
  const f64 factor = units * f64(given.metres_per_unit);
  settings.units = std::abs(factor - 1) < 1e-6 ? 1 : factor;
  return FileBuilder(given, settings).run();
}

}  // namespace dio::brres
