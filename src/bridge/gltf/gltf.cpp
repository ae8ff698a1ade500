#include "bridge/gltf/gltf.hpp"

#include <algorithm>
#include <cmath>
#include <deque>
#include <map>

#include "bridge/gltf/buffer.hpp"
#include "bridge/gltf/container.hpp"
#include "bridge/gltf/json_text.hpp"
#include "bridge/png/png.hpp"
#include "core/json.hpp"
#include "core/sorting.hpp"
#include "scene/kept_material.hpp"
#include "scene/math.hpp"
#include "scene/transforms.hpp"

namespace dio::gltf {
namespace {

using scene::Index;
using scene::k_none;

/// Game data has one name in extras, so that it does not mix with the extras of other programs.
void add_extras(JsonText& to, const Value& extras) {
  if (extras.is(Value::Kind::null)) return;
  const auto object = to.object("extras");
  to.add_json("diorama", json::write(extras, {.indent = 0, .spaces = false}));
}

void add_name(JsonText& to, const std::string& name) {
  if (!name.empty()) to.add("name", name);
}

/// Writes items of the scene on first use and remembers their index in the file. Unused items are not written.
class Table {
 public:
  explicit Table(size_t in_scene) : known_(in_scene, k_none) {}

  u32 index_or_write(Index i, auto write) {
    if (known_[i] == k_none) {
      write(i);
      known_[i] = count_++;
    }
    return known_[i];
  }
  bool has(Index i) const { return known_[i] != k_none; }

 private:
  std::vector<u32> known_;
  u32 count_ = 0;
};

bool has_vertices(const scene::Mesh& mesh) {
  return std::ranges::any_of(mesh.primitives, [](const auto& p) { return !p.positions.empty(); });
}

/// The positions of scene nodes in the file. Nodes keep their index; after them comes the node that scales to metres,
/// which is the ancestor of all others except skinned meshes. These must be roots, because their own transform is
/// ignored: the node itself or, if it is needed at its position, an additional node that has only the mesh.
class MeshInstancing {
 public:
  explicit MeshInstancing(const scene::Scene& scene)
      : scene_(scene),
        mesh_node_(scene.nodes.size(), k_none),
        first_child_(scene.nodes.size() + 1, k_none),
        next_(scene.nodes.size(), k_none),
        end_(top() + 1) {
    if (!scene.skins.empty()) relocate_skinned_meshes();
    for (u32 i = top(); i-- > 0;) {
      if (mesh_node_[i] == i) continue;
      u32& first = first_child_[std::min(scene.nodes[i].parent, top())];
      next_[i] = std::exchange(first, i);
    }
  }

  u32 top() const { return u32(scene_.nodes.size()); }
  /// The number of nodes, including added ones.
  u32 count() const { return end_; }
  /// The nodes of the scene with a skinned mesh.
  const std::vector<Index>& skinned() const { return skinned_; }
  /// The node of the file with the mesh of a scene node, if that mesh is skinned.
  u32 mesh_node(Index i) const { return mesh_node_[i]; }
  bool is_moved(Index i) const { return mesh_node_[i] == i; }
  u32 first_child(u32 i) const { return first_child_[i]; }
  u32 next(u32 i) const { return next_[i]; }

 private:
  void relocate_skinned_meshes() {
    std::vector<u8> stays(scene_.nodes.size());
    for (size_t i = 0; i < stays.size(); ++i) {
      const scene::Node& node = scene_.nodes[i];
      if (node.parent != k_none) stays[node.parent] = true;
      if (node.camera != k_none || node.light != k_none) stays[i] = true;
    }
    for (const auto& skin : scene_.skins)
      for (const Index joint : skin.joints) stays[joint] = true;
    for (const auto& animation : scene_.animations)
      for (const auto& channel : animation.channels) stays[channel.node] = true;

    for (u32 i = 0; i < top(); ++i) {
      const scene::Node& node = scene_.nodes[i];
      if (node.skin == k_none || !has_vertices(scene_.meshes[node.mesh])) continue;
      mesh_node_[i] = stays[i] ? end_++ : i;
      skinned_.push_back(i);
    }
  }

  const scene::Scene& scene_;
  std::vector<u32> mesh_node_;           // for skinned meshes
  std::vector<u32> first_child_, next_;  // rising
  u32 end_;
  std::vector<Index> skinned_;
};

/// Static meshes that occur several times below one node and can be drawn at once.
class Instances {
 public:
  struct Group {
    u32 parent;  // in the file
    Index mesh;
    std::vector<Index> nodes;  // of the scene
    std::vector<scene::Vec4> translations, rotations, scales;
  };

