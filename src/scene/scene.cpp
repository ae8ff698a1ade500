#include "scene/scene.hpp"

#include <algorithm>
#include <numbers>
#include <set>

#include "scene/maths.hpp"

namespace dio::scene {
namespace {

constexpr f64 k_unit_tolerance = 1e-3;  // what rounding to 32 bits and quantised sources need; glTF allows 0.0067

bool is_unit(const auto& v) {
  f64 sum = 0;
  for (const f32 x : v) sum += f64(x) * x;
  return std::fabs(std::sqrt(sum) - 1) <= k_unit_tolerance;
}
bool is_color(const Vec4& c) {
  return std::all_of(c.begin(), c.end(), [](f32 x) { return x >= 0 && x <= 1; });
}
bool is_scale(f32 x) { return x > 0 && std::isfinite(x); }
bool is_fov(f32 radians) { return radians > 0 && radians < std::numbers::pi_v<f32>; }

std::string element(const std::string& list, size_t i) { return list + '[' + std::to_string(i) + ']'; }

class Verifier {
 public:
  explicit Verifier(const Scene& scene) : scene_(scene) {}

  std::vector<std::string> run() {
    if (!is_scale(scene_.metres_per_unit)) fault("metres_per_unit", "is not a finite number above 0");
    if (!is_color(scene_.background)) fault("background", "is not a colour in 0..1");
    extras("extras", scene_.extras);
    each("materials", scene_.materials, [&](const auto& path, const Material& m) {
      if (!is_color(m.color)) fault(path + ".color", "is not a colour in 0..1");
    });
    each("meshes", scene_.meshes, [&](const auto& path, const Mesh& m) {
      each(path + ".primitives", m.primitives, [&](const auto& p, const Primitive& x) { primitive(p, x); });
    });
    each("cameras", scene_.cameras, [&](const auto& path, const Camera& c) { camera(path, c); });
    for (size_t i = 0; i < scene_.nodes.size(); ++i) node(element("nodes", i), scene_.nodes[i], i);
    each("animations", scene_.animations, [&](const auto& path, const Animation& a) { animation(path, a); });
    return std::move(faults_);
  }

 private:
  void fault(const std::string& path, const std::string& what) { faults_.push_back(path + ' ' + what); }

  static void each(const std::string& list, const auto& items, auto check) {
    for (size_t i = 0; i < items.size(); ++i) check(element(list, i), items[i]);
  }
  /// Names the first element that is not right: one sentence for a list, however long.
  void all(const std::string& list, const auto& items, auto right, const std::string& what) {
    const auto wrong = std::find_if_not(items.begin(), items.end(), right);
    if (wrong != items.end()) fault(element(list, size_t(wrong - items.begin())), what);
  }
  void length(const std::string& list, size_t found, size_t wanted) {
    if (found != wanted) fault(list, "has " + std::to_string(found) + " elements instead of " + std::to_string(wanted));
  }
  void index(const std::string& path, Index i, size_t count) {
    if (i >= count) fault(path, "is " + std::to_string(i) + " of " + std::to_string(count));
  }
  void optional_index(const std::string& path, Index i, size_t count) {
    if (i != k_none) index(path, i, count);
  }

  void extras(const std::string& path, const Value& v) {
    if (v.is(Value::Kind::real) && !std::isfinite(v.number())) fault(path, "is not finite");
    for (size_t i = 0; i < v.size(); ++i) {
      const auto& [name, value] = v.members()[i];
      extras(v.is(Value::Kind::list) ? element(path, i) : path + '.' + name, value);
    }
  }

  void primitive(const std::string& path, const Primitive& p) {
    const size_t count = p.positions.size();
    optional_index(path + ".material", p.material, scene_.materials.size());
    all(path + ".positions", p.positions, is_finite<3>, "is not finite");
    if (!p.normals.empty()) length(path + ".normals", p.normals.size(), count);
    all(path + ".normals", p.normals, is_unit<Vec3>, "is not a unit vector");
    if (!p.colors.empty()) length(path + ".colors", p.colors.size(), count);
    all(path + ".colors", p.colors, is_color, "is not a colour in 0..1");
    all(path + ".indices", p.indices, [&](u32 i) { return i < count; }, "is not below " + std::to_string(count));
    const size_t corners = p.indices.empty() ? count : p.indices.size();
    const size_t each = p.shape == Primitive::Shape::triangles ? 3 : p.shape == Primitive::Shape::lines ? 2 : 1;
    if (corners % each)
      fault(path, "has " + std::to_string(corners) + " corners: not a multiple of " + std::to_string(each));
  }

  void camera(const std::string& path, const Camera& c) {
    if (!is_fov(c.vertical_fov)) fault(path + ".vertical_fov", "is not between 0 and pi");
    // In metres, too: that is what exporters write, and the product of two numbers can round to 0 or infinity.
    const f32 metres = is_scale(scene_.metres_per_unit) ? scene_.metres_per_unit : 1;
    for (const f32 scale : {1.0f, metres})
      if (!is_scale(c.near * scale) || !is_scale(c.far * scale) || c.far * scale <= c.near * scale)
        return fault(path + ".near", "and far are not a range above 0");
  }

  void node(const std::string& path, const Node& n, size_t place) {
    if (n.parent != k_none && n.parent >= place)
      fault(path + ".parent", "is " + std::to_string(n.parent) + ", which does not stand before the node");
    if (!is_finite(n.translation)) fault(path + ".translation", "is not finite");
    if (!is_unit(n.rotation)) fault(path + ".rotation", "is not a unit quaternion");
    if (!is_finite(n.scale)) fault(path + ".scale", "is not finite");
    optional_index(path + ".mesh", n.mesh, scene_.meshes.size());
    optional_index(path + ".camera", n.camera, scene_.cameras.size());
    extras(path + ".extras", n.extras);
  }

  void animation(const std::string& path, const Animation& a) {
    std::set<std::pair<Index, Channel::Target>> moved;
    each(path + ".channels", a.channels, [&](const auto& p, const Channel& c) {
      index(p + ".node", c.node, scene_.nodes.size());
      if (!moved.emplace(c.node, c.target).second) fault(p, "moves what an earlier channel moves");
      keys(p, c.times, c.values.size());
      if (c.target == Channel::Target::rotation)
        all(p + ".values", c.values, is_unit<Vec4>, "is not a unit quaternion");
      else
        all(p + ".values", c.values, [](const Vec4& v) { return is_finite(Vec3{v[0], v[1], v[2]}); }, "is not finite");
    });
    std::set<Index> zoomed;
    each(path + ".fov_channels", a.fov_channels, [&](const auto& p, const FovChannel& c) {
      index(p + ".camera", c.camera, scene_.cameras.size());
      if (!zoomed.insert(c.camera).second) fault(p, "moves what an earlier channel moves");
      keys(p, c.times, c.values.size());
      all(p + ".values", c.values, is_fov, "is not between 0 and pi");
    });
  }

  void keys(const std::string& path, const std::vector<f32>& times, size_t values) {
    if (times.empty()) fault(path + ".times", "is empty");
    length(path + ".values", values, times.size());
    for (size_t i = 0; i < times.size(); ++i)
      if (!std::isfinite(times[i]) || times[i] < 0 || (i && !(times[i] > times[i - 1])))
        return fault(element(path + ".times", i), "does not rise from 0 on");
  }

  const Scene& scene_;
  std::vector<std::string> faults_;
};

}  // namespace

std::vector<std::string> verify(const Scene& scene) { return Verifier(scene).run(); }

}  // namespace dio::scene
