// draw_psx.cpp: triangles as the GPU of the PlayStation draws them. Sources: README.md.
#include <algorithm>
#include <cmath>

#include "bridge/raster/lighting.hpp"
#include "bridge/raster/spans.hpp"
#include "console/psx/color.hpp"

namespace dio::raster {

using namespace scene;

namespace {

/// Added to eight bits of colour before they become five.
constexpr i32 k_dither[4][4] = {{-4, 0, -3, 1}, {2, -2, 3, -1}, {-3, 1, -4, 0}, {3, -1, 2, -2}};

struct PsxPixel {
  std::array<u8, 3> five{};
  bool drawn = false;
};

u8 semi_transparent(u32 under, u32 over, u8 mode) {
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
      : all_(all), surfaces_(surfaces), area_(tile.area) {
    PsxPixel clear;
    for (size_t i = 0; i < 3; ++i) clear.five[i] = psx::to_5_bits(tile.background[i]);
    clear.drawn = tile.background[3] >= psx::k_least_alpha;
    pixels_.assign(size_t(area_.width) * size_t(area_.height), clear);
  }

  void draw(const Triangle& t) {
    const Surface& surface = surfaces_.of(t.material == k_no_material ? k_none : t.material);
    const Vertex &a = all_.vertices[t.vertices[0]], &b = all_.vertices[t.vertices[1]],
                 &c = all_.vertices[t.vertices[2]];
    const Gradients g(a, b, c, area_);
    const std::array<Vec4, 3> colors = lit_vertex_colors(all_, t, surface);
    Plane color[3];
    for (size_t i = 0; i < 3; ++i) {
      const auto eight = [&](size_t vertex) {
        const f32 shown = to_display(colors[vertex])[i];
        // 128 leaves texels as they are; those of the picture may have been brightened already.
        return surface.picture ? std::floor(f64(shown) * psx::k_neutral * f64(surface.traits.texels_times) / 255 + 0.5)
                               : f64(shown);
      };
      color[i] = g.of(eight(0), eight(1), eight(2));
    }
    const Plane u = g.of(a.uv[0], b.uv[0], c.uv[0]), v = g.of(a.uv[1], b.uv[1], c.uv[1]);

    const Edge edges[3] = {{a, b, area_}, {b, c, area_}, {c, a, area_}};
    const auto row_of = [&](i32 y) { return i32(y >> k_subpixel_bits) - area_.top; };
    const i32 top = std::max(row_of(std::min({a.y, b.y, c.y})), 0);
    const i32 bottom = std::min(row_of(std::max({a.y, b.y, c.y})), area_.height - 1);
    const bool mixes = surface.material->alpha == Material::Alpha::blend;
    for (i32 y = top; y <= bottom; ++y) {
      i64 from = 0, to = area_.width - 1;
      for (const Edge& e : edges) e.narrow(y, from, to);
      for (i32 x = i32(from); x <= to; ++x) {
        const auto value = [&](const Plane& p) { return p.row(y) + p.dx * f32(x); };
        std::array<i32, 3> eight{};
        for (size_t i = 0; i < 3; ++i) eight[i] = i32(std::clamp(value(color[i]), 0.0f, 255.0f));
        if (surface.picture) {
          const Rgba texel = nearest_texel(surface, value(u), value(v));
          if (!psx::is_drawn(texel)) continue;
          for (size_t i = 0; i < 3; ++i) {
            const u32 five = psx::to_5_bits(u8(std::lround(f32(texel[i]) / surface.traits.texels_times)));
            eight[i] = i32(five * 8) * eight[i] / psx::k_neutral;
          }
        }
        PsxPixel& p = pixels_[size_t(y) * size_t(area_.width) + size_t(x)];
        const i32 dither = surface.traits.is_dithered ? k_dither[(y + area_.top) & 3][(x + area_.left) & 3] : 0;
        for (size_t i = 0; i < 3; ++i) {
          const auto five = u8(std::clamp(eight[i] + dither, 0, 255) >> 3);
          p.five[i] = mixes && p.drawn ? semi_transparent(p.five[i], five, surface.traits.semi_transparency) : five;
        }
        p.drawn = true;
      }
    }
  }

  std::vector<Rgba> finished() const {
    std::vector<Rgba> out;
    out.reserve(pixels_.size());
    for (const PsxPixel& p : pixels_)
      out.push_back(
          {psx::k_levels[p.five[0]], psx::k_levels[p.five[1]], psx::k_levels[p.five[2]], u8(p.drawn ? 255 : 0)});
    return out;
  }

 private:
  const Triangles& all_;
  const Surfaces& surfaces_;
  const Area area_;
  std::vector<PsxPixel> pixels_;
};

}  // namespace

std::vector<Rgba> draw_psx(const Triangles& all, const Surfaces& surfaces, const ConsoleTile& tile) {
  PsxTile drawing(all, surfaces, tile);
  for (const u32 i : tile.drawn) drawing.draw(all.all[i]);
  return drawing.finished();
}

}  // namespace dio::raster
