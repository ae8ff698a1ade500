// scene.cpp: converts a model to a scene: nodes, meshes, and the binding of vertices to nodes.
#include <algorithm>
#include <set>
#include <utility>

#include "console/rgb555.hpp"
#include "core/sorting.hpp"
#include "formats/contract/companions.hpp"
#include "formats/contract/scenes.hpp"
#include "formats/nitro/parts.hpp"
#include "formats/nitro/pictures/texels.hpp"
#include "formats/nitro/scene/builder.hpp"
#include "scene/extras.hpp"
#include "scene/transforms.hpp"

namespace dio::nitro {
namespace {

using scene::k_none;

scene::Vec3 to_f32(const Point& p) { return {f32(p[0]), f32(p[1]), f32(p[2])}; }

constexpr Point k_ones{1, 1, 1};

/// The transform of normals for the transform `m` of positions.
Mat3d normal_matrix(const Mat3d& m) {
  return {{scene::cross(m.columns[1], m.columns[2]), scene::cross(m.columns[2], m.columns[0]),
           scene::cross(m.columns[0], m.columns[1])}};
}
scene::Vec3 rotate_normal(const Mat3d& m, const std::array<f32, 3>& n) {
  const Point p = m * Point{n[0], n[1], n[2]};
  return scene::unit(p[0], p[1], p[2], {n[0], n[1], n[2]});
}

bool uses_any_light(const Material& m) {
  constexpr u32 k_light_bits = 15;
  // Bits that the mask leaves to the game are most likely set.
  return m.light_0 || m.light_1 || m.light_2 || m.light_3 || (m.polygon_mask & k_light_bits) != k_light_bits;
}

/// The vertex colour that NORMAL computes from the material and the lights.
u16 compute_lit_color(const Material& m, const Lighting& lighting, const Point& normal) {
  const bool on[4] = {m.light_0 != 0, m.light_1 != 0, m.light_2 != 0, m.light_3 != 0};
  std::array<f64, 3> diffuse{}, shine{}, ambient{};
  for (size_t i = 0; i < 4; ++i) {
    const Lighting::Light& l = lighting.lights[i];
    if (!on[i] || !l.on) continue;
    const f64 facing = std::max(0.0, -scene::dot(l.direction, normal));
    const Point half = scene::unit(
        {l.direction[0] + lighting.sight[0], l.direction[1] + lighting.sight[1], l.direction[2] + lighting.sight[2]});
    const f64 c = std::max(0.0, -scene::dot(half, normal));
    const f64 shining = std::max(0.0, 2 * c * c - 1);
    const auto color = console::channels_of(l.color);
    for (size_t k = 0; k < 3; ++k) {
      const f64 strength = f64(color[k]) / 31;
      diffuse[k] += facing * strength;
      shine[k] += shining * strength;
      ambient[k] += strength;
    }
  }
  const auto emission = console::channels_of(m.emission), own_ambient = console::channels_of(m.ambient),
             own_diffuse = console::channels_of(m.diffuse), specular = console::channels_of(m.specular);
  console::Channels out{};
  for (size_t k = 0; k < 3; ++k) {
    const f64 sum =
        f64(emission[k]) + own_ambient[k] * ambient[k] + own_diffuse[k] * diffuse[k] + specular[k] * shine[k];
    out[k] = u8(std::clamp(sum, 0.0, 31.0));
  }
  return console::word_of(out);
}

}  // namespace

Lighting default_lighting() {
  Lighting out;
  constexpr std::array<Point, 4> k_directions{Point{-0.4, -0.8, -0.4472}, Point{0.4, -0.8, -0.4472},
                                              Point{-0.4, -0.8, 0.4472}, Point{0.4, -0.8, 0.4472}};
  for (size_t i = 0; i < 4; ++i) out.lights[i] = {.on = true, .direction = k_directions[i]};
  return out;
}

ModelBuilder::ModelBuilder(const Model& m, const Setting& setting, Program program)
    : m_(m),
      setting_(setting),
      path_(setting_.path),
      motions_(setting.motions),
      surfaces_(setting.surfaces),
      s_(setting.scene),
      program_(std::move(program)),
      rest_(rest_pose(m)),
      matrices_(compute_matrices(program_, m, rest_)),
      anchors_(program_.matrices.size()),
      bindings_(program_.matrices.size()) {}

void ModelBuilder::add_note(const char* id, const std::string& path, DiagnosticText said) {
  setting_.notes.push_back(
      make_diagnostic(Severity::warning, id, path.empty() ? path_ : path_ + "." + path, std::move(said)));
}

scene::Index ModelBuilder::build() {
  root_ = add_node(m_.name, setting_.parent);
  Value& extras = s_.nodes[root_].extras = Value::object();
  extras.add("kind", "nitro.model");
  extras.add("path", path_);
  extras.add("pos_scale", f32(m_.pos_scale.value()));
  extras.add("scaling_rule", k_scaling_rules.of(m_.scaling_rule));
  extras.add("texture_matrices", k_texture_matrix_modes.of(m_.texture_matrix_mode));
  if (setting_.sources) numbers_.emplace(m_);
  bound_ = surfaces_.bind_textures(m_, path_);
  names_ = names_by_material(m_);
  looks_.resize(m_.materials.size());
  find_animated_materials();
  build_nodes();
  for (u32 i = 0; i < program_.matrices.size(); ++i)  // blends first, because they decide where joints are bound
    if (program_.matrices[i].kind == MatrixStep::Kind::mix) find_or_build_binding(i);
  for (const Draw& d : program_.draws) add_draw(d);
  if (skin_ != k_none)
    for (const Joint& j : joints_) {
      s_.skins[skin_].joints.push_back(j.node);
      s_.skins[skin_].inverse_bind.push_back(scene::to_matrix(j.inverse_bind));
    }
  add_animations();
  return root_;
}

// ---- nodes ----

scene::Index ModelBuilder::add_node(std::string name, Index parent) {
  scene::Node n;
  n.name = std::move(name);
  n.parent = parent;
  s_.nodes.push_back(std::move(n));
  return Index(s_.nodes.size() - 1);
}

/// The parent node for a matrix that starts from the given one.
scene::Index ModelBuilder::find_attachment_node(u32 matrix) {
  const NodeChain a = anchors_[matrix];
  if (a.scale == 1 || a.hang == k_none) return a.hang == k_none ? root_ : a.hang;
  const Index scaled = add_node(s_.nodes[a.hang].name + " scaled", a.hang);
  const f32 s = f32(a.scale);
  s_.nodes[scaled].scale = {s, s, s};
  return scaled;
}

void ModelBuilder::build_nodes() {
  std::vector<Point> scales;
  if (m_.scaling_rule == 2) scales = cumulative_scales(m_, rest_, false);
  for (u32 i = 0; i < program_.matrices.size(); ++i) {
    const MatrixStep& s = program_.matrices[i];
    NodeChain& a = anchors_[i];
    if (s.scaled_from != k_unset) {  // needs no nodes of its own
      a = anchors_[s.scaled_from];
      a.scale *= s.scale / program_.matrices[s.scaled_from].scale;
      continue;
    }
    a.scale = s.scale;
    switch (s.kind) {
      case MatrixStep::Kind::identity:
        a.outer = a.draw = a.hang = root_;
        break;
      case MatrixStep::Kind::mix:
        break;
      case MatrixStep::Kind::billboard:
      case MatrixStep::Kind::billboard_y: {
        const bool y = s.kind == MatrixStep::Kind::billboard_y;
        const NodeChain& base = anchors_[s.base];
        a.outer = a.draw = a.hang =
            add_node((s.node < m_.nodes.size() ? m_.nodes[s.node].name : m_.name) + " billboard",
                     base.draw == k_none ? root_ : base.draw);
        a.scale *= base.scale;
        s_.nodes[a.draw].extras = Value::object();
        s_.nodes[a.draw].extras.add("kind", "nitro.billboard");
        s_.nodes[a.draw].extras.add("turns", y ? "about its y axis" : "fully");
        break;
      }
      case MatrixStep::Kind::node: {
        const LocalTransforms local = compute_local_transforms(s, rest_, scales);
        const std::string& name = m_.nodes[s.node].name;
        const bool undone = m_.scaling_rule == 1 && s.undo_parent_scale && s.parent != s.node;
        a.outer = a.draw = a.hang = add_node(name, find_attachment_node(s.base));
        if (undone) {
          a.draw = a.hang = add_node(name + " inner", a.outer);
          s_.nodes[a.draw].extras = Value::object();
          s_.nodes[a.draw].extras.add("kind", "nitro.inner");
        } else if (m_.scaling_rule == 2) {
          // Scales of this rule never reach children.
          bool scaled = local.inner_scale != k_ones;
          for (const auto& j : motions_.joints)
            for (const Track& t : j.animation->tracks) scaled |= t.scales();
          if (scaled) a.draw = add_node(name + " scaled", a.outer);
        }
        apply_transforms(a, local);
        Value& extras = s_.nodes[a.outer].extras = Value::object();
        extras.add("path", path_ + ".nodes[" + std::to_string(s.node) + "]");
        break;
      }
    }
  }
}

ModelBuilder::LocalTransforms ModelBuilder::compute_local_transforms(const MatrixStep& s, const Pose& pose,
                                                                     const std::vector<Point>& scales) const {
  const NodePose& n = pose[s.node];
  const bool has_parent = s.parent != s.node && s.parent < pose.size();
  LocalTransforms out;
  out.translation = n.translation;
  out.rotation = n.rotation;
  if (m_.scaling_rule == 2) {
    const Point parents = has_parent ? scales[s.parent] : k_ones;
    out.translation = product(n.translation, parents);
    out.inner_scale = product(parents, n.scale);
  } else if (m_.scaling_rule == 1 && s.undo_parent_scale && has_parent) {
    out.scale = pose[s.parent].inverse_scale;
    out.inner_scale = n.scale;
    out.turns_inside = true;
  } else
    out.scale = n.scale;
  return out;
}

void ModelBuilder::apply_transforms(const NodeChain& a, const LocalTransforms& local) {
  const scene::SignedRotation turn = scene::decompose_rotation(local.rotation);
  const scene::Vec4 rotation = scene::quaternion_of(turn);
  const auto scaled = [&](const Point& p, bool turns) {
    return to_f32(turns ? product(p, {turn.sign, turn.sign, turn.sign}) : p);
  };
  scene::Node& outer = s_.nodes[a.outer];
  outer.translation = to_f32(local.translation);
  outer.scale = scaled(local.scale, !local.turns_inside);
  if (!local.turns_inside) outer.rotation = rotation;
  if (a.draw == a.outer) return;
  scene::Node& inner = s_.nodes[a.draw];
  inner.scale = scaled(local.inner_scale, local.turns_inside);
  if (local.turns_inside) inner.rotation = rotation;
}

// ---- draws ----

/// A real scene has a hundredth of that; the limit protects against files crafted to draw one large list many times.
constexpr u64 k_most_corners = u64(1) << 20;

bool ModelBuilder::is_drawn(const Draw& d) const {
  if (d.material >= m_.materials.size()) return true;
  const Material& m = m_.materials[d.material];
  if (!m.show_front && !m.show_back) return false;
  return m.alpha || m.wireframe || color_moves_[d.material];
}

bool ModelBuilder::is_rigid(const Draw& d) const {
  const auto is_mix = [&](u32 matrix) { return program_.matrices[matrix].kind == MatrixStep::Kind::mix; };
  if (geometry_.one_matrix) return !is_mix(d.matrix);
  const Index node = geometry_.corners.empty() ? k_none : anchors_[geometry_.corners[0].matrix].draw;
  return std::ranges::all_of(geometry_.corners,
                             [&](const GxVertex& c) { return !is_mix(c.matrix) && anchors_[c.matrix].draw == node; });
}

void ModelBuilder::add_draw(const Draw& d) {
  if (!is_drawn(d)) {
    if (left_out_.insert(d.material).second)
      add_note("nitro.left-out", "materials[" + std::to_string(d.material) + "]",
               {.message = m_.materials[d.material].alpha ? "the material is omitted because it shows neither side"
                                                          : "the material is omitted because its alpha is 0",
                .hint = "the DS does not draw this material either"});
    return;
  }
  if (corners_ > k_most_corners) {
    if (!std::exchange(overflowed_, true))
      add_note("nitro.too-much-drawn", "sbc",
               {.message = "the model draws more than " + std::to_string(k_most_corners) +
                           " vertices; the scene omits the rest"});
    return;
  }
  const Material* material = d.material < m_.materials.size() ? &m_.materials[d.material] : nullptr;
  run_display_list(d, program_, material && material->vertex_color ? material->diffuse : 0x7FFF, geometry_,
                   material && material->wireframe);
  if (geometry_.indices.empty()) return;
  const bool skinned = !is_rigid(d);
  scene::Primitive p = build_primitive(d, material, skinned);
  const Index host = find_or_add_host_node(d, skinned);
  if (!material) return add_primitive_to_node(std::move(p), host);

  const bool moves = texture_moves_[d.material];
  const auto add_shape_to_node = [&](scene::Primitive shape, const BoundTexture& texture, Index node) {
    shape.material = find_or_build_material(d.material, texture);
    add_uvs(shape, d, *material, texture.texture, moves);
    add_primitive_to_node(std::move(shape), node);
    if (setting_.drawn) record_draw(d, skinned, node);
  };
  if (!changes_[d.material])
    return add_shape_to_node(std::move(p), bound_[d.material],
                             setting_.parts_lit ? find_or_add_part_node(host, d.material) : host);
  for (const MaterialVariant& look : std::vector<MaterialVariant>(looks_[d.material])) {
    if (corners_ > k_most_corners) break;
    const std::string name = look.texture.texture ? look.texture.texture->name : m_.materials[d.material].name;
    const Index node = add_node(m_.materials[d.material].name + " as " + name, skinned ? root_ : host);
    if (skinned) s_.nodes[node].skin = skin_;
    s_.nodes[node].visible = look.texture == bound_[d.material];
    s_.nodes[node].extras = Value::object();
    s_.nodes[node].extras.add("kind", "nitro.picture");
    variants_.push_back({d.material, look.texture, node});
    add_shape_to_node(p, look.texture, node);
  }
}

scene::Primitive ModelBuilder::build_primitive(const Draw& d, const Material* m, bool skinned) {
  scene::Primitive p;
  if (skinned)
    add_skinned_vertices(p);
  else
    add_rigid_vertices(p, d);
  if (m) add_colors(p, d, *m);
  if (numbers_) numbers_->add_sources(p, d, geometry_);
  p.indices = geometry_.indices;
  if (m && m->show_back && !m->show_front)
    for (size_t i = 0; i + 2 < p.indices.size(); i += 3) std::swap(p.indices[i + 1], p.indices[i + 2]);
  if (m && m->wireframe) {
    p.indices = geometry_.edges;
    p.shape = scene::Primitive::Shape::lines;
  }
  return p;
}

void ModelBuilder::add_rigid_vertices(scene::Primitive& p, const Draw& d) {
  p.positions.reserve(geometry_.corners.size());
  const bool has_normals = geometry_.has_normals;
  if (has_normals) p.normals.reserve(geometry_.corners.size());
  f32 scale = f32(anchors_[d.matrix].scale);
  for (const GxVertex& c : geometry_.corners) {
    if (!geometry_.one_matrix) scale = f32(anchors_[c.matrix].scale) * c.scale;
    p.positions.push_back({c.position[0] * scale, c.position[1] * scale, c.position[2] * scale});
    if (has_normals) p.normals.push_back(c.normal);
  }
}

void ModelBuilder::add_skinned_vertices(scene::Primitive& p) {
  if (skin_ == k_none) {
    skin_ = Index(s_.skins.size());
    s_.skins.emplace_back().name = m_.name;
  }
  u32 last = k_unset;
  Mat3d normals;
  for (const GxVertex& c : geometry_.corners) {
    const Binding& b = find_or_build_binding(c.matrix);
    if (c.matrix != last) normals = normal_matrix(b.to_bind.linear);
    last = c.matrix;
    const Point at =
        b.to_bind * Point{f64(c.position[0]) * c.scale, f64(c.position[1]) * c.scale, f64(c.position[2]) * c.scale};
    p.positions.push_back(to_f32(at));
    if (geometry_.has_normals) p.normals.push_back(rotate_normal(normals, c.normal));
    std::array<u16, 4> joints{};
    scene::Vec4 weights{};
    for (size_t i = 0; i < b.influences.size() && i < 4; ++i) {
      joints[i] = b.influences[i].joint;
      weights[i] = f32(b.influences[i].weight);
    }
    p.joints.push_back(joints);
    p.weights.push_back(weights);
  }
}

/// Flattens a blend: each of its nodes, with the transform between the vertex and the node.
void ModelBuilder::flatten_blend(u32 matrix, const Affine& behind, f64 weight, int depth,
                                 std::vector<std::pair<Joint, f64>>& out) const {
  const MatrixStep& s = program_.matrices[matrix];
  const f64 scale = s.kind == MatrixStep::Kind::mix ? s.scale : anchors_[matrix].scale;
  const Affine inner = Affine{scene::scaling({scale, scale, scale}), {0, 0, 0}} * behind;
  if (s.kind != MatrixStep::Kind::mix) {
    const Index node = anchors_[matrix].draw;
    out.push_back({{node == k_none ? root_ : node, inner}, weight});
    return;
  }
  if (depth > 8 || out.size() > 64) return;  // a damaged file: blends of blends of blends
  for (const MatrixStep::Part& part : s.mix)
    flatten_blend(part.matrix, envelope_matrix(m_.envelopes[part.node]) * inner, weight * part.weight, depth + 1, out);
}

u16 ModelBuilder::find_or_add_joint(const Joint& j) {
  bool taken = false;
  for (size_t i = 0; i < joints_.size(); ++i) {
    if (joints_[i].node != j.node) continue;
    if (joints_[i].inverse_bind == j.inverse_bind) return u16(i);
    taken = true;
  }
  joints_.push_back(j);
  // A node can be a joint only once: with another bind pose, a child node at the same position is used.
  if (taken) joints_.back().node = add_node(s_.nodes[j.node].name + " bound", j.node);
  return u16(joints_.size() - 1);
}

ModelBuilder::Binding& ModelBuilder::find_or_build_binding(u32 matrix) {
  Binding& b = bindings_[matrix];
  if (std::exchange(b.known, true)) return b;
  const MatrixStep& s = program_.matrices[matrix];
  const f64 scale = s.kind == MatrixStep::Kind::mix ? s.scale : anchors_[matrix].scale;
  const Affine scaled{scene::scaling({scale, scale, scale}), {0, 0, 0}};
  std::vector<std::pair<Joint, f64>> parts;
  if (s.kind == MatrixStep::Kind::mix) {
    for (const MatrixStep::Part& part : s.mix)
      flatten_blend(part.matrix, envelope_matrix(m_.envelopes[part.node]), part.weight, 0, parts);
    b.to_bind = scaled;
  }
  if (parts.empty()) {
    const Index node = anchors_[matrix].draw == k_none ? root_ : anchors_[matrix].draw;
    for (size_t i = 0; i < joints_.size(); ++i)
      if (joints_[i].node == node)
        if (const auto bind = scene::inverse(joints_[i].inverse_bind)) {
          b.influences.push_back({u16(i), 1});
          b.to_bind = *bind * scaled;
          return b;
        }
    const Affine world = matrices_[matrix] * Affine{scene::scaling({1 / scale, 1 / scale, 1 / scale}), {0, 0, 0}};
    const auto inverse = scene::inverse(world);
    b.influences.push_back({find_or_add_joint({node, inverse ? *inverse : Affine{}}), 1});
    b.to_bind = inverse ? world * scaled : scaled;
    return b;
  }
  sort_stably(parts, [](const auto& x, const auto& y) { return x.second > y.second; });
  if (parts.size() > 4) {
    add_note("nitro.many-weights", "sbc",
             {.message = "a blend has " + std::to_string(parts.size()) +
                         " matrices; the scene keeps only the 4 matrices with the largest weights"});
    parts.resize(4);
  }
  f64 sum = 0;
  for (const auto& [joint, weight] : parts) sum += weight;
  for (const auto& [joint, weight] : parts)
    b.influences.push_back({find_or_add_joint(joint), sum > 0 ? weight / sum : 1.0 / f64(parts.size())});
  return b;
}

void ModelBuilder::add_colors(scene::Primitive& p, const Draw& d, const Material& m) {
  constexpr u16 k_white = 0x7FFF;
  const u16 full = uses_any_light(m) ? full_light_color(m.diffuse, m.ambient, m.emission) : m.emission;
  const bool in_material = color_moves_[d.material] && only_lit_[d.material];
  const bool computed = setting_.lighting && uses_any_light(m);
  u32 last_matrix = k_unset;
  Mat3d turn;
  const auto color_of = [&](const GxVertex& c) -> u16 {
    if (!c.lit) return c.color;
    if (in_material) return k_white;
    if (!computed) return full;
    if (c.matrix != last_matrix) turn = normal_matrix(matrices_[c.matrix].linear);
    last_matrix = c.matrix;
    const scene::Vec3 n = rotate_normal(turn, c.normal);
    return compute_lit_color(m, *setting_.lighting, {n[0], n[1], n[2]});
  };
  bool white = true;
  for (const GxVertex& c : geometry_.corners)
    if (color_of(c) != k_white) {
      white = false;
      break;
    }
  if (white) return;
  p.colors.reserve(geometry_.corners.size());
  u16 last = k_white;
  scene::Vec4 linear = to_linear_color(last);
  for (const GxVertex& c : geometry_.corners) {
    if (const u16 color = color_of(c); color != last) linear = to_linear_color(last = color);
    p.colors.push_back(linear);
  }
}

/// The texture matrix in a model, with the size of the bound texture and that of the artist's texture.
TextureMatrix ModelBuilder::bound_texture_matrix(const Material& m, const Texture* texture,
                                                 const TextureSrt& srt) const {
  const f64 width = texture ? texture->width() : m.original_width,
            height = texture ? texture->height() : m.original_height;
  TextureMatrix t = texture_matrix(m_.texture_matrix_mode, srt, width / height);
  const f64 mag_u = texture && m.original_width ? f64(texture->original_width) / m.original_width : 1;
  const f64 mag_v = texture && m.original_height ? f64(texture->original_height) / m.original_height : 1;
  t.uu *= mag_u, t.uv *= mag_u, t.u0 *= mag_u;
  t.vu *= mag_v, t.vv *= mag_v, t.v0 *= mag_v;
  return t;
}

/// Without a texture, coordinates are for one of the size in the material, if it has any.
void ModelBuilder::add_uvs(scene::Primitive& p, const Draw& d, const Material& m, const Texture* texture, bool moves) {
  const f64 width = texture ? texture->width() : m.original_width;
  const f64 height = texture ? texture->height() : m.original_height;
  if (width == 0 || height == 0 || !(geometry_.has_texcoords || d.texgen != Draw::Texgen::material || texture)) return;
  p.uvs.clear();
  p.uvs.reserve(geometry_.corners.size());
  const bool maps = d.texgen != Draw::Texgen::material;
  if (maps) {  // for a view from the front; the game computes them for the current view
    Affine effect;
    if (m.has_effect) {
      for (size_t c = 0; c < 3; ++c)
        for (size_t i = 0; i < 3; ++i) effect.linear.columns[c][i] = m.effect[4 * c + i].value();
      for (size_t i = 0; i < 3; ++i) effect.origin[i] = m.effect[12 + i].value();
    }
    for (const GxVertex& c : geometry_.corners) {
      Point at;
      if (d.texgen == Draw::Texgen::sphere) {
        const scene::Vec3 n = rotate_normal(normal_matrix(matrices_[c.matrix].linear), c.normal);
        at = effect.linear * Point{n[0], n[1], n[2]};
      } else
        at = effect * (matrices_[c.matrix] *
                       Point{f64(c.position[0]) * c.scale, f64(c.position[1]) * c.scale, f64(c.position[2]) * c.scale});
      p.uvs.push_back({f32(0.5 + at[0] / 2), f32(0.5 - at[1] / 2)});
    }
    return;
  }
  const bool transformed = m.texgen == 1 && m.use_matrix && !moves;
  if (!transformed) {
    const f32 u = f32(1 / (16 * width)), v = f32(1 / (16 * height));  // powers of two: exact
    for (const GxVertex& c : geometry_.corners) p.uvs.push_back({f32(c.texcoord[0]) * u, f32(c.texcoord[1]) * v});
    return;
  }
  const TextureMatrix t = bound_texture_matrix(m, texture, texture_srt(m));
  for (const GxVertex& c : geometry_.corners) {
    const f64 u = c.texcoord[0] / (16 * width), v = c.texcoord[1] / (16 * height);
    p.uvs.push_back({f32(t.uu * u + t.uv * v + t.u0), f32(t.vu * u + t.vv * v + t.v0)});
  }
}

// ---- placement of meshes ----

scene::Index ModelBuilder::find_or_build_material(u32 material, const BoundTexture& texture) {
  std::vector<MaterialVariant>& looks = looks_[material];
  auto look = std::find_if(looks.begin(), looks.end(), [&](const MaterialVariant& l) { return l.texture == texture; });
  if (look == looks.end()) look = looks.insert(looks.end(), MaterialVariant{texture, k_none});
  if (look->material == k_none) {
    const Material& m = m_.materials[material];
    std::string name = m.name;
    TexturePair names = names_[material];
    const bool at_rest = texture == bound_[material];
    if (!at_rest && texture.texture) {
      name += "." + texture.texture->name;
      names = {texture.texture->name, texture.palette ? texture.palette->name : ""};
    }
    look->material = surfaces_.material(m, texture, names, name, path_ + ".materials[" + std::to_string(material) + "]",
                                        texture_moves_[material], color_moves_[material] || changes_[material]);
    if (!at_rest) s_.materials[look->material].extras.add("picture_of", m.name);
    if (texture_moves_[material]) set_rest_transform(m, *look);
    if (color_moves_[material]) {
      const scene::Vec4 color =
          to_linear_color(uses_any_light(m) ? full_light_color(m.diffuse, m.ambient, m.emission) : m.emission);
      scene::Material& made = s_.materials[look->material];
      if (only_lit_[material]) made.color = {color[0], color[1], color[2], made.color[3]};
      if (alpha_moves_[material]) made.alpha = scene::Material::Alpha::blend;
    }
  }
  return look->material;
}

scene::Index ModelBuilder::find_or_add_host_node(const Draw& d, bool skinned) {
  Index host = skinned ? root_ : anchors_[geometry_.one_matrix ? d.matrix : geometry_.corners[0].matrix].draw;
  if (host == k_none) host = root_;
  if (visibility_moves_ || !d.visible) {
    const auto known = std::find_if(shown_.begin(), shown_.end(), [&](const ShapeDraw& s) {
      return s.parent == host && s.node == d.node && s.visible == d.visible;
    });
    if (known != shown_.end())
      host = known->made;
    else {
      const Index made = add_node(s_.nodes[host].name + " shown", host);
      s_.nodes[made].visible = d.visible;
      shown_.push_back({host, d.node, d.visible, made});
      host = made;
    }
  }
  if (!skinned) return host;
  const auto [known, fresh] = skinned_hosts_.try_emplace(host, k_none);
  if (fresh) {
    known->second = add_node(m_.name + " skin", host);
    s_.nodes[known->second].skin = skin_;
  }
  return known->second;
}

/// Lit and painted polygons become separate meshes, because other programs give all vertices of a mesh colours if some
/// have them.
scene::Index ModelBuilder::find_or_add_part_node(Index host, u32 material) {
  if (std::ranges::any_of(m_.materials, [](const Material& m) { return m.depth_equal != 0; })) return host;
  bool is_lit = std::ranges::all_of(geometry_.corners, [](const GxVertex& c) { return c.lit; });
  const Texture* const texture = bound_[material].texture;
  const TexelFormat format = texture ? TexelFormat(texture->format) : TexelFormat::none;
  if (m_.materials[material].alpha < 31 || format == TexelFormat::a3i5 || format == TexelFormat::a5i3)
    is_lit = are_clear_lit_.try_emplace(host, is_lit).first->second;
  if (is_lit_.try_emplace(host, is_lit).first->second == is_lit) return host;
  const auto [known, fresh] = other_parts_.try_emplace(host, k_none);
  if (fresh) {
    const bool is_skinned = s_.nodes[host].skin != k_none;
    const Index made = known->second =
        add_node(s_.nodes[host].name + (is_lit ? " lit" : " painted"), is_skinned ? s_.nodes[host].parent : host);
    s_.nodes[made].skin = s_.nodes[host].skin;
    s_.nodes[made].extras = Value::object();
    s_.nodes[made].extras.add("kind", "nitro.part");
  }
  return known->second;
}

void ModelBuilder::add_primitive_to_node(scene::Primitive p, Index node) {
  corners_ += p.positions.size();
  scene::Node& n = s_.nodes[node];
  if (n.mesh == k_none) {
    n.mesh = Index(s_.meshes.size());
    s_.meshes.emplace_back().name = n.name;
  }
  s_.meshes[n.mesh].primitives.push_back(std::move(p));
}

void ModelBuilder::record_draw(const Draw& d, bool skinned, Index node) {
  const Material& m = m_.materials[d.material];
  DrawnPrimitive& out = setting_.drawn->emplace_back();
  out.node = node;
  out.primitive = u32(s_.meshes[s_.nodes[node].mesh].primitives.size() - 1);
  out.draw = d;
  out.first_color = m.vertex_color ? m.diffuse : 0x7FFF;
  out.is_skinned = skinned;
  out.is_reversed = m.show_back && !m.show_front;
  for (const GxVertex& c : geometry_.corners) {
    const auto [known, is_new] = out.transforms.try_emplace(c.matrix);
    if (!is_new) continue;
    const f64 scale = anchors_[c.matrix].scale;
    known->second =
        skinned ? find_or_build_binding(c.matrix).to_bind : Affine{scene::scaling({scale, scale, scale}), {}};
  }
  const scene::Primitive& p = s_.meshes[s_.nodes[node].mesh].primitives.back();
  const Texture* texture = bound_[d.material].texture;
  out.width = texture ? texture->width() : m.original_width,
  out.height = texture ? texture->height() : m.original_height;
  out.has_uvs = !p.uvs.empty() && d.texgen == Draw::Texgen::material;
  if (m.texgen == 1 && m.use_matrix && !texture_moves_[d.material])
    out.texture_matrix = bound_texture_matrix(m, texture, texture_srt(m));
  out.geometry = geometry_;
}

// ---- the file ----

std::span<const Rule> scene_rules() {
  using enum Severity;
  static constexpr Rule k_rules[] = {
      {"nitro.unbound-texture", warning,
       "every texture and palette that a model names is in the files given with the model",
       "If the game does not find a texture, it draws plain vertex colours.",
       "Add the file that contains the texture when you open the model.", "src/formats/nitro/README.md#textures"},
      {"nitro.chosen-textures", hint,
       "only one of the files given with a model contains textures with the names that the model uses",
       "Different texture sets of a game use the same names for different pictures. The program uses the set that "
       "lacks the fewest textures of the model.",
       "If the choice is wrong, give only the texture set that the game uses with the model.",
       "src/formats/nitro/README.md#textures"},
      {"nitro.mixed-textures", warning, "all textures of a model are in one file",
       "The game binds a model to one texture set; a texture with the same name in another set may look different.",
       "Give only the texture set that contains all textures of the model.", "src/formats/nitro/README.md#textures"},
      {"nitro.unfit-animation", warning, "an animation matches the nodes and materials of its model",
       "Joint and visibility tracks apply to nodes by number, and other tracks apply to materials by name. The program "
       "ignores tracks without a matching node or material.",
       "Use the animations made for this model; {info FILE} lists their nodes and materials.",
       "src/formats/nitro/README.md#joint-animations"},
      {"nitro.many-weights", hint, "a vertex blends at most four matrices",
       "glTF viewers support at most four matrices per vertex, so the scene omits the matrices with the smallest "
       "weights.",
       "No action is needed for the game. To make the scene look as in the game, blend at most four matrices.",
       "glTF 2.0, Skins"},
      {"nitro.sheared-texture", hint, "an animated texture is scaled before it is rotated",
       "In glTF, a texture can only be scaled first and then rotated. A texture that is rotated first and then scaled "
       "by two different factors is approximated.",
       "No action is needed, because the game draws the texture correctly.", "glTF extension KHR_texture_transform"},
      {"nitro.left-out", hint, "every material that a model uses is visible",
       "The DS does not draw a material with alpha 0 or with neither side shown, so the scene omits the shapes that "
       "use the material.",
       "No action is needed if the material should be hidden.", "src/formats/nitro/README.md#models"},
      {"nitro.too-much-drawn", warning, "a model has fewer than a million vertices",
       "The DS draws at most 6,144 vertices per frame, so the scene omits vertices after the first million.",
       "Simplify the model.", "GBATEK, DS 3D Overview"},
      {"nitro.too-long", hint, "an animation is short enough to be converted",
       "The conversion keeps all keys in memory, so it omits frames after a limit.",
       "Shorten the animation to see all of it.", "diorama's own rule"},
  };
  return k_rules;
}

namespace {

/// Textures, and the file that contains them; null: the file of the model.
struct TextureFile {
  const Textures* textures;
  const std::string* name;
};

void collect_companion(const Companion& c, std::vector<TextureFile>& textures, ModelAnimations& motions) {
  const auto all = [&](auto& into, const auto& list) {
    for (const auto& a : list) into.push_back({&a, &c.name});
  };
  const std::string_view id = c.format_id();
  if (id == "nsbtx") textures.push_back({&value_of<Nsbtx>(*c.document).textures, &c.name});
  if (id == "nsbmd" && value_of<Nsbmd>(*c.document).textures)
    textures.push_back({&*value_of<Nsbmd>(*c.document).textures, &c.name});
  if (id == "nsbca") all(motions.joints, value_of<Nsbca>(*c.document).animations);
  if (id == "nsbtp") all(motions.patterns, value_of<Nsbtp>(*c.document).animations);
  if (id == "nsbta") all(motions.textures, value_of<Nsbta>(*c.document).animations);
  if (id == "nsbma") all(motions.colors, value_of<Nsbma>(*c.document).animations);
  if (id == "nsbva") all(motions.visibilities, value_of<Nsbva>(*c.document).animations);
}

/// The textures and palettes that the models of a file look up, each once.
class RequiredTextures {
 public:
  explicit RequiredTextures(const Nsbmd& file) {
    std::set<std::pair<bool, std::string_view>> known;
    const auto add = [&](const std::vector<Pairing>& pairings, bool palettes) {
      for (const Pairing& p : pairings)
        if (!p.materials.empty() && known.emplace(palettes, p.name).second) names_.push_back({p.name, palettes});
    };
    for (const Model& m : file.models) add(m.textures, false), add(m.palettes, true);
  }
  /// Marks the names that a set contains.
  std::vector<bool> find_names_present(const Textures& set) const {
    std::vector<bool> out(names_.size());
    for (size_t i = 0; i < names_.size(); ++i) out[i] = names_[i].is_in(set);
    return out;
  }
  size_t size() const { return names_.size(); }
  /// The name for messages: "palette NAME".
  std::string name(size_t i) const { return (names_[i].is_palette ? "palette " : "") + std::string(names_[i].name); }

