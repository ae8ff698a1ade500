#include "bridge/raster/surface.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "console/psx/color.hpp"
#include "core/elementary.hpp"

namespace dio::raster {

using namespace scene;

namespace {

/// For each amount of light, the nearest display value.
const std::array<u8, 65536>& linear_to_display_table() {
  static const std::array<u8, 65536> table = [] {
    std::array<u8, 65536> out{};
    u32 from = 0;
    for (u32 i = 0; i < 256; ++i) {
      const u32 end = i == 255 ? 65536 : (u32(k_lights[i]) + k_lights[i + 1]) / 2 + 1;
      std::fill(out.begin() + from, out.begin() + end, u8(i));
      from = end;
    }
    return out;
  }();
  return table;
}

/// The position in 0 to size - 1 from which a texel outside the picture is read.
i32 wrap_texel_coordinate(i32 x, i32 size, Texture::Wrap wrap) {
  if (u32(x) < u32(size)) return x;
  if (wrap == Texture::Wrap::clamp) return std::clamp(x, 0, size - 1);
  const i32 period = wrap == Texture::Wrap::mirror ? 2 * size : size;
  const i32 in = x % period, at = in < 0 ? in + period : in;
  return at < size ? at : period - 1 - at;
}

/// Rounds down, for texture coordinates of any size.
i32 floor_to_integer(f32 x) {
  constexpr f32 k_most = 1 << 30;
  if (!(x > -k_most)) return -(1 << 30);
  if (x > k_most) return 1 << 30;
  const i32 cut = i32(x);
  return cut - (f32(cut) > x);
}

}  // namespace

u8 to_display(u32 light) { return linear_to_display_table()[std::min<u32>(light, 65535)]; }

Rgba to_display(const Vec4& c) {
  const auto part = [](f32 x) { return u32(cut(x, 1) * 65535.0f + 0.5f); };
  return {to_display(part(c[0])), to_display(part(c[1])), to_display(part(c[2])), u8(cut(c[3], 1) * 255.0f + 0.5f)};
}

Surfaces::Surfaces(const Scene& scene, const Pose& pose, ShadingStyle look) {
  surfaces_.resize(pose.materials.size() + 1);
  surfaces_.back().material = &plain_;
  for (size_t i = 0; i < pose.materials.size(); ++i) {
    const Material& m = pose.materials[i];
    Surface& s = surfaces_[i];
    s.material = &m;
    s.is_white = m.color == Vec4{1, 1, 1, 1};
    s.lit = !m.unlit;
    s.traits = read_console_material(m);
    if (m.texture == k_none) continue;
    s.texture = &scene.textures[m.texture];
    const Image& image = scene.images[s.texture->image];
    s.picture_times = s.traits.texels_times;
    // A brightened picture may have lost its brightest colours, so the console's own colours are better.
    if (look == ShadingStyle::psx && !s.traits.colors.empty() && s.traits.colors.size() == image.palette.size()) {
      s.picture_times = 1;
      for (const u16 word : s.traits.colors) s.own_colors.push_back(psx::rgb555_to_rgba(word));
    }
    if (image.pixels.empty()) continue;
    const auto& colors = s.own_colors.empty() ? image.palette : s.own_colors;
    s.picture = {i32(image.width), i32(image.height), image.pixels.data(), colors.empty() ? nullptr : colors.data()};
    // Scales, then rotates, then translates (KHR_texture_transform).
    const TextureTransform& t = m.transform;
    const f64 c = elementary::cos(f64(t.rotation)), d = elementary::sin(f64(t.rotation));
    const f64 rows[6] = {c * t.scale[0], d * t.scale[1], t.offset[0], -d * t.scale[0], c * t.scale[1], t.offset[1]};
    for (size_t k = 0; k < 6; ++k) s.transform[k] = f32(rows[k]);
  }
}

Rgba nearest_texel(const Surface& s, f32 u, f32 v) {
  const Picture& p = s.picture;
  const i32 x = wrap_texel_coordinate(floor_to_integer(u * f32(p.width)), p.width, s.texture->wrap_u);
  const i32 y = wrap_texel_coordinate(floor_to_integer(v * f32(p.height)), p.height, s.texture->wrap_v);
  return p.at(x, y);
}

Vec4 bilinear_texel(const Surface& s, f32 u, f32 v) {
  const Picture& p = s.picture;
  const f32 x = u * f32(p.width) - 0.5f, y = v * f32(p.height) - 0.5f;
  const i32 left = floor_to_integer(x), top = floor_to_integer(y);
  const f32 part_x = cut(x - f32(left), 1), part_y = cut(y - f32(top), 1);
  Vec4 out{0, 0, 0, 0};
  for (i32 j = 0; j < 2; ++j)
    for (i32 i = 0; i < 2; ++i) {
      const Rgba t = p.at(wrap_texel_coordinate(left + i, p.width, s.texture->wrap_u),
                          wrap_texel_coordinate(top + j, p.height, s.texture->wrap_v));
      const f32 weight = (i ? part_x : 1 - part_x) * (j ? part_y : 1 - part_y);
      for (size_t c = 0; c < 3; ++c) out[c] += weight * to_linear(t[c]);
      out[3] += weight * f32(t[3]) * (1.0f / 255.0f);
    }
  return out;
}

}  // namespace dio::raster
