// buffer.hpp: the binary half of a glTF file: one buffer, its views and its accessors.
#pragma once
#include <span>
#include <unordered_map>

#include "layout/value.hpp"
#include "scene/scene.hpp"

namespace dio::gltf {

class Buffer {
 public:
  /// What an accessor is for. It decides the target of the buffer view and whether glTF demands minimum and maximum.
  enum class Use : u8 { positions, attributes, indices, key_times, key_values };

  /// Each gives the index of the accessor. Where the same content was added for the same use, it is that one.
  u32 add_floats(Use, std::span<const f32> numbers, int components);
  u32 add_floats(Use use, const std::vector<scene::Vec3>& v) { return add_floats(use, flat(v), 3); }
  /// Linear RGBA in 0..1 as normalized 16 bits: 8 would merge the dark tones.
  u32 add_colors(const std::vector<scene::Vec4>&);
  /// 16 bits wide where all indices fit.
  u32 add_indices(std::span<const u32>);

  const Bytes& bytes() const { return bytes_; }
  const Value& accessors() const { return accessors_; }
  const Value& views() const { return views_; }

 private:
  template <size_t N>
  static std::span<const f32> flat(const std::vector<std::array<f32, N>>& v) {
    static_assert(sizeof(std::array<f32, N>) == N * sizeof(f32));
    return {v.empty() ? nullptr : v.front().data(), v.size() * N};
  }
  struct Content {
    Use use;
    int component_type;  // as glTF numbers them
    int components;
    u64 count;
    bool normalized = false;
    bool operator==(const Content&) const = default;
  };
  struct Stored {
    Content content;
    u64 offset, size;
    u32 accessor;
  };

  /// The bytes of the new accessor are those from `start` to the end of the buffer.
  u32 finish(u64 start, const Content&, Value min = {}, Value max = {});
  u32 add_view(u64 start, Use);
  void put(u32 number, int size);
  /// The next place that suits every component type.
  u64 align();

  Bytes bytes_;
  Value accessors_ = Value::list(), views_ = Value::list();
  std::unordered_multimap<u64, Stored> stored_;  // by hash of the bytes
};

}  // namespace dio::gltf
