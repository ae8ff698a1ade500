#include "formats/brres/from_scene/material_builder.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/elementary.hpp"
#include "formats/brres/from_scene/gpu_commands.hpp"
#include "scene/extras.hpp"
#include "scene/math.hpp"

namespace dio::brres {

namespace {

/// Commands at fixed places; the game finds them there. Values as in courses of the game.
Bytes build_material_commands(const scene::Material& m, bool has_texture) {
  using Alpha = scene::Material::Alpha;
  constexpr u32 k_always = 0x3F0000, k_at_least = 0x1E'FF00;  // alpha >= n, and <= 255
  constexpr u32 k_depth = 0x17, k_depth_without_writing = 0x07, k_no_blending = 0x34A0, k_blending = 0x34A1;
  const u32 cutoff = u32(std::clamp(std::ceil(m.alpha_cutoff * 255), 0.0f, 255.0f));
  GpuCommandWriter w;
  w.bp(0xF3, m.alpha == Alpha::mask ? k_at_least | cutoff : k_always);
  w.bp(0x40, m.alpha == Alpha::blend ? k_depth_without_writing : k_depth);
  w.bp(0x41, m.alpha == Alpha::blend ? k_blending : k_no_blending, 0x00FFE3);
  w.bp(0x42, 0).align(32);
  for (u32 color = 1; color < 4; ++color) {  // the registers of the stages; the second half is sent three times
    w.bp(0xE0 + 2 * color, 0);
    for (int i = 0; i < 3; ++i) w.bp(0xE1 + 2 * color, 0);
  }
  w.pad_to(0x60);
  for (u32 i = 0; i < 8; ++i) w.bp(0xE0 + i, 0x800000);  // constant colours
  w.pad_to(0xA0);
  w.bp(0x25, 0).bp(0x26, 0);
  w.pad_to(0xE0);
  constexpr u32 k_coordinates_of_vertices = 0x5280;
  if (has_texture) w.xf(0x1040, k_coordinates_of_vertices).xf(0x1050, 0);
  w.pad_to(0x180);
  return std::move(w.bytes);
}

Bytes build_shader_commands(bool has_texture) {
  GpuCommandWriter w;
  constexpr u32 k_swap_tables[] = {0x04, 0x0E, 0x00, 0x0C, 0x05, 0x0D, 0x0A, 0x0E};
  for (u32 i = 0; i < 8; ++i) w.bp(0xF6 + i, k_swap_tables[i], 0xF);
  w.bp(0x27, 0xFFFFFF).pad_to(0x60);
  w.bp(0xF6, 0x0038C0, 0xFFFFF0);
  w.bp(0x28, has_texture ? 0x3BF040 : 0x3BF03F);
  w.bp(0xC0, has_texture ? 0x08F8AF : 0x08FFFA).no_operations(5);  // texture times raster colour; or that alone
  w.bp(0xC1, has_texture ? 0x08F2F0 : 0x08FFD0).no_operations(5);
  w.bp(0x10, 0);
  w.pad_to(0x1E0);
  return std::move(w.bytes);
}

u32 wrap_number(scene::Texture::Wrap wrap) {
  return wrap == scene::Texture::Wrap::clamp ? 0 : wrap == scene::Texture::Wrap::repeat ? 1 : 2;
}

/// Which parts of a transform the game need not compute.
u32 srt_flags(const TextureSrt& t) {
  const bool no_scale = t.scale == Vec2{1, 1}, no_rotation = t.rotation == 0,
             no_translation = t.translation == Vec2{0, 0};
  return 1u | (no_scale ? 2u : 0) | (no_rotation ? 4u : 0) | (no_translation ? 8u : 0);
}

}  // namespace

std::array<u8, 4> to_display_color(const scene::Vec4& c) {
  const auto to_byte = [](f64 x) { return u8(std::clamp(x, 0.0, 1.0) * 255 + 0.5); };
  std::array<u8, 4> out{};
  for (size_t i = 0; i < 3; ++i) out[i] = to_byte(scene::linear_to_srgb(std::clamp(f64(c[i]), 0.0, 1.0)));
  out[3] = to_byte(c[3]);
  return out;
}

scene::Vec4 unlit_color(const scene::Material& m) {
  scene::Vec4 out = m.color;
  if (const auto emission = scene::read_number_list_extra(m.extras, "emission", 3))
    for (size_t i = 0; i < 3; ++i) out[i] = std::max(out[i], f32(std::clamp((*emission)[i], 0.0, 1.0)));
  return out;
}

TextureSrt to_texture_srt(const scene::TextureTransform& t) {
  const f64 s = elementary::sin(t.rotation), c = elementary::cos(t.rotation);
  const f64 x = t.scale[0], y = t.scale[1];
  TextureSrt out{{t.scale[0], t.scale[1]}, f32(f64(t.rotation) * 180 / std::numbers::pi), {0, 0}};
  if (x != 0) out.translation.x = f32(0.5 - 0.5 * s - 0.5 * c - t.offset[0] / x);
  if (y != 0) out.translation.y = f32((t.offset[1] - 1) / y - 0.5 * s + 0.5 * c + 0.5);
  return out;
}

BuiltMaterial build_material(const scene::Material& m, const scene::Texture* texture, const MaterialUse& use) {
  using Alpha = scene::Material::Alpha;
  BuiltMaterial out;
  Material& x = out.material;
  const bool has_texture = texture && !use.texture.empty();
  x.name = use.name;
  x.flags = m.alpha == Alpha::blend ? Material::k_translucent : 0;
  x.texgen_count = has_texture;
  x.channel_count = x.stage_count = 1;
  x.cull = m.double_sided ? 0 : 2;
  x.early_depth = m.alpha != Alpha::mask;
  x.fog = 0;
  x.indirect_lights.fill(-1);
  x.runtime = Bytes(Material::k_runtime_size);
  for (size_t i = 0; i < 8; ++i) {
    x.srts[i] = {{1, 1}, 0, {0, 0}};
    x.effects[i] = {-1, -1, 0, 1, {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}};
  }
  if (has_texture) {
    if (!(m.transform == scene::TextureTransform{})) x.srts[0] = to_texture_srt(m.transform);
    x.srt_flags = srt_flags(x.srts[0]);
  }
  constexpr u32 k_from_vertices = 0x701, k_from_material = 0x700;
  const u32 control = use.has_vertex_colors ? k_from_vertices : k_from_material;
  std::array<u8, 4> color{255, 255, 255, 255};
  if (!use.has_vertex_colors) color = to_display_color(unlit_color(m));
  x.channels[0] = {63, color, {0, 0, 0, 255}, control, control};
  x.channels[1] = {15, {0, 0, 0, 255}, {0, 0, 0, 0}, 0, 0};
  if (has_texture) {
    Sampler s;
    s.texture = use.texture;
    s.wrap_u = wrap_number(texture->wrap_u), s.wrap_v = wrap_number(texture->wrap_v);
    s.mag_filter = texture->nearest ? 0 : 1;
    s.min_filter = use.has_mipmaps ? (texture->nearest ? 2 : 5) : s.mag_filter;
    x.samplers.push_back(std::move(s));
  }
  x.commands = build_material_commands(m, has_texture);
  out.shader.stage_count = 1;
  out.shader.texture_slots.fill(255);
  if (has_texture) out.shader.texture_slots[0] = 0;
  out.shader.commands = build_shader_commands(has_texture);
  return out;
}

}  // namespace dio::brres
