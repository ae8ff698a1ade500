#include <algorithm>
#include <cmath>
#include <set>

#include "bridge/gltf/reader_parts.hpp"
#include "core/text_format.hpp"
#include "scene/math.hpp"

namespace dio::gltf {
namespace {

/// A sampler: times with one value each, of a given number of components.
struct Keys {
  std::vector<f32> times, values;
  size_t components = 0;
  bool steps = false;

  f32 at(size_t key, size_t k) const { return values[key * components + k]; }
  scene::Vec4 vector(size_t key) const {
    scene::Vec4 out{};
    for (size_t k = 0; k < std::min<size_t>(components, 4); ++k) out[k] = at(key, k);
    return out;
  }
  std::vector<scene::Vec4> key_values() const {
    std::vector<scene::Vec4> out(times.size());
    for (size_t i = 0; i < out.size(); ++i) out[i] = vector(i);
    return out;
  }
};

/// Splines become lines, with enough pieces that no difference is visible.
Keys linearize_spline(const Keys& spline) {
  constexpr f64 k_per_second = 60, k_most = 32;
  const size_t n = spline.components;
  Keys out;
  out.components = n;
  // The numbers of each key are: in-tangent, value, out-tangent.
  const auto number = [&](size_t key, size_t part, size_t k) { return f64(spline.values[(key * 3 + part) * n + k]); };
  for (size_t i = 0; i < spline.times.size(); ++i) {
    out.times.push_back(spline.times[i]);
    for (size_t k = 0; k < n; ++k) out.values.push_back(f32(number(i, 1, k)));
    if (i + 1 == spline.times.size()) break;
    const f64 start = spline.times[i], length = spline.times[i + 1] - start;
    const size_t pieces = size_t(std::clamp(std::ceil(length * k_per_second), 1.0, k_most));
    for (size_t p = 1; p < pieces; ++p) {
      const f64 t = f64(p) / f64(pieces), tt = t * t, ttt = tt * t;
      const f32 time = f32(start + t * length);
      if (!(time > out.times.back()) || !(time < spline.times[i + 1])) continue;
      out.times.push_back(time);
      for (size_t k = 0; k < n; ++k)
        out.values.push_back(f32((2 * ttt - 3 * tt + 1) * number(i, 1, k) +
                                 (ttt - 2 * tt + t) * length * number(i, 2, k) +
                                 (3 * tt - 2 * ttt) * number(i + 1, 1, k) + (ttt - tt) * length * number(i + 1, 0, k)));
    }
  }
  return out;
}

/// `/nodes/3/translation` split into its parts.
std::vector<std::string> split_json_pointer(std::string_view pointer) {
  std::vector<std::string> out;
  while (!pointer.empty()) {
    pointer.remove_prefix(1);
    const size_t end = std::min(pointer.find('/'), pointer.size());
    out.emplace_back(pointer.substr(0, end));
    pointer.remove_prefix(end);
  }
  return out;
}

class Animations {
 public:
  explicit Animations(Reading& reading) : r_(reading), in_(reading.source) {}

  void read_all_animations() {
    const Item animations = in_.list("animations");
    for (size_t i = 0; i < animations.size() && !in_.failed(); ++i) {
      const Item item = animations.at(i);
      scene::Animation out{.name = item.text("name"), .extras = item.extras()};
      out_ = &out;
      moved_.clear();
      const Item channels = item.member("channels"), samplers = item.member("samplers");
      for (size_t c = 0; c < channels.size() && !in_.failed(); ++c) read_channel(channels.at(c), samplers);
      if (in_.failed()) return;
      remove_visibility_scale_channels(out, item);
      const size_t moving =
          out.channels.size() + out.fov_channels.size() + out.material_channels.size() + out.visibility_channels.size();
      if (moving) r_.scene.animations.push_back(std::move(out));
    }
    restore_hidden_node_scales();
  }

 private:
  using Target = scene::Channel::Target;