  Instances(const scene::Scene& scene, u32 top, bool wanted) : grouped_(scene.nodes.size()) {
    if (!wanted) return;
    std::vector<u8> moves(scene.nodes.size());
    for (const auto& animation : scene.animations) {
      for (const auto& channel : animation.channels) moves[channel.node] = true;
      for (const auto& channel : animation.visibility_channels) moves[channel.node] = true;
    }
    const auto is_still = [&](Index i) { return !moves[i] && scene.nodes[i].visible; };
    std::map<std::pair<u32, Index>, Group> groups;
    for (Index i = 0; i < scene.nodes.size(); ++i) {
      const scene::Node& node = scene.nodes[i];
      if (node.mesh == k_none || node.skin != k_none || !has_vertices(scene.meshes[node.mesh]) || !is_still(i))
        continue;
      scene::Affine place = scene::local_transform(node);
      Index above = node.parent;
      for (; above != k_none && is_still(above); above = scene.nodes[above].parent)
        place = scene::local_transform(scene.nodes[above]) * place;
      Group& group = groups[{std::min(above, top), node.mesh}];
      if (add_instance_transform(group, place)) group.nodes.push_back(i);
    }
    for (auto& [key, group] : groups) {
      if (group.nodes.size() < 2) continue;
      std::tie(group.parent, group.mesh) = key;
      for (const Index i : group.nodes) grouped_[i] = true;
      groups_.push_back(std::move(group));
    }
  }

  const std::vector<Group>& groups() const { return groups_; }
  bool is_grouped(Index i) const { return grouped_[i]; }

 private:
  /// False if the transform is not a scale, rotation and translation: several such transforms can combine to something
  /// else.
  static bool add_instance_transform(Group& group, const scene::Affine& place) {
    constexpr f64 k_crooked = 1e-5;  // cosine of an angle that is not a right angle
    const scene::SignedRotation turn = [&] {
      scene::Mat3d unscaled;
      for (size_t c = 0; c < 3; ++c) unscaled.columns[c] = scene::unit(place.linear.columns[c]);
      return scene::decompose_rotation(unscaled);
    }();
    scene::Vec4 scale{};
    for (size_t c = 0; c < 3; ++c) {
      const scene::Point& axis = place.linear.columns[c];
      const scene::Point& other = place.linear.columns[(c + 1) % 3];
      const f64 length = scene::length(axis);
      if (!(length > 0) || std::fabs(scene::dot(axis, other)) > k_crooked * length * scene::length(other)) return false;
      scale[c] = f32(length * turn.sign);
    }
    group.translations.push_back({f32(place.origin[0]), f32(place.origin[1]), f32(place.origin[2]), 0});
    group.rotations.push_back(scene::quaternion_of(turn));
    group.scales.push_back(scale);
    return true;
  }

  std::vector<Group> groups_;
  std::vector<u8> grouped_;
};

/// The visibility of nodes over time. A hidden node also has a scale of 0, for programs that do not support
/// KHR_node_visibility, unless that would affect visible parts: above a joint of a mesh that is not hidden with it, or
/// above a camera. A skinned mesh does not follow its node, so in such programs it vanishes only if the hidden node is
/// also above all its joints.
class Visibility {
 public:
  Visibility(const scene::Scene& scene, const MeshInstancing& places)
      : scene_(scene), changes_(scene.nodes.size()), keeps_scale_(scene.nodes.size()) {
    for (const auto& animation : scene.animations)
      for (const auto& channel : animation.visibility_channels) changes_[channel.node] = true;
    const bool any_hidden = std::ranges::any_of(scene.nodes, [](const auto& node) { return !node.visible; });
    if (any_hidden || std::ranges::count(changes_, true)) find_scales_to_keep(places);
  }

  /// Whether an animation shows or hides the node itself.
  bool changes(Index i) const { return changes_[i]; }
  bool is_scaled(Index i) const { return !keeps_scale_[i]; }

  /// Same, for a node and all its ancestors: a mesh written elsewhere needs this.
  bool is_visible_in_hierarchy(Index i) const {
    return all_ancestors_satisfy(i, [&](Index n) { return scene_.nodes[n].visible; });
  }
  bool is_visibility_animated(Index i) const {
    return !all_ancestors_satisfy(i, [&](Index n) { return !changes_[n]; });
  }
  /// The combined channels of an animation for a node and all its ancestors. Without times if there are none.
  scene::VisibilityChannel merge_visibility_channels(const scene::Animation& animation, Index i) const {
    scene::VisibilityChannel out;
    for (const auto& channel : animation.visibility_channels)
      if (!all_ancestors_satisfy(i, [&](Index n) { return n != channel.node; }))
        out.times.insert(out.times.end(), channel.times.begin(), channel.times.end());
    sort_stably(out.times);
    out.times.erase(std::unique(out.times.begin(), out.times.end()), out.times.end());
    for (const f32 time : out.times)
      out.visible.push_back(all_ancestors_satisfy(i, [&](Index n) { return is_visible_at_time(animation, n, time); }));
    return out;
  }

