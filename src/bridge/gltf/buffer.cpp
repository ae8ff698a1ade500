#include "bridge/gltf/buffer.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

namespace dio::gltf {
namespace {

constexpr int k_u8 = 5121, k_u16 = 5123, k_u32 = 5125, k_f32 = 5126;
constexpr int k_array_buffer = 34962, k_element_array_buffer = 34963;
constexpr std::array<std::string_view, 5> k_vector_types{"", "SCALAR", "VEC2", "VEC3", "VEC4"};

/// A hash that only finds candidates for equality, so it reads only some words, spread over all bytes. It uses sums, so
/// that no multiplication waits for another.
u64 hash_sampled_words(ByteView bytes) {
  constexpr size_t k_words = 16;
  u64 sum = bytes.size();
  const auto add = [&](u64 word, size_t place) {
    word = (word ^ place) * 0x9e3779b97f4a7c15;
    sum += word ^ word >> 32;
  };
  const size_t step = std::max<size_t>(bytes.size() / k_words, 8);
  for (size_t i = 0; i + 8 <= bytes.size(); i += step) {
    u64 word;
    std::memcpy(&word, bytes.data() + i, 8);
    add(word, i);
  }
  for (size_t i = bytes.size() - std::min<size_t>(bytes.size(), 8); i < bytes.size(); ++i) add(bytes[i], i);
  return sum;
}

template <size_t N>
std::span<const f32> flatten_vectors(const std::vector<std::array<f32, N>>& v) {
  static_assert(sizeof(std::array<f32, N>) == N * sizeof(f32));
  return {v.empty() ? nullptr : v.front().data(), v.size() * N};
}

template <class T>
ByteView bytes_of(std::span<const T> numbers) {
  return {reinterpret_cast<const u8*>(numbers.data()), numbers.size_bytes()};
}

/// Little-endian.
template <class T>
void store_little_endian(u8* to, T number) {
  if constexpr (std::endian::native == std::endian::little) {
    std::memcpy(to, &number, sizeof number);
  } else {
    u8 bytes[sizeof number];
    std::memcpy(bytes, &number, sizeof number);
    std::reverse_copy(bytes, bytes + sizeof number, to);
  }
}

template <class T>
void store_numbers(u8* to, size_t count, auto number_of) {
  for (size_t i = 0; i < count; ++i) store_little_endian(to + i * sizeof(T), T(number_of(i)));
}

/// Converts numbers of one type to another.
template <class From, class To>
void store_converted(u8* to, ByteView source, auto convert) {
  store_numbers<To>(to, source.size() / sizeof(From), [&](size_t i) {
    From number;
    std::memcpy(&number, source.data() + i * sizeof(From), sizeof number);
    return convert(number);
  });
}

}  // namespace

u64 Buffer::encoded_size(const BufferPiece& piece) {
  const bool is_halved = piece.form == NumberConversion::colors || piece.form == NumberConversion::halved_words;
  return piece.source.size() / (is_halved ? 2 : 1);
}

/// Calls f(view, start) for each, in file order.
void Buffer::for_each_view(auto f) const {
  u64 start = 0;
  for (const View& view : views_) {
    f(view, start);
    start += (view.size + 3) / 4 * 4;  // suits every component type
  }
}

u64 Buffer::size() const {
  u64 end = 0;
  for_each_view([&](const View& view, u64 start) { end = start + view.size; });
  return end;
}

void Buffer::append_to(Bytes& bytes) const {
  std::vector<size_t> starts;
  for_each_view([&](const View&, u64 start) { starts.push_back(bytes.size() + size_t(start)); });
  bytes.resize(bytes.size() + size_t(size()));
  constexpr bool swaps = std::endian::native != std::endian::little;
  const auto same = [](auto number) { return number; };
  for (const BufferPiece& piece : pieces_) {
    u8* const to = bytes.data() + starts[piece.view] + piece.offset;
    if (piece.form == NumberConversion::colors)  // the product has at most 40 binary digits: only the last step rounds
      store_converted<f32, u16>(to, piece.source, [](f32 x) { return i32(f64(x) * 0xFFFF + 0.5); });
    else if (piece.form == NumberConversion::halved_words)
      store_converted<u32, u16>(to, piece.source, same);
    else if (piece.form == NumberConversion::reals_of_words)
      store_converted<u32, f32>(to, piece.source, same);
    else if (swaps && piece.form == NumberConversion::words)
      store_converted<u32, u32>(to, piece.source, same);
    else
      std::copy(piece.source.begin(), piece.source.end(), to);
  }
}

template <class T>
ByteView Buffer::store_owned_numbers(size_t count, auto number_of) {
  Bytes& kept = kept_.emplace_back(count * sizeof(T));
  store_numbers<T>(kept.data(), count, number_of);
  return kept;
}

template <size_t N>
u32 Buffer::add_vectors(const std::vector<std::array<f32, N>>& v, bool bounds) {
  const Content content{AccessorUse::attributes, k_f32, k_vector_types[N], v.size(), false, bounds};
  return add(content, NumberConversion::words, bytes_of(flatten_vectors(v)), flatten_vectors(v));
}

u32 Buffer::add_positions(const std::vector<scene::Vec3>& v) { return add_vectors(v, true); }
u32 Buffer::add_normals(const std::vector<scene::Vec3>& v) { return add_vectors(v, false); }
u32 Buffer::add_uvs(const std::vector<scene::Vec2>& v) { return add_vectors(v, false); }

u32 Buffer::add_sources(std::span<const u32> sources) {
  return add({AccessorUse::attributes, k_f32, "SCALAR", sources.size()}, NumberConversion::reals_of_words,
             bytes_of(sources));
}

u32 Buffer::add_colors(const std::vector<scene::Vec4>& colors) {
  return add({AccessorUse::attributes, k_u16, "VEC4", colors.size(), true}, NumberConversion::colors,
             bytes_of(flatten_vectors(colors)));
}

u32 Buffer::add_indices(std::span<const u32> indices) {
  u32 highest = 0;
  for (const u32 i : indices) highest = std::max(highest, i);
  // The highest number of a type means "restart the primitive" and is no index.
  const bool small = highest < 0xFFFF;
  return add({AccessorUse::indices, small ? k_u16 : k_u32, "SCALAR", indices.size()},
             small ? NumberConversion::halved_words : NumberConversion::words, bytes_of(indices));
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
    constexpr f64 k_rounding = 0x1p-23;  // of four quotients: quotients that were normalised once stay unchanged
    const f64 all = f64(part[0]) + part[1] + part[2] + part[3], sum = std::fabs(all - 1) > k_rounding ? all : 1;
    for (size_t k = 0; k < 4; ++k) {
      part[k] = f32(part[k] / sum);
      if (part[k] == 0) joint[k] = 0;
      highest = std::max(highest, joint[k]);
      whole &= part[k] == 0 || part[k] == 1;
    }
  }
  const bool small = highest <= 0xFF;
  const size_t count = used.size() * 4;
  const auto joint_of = [&](size_t i) { return used[i / 4][i % 4]; };
  const auto part_of = [&](size_t i) { return parts[i / 4][i % 4]; };
  const Content of_joints{AccessorUse::attributes, small ? k_u8 : k_u16, "VEC4", used.size()};
  const Content of_weights{AccessorUse::attributes, whole ? k_u8 : k_f32, "VEC4", used.size(), whole};
  return {add(of_joints, NumberConversion::bytes,
              small ? store_owned_numbers<u8>(count, joint_of) : store_owned_numbers<u16>(count, joint_of)),
          add(of_weights, NumberConversion::bytes,
              whole ? store_owned_numbers<u8>(count, [&](size_t i) { return part_of(i) != 0 ? 0xFF : 0; })
                    : store_owned_numbers<f32>(count, part_of))};
}

