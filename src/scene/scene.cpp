#include "scene/scene.hpp"

#include <algorithm>
#include <bit>
#include <numbers>
#include <span>
#include <string_view>
#include <utility>

#include "core/text_format.hpp"
#include "scene/math.hpp"

namespace dio::scene {

Scene::Scene() = default;
Scene::Scene(const Scene&) = default;
Scene::Scene(Scene&&) noexcept = default;
Scene& Scene::operator=(const Scene&) = default;
Scene& Scene::operator=(Scene&&) noexcept = default;
Scene::~Scene() = default;

namespace {

// The tests for elements of long lists use `&` instead of `&&`, and are objects, not functions: without branches and
// calls, the loops over these lists become vector code.

constexpr f64 k_unit_tolerance = 1e-3;  // needed for rounding to 32 bits and quantised sources; glTF allows 0.0067

constexpr auto is_number = [](f32 x) {  // neither infinite nor NaN
  return (std::bit_cast<u32>(x) & 0x7f800000) != 0x7f800000;
};
constexpr auto is_portion = [](f32 x) { return (x >= 0) & (x <= 1); };
constexpr auto is_unit = [](const auto& v) {
  constexpr f64 low = (1 - k_unit_tolerance) * (1 - k_unit_tolerance);
  constexpr f64 high = (1 + k_unit_tolerance) * (1 + k_unit_tolerance);
  f64 sum = 0;
  for (const f32 x : v) sum += f64(x) * x;
  return (sum >= low) & (sum <= high);
};
constexpr auto are_weights = [](const Vec4& w) {
  const f64 sum = f64(w[0]) + w[1] + w[2] + w[3];
  return is_portion(w[0]) & is_portion(w[1]) & is_portion(w[2]) & is_portion(w[3]) & (sum >= 1 - k_unit_tolerance) &
         (sum <= 1 + k_unit_tolerance);
};
constexpr auto is_source = [](u32 n) { return n < u32(1) << 24; };  // what a float can be
template <size_t N>
bool is_color(const std::array<f32, N>& c) {
  return std::all_of(c.begin(), c.end(), is_portion);
}
bool is_scale(f32 x) { return x > 0 && std::isfinite(x); }
bool is_fov(f32 radians) { return radians > 0 && radians < std::numbers::pi_v<f32>; }
bool is_affine(const Mat4& m) { return is_finite(m) && m[3] == 0 && m[7] == 0 && m[11] == 0 && m[15] == 1; }

/// A position in the scene. Created for every visited value, so it becomes text only for a fault.
struct Path {
  static constexpr size_t k_whole = ~size_t(0);
  const Path* parent;
  std::string_view name;
  size_t index = k_whole;

  Path operator()(std::string_view part, size_t i = k_whole) const { return {this, part, i}; }
  Path at(size_t i) const { return {parent, name, i}; }  // an element of a list

  std::string text() const {
    std::string out = parent ? parent->text() : std::string();
    if (!out.empty() && !name.empty()) out += '.';
    out += name;
    if (index != k_whole) out += '[' + std::to_string(index) + ']';
    return out;
  }
};

/// Records which of `n` items were seen.
class Once {
 public:
  explicit Once(size_t count) : met_(count) {}
  /// Whether this is the first time.
  bool mark_seen(size_t i) { return !std::exchange(met_[i], u8(1)); }
  bool met(size_t i) const { return met_[i]; }

 private:
  std::vector<u8> met_;
};

class SceneValidator {
 public:
  explicit SceneValidator(const Scene& scene) : scene_(scene) {}