 private:
  bool all_ancestors_satisfy(Index i, auto holds) const {
    for (; i != k_none; i = scene_.nodes[i].parent)
      if (!holds(i)) return false;
    return true;
  }

  bool is_visible_at_time(const scene::Animation& animation, Index i, f32 time) const {
    for (const auto& channel : animation.visibility_channels) {
      if (channel.node != i) continue;
      const auto after = std::ranges::upper_bound(channel.times, time) - channel.times.begin();
      return channel.visible[size_t(std::max<std::ptrdiff_t>(after - 1, 0))];
    }
    return scene_.nodes[i].visible;
  }

  void find_scales_to_keep(const MeshInstancing& places) {
    for (Index i = 0; i < scene_.nodes.size(); ++i)
      if (scene_.nodes[i].camera != k_none)
        for (Index n = i; n != k_none; n = scene_.nodes[n].parent) keeps_scale_[n] = true;
    std::vector<Index> above_mesh_of(scene_.nodes.size(), k_none);
    for (const Index mesh : places.skinned()) {
      for (Index n = mesh; n != k_none; n = scene_.nodes[n].parent) above_mesh_of[n] = mesh;
      for (const Index joint : scene_.skins[scene_.nodes[mesh].skin].joints)
        for (Index n = joint; n != k_none && above_mesh_of[n] != mesh; n = scene_.nodes[n].parent)
          keeps_scale_[n] = true;
    }
  }

  const scene::Scene& scene_;
  std::vector<u8> changes_, keeps_scale_;
};

size_t expected_accessors(const scene::Scene& scene) {
  size_t count = scene.images.size() + scene.skins.size();
  for (const auto& mesh : scene.meshes) count += 6 * mesh.primitives.size();
  for (const auto& animation : scene.animations) count += 2 * animation.channels.size();
  return count;
}

class Writer {
 public:
  Writer(const scene::Scene& scene, const Options& options)
      : scene_(scene),
        png_(options.png),
        places_(scene),
        instances_(scene, places_.top(), options.instances),
        visibility_(scene, places_),
        buffer_(expected_accessors(scene)),
        meshes_(scene.meshes.size()),
        skins_(scene.skins.size()),
        cameras_(scene.cameras.size()),
        lights_(scene.lights.size()),
        variants_(scene.variants.size()),
        materials_(scene.materials.size()),
        same_materials_(scene.materials.size(), k_none),
        textures_(scene.textures.size(), k_none),
        images_(scene.images.size(), k_none),
        moves_color_(scene.materials.size()),
        moves_texture_(scene.materials.size()) {
    for (const auto& animation : scene.animations)
      for (const auto& channel : animation.material_channels)
        (channel.target == scene::MaterialChannel::Target::color ? moves_color_ : moves_texture_)[channel.material] =
            true;
  }

  /// The JSON text. The buffer is complete afterwards.
  std::string build_json() {
    write_nodes();
    for (Index i = 0; i < scene_.materials.size(); ++i)
      if (scene::is_kept_material(scene_.materials[i])) material_index(i);
    write_animations();
    JsonText root;
    const std::string views = buffer_.buffer_views_json();
    using Section = std::pair<std::string_view, const std::string&>;
    const std::array<Section, 10> sections{{{"cameras", camera_text_.text()},
                                            {"skins", skin_text_.text()},
                                            {"materials", material_text_.text()},
                                            {"textures", texture_text_.text()},
                                            {"images", image_text_.text()},
                                            {"samplers", sampler_text_.text()},
                                            {"meshes", mesh_text_.text()},
                                            {"animations", animation_text_.text()},
                                            {"accessors", buffer_.accessors()},
                                            {"bufferViews", views}}};
    size_t size = node_text_.text().size() + scene_.name.size() + 1024;
    for (const auto& [name, text] : sections) size += text.size();
    root.reserve(size);
    {
      const auto all = root.object();
      {
        const auto asset = root.object("asset");
        root.add("version", "2.0");
        root.add("generator", "diorama");
      }
      write_extension_lists(root);
      root.add("scene", 0);
      write_scene(root);
      write_section(root, "nodes", node_text_.text());
      for (const auto& [name, text] : sections) write_section(root, name, text);
      if (buffer_.size()) {
        const auto list = root.list("buffers");
        const auto buffer = root.object();
        root.add("byteLength", buffer_.size());
      }
    }
    return root.take();
  }

  const Buffer& buffer() const { return buffer_; }

 private:
  /// glTF forbids empty lists.
  static void write_section(JsonText& root, std::string_view name, const std::string& elements) {
    if (elements.empty()) return;
    const auto list = root.list(name);
    root.add_json({}, elements);
  }

