#include "formats/brres/from_scene/shape_builder.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <map>
#include <set>
#include <span>

#include "formats/brres/from_scene/gpu_commands.hpp"
#include "formats/brres/scene/vertices.hpp"
#include "scene/primitive_runs.hpp"

namespace dio::brres {

namespace {

constexpr u32 k_f32 = 4, k_rgba8 = 5;

/// How a list stores its numbers.
struct NumberForm {
  u32 type = k_f32;
  u8 divisor = 0;
  u32 size() const { return type == k_f32 ? 4 : type < 2 ? 1 : 2; }
};
struct IntegerType {
  u32 type;
  i32 least, most;
};
constexpr IntegerType k_integer_types[] = {{0, 0, 255}, {1, -128, 127}, {2, 0, 65535}, {3, -32768, 32767}};

bool stores_exactly(std::span<const f32> numbers, const IntegerType& t, u32 divisor) {
  return std::ranges::all_of(numbers, [&](f32 x) {
    const f64 n = std::ldexp(f64(x), int(divisor));
    return n == std::trunc(n) && n >= t.least && n <= t.most && !(n == 0 && std::signbit(x));
  });
}
/// The smallest form that stores all numbers as they are.
NumberForm find_exact_form(std::span<const f32> numbers) {
  for (const IntegerType& t : k_integer_types)
    for (u32 divisor = 0; divisor < 16; ++divisor)
      if (stores_exactly(numbers, t, divisor)) return {t.type, u8(divisor)};
  return {};
}
/// Sixteen bits with as many fractional ones as the numbers leave room for.
NumberForm find_rounded_form(std::span<const f32> numbers) {
  f64 most = 0;
  for (const f32 x : numbers) most = std::max(most, std::fabs(f64(x)));
  for (int divisor = 15; divisor >= 0; --divisor)
    if (std::ldexp(most, divisor) <= 32767) return {3, u8(divisor)};
  return {};
}

void write_number(GpuCommandWriter& w, const NumberForm& form, f32 x) {
  if (form.type == k_f32) {
    w.real(x);
    return;
  }
  const i32 n = i32(std::floor(std::ldexp(f64(x), form.divisor) + 0.5));
  form.size() == 1 ? w.n8(u32(n)) : w.n16(u32(n));
}

/// Distinct values, in the order of their first use.
template <size_t N, class T>
class ValueList {
 public:
  using Value = std::array<T, N>;
  u32 add(const Value& value) {
    std::array<u32, N> bits{};
    for (size_t i = 0; i < N; ++i) std::memcpy(&bits[i], &value[i], sizeof(T));
    const auto [known, is_new] = known_.try_emplace(bits, u32(values.size()));
    if (is_new) values.push_back(value);
    return known->second;
  }
  std::vector<Value> values;

 private:
  std::map<std::array<u32, N>, u32> known_;
};

template <size_t N>
std::span<const f32> numbers_of(const std::vector<std::array<f32, N>>& values) {
  return {values.empty() ? nullptr : values[0].data(), values.size() * N};
}

template <class List, size_t N>
List make_number_list(const std::string& name, const std::vector<std::array<f32, N>>& values, const NumberForm& form) {
  List l;
  l.name = name;
  l.kind = 1;
  l.type = form.type, l.divisor = form.divisor, l.stride = u8(N * form.size());
  l.count = u16(values.size());
  GpuCommandWriter w;
  std::array<f32, N> least, most;
  least.fill(0), most.fill(0);
  for (size_t i = 0; i < values.size(); ++i)
    for (size_t k = 0; k < N; ++k) {
      const f32 x = values[i][k];
      least[k] = i ? std::min(least[k], x) : x, most[k] = i ? std::max(most[k], x) : x;
      write_number(w, form, x);
    }
  l.data = std::move(w.bytes);
  if constexpr (N == 3)
    l.min = {least[0], least[1], least[2]}, l.max = {most[0], most[1], most[2]};
  else
    l.min = {least[0], least[1]}, l.max = {most[0], most[1]};
  return l;
}

/// A vertex as the numbers of its values.
struct IndexedVertex {
  u32 matrix = 0, position = 0, color = 0, uv = 0;
  auto operator<=>(const IndexedVertex&) const = default;
};

/// 1: one byte, 2: two. The GPU skips vertices whose position has the highest index, 255 or 65,535.
u32 index_size(size_t count) { return count <= 255 ? 1 : 2; }

class ShapeWriter {
 public:
  ShapeWriter(Model& m, const ShapeGeometry& g) : m_(m), g_(g) {}

