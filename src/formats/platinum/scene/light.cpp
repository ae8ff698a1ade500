#include "formats/platinum/scene/light.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "console/rgb555.hpp"
#include "core/elementary.hpp"

namespace dio::platinum {
namespace {

/// Shifts the channels together without masking, like the game: a value above 31 spills into the next channel.
u16 rgb555(i32 red, i32 green, i32 blue) { return console::rgb(u32(red), u32(green), u32(blue)) & 0x7FFF; }
u16 rgb555(const LightColor& c) { return rgb555(c.red, c.green, c.blue); }

f64 component(i32 x) { return std::clamp(x, -4096, 4096) / 4096.0; }

}  // namespace

size_t light_block_at(std::span<const LightBlock> blocks, u32 seconds) {
  const i64 now = seconds / k_seconds_per_light_time;
  const auto block = std::find_if(blocks.begin(), blocks.end(), [&](const LightBlock& b) { return b.end_time > now; });
  return block == blocks.end() ? 0 : size_t(block - blocks.begin());
}

MapLight compute_map_light(const LightBlock& b, u32 light_set, f64 pitch) {
  MapLight out;
  for (size_t i = 0; i < b.lights.size(); ++i) {
    const LightLine& l = b.lights[i];
    out.lighting.lights[i] = {.on = l.enabled == 1,
                              .direction = {component(l.x), component(l.y), component(l.z)},
                              .color = rgb555(l.red, l.green, l.blue)};
  }
  const f64 angle = pitch * std::numbers::pi / 180;
  out.lighting.sight = {0, -elementary::sin(angle), -elementary::cos(angle)};
  if (is_open_sky(light_set))
    out.paint = MaterialPaint{rgb555(b.diffuse), rgb555(b.ambient), rgb555(b.specular), rgb555(b.emission)};
  return out;
}

void apply_material_paint(nitro::Model& model, const MaterialPaint& p) {
  for (nitro::Material& m : model.materials) {
    m.diffuse = p.diffuse, m.ambient = p.ambient;
    m.specular = p.specular, m.emission = p.emission;
  }
}

}  // namespace dio::platinum