  std::vector<std::string> run() {
    const Path top{nullptr, {}};
    if (!is_scale(scene_.metres_per_unit)) add_fault(top("metres_per_unit"), "is not a finite number above 0");
    if (!is_color(scene_.background)) add_fault(top("background"), "is not a colour in 0..1");
    check_extras(top("extras"), scene_.extras);
    check_each(top("images"), scene_.images, [&](const Path& p, const Image& x) { check_image(p, x); });
    check_each(top("textures"), scene_.textures,
               [&](const Path& p, const Texture& x) { check_index(p("image"), x.image, scene_.images.size()); });
    check_each(top("materials"), scene_.materials, [&](const Path& p, const Material& x) { check_material(p, x); });
    check_each(top("meshes"), scene_.meshes, [&](const Path& p, const Mesh& mesh) {
      check_each(p("primitives"), mesh.primitives, [&](const Path& q, const Primitive& x) { check_primitive(q, x); });
    });
    check_each(top("skins"), scene_.skins, [&](const Path& p, const Skin& x) { check_skin(p, x); });
    check_each(top("cameras"), scene_.cameras, [&](const Path& p, const Camera& x) { check_camera(p, x); });
    check_each(top("lights"), scene_.lights, [&](const Path& p, const Light& x) { check_light(p, x); });
    for (size_t i = 0; i < scene_.nodes.size(); ++i) check_node(top("nodes", i), scene_.nodes[i], i);
    check_each(top("animations"), scene_.animations, [&](const Path& p, const Animation& x) { check_animation(p, x); });
    return std::move(faults_);
  }

 private:
  void add_fault(const Path& path, std::string_view what) { faults_.push_back(path.text() + ' ' + std::string(what)); }

  static void check_each(const Path& list, const auto& items, auto check) {
    for (size_t i = 0; i < items.size(); ++i) check(list.at(i), items[i]);
  }
  /// Names only the first wrong element: one sentence for a list of any length.
  void check_all(const Path& list, const auto& items, auto right, std::string_view what) {
    u32 wrong = 0;  // tests all elements, because leaving early would cost more time
    for (const auto& x : items) wrong |= u32(!right(x));
    if (wrong) add_fault(list.at(size_t(std::find_if_not(items.begin(), items.end(), right) - items.begin())), what);
  }
  template <size_t N>
  void check_all_components(const Path& list, const std::vector<std::array<f32, N>>& items, auto right,
                            std::string_view what) {
    u32 wrong = 0;
    if (!items.empty())
      for (const f32 x : std::span(items.front().data(), items.size() * N)) wrong |= u32(!right(x));
    if (wrong) check_all(list, items, [&](const auto& v) { return std::all_of(v.begin(), v.end(), right); }, what);
  }
  void check_length(const Path& list, size_t found, size_t wanted) {
    if (found != wanted)
      add_fault(list, "has " + format_count(found, "element") + " instead of " + std::to_string(wanted));
  }
  void check_optional_length(const Path& list, size_t found, size_t wanted) {
    if (found) check_length(list, found, wanted);
  }
  bool check_index(const Path& path, Index i, size_t count) {
    if (i < count) return true;
    add_fault(path, "is " + std::to_string(i) + "; it must be below " + std::to_string(count));
    return false;
  }
  bool check_optional_index(const Path& path, Index i, size_t count) {
    return i == k_none || check_index(path, i, count);
  }

  void check_extras(const Path& path, const Value& v) {
    if (v.is(Value::Kind::real) && !std::isfinite(v.number())) add_fault(path, "is not finite");
    for (size_t i = 0; i < v.size(); ++i) {
      const auto& [name, value] = v.members()[i];
      check_extras(v.is(Value::Kind::list) ? path({}, i) : path(name), value);
    }
  }

  void check_image(const Path& path, const Image& x) {
    if (!x.width || !x.height) return add_fault(path, "has no pixels");
    if (x.depth != 1 && x.depth != 2 && x.depth != 4 && x.depth != 8)
      return add_fault(path("depth"), "is " + std::to_string(x.depth) + "; it must be 1, 2, 4 or 8");
    const size_t colors = x.palette.size();
    if (colors > size_t(1) << x.depth)
      add_fault(path("palette"), "has " + std::to_string(colors) + " colours, but the depth allows fewer");
    const u64 wanted = u64(x.width) * x.height * (colors ? 1 : 4);
    if (x.pixels.size() != wanted)
      return add_fault(path("pixels"),
                       "has " + format_count(x.pixels.size(), "element") + " instead of " + std::to_string(wanted));
    u8 highest = 0;
    for (const u8 i : x.pixels) highest = std::max(highest, i);
    if (colors && highest >= colors)
      check_all(
          path("pixels"), x.pixels, [&](u8 i) { return i < colors; },
          "is not below " + std::to_string(colors) + ", the number of colours");
  }

