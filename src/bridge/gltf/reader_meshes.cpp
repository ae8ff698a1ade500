#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "bridge/gltf/reader_parts.hpp"
#include "core/text_format.hpp"
#include "scene/math.hpp"

namespace dio::gltf {
namespace {

using scene::Primitive;

class Meshes {
 public:
  explicit Meshes(Reading& reading) : r_(reading), in_(reading.source), accessors_(reading.count("accessors")) {}

  void read_variants_and_meshes() {
    const Item variants = in_.root().extension("KHR_materials_variants").member("variants");
    for (size_t i = 0; i < variants.size(); ++i) r_.scene.variants.push_back(variants.at(i).text("name"));
    const Item meshes = in_.list("meshes");
    for (size_t i = 0; i < meshes.size() && !in_.failed(); ++i) {
      const Item mesh = meshes.at(i);
      scene::Mesh& out = r_.scene.meshes.emplace_back(scene::Mesh{mesh.text("name"), {}});
      const Item primitives = mesh.member("primitives");
      for (size_t p = 0; p < primitives.size() && !in_.failed(); ++p) {
        Primitive primitive;
        if (read_primitive(primitives.at(p), primitive) && !in_.failed())
          out.primitives.push_back(std::move(primitive));
      }
    }
  }

 private:
  /// False if there is nothing to draw.
  bool read_primitive(const Item& item, Primitive& out) {
    const Item attributes = item.member("attributes");
    if (!attributes.has("POSITION")) {
      in_.add_note(item.path(), "a primitive without the attribute POSITION is omitted");
      return false;
    }
    if (item.has("targets")) in_.add_note(item.path(), "morph targets are omitted");
    out.material = item.index("material", r_.scene.materials.size());
    read_variants(item, out);
    out.positions = in_.read_vectors<3>(attributes.index("POSITION", accessors_), attributes);
    count_ = out.positions.size();
    read_normals(attributes, out);
    read_colors(attributes, out);
    read_uvs(attributes, out);
    read_joints_and_weights(attributes, out);
    read_sources(attributes, out);
    if (in_.failed()) return false;
    for (const auto& [name, value] : attributes.value()->members())
      if (name == "JOINTS_1" || name == "COLOR_1" || name == "TANGENT")
        in_.add_note(attributes.path(), "the attribute " + name + " is omitted");
    return read_primitive_indices(item, out);
  }

  void read_variants(const Item& item, Primitive& out) {
    ++primitives_;
    met_in_.resize(r_.scene.variants.size());
    const Item mappings = item.extension("KHR_materials_variants").member("mappings");
    for (size_t i = 0; i < mappings.size() && !in_.failed(); ++i) {
      const Item mapping = mappings.at(i), variants = mapping.member("variants");
      const Index material = mapping.index("material", r_.scene.materials.size());
      if (material == k_none) mapping.report_fault({.message = "the mapping of a variant has no material"});
      for (size_t k = 0; k < variants.size() && !in_.failed(); ++k) {
        const Index variant = variants.index_at(k, r_.scene.variants.size());
        if (variant == k_none) return;
        if (std::exchange(met_in_[variant], primitives_) == primitives_)
          return variants.at(k).report_fault({.message = "the variant is mapped twice"});
        out.in_variants.push_back({variant, material});
      }
    }
  }

  bool check_element_count(const Item& attributes, std::string_view name, size_t found) {
    if (in_.failed()) return false;
    if (found == count_) return true;
    attributes.member(name).report_fault({.message = "the attribute has " + format_count(found, "element") + " for " +
                                                     format_count(count_, "position")});
    return false;
  }

  void read_normals(const Item& attributes, Primitive& out) {
    if (!attributes.has("NORMAL")) return;
    out.normals = in_.read_vectors<3>(attributes.index("NORMAL", accessors_), attributes);
    if (!check_element_count(attributes, "NORMAL", out.normals.size())) return;
    for (scene::Vec3& n : out.normals) {
      const f64 length = scene::length(n);
      if (std::fabs(length - 1) <= k_near_unit) continue;
      if (length == 0) in_.add_note(attributes.path(), "normals of length 0 are replaced by normals that point up");
      n = scene::unit(n, scene::k_axis_y);
    }
  }

  void read_colors(const Item& attributes, Primitive& out) {
    if (!attributes.has("COLOR_0")) return;
    const auto n = in_.read_floats(attributes.index("COLOR_0", accessors_), attributes, {"VEC4", "VEC3"});
    if (!check_element_count(attributes, "COLOR_0", n.count)) return;
    out.colors.assign(n.count, {1, 1, 1, 1});
    for (size_t i = 0; i < n.all.size(); ++i)
      out.colors[i / n.components][i % n.components] = std::clamp(n.all[i], 0.0f, 1.0f);
  }

  /// Of the set used by the textures. A scene has one set; if the file has none, all are (0, 0).
  void read_uvs(const Item& attributes, Primitive& out) {
    if (in_.failed()) return;
    std::optional<u32> set;
    const auto require_uv_set = [&](Index material) {
      if (material == k_none || r_.scene.materials[material].texture == k_none) return;
      const u32 wanted = r_.uv_sets[material];
      if (set && *set != wanted)
        in_.add_note(attributes.path(),
                     "a material variant needs other texture coordinates, but is drawn with the texture coordinates of "
                     "the first material");
      if (!set) set = wanted;
    };
    require_uv_set(out.material);
    for (const auto& [variant, material] : out.in_variants) require_uv_set(material);
    const std::string name = "TEXCOORD_" + std::to_string(set.value_or(0));
    if (attributes.has(name)) {
      out.uvs = in_.read_vectors<2>(attributes.index(name, accessors_), attributes);
      check_element_count(attributes, name, out.uvs.size());
    } else if (set) {
      in_.add_note(attributes.path(),
                   "a primitive has a texture but no texture coordinates, so it shows a single texel");
      if (in_.charge_memory_budget(attributes.path(), count_ * 8)) out.uvs.assign(count_, {0, 0});
    }
  }

