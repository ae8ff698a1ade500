#include "bridge/flat/flat_scene.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <unordered_map>

#include "core/json.hpp"

namespace dio::flat {
namespace {

using scene::Index;
using scene::k_none;

Value index(Index i) { return i == k_none ? Value(-1) : Value(i); }

template <size_t N>
Value number_list(const std::array<f32, N>& v) {
  Value out = Value::list();
  for (const f32 x : v) out.push(x);
  return out;
}

/// A list of the results of `f` for each item.
template <class T>
Value transform_to_list(const std::vector<T>& all, auto f) {
  Value out = Value::list();
  out.members().reserve(all.size());
  for (const T& one : all) out.push(f(one));
  return out;
}

/// The memory of an array of a scene, and of the palette of a picture.
struct ArrayBytes {
  std::span<const u8> bytes, palette = {};
};

template <class T>
std::span<const u8> bytes_of(const std::vector<T>& v) {
  return {reinterpret_cast<const u8*>(v.data()), v.size() * sizeof(T)};
}

/// The arrays that take most of the memory, in the order in which they are written: pictures, then the attributes of
/// primitives. Unwritten arrays are left out.
std::vector<ArrayBytes> list_large_arrays(const scene::Scene& s) {
  std::vector<ArrayBytes> all;
  for (const scene::Image& i : s.images) all.push_back({bytes_of(i.pixels), bytes_of(i.palette)});
  const auto add = [&](const auto& list) {
    if (!list.empty()) all.push_back({bytes_of(list)});
  };
  for (const scene::Mesh& m : s.meshes)
    for (const scene::Primitive& p : m.primitives) {
      all.push_back({bytes_of(p.positions)});
      add(p.normals), add(p.colors), add(p.uvs), add(p.joints), add(p.weights), add(p.sources), add(p.indices);
    }
  return all;
}

/// Compares eight bytes at a time: memcmp of WebAssembly compares single bytes, and models have tens of megabytes.
bool is_equal(std::span<const u8> a, std::span<const u8> b) {
  if (a.size() != b.size()) return false;
  size_t i = 0;
  for (; i + 8 <= a.size(); i += 8) {
    u64 x, y;
    std::memcpy(&x, a.data() + i, 8), std::memcpy(&y, b.data() + i, 8);
    if (x != y) return false;
  }
  return std::equal(a.begin() + i64(i), a.end(), b.begin() + i64(i));
}

/// A hash of the size and of a few bytes across an array: equal arrays have equal hashes.
u64 sample(std::span<const u8> bytes) {
  u64 hash = bytes.size() * 0x9E3779B97F4A7C15u;
  const size_t step = std::max<size_t>(1, bytes.size() / 32);
  for (size_t i = 0; i < bytes.size(); i += step) hash = (hash ^ bytes[i]) * 0x100000001B3u;
  return hash;
}

constexpr u32 k_changed = ~u32(0);

/// For each array of a scene, the number of an equal array of the previous scene, or k_changed. Most arrays keep their
/// position, counted from the first or the last array.
std::vector<u32> find_equal_arrays(const std::vector<ArrayBytes>& now, const std::vector<ArrayBytes>& before) {
  std::unordered_multimap<u64, u32> by_sample;
  for (u32 i = 0; i < before.size(); ++i) by_sample.emplace(sample(before[i].bytes), i);
  const auto is_same = [&](size_t i, size_t j) {
    return j < before.size() && is_equal(now[i].bytes, before[j].bytes) && is_equal(now[i].palette, before[j].palette);
  };
  std::vector<u32> out(now.size(), k_changed);
  for (size_t i = 0; i < now.size(); ++i) {
    const size_t from_last = i + before.size() - now.size();  // wraps around if there is none
    if (is_same(i, i)) {
      out[i] = u32(i);
    } else if (is_same(i, from_last)) {
      out[i] = u32(from_last);
    } else {
      const auto [first, last] = by_sample.equal_range(sample(now[i].bytes));
      for (auto it = first; it != last && out[i] == k_changed; ++it)
        if (is_same(i, it->second)) out[i] = it->second;
    }
  }
  return out;
}

class Writer {
 public:
  explicit Writer(const scene::Scene& s, std::vector<u32> equal = {}) : s_(s), equal_(std::move(equal)) {}

