#include "formats/brres/scene/vertices.hpp"

#include <bit>
#include <cmath>

namespace dio::brres {

namespace {

using AttributeMode = AttributeSource::AttributeMode;

u32 read_big_endian(const Bytes& b, u64 at, u32 bytes) {
  u32 n = 0;
  for (u32 i = 0; i < bytes; ++i) n = n << 8 | b[size_t(at + i)];
  return n;
}

constexpr u32 k_number_sizes[] = {1, 1, 2, 2, 4}, k_color_sizes[] = {2, 3, 4, 2, 3, 4};

f32 read_real(const Bytes& b, u64 at, u32 type, u32 shift) {
  const u32 raw = read_big_endian(b, at, k_number_sizes[type]);
  switch (type) {
    case 0:
      return std::ldexp(f32(raw), -int(shift));
    case 1:
      return std::ldexp(f32(i8(raw)), -int(shift));
    case 2:
      return std::ldexp(f32(raw), -int(shift));
    case 3:
      return std::ldexp(f32(i16(raw)), -int(shift));
    default:
      return std::bit_cast<f32>(raw);
  }
}

std::array<f32, 4> read_color(const Bytes& b, u64 at, u32 type) {
  const u32 c = read_big_endian(b, at, k_color_sizes[type]);
  const auto part = [&](u32 shift, u32 bits) { return f32(c >> shift & ((1u << bits) - 1)) / f32((1u << bits) - 1); };
  switch (type) {
    case 0:
      return {part(11, 5), part(5, 6), part(0, 5), 1};
    case 1:
      return {part(16, 8), part(8, 8), part(0, 8), 1};
    case 2:
      return {part(24, 8), part(16, 8), part(8, 8), 1};
    case 3:
      return {part(12, 4), part(8, 4), part(4, 4), part(0, 4)};
    case 4:
      return {part(18, 6), part(12, 6), part(6, 6), part(0, 6)};
    default:
      return {part(24, 8), part(16, 8), part(8, 8), part(0, 8)};
  }
}

/// A list of the model; null if the index is out of range.
template <class T>
const AttributeList* find_list(const std::vector<T>& lists, i16 index) {
  return index >= 0 && size_t(index) < lists.size() ? &lists[size_t(index)] : nullptr;
}

}  // namespace

u32 AttributeSource::size() const {
  if (is_color) return type < std::size(k_color_sizes) ? k_color_sizes[type] : 0;
  return type < std::size(k_number_sizes) ? components * k_number_sizes[type] : 0;
}
u32 AttributeSource::size_in_vertex() const {
  switch (how) {
    case AttributeMode::absent:
      return 0;
    case AttributeMode::direct:
      return size();
    case AttributeMode::index8:
      return indices;
    default:
      return 2 * indices;
  }
}

VertexReader::VertexReader(const Model& m, const Shape& s)
    : shape_(s), bytes_(s.polygons.commands), descriptor_{s.vertex_descriptor[0], s.vertex_descriptor[1]} {
  read_setup();
  // as the commands state it, for values in vertices; below, as the lists do, for indices
  const auto [a, b, c] = formats_;
  const u32 texture_formats[8] = {a >> 21, b, b >> 9, b >> 18, b >> 27 | c << 4, c >> 5, c >> 14, c >> 23};
  const auto how = [&](u32 word, u32 bit) { return AttributeMode(descriptor_[word] >> bit & 3); };
  sources_[k_position] = {how(0, 9), false, (a & 1) ? 3u : 2u, a >> 1 & 7, 1, a >> 4 & 31};
  const bool is_nbt = a >> 9 & 1;
  sources_[k_normal] = {how(0, 11), false, is_nbt ? 9u : 3u, a >> 10 & 7, is_nbt && a >> 31 ? 3u : 1u, 0};
  sources_[k_color_0] = {how(0, 13), true, 4, a >> 14 & 7};
  sources_[k_color_1] = {how(0, 15), true, 4, a >> 18 & 7};
  for (u32 i = 0; i < 8; ++i) {
    const u32 f = texture_formats[i];
    sources_[k_texcoord_0 + i] = {how(1, 2 * i), false, (f & 1) ? 2u : 1u, f >> 1 & 7, 1, f >> 4 & 31};
  }
  for (u32 i = 0; i < k_attributes; ++i) {
    AttributeSource& source = sources_[i];
    if (source.how == AttributeMode::absent) continue;
    if (source.how != AttributeMode::direct) {
      source.list = i == k_position    ? find_list(m.positions, s.positions)
                    : i == k_normal    ? find_list(m.normals, s.normals)
                    : i < k_texcoord_0 ? find_list(m.colors, s.colors[i - k_color_0])
                                       : find_list(m.texcoords, s.texcoords[i - k_texcoord_0]);
      if (const AttributeList* l = source.list) {
        source.type = l->type;
        source.shift = l->divisor;
        if (i == k_position) source.components = l->kind ? 3 : 2;
        if (i == k_normal) source.components = l->kind == 1 ? 9 : 3;
        if (i >= k_texcoord_0) source.components = l->kind ? 2 : 1;
      }
    }
    if (i == k_normal) source.shift = source.type == 1 ? 6 : source.type == 3 ? 14 : 0;  // fixed by the hardware
    vertex_size_ += source.size_in_vertex();
  }
  vertex_size_ += u32(std::popcount(descriptor_[0] & k_matrix_bits));
}

/// Reads the commands before the polygons: CP registers, which define the vertex format.
void VertexReader::read_setup() {
  for_each_command_register(shape_.setup.commands, [&](u8 reg, u32 value, u64) {
    if (reg == 0x50) descriptor_[0] = value;
    if (reg == 0x60) descriptor_[1] = value;
    if (reg >= 0x70 && reg <= 0x90 && !(reg & 15)) formats_[size_t(reg - 0x70) / 16] = value;
  });
}

void for_each_command_register(const Bytes& b, const std::function<void(u8, u32, u64)>& visit) {
  for (u64 at = 0; at < b.size();) {
    const u8 code = b[size_t(at)];
    if (code == 0) {
      ++at;
    } else if (code == 0x08 && b.size() - at >= 6) {
      visit(b[size_t(at + 1)], read_big_endian(b, at + 2, 4), at + 2);
      at += 6;
    } else if (code == 0x10 && b.size() - at >= 5) {
      at += 5 + 4 * (u64(read_big_endian(b, at + 1, 2)) + 1);
    } else if (code == 0x61) {
      at += 5;
    } else
      return;
  }
}

std::optional<std::array<f32, 4>> VertexReader::value(Attribute a, const Vertex& v) const {
  const AttributeSource& source = sources_[a];
  const u32 size = source.size();
  if (source.how == AttributeMode::absent || !size) return {};
  const Bytes* from = &bytes_;
  u64 at = v.where[a];
  if (source.how != AttributeMode::direct) {
    if (!source.list || at >= source.list->count) return {};
    from = &source.list->data;
    at *= source.list->stride;
  }
  if (at + size > from->size()) return {};
  if (source.is_color) return read_color(*from, at, source.type);
  std::array<f32, 4> out{};
  for (u32 i = 0; i < std::min(3u, source.components); ++i)
    out[i] = read_real(*from, at + u64(i) * k_number_sizes[source.type], source.type, source.shift);
  return out;
}

bool VertexReader::read_vertex(u64& at, const std::array<i32, 10>& matrices, Vertex& v) const {
  if (bytes_.size() - at < vertex_size_) return false;
  v.at = u32(at), v.size = vertex_size_;
  v.matrix = -1;
  for (u32 bit = 0; bit < 9; ++bit) {
    if (!(descriptor_[0] >> bit & 1)) continue;
    const u8 slot = bytes_[size_t(at++)];
    if (bit == 0 && slot / 3u < matrices.size()) v.matrix = matrices[slot / 3u];
  }
  for (u32 i = 0; i < k_attributes; ++i) {
    const AttributeSource& s = sources_[i];
    if (s.how == AttributeMode::direct) v.where[i] = u32(at);
    if (s.how == AttributeMode::index8) v.where[i] = bytes_[size_t(at)];
    if (s.how == AttributeMode::index16) v.where[i] = read_big_endian(bytes_, at, 2);
    at += s.size_in_vertex();
  }
  return true;
}

VertexReader::Result VertexReader::for_each_primitive(const std::function<void(u8, std::span<const Vertex>)>& f) const {
  std::array<i32, 10> matrices;
  matrices.fill(-1);
  std::vector<Vertex> vertices;
  const u64 end = bytes_.size();
  for (u64 at = 0; at < end;) {
    const u8 code = bytes_[size_t(at)];
    const auto lacks = [&](u64 n) { return end - at < n; };
    if (code == 0) {
      ++at;
    } else if (code == 0x08) {
      if (lacks(6)) return {End::cut_off, at};
      at += 6;
    } else if (code == 0x10) {
      if (lacks(5)) return {End::cut_off, at};
      at += 5 + 4 * (u64(read_big_endian(bytes_, at + 1, 2)) + 1);
      if (at > end) return {End::cut_off, end};
    } else if (code >= 0x20 && code < 0x40 && !(code & 7)) {  // matrix loads: the slot of each matrix
      if (lacks(5)) return {End::cut_off, at};
      const u32 slot = (read_big_endian(bytes_, at + 3, 2) & 0xFFF) / 12;
      if (code == 0x20 && slot < matrices.size()) matrices[slot] = i32(read_big_endian(bytes_, at + 1, 2));
      at += 5;
    } else if (code == 0x61) {
      if (lacks(5)) return {End::cut_off, at};
      at += 5;
    } else if (code >= 0x80 && code < 0xC0) {
      if (lacks(3)) return {End::cut_off, at};
      const u32 count = read_big_endian(bytes_, at + 1, 2);
      const u64 start = at;
      at += 3;
      if (vertex_size_ == 0 || lacks(u64(count) * vertex_size_)) return {End::cut_off, start};
      vertices.resize(count);
      for (Vertex& v : vertices) read_vertex(at, matrices, v);
      f(code & 0xF8, vertices);
    } else
      return {End::unknown_command, at};
  }
  return {};
}

}  // namespace dio::brres
