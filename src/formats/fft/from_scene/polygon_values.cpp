#include "formats/fft/from_scene/polygon_values.hpp"

#include "formats/contract/reporter.hpp"

namespace dio::fft {
namespace {

constexpr f64 k_whole = 0.05;    // units or texels that still count as a whole number
constexpr f64 k_turned = 0.004;  // of a unit normal: the rounding of other programs

std::string format_numbers(const auto& numbers) {
  std::string out;
  for (const f64 x : numbers) out += text(out.empty() ? "" : ", ", f32(x));
  return out;
}

Diagnostic outside_page_error(const PolygonRef& r, size_t corner, const ComparedTexel& at) {
  return make_diagnostic(
      "fft.scene-range", text(polygon_path(r), ".uvs[", corner, "]"),
      {.message = text("the UVs of the polygon are not all in one page of 256 x 256 texels; this corner is at ",
                       format_numbers(std::array{at.u, at.v})),
       .hint = "pages are stacked: page 1 is rows 256 to 511 from the top"});
}

}  // namespace

std::optional<Diagnostic> PolygonValues::set_position(Position& p, const DrawnVertex& v, const PolygonRef& r,
                                                      size_t corner) {
  size_t axis = 0;
  for (i16* to : {&p.x, &p.y, &p.z}) {
    const f64 x = v.position[axis++], whole = std::round(x);
    if (!(whole >= INT16_MIN && whole <= INT16_MAX))
      return make_diagnostic(
          "fft.scene-range", text(polygon_path(r), ".positions[", corner, "]"),
          {.message = text("position ", format_numbers(v.position), " is out of range (-32768 to 32767 units)"),
           .hint = text("a tile is ", k_tile_units, " units wide")});
    between_ += i16(whole) != *to && std::fabs(x - whole) > k_whole;
    *to = i16(whole);
  }
  return {};
}

/// Many normals are not of unit length. `without`: how a normal of length 0 is shown.
void PolygonValues::set_normal(Normal& n, const scene::Point& to, const Normal& without) {
  const Normal& shown = n != Normal{} ? n : without;
  const scene::Point was = scene::unit({shown.x.value(), shown.y.value(), shown.z.value()}), is = scene::unit(to);
  if (!(std::fabs(scene::length(is) - 1) < k_turned)) return;  // it has no direction
  bool turned = false;
  for (size_t k = 0; k < 3; ++k) turned |= std::fabs(was[k] - is[k]) > k_turned;
  if (!turned) return;
  size_t axis = 0;
  for (fx16* x : {&n.x, &n.y, &n.z}) x->raw = i16(std::lround(is[axis++] * 4096));
}

std::optional<Diagnostic> PolygonValues::set_texels(std::span<Uv> uvs, u8& page, std::span<const DrawnVertex> corners,
                                                    const PolygonRef& r) {
  // Vertices without texels, such as those without a material of the file, keep their coordinates.
  std::array<std::array<f64, 2>, 4> texels{};
  bool any = false;
  for (size_t i = 0; i < corners.size(); ++i) {
    texels[i] = {f64(uvs[i].u), f64(uvs[i].v + k_page_texels * page)};
    const auto& at = corners[i].texel;
    if (!at || !at->has_palette()) continue;
    const std::array<f64, 2> seen{at->u, at->v};
    for (size_t k = 0; k < 2; ++k) {
      const f64 whole = std::round(seen[k]);
      if (whole == texels[i][k]) continue;
      any = true;
      texels[i][k] = whole;
      between_ += std::fabs(seen[k] - whole) > k_whole;
    }
  }
  if (!any) return {};
  // All vertices are in one page, the old one if possible. The far edge of a page belongs to its last texel.
  for (const u8 to : {page, u8(0), u8(1), u8(2), u8(3)}) {
    const f64 top = f64(k_page_texels) * to;
    bool fits = true;
    for (size_t i = 0; i < corners.size(); ++i)
      fits &= 0 <= texels[i][0] && texels[i][0] <= k_page_texels && top <= texels[i][1] &&
              texels[i][1] <= top + k_page_texels;
    if (!fits) continue;
    page = to;
    for (size_t i = 0; i < corners.size(); ++i) {
      const f64 last = k_page_texels - 1, u = texels[i][0], v = texels[i][1] - top;
      edges_ += u > last || v > last;
      uvs[i] = {u8(std::min(u, last)), u8(std::min(v, last))};
    }
    return {};
  }
  for (size_t i = 0; i < corners.size(); ++i)
    if (corners[i].texel) return outside_page_error(r, i, *corners[i].texel);
  return {};
}

}  // namespace dio::fft
