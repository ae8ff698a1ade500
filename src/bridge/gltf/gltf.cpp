#include "bridge/gltf/gltf.hpp"

#include <algorithm>
#include <map>

#include "bridge/gltf/buffer.hpp"
#include "bridge/gltf/container.hpp"
#include "bridge/report/json.hpp"

namespace dio::gltf {
namespace {

using scene::Index;
using scene::k_none;
using Use = Buffer::Use;

template <size_t N>
Value list_of(const std::array<f32, N>& v) {
  Value list = Value::list();
  for (const f32 x : v) list.push(x);
  return list;
}

/// What the game attaches to a thing stands under one name, so that it does not mix with other programs' extras.
void add_extras(Value& to, const Value& extras) {
  if (!extras.is(Value::Kind::null)) to.add("extras", Value::object()).add("diorama", extras);
}

void add_name(Value& to, const std::string& name) {
  if (!name.empty()) to.add("name", name);
}

/// glTF forbids empty lists and objects.
void add_if_any(Value& to, const char* name, Value list) {
  if (list.size()) to.add(name, std::move(list));
}

/// Writes things of the scene when they are first used, and knows their index in the file from then on. What nothing
/// uses is not written.
class Table {
 public:
  u32 index_of(Index in_scene, auto make) {
    if (auto known = known_.find(in_scene); known != known_.end()) return known->second;
    list.push(make());
    return known_[in_scene] = u32(list.size() - 1);
  }
  Value list = Value::list();

 private:
  std::map<Index, u32> known_;
};

class Writer {
 public:
  explicit Writer(const scene::Scene& scene) : scene_(scene) {}

  /// Everything but the buffer.
  Value run() {
    Value nodes = make_nodes(), animations = make_animations();
    Value root = Value::object();
    Value& asset = root.add("asset", Value::object());
    asset.add("version", "2.0");
    asset.add("generator", "diorama");
    Value extensions = Value::list();
    if (uses_pointer_) extensions.push("KHR_animation_pointer");
    if (uses_unlit_) extensions.push("KHR_materials_unlit");
    add_if_any(root, "extensionsUsed", std::move(extensions));
    root.add("scene", 0);
    root.add("scenes", Value::list()).push(make_scene());
    root.add("nodes", std::move(nodes));
    add_if_any(root, "cameras", std::move(cameras_.list));
    add_if_any(root, "materials", std::move(materials_.list));
    add_if_any(root, "meshes", std::move(meshes_.list));
    add_if_any(root, "animations", std::move(animations));
    add_if_any(root, "accessors", buffer_.accessors());
    add_if_any(root, "bufferViews", buffer_.views());
    return root;
  }

  const Bytes& binary() const { return buffer_.bytes(); }

 private:
  /// The node that scales to metres comes last: all others keep the index they have in the scene.
  u32 top() const { return u32(scene_.nodes.size()); }

  Value make_scene() const {
    Value out = Value::object();
    add_name(out, scene_.name);
    out.add("nodes", Value::list()).push(top());
    add_extras(out, scene_.extras);
    return out;
  }

  Value make_nodes() {
    std::vector<Value> children(scene_.nodes.size() + 1, Value::list());
    for (size_t i = 0; i < scene_.nodes.size(); ++i) children[std::min(scene_.nodes[i].parent, top())].push(i);
    Value nodes = Value::list();
    for (size_t i = 0; i < scene_.nodes.size(); ++i) nodes.push(make_node(scene_.nodes[i], std::move(children[i])));
    const f32 metres = scene_.metres_per_unit;
    nodes.push(
        make_node({.name = scene_.name, .scale = {metres, metres, metres}, .extras = {}}, std::move(children[top()])));
    return nodes;
  }