  /// The file-level members of an extension.
  static void write_list_of(JsonText& root, std::string_view extension, std::string_view name,
                            const std::string& elements) {
    if (elements.empty()) return;
    const auto object = root.object(extension);
    write_section(root, name, elements);
  }

  void write_extension_lists(JsonText& root) const {
    using Extension = std::pair<std::string_view, bool>;
    const bool instances = !instances_.groups().empty();
    const std::array<Extension, 7> extensions{{{"EXT_mesh_gpu_instancing", instances},
                                               {"KHR_animation_pointer", uses_pointer_},
                                               {"KHR_lights_punctual", !light_text_.text().empty()},
                                               {"KHR_materials_unlit", uses_unlit_},
                                               {"KHR_materials_variants", !variant_text_.text().empty()},
                                               {"KHR_node_visibility", uses_visibility_},
                                               {"KHR_texture_transform", uses_transform_}}};
    if (std::ranges::none_of(extensions, &Extension::second)) return;
    {
      const auto list = root.list("extensionsUsed");
      for (const auto& [name, used] : extensions)
        if (used) root.push(name);
    }
    if (instances) {
      const auto list = root.list("extensionsRequired");
      root.push("EXT_mesh_gpu_instancing");
    }
    if (light_text_.text().empty() && variant_text_.text().empty()) return;
    const auto content = root.object("extensions");
    write_list_of(root, "KHR_lights_punctual", "lights", light_text_.text());
    write_list_of(root, "KHR_materials_variants", "variants", variant_text_.text());
  }

  void write_scene(JsonText& root) const {
    const auto list = root.list("scenes");
    const auto object = root.object();
    add_name(root, scene_.name);
    {
      const auto roots = root.list("nodes");
      root.push(places_.top());
      for (const Index i : places_.skinned()) root.push(places_.mesh_node(i));
    }
    add_extras(root, scene_.extras);
  }

  // ---- nodes ----

  void write_nodes() {
    for (u32 i = 0; i < places_.top(); ++i) write_node(i);
    const f32 metres = scene_.metres_per_unit;
    {
      const auto object = node_text_.object();
      add_name(node_text_, scene_.name);
      write_children(places_.top());
      if (metres != 1) node_text_.add("scale", scene::Vec3{metres, metres, metres});
      const auto extras = node_text_.object("extras");
      const auto own = node_text_.object("diorama");
      node_text_.add("metres_per_unit", metres);
    }
    for (const Index i : places_.skinned()) {
      if (places_.is_moved(i)) continue;
      const auto object = node_text_.object();
      add_name(node_text_, scene_.nodes[i].name);
      write_skinned_mesh(i);
    }
    for (const auto& group : instances_.groups()) write_instances(group);
  }

  void write_instances(const Instances::Group& group) {
    const auto object = node_text_.object();
    add_name(node_text_, scene_.meshes[group.mesh].name);
    node_text_.add("mesh", mesh_index(group.mesh));
    const auto extensions = node_text_.object("extensions");
    const auto extension = node_text_.object("EXT_mesh_gpu_instancing");
    const auto attributes = node_text_.object("attributes");
    node_text_.add("TRANSLATION", buffer_.add_key_values(group.translations, 3));
    node_text_.add("ROTATION", buffer_.add_key_values(group.rotations, 4));
    node_text_.add("SCALE", buffer_.add_key_values(group.scales, 3));
  }

  void write_node(Index i) {
    const scene::Node& node = scene_.nodes[i];
    const auto object = node_text_.object();
    add_name(node_text_, node.name);
    if (places_.is_moved(i)) {
      write_skinned_mesh(i);
    } else {
      write_children(i);
      write_transform(i);
      const bool is_here = node.mesh != k_none && places_.mesh_node(i) == k_none && !instances_.is_grouped(i);
      if (is_here && has_vertices(scene_.meshes[node.mesh])) node_text_.add("mesh", mesh_index(node.mesh));
      if (node.camera != k_none) node_text_.add("camera", camera_index(node.camera));
      write_node_extensions(i);
    }
    add_extras(node_text_, node.extras);
  }

  void write_node_extensions(Index i) {
    const scene::Node& node = scene_.nodes[i];
    const bool blinks = !node.visible || visibility_.changes(i);
    if (!blinks && node.light == k_none) return;
    const auto extensions = node_text_.object("extensions");
    if (node.light != k_none) {
      const auto extension = node_text_.object("KHR_lights_punctual");
      node_text_.add("light", light_index(node.light));
    }
    if (blinks) write_visibility(node.visible);
  }

  void write_children(u32 parent) {
    u32 child = places_.first_child(parent);
    if (child == k_none) return;
    const auto list = node_text_.list("children");
    for (; child != k_none; child = places_.next(child)) node_text_.push(child);
    const auto& groups = instances_.groups();  // sorted by parent; parents without such children are missing
    const auto [first, last] = std::ranges::equal_range(groups, parent, {}, &Instances::Group::parent);
    for (auto group = first; group != last; ++group) node_text_.push(places_.count() + u32(group - groups.begin()));
  }

