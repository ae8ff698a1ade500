#include "formats/brres/scene/surfaces.hpp"

#include <array>
#include <cmath>
#include <numbers>

#include "core/elementary.hpp"

namespace dio::brres {

namespace {

/// The lowest alpha that passes the test, in 0..255; nothing if all, none, or only low values pass.
std::optional<u32> compute_alpha_cutoff(u32 test) {
  const auto passes = [&](u32 alpha, u32 ref, u32 compare) {
    switch (compare) {
      case 0:
        return false;
      case 1:
        return alpha < ref;
      case 2:
        return alpha == ref;
      case 3:
        return alpha <= ref;
      case 4:
        return alpha > ref;
      case 5:
        return alpha != ref;
      case 6:
        return alpha >= ref;
      default:
        return true;
    }
  };
  const auto passes_both = [&](u32 alpha) {
    const bool a = passes(alpha, test & 255, test >> 16 & 7), b = passes(alpha, test >> 8 & 255, test >> 19 & 7);
    switch (test >> 22 & 3) {
      case 0:
        return a && b;
      case 1:
        return a || b;
      case 2:
        return a != b;
      default:
        return a == b;
    }
  };
  if (passes_both(0) || !passes_both(255)) return {};
  for (u32 alpha = 1; alpha < 256; ++alpha)
    if (passes_both(alpha)) return alpha;
  return {};
}

}  // namespace

// glTF cannot express a rotated texture with a non-uniform scale, because the console scales last.
scene::TextureTransform compute_texture_transform(const TextureSrt& srt, u32 mode) {
  const f64 turn = f64(srt.rotation) * std::numbers::pi / 180, s = elementary::sin(turn), c = elementary::cos(turn);
  const f64 x = srt.scale.x, y = srt.scale.y, tx = srt.translation.x, ty = srt.translation.y;
  scene::TextureTransform t;
  t.scale = {srt.scale.x, srt.scale.y};
  t.rotation = f32(turn);
  if (mode == 0) {  // Maya
    t.offset = {f32(x * (0.5 - 0.5 * s - 0.5 * c - tx)), f32(y * (0.5 * s - 0.5 * c - 0.5 + ty) + 1)};
  } else if (mode == 1) {  // XSI
    t.rotation = f32(-turn);
    t.offset = {f32(x * (s - c * tx - s * ty)), f32(y * (c * ty - c - s * tx) + 1)};
  } else {  // 3ds Max
    t.offset = {f32(x * (s * (ty - 0.5) - c * (tx + 0.5)) + 0.5), f32(y * (s * (tx + 0.5) + c * (ty - 0.5)) + 0.5)};
  }
  return t;
}

Surface analyze_material(const Material& m, const Shader* shader) {
  Surface out;
  Combiner& combiner = out.combiner;
  combiner.run_commands(m.commands);
  if (shader) combiner.run_commands(shader->commands);
  combiner.decode_stages(m.stage_count);
  if (const auto map = combiner.map()) {
    for (size_t i = 0; i < m.samplers.size() && !out.sampler; ++i)
      if (m.samplers[i].slot == *map) out.sampler = i;
    const u32 coordinate = out.coordinate = combiner.coordinate();
    out.texcoords = combiner.source_row(coordinate) - 5;
    const u32 srt_flags = m.srt_flags >> 4 * coordinate & 15;
    if (srt_flags & 1 && (srt_flags & 0xE) != 0xE)
      out.transform = compute_texture_transform(m.srts[coordinate], m.texture_matrix_mode);
  }
  constexpr u32 k_from_vertices = 1;
  if (m.channel_count) {
    const Channel& c = m.channels[0];
    out.color_of_vertices = c.color_control & k_from_vertices;
    out.alpha_of_vertices = c.alpha_control & k_from_vertices;
    out.has_vertex_colors = combiner.has_raster() && (out.color_of_vertices || out.alpha_of_vertices);
    for (size_t i = 0; i < 4; ++i) out.material[i] = f32(c.material[i]) / 255;
  }
  if (combiner.bp(0x41).value_or(0) & 1)
    out.alpha = scene::Material::Alpha::blend;
  else if (const auto least = compute_alpha_cutoff(combiner.bp(0xF3).value_or(0x3F0000))) {
    out.alpha = scene::Material::Alpha::mask;
    out.alpha_cutoff = f32(*least) / 255;
  }
  return out;
}

scene::Vec4 Surface::color(const std::array<f32, 4>& vertex) const {
  scene::Vec4 raster = color_of_vertices ? vertex : material;
  raster[3] = alpha_of_vertices ? vertex[3] : material[3];
  return evaluate_color(raster);
}
scene::Vec4 Surface::evaluate_color(const scene::Vec4& raster) const {
  scene::Vec4 c = combiner.color(raster);
  if (alpha == scene::Material::Alpha::opaque) c[3] = 1;
  return c;
}

}  // namespace dio::brres
