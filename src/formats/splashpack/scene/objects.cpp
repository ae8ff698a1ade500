// objects.cpp: objects as nodes with meshes.
#include "formats/splashpack/scene/baked_collision.hpp"
#include "formats/splashpack/scene/builder.hpp"

namespace dio::splashpack {

using scene::Mat3d;
using scene::Point;

namespace {

constexpr std::array<f64, 3> k_signs = {1, -1, -1};  // of the axes

/// The nine numbers in the axes of the scene.
Mat3d to_scene_matrix(const std::array<fx32, 9>& m) {
  Mat3d out;
  for (size_t row = 0; row < 3; ++row)
    for (size_t column = 0; column < 3; ++column)
      out.columns[column][row] = m[3 * row + column].value() * k_signs[row] * k_signs[column];
  return out;
}

/// The rotation nearest to a matrix: averaging a matrix with its inverse transpose converges to it.
Mat3d nearest_rotation(Mat3d m) {
  for (int i = 0; i < 24; ++i) {
    const auto back = inverse(m);
    if (!back) return m;
    f64 step = 0;
    for (size_t c = 0; c < 3; ++c)
      for (size_t r = 0; r < 3; ++r) {
        const f64 next = (m.columns[c][r] + back->columns[r][c]) / 2;
        step = std::max(step, std::fabs(next - m.columns[c][r]));
        m.columns[c][r] = next;
      }
    if (step < 1e-15) break;
  }
  return m;
}

/// The largest difference of two entries.
f64 max_difference(const Mat3d& a, const Mat3d& b) {
  f64 out = 0;
  for (size_t c = 0; c < 3; ++c)
    for (size_t r = 0; r < 3; ++r) out = std::max(out, std::fabs(a.columns[c][r] - b.columns[c][r]));
  return out;
}

/// A rotation that rounds to the nine numbers, if the nearest one does not and such a rotation exists: alternates
/// between the nearest rotation and the nearest matrix that rounds to the numbers.
Mat3d rotation_that_rounds_to(const Mat3d& m) {
  constexpr f64 k_half = 0.5 / 4096, k_inside = 0.498 / 4096, k_hopeless = 2.0 / 4096;
  const Mat3d nearest = nearest_rotation(m);
  Mat3d turn = nearest;
  for (int i = 0; i < 64; ++i) {
    const f64 off = max_difference(turn, m);
    if (off < k_half * 0.998) return turn;
    if (off > k_hopeless) break;
    for (size_t c = 0; c < 3; ++c)
      for (size_t r = 0; r < 3; ++r)
        turn.columns[c][r] = std::clamp(turn.columns[c][r], m.columns[c][r] - k_inside, m.columns[c][r] + k_inside);
    turn = nearest_rotation(turn);
  }
  return nearest;
}

}  // namespace

Pose decompose_rotation_scale(const std::array<fx32, 9>& rotation) {
  const Mat3d m = to_scene_matrix(rotation);
  Pose pose;
  const f64 sign = determinant(m) < 0 ? -1 : 1;
  std::array<f64, 3> lengths{};
  Mat3d turn = m;
  constexpr f64 k_rounding = 8 / 4096.0;  // the tolerance for a row of a rotation in 4.12
  bool is_scaled = sign < 0;
  for (size_t c = 0; c < 3; ++c) {
    lengths[c] = scene::length(m.columns[c]);
    is_scaled |= std::fabs(lengths[c] - 1) > k_rounding;
  }
  for (size_t c = 0; c < 3 && is_scaled; ++c) {
    pose.scale[c] = f32(sign * lengths[c]);
    for (f64& x : turn.columns[c]) x = lengths[c] > 0 ? sign * x / lengths[c] : 0;
  }
  pose.rotation = quaternion_of(decompose_rotation(is_scaled ? nearest_rotation(turn) : rotation_that_rounds_to(turn)));
  const scene::Mat3 shown = scene::to_matrix(pose.rotation);
  pose.is_exact = true;
  for (size_t c = 0; c < 3; ++c)
    for (size_t r = 0; r < 3; ++r) {
      const f64 off = std::fabs(f64(shown[c][r]) * pose.scale[c] - m.columns[c][r]);
      pose.error = std::max(pose.error, off);
      pose.is_exact &= off < 0.5 / 4096;
    }
  return pose;
}

void SceneBuilder::add_object(size_t number) {
  const Object& o = pack_.objects[number];
  const std::string path = text("objects[", number, "]");
  const Index node = add_node(o.name.empty() ? text("object_", number) : escape_control_chars(o.name), "object", path);
  object_nodes_.push_back(node);
  Value extras = std::move(extras_of(node));
  extras.add("index", u64(number));
  if (is_streamed_ && std::ranges::find(pack_.stream->refs, number, &StreamRef::object) != pack_.stream->refs.end())
    extras.add("streamed", true);
  const bool stands_there = uses_object_transform(pack_, o);
  const Pose pose = stands_there ? decompose_rotation_scale(o.rotation) : Pose();
  if (stands_there) s_.nodes[node].translation = to_scene_position(o.position);
  s_.nodes[node].rotation = pose.rotation;
  s_.nodes[node].scale = pose.scale;
  if (!stands_there) {
    extras.add("placed", false);
  } else if (!pose.is_exact || (u32(pack_.form) >= k_flags && !(o.flags & 1))) {
    // Programs without hidden nodes may lose their rotation.
    Value& list = extras.add("rotation", Value::list());
    for (const fx32 n : o.rotation) list.push(n.raw);
    turned_ += pose.error > 16 / 4096.0;
  }
  if (u32(pack_.form) >= k_scripts) add_script_reference(extras, o.script, path + ".script");
  if (u32(pack_.form) >= k_flags) {
    s_.nodes[node].visible = o.flags & 1;
    if (!(o.flags & 1)) extras.add("active", false);
    if (o.flags & ~1u) extras.add("flags", o.flags & ~1u);
    if (pack_.lights && !(o.flags & k_skinned)) {
      if (o.flags & k_lit_vertices)
        extras.add("lit", k_lit_by_vertex);
      else
        extras.add("lit", (o.flags & k_lit_triangles) != 0);
    }
  }

  if (u32(pack_.form) >= k_sections) {
    if (o.uv_offset != Uv{}) {
      Value& list = extras.add("uv_offset", Value::list());
      list.push(o.uv_offset.u), list.push(o.uv_offset.v);
    }
    if (const Value* all = sections_.find("interactables"); all && all->at(o.interactable))
      extras.add("interactable", *all->at(o.interactable));
  }

  const Skin* skin = nullptr;
  if (const auto known = skins_.find(number); known != skins_.end()) {
    skin = &pack_.skins[known->second];
    extras.add("skin", u64(known->second));
    // Also in the extras of animations, which some programs drop.
    Value& clips = extras.add("clips", Value::list());
    for (size_t c = 0; c < skin->clips.size(); ++c) {
      Value& clip = clips.push(Value::object());
      clip.add("name", clip_name(skin->clips[c], c));
      clip.add("fps", skin->clips[c].fps);
      clip.add("flags", skin->clips[c].flags);
    }
  }
  std::map<scene::Index, scene::Primitive> parts;  // by material
  Value bright = Value::list();
  for (size_t i = 0; i < o.triangles.size(); ++i) {
    const Triangle& t = o.triangles[i];
    const PackMaterialKey look = surfaces_.material_key(o, t);
    const scene::Index material = surfaces_.find_or_add_material(look, t);
    scene::Primitive& part = parts[material];
    part.material = material;
    std::array<scene::Vec3, 3> corners;
    for (size_t k = 0; k < 3; ++k) corners[k] = to_scene_position(t.positions[k]);
    const scene::Vec3 side = scene::cross(scene::sub(corners[2], corners[0]), scene::sub(corners[1], corners[0]));
    const scene::Vec3 up = scene::unit(side, scene::k_axis_y);
    const scene::Vec3 normal = scene::unit(t.normal.x.raw, -f64(t.normal.y.raw), -f64(t.normal.z.raw), up);
    for (const size_t k : {0, 2, 1}) {
      const u32 source = u32(3 * i + k);
      part.positions.push_back(corners[k]);
      part.normals.push_back(normal);
      part.colors.push_back(surfaces_.vertex_color(look, t.colors[k]));
      if (look.is_textured()) part.uvs.push_back(surfaces_.to_scene_uv(look, t.uvs[k]));
      part.sources.push_back(source);
      if (skin) {
        // The engine uses the first bone for missing ones.
        const u8 bone = skin->corner_bones[i][k];
        part.joints.push_back({u16(bone < skin->bone_count ? bone : 0), 0, 0, 0});
        part.weights.push_back({1, 0, 0, 0});
      }
      if (!surfaces_.is_clamped(look, t.colors[k])) continue;
      Value& entry = bright.push(Value::list());
      for (const u32 n : {source, u32(t.colors[k].red), u32(t.colors[k].green), u32(t.colors[k].blue)}) entry.push(n);
    }
  }
  if (bright.size()) extras.add("bright", std::move(bright));
  extras_of(node) = std::move(extras);
  if (parts.empty()) return;
  s_.nodes[node].mesh = Index(s_.meshes.size());
  scene::Mesh mesh{s_.nodes[node].name, {}};
  for (auto& [material, part] : parts) mesh.primitives.push_back(std::move(part));
  s_.meshes.push_back(std::move(mesh));
  if (skin) add_skin(skins_.at(number));
}

}  // namespace dio::splashpack