  Value make_node(const scene::Node& node, Value children) {
    Value out = Value::object();
    add_name(out, node.name);
    add_if_any(out, "children", std::move(children));
    const scene::Node still;
    if (node.translation != still.translation) out.add("translation", list_of(node.translation));
    if (node.rotation != still.rotation) out.add("rotation", list_of(node.rotation));
    if (node.scale != still.scale) out.add("scale", list_of(node.scale));
    if (node.mesh != k_none && has_vertices(scene_.meshes[node.mesh]))
      out.add("mesh", meshes_.index_of(node.mesh, [&] { return make_mesh(scene_.meshes[node.mesh]); }));
    if (node.camera != k_none) out.add("camera", camera(node.camera));
    add_extras(out, node.extras);
    return out;
  }

  static bool has_vertices(const scene::Mesh& mesh) {
    return std::ranges::any_of(mesh.primitives, [](const auto& p) { return !p.positions.empty(); });
  }

  Value make_mesh(const scene::Mesh& mesh) {
    Value out = Value::object();
    add_name(out, mesh.name);
    Value& primitives = out.add("primitives", Value::list());
    for (const auto& primitive : mesh.primitives)
      if (!primitive.positions.empty()) primitives.push(make_primitive(primitive));
    return out;
  }

  Value make_primitive(const scene::Primitive& primitive) {
    Value out = Value::object();
    Value& attributes = out.add("attributes", Value::object());
    attributes.add("POSITION", buffer_.add_floats(Use::positions, primitive.positions));
    if (!primitive.normals.empty()) attributes.add("NORMAL", buffer_.add_floats(Use::attributes, primitive.normals));
    if (!primitive.colors.empty()) attributes.add("COLOR_0", buffer_.add_colors(primitive.colors));
    if (!primitive.indices.empty()) out.add("indices", buffer_.add_indices(primitive.indices));
    switch (primitive.shape) {
      case scene::Primitive::Shape::points:
        out.add("mode", 0);
        break;
      case scene::Primitive::Shape::lines:
        out.add("mode", 1);
        break;
      case scene::Primitive::Shape::triangles:
        break;
    }
    if (const Index i = primitive.material; i != k_none)
      out.add("material", materials_.index_of(i, [&] { return make_material(scene_.materials[i]); }));
    return out;
  }

  Value make_material(const scene::Material& material) {
    Value out = Value::object();
    add_name(out, material.name);
    Value& surface = out.add("pbrMetallicRoughness", Value::object());
    if (material.color != scene::Vec4{1, 1, 1, 1}) surface.add("baseColorFactor", list_of(material.color));
    surface.add("metallicFactor", 0);  // the default is a metal; that of the roughness is 1, which is right
    if (material.alpha == scene::Material::Alpha::mask) out.add("alphaMode", "MASK");
    if (material.alpha == scene::Material::Alpha::blend) out.add("alphaMode", "BLEND");
    if (material.double_sided) out.add("doubleSided", true);
    if (material.unlit) {
      out.add("extensions", Value::object()).add("KHR_materials_unlit", Value::object());
      uses_unlit_ = true;
    }
    return out;
  }

  u32 camera(Index i) {
    return cameras_.index_of(i, [&] { return make_camera(scene_.cameras[i]); });
  }

  Value make_camera(const scene::Camera& camera) const {
    Value out = Value::object();
    add_name(out, camera.name);
    out.add("type", "perspective");
    Value& lens = out.add("perspective", Value::object());  // no aspectRatio: that of the window
    lens.add("yfov", camera.vertical_fov);
    // The scale of the nodes above a camera moves it, but does not count for its view.
    lens.add("znear", camera.near * scene_.metres_per_unit);
    lens.add("zfar", camera.far * scene_.metres_per_unit);
    return out;
  }

  Value make_animations() {
    Value list = Value::list();
    for (const auto& animation : scene_.animations)
      if (!animation.channels.empty() || !animation.fov_channels.empty()) list.push(make_animation(animation));
    return list;
  }

