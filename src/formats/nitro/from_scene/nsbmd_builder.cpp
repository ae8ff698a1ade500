// nsbmd_builder.cpp: builds a model with textures from any scene. Rules: README.md, "From glTF".
#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <memory>
#include <set>

#include "core/elementary.hpp"
#include "core/sorting.hpp"
#include "core/text_format.hpp"
#include "formats/contract/arguments.hpp"
#include "formats/contract/building.hpp"
#include "formats/contract/reporter.hpp"
#include "formats/nitro/from_scene/display_list_writer.hpp"
#include "formats/nitro/from_scene/material_motion.hpp"
#include "formats/nitro/from_scene/matrix_stack.hpp"
#include "formats/nitro/from_scene/model_box.hpp"
#include "formats/nitro/from_scene/names.hpp"
#include "formats/nitro/from_scene/nsbca_builder.hpp"
#include "formats/nitro/from_scene/nsbmd_materials.hpp"
#include "formats/nitro/from_scene/nsbtp_builder.hpp"
#include "formats/nitro/from_scene/scene_clips.hpp"
#include "formats/nitro/from_scene/skeleton.hpp"
#include "formats/nitro/parts.hpp"
#include "formats/nitro/scene/extent.hpp"
#include "formats/nitro/scene/shape_facts.hpp"
#include "scene/extras.hpp"
#include "scene/math.hpp"
#include "scene/node_name_suffixes.hpp"
#include "scene/triangle_indices.hpp"
#include "scene/units.hpp"

namespace dio::nitro {

using scene::Affine;
using scene::Index;
using scene::k_none;
using scene::Mat3d;
using scene::Point;

std::span<const Rule> make_rules() {
  using enum Severity;
  static constexpr Rule k_rules[] = {
      {"nitro.make-empty", stop, "the scene has triangles", "A model without triangles shows nothing.",
       "Export meshes with faces.", "src/formats/nitro/README.md#from-gltf"},
      {"nitro.make-many", Cause::limit, "a model has at most 255 nodes, 255 materials and 255 shapes",
       "The commands of a model refer to nodes, materials and shapes with 8-bit numbers.",
       "Join materials or meshes, or split the scene into several models.", "src/formats/nitro/README.md#sbc"},
      {"nitro.make-slots", Cause::limit, "a model needs at most 31 matrices at a time",
       "The matrix stack of the DS has 31 slots, and each polygon may need three more slots for its blended matrices.",
       "Let fewer bones deform the skin, or split the model.", "GBATEK, DS 3D Matrix Stack"},
      {"nitro.make-far", Cause::limit, "positions are within 16,384 units of the origin of their node",
       "Positions are stored as 16-bit numbers, which are multiplied by a power of two of at most 2,048.",
       "Scale the scene down with a smaller {--units-per-metre}.", "src/formats/nitro/README.md#from-gltf"},
      {"nitro.make-small", hint, "a model is larger than a few units",
       "Positions are stored in steps of 1/4096 unit at best, so small models lose their shape.",
       "Set the number of model units per metre with {--units-per-metre}. A tile of a Pokémon map is 16 units wide.",
       "src/formats/nitro/README.md#from-gltf"},
      {"nitro.make-heavy", hint, "a model has at most 2,048 polygons and 6,144 vertices",
       "The DS draws at most 2,048 polygons and 6,144 vertices per frame, and drops the rest.",
       "Simplify the objects that the message names, or split the model.", "GBATEK, DS 3D Overview"},
      {"nitro.make-vram", Cause::limit, "textures take at most 512 KiB, and palettes take at most 512 KiB",
       "The DS has 512 KiB of texture memory, and the file stores the total sizes of textures and palettes in 16 bits, "
       "in units of 8 bytes.",
       "Use fewer or smaller pictures.", "GBATEK, DS 3D Texture Formats; src/formats/nitro/README.md#textures"},
      {"nitro.make-size", hint, "the width and height of a picture are powers of two from 8 to 1024",
       "The width and height of a DS texture are powers of two from 8 to 1024, so the program scales pictures of any "
       "other size.",
       "Resize the picture so that its width and height are powers of two from 8 to 1024.",
       "GBATEK, DS 3D Texture Attributes"},
      {"nitro.make-colors", hint, "pictures have no more colours than their texture can hold",
       "If a texture cannot hold all colours of its picture, the program uses the nearest colours instead.",
       "Reduce the number of colours in the picture, or choose another texture format.",
       "GBATEK, DS 3D Texture Formats"},
      {"nitro.make-uvs", warning, "the texture coordinates of a mesh are at most 2,048 texels from 0",
       "The DS stores texture coordinates as 16-bit numbers in sixteenths of a texel, so it cannot store larger "
       "coordinates.",
       "Move the texture coordinates closer to 0, or cut large faces.", "GBATEK, DS 3D Texture Coordinates"},
      {"nitro.make-names", hint, "names are unique and have at most 16 ASCII characters",
       "Names of more than 16 characters are shortened, and duplicate names get a number.",
       "Shorten names that animations or games look up.", "src/formats/nitro/README.md#dictionary"},
      {"nitro.make-order", warning, "nodes keep the numbers that they have in the exported model",
       "Joint and visibility animations from games refer to nodes by number.",
       "Keep all nodes of the model with their custom property `diorama`, and add new nodes below them.",
       "src/formats/nitro/README.md#joint-animations"},
      {"nitro.make-pictures", warning,
       "the scene contains every picture of a texture pattern, in the same size as the material's own picture",
       "An animation cannot show a picture that the file lacks. Texture coordinates count texels, so a picture of a "
       "different size is repeated or cropped.",
       "Show each picture on an object, so that the picture is exported; the object may be named `ignore`. Check the "
       "names in "
       "the property `pictures`.",
       "src/formats/nitro/README.md#from-gltf"},
      {"nitro.make-shapes", hint, "meshes consist of triangles",
       "The DS cannot draw points or lines, so the model omits them.",
       "Replace points and lines with faces if they should be visible.",
       "GBATEK, DS 3D Polygon Definitions by Vertices"},
      {"nitro.make-motion", hint, "animations change only nodes, colours and textures, in ways that the DS supports",
       "Camera animations are omitted, long animations are truncated, and motion that the DS does not support is "
       "approximated.",
       "Animate only nodes and materials.", "src/formats/nitro/README.md#from-gltf"},
  };
  return k_rules;
}

static constexpr std::string_view k_format_names[] = {"auto",       "a3i5",     "palette4", "palette16",
                                                      "palette256", "block4x4", "a5i3",     "direct"};

std::span<const MakeOption> make_options() {
  static constexpr MakeOption k_options[] = {
      {"units-per-metre", "N", "model units per metre of the scene; default 1"},
      {"texture-format", "FORMAT",
       "format of all textures: a3i5, palette4, palette16, palette256, block4x4, a5i3, direct; default auto: for each "
       "picture, the smallest format that can show it"},
      {"textures", "inside|apart", "write textures to the model file, or to a separate .nsbtx file; default inside"},
      {"largest-texture", "N", "maximum width and height of textures, in texels; default 256"},
      {"quads", "yes|no", "merge pairs of coplanar triangles into quads; default yes"},
      {"frames", "N", "animation frames per second; default 60"},
      {"clips", "apart|together",
       "write each animation to its own file (MODEL.CLIP.nsbca), or write all animations of the same kind to one file; "
       "default apart, but animations exported from the same file stay together"},
  };
  return k_options;
}

namespace {

constexpr u32 k_most = 255;
constexpr f64 k_small = 2;  // units

struct Settings {
  f64 units = 1;
  bool quads = true, textures_apart = false;
  NsbmdMaterialOptions looks;
  std::optional<u32> frames_per_second;
  bool clips_together = false;
};

/// A vertex before rounding.
struct UnquantizedVertex {
  Point position;  // in the space of its bone or skin
  scene::Vec3 normal{0, 0, 0};
  scene::Vec4 color{1, 1, 1, 1};
  scene::Vec2 uv{0, 0};
  u16 matrix = 0;
  bool is_lit = false;
};
/// Triangles of one material look that can be drawn together.
struct Part {
  u32 look;
  std::vector<UnquantizedVertex> corners;  // three for each
  bool has_uvs = false;
};

class NsbmdBuilder {
 public:
  NsbmdBuilder(scene::Scene s, const Settings& settings)
      : s_(std::move(s)),
        settings_(settings),
        skeleton_(s_),
        looks_(s_, settings.looks, made_.notes),
        clips_(s_, settings.frames_per_second, settings.clips_together, made_.notes) {}