  Bytes write_scene(Value notes) {
    if (equal_.empty()) arrays_.reserve(estimate_array_bytes());
    Value v = Value::object();
    v.add("schema", "diorama.scene/1");
    v.add("name", s_.name);
    v.add("metresPerUnit", s_.metres_per_unit);
    v.add("background", number_list(s_.background));
    v.add("extras", s_.extras);
    v.add("notes", std::move(notes));
    v.add("images", transform_to_list(s_.images, [this](const auto& x) { return to_json(x); }));
    v.add("textures", transform_to_list(s_.textures, [this](const auto& x) { return to_json(x); }));
    v.add("materials", transform_to_list(s_.materials, [this](const auto& x) { return to_json(x); }));
    v.add("meshes", transform_to_list(s_.meshes, [this](const scene::Mesh& m) {
            Value one = make_named_object(m.name);
            one.add("primitives", transform_to_list(m.primitives, [this](const auto& x) { return to_json(x); }));
            return one;
          }));
    v.add("skins", transform_to_list(s_.skins, [this](const scene::Skin& x) {
            Value one = make_named_object(x.name);
            one.add("joints", transform_to_list(x.joints, index));
            add(one, "inverseBind", flatten_vectors(x.inverse_bind));
            return one;
          }));
    v.add("cameras", transform_to_list(s_.cameras, [this](const auto& x) { return to_json(x); }));
    v.add("lights", transform_to_list(s_.lights, [this](const auto& x) { return to_json(x); }));
    v.add("variants", transform_to_list(s_.variants, [](const std::string& x) { return Value(x); }));
    v.add("nodes", transform_to_list(s_.nodes, [this](const auto& x) { return to_json(x); }));
    v.add("animations", transform_to_list(s_.animations, [this](const auto& x) { return to_json(x); }));

    std::string text = json::write(v, {.indent = 0});
    text.resize((text.size() + 3) / 4 * 4, ' ');
    Bytes out(4);
    for (size_t i = 0; i < 4; ++i) out[i] = u8(text.size() >> 8 * i);
    out.reserve(out.size() + text.size() + arrays_.size());
    out.insert(out.end(), text.begin(), text.end());
    out.insert(out.end(), arrays_.begin(), arrays_.end());
    return out;
  }

 private:
  /// Reserves the size of most of the arrays, because worlds have tens of megabytes that would be moved repeatedly
  /// while growing.
  size_t estimate_array_bytes() const {
    size_t all = 0;
    for (const scene::Image& i : s_.images) all += size_t(i.width) * i.height * 4;
    for (const scene::Mesh& m : s_.meshes)
      for (const scene::Primitive& p : m.primitives) {
        const auto bytes = [](const auto& list) { return std::span(list).size_bytes(); };
        all += bytes(p.positions) + bytes(p.normals) + bytes(p.uvs) + bytes(p.sources) + bytes(p.indices);
        all += p.colors.size() * 8 + p.weights.size() * 24 + 32;  // as they are written
      }
    return all;
  }

  static Value make_named_object(const std::string& name) {
    Value v = Value::object();
    v.add("name", name);
    return v;
  }

