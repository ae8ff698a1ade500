#include "formats/nitro/from_scene/display_list_writer.hpp"

#include <cmath>

#include "scene/affine.hpp"

namespace dio::nitro {
namespace {

/// Writes each command in its own word; `repacked` packs them.
class Commands {
 public:
  void add(u8 code, std::initializer_list<u32> words = {}) {
    append_u32(code);
    for (const u32 w : words) append_u32(w);
  }
  Bytes pack() const { return repack_display_list(bytes_); }

 private:
  void append_u32(u32 w) {
    for (int i = 0; i < 4; ++i) bytes_.push_back(u8(w >> 8 * i));
  }
  Bytes bytes_;
};

constexpr u32 pack_i16_pair(i16 low, i16 high) { return u16(low) | u32(u16(high)) << 16; }
constexpr u32 pack_10_bit_vector(int x, int y, int z) {
  return u32(x & 0x3FF) | u32(y & 0x3FF) << 10 | u32(z & 0x3FF) << 20;
}

void add_position(Commands& out, const std::array<i16, 3>& p, const std::optional<std::array<i16, 3>>& last) {
  const auto [x, y, z] = p;
  if (!((x | y | z) & 63)) return out.add(gx::vtx_10, {pack_10_bit_vector(x >> 6, y >> 6, z >> 6)});
  if (last) {
    const auto [a, b, c] = *last;
    const auto near = [](int d) { return d >= -512 && d < 512; };
    if (near(x - a) && near(y - b) && near(z - c))
      return out.add(gx::vtx_diff, {pack_10_bit_vector(x - a, y - b, z - c)});
    if (z == c) return out.add(gx::vtx_xy, {pack_i16_pair(x, y)});
    if (y == b) return out.add(gx::vtx_xz, {pack_i16_pair(x, z)});
    if (x == a) return out.add(gx::vtx_yz, {pack_i16_pair(y, z)});
  }
  out.add(gx::vtx_16, {pack_i16_pair(x, y), u16(z)});
}

}  // namespace

bool is_planar_convex_quad(std::span<const Vertex> all, const std::array<u32, 4>& q) {
  std::array<scene::Point, 4> p;
  for (size_t i = 0; i < 4; ++i) {
    if (all[q[i]].matrix != all[q[0]].matrix) return false;
    for (size_t k = 0; k < 3; ++k) p[i][k] = all[q[i]].position[k];
  }
  const auto edge = [&](size_t i) {
    scene::Point e;
    for (size_t k = 0; k < 3; ++k) e[k] = p[(i + 1) % 4][k] - p[i][k];
    return e;
  };
  const scene::Point across = scene::unit(scene::cross(edge(0), edge(1)));
  scene::Point last;
  for (size_t k = 0; k < 3; ++k) last[k] = p[3][k] - p[0][k];
  if (std::fabs(scene::dot(across, last)) > 1.5) return false;  // units of the last digit
  for (size_t i = 0; i < 4; ++i)
    if (!(scene::dot(scene::cross(edge(i), edge((i + 1) % 4)), across) > 0)) return false;
  return true;
}

Bytes write_display_list(std::span<const scene::PrimitiveRun> runs, std::span<const Vertex> vertices,
                         const ListOptions& options) {
  Commands out;
  std::optional<std::array<i16, 3>> position, normal;
  std::optional<std::array<i16, 2>> texcoord;
  std::optional<u16> color = options.color, matrix = options.first_matrix;
  bool by_light = false;  // the colour comes from the last normal
  for (const scene::PrimitiveRun& run : runs) {
    out.add(gx::begin, {run.kind});
    for (const u32 i : run.vertices) {
      const Vertex& v = vertices[i];
      if (options.slot_of && matrix != v.matrix) {
        matrix = v.matrix;
        const u32 scale = u32(options.pos_scale.raw);
        out.add(gx::mtx_restore, {options.slot_of(v.matrix)});
        if (options.scales) out.add(gx::mtx_scale, {scale, scale, scale});
        normal.reset();  // the current matrix rotates a normal when it is sent
      }
      if (options.texcoords && texcoord != v.texcoord) {
        texcoord = v.texcoord;
        out.add(gx::texcoord, {pack_i16_pair(v.texcoord[0], v.texcoord[1])});
      }
      if (v.has_normal && (normal != v.normal || (v.is_lit && !by_light))) {  // the engine computes the colour here
        normal = v.normal;
        color.reset();
        out.add(gx::normal, {pack_10_bit_vector(v.normal[0], v.normal[1], v.normal[2])});
      }
      if (!v.is_lit && color != v.color) {
        color = v.color;
        out.add(gx::color, {v.color});
      }
      by_light = v.is_lit;
      add_position(out, v.position, position);
      position = v.position;
    }
    out.add(gx::end);
  }
  return out.pack();
}

}  // namespace dio::nitro
