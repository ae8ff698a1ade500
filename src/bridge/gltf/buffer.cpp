#include "bridge/gltf/buffer.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

namespace dio::gltf {
namespace {

constexpr int k_u16 = 5123, k_u32 = 5125, k_f32 = 5126;
constexpr int k_array_buffer = 34962, k_element_array_buffer = 34963;
constexpr std::array k_type_names{"", "SCALAR", "VEC2", "VEC3", "VEC4"};

u64 hash_of(ByteView bytes) {  // FNV-1a
  u64 hash = 0xcbf29ce484222325;
  for (const u8 b : bytes) hash = (hash ^ b) * 0x100000001b3;
  return hash;
}

}  // namespace

u32 Buffer::add_floats(Use use, std::span<const f32> numbers, int components) {
  const u64 start = align();
  for (const f32 x : numbers) put(std::bit_cast<u32>(x), 4);
  const Content content{use, k_f32, components, numbers.size() / size_t(components)};
  if (use != Use::positions && use != Use::key_times) return finish(start, content);

  Value min = Value::list(), max = Value::list();
  for (size_t axis = 0; axis < size_t(components); ++axis) {
    f32 low = numbers[axis], high = low;
    for (size_t i = axis; i < numbers.size(); i += size_t(components)) {
      low = std::min(low, numbers[i]);
      high = std::max(high, numbers[i]);
    }
    min.push(low);
    max.push(high);
  }
  return finish(start, content, std::move(min), std::move(max));
}

u32 Buffer::add_colors(const std::vector<scene::Vec4>& colors) {
  const u64 start = align();
  for (const auto& color : colors)
    for (const f32 x : color) put(u32(std::lround(f64(x) * 0xFFFF)), 2);
  return finish(start, {Use::attributes, k_u16, 4, colors.size(), true});
}

u32 Buffer::add_indices(std::span<const u32> indices) {
  const u64 start = align();
  // The highest number of a type means "restart the primitive" and is no index.
  const bool small = std::all_of(indices.begin(), indices.end(), [](u32 i) { return i < 0xFFFF; });
  for (const u32 i : indices) put(i, small ? 2 : 4);
  return finish(start, {Use::indices, small ? k_u16 : k_u32, 1, indices.size()});
}

u32 Buffer::finish(u64 start, const Content& content, Value min, Value max) {
  const ByteView added = ByteView(bytes_).subspan(size_t(start));
  const u64 hash = hash_of(added);
  for (auto [i, end] = stored_.equal_range(hash); i != end; ++i) {
    const Stored& old = i->second;
    if (old.content == content &&
        std::ranges::equal(ByteView(bytes_).subspan(size_t(old.offset), size_t(old.size)), added)) {
      bytes_.resize(size_t(start));
      return old.accessor;
    }
  }
  Value accessor = Value::object();
  accessor.add("bufferView", add_view(start, content.use));
  accessor.add("componentType", content.component_type);
  if (content.normalized) accessor.add("normalized", true);
  accessor.add("count", content.count);
  accessor.add("type", k_type_names[size_t(content.components)]);
  if (min.size()) accessor.add("min", std::move(min)), accessor.add("max", std::move(max));

  const u32 index = u32(accessors_.size());
  stored_.emplace(hash, Stored{content, start, added.size(), index});
  accessors_.push(std::move(accessor));
  return index;
}

/// One view for one accessor: then no view needs a stride.
u32 Buffer::add_view(u64 start, Use use) {
  Value view = Value::object();
  view.add("buffer", 0);
  if (start) view.add("byteOffset", start);
  view.add("byteLength", bytes_.size() - start);
  if (use == Use::positions || use == Use::attributes) view.add("target", k_array_buffer);
  if (use == Use::indices) view.add("target", k_element_array_buffer);
  views_.push(std::move(view));
  return u32(views_.size() - 1);
}

void Buffer::put(u32 number, int size) {
  for (int i = 0; i < size; ++i) bytes_.push_back(u8(number >> (8 * i)));
}

u64 Buffer::align() {
  bytes_.resize((bytes_.size() + 3) / 4 * 4);
  return bytes_.size();
}

}  // namespace dio::gltf
