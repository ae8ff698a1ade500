#include "bridge/gltf/buffer.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

namespace dio::gltf {
namespace {

constexpr int k_u8 = 5121, k_u16 = 5123, k_u32 = 5125, k_f32 = 5126;
constexpr int k_array_buffer = 34962, k_element_array_buffer = 34963;
constexpr std::array<std::string_view, 5> k_vector_types{"", "SCALAR", "VEC2", "VEC3", "VEC4"};

/// Only good for finding what may be equal: four sums side by side, as one would wait for each multiplication.
u64 hash_of(ByteView bytes) {
  constexpr u64 k_factor = 0x9e3779b97f4a7c15;
  std::array<u64, 4> lanes{1, 2, 3, 4};
  const auto mix = [](u64& lane, u64 word) { lane = std::rotl((lane ^ word) * k_factor, 29); };
  size_t i = 0;
  for (; i + 32 <= bytes.size(); i += 32) {
    std::array<u64, 4> words;
    std::memcpy(words.data(), bytes.data() + i, 32);
    for (size_t k = 0; k < 4; ++k) mix(lanes[k], words[k]);
  }
  for (; i < bytes.size(); ++i) mix(lanes[i % 4], bytes[i]);
  u64 hash = bytes.size();
  for (const u64 lane : lanes) mix(hash, lane);
  return hash;
}

template <size_t N>
std::span<const f32> flat(const std::vector<std::array<f32, N>>& v) {
  static_assert(sizeof(std::array<f32, N>) == N * sizeof(f32));
  return {v.empty() ? nullptr : v.front().data(), v.size() * N};
}

/// Least significant byte first.
template <class T>
void store(u8* to, T number) {
  if constexpr (std::endian::native == std::endian::little) {
    std::memcpy(to, &number, sizeof number);
  } else {
    u8 bytes[sizeof number];
    std::memcpy(bytes, &number, sizeof number);
    std::reverse_copy(bytes, bytes + sizeof number, to);
  }
}

}  // namespace

void Buffer::put(std::span<const f32> numbers) {
  if constexpr (std::endian::native == std::endian::little) {
    const u8* first = reinterpret_cast<const u8*>(numbers.data());
    bytes_.insert(bytes_.end(), first, first + numbers.size_bytes());
  } else {
    put_converted<f32>(numbers.size(), [&](size_t i) { return numbers[i]; });
  }
}

template <class T>
void Buffer::put_converted(size_t count, auto number_of) {
  const size_t start = bytes_.size();
  bytes_.resize(start + count * sizeof(T));
  u8* to = bytes_.data() + start;
  for (size_t i = 0; i < count; ++i) store(to + i * sizeof(T), T(number_of(i)));
}

template <size_t N>
u32 Buffer::add_vectors(const std::vector<std::array<f32, N>>& v, bool bounds) {
  const u64 start = align();
  put(flat(v));
  return finish(start, {Use::attributes, k_f32, k_vector_types[N], v.size(), false, bounds}, flat(v));
}

u32 Buffer::add_positions(const std::vector<scene::Vec3>& v) { return add_vectors(v, true); }
u32 Buffer::add_normals(const std::vector<scene::Vec3>& v) { return add_vectors(v, false); }
u32 Buffer::add_uvs(const std::vector<scene::Vec2>& v) { return add_vectors(v, false); }

u32 Buffer::add_colors(const std::vector<scene::Vec4>& colors) {
  const u64 start = align();
  const std::span<const f32> numbers = flat(colors);
  // The product has no more than 40 binary digits: only the last step rounds.
  put_converted<u16>(numbers.size(), [&](size_t i) { return i32(f64(numbers[i]) * 0xFFFF + 0.5); });
  return finish(start, {Use::attributes, k_u16, "VEC4", colors.size(), true});
}

u32 Buffer::add_indices(std::span<const u32> indices) {
  const u64 start = align();
  u32 highest = 0;
  for (const u32 i : indices) highest = std::max(highest, i);
  // The highest number of a type means "restart the primitive" and is no index.
  const bool small = highest < 0xFFFF;
  const auto number_of = [&](size_t i) { return indices[i]; };
  if (small)
    put_converted<u16>(indices.size(), number_of);
  else
    put_converted<u32>(indices.size(), number_of);
  return finish(start, {Use::indices, small ? k_u16 : k_u32, "SCALAR", indices.size()});
}

Buffer::Influences Buffer::add_influences(std::span<const std::array<u16, 4>> joints,
                                          std::span<const scene::Vec4> weights) {
  std::vector<std::array<u16, 4>> used(joints.begin(), joints.end());
  std::vector<scene::Vec4> parts(weights.begin(), weights.end());
  u16 highest = 0;
  bool whole = true;
  for (size_t i = 0; i < used.size(); ++i) {
    auto& joint = used[i];
    auto& part = parts[i];
    for (size_t k = 1; k < 4; ++k)
      for (size_t earlier = 0; earlier < k && part[k] != 0; ++earlier)
        if (joint[earlier] == joint[k] && part[earlier] != 0) {
          part[earlier] += part[k];
          part[k] = 0;
        }
    const f64 sum = f64(part[0]) + part[1] + part[2] + part[3];
    for (size_t k = 0; k < 4; ++k) {
      part[k] = f32(part[k] / sum);
      if (part[k] == 0) joint[k] = 0;
      highest = std::max(highest, joint[k]);
      whole &= part[k] == 0 || part[k] == 1;
    }
  }
  const bool small = highest <= 0xFF;
  const auto joint_of = [&](size_t i) { return used[i / 4][i % 4]; };
  u64 start = align();
  if (small)
    put_converted<u8>(used.size() * 4, joint_of);
  else
    put_converted<u16>(used.size() * 4, joint_of);
  const u32 joint_accessor = finish(start, {Use::attributes, small ? k_u8 : k_u16, "VEC4", used.size()});
  if (!whole) return {joint_accessor, add_vectors(parts, false)};
  start = align();
  put_converted<u8>(parts.size() * 4, [&](size_t i) { return parts[i / 4][i % 4] != 0 ? 0xFF : 0; });
  return {joint_accessor, finish(start, {Use::attributes, k_u8, "VEC4", parts.size(), true})};
}

u32 Buffer::add_matrices(const std::vector<scene::Mat4>& matrices) {
  const u64 start = align();
  put(flat(matrices));
  return finish(start, {Use::plain, k_f32, "MAT4", matrices.size()});
}

u32 Buffer::add_key_times(std::span<const f32> times) {
  const u64 start = align();
  put(times);
  return finish(start, {Use::plain, k_f32, "SCALAR", times.size(), false, true}, times);
}

u32 Buffer::add_key_values(std::span<const scene::Vec4> values, int components) {
  const u64 start = align();
  const size_t n = size_t(components);
  put_converted<f32>(values.size() * n, [&](size_t i) { return values[i / n][i % n]; });
  return finish(start, {Use::plain, k_f32, k_vector_types[n], values.size()});
}

u32 Buffer::add_key_values(std::span<const f32> values) {
  const u64 start = align();
  put(values);
  return finish(start, {Use::plain, k_f32, "SCALAR", values.size()});
}

u32 Buffer::add_key_flags(std::span<const u8> flags) {
  const u64 start = align();
  bytes_.insert(bytes_.end(), flags.begin(), flags.end());
  return finish(start, {Use::plain, k_u8, "SCALAR", flags.size()});
}

u32 Buffer::add_file(ByteView file) {
  const u64 start = align();
  bytes_.insert(bytes_.end(), file.begin(), file.end());
  return finish(start, {.use = Use::file});
}

u32 Buffer::finish(u64 start, const Content& content, std::span<const f32> numbers) {
  const ByteView added = ByteView(bytes_).subspan(size_t(start));
  const u64 hash = hash_of(added);
  for (auto [i, end] = stored_.equal_range(hash); i != end; ++i) {
    const Stored& old = i->second;
    if (old.content == content && old.size == added.size() &&
        std::memcmp(bytes_.data() + old.offset, added.data(), added.size()) == 0) {
      bytes_.resize(size_t(start));
      return old.index;
    }
  }
  const u32 view = add_view(start, content.use);
  const bool is_file = content.use == Use::file;
  const u32 index = is_file ? view : accessor_count_++;
  stored_.emplace(hash, Stored{content, start, added.size(), index});
  if (is_file) return index;

  const auto accessor = accessors_.object();
  accessors_.add("bufferView", view);
  accessors_.add("componentType", content.component_type);
  if (content.normalized) accessors_.add("normalized", true);
  accessors_.add("count", content.count);
  accessors_.add("type", content.type);
  if (content.bounds) add_bounds(numbers, numbers.size() / size_t(content.count));
  return index;
}

void Buffer::add_bounds(std::span<const f32> numbers, size_t components) {
  std::array<f32, 3> low, high;
  for (size_t k = 0; k < components; ++k) low[k] = high[k] = numbers[k];
  for (size_t i = components; i < numbers.size(); i += components)
    for (size_t k = 0; k < components; ++k) {
      low[k] = std::min(low[k], numbers[i + k]);
      high[k] = std::max(high[k], numbers[i + k]);
    }
  for (const auto& [name, bound] : {std::pair(std::string_view("min"), &low), {"max", &high}}) {
    const auto list = accessors_.list(name);
    for (size_t k = 0; k < components; ++k) accessors_.push((*bound)[k]);
  }
}

/// One view for one accessor: then no view needs a stride.
u32 Buffer::add_view(u64 start, Use use) {
  const auto view = views_.object();
  views_.add("buffer", 0);
  if (start) views_.add("byteOffset", start);
  views_.add("byteLength", bytes_.size() - start);
  if (use == Use::attributes) views_.add("target", k_array_buffer);
  if (use == Use::indices) views_.add("target", k_element_array_buffer);
  return view_count_++;
}

u64 Buffer::align() {
  bytes_.resize((bytes_.size() + 3) / 4 * 4);
  return bytes_.size();
}

}  // namespace dio::gltf