u32 Buffer::add_matrices(const std::vector<scene::Mat4>& matrices) {
  return add({AccessorUse::bind, k_f32, "MAT4", matrices.size()}, NumberConversion::words,
             bytes_of(flatten_vectors(matrices)));
}

u32 Buffer::add_key_times(std::span<const f32> times) {
  return add({AccessorUse::plain, k_f32, "SCALAR", times.size(), false, true}, NumberConversion::words, bytes_of(times),
             times);
}

u32 Buffer::add_key_values(std::span<const scene::Vec4> values, int components) {
  const size_t n = size_t(components);
  return add({AccessorUse::plain, k_f32, k_vector_types[n], values.size()}, NumberConversion::bytes,
             store_owned_numbers<f32>(values.size() * n, [&](size_t i) { return values[i / n][i % n]; }));
}

u32 Buffer::add_key_values(std::span<const f32> values) {
  return add({AccessorUse::plain, k_f32, "SCALAR", values.size()}, NumberConversion::words, bytes_of(values));
}

u32 Buffer::add_key_flags(std::span<const u8> flags) {
  return add({AccessorUse::plain, k_u8, "SCALAR", flags.size()}, NumberConversion::bytes,
             store_owned_numbers<u8>(flags.size(), [&](size_t i) { return flags[i]; }));
}

