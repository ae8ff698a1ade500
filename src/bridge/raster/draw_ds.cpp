// draw_ds.cpp: draws triangles like the 3D engine of the Nintendo DS. Sources: README.md.
#include <algorithm>
#include <cmath>

#include "bridge/raster/lighting.hpp"
#include "bridge/raster/spans.hpp"
#include "console/ds/color.hpp"

namespace dio::raster {

using namespace scene;

namespace {

constexpr u8 k_opaque = 31;          // alpha has five bits
constexpr u8 k_no_translucent = 64;  // no polygon has this id
constexpr u8 k_clear_id = 63;

/// Colours have six bits.
using Rgb666 = std::array<u8, 3>;
constexpr u32 to_6_bits(u32 five) { return five ? 2 * five + 1 : 0; }
constexpr u8 eight_of(u32 six) { return u8(six << 2 | six >> 4); }
constexpr Rgb666 to_6_bits(const console::Channels& five) {
  return {u8(to_6_bits(five[0])), u8(to_6_bits(five[1])), u8(to_6_bits(five[2]))};
}

/// The content of a pixel: in front, or behind the smoothed edge in front.
struct DsLayer {
  Rgb666 color{};
  u8 alpha = 0;
  bool is_foggy = false;
  f32 depth = 0;
  u32 in_volume = 0;  // the shadow volume whose far side is behind this
};
struct DsPixel {
  DsLayer front, behind;
  u8 coverage = 31;  // coverage of the pixel by an opaque edge
  u8 id = k_clear_id, translucent_id = k_no_translucent;
};

/// The contribution of a polygon to a pixel.
struct DsFragment {
  Rgb666 color;
  u8 alpha;
  bool is_foggy;
};

void blend_fragment(DsLayer& under, const DsFragment& f) {
  under.is_foggy &= f.is_foggy;
  if (!under.alpha) {
    under.color = f.color, under.alpha = f.alpha;
    return;
  }
  for (size_t i = 0; i < 3; ++i)
    under.color[i] = u8((f.color[i] * (f.alpha + 1) + under.color[i] * (31 - f.alpha)) >> 5);
  under.alpha = std::max(under.alpha, f.alpha);
}

class DsTile {
 public:
  DsTile(const Triangles& all, const Surfaces& surfaces, const ConsoleTile& tile)
      : all_(all), surfaces_(surfaces), tile_(tile) {
    // Edges are marked by comparison with neighbouring pixels.
    const Area &a = tile.area, &whole = tile.picture;
    area_.left = std::max(a.left - 1, whole.left), area_.top = std::max(a.top - 1, whole.top);
    area_.width = std::min(a.left + a.width + 1, whole.left + whole.width) - area_.left;
    area_.height = std::min(a.top + a.height + 1, whole.top + whole.height) - area_.top;
    for (size_t i = 0; i < toon_.size(); ++i) toon_[i] = to_6_bits(console::channels_of(tile.effects.toon_colors[i]));
    DsPixel clear;
    for (size_t i = 0; i < 3; ++i) clear.front.color[i] = u8(to_6_bits(ds::to_5_bits(tile.background[i])));
    clear.front.alpha = ds::to_5_bits(tile.background[3]);
    pixels_.assign(size_t(area_.width) * size_t(area_.height), clear);
  }

  void rasterize_triangle(u32 index) {
    const Triangle& t = all_.all[index];
    volume_ = all_.volumes.empty() ? 0 : all_.volumes[index];
    const Surface& surface = surfaces_.of(t.material == k_no_material ? k_none : t.material);
    const Vertex &a = all_.vertices[t.vertices[0]], &b = all_.vertices[t.vertices[1]],
                 &c = all_.vertices[t.vertices[2]];
    surface_ = &surface;
    const Gradients g(a, b, c, area_);
    depth_ = g.of(a.depth, b.depth, c.depth);
    w_ = g.of(a.inverse_w, b.inverse_w, c.inverse_w);
    const auto attribute_plane = [&](f64 at_a, f64 at_b, f64 at_c) {
      return all_.parallel ? g.of(at_a, at_b, at_c) : g.of(at_a * a.inverse_w, at_b * b.inverse_w, at_c * c.inverse_w);
    };
    const std::array<Vec4, 3> colors = lit_vertex_colors(all_, t, surface);
    for (size_t i = 0; i < 4; ++i) {
      // Nine bits of colour during interpolation, five of alpha.
      const auto bits = [&](size_t vertex) {
        if (i == 3) return std::floor(f64(cut(colors[vertex][3], 1)) * 31 + 0.5);
        const u32 five = (u32(to_display(colors[vertex])[i]) * 31 + 127) / 255;
        return five ? f64(five * 16 + 15) : 0.0;
      };
      color_[i] = attribute_plane(bits(0), bits(1), bits(2));
    }
    uv_[0] = attribute_plane(a.uv[0], b.uv[0], c.uv[0]), uv_[1] = attribute_plane(a.uv[1], b.uv[1], c.uv[1]);

    const bool smooth = tile_.smooths_edges && surface.material->alpha != Material::Alpha::blend && t.shaded;
    const Edge edges[3] = {{a, b, area_}, {b, c, area_}, {c, a, area_}};
    for_each_span(a, b, c, area_, edges, smooth, [&](i32 y, i32 from, i32 to) {
      row_ = y;
      for (i32 x = from; x <= to; ++x) {
        u8 coverage = 31;
        if (smooth)
          for (const Edge& e : edges) coverage = std::min(coverage, e.coverage(x, y));
        if (coverage) shade_pixel(x, coverage, surface.traits);
      }
    });
  }

