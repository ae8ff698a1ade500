#include "formats/platinum/edit/land_mesh.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "core/text_format.hpp"
#include "formats/contract/reporter.hpp"
#include "formats/nitro/scene/geometry.hpp"
#include "formats/nitro/scene/pose.hpp"

namespace dio::platinum {

namespace {

using Raw = std::array<i32, 3>;            // vertex position in 1/4096 units of its matrix
using Deltas = std::map<u32, Raw>;         // by command index in the list
constexpr f64 k_one = 4096, k_near = 1.0;  // tolerance in units for vertices on the plate

Diagnostic argument_error(std::string message) {
  return make_diagnostic("edit.argument", {}, {.message = std::move(message)});
}

i32 sign_extend_10_bits(u32 word, int at) { return i32(word << (22 - at)) >> 22; }
u32 pack_10_bits(const Raw& p) { return (u32(p[0]) & 0x3FF) | (u32(p[1]) & 0x3FF) << 10 | (u32(p[2]) & 0x3FF) << 20; }
bool fits_in_10_bits(const Raw& p) {
  return std::ranges::all_of(p, [](i32 x) { return -512 <= x && x < 512; });
}
u32 pack_16_bits(i32 low, i32 high) { return u32(u16(low)) | u32(u16(high)) << 16; }

bool is_vertex(u8 code) { return nitro::gx::vtx_16 <= code && code <= nitro::gx::vtx_diff; }

/// The position after a vertex command, given the previous vertex.
Raw decode_vertex_command(u8 code, const u8* p, const Raw& from) {
  using namespace nitro;
  const u32 word = read_u32_le(p);
  const i32 low = i16(word), high = i16(word >> 16);
  switch (code) {
    case gx::vtx_16:
      return {low, high, i16(read_u32_le(p + 4))};
    case gx::vtx_10:
      return {sign_extend_10_bits(word, 0) * 64, sign_extend_10_bits(word, 10) * 64,
              sign_extend_10_bits(word, 20) * 64};
    case gx::vtx_xy:
      return {low, high, from[2]};
    case gx::vtx_xz:
      return {low, from[1], high};
    case gx::vtx_yz:
      return {from[0], low, high};
    default:
      return {i16(from[0] + sign_extend_10_bits(word, 0)), i16(from[1] + sign_extend_10_bits(word, 10)),
              i16(from[2] + sign_extend_10_bits(word, 20))};
  }
}
/// The parameters of a command that reach a position; nothing if it cannot.
std::vector<u32> encode_vertex_command(u8 code, const Raw& to, const Raw& from) {
  using namespace nitro;
  switch (code) {
    case gx::vtx_16:
      return {pack_16_bits(to[0], to[1]), pack_16_bits(to[2], 0)};
    case gx::vtx_10: {
      const Raw coarse = {to[0] / 64, to[1] / 64, to[2] / 64};
      const bool exact = std::ranges::all_of(to, [](i32 x) { return x % 64 == 0; });
      return exact && fits_in_10_bits(coarse) ? std::vector{pack_10_bits(coarse)} : std::vector<u32>();
    }
    case gx::vtx_xy:
      return to[2] == from[2] ? std::vector{pack_16_bits(to[0], to[1])} : std::vector<u32>();
    case gx::vtx_xz:
      return to[1] == from[1] ? std::vector{pack_16_bits(to[0], to[2])} : std::vector<u32>();
    case gx::vtx_yz:
      return to[0] == from[0] ? std::vector{pack_16_bits(to[1], to[2])} : std::vector<u32>();
    default: {
      const Raw by = {to[0] - from[0], to[1] - from[1], to[2] - from[2]};
      return fits_in_10_bits(by) ? std::vector{pack_10_bits(by)} : std::vector<u32>();
    }
  }
}

void append_word(Bytes& out, u32 word) {
  for (int i = 0; i < 4; ++i) out.push_back(u8(word >> 8 * i));
}

/// Moves some vertices of a list; all other vertices and commands stay.
Result<Bytes> replace_list_vertices(ByteView list, const Deltas& deltas) {
  using namespace nitro;
  Bytes out;
  out.reserve(list.size());
  Raw was{}, now{};
  u32 number = 0;
  size_t at = 0;
  while (list.size() - at >= 4) {
    const size_t codes = at, put_codes = out.size();
    out.insert(out.end(), list.begin() + std::ptrdiff_t(at), list.begin() + std::ptrdiff_t(at + 4));
    at += 4;
    for (size_t i = 0; i < 4; ++i, ++number) {
      const u8 code = list[codes + i];
      const int words = gx_parameter_count(code);
      if (words < 0 || list.size() - at < size_t(4 * words))
        return refuse(argument_error("a display list of the model is damaged"));
      const ByteView parameters = list.subspan(at, size_t(4 * words));
      at += size_t(4 * words);
      if (!is_vertex(code)) {
        out.insert(out.end(), parameters.begin(), parameters.end());
        continue;
      }
      const Raw there = decode_vertex_command(code, parameters.data(), was);
      Raw to = there;
      if (const auto delta = deltas.find(number); delta != deltas.end())
        for (size_t k = 0; k < 3; ++k) to[k] += delta->second[k];
      if (std::ranges::any_of(to, [](i32 x) { return x != i16(x); }))
        return refuse(
            argument_error("a vertex of the mesh would be out of range (-8 to 8 before its matrix is applied)"));
      if (to == there && now == was) {
        out.insert(out.end(), parameters.begin(), parameters.end());
      } else {
        u8 as = code;
        std::vector<u32> made = encode_vertex_command(as, to, now);
        for (const u8 other : {gx::vtx_xy, gx::vtx_xz, gx::vtx_yz, gx::vtx_diff, gx::vtx_10, gx::vtx_16}) {
          if (!made.empty()) break;
          as = other;
          made = encode_vertex_command(as, to, now);
        }
        out[put_codes + i] = as;
        for (const u32 word : made) append_word(out, word);
      }
      was = there, now = to;
    }
  }
  out.insert(out.end(), list.begin() + std::ptrdiff_t(at), list.end());
  return out;
}

/// The lowest and highest Y of a model at rest.
struct Extent {
  f64 low = 1e9, high = -1e9;
  void add(f64 y) { low = std::min(low, y), high = std::max(high, y); }
};

/// Updates the bounding box if it matched the height of the model before.
void update_bounding_box(nitro::Model& m, const Extent& was, const Extent& is) {
  const f64 unit = m.box_scale.value() / k_one;
  if (!(unit > 0)) return;
  const f64 low = f64(m.box.y.raw) * unit, high = low + f64(m.box.height.raw) * unit;
  const auto raw = [](f64 x) { return i16(std::clamp(x, -32768.0, 32767.0)); };
  const f64 new_low = std::fabs(low - was.low) <= 2 * unit ? is.low : std::min(low, is.low),
            new_high = std::fabs(high - was.high) <= 2 * unit ? is.high : std::max(high, is.high);
  if (new_low == low && new_high == high) return;
  if (std::fabs(was.low - is.low) > 1e-6 || is.low < low) m.box.y.raw = raw(std::floor(new_low / unit + 1e-6));
  m.box.height.raw = raw(std::ceil(new_high / unit - 1e-6) - f64(m.box.y.raw));
}

/// Finds points between a plate and the next plate above it.
class PlateOccupancy {
 public:
  PlateOccupancy(const Bdhc& b, size_t plate) : plate_(*find_plate_shape(b, plate)) {
    for (size_t i = 0; i < b.plates.size(); ++i)
      if (const auto shape = i == plate ? std::nullopt : find_plate_shape(b, i); shape && shape->normal.y.raw)
        if (shape->low.x.raw <= plate_.high.x.raw && plate_.low.x.raw <= shape->high.x.raw &&
            shape->low.z.raw <= plate_.high.z.raw && plate_.low.z.raw <= shape->high.z.raw)
          others_.push_back(*shape);
  }
  /// Marks the points of triangles that are on the plate. A small piece, such as a tree, counts as a whole, by its
  /// middle, because trees are wider than the ground they stand on.
  std::vector<bool> find_points_on_plate(std::span<const scene::Point> points, std::span<const u32> triangles) const {
    std::vector<u32> piece(points.size());
    std::iota(piece.begin(), piece.end(), 0u);
    const auto find_root = [&](u32 i) {
      while (piece[i] != i) i = piece[i] = piece[piece[i]];
      return i;
    };
    std::map<scene::Point, u32> first;
    for (u32 i = 0; i < points.size(); ++i)
      piece[find_root(i)] = find_root(first.try_emplace(points[i], i).first->second);
    for (size_t t = 0; t + 3 <= triangles.size(); t += 3)
      for (size_t k = 1; k < 3; ++k) piece[find_root(triangles[t + k])] = find_root(triangles[t]);
    struct Piece {
      scene::Point low{1e9, 1e9, 1e9}, high{-1e9, -1e9, -1e9};
    };
    std::map<u32, Piece> pieces;
    for (u32 i = 0; i < points.size(); ++i) {
      Piece& p = pieces[find_root(i)];
      for (size_t k = 0; k < 3; ++k)
        p.low[k] = std::min(p.low[k], points[i][k]), p.high[k] = std::max(p.high[k], points[i][k]);
    }
    std::vector<bool> out(points.size());
    for (u32 i = 0; i < points.size(); ++i) {
      const Piece& p = pieces[find_root(i)];
      const bool is_small = p.high[0] - p.low[0] <= k_piece && p.high[2] - p.low[2] <= k_piece;
      out[i] = is_small ? is_on_plate((p.low[0] + p.high[0]) / 2, p.low[1], (p.low[2] + p.high[2]) / 2)
                        : is_on_plate(points[i][0], points[i][1], points[i][2]);
    }
    return out;
  }