  Result<Made> run() {
    const std::vector<bool> left_out = scene::excluded_by_name_suffix(s_);
    for (Index i = 0; i < s_.nodes.size(); ++i)
      if (s_.nodes[i].mesh != k_none && !left_out[i] && is_ever_visible(i))
        if (auto wrong = add_mesh(i)) return refuse(std::move(*wrong));
    if (parts_.empty())
      return refuse(make_diagnostic("nitro.make-empty", {}, {.message = "the scene has no triangles"}));
    model_.name = names_(choose_model_name(), "model");
    model_.texture_matrix_mode = settings_.looks.matrix_mode;
    if (const size_t n = skeleton_.bones().size(); n > k_most)
      return refuse(too_many_error(find_most_jointed_object(), "nodes", n));
    if (used_.size() > k_most) return refuse(too_many_error({}, "materials", used_.size()));
    if (!choose_pos_scale()) return refuse(too_far_error());
    build_nodes();
    build_materials();
    if (auto wrong = build_sbc()) return refuse(std::move(*wrong));
    if (model_.shapes.size() > k_most)
      return refuse(too_many_error(find_most_jointed_object(), "shapes", model_.shapes.size()));
    if (const auto extent = compute_extent(model_)) set_model_box(model_, *extent);
    auto patterns = build_nsbtp(s_, list_built_materials(), looks_, model_.name,
                                settings_.frames_per_second.value_or(k_usual_rate), clips_, made_.notes);
    if (!patterns) return refuse(std::move(patterns.error()));
    if (auto wrong = looks_.encode_unshown_textures()) return refuse(std::move(*wrong));
    changed_names_ += looks_.changed_names();
    add_import_notes();
    Document<Nsbmd> d;
    Nsbmd& file = d.edit() = Nsbmd{};
    file.header.version = 2;
    file.models.push_back(std::move(model_));
    Textures textures = std::move(looks_).textures();
    if (!textures.textures.empty() && !settings_.textures_apart) file.textures = std::move(textures);
    file.settle();
    auto bytes = save(d);
    if (!bytes) return refuse(std::move(bytes.error()));
    made_.files.push_back({".nsbmd", std::move(*bytes)});
    if (!textures.textures.empty()) {
      Document<Nsbtx> apart;
      apart.edit() = Nsbtx{};
      apart.edit().header.version = 1;
      apart.edit().textures = std::move(textures);
      apart.edit().settle();
      auto saved = save(apart);
      if (!saved) return refuse(std::move(saved.error()));
      made_.files.push_back({".nsbtx", std::move(*saved)});
    }
    return add_animation_files(std::move(*patterns));
  }