  void check_material(const Path& path, const Material& x) {
    if (!is_color(x.color)) add_fault(path("color"), "is not a colour in 0..1");
    if (!is_portion(x.alpha_cutoff)) add_fault(path("alpha_cutoff"), "is not in 0..1");
    check_optional_index(path("texture"), x.texture, scene_.textures.size());
    const auto& [offset, rotation, scale] = x.transform;
    if (!is_finite(offset) || !is_number(rotation) || !is_finite(scale)) add_fault(path("transform"), "is not finite");
    check_extras(path("extras"), x.extras);
  }

  void check_primitive(const Path& path, const Primitive& p) {
    const size_t count = p.positions.size();
    const bool has_material = check_optional_index(path("material"), p.material, scene_.materials.size());
    check_all_components(path("positions"), p.positions, is_number, "is not finite");
    check_optional_length(path("normals"), p.normals.size(), count);
    check_all(path("normals"), p.normals, is_unit, "is not a unit vector");
    check_optional_length(path("colors"), p.colors.size(), count);
    check_all_components(path("colors"), p.colors, is_portion, "is not a colour in 0..1");
    check_optional_length(path("uvs"), p.uvs.size(), count);
    check_all_components(path("uvs"), p.uvs, is_number, "is not finite");
    const auto needs_uvs = [&](Index m) { return m != k_none && scene_.materials[m].texture != k_none; };
    const bool lacks_uvs = count && p.uvs.empty(), is_told = lacks_uvs && has_material && needs_uvs(p.material);
    if (is_told) add_fault(path("uvs"), "is empty, but the material has a texture");
    check_variant_mappings(path("in_variants"), p.in_variants, [&](const Path& material, Index m) {
      if (lacks_uvs && !is_told && needs_uvs(m)) add_fault(material, "has a texture, but the primitive has no uvs");
    });
    check_optional_length(path("joints"), p.joints.size(), count);
    check_length(path("weights"), p.weights.size(), p.joints.size());
    check_all(path("weights"), p.weights, are_weights, "is not four numbers in 0..1 that sum to 1");
    check_optional_length(path("sources"), p.sources.size(), count);
    check_all(path("sources"), p.sources, is_source, "is not below 2^24");
    check_all(
        path("indices"), p.indices, [&](u32 i) { return i < count; },
        "is not below " + std::to_string(count) + ", the number of vertices");
    const size_t corners = p.indices.empty() ? count : p.indices.size();
    const size_t each = p.shape == Primitive::Shape::triangles ? 3 : p.shape == Primitive::Shape::lines ? 2 : 1;
    if (corners % each)
      add_fault(path, "has " + std::to_string(corners) + (corners == 1 ? " index" : " indices") +
                          ", which is not a multiple of " + std::to_string(each));
  }

  void check_variant_mappings(const Path& list, const std::vector<Primitive::VariantMapping>& items,
                              auto look_at_material) {
    if (items.empty()) return;
    Once seen(scene_.variants.size());
    check_each(list, items, [&](const Path& p, const Primitive::VariantMapping& x) {
      if (check_index(p("variant"), x.variant, scene_.variants.size()) && !seen.mark_seen(x.variant))
        add_fault(p("variant"), "is a duplicate");
      if (check_index(p("material"), x.material, scene_.materials.size())) look_at_material(p("material"), x.material);
    });
  }

  void check_light(const Path& path, const Light& x) {
    if (!is_color(x.color)) add_fault(path("color"), "is not a colour in 0..1");
    if (!is_number(x.intensity) || x.intensity < 0)
      add_fault(path("intensity"), "is not a finite number of at least 0");
    if (!is_number(x.range) || x.range < 0) add_fault(path("range"), "is not a finite number of at least 0");
    constexpr f32 k_right_angle = std::numbers::pi_v<f32> / 2;
    if (!(0 <= x.inner_cone && x.inner_cone < x.outer_cone && x.outer_cone <= k_right_angle))
      add_fault(path("outer_cone"), "must be above inner_cone and at most pi / 2");
  }