  void read_channel(const Item& item, const Item& samplers) {
    const Item target = item.member("target");
    const std::string path = target.text("path");
    const Index sampler = item.index("sampler", samplers.size());
    if (sampler == k_none) return item.report_fault({.message = "the channel has no sampler"});
    if (path == "pointer") {
      const std::string pointer = target.extension("KHR_animation_pointer").text("pointer");
      if (!read_pointer_channel(item, pointer, samplers.at(sampler)))
        in_.add_note(item.path(), "animations of " + replace_indices(pointer) + " are not supported and are omitted");
      return;
    }
    const auto known = parse_channel_target(path);
    if (!known) return in_.add_note(item.path(), "animations of " + path + " are not supported and are omitted");
    if (!target.has("node")) return;  // glTF: to be ignored
    read_node_channel(item, target.index("node", r_.nodes.size()), *known, samplers.at(sampler));
  }

  static std::optional<Target> parse_channel_target(std::string_view path) {
    if (path == "translation") return Target::translation;
    if (path == "rotation") return Target::rotation;
    if (path == "scale") return Target::scale;
    return {};
  }

  /// Without its numbers, so that equal pointers are noted once.
  static std::string replace_indices(const std::string& pointer) {
    std::string out;
    for (const std::string& part : split_json_pointer(pointer.substr(0, 200)))
      out += "/" + (part.find_first_not_of("0123456789") == part.npos ? "N" : part);
    return out;
  }

  std::optional<Keys> read_keys(const Item& sampler, const std::vector<std::string_view>& types) {
    const size_t accessors = r_.count("accessors");
    const auto times = in_.read_floats(sampler.index("input", accessors), sampler, {"SCALAR"});
    auto values = in_.read_floats(sampler.index("output", accessors), sampler, types);
    if (in_.failed()) return {};
    const std::string way = sampler.text("interpolation");
    const bool is_spline = way == "CUBICSPLINE";
    if (!way.empty() && way != "LINEAR" && way != "STEP" && !is_spline) {
      sampler.report_fault({.message = "unknown interpolation " + way + "; it must be LINEAR, STEP or CUBICSPLINE"});
      return {};
    }
    if (values.count != times.count * (is_spline ? 3 : 1)) {
      sampler.report_fault({.message = "the sampler has " + format_count(values.count, "value") + " for " +
                                       format_count(times.count, "keyframe") + "; it needs " +
                                       std::to_string(times.count * (is_spline ? 3 : 1))});
      return {};
    }
    for (size_t i = 0; i < times.all.size(); ++i)
      if (times.all[i] < 0 || (i && !(times.all[i] > times.all[i - 1]))) {
        sampler.report_fault(
            {.message = "keyframe times must be 0 or more, and each time must be later than the previous time"});
        return {};
      }
    Keys keys{times.all, std::move(values.all), values.components, way == "STEP"};
    if (!is_spline) return keys;
    if (!in_.charge_memory_budget(sampler.path(), u64(times.count) * 32 * (keys.components + 1) * 4)) return {};
    keys = linearize_spline(keys);
    if (std::ranges::all_of(keys.values, [](f32 x) { return std::isfinite(x); })) return keys;
    sampler.report_fault({.message = "the spline exceeds the range of 32-bit floats"});
    return {};
  }

  static std::string describe_target(Target target) {
    constexpr std::array<const char*, 3> k_names{"the translation", "the rotation", "the scale"};
    return k_names[size_t(target)];
  }
  static std::string describe_target(scene::MaterialChannel::Target target) {
    constexpr std::array<const char*, 4> k_names{"the base colour", "the texture offset", "the texture rotation",
                                                 "the texture scale"};
    return k_names[size_t(target)];
  }

  /// Whether this is the first channel that animates it.
  bool claim_animated_property(const Item& item, const std::string& what) {
    if (moved_.insert(what).second) return true;
    item.report_fault({.message = "an earlier channel already animates " + what});
    return false;
  }