  void write_transform(Index i) {
    const scene::Node& node = scene_.nodes[i];
    const scene::Node still;
    if (node.translation != still.translation) node_text_.add("translation", node.translation);
    if (node.rotation != still.rotation) node_text_.add("rotation", node.rotation);
    const scene::Vec3 scale = is_shrunk(i) ? scene::Vec3{0, 0, 0} : node.scale;
    if (scale != still.scale) node_text_.add("scale", scale);
  }

  /// Whether the node has a scale of 0 because it is not visible.
  bool is_shrunk(Index i) const { return !scene_.nodes[i].visible && visibility_.is_scaled(i); }

  /// The ancestors of the scene node are not those of the mesh, so the visibility of all of them is combined.
  void write_skinned_mesh(Index i) {
    node_text_.add("mesh", mesh_index(scene_.nodes[i].mesh));
    node_text_.add("skin", skins_.index_or_write(scene_.nodes[i].skin, [&](Index s) { write_skin(scene_.skins[s]); }));
    const bool visible = visibility_.is_visible_in_hierarchy(i);
    if (visible && !visibility_.is_visibility_animated(i)) return;
    const auto extensions = node_text_.object("extensions");
    write_visibility(visible);
  }

  void write_visibility(bool visible) {
    const auto extension = node_text_.object("KHR_node_visibility");
    node_text_.add("visible", visible);
    uses_visibility_ = true;
  }

  void write_skin(const scene::Skin& skin) {
    const auto object = skin_text_.object();
    add_name(skin_text_, skin.name);
    skin_text_.add("inverseBindMatrices", buffer_.add_matrices(skin.inverse_bind));
    const auto joints = skin_text_.list("joints");
    for (const Index joint : skin.joints) skin_text_.push(joint);
  }

  u32 camera_index(Index i) {
    return cameras_.index_or_write(i, [&](Index c) { write_camera(scene_.cameras[c]); });
  }

  void write_camera(const scene::Camera& camera) {
    const auto object = camera_text_.object();
    add_name(camera_text_, camera.name);
    const bool parallel = camera.half_height != 0;
    const std::string_view type = parallel ? "orthographic" : "perspective";
    camera_text_.add("type", type);
    const auto lens = camera_text_.object(type);
    // The scale of the ancestors of a camera moves it but does not affect its view.
    const f32 metres = scene_.metres_per_unit;
    if (parallel) {
      camera_text_.add("xmag", camera.half_height * camera.aspect * metres);
      camera_text_.add("ymag", camera.half_height * metres);
    } else
      camera_text_.add("yfov", camera.vertical_fov);  // no aspectRatio: the window determines it
    camera_text_.add("znear", camera.near * metres);
    camera_text_.add("zfar", camera.far * metres);
  }

  u32 light_index(Index i) {
    return lights_.index_or_write(i, [&](Index l) {
      const scene::Light& light = scene_.lights[l];
      const auto object = light_text_.object();
      add_name(light_text_, light.name);
      using enum scene::Light::Kind;
      const std::string_view kind = light.kind == point ? "point" : light.kind == spot ? "spot" : "directional";
      light_text_.add("type", kind);
      if (light.color != scene::Vec3{1, 1, 1}) light_text_.add("color", light.color);
      light_text_.add("intensity", light.intensity);  // Blender 3.4 reads a missing one as 543
      if (light.kind != directional && light.range != 0) light_text_.add("range", light.range * scene_.metres_per_unit);
      if (light.kind != spot) return;
      const auto cone = light_text_.object("spot");
      light_text_.add("innerConeAngle", light.inner_cone);
      light_text_.add("outerConeAngle", light.outer_cone);
    });
  }

  // ---- meshes ----

  u32 mesh_index(Index i) {
    return meshes_.index_or_write(i, [&](Index m) { write_mesh(scene_.meshes[m]); });
  }

  void write_mesh(const scene::Mesh& mesh) {
    const auto object = mesh_text_.object();
    add_name(mesh_text_, mesh.name);
    const auto primitives = mesh_text_.list("primitives");
    for (const auto& primitive : mesh.primitives)
      if (!primitive.positions.empty()) write_primitive(primitive);
  }