 private:
  static Diagnostic too_many_error(std::string whose, std::string_view what, size_t n) {
    return make_diagnostic("nitro.make-many", std::move(whose),
                           {.message = text("the model would have ", n, " ", what, " (at most 255)")});
  }
  /// The name of the scene, or of the exported model if Blender named the scene.
  std::string_view choose_model_name() const {
    if (!s_.name.empty() && s_.name != "Scene") return s_.name;
    std::optional<std::string_view> name;
    for (const scene::Node& n : s_.nodes) {
      if (scene::read_text_extra(n.extras, "kind") != "nitro.model") continue;
      if (name) return s_.name;
      name = scene::strip_copy_suffix(n.name);
    }
    return name.value_or(s_.name);
  }
  /// The object with the most joints; empty if there is none.
  std::string find_most_jointed_object() const {
    std::string name;
    size_t most = 0;
    for (const scene::Node& n : s_.nodes)
      if (n.mesh != k_none && n.skin != k_none && s_.skins[n.skin].joints.size() > most)
        most = s_.skins[n.skin].joints.size(), name = n.name;
    return name;
  }
  Diagnostic too_far_error() const {
    return make_diagnostic(
        "nitro.make-far", s_.nodes[farthest_].name,
        {.message = text("the object reaches ", std::round(largest_), " units from its node (at most 16384)")});
  }

  // ---- parts ----

  bool is_ever_visible(Index node) const {
    for (Index i = node; i != k_none; i = s_.nodes[i].parent) {
      const bool is_animated = std::ranges::any_of(s_.animations, [&](const scene::Animation& a) {
        return std::ranges::find(a.visibility_channels, i, &scene::VisibilityChannel::node) !=
               a.visibility_channels.end();
      });
      if (!s_.nodes[i].visible && !is_animated) return false;
    }
    return true;
  }

  std::optional<Diagnostic> add_mesh(Index node) {
    const scene::Node& n = s_.nodes[node];
    for (const scene::Primitive& p : s_.meshes[n.mesh].primitives) {
      const std::vector<Index> corners = scene::triangle_indices(p);
      if (corners.size() < 3) {
        if (p.shape != scene::Primitive::Shape::triangles) ++others_[n.name];
        continue;
      }
      triangles_[n.name] += corners.size() / 3;
      const auto look = find_or_build_material(p.material);
      if (!look) return look.error();
      add_primitive(node, p, corners, *look);
    }
    return {};
  }

  /// The original of a copied material: importers duplicate a material that is painted only in some meshes.
  Index find_original_material(Index material) const {
    if (material == k_none) return material;
    const scene::Material& copy = s_.materials[material];
    const std::string_view name = scene::strip_copy_suffix(copy.name);
    if (name == copy.name || is_material_animated(s_, material, true) || is_material_animated(s_, material, false))
      return material;
    for (Index i = 0; i < s_.materials.size(); ++i) {
      if (s_.materials[i].name != name) continue;
      scene::Material renamed = s_.materials[i];
      renamed.name = copy.name;
      if (renamed == copy) return i;
    }
    return material;
  }

  Result<u32> find_or_build_material(Index given) {
    const Index material = find_original_material(given);
    const auto [known, is_new] = look_numbers_.try_emplace(material, u32(used_.size()));
    if (is_new) {
      auto look = looks_.find_or_build_material(material);
      if (!look) return refuse(std::move(look.error()));
      used_.push_back(std::move(*look));
      used_.back().material.name =
          names_of_materials_(material == k_none ? "" : s_.materials[material].name, "material");
    }
    return known->second;
  }

  u16 find_or_add_matrix(const VertexInfluences& f) {
    const auto [known, is_new] = matrix_numbers_.try_emplace(f, u16(matrices_.size()));
    if (is_new) matrices_.push_back(f);
    return known->second;
  }

  void add_primitive(Index node, const scene::Primitive& p, const std::vector<Index>& corners, u32 look) {
    const scene::Node& n = s_.nodes[node];
    const bool skinned = n.skin != k_none && !p.joints.empty();
    std::vector<u16> matrices(p.positions.size());
    std::vector<Affine> binds;
    std::vector<u32> joints;
    Affine to_bone;
    const u32 bone = skeleton_.bone_of(node);
    if (skinned) {
      const scene::Skin& skin = s_.skins[n.skin];
      for (size_t j = 0; j < skin.joints.size(); ++j) {
        Affine bind;
        const scene::Mat4& m = skin.inverse_bind[j];
        for (size_t c = 0; c < 3; ++c)
          for (size_t i = 0; i < 3; ++i) bind.linear.columns[c][i] = m[4 * c + i];
        for (size_t i = 0; i < 3; ++i) bind.origin[i] = f64(m[12 + i]) * settings_.units;
        binds.push_back(bind);
        joints.push_back(k_none);
      }
      for (size_t v = 0; v < p.positions.size(); ++v) {
        VertexInfluences f = quantize_influences(p.joints[v], p.weights[v], [&](u16 j) {
          if (joints[j] == k_none) joints[j] = skeleton_.find_or_add_joint(skin.joints[j], binds[j]);
          return joints[j];
        });
        matrices[v] = find_or_add_matrix(f);
      }
    } else {
      to_bone = skeleton_.to_bone(node);
      std::ranges::fill(matrices, find_or_add_matrix({{u16(bone), 256}}));
    }
    const Affine whole = skinned ? Affine() : skeleton_.node_transform(node);
    const bool mirrored = !skinned && scene::determinant(whole.linear) < 0;
    const NsbmdMaterial& l = used_[look];
    // A DS vertex either has a colour or is lit. Painted vertices are not lit, unless their colour came from the
    // lights.
    const auto is_painted = [&](const scene::Vec4& c) { return to_ds_color(c) != l.full; };
    const bool may_be_lit = l.lit && !p.normals.empty() && (l.stated || std::ranges::none_of(p.colors, is_painted));
    Part& part = find_or_add_part(look, skinned ? k_none : bone, skeleton_.is_billboard_node(node));
    part.has_uvs |= l.width && !p.uvs.empty() && !l.maps();
    const auto turn = inverse_transpose(to_bone.linear);
    const size_t first = part.corners.size();
    for (size_t i = 0; i < corners.size(); ++i) {
      const size_t triangle = i / 3 * 3, k = i % 3;
      const Index v = corners[mirrored && k ? triangle + 3 - k : i];
      UnquantizedVertex c;
      const scene::Vec3& at = p.positions[v];
      c.position = {at[0] * settings_.units, at[1] * settings_.units, at[2] * settings_.units};
      c.matrix = matrices[v];
      Mat3d turns = turn;
      if (!skinned) {
        Affine in_units = to_bone;
        for (f64& x : in_units.origin) x *= settings_.units;
        c.position = in_units * c.position;
      } else if (matrices_[c.matrix].size() == 1) {
        const Affine& bind = *skeleton_.bones()[matrices_[c.matrix][0].bone].bind;
        c.position = bind * c.position;
        turns = inverse_transpose(bind.linear);
      }
      if (!p.normals.empty()) {
        const Point t = scene::unit(turns * Point{p.normals[v][0], p.normals[v][1], p.normals[v][2]});
        c.normal = {f32(t[0]), f32(t[1]), f32(t[2])};
      }
      if (!p.colors.empty()) c.color = p.colors[v];
      c.is_lit = may_be_lit && !is_painted(c.color);
      if (!p.uvs.empty()) c.uv = transform_uv(l.transform, p.uvs[v]);
      // 16-bit numbers reach one step further below 0 than above.
      for (const f64 x : c.position)
        if (const f64 far = x < 0 ? -x : x * (32768.0 / 32767); far > largest_) largest_ = far, farthest_ = node;
      part.corners.push_back(c);
    }
    wrap_uvs_toward_zero(part, first, l);
  }