  /// Adds an array of `count` numbers at `bytes`.
  void add(Value& to, const char* name, const void* bytes, size_t size, size_t count) {
    Value& v = to.add(name, Value::object());
    v.add("at", u64(arrays_.size()));
    v.add("count", u64(count));
    const auto* first = static_cast<const u8*>(bytes);
    arrays_.insert(arrays_.end(), first, first + size);
    arrays_.resize((arrays_.size() + 3) / 4 * 4);
  }
  template <class T>
  void add(Value& to, const char* name, std::span<const T> all) {
    add(to, name, all.data(), all.size_bytes(), all.size());
  }
  /// Adds a large array, in the order of list_large_arrays: `write` adds its numbers, unless the previous scene has
  /// them.
  void add_large(Value& to, const char* name, auto write) {
    const u32 equal = large_ < equal_.size() ? equal_[large_] : k_changed;
    ++large_;
    if (equal == k_changed)
      write();
    else
      to.add(name, Value::object()).add("same", equal);
  }
  template <class T, size_t N>
  static std::span<const T> flatten_vectors(const std::vector<std::array<T, N>>& all) {
    return {all.empty() ? nullptr : all[0].data(), N * all.size()};
  }
  template <class T, size_t N>
  void add_nonempty_array(Value& to, const char* name, const std::vector<std::array<T, N>>& all) {
    if (!all.empty()) add_large(to, name, [&] { add(to, name, flatten_vectors(all)); });
  }
  void add_nonempty_array(Value& to, const char* name, const std::vector<u32>& all) {
    if (!all.empty()) add_large(to, name, [&] { add(to, name, std::span(all)); });
  }

  Value to_json(const scene::Image& i) {
    Value v = make_named_object(i.name);
    v.add("width", i.width);
    v.add("height", i.height);
    add_large(v, "pixels", [&] {
      if (i.palette.empty())
        add(v, "pixels", std::span(i.pixels));
      else
        add(v, "pixels", std::span<const u8>(scene::to_rgba(i).pixels));
    });
    return v;
  }

  Value to_json(const scene::Texture& t) {
    const auto wrap = [](scene::Texture::Wrap w) {
      return w == scene::Texture::Wrap::repeat ? "repeat" : w == scene::Texture::Wrap::clamp ? "clamp" : "mirror";
    };
    Value v = make_named_object(t.name);
    v.add("image", index(t.image));
    v.add("wrapU", wrap(t.wrap_u));
    v.add("wrapV", wrap(t.wrap_v));
    v.add("nearest", t.nearest);
    return v;
  }

  Value to_json(const scene::Material& m) {
    using Alpha = scene::Material::Alpha;
    Value v = make_named_object(m.name);
    v.add("color", number_list(m.color));
    v.add("unlit", m.unlit);
    v.add("doubleSided", m.double_sided);
    v.add("alpha", m.alpha == Alpha::opaque ? "opaque" : m.alpha == Alpha::mask ? "mask" : "blend");
    v.add("alphaCutoff", m.alpha_cutoff);
    v.add("texture", index(m.texture));
    Value& t = v.add("transform", Value::object());
    t.add("offset", number_list(m.transform.offset));
    t.add("rotation", m.transform.rotation);
    t.add("scale", number_list(m.transform.scale));
    v.add("extras", m.extras);
    return v;
  }

  Value to_json(const scene::Primitive& p) {
    using Shape = scene::Primitive::Shape;
    Value v = Value::object();
    v.add("shape", p.shape == Shape::points ? "points" : p.shape == Shape::lines ? "lines" : "triangles");
    v.add("material", index(p.material));
    add_large(v, "positions", [&] { add(v, "positions", flatten_vectors(p.positions)); });
    add_nonempty_array(v, "normals", p.normals);
    if (!p.colors.empty())
      add_large(v, "colors", [&] {
        std::vector<u16> words;
        words.reserve(4 * p.colors.size());
        for (const scene::Vec4& c : p.colors)
          for (const f32 x : c) words.push_back(u16(std::clamp(x, 0.0f, 1.0f) * 65535 + 0.5f));
        add(v, "colors", std::span<const u16>(words));
      });
    add_nonempty_array(v, "uvs", p.uvs);
    add_nonempty_array(v, "joints", p.joints);
    add_nonempty_array(v, "weights", p.weights);
    add_nonempty_array(v, "sources", p.sources);
    add_nonempty_array(v, "indices", p.indices);
    v.add("inVariants", transform_to_list(p.in_variants, [](const scene::Primitive::VariantMapping& i) {
            Value one = Value::object();
            one.add("variant", i.variant);
            one.add("material", index(i.material));
            return one;
          }));
    return v;
  }