  void write_primitive(const scene::Primitive& primitive) {
    JsonText& out = mesh_text_;
    const auto object = out.object();
    {
      const auto attributes = out.object("attributes");
      out.add("POSITION", buffer_.add_positions(primitive.positions));
      if (!primitive.normals.empty()) out.add("NORMAL", buffer_.add_normals(primitive.normals));
      if (!primitive.colors.empty()) out.add("COLOR_0", buffer_.add_colors(primitive.colors));
      if (!primitive.uvs.empty()) out.add("TEXCOORD_0", buffer_.add_uvs(primitive.uvs));
      if (!primitive.joints.empty()) {
        const auto [joints, weights] = buffer_.add_influences(primitive.joints, primitive.weights);
        out.add("JOINTS_0", joints);
        out.add("WEIGHTS_0", weights);
      }
      if (!primitive.sources.empty()) out.add("_SOURCE", buffer_.add_sources(primitive.sources));
    }
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
    if (primitive.material != k_none) out.add("material", material_index(primitive.material));
    write_variants(primitive);
  }

  /// Variants in which the primitive has the same other material are grouped.
  void write_variants(const scene::Primitive& primitive) {
    std::map<u32, std::vector<u32>> variants_with;  // by material
    const u32 usual = primitive.material == k_none ? k_none : material_index(primitive.material);
    for (const auto& [variant, other] : primitive.in_variants) {
      const u32 written = material_index(other);
      if (written != usual) variants_with[written].push_back(variant_index(variant));
    }
    if (variants_with.empty()) return;
    const auto extensions = mesh_text_.object("extensions");
    const auto extension = mesh_text_.object("KHR_materials_variants");
    const auto mappings = mesh_text_.list("mappings");
    for (auto& [written, variants] : variants_with) {
      const auto mapping = mesh_text_.object();
      mesh_text_.add("material", written);
      const auto list = mesh_text_.list("variants");
      sort_stably(variants);
      for (const u32 variant : variants) mesh_text_.push(variant);
    }
  }

  u32 variant_index(Index i) {
    return variants_.index_or_write(i, [&](Index v) {
      const auto object = variant_text_.object();
      variant_text_.add("name", scene_.variants[v]);  // required, unlike other names
    });
  }

  // ---- materials ----

  /// Materials with the same look and name are merged, unless one of them is animated.
  u32 material_index(Index i) {
    return materials_.index_or_write(find_identical_material(i), [&](Index m) { write_material(m); });
  }

  Index find_identical_material(Index i) {
    Index& known = same_materials_[i];
    if (known != k_none) return known;
    if (moves_color_[i] || moves_texture_[i]) return known = i;
    std::vector<Index>& namesakes = materials_of_name_[scene_.materials[i].name];
    const auto is_same = [&](Index m) { return scene_.materials[m] == scene_.materials[i]; };
    const auto same = std::ranges::find_if(namesakes, is_same);
    if (same != namesakes.end()) return known = *same;
    namesakes.push_back(i);
    return known = i;
  }

  /// Animated properties are written even with default values, because pointers need a target.
  void write_material(Index i) {
    const scene::Material& material = scene_.materials[i];
    JsonText& out = material_text_;
    const auto object = out.object();
    add_name(out, material.name);
    {
      const auto surface = out.object("pbrMetallicRoughness");
      if (moves_color_[i] || material.color != scene::Vec4{1, 1, 1, 1}) out.add("baseColorFactor", material.color);
      if (material.texture != k_none) {
        const auto texture = out.object("baseColorTexture");
        out.add("index", texture_index(material.texture));
        write_texture_transform(material.transform, moves_texture_[i]);
      }
      out.add("metallicFactor", 0);  // the default is metallic; the default roughness of 1 is right
    }
    if (material.alpha == scene::Material::Alpha::mask) {
      out.add("alphaMode", "MASK");
      if (material.alpha_cutoff != 0.5f) out.add("alphaCutoff", material.alpha_cutoff);
    }
    if (material.alpha == scene::Material::Alpha::blend) out.add("alphaMode", "BLEND");
    if (material.double_sided) out.add("doubleSided", true);
    if (material.unlit) {
      const auto extensions = out.object("extensions");
      const auto unlit = out.object("KHR_materials_unlit");
      uses_unlit_ = true;
    }
    add_extras(out, material.extras);
  }

  void write_texture_transform(const scene::TextureTransform& transform, bool moves) {
    const scene::TextureTransform still;
    if (transform == still && !moves) return;
    const auto extensions = material_text_.object("extensions");
    const auto extension = material_text_.object("KHR_texture_transform");
    if (moves || transform.offset != still.offset) material_text_.add("offset", transform.offset);
    if (moves || transform.rotation != still.rotation) material_text_.add("rotation", transform.rotation);
    if (moves || transform.scale != still.scale) material_text_.add("scale", transform.scale);
    uses_transform_ = true;
  }

  /// Textures that show the same picture in the same way are merged, and so are identical pictures.
  u32 texture_index(Index i) {
    u32& known = textures_[i];
    if (known != k_none) return known;
    const scene::Texture& texture = scene_.textures[i];
    const std::array<u32, 2> parts{image_index(texture.image), sampler_index(texture)};
    const auto place = std::ranges::find(written_textures_, parts);
    known = u32(place - written_textures_.begin());
    if (place != written_textures_.end()) return known;
    written_textures_.push_back(parts);
    const auto object = texture_text_.object();
    add_name(texture_text_, texture.name);
    texture_text_.add("sampler", parts[1]);
    texture_text_.add("source", parts[0]);
    return known;
  }

