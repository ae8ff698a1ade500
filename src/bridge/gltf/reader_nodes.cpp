#include <algorithm>
#include <charconv>
#include <cmath>
#include <numbers>
#include <optional>

#include "bridge/gltf/reader_parts.hpp"
#include "core/text_format.hpp"
#include "scene/affine.hpp"
#include "scene/math.hpp"
#include "scene/triangle_match.hpp"

namespace dio::gltf {
namespace {

/// A number near the first guess that the writer converts to exactly this one, if there is one: a file that is read and
/// written stays the same.
f32 find_round_trip_value(f32 wanted, f64 guess, auto written) {
  f32 below = f32(guess), above = below;
  for (int step = 0; step < 4; ++step) {
    if (written(below) == wanted) return below;
    if (written(above) == wanted) return above;
    below = std::nextafter(below, -HUGE_VALF);
    above = std::nextafter(above, HUGE_VALF);
  }
  return f32(guess);
}

class Nodes {
 public:
  explicit Nodes(Reading& reading)
      : r_(reading),
        in_(reading.source),
        list_(reading.source.list("nodes")),
        count_(list_.size()),
        parents_(count_, k_none) {}

  void read_scene_nodes() {
    find_parents();
    find_roots();
    if (in_.failed()) return;
    r_.nodes.assign(count_, k_none);
    find_unit_scale_root();
    create_scene_nodes();
    for (size_t i = 0; i < count_ && !in_.failed(); ++i)
      if (r_.nodes[i] != k_none) read_node(list_.at(i), r_.scene.nodes[r_.nodes[i]]);
    read_skins();
    reconcile_skins_and_meshes();
    read_instances();
    if (in_.failed() || top_ == k_none) return;
    r_.scene.metres_per_unit = metres_;
    for (scene::Light& light : r_.scene.lights)
      light.range = find_round_trip_value(light.range, f64(light.range) / metres_, [&](f32 n) { return n * metres_; });
    find_roots_in_metres();
  }

 private:
  /// Gives each node at most one parent, and no node itself as an ancestor, so that they form trees.
  void find_parents() {
    for (size_t i = 0; i < count_ && !in_.failed(); ++i) {
      const Item children = list_.at(i).member("children");
      for (size_t k = 0; k < children.size() && !in_.failed(); ++k) {
        const Index child = children.index_at(k, count_);
        if (child == k_none) return;
        if (parents_[child] != k_none)
          return children.at(k).report_fault(
              {.message =
                   "node " + std::to_string(child) + " is already a child of node " + std::to_string(parents_[child])});
        parents_[child] = Index(i);
      }
    }
    std::vector<Index> met(count_, k_none);
    for (Index i = 0; i < count_ && !in_.failed(); ++i)
      for (Index n = i; n != k_none && met[n] != i; n = parents_[n]) {
        if (met[n] != k_none) break;  // the rest was followed before
        met[n] = i;
        if (parents_[n] != k_none && met[parents_[n]] == i)
          list_.at(n).report_fault({.message = "the node is its own ancestor"});
      }
  }

  void find_roots() {
    r_.scene.generator = in_.root().member("asset").text("generator");
    const auto has_colors = [](const scene::Mesh& m) {
      return std::ranges::any_of(m.primitives, [](const scene::Primitive& p) { return !p.colors.empty(); });
    };
    if (scene::has_shuffled_colors(r_.scene) && std::ranges::any_of(r_.scene.meshes, has_colors))
      in_.add_note("asset.generator", "Blender 3.4 exports vertex colours in the wrong order; other versions do not");
    const Item scenes = in_.list("scenes");
    const Index chosen = in_.root().has("scene") ? in_.root().index("scene", scenes.size())
                         : scenes.size()         ? 0
                                                 : k_none;
    if (scenes.size() > 1) in_.add_note("scenes", "only the default scene is imported");
    if (in_.failed()) return;
    if (chosen == k_none) {
      for (Index i = 0; i < count_; ++i)
        if (parents_[i] == k_none) roots_.push_back(i);
      return;
    }
    const Item item = scenes.at(chosen), nodes = item.member("nodes");
    r_.scene.name = item.text("name");
    r_.scene.extras = item.extras();
    std::vector<u8> met(count_);
    for (size_t i = 0; i < nodes.size() && !in_.failed(); ++i) {
      const Index n = nodes.index_at(i, count_);
      if (n == k_none) return;
      if (parents_[n] != k_none || met[n])
        return nodes.at(i).report_fault(
            {.message = "node " + std::to_string(n) +
                        (met[n] ? " is listed twice" : " is a child of another node, not a root")});
      met[n] = true;
      roots_.push_back(n);
    }
  }