  static bool normalize_quaternions(std::vector<scene::Vec4>& quaternions) {
    for (scene::Vec4& q : quaternions) {
      const f64 length = std::sqrt(f64(q[0]) * q[0] + f64(q[1]) * q[1] + f64(q[2]) * q[2] + f64(q[3]) * q[3]);
      if (length == 0) return false;
      if (std::fabs(length - 1) > k_near_unit) q = scene::unit_quaternion(q[0], q[1], q[2], q[3]);
    }
    return true;
  }

  void read_node_channel(const Item& item, Index node, Target target, const Item& sampler) {
    if (node == k_none) return;
    if (r_.nodes[node] == k_none) return in_.add_note(item.path(), "animations of nodes outside the scene are omitted");
    const auto keys = read_keys(sampler, {target == Target::rotation ? "VEC4" : "VEC3"});
    if (!keys || !claim_animated_property(item, describe_target(target) + " of node " + std::to_string(node))) return;
    scene::Channel out{.node = r_.nodes[node],
                       .target = target,
                       .interpolation = interpolation_of(*keys),
                       .times = keys->times,
                       .values = keys->key_values()};
    if (target == Target::rotation && !normalize_quaternions(out.values))
      return sampler.report_fault({.message = "a rotation is a quaternion of length 0"});
    out_->channels.push_back(std::move(out));
  }

  static scene::Channel::Interpolation interpolation_of(const Keys& keys) {
    return keys.steps ? scene::Channel::Interpolation::step : scene::Channel::Interpolation::linear;
  }

  /// False if the pointer has no target that a scene can animate.
  bool read_pointer_channel(const Item& item, const std::string& pointer, const Item& sampler) {
    if (!pointer.starts_with('/')) return false;
    const std::vector<std::string> parts = split_json_pointer(pointer);
    if (parts.size() < 3) return false;
    const std::string& list = parts[0];
    std::string rest;
    for (size_t i = 2; i < parts.size(); ++i) rest += (i > 2 ? "/" : "") + parts[i];
    const size_t count = list == "nodes"       ? r_.nodes.size()
                         : list == "materials" ? r_.scene.materials.size()
                         : list == "cameras"   ? r_.scene.cameras.size()
                                               : 0;
    if (count == 0) return false;
    const std::string& digits = parts[1];
    const bool is_number =
        !digits.empty() && digits.size() < 10 && digits.find_first_not_of("0123456789") == std::string::npos;
    const Index index = is_number ? Index(std::stoul(digits)) : k_none;
    if (index >= count) {
      item.report_fault({.message = "the pointer " + pointer.substr(0, 80) + " is out of range: the list " +
                                    in_quotes(list) + " has " + format_count(count, "element") + ", counted from 0"});
      return true;
    }
    if (list == "nodes") {
      if (rest == "extensions/KHR_node_visibility/visible") return read_visibility_channel(item, index, sampler);
      const auto target = parse_channel_target(rest);
      if (target) read_node_channel(item, index, *target, sampler);
      return target.has_value();
    }
    if (list == "cameras") return rest == "perspective/yfov" && read_fov_channel(item, index, sampler);
    return read_material_channel(item, index, rest, sampler);
  }

  bool read_visibility_channel(const Item& item, Index node, const Item& sampler) {
    const auto keys = read_keys(sampler, {"SCALAR"});
    if (!keys || !claim_animated_property(item, "the visibility of node " + std::to_string(node))) return true;
    if (r_.nodes[node] == k_none) {
      in_.add_note(item.path(), "animations of nodes outside the scene are omitted");
      return true;
    }
    scene::VisibilityChannel out{r_.nodes[node], keys->times, {}};
    for (const f32 x : keys->values) out.visible.push_back(x != 0);
    out_->visibility_channels.push_back(std::move(out));
    return true;
  }

  bool read_fov_channel(const Item& item, Index camera, const Item& sampler) {
    if (r_.scene.cameras[camera].half_height != 0) return false;
    auto keys = read_keys(sampler, {"SCALAR"});
    if (!keys || !claim_animated_property(item, "the field of view of camera " + std::to_string(camera))) return true;
    if (keys->steps) in_.add_note(item.path(), "stepped animations of the field of view are interpolated");
    out_->fov_channels.push_back({camera, std::move(keys->times), std::move(keys->values)});
    return true;
  }