  u32 image_index(Index i) {
    u32& known = images_[i];
    if (known != k_none) return known;
    const scene::Image& image = scene_.images[i];
    const u32 view = buffer_.add_file(png_ ? png_(image) : png::write_png(image));
    const auto place = std::ranges::find(written_images_, view);
    known = u32(place - written_images_.begin());
    if (place != written_images_.end()) return known;
    written_images_.push_back(view);
    const auto object = image_text_.object();
    add_name(image_text_, image.name);
    image_text_.add("mimeType", "image/png");
    image_text_.add("bufferView", view);
    return known;
  }

  u32 sampler_index(const scene::Texture& texture) {
    const std::array<u32, 3> kind{texture.nearest, u32(texture.wrap_u), u32(texture.wrap_v)};
    const auto place = std::ranges::find(written_samplers_, kind);
    const u32 index = u32(place - written_samplers_.begin());
    if (place != written_samplers_.end()) return index;
    written_samplers_.push_back(kind);
    const auto object = sampler_text_.object();
    const int filter = texture.nearest ? 9728 : 9729;
    sampler_text_.add("magFilter", filter);
    sampler_text_.add("minFilter", filter);  // no mipmaps: they would blend neighbouring parts of a picture
    constexpr std::array<int, 3> k_wraps{10497, 33071, 33648};
    if (texture.wrap_u != scene::Texture::Wrap::repeat) sampler_text_.add("wrapS", k_wraps[size_t(texture.wrap_u)]);
    if (texture.wrap_v != scene::Texture::Wrap::repeat) sampler_text_.add("wrapT", k_wraps[size_t(texture.wrap_v)]);
    return index;
  }

  // ---- animations ----

  void write_animations() {
    for (const auto& animation : scene_.animations) write_animation(animation);
  }

  void write_animation(const scene::Animation& animation) {
    channels_ = samplers_ = {};
    sampler_count_ = 0;
    for (const auto& channel : animation.channels) write_channel(channel);
    for (const auto& channel : animation.fov_channels) {
      const u32 times = buffer_.add_key_times(channel.times), values = buffer_.add_key_values(channel.values);
      write_pointer_channel(write_sampler(times, values, false),
                            "/cameras/" + std::to_string(camera_index(channel.camera)) + "/perspective/yfov");
    }
    for (const auto& channel : animation.material_channels) write_channel(channel);
    for (const auto& channel : animation.visibility_channels) write_channel(channel);
    if (!animation.visibility_channels.empty())
      for (const Index i : places_.skinned()) {
        const auto& channel = joined_.emplace_back(visibility_.merge_visibility_channels(animation, i));
        if (!channel.times.empty()) write_visibility_pointer(places_.mesh_node(i), channel);
      }
    if (sampler_count_ == 0) return;
    const auto object = animation_text_.object();
    add_name(animation_text_, animation.name);
    write_section(animation_text_, "channels", channels_.text());
    write_section(animation_text_, "samplers", samplers_.text());
    add_extras(animation_text_, animation.extras);
  }

  void write_channel(const scene::Channel& channel) {
    using Target = scene::Channel::Target;
    // The visibility of a hidden node stays, so the node must keep the scale that hides it.
    if (channel.target == Target::scale && is_shrunk(channel.node)) return;
    const u32 times = buffer_.add_key_times(channel.times);
    const u32 values = buffer_.add_key_values(channel.values, channel.target == Target::rotation ? 4 : 3);
    const u32 sampler = write_sampler(times, values, channel.interpolation == scene::Channel::Interpolation::step);
    constexpr std::array<std::string_view, 3> k_paths{"translation", "rotation", "scale"};
    write_node_channel(sampler, channel.node, k_paths[size_t(channel.target)]);
  }

  /// Only for materials that are drawn and textures that exist, because pointers need a target.
  void write_channel(const scene::MaterialChannel& channel) {
    using Target = scene::MaterialChannel::Target;
    if (!materials_.has(channel.material)) return;
    const bool is_color = channel.target == Target::color;
    if (!is_color && scene_.materials[channel.material].texture == k_none) return;
    const u32 material = materials_.index_or_write(channel.material, [](Index) {});
    constexpr std::array<std::string_view, 4> k_names{"baseColorFactor", "offset", "rotation", "scale"};
    constexpr std::array<int, 4> k_components{4, 2, 1, 2};
    const u32 times = buffer_.add_key_times(channel.times);
    const u32 values = buffer_.add_key_values(channel.values, k_components[size_t(channel.target)]);
    std::string pointer = "/materials/" + std::to_string(material) + "/pbrMetallicRoughness/";
    if (!is_color) pointer += "baseColorTexture/extensions/KHR_texture_transform/";
    pointer += k_names[size_t(channel.target)];
    write_pointer_channel(write_sampler(times, values, channel.interpolation == scene::Channel::Interpolation::step),
                          pointer);
  }