  /// The node that scales to metres, if it has no other purpose.
  void find_unit_scale_root() {
    std::optional<std::vector<u8>> bound;  // computed once, because there may be many such nodes
    for (const Index root : roots_) {
      const Item node = list_.at(root), own = node.member("extras");
      if (!own.exists() || !own.value()->is(Value::Kind::object) || !own.value()->find("diorama")) continue;
      const Value* extras = own.value()->find("diorama");
      const Value* value = extras->find("metres_per_unit");
      if (!value || !(value->is(Value::Kind::real) || value->is(Value::Kind::integer))) continue;
      const f32 metres = f32(value->number());
      const auto scale = node.reals<3>("scale", {1, 1, 1});
      const auto is_it = [&](f32 x) { return std::fabs(f64(x) - metres) <= 1e-6 * metres; };
      if (!(metres > 0) || !std::isfinite(metres) || !std::ranges::all_of(scale, is_it)) continue;
      if (std::ranges::any_of(std::array{"translation", "rotation", "matrix", "mesh", "camera", "skin", "extensions"},
                              [&](const char* name) { return node.has(name); }))
        continue;
      if (!bound) bound = find_joints_and_animated_nodes();
      if ((*bound)[root]) continue;
      top_ = root;
      metres_ = metres;
      if (r_.scene.name.empty()) r_.scene.name = node.text("name");
      return;
    }
  }

  /// Marks nodes that are joints or animated.
  std::vector<u8> find_joints_and_animated_nodes() const {
    std::vector<u8> bound(count_);
    const Item skins = in_.list("skins"), animations = in_.list("animations");
    for (size_t i = 0; i < skins.size(); ++i) {
      const Item joints = skins.at(i).member("joints");
      for (size_t k = 0; k < joints.size(); ++k)
        if (const Index joint = joints.index_at(k, count_); joint != k_none) bound[joint] = true;
    }
    for (size_t a = 0; a < animations.size(); ++a) {
      const Item channels = animations.at(a).member("channels");
      for (size_t c = 0; c < channels.size(); ++c) {
        const Item target = channels.at(c).member("target");
        u64 node = target.has("node") ? target.unsigned_integer("node", count_) : count_;
        constexpr std::string_view k_nodes = "/nodes/";
        const std::string pointer = target.extension("KHR_animation_pointer").text("pointer");
        if (pointer.starts_with(k_nodes))
          (void)std::from_chars(pointer.data() + k_nodes.size(), pointer.data() + pointer.size(), node);
        if (node < count_) bound[size_t(node)] = true;
      }
    }
    return bound;
  }

  /// The nodes of the scene in their order, with parents before children.
  void create_scene_nodes() {
    std::vector<u8> is_root(count_);
    for (const Index root : roots_) is_root[root] = true;
    std::vector<u8> state(count_);  // 1: in the scene, 2: not in the scene
    std::vector<Index> above;
    for (Index i = 0; i < count_; ++i) {
      above.clear();
      Index n = i;
      for (; n != k_none && !state[n]; n = parents_[n]) above.push_back(n);
      bool inside = n != k_none && state[n] == 1;
      for (; !above.empty(); above.pop_back()) {
        const Index next = above.back();
        inside = inside || is_root[next];
        state[next] = inside ? 1 : 2;
        if (!inside || next == top_) continue;
        r_.nodes[next] = Index(r_.scene.nodes.size());
        scene::Node& node = r_.scene.nodes.emplace_back();
        const Index parent = parents_[next];
        if (parent != k_none && parent != top_) node.parent = r_.nodes[parent];
      }
      if (state[i] == 2) in_.add_note(list_.at(i).path(), "nodes outside the scene are omitted");
    }
  }

  void read_node(const Item& item, scene::Node& out) {
    out.name = item.text("name");
    out.extras = item.extras();
    if (item.has("matrix"))
      read_matrix(item, out);
    else
      read_trs(item, out);
    out.mesh = item.index("mesh", r_.scene.meshes.size());
    out.camera = item.index("camera", r_.count("cameras"));
    out.skin = item.index("skin", r_.count("skins"));
    const Index light = item.extension("KHR_lights_punctual").index("light", r_.lights.size());
    if (light != k_none) out.light = r_.lights[light];
    out.visible = item.extension("KHR_node_visibility").flag("visible", true);
  }