  void check_skin(const Path& path, const Skin& x) {
    if (x.joints.empty()) add_fault(path("joints"), "is empty");
    check_length(path("inverse_bind"), x.inverse_bind.size(), x.joints.size());
    check_all(path("inverse_bind"), x.inverse_bind, is_affine, "is not a finite matrix with the last row 0 0 0 1");
    Once seen(scene_.nodes.size());
    check_each(path("joints"), x.joints, [&](const Path& p, Index joint) {
      if (check_index(p, joint, scene_.nodes.size()) && !seen.mark_seen(joint)) add_fault(p, "is a duplicate joint");
    });
  }

  void check_camera(const Path& path, const Camera& c) {
    if (!is_fov(c.vertical_fov)) add_fault(path("vertical_fov"), "is not between 0 and pi");
    // Also in metres: exporters write metres, and the product of two numbers can round to 0 or infinity.
    const f32 metres = is_scale(scene_.metres_per_unit) ? scene_.metres_per_unit : 1;
    for (const f32 scale : {1.0f, metres})
      if (!is_scale(c.near * scale) || !is_scale(c.far * scale) || c.far * scale <= c.near * scale)
        return add_fault(path("near"), "and far are not a finite range above 0");
    if (c.half_height == 0) return;
    for (const f32 scale : {1.0f, metres})
      if (!is_scale(c.half_height * scale) || !is_scale(c.aspect * c.half_height * scale))
        return add_fault(path("half_height"), "and aspect do not give a picture of finite size");
  }

  void check_node(const Path& path, const Node& n, size_t place) {
    if (n.parent != k_none && n.parent >= place)
      add_fault(path("parent"), "is " + std::to_string(n.parent) + ", which does not come before the node");
    if (!is_finite(n.translation)) add_fault(path("translation"), "is not finite");
    if (!is_unit(n.rotation)) add_fault(path("rotation"), "is not a unit quaternion");
    if (!is_finite(n.scale)) add_fault(path("scale"), "is not finite");
    const bool mesh = check_optional_index(path("mesh"), n.mesh, scene_.meshes.size());
    check_optional_index(path("camera"), n.camera, scene_.cameras.size());
    check_optional_index(path("light"), n.light, scene_.lights.size());
    if (check_optional_index(path("skin"), n.skin, scene_.skins.size()) && mesh) check_skin_matches_mesh(path, n);
    check_extras(path("extras"), n.extras);
  }

  /// Checks that the skin and the mesh of a node match.
  void check_skin_matches_mesh(const Path& path, const Node& n) {
    if (n.mesh == k_none) {
      if (n.skin != k_none) add_fault(path("skin"), "is set on a node without a mesh");
      return;
    }
    const size_t joints = n.skin == k_none ? 0 : scene_.skins[n.skin].joints.size();
    for (const Primitive& p : scene_.meshes[n.mesh].primitives) {
      if (p.positions.empty()) continue;
      if (p.joints.empty() != (n.skin == k_none))
        return add_fault(path("skin"),
                         p.joints.empty() ? "is set, but the mesh has no joints" : "is missing: the mesh has joints");
    }
    if (!joints) return;
    const u32 highest = find_highest_joint(n.mesh);
    if (highest >= joints)
      add_fault(path("skin"),
                "has " + format_count(joints, "joint") + ", but the mesh uses joint " + std::to_string(highest));
  }

  /// The highest joint that a vertex uses. Computed once, because many nodes may share a mesh.
  u32 find_highest_joint(Index mesh) {
    highest_joints_.resize(scene_.meshes.size(), k_none);
    u32& highest = highest_joints_[mesh];
    if (highest != k_none) return highest;
    highest = 0;
    for (const Primitive& p : scene_.meshes[mesh].primitives)
      for (size_t i = 0; i < std::min(p.joints.size(), p.weights.size()); ++i)
        for (size_t k = 0; k < 4; ++k) highest = std::max(highest, p.weights[i][k] != 0 ? u32(p.joints[i][k]) : 0);
    return highest;
  }