  Value make_animation(const scene::Animation& animation) {
    Value out = Value::object(), channels = Value::list(), samplers = Value::list();
    add_name(out, animation.name);
    auto add_channel = [&](Value sampler, Value target) {
      Value& channel = channels.push(Value::object());
      channel.add("sampler", samplers.size());
      channel.add("target", std::move(target));
      samplers.push(std::move(sampler));
    };
    for (const auto& channel : animation.channels) add_channel(make_sampler(channel), make_target(channel));
    for (const auto& channel : animation.fov_channels)
      add_channel(make_sampler(channel.times, channel.values, 1),
                  make_pointer("/cameras/" + std::to_string(camera(channel.camera)) + "/perspective/yfov"));
    out.add("channels", std::move(channels));
    out.add("samplers", std::move(samplers));
    return out;
  }

  Value make_sampler(const scene::Channel& channel) {
    const int components = channel.target == scene::Channel::Target::rotation ? 4 : 3;
    std::vector<f32> numbers;
    for (const auto& v : channel.values) numbers.insert(numbers.end(), v.begin(), v.begin() + components);
    Value sampler = make_sampler(channel.times, numbers, components);
    if (channel.interpolation == scene::Channel::Interpolation::step) sampler.add("interpolation", "STEP");
    return sampler;
  }

  Value make_sampler(const std::vector<f32>& times, const std::vector<f32>& numbers, int components) {
    Value sampler = Value::object();
    sampler.add("input", buffer_.add_floats(Use::key_times, times, 1));
    sampler.add("output", buffer_.add_floats(Use::key_values, numbers, components));
    return sampler;
  }

  static Value make_target(const scene::Channel& channel) {
    Value target = Value::object();
    target.add("node", channel.node);
    switch (channel.target) {
      case scene::Channel::Target::translation:
        target.add("path", "translation");
        break;
      case scene::Channel::Target::rotation:
        target.add("path", "rotation");
        break;
      case scene::Channel::Target::scale:
        target.add("path", "scale");
        break;
    }
    return target;
  }

  /// What moves is no property of a node: the extension names it by its place in the JSON.
  Value make_pointer(std::string pointer) {
    Value target = Value::object();
    target.add("path", "pointer");
    target.add("extensions", Value::object())
        .add("KHR_animation_pointer", Value::object())
        .add("pointer", std::move(pointer));
    uses_pointer_ = true;
    return target;
  }

  const scene::Scene& scene_;
  Buffer buffer_;
  Table meshes_, materials_, cameras_;
  bool uses_unlit_ = false, uses_pointer_ = false;
};

std::optional<Diagnostic> fault_of(const scene::Scene& scene) {
  const auto faults = scene::verify(scene);
  if (faults.empty()) return {};
  std::string found = faults.front();
  if (faults.size() > 1) found += ", and " + std::to_string(faults.size() - 1) + " more";
  return Diagnostic{
      .id = "gltf.scene", .place = {}, .expected = "a scene whose invariants hold", .found = found, .hint = {}};
}

void add_buffer(Value& root, u64 size, std::string uri) {
  if (!size) return;
  Value& buffer = root.add("buffers", Value::list()).push(Value::object());
  if (!uri.empty()) buffer.add("uri", std::move(uri));
  buffer.add("byteLength", size);
}

}  // namespace

Result<Bytes> write_glb(const scene::Scene& scene) {
  if (auto fault = fault_of(scene)) return refuse(*std::move(fault));
  Writer writer(scene);
  Value root = writer.run();
  add_buffer(root, writer.binary().size(), {});
  return pack_glb(json::write(root, {.indent = 0}), writer.binary());
}

Result<std::string> write_gltf(const scene::Scene& scene) {
  if (auto fault = fault_of(scene)) return refuse(*std::move(fault));
  Writer writer(scene);
  Value root = writer.run();
  add_buffer(root, writer.binary().size(), data_uri(writer.binary()));
  return json::write(root);
}

}  // namespace dio::gltf