  /// Rounds the weights of two or more bones to whole 256ths with a sum of 1.
  static VertexInfluences quantize_influences(const std::array<u16, 4>& joints, const scene::Vec4& weights,
                                              const std::function<u32(u16)>& bone_of) {
    std::map<u32, f64> sums;
    f64 all = 0;
    for (size_t k = 0; k < 4; ++k)
      if (weights[k] > 0) sums[bone_of(joints[k])] += weights[k], all += weights[k];
    VertexInfluences out;
    u32 left = 256;
    for (const auto& [bone, w] : sums) {
      const u32 weight = std::min<u32>(left, u32(std::lround(w / all * 256)));
      if (!weight) continue;
      out.push_back({u16(bone), u16(weight)});
      left -= weight;
    }
    if (out.empty()) out.push_back({u16(sums.empty() ? 0 : sums.begin()->first), 256}), left = 0;
    std::ranges::max_element(out, {}, &Influence::weight)->weight += u16(left);
    return out;
  }

  static Mat3d inverse_transpose(const Mat3d& m) {
    const auto inverse = scene::inverse(m);
    if (!inverse) return m;
    Mat3d out;
    for (size_t c = 0; c < 3; ++c)
      for (size_t i = 0; i < 3; ++i) out.columns[c][i] = inverse->columns[i][c];
    return out;
  }
  static scene::Vec2 transform_uv(const scene::TextureTransform& t, const scene::Vec2& uv) {
    if (t == scene::TextureTransform()) return uv;
    const f64 u = f64(uv[0]) * t.scale[0], v = f64(uv[1]) * t.scale[1], c = elementary::cos(t.rotation),
              s = elementary::sin(t.rotation);
    return {f32(c * u + s * v + t.offset[0]), f32(-s * u + c * v + t.offset[1])};
  }

  /// Moves texture coordinates of a primitive by whole repetitions towards 0, so that more of them fit in 16 bits.
  void wrap_uvs_toward_zero(Part& part, size_t first, const NsbmdMaterial& l) {
    if (!l.width) return;
    for (size_t axis = 0; axis < 2; ++axis) {
      if (!(axis ? l.repeats_v : l.repeats_u)) continue;
      const f64 texels = axis ? l.height : l.width;
      f64 low = 1e30, high = -1e30;
      for (size_t i = first; i < part.corners.size(); ++i)
        low = std::min(low, f64(part.corners[i].uv[axis])), high = std::max(high, f64(part.corners[i].uv[axis]));
      if (low * texels >= -2048 && high * texels * 16 <= 32767) continue;
      for (size_t i = first; i + 2 < part.corners.size(); i += 3) {  // each triangle by itself
        f64 middle = 0;
        for (size_t k = 0; k < 3; ++k) middle += part.corners[i + k].uv[axis] / 3.0;
        const f32 by = f32(2 * std::round(middle / 2));
        for (size_t k = 0; k < 3; ++k) part.corners[i + k].uv[axis] -= by;
      }
    }
  }

  /// The part that is drawn with a look, for a bone or for skins.
  Part& find_or_add_part(u32 look, Index bone, bool turned) {
    const auto [known, is_new] = part_numbers_.try_emplace({bone, turned, look}, parts_.size());
    if (is_new) parts_.push_back({.look = look, .corners = {}});
    return parts_[known->second];
  }

  // ---- the model ----

  bool choose_pos_scale() {
    f64 scale = 1;
    while (largest_ / scale * 4096 > 32768 && scale < 4096) scale *= 2;
    model_.pos_scale = to_fx32(scale), model_.inverse_pos_scale = to_fx32(1 / scale);
    return scale <= 2048;
  }

