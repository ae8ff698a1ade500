#include "scene/scene.hpp"

#include <algorithm>
#include <bit>
#include <numbers>
#include <span>
#include <string_view>
#include <utility>

#include "core/printing.hpp"
#include "scene/maths.hpp"

namespace dio::scene {

Scene::Scene() = default;
Scene::Scene(const Scene&) = default;
Scene::Scene(Scene&&) noexcept = default;
Scene& Scene::operator=(const Scene&) = default;
Scene& Scene::operator=(Scene&&) noexcept = default;
Scene::~Scene() = default;

namespace {

// The tests of what stands in long lists are made of `&`, not `&&`, and are objects, not functions: without branches
// and calls, the loops over those lists become vector code.

constexpr f64 k_unit_tolerance = 1e-3;  // what rounding to 32 bits and quantised sources need; glTF allows 0.0067

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

/// Where something stands in the scene. Made for everything that is looked at, so it is text only once there is a
/// fault.
struct Path {
  static constexpr size_t k_whole = ~size_t(0);
  const Path* parent;
  std::string_view name;
  size_t index = k_whole;

  Path operator()(std::string_view part, size_t i = k_whole) const { return {this, part, i}; }
  Path at(size_t i) const { return {parent, name, i}; }  // of a list, its element

  std::string text() const {
    std::string out = parent ? parent->text() : std::string();
    if (!out.empty() && !name.empty()) out += '.';
    out += name;
    if (index != k_whole) out += '[' + std::to_string(index) + ']';
    return out;
  }
};

/// Which of `n` things were seen.
class Once {
 public:
  explicit Once(size_t count) : met_(count) {}
  /// Whether this is the first time.
  bool first(size_t i) { return !std::exchange(met_[i], u8(1)); }
  bool met(size_t i) const { return met_[i]; }

 private:
  std::vector<u8> met_;
};

class Verifier {
 public:
  explicit Verifier(const Scene& scene) : scene_(scene) {}

  std::vector<std::string> run() {
    const Path top{nullptr, {}};
    if (!is_scale(scene_.metres_per_unit)) fault(top("metres_per_unit"), "is not a finite number above 0");
    if (!is_color(scene_.background)) fault(top("background"), "is not a colour in 0..1");
    extras(top("extras"), scene_.extras);
    each(top("images"), scene_.images, [&](const Path& p, const Image& x) { image(p, x); });
    each(top("textures"), scene_.textures,
         [&](const Path& p, const Texture& x) { index(p("image"), x.image, scene_.images.size()); });
    each(top("materials"), scene_.materials, [&](const Path& p, const Material& x) { material(p, x); });
    each(top("meshes"), scene_.meshes, [&](const Path& p, const Mesh& mesh) {
      each(p("primitives"), mesh.primitives, [&](const Path& q, const Primitive& x) { primitive(q, x); });
    });
    each(top("skins"), scene_.skins, [&](const Path& p, const Skin& x) { skin(p, x); });
    each(top("cameras"), scene_.cameras, [&](const Path& p, const Camera& x) { camera(p, x); });
    each(top("lights"), scene_.lights, [&](const Path& p, const Light& x) { light(p, x); });
    for (size_t i = 0; i < scene_.nodes.size(); ++i) node(top("nodes", i), scene_.nodes[i], i);
    each(top("animations"), scene_.animations, [&](const Path& p, const Animation& x) { animation(p, x); });
    return std::move(faults_);
  }

 private:
  void fault(const Path& path, std::string_view what) { faults_.push_back(path.text() + ' ' + std::string(what)); }

  static void each(const Path& list, const auto& items, auto check) {
    for (size_t i = 0; i < items.size(); ++i) check(list.at(i), items[i]);
  }
  /// Names the first wrong element: one sentence for a list of any length.
  void all(const Path& list, const auto& items, auto right, std::string_view what) {
    u32 wrong = 0;  // checks all of them: leaving early would cost more than it saves
    for (const auto& x : items) wrong |= u32(!right(x));
    if (wrong) fault(list.at(size_t(std::find_if_not(items.begin(), items.end(), right) - items.begin())), what);
  }
  template <size_t N>
  void all_numbers(const Path& list, const std::vector<std::array<f32, N>>& items, auto right, std::string_view what) {
    u32 wrong = 0;
    if (!items.empty())
      for (const f32 x : std::span(items.front().data(), items.size() * N)) wrong |= u32(!right(x));
    if (wrong) all(list, items, [&](const auto& v) { return std::all_of(v.begin(), v.end(), right); }, what);
  }
  void length(const Path& list, size_t found, size_t wanted) {
    if (found != wanted) fault(list, "has " + counted(found, "element") + " instead of " + std::to_string(wanted));
  }
  void optional_length(const Path& list, size_t found, size_t wanted) {
    if (found) length(list, found, wanted);
  }
  bool index(const Path& path, Index i, size_t count) {
    if (i < count) return true;
    fault(path, "is " + std::to_string(i) + "; must be below " + std::to_string(count));
    return false;
  }
  bool optional_index(const Path& path, Index i, size_t count) { return i == k_none || index(path, i, count); }