 private:
  struct Name {
    std::string_view name;
    bool is_palette;
    bool is_in(const Textures& set) const {
      const auto has = [&](const auto& list) {
        return std::ranges::any_of(list, [&](const auto& x) { return x.name == name; });
      };
      return is_palette ? has(set.palettes) : has(set.textures);
    }
  };
  std::vector<Name> names_;
};

/// Many texture sets use the same names for different pictures. Sorts the set that lacks the fewest names first, after
/// the model's own sets; the other sets fill in missing names. `own`: the number of files that belong to the model.
void order_texture_files(const Nsbmd& file, size_t own, std::vector<TextureFile>& files, Diagnostics& notes) {
  if (files.size() < own + 2) return;
  const RequiredTextures names(file);
  std::vector<bool> here(names.size());  // in the model's own sets
  const auto add_to = [](std::vector<bool>& all, const std::vector<bool>& more) {
    for (size_t k = 0; k < all.size(); ++k) all[k] = all[k] || more[k];
  };
  for (size_t i = 0; i < own; ++i) add_to(here, names.find_names_present(*files[i].textures));
  const auto missing = [](const std::vector<bool>& found) { return size_t(std::ranges::count(found, false)); };
  std::vector<std::vector<bool>> with;  // for each other set, the names in that set or in the own sets
  for (size_t i = own; i < files.size(); ++i)
    add_to(with.emplace_back(here), names.find_names_present(*files[i].textures));
  const size_t wanted = missing(here);
  const auto able = std::ranges::count_if(with, [&](const auto& found) { return missing(found) < wanted; });
  if (able < 2) return;  // sets that contain any missing name
  const auto best = *find_fewest_missing(u32(with.size()), [&](u32 i) { return std::optional(missing(with[i])); });
  const auto to_front = [](auto from, u32 at) { std::rotate(from, from + at, from + at + 1); };
  to_front(files.begin() + std::ptrdiff_t(own), best);
  to_front(with.begin(), best);
  const std::string& name = *files[own].name;
  std::vector<bool> taken = with.front();
  const size_t lacking = missing(taken);
  std::vector<std::string> borrowed;
  std::string others;
  for (size_t i = 1; i < with.size() && borrowed.size() < lacking; ++i) {
    const size_t before = borrowed.size();
    for (size_t k = 0; k < taken.size(); ++k)
      if (!taken[k] && with[i][k]) borrowed.push_back(names.name(k));
    add_to(taken, with[i]);
    if (borrowed.size() > before) others += (others.empty() ? "" : ", ") + *files[own + i].name;
  }
  if (borrowed.empty()) {
    const std::string has =
        lacking ? "lacks the fewest names (" + std::to_string(lacking) + ")" : "has all of the names";
    notes.push_back(
        make_diagnostic(Severity::hint, "nitro.chosen-textures", "models[0].textures",
                        {.message = std::to_string(able) + " files contain textures with the names that the model uses",
                         .hint = name + " is used because it " + has}));
    return;
  }
  constexpr size_t k_named = 4;
  std::string list;
  for (size_t i = 0; i < std::min(borrowed.size(), k_named); ++i) list += (i ? ", " : "") + borrowed[i];
  if (borrowed.size() > k_named) list += " and " + std::to_string(borrowed.size() - k_named) + " more";
  notes.push_back(make_diagnostic(Severity::warning, "nitro.mixed-textures", "models[0].textures",
                                  {.message = name + " lacks textures of the model: " + list,
                                   .hint = "the missing textures are taken from " + others}));
}

}  // namespace

Result<SceneResult> to_scene(const Nsbmd& file, const SceneOptions& options) {
  SceneResult out;
  out.scene.metres_per_unit = 1;
  if (file.models.size() == 1) out.scene.name = file.models[0].name;
  std::vector<TextureFile> files;
  ModelAnimations motions;
  if (file.textures) files.push_back({&*file.textures, nullptr});
  const size_t own = files.size();
  for (const Companion& c : options.companions) collect_companion(c, files, motions);
  order_texture_files(file, own, files, out.notes);
  std::vector<const Textures*> textures;
  for (const TextureFile& f : files) textures.push_back(f.textures);
  Surfaces surfaces(std::move(textures), out.scene, out.notes);
  Setting setting{.motions = motions, .surfaces = surfaces, .scene = out.scene, .notes = out.notes};
  const Lighting lighting = default_lighting();
  if (options.lit) setting.lighting = &lighting;
  setting.sources = options.sources;
  setting.parts_lit = true;
  std::optional<scene::Index> first_root;
  for (size_t i = 0; i < file.models.size(); ++i) {
    setting.path = "models[" + std::to_string(i) + "]";
    const scene::Index root = ModelBuilder(file.models[i], setting).build();
    if (!first_root) first_root = root;
  }
  if (first_root && !out.scene.animations.empty()) {  // Blender drops extras of animations
    Value& frames = out.scene.nodes[*first_root].extras.add(std::string(k_animation_frames), Value::object());
    for (const scene::Animation& a : out.scene.animations)
      if (const auto count = scene::read_number_extra(a.extras, "frames")) frames.add(a.name, u32(*count));
  }
  if (file.textures && first_root) {
    std::vector<TexturePair> paired = collect_texture_pairs(file.models);
    for (const auto& p : motions.patterns)
      for (TexturePair& pair : collect_texture_pairs({p.animation, 1})) paired.push_back(std::move(pair));
    const auto unshown = surfaces.add_unshown_textures(*file.textures, paired);
    std::string names;  // Blender keeps no lists of texts
    for (const std::string& name : unshown) names += (names.empty() ? "" : ", ") + name;
    if (!names.empty()) out.scene.nodes[*first_root].extras.add(std::string(k_unshown_textures), std::move(names));
  }
  return out;
}

}  // namespace dio::nitro