  void build_nodes() {
    Names names;
    for (u32 bone = 0; bone < skeleton_.bones().size(); ++bone) {
      const Bone& b = skeleton_.bones()[bone];
      std::string_view name = b.node == k_none ? model_.name : std::string_view(s_.nodes[b.node].name);
      scene::Pose pose;
      if (skeleton_.has_own_node(bone)) {
        scene::Node n = s_.nodes[b.node];
        n.rotation = s_.nodes[skeleton_.rotation_node(bone)].rotation,
        n.scale = s_.nodes[skeleton_.rotation_node(bone)].scale;
        pose = scene::decompose_trs(n);
        if (!skeleton_.inherits_parent_transform(bone)) pose = scene::decompose_trs(b.place).value_or(pose);
        if (b.inner != k_none) model_.scaling_rule = 1;
      }
      for (f32& x : pose.translation) x = f32(x * settings_.units);
      model_.nodes.push_back(build_node(names(name, "node"), pose));
    }
    changed_names_ += names.changed();
    if (std::ranges::any_of(matrices_, [](const VertexInfluences& f) { return f.size() > 1; }))
      for (const Bone& b : skeleton_.bones()) model_.envelopes.push_back(build_envelope(b));
  }

  Envelope build_envelope(const Bone& b) const {
    Envelope e{};
    const Affine bind = b.bind.value_or(Affine());
    const Mat3d normal = inverse_transpose(bind.linear);
    for (size_t c = 0; c < 3; ++c)
      for (size_t i = 0; i < 3; ++i) {
        e.inverse_bind[3 * c + i] = to_fx32(bind.linear.columns[c][i]);
        e.inverse_normal[3 * c + i] = to_fx32(normal.columns[c][i]);
      }
    for (size_t i = 0; i < 3; ++i) e.inverse_bind[9 + i] = to_fx32(bind.origin[i]);
    return e;
  }

  /// Adds materials in name order, with their textures and palettes.
  void build_materials() {
    std::vector<u32> order(used_.size());
    for (u32 i = 0; i < order.size(); ++i) order[i] = i;
    sort_stably(order, {}, [&](u32 i) { return used_[i].material.name; });
    material_of_.resize(used_.size());
    std::map<std::string, Bytes> textures, palettes;
    for (const u32 i : order) {
      material_of_[i] = u8(model_.materials.size());
      model_.materials.push_back(used_[i].material);
      if (!used_[i].texture.empty()) textures[used_[i].texture].push_back(material_of_[i]);
      if (!used_[i].palette.empty()) palettes[used_[i].palette].push_back(material_of_[i]);
    }
    for (const auto& [from, to] : {std::pair(&textures, &model_.textures), {&palettes, &model_.palettes}})
      for (auto& [name, materials] : *from) {
        Pairing p{};
        p.name = name;
        p.materials = std::move(materials);
        to->push_back(std::move(p));
      }
  }

  SbcCommand make_sbc_command(u8 code, u8 options = 0) const {
    SbcCommand c{};
    c.code = code, c.options = options;
    return c;
  }

  /// Adds all nodes, each with its draws, then the skins. If all matrices fit, they stay in the stack; otherwise the
  /// matrices of each batch of triangles are computed again before the batch.
  std::optional<Diagnostic> build_sbc() {
    const auto& bones = skeleton_.bones();
    children_.resize(bones.size());
    for (u32 i = 1; i < bones.size(); ++i) children_[bones[i].parent].push_back(i);
    const auto first_skin = part_numbers_.lower_bound({k_none, false, 0});
    const auto all = [&](bool keeps) {
      model_.sbc.clear(), model_.shapes.clear();
      slot_.assign(bones.size(), {});
      stack_ = {};
      if (!emit_bone_commands(0, true, [&](u32 i) { return keeps ? bones[i].is_joint : i == 0; }, {})) return false;
      if (first_skin != part_numbers_.end()) emit_node_command(0);
      for (auto p = first_skin; p != part_numbers_.end(); ++p)
        if (!emit_skinned_draws(parts_[p->second], keeps)) return false;
      return true;
    };
    if (!all(true) && !all(false)) return no_slots_error();
    model_.sbc.push_back(make_sbc_command(sbc::ret));
    set_material_use_options();
    return {};
  }
  Diagnostic no_slots_error() const {
    return make_diagnostic("nitro.make-slots", find_most_jointed_object(),
                           {.message = text("the ", skeleton_.bones().size(),
                                            " nodes of the model need more than 31 matrices at a time")});
  }

  /// Places a bone, draws its parts, and continues with its children. `is_current`: the matrix of its parent is
  /// current. `is_kept`: matrices that stay in the stack. With `only`: places only these bones, without drawing. False
  /// if the stack is too small.
  bool emit_bone_commands(u32 i, bool is_current, const std::function<bool(u32)>& is_kept, std::span<const bool> only) {
    const Bone& b = skeleton_.bones()[i];
    std::vector<u32> children;
    for (const u32 child : children_[i])
      if (only.empty() || only[child]) children.push_back(child);
    const bool is_turned = b.turns != Bone::Turns::no && only.empty();
    const bool stores = is_kept(i) || children.size() > 1 || (is_turned && !children.empty());
    SbcCommand place = make_sbc_command(sbc::nodedesc);
    place.index = u8(i), place.parent = u8(i ? b.parent : 0);
    // Scale compensation: 1 if the node compensates, 2 if a child node does.
    const auto undoes = [&](u32 bone) { return skeleton_.bones()[bone].inner != k_none; };
    place.flags = u8(undoes(i) | (std::ranges::any_of(children_[i], undoes) ? 2 : 0));
    slot_[i].reset();
    if (stores) {
      slot_[i] = stack_.allocate_slot();
      if (!slot_[i]) return false;
      place.options |= sbc::k_store, place.store = *slot_[i];
    }
    if (!is_current) place.options |= sbc::k_load, place.load = *slot_[b.parent];
    model_.sbc.push_back(place);
    if (only.empty()) emit_bone_parts(i, false);
    if (is_turned) {
      emit_node_command(i);
      SbcCommand turn = make_sbc_command(b.turns == Bone::Turns::fully ? sbc::bb : sbc::bby);
      turn.index = u8(i);
      model_.sbc.push_back(turn);
      emit_bone_parts(i, true);
    }
    bool current = !is_turned;
    for (const u32 child : children) {
      if (!emit_bone_commands(child, current, is_kept, only)) return false;
      current = false;
    }
    if (slot_[i] && !is_kept(i)) stack_.free_slot(*slot_[i]);
    return true;
  }