  void read_trs(const Item& item, scene::Node& out) {
    out.translation = item.reals<3>("translation", out.translation);
    out.scale = item.reals<3>("scale", out.scale);
    out.rotation = item.reals<4>("rotation", out.rotation);
    const auto& q = out.rotation;
    const f64 length = std::sqrt(f64(q[0]) * q[0] + f64(q[1]) * q[1] + f64(q[2]) * q[2] + f64(q[3]) * q[3]);
    if (length == 0) item.member("rotation").report_fault({.message = "the rotation is a quaternion of length 0"});
    if (std::fabs(length - 1) > k_near_unit) out.rotation = scene::unit_quaternion(q[0], q[1], q[2], q[3]);
  }

  void read_matrix(const Item& item, scene::Node& out) {
    const auto m = item.reals<16>("matrix", scene::Mat4{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1});
    if (m[3] != 0 || m[7] != 0 || m[11] != 0 || m[15] != 1)
      return item.member("matrix").report_fault({.message = "the last row of the matrix must be 0 0 0 1"});
    out.translation = {m[12], m[13], m[14]};
    scene::Mat3d turned;
    std::array<f64, 3> lengths{};
    for (size_t c = 0; c < 3; ++c) {
      const scene::Point column{m[c * 4], m[c * 4 + 1], m[c * 4 + 2]};
      lengths[c] = scene::length(column);
      turned.columns[c] = scene::unit(column);
    }
    // An axis of length 0 still needs a direction perpendicular to the others.
    for (size_t c = 0; c < 3; ++c) {
      auto& axes = turned.columns;
      if (lengths[c] > 0) continue;
      axes[c] = scene::unit(scene::cross(axes[(c + 1) % 3], axes[(c + 2) % 3]));
      if (scene::length(axes[c]) == 0) axes[c][c] = 1;
    }
    constexpr f64 k_crooked = 1e-4;  // cosine of an angle that is not a right angle
    for (size_t c = 0; c < 3; ++c)
      if (std::fabs(scene::dot(turned.columns[c], turned.columns[(c + 1) % 3])) > k_crooked) {
        in_.add_note(item.path(), "the matrix contains shear; scale and rotation can only approximate the matrix");
        break;
      }
    const scene::SignedRotation turn = scene::decompose_rotation(turned);
    out.rotation = scene::quaternion_of(turn);
    for (size_t c = 0; c < 3; ++c) {
      out.scale[c] = f32(lengths[c] * turn.sign);
      if (!std::isfinite(out.scale[c]))
        item.member("matrix").report_fault({.message = "the scale of the matrix exceeds the range of 32-bit floats"});
    }
  }

  // ---- skins ----

  void read_skins() {
    const Item skins = in_.list("skins");
    const size_t accessors = r_.count("accessors");
    std::vector<size_t> met(count_);  // the skin of each joint, counted from 1
    for (size_t i = 0; i < skins.size() && !in_.failed(); ++i) {
      const Item item = skins.at(i), joints = item.member("joints");
      scene::Skin& out = r_.scene.skins.emplace_back(scene::Skin{item.text("name"), {}, {}});
      if (joints.size() == 0) return item.report_fault({.message = "the skin has no joints"});
      for (size_t k = 0; k < joints.size() && !in_.failed(); ++k) {
        const Index joint = joints.index_at(k, count_);
        if (joint == k_none) return;
        if (met[joint] == i + 1 || r_.nodes[joint] == k_none)
          return joints.at(k).report_fault({.message = "node " + std::to_string(joint) +
                                                       (met[joint] == i + 1 ? " is listed twice as a joint of this skin"
                                                                            : " is outside the scene")});
        met[joint] = i + 1;
        out.joints.push_back(r_.nodes[joint]);
      }
      if (item.has("inverseBindMatrices"))
        read_inverse_bind(item, accessors, out);
      else
        out.inverse_bind.assign(out.joints.size(), {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1});
    }
  }

  void read_inverse_bind(const Item& item, size_t accessors, scene::Skin& out) {
    out.inverse_bind = in_.read_vectors<16>(item.index("inverseBindMatrices", accessors), item);
    if (in_.failed()) return;
    if (out.inverse_bind.size() < out.joints.size())
      return item.report_fault({.message = "the skin has " + format_count(out.joints.size(), "joint") + ", but only " +
                                           std::to_string(out.inverse_bind.size()) + " inverse bind matrices"});
    out.inverse_bind.resize(out.joints.size());
    for (scene::Mat4& m : out.inverse_bind) {
      constexpr f32 k_rounding = 1e-4f;
      if (std::fabs(m[3]) > k_rounding || std::fabs(m[7]) > k_rounding || std::fabs(m[11]) > k_rounding ||
          std::fabs(m[15] - 1) > k_rounding)
        return item.report_fault({.message = "the last row of every inverse bind matrix must be 0 0 0 1"});
      m[3] = m[7] = m[11] = 0;
      m[15] = 1;
    }
  }