  void read_joints_and_weights(const Item& attributes, Primitive& out) {
    if (!attributes.has("JOINTS_0") || in_.failed()) return;
    const auto joints = in_.read_unsigned_integers(attributes.index("JOINTS_0", accessors_), attributes, "VEC4");
    if (!check_element_count(attributes, "JOINTS_0", joints.count)) return;
    out.weights = in_.read_vectors<4>(attributes.index("WEIGHTS_0", accessors_), attributes);
    if (!check_element_count(attributes, "WEIGHTS_0", out.weights.size())) return;
    out.joints.resize(count_);
    for (size_t i = 0; i < joints.all.size(); ++i) {
      if (joints.all[i] > 0xFFFF)
        return attributes.member("JOINTS_0")
            .report_fault({.message = "joint " + std::to_string(joints.all[i]) + " is out of range (0 to 65535)"});
      out.joints[i / 4][i % 4] = u16(joints.all[i]);
    }
    for (scene::Vec4& w : out.weights) {
      for (f32& x : w) x = std::max(x, 0.0f);
      const f64 sum = f64(w[0]) + w[1] + w[2] + w[3];
      if (sum == 0)
        w = {1, 0, 0, 0};
      else if (std::fabs(sum - 1) > k_near_unit || std::ranges::max(w) > 1)
        for (f32& x : w) x = f32(x / sum);
    }
  }

  /// Programs that split an edge interpolate the numbers of its ends for the new vertex: such a number is no source.
  void read_sources(const Item& attributes, Primitive& out) {
    if (!attributes.has("_SOURCE") || in_.failed()) return;
    const auto n = in_.read_floats(attributes.index("_SOURCE", accessors_), attributes, {"SCALAR"});
    if (!check_element_count(attributes, "_SOURCE", n.count)) return;
    constexpr u32 k_none_of_them = (1 << 24) - 1;
    bool all = true;
    for (const f32 x : n.all) {
      const bool is_source = x >= 0 && x <= f32(k_none_of_them) && x == std::floor(x);
      all &= is_source;
      out.sources.push_back(is_source ? u32(x) : k_none_of_them);
    }
    if (!all) in_.add_note(attributes.path(), "values of _SOURCE that are not whole numbers below 2^24 are ignored");
  }

  /// Corners in the order of a scene. False if there are not enough.
  bool read_primitive_indices(const Item& item, Primitive& out) {
    const u64 mode = item.unsigned_integer("mode", 4);
    if (mode > 6) {
      item.report_fault({.message = "mode " + std::to_string(mode) + " is out of range (0 to 6)"});
      return false;
    }
    std::vector<u32> corners;
    if (item.has("indices")) {
      auto indices = in_.read_unsigned_integers(item.index("indices", accessors_), item, "SCALAR");
      if (in_.failed()) return false;
      for (size_t i = 0; i < indices.all.size(); ++i)
        if (indices.all[i] >= count_) {
          item.member("indices").report_fault({.message = "index " + std::to_string(indices.all[i]) +
                                                          " is out of range; there are " + std::to_string(count_) +
                                                          " vertices, counted from 0"});
          return false;
        }
      corners = std::move(indices.all);
    }
    const size_t n = corners.empty() ? count_ : corners.size();
    const size_t each = mode >= 4 ? 3 : mode >= 1 ? 2 : 1;
    out.shape = each == 3   ? Primitive::Shape::triangles
                : each == 2 ? Primitive::Shape::lines
                            : Primitive::Shape::points;
    const size_t left_over = mode == 1 || mode == 4 ? n % each : 0;
    if (left_over || n < each)
      in_.add_note(item.path(), "vertices that do not complete a triangle or line are omitted");
    if (n < each) return false;
    const bool is_list = mode == 0 || mode == 1 || mode == 4;
    if (is_list && corners.empty() && !left_over) return true;
    if (!in_.charge_memory_budget(item.path(), u64(n) * each * 4)) return false;
    if (corners.empty()) {
      corners.resize(n);
      std::iota(corners.begin(), corners.end(), 0);
    }
    if (is_list) {
      corners.resize(n - left_over);
      out.indices = std::move(corners);
      return true;
    }
    out.indices.reserve(n * each);
    if (each == 2) {
      for (size_t i = 0; i + 1 < n; ++i) add(out, {corners[i], corners[i + 1]});
      if (mode == 2) add(out, {corners[n - 1], corners[0]});
    } else {
      for (size_t i = 0; i + 2 < n; ++i) {
        const size_t odd = i % 2;  // every other triangle of a strip has the opposite winding
        if (mode == 6)
          add(out, {corners[i + 1], corners[i + 2], corners[0]});
        else
          add(out, {corners[i], corners[i + 1 + odd], corners[i + 2 - odd]});
      }
    }
    return !out.indices.empty();
  }

  /// Unless two corners are equal: strips are joined by triangles without area.
  static void add(Primitive& out, std::initializer_list<u32> corners) {
    const u32* c = corners.begin();
    if (c[0] == c[1] || (corners.size() == 3 && (c[1] == c[2] || c[0] == c[2]))) return;
    out.indices.insert(out.indices.end(), corners);
  }

  Reading& r_;
  Source& in_;
  size_t accessors_, count_ = 0;  // of the vertices of the primitive
  u64 primitives_ = 0;            // until now
  std::vector<u64> met_in_;       // where a variant occurred last
};

}  // namespace

void read_meshes(Reading& reading) { Meshes(reading).read_variants_and_meshes(); }

}  // namespace dio::gltf