  void check_animation(const Path& path, const Animation& a) {
    const size_t nodes = scene_.nodes.size(), materials = scene_.materials.size();
    constexpr std::string_view twice = "has the same target as an earlier channel";
    Once moved(nodes * 3), zoomed(scene_.cameras.size()), changed(materials * 4), shown(nodes);
    check_each(path("channels"), a.channels, [&](const Path& p, const Channel& c) {
      if (check_index(p("node"), c.node, nodes) && !moved.mark_seen(size_t(c.node) * 3 + size_t(c.target)))
        add_fault(p, twice);
      check_keys(p, c.times, c.values.size());
      if (c.target == Channel::Target::rotation)
        check_all(p("values"), c.values, is_unit, "is not a unit quaternion");
      else
        check_finite_values(p("values"), c.values, 3);
    });
    check_each(path("fov_channels"), a.fov_channels, [&](const Path& p, const FovChannel& c) {
      if (check_index(p("camera"), c.camera, scene_.cameras.size())) {
        if (scene_.cameras[c.camera].half_height != 0)
          add_fault(p("camera"), "is an orthographic camera, which has no field of view");
        if (!zoomed.mark_seen(c.camera)) add_fault(p, twice);
      }
      check_keys(p, c.times, c.values.size());
      check_all(p("values"), c.values, is_fov, "is not between 0 and pi");
    });
    check_each(path("material_channels"), a.material_channels, [&](const Path& p, const MaterialChannel& c) {
      using Target = MaterialChannel::Target;
      if (check_index(p("material"), c.material, materials) &&
          !changed.mark_seen(size_t(c.material) * 4 + size_t(c.target)))
        add_fault(p, twice);
      check_keys(p, c.times, c.values.size());
      if (c.target == Target::color)
        check_all_components(p("values"), c.values, is_portion, "is not a colour in 0..1");
      else
        check_finite_values(p("values"), c.values, c.target == Target::rotation ? 1 : 2);
    });
    check_each(path("visibility_channels"), a.visibility_channels, [&](const Path& p, const VisibilityChannel& c) {
      if (check_index(p("node"), c.node, nodes)) {
        if (!shown.mark_seen(c.node)) add_fault(p, twice);
        if (moved.met(size_t(c.node) * 3 + size_t(Channel::Target::scale)))
          add_fault(p, "hides a node whose scale another channel animates");
      }
      check_keys(p, c.times, c.visible.size(), "visible");
      check_all(p("visible"), c.visible, [](u8 x) { return x <= 1; }, "is neither 0 nor 1");
    });
    check_extras(path("extras"), a.extras);
  }

  void check_finite_values(const Path& list, const std::vector<Vec4>& values, size_t used) {
    const auto right = [&](const Vec4& v) { return std::all_of(v.begin(), v.begin() + used, is_number); };
    check_all(list, values, right, "is not finite");
  }

  void check_keys(const Path& path, const std::vector<f32>& times, size_t values, std::string_view name = "values") {
    if (times.empty()) add_fault(path("times"), "is empty");
    check_length(path(name), values, times.size());
    for (size_t i = 0; i < times.size(); ++i)
      if (!is_number(times[i]) || times[i] < 0 || (i && !(times[i] > times[i - 1])))
        return add_fault(path("times", i), "is negative or not above the previous time");
  }

  const Scene& scene_;
  std::vector<u32> highest_joints_;  // by mesh; none: not computed yet
  std::vector<std::string> faults_;
};

}  // namespace

std::vector<std::string> verify(const Scene& scene) { return SceneValidator(scene).run(); }

std::optional<Diagnostic> validation_error(const Scene& scene) {
  const auto faults = verify(scene);
  if (faults.empty()) return {};
  std::string found = faults.front();
  if (faults.size() > 1) found += ", and " + format_count(faults.size() - 1, "more fault");
  return make_diagnostic("scene.invalid", {}, {.message = "the scene is not valid: " + found});
}

}  // namespace dio::scene