  /// A node has a skin if and only if its mesh has joints.
  void reconcile_skins_and_meshes() {
    std::vector<Index> stiff(r_.scene.meshes.size(), k_none);  // the same mesh, without joints
    for (size_t i = 0; i < r_.scene.nodes.size() && !in_.failed(); ++i) {
      scene::Node& node = r_.scene.nodes[i];
      if (node.mesh == k_none) {
        if (node.skin != k_none) in_.add_note("nodes", "a skin without a mesh is omitted");
        node.skin = k_none;
        continue;
      }
      const auto& primitives = r_.scene.meshes[node.mesh].primitives;
      const auto has_joints = [](const scene::Primitive& p) { return !p.joints.empty(); };
      const size_t bending = size_t(std::ranges::count_if(primitives, has_joints));
      if (node.skin != k_none && (bending == 0 || bending < primitives.size())) {
        in_.add_note("meshes[" + std::to_string(node.mesh) + "]",
                     "the skin of a mesh that is not entirely bound to joints is omitted");
        node.skin = k_none;
      }
      if (node.skin == k_none && bending) node.mesh = copy_mesh_without_joints(node.mesh, stiff);
    }
  }

  Index copy_mesh_without_joints(Index mesh, std::vector<Index>& stiff) {
    if (stiff[mesh] != k_none) return stiff[mesh];
    const Item path = in_.list("meshes").at(mesh);
    in_.add_note(path.path(), "joints of a mesh without a skin are omitted");
    scene::Mesh copy = r_.scene.meshes[mesh];
    for (auto& p : copy.primitives) {
      p.joints.clear();
      p.weights.clear();
    }
    r_.scene.meshes.push_back(std::move(copy));
    return stiff[mesh] = Index(r_.scene.meshes.size() - 1);
  }

  // ---- instances ----

  /// Each instance becomes a child of the node with the instances, which then shows nothing itself.
  void read_instances() {
    const size_t accessors = r_.count("accessors");
    for (size_t i = 0; i < count_ && !in_.failed(); ++i) {
      const Index n = r_.nodes[i];
      const Item item = list_.at(i);
      if (n == k_none || !item.has("extensions")) continue;
      const Item attributes = item.extension("EXT_mesh_gpu_instancing").member("attributes");
      if (!attributes.exists()) continue;
      const scene::Node& holder = r_.scene.nodes[n];
      if (holder.mesh == k_none || holder.skin != k_none) {
        in_.add_note(item.path(), "instances of a node without a mesh, or with a skinned mesh, are omitted");
        continue;
      }
      std::vector<scene::Vec3> places, sizes;
      std::vector<scene::Vec4> turns;
      if (attributes.has("TRANSLATION"))
        places = in_.read_vectors<3>(attributes.index("TRANSLATION", accessors), attributes);
      if (attributes.has("ROTATION")) turns = in_.read_vectors<4>(attributes.index("ROTATION", accessors), attributes);
      if (attributes.has("SCALE")) sizes = in_.read_vectors<3>(attributes.index("SCALE", accessors), attributes);
      const size_t most = std::max({places.size(), turns.size(), sizes.size()});
      for (const size_t found : {places.size(), turns.size(), sizes.size()})
        if (found && found != most)
          attributes.report_fault({.message = "the attributes of the instances have different lengths: " +
                                              std::to_string(found) + " and " + std::to_string(most)});
      if (!in_.charge_memory_budget(item.path(), most * sizeof(scene::Node))) return;
      const Index mesh = holder.mesh;
      r_.scene.nodes[n].mesh = k_none;
      for (size_t k = 0; k < most; ++k) {
        scene::Node& copy = r_.scene.nodes.emplace_back();
        copy.parent = n;
        copy.mesh = mesh;
        if (!places.empty()) copy.translation = places[k];
        if (!sizes.empty()) copy.scale = sizes[k];
        if (!turns.empty()) copy.rotation = scene::unit_quaternion(turns[k][0], turns[k][1], turns[k][2], turns[k][3]);
      }
    }
  }

  // ---- units ----

  /// Descendants of the scaling node have its units already. Skinned meshes follow their joints.
  void find_roots_in_metres() {
    for (const Index root : roots_) {
      if (root == top_) continue;
      const scene::Node& node = r_.scene.nodes[r_.nodes[root]];
      const bool is_mesh_alone = node.skin != k_none && !list_.at(root).has("children") && node.camera == k_none;
      if (!is_mesh_alone) r_.foreign_roots.push_back(r_.nodes[root]);
    }
  }