  void extras(const Path& path, const Value& v) {
    if (v.is(Value::Kind::real) && !std::isfinite(v.number())) fault(path, "is not finite");
    for (size_t i = 0; i < v.size(); ++i) {
      const auto& [name, value] = v.members()[i];
      extras(v.is(Value::Kind::list) ? path({}, i) : path(name), value);
    }
  }

  void image(const Path& path, const Image& x) {
    if (!x.width || !x.height) return fault(path, "has no pixels");
    if (x.depth != 1 && x.depth != 2 && x.depth != 4 && x.depth != 8)
      return fault(path("depth"), "is " + std::to_string(x.depth) + "; must be 1, 2, 4 or 8");
    const size_t colors = x.palette.size();
    if (colors > size_t(1) << x.depth)
      fault(path("palette"), "has " + std::to_string(colors) + " colours; the depth allows fewer");
    const u64 wanted = u64(x.width) * x.height * (colors ? 1 : 4);
    if (x.pixels.size() != wanted)
      return fault(path("pixels"),
                   "has " + counted(x.pixels.size(), "element") + " instead of " + std::to_string(wanted));
    u8 highest = 0;
    for (const u8 i : x.pixels) highest = std::max(highest, i);
    if (colors && highest >= colors)
      all(
          path("pixels"), x.pixels, [&](u8 i) { return i < colors; },
          "is not below " + std::to_string(colors) + ", the number of colours");
  }

  void material(const Path& path, const Material& x) {
    if (!is_color(x.color)) fault(path("color"), "is not a colour in 0..1");
    if (!is_portion(x.alpha_cutoff)) fault(path("alpha_cutoff"), "is not in 0..1");
    optional_index(path("texture"), x.texture, scene_.textures.size());
    const auto& [offset, rotation, scale] = x.transform;
    if (!is_finite(offset) || !is_number(rotation) || !is_finite(scale)) fault(path("transform"), "is not finite");
    extras(path("extras"), x.extras);
  }

  void primitive(const Path& path, const Primitive& p) {
    const size_t count = p.positions.size();
    const bool has_material = optional_index(path("material"), p.material, scene_.materials.size());
    all_numbers(path("positions"), p.positions, is_number, "is not finite");
    optional_length(path("normals"), p.normals.size(), count);
    all(path("normals"), p.normals, is_unit, "is not a unit vector");
    optional_length(path("colors"), p.colors.size(), count);
    all_numbers(path("colors"), p.colors, is_portion, "is not a colour in 0..1");
    optional_length(path("uvs"), p.uvs.size(), count);
    all_numbers(path("uvs"), p.uvs, is_number, "is not finite");
    const auto needs_uvs = [&](Index m) { return m != k_none && scene_.materials[m].texture != k_none; };
    const bool lacks_uvs = count && p.uvs.empty(), is_told = lacks_uvs && has_material && needs_uvs(p.material);
    if (is_told) fault(path("uvs"), "is empty, but the material has a texture");
    in_variants(path("in_variants"), p.in_variants, [&](const Path& material, Index m) {
      if (lacks_uvs && !is_told && needs_uvs(m)) fault(material, "has a texture, but there are no uvs");
    });
    optional_length(path("joints"), p.joints.size(), count);
    length(path("weights"), p.weights.size(), p.joints.size());
    all(path("weights"), p.weights, are_weights, "is not four numbers in 0..1 that sum to 1");
    optional_length(path("sources"), p.sources.size(), count);
    all(path("sources"), p.sources, is_source, "is not below 2^24");
    all(
        path("indices"), p.indices, [&](u32 i) { return i < count; },
        "is not below " + std::to_string(count) + ", the number of vertices");
    const size_t corners = p.indices.empty() ? count : p.indices.size();
    const size_t each = p.shape == Primitive::Shape::triangles ? 3 : p.shape == Primitive::Shape::lines ? 2 : 1;
    if (corners % each)
      fault(path, "has " + std::to_string(corners) + (corners == 1 ? " index" : " indices") +
                      ", which is not a multiple of " + std::to_string(each));
  }