  bool read_material_channel(const Item& item, Index material, std::string_view rest, const Item& sampler) {
    using Change = scene::MaterialChannel::Target;
    constexpr std::string_view k_surface = "pbrMetallicRoughness/";
    constexpr std::string_view k_transform = "baseColorTexture/extensions/KHR_texture_transform/";
    if (!rest.starts_with(k_surface)) return false;
    rest.remove_prefix(k_surface.size());
    std::optional<Change> change;
    if (rest == "baseColorFactor") change = Change::color;
    if (rest.starts_with(k_transform) && r_.scene.materials[material].texture != k_none) {
      rest.remove_prefix(k_transform.size());
      if (rest == "offset") change = Change::offset;
      if (rest == "rotation") change = Change::rotation;
      if (rest == "scale") change = Change::scale;
    }
    if (!change) return false;
    constexpr std::array<std::string_view, 4> k_types{"VEC4", "VEC2", "SCALAR", "VEC2"};
    const auto keys = read_keys(sampler, {k_types[size_t(*change)]});
    if (!keys || !claim_animated_property(item, describe_target(*change) + " of material " + std::to_string(material)))
      return true;
    scene::MaterialChannel out{.material = material,
                               .target = *change,
                               .interpolation = interpolation_of(*keys),
                               .times = keys->times,
                               .values = keys->key_values()};
    if (*change == Change::color)
      for (scene::Vec4& color : out.values)
        for (f32& x : color) x = std::clamp(x, 0.0f, 1.0f);
    out_->material_channels.push_back(std::move(out));
    return true;
  }

  // ---- the fallback for programs without KHR_node_visibility ----

  /// A node that is shown and hidden has its own scale while visible, and 0 while hidden. The visibility channel takes
  /// this over; any other animation of the scale cannot be kept with it.
  void remove_visibility_scale_channels(scene::Animation& animation, const Item& item) {
    std::vector<Index> shown(r_.scene.nodes.size(), k_none);
    for (size_t i = 0; i < animation.visibility_channels.size(); ++i)
      shown[animation.visibility_channels[i].node] = Index(i);
    std::erase_if(animation.channels, [&](const scene::Channel& channel) {
      if (channel.target != Target::scale || shown[channel.node] == k_none) return false;
      const auto& other = animation.visibility_channels[shown[channel.node]];
      bool is_fallback = channel.times == other.times && channel.interpolation == scene::Channel::Interpolation::step;
      std::optional<scene::Vec4> seen;
      for (size_t i = 0; is_fallback && i < channel.values.size(); ++i) {
        const scene::Vec4& value = channel.values[i];
        if (other.visible[i]) {
          if (!seen) seen = value;
          is_fallback = value == *seen;
        } else {
          is_fallback = value == scene::Vec4{};
        }
      }
      if (!is_fallback)
        in_.add_note(item.path(), "the scale animation of a node whose visibility is animated is omitted");
      if (is_fallback && seen) scales_.emplace_back(channel.node, scene::Vec3{(*seen)[0], (*seen)[1], (*seen)[2]});
      return true;
    });
  }

  void restore_hidden_node_scales() {
    const auto is_shrunk = [](const scene::Node& node) { return !node.visible && node.scale == scene::Vec3{0, 0, 0}; };
    for (const auto& [i, scale] : scales_)
      if (is_shrunk(r_.scene.nodes[i])) r_.scene.nodes[i].scale = scale;
    for (scene::Node& node : r_.scene.nodes)
      if (is_shrunk(node)) node.scale = {1, 1, 1};
  }

  Reading& r_;
  Source& in_;
  scene::Animation* out_ = nullptr;
  std::set<std::string> moved_;                        // by the current animation
  std::vector<std::pair<Index, scene::Vec3>> scales_;  // the scale of nodes while they are visible
};

}  // namespace

void read_animations(Reading& reading) { Animations(reading).read_all_animations(); }

}  // namespace dio::gltf