  Reading& r_;
  Source& in_;
  const Item list_;
  const size_t count_;
  std::vector<Index> parents_, roots_;
  Index top_ = k_none;
  f32 metres_ = 1;
};

}  // namespace

void read_nodes(Reading& reading) { Nodes(reading).read_scene_nodes(); }

void read_cameras(Reading& reading) {
  const Item cameras = reading.source.list("cameras");
  const f32 metres = reading.scene.metres_per_unit;
  for (size_t i = 0; i < cameras.size() && !reading.source.failed(); ++i) {
    const Item item = cameras.at(i);
    scene::Camera& out = reading.scene.cameras.emplace_back(scene::Camera{.name = item.text("name")});
    const std::string type = item.text("type");
    const Item lens = item.member(type == "orthographic" ? type : "perspective");
    if (!lens.exists())
      return item.report_fault(
          {.message = type.empty() ? "the camera has no type"
                                   : "the camera has no perspective or orthographic parameters (type " + type + ")"});
    // A camera with an infinite range, or a near plane of 0, still needs a finite range in a scene.
    const f32 far = lens.real("zfar", std::max(lens.real("znear", 0), 1.0f) * 100000);
    const f32 near = lens.real("znear", 0) == 0 && type == "orthographic" ? far * 1e-6f : lens.real("znear", 0);
    if (!(near > 0) || !(far > near)) return lens.report_fault({.message = "the camera must have 0 < znear < zfar"});
    const auto in_units = [&](f32 x) {
      return find_round_trip_value(x, f64(x) / metres, [&](f32 n) { return n * metres; });
    };
    out.near = in_units(near);
    out.far = in_units(far);
    if (type == "orthographic") {
      const f32 width = std::fabs(lens.real("xmag", 0)), height = std::fabs(lens.real("ymag", 0));
      if (!(height > 0) || !(width > 0)) return lens.report_fault({.message = "xmag and ymag must not be 0"});
      out.half_height = in_units(height);
      out.aspect = find_round_trip_value(width, f64(width) / metres / out.half_height,
                                         [&](f32 n) { return out.half_height * n * metres; });
    } else {
      out.vertical_fov = lens.real("yfov", 0);
      if (!(out.vertical_fov > 0 && out.vertical_fov < std::numbers::pi_v<f32>))
        return lens.report_fault({.message = "yfov must be between 0 and pi"});
    }
  }
}

void read_lights(Reading& reading) {
  const Item lights = reading.source.root().extension("KHR_lights_punctual").member("lights");
  for (size_t i = 0; i < lights.size() && !reading.source.failed(); ++i) {
    const Item item = lights.at(i);
    using enum scene::Light::Kind;
    const std::string type = item.text("type");
    if (type != "directional" && type != "point" && type != "spot") {
      reading.source.add_note(item.path(), "lights of unknown types are omitted");
      reading.lights.push_back(k_none);
      continue;
    }
    scene::Light out{.name = item.text("name"), .kind = type == "point" ? point : type == "spot" ? spot : directional};
    if (out.kind != directional)
      out.range = item.real("range", 0);  // in metres, until the units of the nodes are known
    if (out.range < 0) return item.report_fault({.message = "the range of a light must not be negative"});
    if (out.kind == spot) {
      const Item cone = item.member("spot");
      out.inner_cone = cone.real("innerConeAngle", out.inner_cone);
      out.outer_cone = cone.real("outerConeAngle", out.outer_cone);
      // Blender writes equal angles for spot lights with a sharp edge.
      if (out.inner_cone == out.outer_cone) out.inner_cone = std::nextafter(out.outer_cone, 0.0f);
      if (!(0 <= out.inner_cone && out.inner_cone < out.outer_cone && out.outer_cone <= std::numbers::pi_v<f32> / 2))
        return cone.report_fault(
            {.message = "the spot light must have 0 <= innerConeAngle < outerConeAngle <= pi / 2"});
    }
    out.color = item.reals<3>("color", out.color);
    out.intensity = item.real("intensity", out.intensity);
    const f32 brightest = std::ranges::max(out.color);
    if (brightest > 1) {  // colours in a scene are at most 1
      for (f32& x : out.color) x /= brightest;
      out.intensity *= brightest;
    }
    if (std::ranges::min(out.color) < 0 || out.intensity < 0 || !std::isfinite(out.intensity))
      return item.report_fault({.message = "the colour and the intensity of a light must not be negative or infinite"});
    reading.lights.push_back(Index(reading.scene.lights.size()));
    reading.scene.lights.push_back(std::move(out));
  }
}

}  // namespace dio::gltf