  f64 run() {
    for (const ShapeVertex& v : g_.vertices) add_vertex(v);
    shape_.name = g_.name;
    shape_.matrix = g_.matrix;
    shape_.flags = g_.is_hidden ? 2 : 0;
    add_lists();
    write_setup();
    write_polygons();
    m_.info.vertex_count += shape_.vertex_count, m_.info.triangle_count += shape_.triangle_count;
    m_.shapes.push_back(std::move(shape_));
    return texel_error_;
  }

 private:
  void add_vertex(const ShapeVertex& v) {
    IndexedVertex x;
    if (g_.matrix < 0) x.matrix = v.matrix;
    x.position = positions_.add(v.position);
    if (g_.has_colors) x.color = colors_.add(v.color);
    if (g_.has_uvs) x.uv = uvs_.add(v.uv);
    const auto [known, is_new] = known_.try_emplace(x, u32(distinct_.size()));
    if (is_new) distinct_.push_back(x);
    corners_.push_back(known->second);
  }

  void add_lists() {
    position_form_ = find_exact_form(numbers_of(positions_.values));
    shape_.positions = i16(m_.positions.size());
    m_.positions.push_back(make_number_list<Positions>(g_.name, positions_.values, position_form_));
    if (g_.has_colors) {
      Colors l;
      l.name = g_.name;
      l.kind = 1, l.type = k_rgba8, l.stride = 4, l.count = u16(colors_.values.size());
      for (const auto& c : colors_.values) l.data.insert(l.data.end(), c.begin(), c.end());
      shape_.colors[0] = i16(m_.colors.size());
      m_.colors.push_back(std::move(l));
    }
    if (!g_.has_uvs) return;
    const auto numbers = numbers_of(uvs_.values);
    uv_form_ = find_exact_form(numbers);
    if (uv_form_.type == k_f32) {
      constexpr f64 k_most_error = 1.0 / 8;  // texels
      const NumberForm rounded = find_rounded_form(numbers);
      const f64 error = std::ldexp(0.5, -int(rounded.divisor)) * g_.texture_size;
      if (rounded.type != k_f32 && error <= k_most_error) uv_form_ = rounded, texel_error_ = error;
    }
    shape_.texcoords[0] = i16(m_.texcoords.size());
    m_.texcoords.push_back(make_number_list<Texcoords>(g_.name, uvs_.values, uv_form_));
  }

  /// The vertex format, as the game's courses state it: unused attributes have values as well.
  void write_setup() {
    const auto index = [](bool has, size_t count) { return has ? 1 + index_size(count) : 0u; };
    const bool has_matrices = g_.matrix < 0;
    const u32 low = u32(has_matrices) | index(true, positions_.values.size()) << 9 |
                    index(g_.has_colors, colors_.values.size()) << 13;
    const u32 high = index(g_.has_uvs, uvs_.values.size());
    const u32 counts = u32(g_.has_colors) | u32(g_.has_uvs) << 4;
    shape_.vertex_descriptor = {low, high, counts};
    shape_.attributes = u32(has_matrices) | 1u << 9 | u32(g_.has_colors) << 11 | u32(g_.has_uvs) << 13;
    const u32 position = 1 | position_form_.type << 1 | u32(position_form_.divisor) << 4;
    const u32 uv = 1 | uv_form_.type << 1 | u32(uv_form_.divisor) << 4;
    const u32 colors = (1 | k_rgba8 << 1) * (1u << 13 | 1u << 17);
    GpuCommandWriter w;
    w.no_operations(10).cp(0x50, low).cp(0x60, high).xf(0x1008, counts).no_operations(1);
    w.cp(0x70, position | k_f32 << 10 | colors | uv << 21 | 1u << 30).cp(0x80, 0xC8241209).cp(0x90, 0x04824120);
    constexpr u32 k_used = 0x80;  // with room for the addresses of lists, which the game fills in
    shape_.setup.size = k_used;
    shape_.setup.commands = std::move(w.pad_to(0xE0).bytes);
  }