 private:
  static constexpr f64 k_piece = 64;  // units: four tiles
  bool is_on_plate(f64 at_x, f64 y, f64 at_z) const {
    const i32 x = i32(std::lround(at_x * k_one)), z = i32(std::lround(at_z * k_one));
    if (!plate_.contains(x, z)) return false;
    const auto height = [&](const PlateShape& p) { return f64(p.height(x, z)) / k_one; };
    const f64 ground = height(plate_);
    return y > ground - k_near && std::ranges::none_of(others_, [&](const PlateShape& p) {
             return p.contains(x, z) && height(p) > ground + k_near && height(p) < y + k_near;
           });
  }
  PlateShape plate_;
  std::vector<PlateShape> others_;
};

}  // namespace

Result<u64> raise_mesh_on_plate(nitro::Model& m, const Bdhc& heights, size_t plate, f64 by) {
  const PlateOccupancy standing(heights, plate);
  const nitro::Program program = nitro::run_sbc(m);
  const std::vector<nitro::Affine> matrices = nitro::compute_matrices(program, m, nitro::rest_pose(m));
  std::map<u16, Deltas> raised;
  std::map<u16, u32> drawn;
  Extent was, is;
  nitro::Geometry g;
  std::vector<scene::Point> points;
  for (const nitro::Draw& draw : program.draws) {
    if (draw.shape >= m.shapes.size()) continue;
    ++drawn[draw.shape];
    nitro::run_display_list(draw, program, 0, g);
    points.clear();
    for (const nitro::GxVertex& c : g.corners)
      points.push_back(matrices[c.matrix] * scene::Point{f64(c.position[0]) * c.scale, f64(c.position[1]) * c.scale,
                                                         f64(c.position[2]) * c.scale});
    const std::vector<bool> moves = standing.find_points_on_plate(points, g.indices);
    for (size_t i = 0; i < points.size(); ++i) {
      const nitro::GxVertex& c = g.corners[i];
      was.add(points[i][1]);
      is.add(moves[i] ? points[i][1] + by : points[i][1]);
      if (!moves[i]) continue;
      const auto inverse = scene::inverse(matrices[c.matrix].linear);
      if (!inverse || c.scale == 0) continue;  // the matrix has no height
      const scene::Point local = *inverse * scene::Point{0, by, 0};
      Raw& delta = raised[draw.shape][c.command];
      for (size_t k = 0; k < 3; ++k) delta[k] = i32(std::lround(local[k] / f64(c.scale) * k_one));
    }
  }
  u64 vertices = 0;
  for (const auto& [shape, deltas] : raised) {
    if (drawn[shape] > 1)
      return refuse(argument_error(
          text("shape ", shape, " of the model is drawn in several places, so its vertices cannot move along")));
    auto list = replace_list_vertices(m.shapes[shape].list, deltas);
    if (!list) return refuse(std::move(list.error()));
    m.shapes[shape].list = std::move(*list);
    vertices += deltas.size();
  }
  if (vertices) update_bounding_box(m, was, is);
  return vertices;
}

}  // namespace dio::platinum