  std::vector<Rgba> resolve_pixels() {
    if (tile_.effects.edge_colors) mark_edges(*tile_.effects.edge_colors);
    if (tile_.effects.fog_table)
      for (DsPixel& p : pixels_)
        for (DsLayer* layer : {&p.front, &p.behind})
          if (layer->is_foggy) apply_ds_fog(*layer, *tile_.effects.fog_table);
    std::vector<Rgba> out;
    out.reserve(size_t(tile_.area.width) * size_t(tile_.area.height));
    for (i32 y = 0; y < tile_.area.height; ++y)
      for (i32 x = 0; x < tile_.area.width; ++x) {
        const DsLayer l = antialias_pixel(at(x + tile_.area.left - area_.left, y + tile_.area.top - area_.top));
        out.push_back(
            {eight_of(l.color[0]), eight_of(l.color[1]), eight_of(l.color[2]), u8(l.alpha << 3 | l.alpha >> 2)});
      }
    return out;
  }

 private:
  DsPixel& at(i32 x, i32 y) { return pixels_[size_t(y) * size_t(area_.width) + size_t(x)]; }
  f32 value(const Plane& p, i32 x) const { return p.row(row_) + p.dx * f32(x); }

  std::optional<DsFragment> compute_fragment(i32 x) const {
    const f32 w = all_.parallel ? 1 : 1 / value(w_, x);
    const auto bits = [&](const Plane& p, f32 most) { return u32(cut(value(p, x) * w, most)); };
    const ConsoleMaterial& traits = surface_->traits;
    DsFragment out{{}, u8(bits(color_[3], 31.5f)), traits.is_foggy};
    for (size_t i = 0; i < 3; ++i) out.color[i] = u8(bits(color_[i], 511) >> 3);
    const bool is_toon = traits.mode == PolygonMode::toon, is_highlight = is_toon && tile_.effects.is_highlight;
    const Rgb666 toon = toon_[out.color[0] >> 1];
    if (is_highlight)
      out.color.fill(out.color[0]);
    else if (is_toon)
      out.color = toon;
    if (surface_->picture) {
      const Rgba texel = nearest_texel(*surface_, value(uv_[0], x) * w, value(uv_[1], x) * w);
      const u32 alpha = ds::to_5_bits(texel[3]);
      if (traits.mode == PolygonMode::decal) {
        const u32 part = alpha == k_opaque ? 64 : to_6_bits(alpha);
        const u32 rest = alpha ? alpha == k_opaque ? 0 : 63 - part : 64;
        for (size_t i = 0; i < 3; ++i)
          out.color[i] = u8((to_6_bits(ds::to_5_bits(texel[i])) * part + out.color[i] * rest) >> 6);
      } else {
        for (size_t i = 0; i < 3; ++i)
          out.color[i] = u8(((to_6_bits(ds::to_5_bits(texel[i])) + 1) * (out.color[i] + 1u) - 1) >> 6);
        out.alpha = u8(((alpha + 1) * (out.alpha + 1u) - 1) >> 5);
      }
    }
    if (is_highlight)
      for (size_t i = 0; i < 3; ++i) out.color[i] = std::min<u8>(out.color[i] + toon[i], 63);
    if (!out.alpha) return {};
    if (surface_->material->alpha == Material::Alpha::mask) {
      if (f32(out.alpha) < surface_->material->alpha_cutoff * 31) return {};
      out.alpha = k_opaque;
    }
    if (surface_->material->alpha == Material::Alpha::opaque) out.alpha = k_opaque;
    return out;
  }

