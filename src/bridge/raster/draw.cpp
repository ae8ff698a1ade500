// draw.cpp: draws one triangle: the samples that it covers, their depth, and their colour.
#include <algorithm>
#include <cmath>

#include "bridge/raster/lighting.hpp"
#include "bridge/raster/spans.hpp"
#include "scene/math.hpp"

namespace dio::raster {

using namespace scene;

namespace {

u8 blended(u8 over, u8 under, f32 part) { return u8(f32(under) + (f32(over) - f32(under)) * part + 0.5f); }

/// Blends display values over others; neither is multiplied with its alpha.
void blend_over(Rgba& under, const Rgba& color, f32 alpha) {
  if (under[3] == 255) {
    for (size_t c = 0; c < 3; ++c) under[c] = blended(color[c], under[c], alpha);
    return;
  }
  const f32 below = f32(under[3]) * (1.0f / 255.0f) * (1 - alpha), all = alpha + below;
  if (!(all > 0)) return;
  for (size_t c = 0; c < 3; ++c) under[c] = u8((f32(color[c]) * alpha + f32(under[c]) * below) / all + 0.5f);
  under[3] = u8(std::min(all, 1.0f) * 255 + 0.5f);
}

class Drawing {
 public:
  Drawing(const Triangles& all, const Triangle& t, const Surface& surface, const ScreenEffects& effects, Tile& tile)
      : all_(all), triangle_(t), surface_(surface), material_(*surface.material), effects_(effects), tile_(tile) {}

  void rasterize() {
    const Vertex &a = vertex(0), &b = vertex(1), &c = vertex(2);
    const Edge edges[3] = {{a, b, tile_}, {b, c, tile_}, {c, a, tile_}};
    const Gradients g(a, b, c, tile_);
    affine_ = all_.parallel;
    depth_ = g.of(a.depth, b.depth, c.depth);
    w_ = g.of(a.inverse_w, b.inverse_w, c.inverse_w);
    const auto attribute_plane = [&](auto part) {
      const f64 wa = affine_ ? 1 : a.inverse_w, wb = affine_ ? 1 : b.inverse_w, wc = affine_ ? 1 : c.inverse_w;
      return g.of(part(a) * wa, part(b) * wb, part(c) * wc);
    };
    if (surface_.picture)
      for (size_t i = 0; i < 2; ++i) uv_[i] = attribute_plane([i](const Vertex& v) { return f64(v.uv[i]); });
    if (triangle_.colored)
      for (size_t i = 0; i < 4; ++i) color_[i] = attribute_plane([i](const Vertex& v) { return f64(v.color[i]); });
    lit_ = surface_.lit && triangle_.shaded;
    if (lit_) {
      flat_normal_ = face_normal(a, b, c);
      for (size_t i = 0; i < 3; ++i) {
        normal_[i] = attribute_plane([i](const Vertex& v) { return f64(v.normal[i]); });
        position_[i] = attribute_plane([i](const Vertex& v) { return f64(v.position[i]); });
      }
    }
    writes_depth_ = material_.alpha != Material::Alpha::blend;
    for_each_span(a, b, c, tile_, edges, false, [&](i32 y, i32 from, i32 to) { draw_row(y, from, to); });
  }

 private:
  const Vertex& vertex(size_t i) const { return all_.vertices[triangle_.vertices[i]]; }

  void draw_row(i32 y, i32 from, i32 to) {
    Rgba* const color = tile_.color.data() + size_t(y) * size_t(tile_.width);
    f32* const depth = tile_.depth.data() + size_t(y) * size_t(tile_.width);
    const f32 depth_row = depth_.row(y);
    row_ = y;
    w_row_ = w_.row(y);
    for (size_t i = 0; i < 2; ++i) uv_row_[i] = uv_[i].row(y);
    for (i32 x = from; x <= to; ++x) {
      const f32 at = depth_row + depth_.dx * f32(x);
      if (!(at >= depth[x])) continue;
      if (shade_pixel(x, color[x]) && writes_depth_) depth[x] = at;
    }
  }