  /// The following draws share the visibility of a node.
  void emit_node_command(u32 bone) {
    SbcCommand c = make_sbc_command(sbc::node);
    c.index = u8(bone), c.visible = skeleton_.is_visible(bone);
    model_.sbc.push_back(c);
  }
  /// Draws the parts of a bone.
  void emit_bone_parts(u32 bone, bool turned) {
    const auto first = part_numbers_.lower_bound({bone, turned, 0});
    const auto is_one = [&](auto p) {
      return p != part_numbers_.end() && std::get<0>(p->first) == bone && std::get<1>(p->first) == turned;
    };
    if (!is_one(first)) return;
    if (!turned) emit_node_command(bone);
    const bool scales = model_.pos_scale.raw != 4096;
    if (scales) model_.sbc.push_back(make_sbc_command(sbc::posscale));
    for (auto p = first; is_one(p); ++p) emit_draw(parts_[p->second], {}, {});
    if (scales) model_.sbc.push_back(make_sbc_command(sbc::posscale, sbc::k_store));
  }

  /// Adds a shape of some triangles of a part (empty: all) and the commands that draw it.
  void emit_draw(const Part& part, std::span<const u32> triangles, const std::function<u8(u16)>& slot_of) {
    const NsbmdMaterial& look = used_[part.look];
    std::vector<Vertex> vertices;
    std::map<Vertex, u32> numbers;
    std::vector<u32> corners;
    const f64 scale = model_.pos_scale.value() / 4096;
    const auto add = [&](const UnquantizedVertex& c) {
      Vertex v{};
      for (size_t i = 0; i < 3; ++i)
        v.position[i] = i16(std::clamp(std::lround(c.position[i] / scale), -32768l, 32767l));
      if (part.has_uvs)
        for (size_t i = 0; i < 2; ++i) {
          const f64 texels = f64(c.uv[i]) * (i ? look.height : look.width) * 16;
          if (!(std::fabs(texels) < 32768)) ++far_uvs_[look.material.name];
          v.texcoord[i] = i16(std::clamp(std::round(texels), -32768.0, 32767.0));
        }
      v.is_lit = c.is_lit;
      v.has_normal = c.is_lit || look.maps_normals();
      if (v.has_normal)
        for (size_t i = 0; i < 3; ++i) v.normal[i] = i16(std::clamp(std::lround(c.normal[i] * 512), -512l, 511l));
      if (!c.is_lit) {
        scene::Vec4 color = c.color;
        for (size_t i = 0; i < 3; ++i) color[i] *= look.stated ? 1 : look.color[i];
        v.color = to_ds_color(color);
      }
      v.matrix = c.matrix;
      const auto [known, is_new] = numbers.try_emplace(v, u32(vertices.size()));
      if (is_new) vertices.push_back(v);
      corners.push_back(known->second);
    };
    if (triangles.empty())
      for (const UnquantizedVertex& c : part.corners) add(c);
    for (const u32 t : triangles)
      for (size_t k = 0; k < 3; ++k) add(part.corners[3 * t + k]);
    const auto is_quad = [&](const std::array<u32, 4>& q) { return is_planar_convex_quad(vertices, q); };
    auto runs = scene::build_primitive_runs(
        corners, settings_.quads ? std::function<bool(const std::array<u32, 4>&)>(is_quad) : nullptr);
    if (runs.empty()) return;
    if (slot_of)  // group triangles with the same matrix
      sort_stably(runs, [&](const scene::PrimitiveRun& a, const scene::PrimitiveRun& b) {
        return vertices[a.vertices[0]].matrix < vertices[b.vertices[0]].matrix;
      });
    Shape shape{};
    shape.name = "polygon" + std::to_string(model_.shapes.size());
    shape.list = write_display_list(runs, vertices,
                                    {.texcoords = part.has_uvs,
                                     .color = look.color_moves ? std::optional(look.material.diffuse) : std::nullopt,
                                     .slot_of = slot_of,
                                     .pos_scale = model_.pos_scale});
    SbcCommand material = make_sbc_command(sbc::mat), shows = make_sbc_command(sbc::shp);
    material.index = material_of_[part.look], shows.index = u8(model_.shapes.size());
    model_.sbc.push_back(material);
    if (look.maps()) {  // for the next shape only
      SbcCommand map = make_sbc_command(look.maps_normals() ? sbc::envmap : sbc::prjmap);
      map.index = material.index;
      model_.sbc.push_back(map);
    }
    model_.sbc.push_back(shows);
    model_.shapes.push_back(std::move(shape));
  }