  void in_variants(const Path& list, const std::vector<Primitive::InVariant>& items, auto look_at_material) {
    if (items.empty()) return;
    Once seen(scene_.variants.size());
    each(list, items, [&](const Path& p, const Primitive::InVariant& x) {
      if (index(p("variant"), x.variant, scene_.variants.size()) && !seen.first(x.variant))
        fault(p("variant"), "is a duplicate");
      if (index(p("material"), x.material, scene_.materials.size())) look_at_material(p("material"), x.material);
    });
  }

  void light(const Path& path, const Light& x) {
    if (!is_color(x.color)) fault(path("color"), "is not a colour in 0..1");
    if (!is_number(x.intensity) || x.intensity < 0) fault(path("intensity"), "is not a finite number of at least 0");
    if (!is_number(x.range) || x.range < 0) fault(path("range"), "is not a finite number of at least 0");
    constexpr f32 k_right_angle = std::numbers::pi_v<f32> / 2;
    if (!(0 <= x.inner_cone && x.inner_cone < x.outer_cone && x.outer_cone <= k_right_angle))
      fault(path("outer_cone"), "is not above inner_cone and at most pi / 2");
  }

  void skin(const Path& path, const Skin& x) {
    if (x.joints.empty()) fault(path("joints"), "is empty");
    length(path("inverse_bind"), x.inverse_bind.size(), x.joints.size());
    all(path("inverse_bind"), x.inverse_bind, is_affine, "is not a finite matrix with the last row 0 0 0 1");
    Once seen(scene_.nodes.size());
    each(path("joints"), x.joints, [&](const Path& p, Index joint) {
      if (index(p, joint, scene_.nodes.size()) && !seen.first(joint)) fault(p, "is a duplicate joint");
    });
  }

  void camera(const Path& path, const Camera& c) {
    if (!is_fov(c.vertical_fov)) fault(path("vertical_fov"), "is not between 0 and pi");
    // In metres, too: exporters write metres, and the product of two numbers can round to 0 or infinity.
    const f32 metres = is_scale(scene_.metres_per_unit) ? scene_.metres_per_unit : 1;
    for (const f32 scale : {1.0f, metres})
      if (!is_scale(c.near * scale) || !is_scale(c.far * scale) || c.far * scale <= c.near * scale)
        return fault(path("near"), "and far are not a finite range above 0");
    if (c.half_height == 0) return;
    for (const f32 scale : {1.0f, metres})
      if (!is_scale(c.half_height * scale) || !is_scale(c.aspect * c.half_height * scale))
        return fault(path("half_height"), "and aspect do not give a picture of finite size");
  }

  void node(const Path& path, const Node& n, size_t place) {
    if (n.parent != k_none && n.parent >= place)
      fault(path("parent"), "is " + std::to_string(n.parent) + ", which is not before the node");
    if (!is_finite(n.translation)) fault(path("translation"), "is not finite");
    if (!is_unit(n.rotation)) fault(path("rotation"), "is not a unit quaternion");
    if (!is_finite(n.scale)) fault(path("scale"), "is not finite");
    const bool mesh = optional_index(path("mesh"), n.mesh, scene_.meshes.size());
    optional_index(path("camera"), n.camera, scene_.cameras.size());
    optional_index(path("light"), n.light, scene_.lights.size());
    if (optional_index(path("skin"), n.skin, scene_.skins.size()) && mesh) skinned(path, n);
    extras(path("extras"), n.extras);
  }

  /// Checks that the skin and the mesh of a node match.
  void skinned(const Path& path, const Node& n) {
    if (n.mesh == k_none) {
      if (n.skin != k_none) fault(path("skin"), "is set on a node without a mesh");
      return;
    }
    const size_t joints = n.skin == k_none ? 0 : scene_.skins[n.skin].joints.size();
    for (const Primitive& p : scene_.meshes[n.mesh].primitives) {
      if (p.positions.empty()) continue;
      if (p.joints.empty() != (n.skin == k_none))
        return fault(path("skin"),
                     p.joints.empty() ? "is set, but the mesh has no joints" : "is missing: the mesh has joints");
    }
    if (!joints) return;
    const u32 highest = highest_joint(n.mesh);
    if (highest >= joints)
      fault(path("skin"), "has " + counted(joints, "joint") + ", but the mesh uses joint " + std::to_string(highest));
  }