  Value to_json(const scene::Camera& c) {
    Value v = make_named_object(c.name);
    v.add("verticalFov", c.vertical_fov);
    v.add("near", c.near);
    v.add("far", c.far);
    v.add("halfHeight", c.half_height);
    v.add("aspect", c.aspect);
    return v;
  }

  Value to_json(const scene::Light& l) {
    using Kind = scene::Light::Kind;
    Value v = make_named_object(l.name);
    v.add("color", number_list(l.color));
    v.add("intensity", l.intensity);
    v.add("kind", l.kind == Kind::directional ? "directional" : l.kind == Kind::point ? "point" : "spot");
    v.add("range", l.range);
    v.add("innerCone", l.inner_cone);
    v.add("outerCone", l.outer_cone);
    return v;
  }

  Value to_json(const scene::Node& n) {
    Value v = make_named_object(n.name);
    v.add("parent", index(n.parent));
    v.add("translation", number_list(n.translation));
    v.add("rotation", number_list(n.rotation));
    v.add("scale", number_list(n.scale));
    v.add("mesh", index(n.mesh));
    v.add("camera", index(n.camera));
    v.add("skin", index(n.skin));
    v.add("light", index(n.light));
    v.add("visible", n.visible);
    v.add("extras", n.extras);
    return v;
  }

  static const char* interpolation_name(scene::Channel::Interpolation i) {
    return i == scene::Channel::Interpolation::step ? "step" : "linear";
  }
  void add_times(Value& to, const std::vector<f32>& times) { add(to, "times", std::span(times)); }

  Value to_json(const scene::Animation& a) {
    Value v = make_named_object(a.name);
    v.add("channels", transform_to_list(a.channels, [this](const scene::Channel& c) {
            using Target = scene::Channel::Target;
            Value one = Value::object();
            one.add("node", c.node);
            one.add("target", c.target == Target::translation ? "translation"
                              : c.target == Target::rotation  ? "rotation"
                                                              : "scale");
            one.add("interpolation", interpolation_name(c.interpolation));
            add_times(one, c.times);
            const size_t n = c.target == Target::rotation ? 4 : 3;
            std::vector<f32> values;
            values.reserve(n * c.values.size());
            for (const scene::Vec4& x : c.values) values.insert(values.end(), x.begin(), x.begin() + i64(n));
            add(one, "values", std::span<const f32>(values));
            return one;
          }));
    v.add("fovChannels", transform_to_list(a.fov_channels, [this](const scene::FovChannel& c) {
            Value one = Value::object();
            one.add("camera", c.camera);
            add_times(one, c.times);
            add(one, "values", std::span(c.values));
            return one;
          }));
    v.add("materialChannels", transform_to_list(a.material_channels, [this](const scene::MaterialChannel& c) {
            using Target = scene::MaterialChannel::Target;
            Value one = Value::object();
            one.add("material", c.material);
            one.add("target", c.target == Target::color      ? "color"
                              : c.target == Target::offset   ? "offset"
                              : c.target == Target::rotation ? "rotation"
                                                             : "scale");
            one.add("interpolation", interpolation_name(c.interpolation));
            add_times(one, c.times);
            add(one, "values", flatten_vectors(c.values));
            return one;
          }));
    v.add("visibilityChannels", transform_to_list(a.visibility_channels, [this](const scene::VisibilityChannel& c) {
            Value one = Value::object();
            one.add("node", c.node);
            add_times(one, c.times);
            add(one, "visible", std::span(c.visible));
            return one;
          }));
    v.add("extras", a.extras);
    return v;
  }

  const scene::Scene& s_;
  const std::vector<u32> equal_;  // of large arrays; empty: there is no previous scene
  size_t large_ = 0;              // large arrays that were added
  Bytes arrays_;
};

}  // namespace

Bytes write(const scene::Scene& s, Value notes) { return Writer(s).write_scene(std::move(notes)); }

Bytes write_changes(const scene::Scene& s, const scene::Scene& before, Value notes) {
  auto equal = find_equal_arrays(list_large_arrays(s), list_large_arrays(before));
  return Writer(s, std::move(equal)).write_scene(std::move(notes));
}

}  // namespace dio::flat