  void write_channel(const scene::VisibilityChannel& channel) {
    if (places_.is_moved(channel.node)) return;
    write_visibility_pointer(channel.node, channel);
    if (!visibility_.is_scaled(channel.node)) return;
    const scene::Vec3& scale = scene_.nodes[channel.node].scale;
    std::vector<scene::Vec4> scales;
    for (const u8 visible : channel.visible)
      scales.push_back(visible ? scene::Vec4{scale[0], scale[1], scale[2], 0} : scene::Vec4{});
    const u32 times = buffer_.add_key_times(channel.times), values = buffer_.add_key_values(scales, 3);
    write_node_channel(write_sampler(times, values, true), channel.node, "scale");
  }

  void write_visibility_pointer(u32 node, const scene::VisibilityChannel& channel) {
    const u32 times = buffer_.add_key_times(channel.times), values = buffer_.add_key_flags(channel.visible);
    write_pointer_channel(write_sampler(times, values, true),
                          "/nodes/" + std::to_string(node) + "/extensions/KHR_node_visibility/visible");
  }

  u32 write_sampler(u32 times, u32 values, bool steps) {
    const auto object = samplers_.object();
    samplers_.add("input", times);
    samplers_.add("output", values);
    if (steps) samplers_.add("interpolation", "STEP");
    return sampler_count_++;
  }

  void write_node_channel(u32 sampler, Index node, std::string_view path) {
    const auto object = channels_.object();
    channels_.add("sampler", sampler);
    const auto target = channels_.object("target");
    channels_.add("node", node);
    channels_.add("path", path);
  }

  /// Animates a property other than translation, rotation and scale: the extension names it by its position in the
  /// JSON.
  void write_pointer_channel(u32 sampler, std::string_view pointer) {
    const auto object = channels_.object();
    channels_.add("sampler", sampler);
    const auto target = channels_.object("target");
    channels_.add("path", "pointer");
    const auto extensions = channels_.object("extensions");
    const auto extension = channels_.object("KHR_animation_pointer");
    channels_.add("pointer", pointer);
    uses_pointer_ = true;
  }

  const scene::Scene& scene_;
  const std::function<Bytes(const scene::Image&)>& png_;
  const MeshInstancing places_;
  const Instances instances_;
  const Visibility visibility_;
  Buffer buffer_;

  // The elements of the lists of the file, each written on first use.
  Table meshes_, skins_, cameras_, lights_, variants_, materials_;
  std::map<std::string_view, std::vector<Index>> materials_of_name_;  // unanimated materials seen so far
  std::vector<Index> same_materials_;                                 // the first of identical materials, once known
  std::vector<u32> textures_, images_;                                // index in the file, by index in the scene
  std::vector<std::array<u32, 2>> written_textures_;
  std::vector<u32> written_images_;
  std::vector<std::array<u32, 3>> written_samplers_;
  JsonText node_text_, mesh_text_, skin_text_, camera_text_, light_text_, variant_text_, material_text_, texture_text_,
      image_text_, sampler_text_, animation_text_;

  JsonText channels_, samplers_;  // of the current animation
  u32 sampler_count_ = 0;
  std::deque<scene::VisibilityChannel> joined_;  // the buffer refers to them until the end

  std::vector<u8> moves_color_, moves_texture_;  // whether an animation changes it, by material
  bool uses_unlit_ = false, uses_pointer_ = false, uses_visibility_ = false, uses_transform_ = false;
};

}  // namespace

Result<Bytes> write_glb(const scene::Scene& scene, const Options& options) {
  if (auto fault = scene::validation_error(scene)) return refuse(*std::move(fault));
  Writer writer(scene, options);
  const std::string json = writer.build_json();
  auto glb = start_glb(json, writer.buffer().size());
  if (!glb) return glb;
  writer.buffer().append_to(*glb);
  glb->resize((glb->size() + 3) / 4 * 4);
  return glb;
}

Result<std::string> write_gltf(const scene::Scene& scene, const Options& options) {
  if (auto fault = scene::validation_error(scene)) return refuse(*std::move(fault));
  Writer writer(scene, options);
  auto root = json::read(writer.build_json());
  if (!root) return refuse(root.error());
  if (Value* buffers = root->find("buffers")) {
    Bytes binary;
    binary.reserve(size_t(writer.buffer().size()));
    writer.buffer().append_to(binary);
    buffers->members().front().second.add("uri", data_uri(binary));
  }
  return json::write(*root);
}

}  // namespace dio::gltf