  /// The highest joint that a vertex uses. Computed once: many nodes may share a mesh.
  u32 highest_joint(Index mesh) {
    highest_joints_.resize(scene_.meshes.size(), k_none);
    u32& highest = highest_joints_[mesh];
    if (highest != k_none) return highest;
    highest = 0;
    for (const Primitive& p : scene_.meshes[mesh].primitives)
      for (size_t i = 0; i < std::min(p.joints.size(), p.weights.size()); ++i)
        for (size_t k = 0; k < 4; ++k) highest = std::max(highest, p.weights[i][k] != 0 ? u32(p.joints[i][k]) : 0);
    return highest;
  }

  void animation(const Path& path, const Animation& a) {
    const size_t nodes = scene_.nodes.size(), materials = scene_.materials.size();
    constexpr std::string_view twice = "has the same target as an earlier channel";
    Once moved(nodes * 3), zoomed(scene_.cameras.size()), changed(materials * 4), shown(nodes);
    each(path("channels"), a.channels, [&](const Path& p, const Channel& c) {
      if (index(p("node"), c.node, nodes) && !moved.first(size_t(c.node) * 3 + size_t(c.target))) fault(p, twice);
      keys(p, c.times, c.values.size());
      if (c.target == Channel::Target::rotation)
        all(p("values"), c.values, is_unit, "is not a unit quaternion");
      else
        finite_values(p("values"), c.values, 3);
    });
    each(path("fov_channels"), a.fov_channels, [&](const Path& p, const FovChannel& c) {
      if (index(p("camera"), c.camera, scene_.cameras.size())) {
        if (scene_.cameras[c.camera].half_height != 0) fault(p("camera"), "is a parallel camera");
        if (!zoomed.first(c.camera)) fault(p, twice);
      }
      keys(p, c.times, c.values.size());
      all(p("values"), c.values, is_fov, "is not between 0 and pi");
    });
    each(path("material_channels"), a.material_channels, [&](const Path& p, const MaterialChannel& c) {
      using Target = MaterialChannel::Target;
      if (index(p("material"), c.material, materials) && !changed.first(size_t(c.material) * 4 + size_t(c.target)))
        fault(p, twice);
      keys(p, c.times, c.values.size());
      if (c.target == Target::color)
        all_numbers(p("values"), c.values, is_portion, "is not a colour in 0..1");
      else
        finite_values(p("values"), c.values, c.target == Target::rotation ? 1 : 2);
    });
    each(path("visibility_channels"), a.visibility_channels, [&](const Path& p, const VisibilityChannel& c) {
      if (index(p("node"), c.node, nodes)) {
        if (!shown.first(c.node)) fault(p, twice);
        if (moved.met(size_t(c.node) * 3 + size_t(Channel::Target::scale)))
          fault(p, "hides a node whose scale another channel animates");
      }
      keys(p, c.times, c.visible.size(), "visible");
      all(p("visible"), c.visible, [](u8 x) { return x <= 1; }, "is neither 0 nor 1");
    });
    extras(path("extras"), a.extras);
  }

  void finite_values(const Path& list, const std::vector<Vec4>& values, size_t used) {
    const auto right = [&](const Vec4& v) { return std::all_of(v.begin(), v.begin() + used, is_number); };
    all(list, values, right, "is not finite");
  }

  void keys(const Path& path, const std::vector<f32>& times, size_t values, std::string_view name = "values") {
    if (times.empty()) fault(path("times"), "is empty");
    length(path(name), values, times.size());
    for (size_t i = 0; i < times.size(); ++i)
      if (!is_number(times[i]) || times[i] < 0 || (i && !(times[i] > times[i - 1])))
        return fault(path("times", i), "is negative or not above the previous time");
  }

  const Scene& scene_;
  std::vector<u32> highest_joints_;  // by mesh; none: not looked for yet
  std::vector<std::string> faults_;
};

}  // namespace

std::vector<std::string> verify(const Scene& scene) { return Verifier(scene).run(); }

std::optional<Diagnostic> fault_of(const Scene& scene) {
  const auto faults = verify(scene);
  if (faults.empty()) return {};
  std::string found = faults.front();
  if (faults.size() > 1) found += ", and " + std::to_string(faults.size() - 1) + " more";
  return make_diagnostic("scene.invalid", {}, {.message = "the scene is not valid: " + found});
}

}  // namespace dio::scene