  /// False if the stack is too small. `are_there`: the stack already has the matrices of all joints.
  bool emit_skinned_draws(const Part& part, bool are_there) {
    constexpr u32 k_mixes = 0x100;  // mixes are numbered after bones
    std::vector<std::vector<u32>> needs(part.corners.size() / 3);
    for (size_t i = 0; i < part.corners.size(); ++i) {
      const VertexInfluences& f = matrices_[part.corners[i].matrix];
      if (f.size() > 1) needs[i / 3].push_back(k_mixes + part.corners[i].matrix);
      if (!are_there)
        for (const Influence& influence : f) needs[i / 3].push_back(influence.bone);
    }
    // Each branch on the path to a bone also needs a slot.
    const size_t left = stack_.free_slot_count(),
                 most = are_there ? left : left - std::min<size_t>(branching_depth(0), left / 2);
    for (const std::vector<u32>& batch : split_into_batches(needs, most)) {
      std::set<u32> has;
      for (const u32 t : batch) has.insert(needs[t].begin(), needs[t].end());
      const auto is_needed = [&](u32 bone) { return has.contains(bone); };
      if (!are_there && !recompute_matrices(is_needed)) return false;
      std::map<u16, u8> slots;
      for (const u32 t : batch)
        for (size_t k = 0; k < 3; ++k) {
          const u16 m = part.corners[3 * t + k].matrix;
          if (slots.contains(m)) continue;
          if (matrices_[m].size() == 1) {
            slots[m] = *slot_[matrices_[m][0].bone];
          } else {
            const auto slot = stack_.allocate_slot();
            if (!slot) return false;
            emit_blend(m, slots[m] = *slot);
          }
        }
      emit_draw(part, batch, [&](u16 m) { return slots.at(m); });
      for (const auto& [m, slot] : slots)
        if (matrices_[m].size() > 1) stack_.free_slot(slot);
      if (!are_there)
        for (const u32 bone : has)
          if (bone && bone < k_mixes) stack_.free_slot(*slot_[bone]);
    }
    return true;
  }
  /// Computes and stores the matrices of some bones. The matrix of the first bone must still be stored, because it
  /// starts from the matrix that the game set, which drawing overwrites.
  bool recompute_matrices(const std::function<bool(u32)>& is_needed) {
    const auto& bones = skeleton_.bones();
    const std::unique_ptr<bool[]> only(new bool[bones.size()]());
    for (u32 i = u32(bones.size()); i-- > 0;) {
      only[i] = only[i] || is_needed(i);
      if (only[i]) only[bones[i].parent] = true;
    }
    return std::ranges::all_of(children_[0], [&](u32 child) {
      return !only[child] || emit_bone_commands(child, false, is_needed, {only.get(), bones.size()});
    });
  }
  /// The greatest number of bones with several children on one path.
  size_t branching_depth(u32 i) const {
    size_t most = 0;
    for (const u32 child : children_[i]) most = std::max(most, branching_depth(child));
    return most + (children_[i].size() > 1);
  }
  void emit_blend(u16 matrix, u8 slot) {
    SbcCommand c = make_sbc_command(sbc::nodemix);
    c.store = slot;
    for (const Influence& i : matrices_[matrix])
      c.mix.push_back({*slot_[i.bone], u8(i.bone), u8(std::min<u16>(i.weight, 255))});
    model_.sbc.push_back(std::move(c));
  }

  /// Marks each material use as the only one, one of several, or the last one, because the game caches computed
  /// material values.
  void set_material_use_options() {
    std::map<u8, size_t> last;
    for (size_t i = 0; i < model_.sbc.size(); ++i)
      if (model_.sbc[i].code == sbc::mat) {
        const auto [known, is_new] = last.try_emplace(model_.sbc[i].index, i);
        if (is_new) continue;
        model_.sbc[known->second].options = 1;
        model_.sbc[i].options = 2;
        known->second = i;
      }
  }

  using Counts = std::map<std::string, u64>;  // by object or material name
  /// The names with the largest counts: "Road (3200), Trees (900) and 4 more".
  static std::string format_largest_counts(const Counts& counts) {
    constexpr size_t k_named = 3;
    std::vector<std::pair<u64, std::string_view>> sorted;
    for (const auto& [name, count] : counts) sorted.emplace_back(count, name);
    sort_stably(sorted, std::greater(), [](const auto& x) { return x.first; });
    std::string out;
    for (size_t i = 0; i < std::min(sorted.size(), k_named); ++i)
      out += text(i ? ", " : "", sorted[i].second.empty() ? "an unnamed object" : sorted[i].second, " (",
                  sorted[i].first, ")");
    return sorted.size() > k_named ? text(out, " and ", sorted.size() - k_named, " more") : out;
  }

  void add_import_notes() {
    const auto note = [&](Severity severity, std::string_view id, std::string message) {
      made_.notes.push_back(make_diagnostic(severity, id, {}, {.message = std::move(message)}));
    };
    if (largest_ < k_small)
      note(Severity::hint, "nitro.make-small",
           text("the model reaches only ", std::round(largest_ * 1000) / 1000,
                " units from its nodes, but positions are stored in steps of 1/4096 unit; {--units-per-metre} makes "
                "the model larger"));
    const auto sum_counts = [](const Counts& counts) {
      u64 n = 0;
      for (const auto& [name, count] : counts) n += count;
      return n;
    };
    if (const u64 n = sum_counts(others_))
      note(Severity::hint, "nitro.make-shapes",
           text("omitted ", format_count(n, "point or line primitive"), ": ", format_largest_counts(others_)));
    if (const u64 n = sum_counts(far_uvs_))
      note(Severity::warning, "nitro.make-uvs",
           text("moved ", format_count(n, "texture coordinate"),
                " beyond 2,048 texels to the nearest value that can be stored: ", format_largest_counts(far_uvs_)));
    ShapeFacts facts;
    for (const SbcCommand& c : model_.sbc)
      if (c.code == sbc::shp) facts += analyze_display_list(model_.shapes[c.index].list);
    if (facts.triangles + facts.quads > k_frame_polygons || facts.vertices > k_frame_vertices)
      note(Severity::hint, "nitro.make-heavy",
           text("the model has ", facts.triangles + facts.quads, " polygons and ", facts.vertices,
                " vertices, but the DS draws at most ", k_frame_polygons, " polygons and ", k_frame_vertices,
                " vertices per frame; most triangles are in ", format_largest_counts(triangles_)));
    if (const auto moved = skeleton_.list_renumbered_bones(); !moved.empty()) {
      const auto& [bone, before] = moved.front();
      note(Severity::warning, "nitro.make-order",
           text(format_count(moved.size(), "node"),
                moved.size() == 1 ? " has a different number" : " have different numbers",
                " than in the exported model; for example, \"", model_.nodes[bone].name, "\" is node ", bone,
                " instead of node ", before, "; animations for the exported model no longer fit"));
    }
    if (const u32 n = changed_names_ + names_of_materials_.changed())
      note(Severity::hint, "nitro.make-names",
           text("shortened or numbered ", format_count(n, "name"), " of nodes, materials or textures"));
  }