  f32 value(const Plane& p, i32 x, f32 w) const { return (p.row(row_) + p.dx * f32(x)) * w; }

  /// False if nothing is drawn.
  bool shade_pixel(i32 x, Rgba& under) {
    const f32 w = affine_ ? 1 : 1 / (w_row_ + w_.dx * f32(x));
    const f32 u = (uv_row_[0] + uv_[0].dx * f32(x)) * w, v = (uv_row_[1] + uv_[1].dx * f32(x)) * w;
    const bool is_nearest = surface_.picture && surface_.texture->nearest;
    // The most frequent case in games: unchanged texels.
    if (is_nearest && surface_.is_white && !triangle_.colored && !lit_) {
      const Rgba texel = nearest_texel(surface_, u, v);
      return write_pixel(under, texel, f32(texel[3]) * (1.0f / 255.0f), w);
    }
    Vec4 c = material_.color;
    if (surface_.picture) {
      Vec4 t;
      if (is_nearest) {
        const Rgba texel = nearest_texel(surface_, u, v);
        t = {to_linear(texel[0]), to_linear(texel[1]), to_linear(texel[2]), f32(texel[3]) * (1.0f / 255.0f)};
      } else {
        t = bilinear_texel(surface_, u, v);
      }
      for (size_t i = 0; i < 4; ++i) c[i] *= t[i];
    }
    if (triangle_.colored)
      for (size_t i = 0; i < 4; ++i) c[i] *= value(color_[i], x, w);
    if (material_.alpha == Material::Alpha::mask && !(c[3] >= material_.alpha_cutoff)) return false;
    if (lit_) {
      Vec3 normal{value(normal_[0], x, w), value(normal_[1], x, w), value(normal_[2], x, w)};
      normal = unit(normal, flat_normal_);
      if (triangle_.from_behind && material_.double_sided) normal = mul(normal, -1);
      const Lighting light = compute_lighting(
          all_, normal, {value(position_[0], x, w), value(position_[1], x, w), value(position_[2], x, w)});
      for (size_t i = 0; i < 3; ++i) c[i] = c[i] * light.diffuse[i] + light.shine[i];
    }
    return write_pixel(under, to_display(c), cut(c[3], 1), w);
  }

  /// Mixed as display values, as in games with fog.
  Rgba apply_fog(const Rgba& color, f32 w) const {
    const f32 part = effects_.fog->at(w);
    const auto& fog = effects_.fog->color;
    return {blended(fog[0], color[0], part), blended(fog[1], color[1], part), blended(fog[2], color[2], part),
            color[3]};
  }
  bool write_pixel(Rgba& under, const Rgba& clear, f32 alpha, f32 w) {
    const Rgba color = effects_.fog && !affine_ ? apply_fog(clear, w) : clear;
    switch (material_.alpha) {
      case Material::Alpha::mask:
        if (!(alpha >= material_.alpha_cutoff)) return false;
        [[fallthrough]];
      case Material::Alpha::opaque:
        under = {color[0], color[1], color[2], 255};
        return true;
      case Material::Alpha::blend:
        blend_over(under, color, alpha);
        return true;
    }
    return true;
  }

  const Triangles& all_;
  const Triangle& triangle_;
  const Surface& surface_;
  const Material& material_;
  const ScreenEffects& effects_;
  Tile& tile_;
  bool affine_ = false, lit_ = false, writes_depth_ = true;
  Plane depth_, w_, uv_[2], color_[4], normal_[3], position_[3];
  Vec3 flat_normal_{0, 0, 1};
  i32 row_ = 0;
  f32 w_row_ = 0, uv_row_[2] = {};
};

}  // namespace

void draw(const Triangles& all, u32 triangle, const Surfaces& surfaces, const ScreenEffects& effects, Tile& tile) {
  const Triangle& t = all.all[triangle];
  Drawing(all, t, surfaces.of(t.material == k_no_material ? k_none : t.material), effects, tile).rasterize();
}

}  // namespace dio::raster