  void shade_pixel(i32 x, u8 coverage, const ConsoleMaterial& traits) {
    DsPixel& p = at(x, row_);
    const f32 depth = value(depth_, x);
    bool in_front = depth > p.front.depth;
    bool behind_edge = p.coverage < 31 && depth > p.behind.depth;
    if (traits.is_mask()) {  // the far side of a volume: the surface in front of it may be inside
      if (!in_front) p.front.in_volume = volume_;
      if (!behind_edge) p.behind.in_volume = volume_;
      return;
    }
    if (traits.mode == PolygonMode::shadow) {
      const auto lies_in_it = [&](const DsLayer& l) { return volume_ && l.in_volume == volume_; };
      // Not on the polygon that casts it, which has the same id.
      const bool casts_it = p.translucent_id == k_no_translucent && p.id == traits.polygon_id;
      in_front &= lies_in_it(p.front) && !casts_it;
      behind_edge &= lies_in_it(p.behind);
    }
    if (!in_front && !behind_edge) return;
    const auto f = compute_fragment(x);
    if (!f) return;
    if (f->alpha < k_opaque) {
      // Polygons with the same id do not shine through each other.
      if (p.translucent_id == traits.polygon_id) return;
      if (in_front) {
        blend_fragment(p.front, *f);
        p.translucent_id = traits.polygon_id;
      }
      if (behind_edge) blend_fragment(p.behind, *f);
      return;
    }
    const DsLayer now{f->color, f->alpha, f->is_foggy, depth};
    if (!in_front) {
      p.behind = now;
      return;
    }
    if (coverage < 31) p.behind = p.front;
    p.front = now;
    p.coverage = coverage;
    p.id = traits.polygon_id;
    p.translucent_id = k_no_translucent;
  }

  /// A pixel of a polygon whose id differs from that of a neighbour farther away. Outside the picture there are no
  /// polygons.
  void mark_edges(const std::array<u16, 8>& colors) {
    constexpr u8 k_marked_coverage = 16;
    std::vector<u32> marked;
    for (i32 y = 0; y < area_.height; ++y)
      for (i32 x = 0; x < area_.width; ++x) {
        const DsPixel& p = at(x, y);
        if (!(p.front.depth > 0)) continue;
        const auto is_edge_against = [&](i32 dx, i32 dy) {
          const i32 nx = x + dx, ny = y + dy;
          if (nx < 0 || ny < 0 || nx >= area_.width || ny >= area_.height) return p.id != k_clear_id;
          const DsPixel& n = at(nx, ny);
          return n.id != p.id && p.front.depth > n.front.depth;
        };
        if (is_edge_against(-1, 0) || is_edge_against(1, 0) || is_edge_against(0, -1) || is_edge_against(0, 1))
          marked.push_back(u32(y * area_.width + x));
      }
    for (const u32 i : marked) {
      DsPixel& p = pixels_[i];
      const auto five = console::channels_of(colors[p.id >> 3]);
      for (size_t k = 0; k < 3; ++k) p.front.color[k] = u8(to_6_bits(five[k]));
      if (tile_.smooths_edges) p.coverage = std::min(p.coverage, k_marked_coverage);
    }
  }

  static void apply_ds_fog(DsLayer& l, const ScreenEffects::FogTable& table) {
    constexpr i64 k_farthest = 0xFFFFFF;  // depths have 24 bits, those of the fog table 15
    constexpr u32 k_all = 128;
    const auto depth = i64(f64(1 - cut(l.depth, 1)) * k_farthest), beyond = depth - (i64(table.offset) << 9);
    const i64 step = i64(table.step) << 9, last = i64(table.densities.size());
    const i64 at = beyond < 0 ? 0 : step ? std::min(beyond / step, last) : last;
    const i64 past = beyond < 0 || at == last ? 0 : beyond % step;
    // The first density also applies to everything nearer.
    const auto density = [&](i64 i) { return i64(table.densities[size_t(std::clamp<i64>(i - 1, 0, last - 1))]); };
    auto much = u32(past ? (density(at) * (step - past) + density(at + 1) * past) / step : density(at));
    if (much >= 127) much = k_all;
    const Rgb666 color = to_6_bits(console::channels_of(table.color));
    for (size_t i = 0; i < 3; ++i) l.color[i] = u8((color[i] * much + l.color[i] * (k_all - much)) >> 7);
    l.alpha = u8((table.alpha * much + l.alpha * (k_all - much)) >> 7);
  }

  static DsLayer antialias_pixel(const DsPixel& p) {
    if (p.coverage == 31) return p.front;
    DsLayer out = p.front;
    const u32 part = p.coverage + 1u;
    if (p.behind.alpha)
      for (size_t i = 0; i < 3; ++i)
        out.color[i] = u8((p.front.color[i] * part + p.behind.color[i] * (32 - part)) >> 5);
    out.alpha = u8((p.front.alpha * part + p.behind.alpha * (32 - part)) >> 5);
    return out;
  }

  const Triangles& all_;
  const Surfaces& surfaces_;
  const ConsoleTile& tile_;
  Area area_;
  std::vector<DsPixel> pixels_;
  std::array<Rgb666, 32> toon_;
  const Surface* surface_ = nullptr;
  u32 volume_ = 0;
  Plane depth_, w_, uv_[2], color_[4];
  i32 row_ = 0;
};

}  // namespace

std::vector<Rgba> draw_ds(const Triangles& all, const Surfaces& surfaces, const ConsoleTile& tile) {
  DsTile drawing(all, surfaces, tile);
  for (const u32 i : tile.drawn) drawing.rasterize_triangle(i);
  return drawing.resolve_pixels();
}

}  // namespace dio::raster