  std::vector<BuiltMaterial> list_built_materials() const {
    std::vector<BuiltMaterial> out;
    for (const auto& [index, look] : look_numbers_)
      if (index != k_none) out.push_back({index, &used_[look].material, used_[look].lit});
    return out;
  }

  Result<Made> add_animation_files(Result<std::vector<BuiltFile>> patterns) {
    const std::vector<BuiltMaterial> materials = list_built_materials();
    Result<std::vector<BuiltFile>> kinds[] = {
        build_nsbca(s_, skeleton_, settings_.units, clips_, made_.notes), std::move(patterns),
        build_nsbta(s_, materials, settings_.looks.matrix_mode, clips_, made_.notes),
        build_nsbma(s_, materials, clips_), build_nsbva(s_, skeleton_, clips_)};
    for (auto& files : kinds) {
      if (!files) return refuse(std::move(files.error()));
      for (BuiltFile& f : *files) made_.files.push_back(std::move(f));
    }
    clips_.report();
    return std::move(made_);
  }

  const scene::Scene s_;
  const Settings settings_;
  Made made_;
  Skeleton skeleton_;
  NsbmdMaterialBuilder looks_;
  SceneClips clips_;
  Names names_, names_of_materials_;
  std::map<Index, u32> look_numbers_;
  std::vector<NsbmdMaterial> used_;
  std::vector<u8> material_of_;  // by look
  std::map<VertexInfluences, u16> matrix_numbers_;
  std::vector<VertexInfluences> matrices_;
  /// By bone (k_none: skins), whether they turn to the camera, and look.
  std::map<std::tuple<Index, bool, u32>, size_t> part_numbers_;
  std::vector<Part> parts_;
  std::vector<std::vector<u32>> children_;
  std::vector<std::optional<u8>> slot_;  // of the matrix of each bone
  MatrixStack stack_;
  Model model_{};
  f64 largest_ = 0;     // coordinate
  Index farthest_ = 0;  // scene node with that coordinate
  Counts others_, far_uvs_, triangles_;
  u32 changed_names_ = 0;
};

/// The texture matrix mode of the exported model, if the scene has one.
u8 find_texture_matrix_mode(const scene::Scene& s) {
  std::optional<std::string_view> mode;
  for (const scene::Node& n : s.nodes) {
    if (scene::read_text_extra(n.extras, "kind") != "nitro.model") continue;
    if (mode) return 0;
    mode = scene::read_text_extra(n.extras, "texture_matrices");
  }
  for (const EnumName& w : k_texture_matrix_modes.words)
    if (mode == w.word) return u8(w.value);
  return 0;
}

}  // namespace

Result<Made> make_model(const scene::Scene& given, std::span<const Argument> all) {
  Arguments a(all);
  Settings settings;
  if (a.has("units-per-metre")) settings.units = a.number("units-per-metre", 1e-3, 1e6);
  if (a.has("frames")) settings.frames_per_second = u32(a.whole("frames", 1, 1000));
  const auto either = [&](const char* name, std::string_view one,
                          std::string_view other) {  // whether the argument has the second value
    if (!a.has(name)) return false;
    const std::string_view said = a.text(name);
    if (said != one && said != other)
      a.refuse({.message = text(name, " must be ", one, " or ", other, ", not ", dio::given(said))});
    return said == other;
  };
  if (a.has("largest-texture")) settings.looks.largest = u32(a.whole("largest-texture", 8, 1024));
  settings.quads = !either("quads", "yes", "no");
  settings.clips_together = either("clips", "apart", "together");
  settings.textures_apart = either("textures", "inside", "apart");
  if (a.has("texture-format")) {
    const std::string_view said = a.text("texture-format");
    const auto known = std::ranges::find(k_format_names, said);
    if (known == std::end(k_format_names))
      a.refuse({.message = text("texture-format must be auto, a3i5, palette4, palette16, palette256, block4x4, a5i3 or "
                                "direct, not ",
                                dio::given(said))});
    else if (known != std::begin(k_format_names))
      settings.looks.format = u8(known - std::begin(k_format_names));
  }
  if (!a.done()) {
    a.problem->id = "make.argument";
    return refuse(*std::move(a.problem));
  }
  if (auto fault = scene::validation_error(given)) return refuse(std::move(*fault));
  settings.units *= f64(given.metres_per_unit);
  if (std::abs(settings.units - 1) < 1e-6) settings.units = 1;  // exported models keep their positions
  settings.looks.matrix_mode = find_texture_matrix_mode(given);
  return NsbmdBuilder(without_alternate_pictures(given), settings).run();
}

}  // namespace dio::nitro
