#include "formats/nitro/scene/geometry.hpp"

#include <cmath>

namespace dio::nitro {
namespace {

constexpr f32 k_unit = 1.0f / 4096;

i16 low(u32 word) { return i16(word); }
i16 high(u32 word) { return i16(word >> 16); }

class Engine {
 public:
  Engine(const Draw& draw, const Program& program, u16 diffuse, Geometry& to, bool wants_edges)
      : slots_(program.stacks[draw.slots]), g_(to), wants_edges_(wants_edges) {
    state_ = {};
    state_.color = diffuse;
    state_.normal = {0, 1, 0};
    state_.normal_word = k_no_normal;
    state_.matrix = draw.matrix;
    state_.scale = 1;
    first_matrix_ = draw.matrix;
  }

  void run(ByteView list) {
    g_.corners.reserve(list.size() / 6);  // a vertex with its texture coordinates takes about ten bytes
    g_.whole = for_each_gx_command(list, [this](u8 code, const u8* p) {
      execute_command(code, p);
      ++state_.command;
    });
    finish_primitives();
  }

 private:
  void execute_command(u8 code, const u8* p) {
    const u32 word = gx_parameter_count(code) ? gx_read_word(p) : 0;
    switch (code) {
      case gx::nop:
        return;
      case gx::texcoord:
        g_.has_texcoords = true;
        state_.texcoord = {low(word), high(word)};
        return;
      case gx::normal:
        g_.has_normals = true;
        state_.lit = true;
        if (word != state_.normal_word) set_normal(word);
        return;
      case gx::color:
        g_.has_colors = true;
        state_.lit = false;
        state_.color = u16(word & 0x7FFF);
        return;
      case gx::vtx_16:
        return emit_vertex(low(word), high(word), low(gx_read_word(p + 4)));
      case gx::vtx_10:
        return emit_vertex(gx_signed_10_bits(word, 0) * 64, gx_signed_10_bits(word, 10) * 64,
                           gx_signed_10_bits(word, 20) * 64);
      case gx::vtx_xy:
        return emit_vertex(low(word), high(word), z_);
      case gx::vtx_xz:
        return emit_vertex(low(word), y_, high(word));
      case gx::vtx_yz:
        return emit_vertex(x_, low(word), high(word));
      case gx::vtx_diff:  // wraps as the hardware's 16 bits do
        return emit_vertex(i16(x_ + gx_signed_10_bits(word, 0)), i16(y_ + gx_signed_10_bits(word, 10)),
                           i16(z_ + gx_signed_10_bits(word, 20)));
      case gx::begin:
        finish_primitives();
        primitive_ = word & 3;
        start_ = u32(g_.corners.size());
        return;
      case gx::end:
        return finish_primitives();
      case gx::mtx_restore:
        if (const u32 m = slots_[word & 31]; m != k_unset) state_.matrix = m, state_.scale = 1;
        return;
      case gx::mtx_scale:
        state_.scale *= f32(i32(word)) * k_unit;
        return;
      default:
        return;
    }
  }
  void set_normal(u32 word) {
    state_.normal_word = word;
    const f64 x = gx_signed_10_bits(word, 0), y = gx_signed_10_bits(word, 10), z = gx_signed_10_bits(word, 20);
    const f64 n = std::sqrt(x * x + y * y + z * z);
    if (n > 0) state_.normal = {f32(x / n), f32(y / n), f32(z / n)};
  }
  void emit_vertex(i32 x, i32 y, i32 z) {
    x_ = x, y_ = y, z_ = z;
    state_.position = {f32(x) * k_unit, f32(y) * k_unit, f32(z) * k_unit};
    g_.one_matrix &= state_.matrix == first_matrix_ && state_.scale == 1;
    g_.corners.push_back(state_);
  }
  /// Triangles of the corners since BEGIN.
  void finish_primitives() {
    const u32 n = u32(g_.corners.size());
    size_t next = g_.indices.size();
    g_.indices.resize(next + 3 * (n - start_));  // at most: strips have two triangles for two corners
    const auto triangle = [&](u32 a, u32 b, u32 c) {
      u32* const i = &g_.indices[next];
      i[0] = a, i[1] = b, i[2] = c;
      next += 3;
    };
    switch (primitive_) {
      case 0:
        for (u32 i = start_; i + 3 <= n; i += 3) triangle(i, i + 1, i + 2);
        break;
      case 1:
        for (u32 i = start_; i + 4 <= n; i += 4) triangle(i, i + 1, i + 2), triangle(i, i + 2, i + 3);
        break;
      case 2:
        for (u32 i = start_; i + 3 <= n; ++i) (i - start_) % 2 ? triangle(i + 1, i, i + 2) : triangle(i, i + 1, i + 2);
        break;
      case 3:  // 0 1 3 2, then 2 3 5 4
        for (u32 i = start_; i + 4 <= n; i += 2) triangle(i, i + 1, i + 3), triangle(i, i + 3, i + 2);
        break;
    }
    g_.indices.resize(next);
    if (wants_edges_) add_edges(n);
    start_ = n;
  }
  /// Adds the edges of each triangle and quad; the hardware draws no diagonal in a quad.
  void add_edges(u32 end) {
    const bool is_quad = primitive_ & 1, is_strip = primitive_ & 2;
    const u32 corners = is_quad ? 4 : 3, step = !is_strip ? corners : is_quad ? 2 : 1;
    constexpr u32 k_in_turn[] = {0, 1, 2, 3}, k_in_strip[] = {0, 1, 3, 2};
    const auto* const turn = is_quad && is_strip ? k_in_strip : k_in_turn;
    for (u32 i = start_; i + corners <= end; i += step)
      for (u32 k = 0; k < corners; ++k) g_.edges.insert(g_.edges.end(), {i + turn[k], i + turn[(k + 1) % corners]});
  }

  const Slots& slots_;
  Geometry& g_;
  const bool wants_edges_;
  GxVertex state_;
  i32 x_ = 0, y_ = 0, z_ = 0;
  u32 primitive_ = 0, start_ = 0, first_matrix_;
};

}  // namespace

void run_display_list(const Draw& draw, const Program& program, u16 diffuse, Geometry& to, bool wants_edges) {
  to.corners.clear();
  to.indices.clear();
  to.edges.clear();
  to.has_normals = to.has_colors = to.has_texcoords = false;
  to.one_matrix = true;
  Engine(draw, program, diffuse, to, wants_edges).run(*draw.list);
}

}  // namespace dio::nitro
