// draw_psx.cpp: draws triangles like the GPU of the PlayStation. Sources: README.md.
#include <algorithm>
#include <cmath>

#include "bridge/raster/lighting.hpp"
#include "bridge/raster/spans.hpp"
#include "console/psx/color.hpp"

namespace dio::raster {

using namespace scene;

namespace {

/// The dither value added to eight bits of colour before they are reduced to five.
constexpr i32 k_dither[4][4] = {{-4, 0, -3, 1}, {2, -2, 3, -1}, {-3, 1, -4, 0}, {3, -1, 2, -2}};

constexpr u8 k_add = 1;

struct PsxPixel {
  std::array<u8, 3> five{};
  bool drawn = false;
};

u8 blend_semi_transparent(u32 under, u32 over, u8 mode) {
  switch (mode) {
    case 0:
      return u8((under + over) / 2);
    case 1:
      return u8(std::min(under + over, 31u));
    case 2:
      return u8(under > over ? under - over : 0);
    default:
      return u8(std::min(under + over / 4, 31u));
  }
}

class PsxTile {
 public:
  PsxTile(const Triangles& all, const Surfaces& surfaces, const ConsoleTile& tile)
      : all_(all), surfaces_(surfaces), area_(tile.area), fog_(tile.effects.fog) {
    PsxPixel clear;
    for (size_t i = 0; i < 3; ++i) clear.five[i] = psx::to_5_bits(tile.background[i]);
    clear.drawn = tile.background[3] >= psx::k_least_alpha;
    pixels_.assign(size_t(area_.width) * size_t(area_.height), clear);
  }

  void rasterize_triangle(const Triangle& t) {
    const Surface& surface = surfaces_.of(t.material == k_no_material ? k_none : t.material);
    const Vertex &a = all_.vertices[t.vertices[0]], &b = all_.vertices[t.vertices[1]],
                 &c = all_.vertices[t.vertices[2]];
    const std::array<f32, 3> fog = {fog_at(a), fog_at(b), fog_at(c)};
    if (std::min({fog[0], fog[1], fog[2]}) >= 1) return;  // so far away that the engine skips it
    const bool is_foggy = std::max({fog[0], fog[1], fog[2]}) > 0;
    const Gradients g(a, b, c, area_);
    const std::array<Vec4, 3> colors = lit_vertex_colors(all_, t, surface);
    Plane color[3], glow[3];
    for (size_t i = 0; i < 3; ++i) {
      const auto own = [&](size_t vertex) {
        const f32 shown = to_display(colors[vertex])[i];
        // 128 leaves texels unchanged; the picture may have been brightened already.
        const f64 times = surface.picture ? psx::k_neutral * f64(surface.traits.texels_times) / 255 : 1;
        return std::floor(std::floor(f64(shown) * times + 0.5) * (1 - fog[vertex]));
      };
      const auto of_fog = [&](size_t vertex) { return is_foggy ? std::floor(fog_->color[i] * f64(fog[vertex])) : 0; };
      if (surface.picture) {
        color[i] = g.of(own(0), own(1), own(2));
        glow[i] = g.of(of_fog(0), of_fog(1), of_fog(2));
      } else {
        color[i] = g.of(own(0) + of_fog(0), own(1) + of_fog(1), own(2) + of_fog(2));
      }
    }
    const Plane u = g.of(a.uv[0], b.uv[0], c.uv[0]), v = g.of(a.uv[1], b.uv[1], c.uv[1]);

    const Edge edges[3] = {{a, b, area_}, {b, c, area_}, {c, a, area_}};
    const bool mixes = surface.material->alpha == Material::Alpha::blend;
    for_each_span(a, b, c, area_, edges, false, [&](i32 y, i32 from, i32 to) {
      for (i32 x = from; x <= to; ++x) {
        const auto value = [&](const Plane& p) { return p.row(y) + p.dx * f32(x); };
        const auto eight = [&](const Plane& p) { return i32(cut(value(p), 255)); };
        const i32 dither = surface.traits.is_dithered ? k_dither[(y + area_.top) & 3][(x + area_.left) & 3] : 0;
        const auto five = [&](i32 eight_bits) { return u8(std::clamp(eight_bits + dither, 0, 255) >> 3); };
        PsxPixel& p = pixels_[size_t(y) * size_t(area_.width) + size_t(x)];
        const Rgba texel = surface.picture ? nearest_texel(surface, value(u), value(v)) : Rgba{0, 0, 0, 255};
        if (psx::is_drawn(texel)) {
          for (size_t i = 0; i < 3; ++i) {
            i32 shown = eight(color[i]);
            if (surface.picture) {
              const u32 of_texel = psx::to_5_bits(u8(std::lround(f32(texel[i]) / surface.picture_times)));
              shown = i32(of_texel * 8) * shown / psx::k_neutral;
            }
            p.five[i] = mixes && p.drawn
                            ? blend_semi_transparent(p.five[i], five(shown), surface.traits.semi_transparency)
                            : five(shown);
          }
          p.drawn = true;
        }
        // The fog of a textured polygon is a second polygon, added to the background, and so also to areas seen through
        // transparent texels.
        if (surface.picture && is_foggy && p.drawn)
          for (size_t i = 0; i < 3; ++i) p.five[i] = blend_semi_transparent(p.five[i], five(eight(glow[i])), k_add);
      }
    });
  }

  std::vector<Rgba> resolve_pixels() const {
    std::vector<Rgba> out;
    out.reserve(pixels_.size());
    for (const PsxPixel& p : pixels_)
      out.push_back(
          {psx::k_levels[p.five[0]], psx::k_levels[p.five[1]], psx::k_levels[p.five[2]], u8(p.drawn ? 255 : 0)});
    return out;
  }

 private:
  /// 0 for no fog, 1 for fog only.
  f32 fog_at(const Vertex& v) const { return fog_ ? fog_->at(-v.position[2]) : 0; }

  const Triangles& all_;
  const Surfaces& surfaces_;
  const Area area_;
  const std::optional<ScreenEffects::Fog> fog_;
  std::vector<PsxPixel> pixels_;
};

}  // namespace

std::vector<Rgba> draw_psx(const Triangles& all, const Surfaces& surfaces, const ConsoleTile& tile) {
  PsxTile drawing(all, surfaces, tile);
  for (const u32 i : tile.drawn) drawing.rasterize_triangle(all.all[i]);
  return drawing.resolve_pixels();
}

}  // namespace dio::raster