u32 Buffer::add_file(Bytes file) {
  kept_.push_back(std::move(file));
  return add({.use = AccessorUse::file}, NumberConversion::bytes, kept_.back());
}

u32 Buffer::add(const Content& content, NumberConversion form, ByteView source, std::span<const f32> numbers) {
  const u64 hash = hash_sampled_words(source);
  for (auto [i, end] = known_.equal_range(hash); i != end; ++i) {
    const BufferPiece& old = pieces_[i->second];
    if (old.content == content && old.form == form && old.source.size() == source.size() &&
        std::memcmp(old.source.data(), source.data(), source.size()) == 0)
      return old.index;
  }
  const bool is_file = content.use == AccessorUse::file;
  const u32 view = find_or_add_view(content);
  u64& size = views_[view].size;
  if (content.use == AccessorUse::plain) size = (size + 3) / 4 * 4;  // numbers of different sizes
  known_.emplace(hash, u32(pieces_.size()));
  const BufferPiece& piece =
      pieces_.emplace_back(BufferPiece{content, form, source, size, view, is_file ? view : accessor_count_++});
  size += encoded_size(piece);
  if (is_file) return view;

  const auto accessor = accessors_.object();
  accessors_.add("bufferView", view);
  if (piece.offset) accessors_.add("byteOffset", piece.offset);
  accessors_.add("componentType", content.component_type);
  if (content.normalized) accessors_.add("normalized", true);
  accessors_.add("count", content.count);
  accessors_.add("type", content.type);
  if (content.bounds && content.type == "VEC3") add_bounds<3>(numbers);
  if (content.bounds && content.type == "SCALAR") add_bounds<1>(numbers);
  return piece.index;
}

template <size_t N>
void Buffer::add_bounds(std::span<const f32> numbers) {
  std::array<f32, N> low, high;
  std::copy_n(numbers.begin(), N, low.begin());
  high = low;
  for (size_t i = N; i < numbers.size(); i += N)
    for (size_t k = 0; k < N; ++k) {
      low[k] = std::min(low[k], numbers[i + k]);
      high[k] = std::max(high[k], numbers[i + k]);
    }
  accessors_.add("min", low);
  accessors_.add("max", high);
}

u32 Buffer::find_or_add_view(const Content& content) {
  const auto size_of_component = [&] {
    return content.component_type == k_u8 ? 1u : content.component_type == k_u16 ? 2u : 4u;
  };
  const u32 stride = content.use == AccessorUse::attributes || content.use == AccessorUse::indices
                         ? size_of_component() * (content.type == "SCALAR" ? 1 : u32(content.type.back() - '0'))
                         : 0;
  const auto is_it = [&](const View& v) {
    return v.use == content.use && v.stride == stride && v.use != AccessorUse::file;
  };
  const auto known = std::ranges::find_if(views_, is_it);
  if (known == views_.end()) return u32((views_.push_back({content.use, stride}), views_.size() - 1));
  return u32(known - views_.begin());
}

std::string Buffer::buffer_views_json() const {
  JsonText out;
  for_each_view([&](const View& v, u64 start) {
    const auto view = out.object();
    out.add("buffer", 0);
    if (start) out.add("byteOffset", start);
    out.add("byteLength", v.size);
    if (v.use == AccessorUse::attributes) out.add("byteStride", v.stride);
    if (v.use == AccessorUse::attributes) out.add("target", k_array_buffer);
    if (v.use == AccessorUse::indices) out.add("target", k_element_array_buffer);
  });
  return out.take();
}

}  // namespace dio::gltf