  void write_polygons() {
    std::vector<std::array<u32, 3>> left;
    for (size_t i = 0; i + 2 < corners_.size(); i += 3)
      left.push_back({corners_[i], corners_[i + 2], corners_[i + 1]});  // the console's front is clockwise
    if (g_.matrix >= 0) {
      write_runs(left, {});
    } else {
      std::set<u16> all;
      while (!left.empty()) write_batch(left, all);
      shape_.matrices.assign(all.begin(), all.end());
    }
    w_.align(32);
    shape_.polygons.commands = std::move(w_.bytes);
  }
  /// Loads up to ten matrices, and draws the triangles that need no other.
  void write_batch(std::vector<std::array<u32, 3>>& left, std::set<u16>& all) {
    constexpr size_t k_slots = 10;
    std::map<u32, u32> slots;
    std::vector<std::array<u32, 3>> taken, rest;
    for (const auto& t : left) {
      std::set<u32> missing;
      for (const u32 v : t)
        if (!slots.contains(distinct_[v].matrix)) missing.insert(distinct_[v].matrix);
      if (slots.size() + missing.size() > k_slots) {
        rest.push_back(t);
        continue;
      }
      for (const u32 matrix : missing) slots.try_emplace(matrix, u32(slots.size()));
      taken.push_back(t);
    }
    std::vector<u32> matrices(slots.size());  // RiiStudio expects the slots in order
    for (const auto& [matrix, slot] : slots) matrices[slot] = matrix;
    for (u32 slot = 0; slot < matrices.size(); ++slot) {
      w_.n8(0x20).n16(matrices[slot]).n16(0xB000 | slot * 12);
      all.insert(u16(matrices[slot]));
    }
    write_runs(taken, slots);
    left = std::move(rest);
  }
  void write_runs(const std::vector<std::array<u32, 3>>& triangles, const std::map<u32, u32>& slots) {
    if (triangles.empty()) return;
    for_each_polygon_run({triangles[0].data(), triangles.size() * 3},
                         [&](bool is_strip, std::span<const u32> run) { write_primitive(is_strip, run, slots); });
  }
  void write_primitive(bool is_strip, std::span<const u32> vertices, const std::map<u32, u32>& slots) {
    w_.n8(is_strip ? gx::strip : gx::triangles).n16(u32(vertices.size()));
    const auto index = [&](u32 n, size_t count) { index_size(count) == 1 ? w_.n8(n) : w_.n16(n); };
    for (const u32 v : vertices) {
      const IndexedVertex& x = distinct_[v];
      if (g_.matrix < 0) w_.n8(3 * slots.at(x.matrix));
      index(x.position, positions_.values.size());
      if (g_.has_colors) index(x.color, colors_.values.size());
      if (g_.has_uvs) index(x.uv, uvs_.values.size());
    }
    shape_.vertex_count += u32(vertices.size());
    shape_.triangle_count += u32(is_strip ? vertices.size() - 2 : vertices.size() / 3);
  }

  Model& m_;
  const ShapeGeometry& g_;
  Shape shape_;
  ValueList<3, f32> positions_;
  ValueList<4, u8> colors_;
  ValueList<2, f32> uvs_;
  NumberForm position_form_, uv_form_;
  f64 texel_error_ = 0;
  std::map<IndexedVertex, u32> known_;
  std::vector<IndexedVertex> distinct_;
  std::vector<u32> corners_;
  GpuCommandWriter w_;
};

}  // namespace

void for_each_polygon_run(std::span<const u32> corners, const std::function<void(bool, std::span<const u32>)>& write) {
  for (const scene::PrimitiveRun& run : scene::build_primitive_runs(corners, nullptr)) {
    const bool is_strip = run.kind == scene::PrimitiveRun::triangle_strip;
    // Strips are cut at an even vertex, with two in common, so that the directions of triangles stay.
    const size_t most = is_strip ? 65534 : 65535, common = is_strip ? 2 : 0;
    for (size_t first = 0; first + 2 < run.vertices.size(); first += most - common)
      write(is_strip, std::span(run.vertices).subspan(first, std::min(most, run.vertices.size() - first)));
  }
}

f64 add_shape(Model& m, const ShapeGeometry& g) { return ShapeWriter(m, g).run(); }

}  // namespace dio::brres
