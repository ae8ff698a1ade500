// light.hpp: the light of an area at a time of day. Specification: README.md, "The world".
#pragma once
#include <array>
#include <span>

#include "console/rgb555.hpp"
#include "formats/nitro/scene/builder.hpp"
#include "formats/platinum/layout/tables.hpp"

namespace dio::platinum {

/// The index of the active block of a light file: the first that ends later, or else the first. Seconds since midnight;
/// `blocks` is not empty.
size_t light_block_at(std::span<const LightBlock> blocks, u32 seconds);

/// Morning, day, evening and night of HeartGold and SoulSilver, 0 to 3. Source: pokeheartgold, gf_rtc.c.
constexpr size_t time_of_day(u32 seconds) {
  const u32 hour = seconds / 3600;
  return hour < 4 ? 3 : hour < 10 ? 0 : hour < 17 ? 1 : hour < 20 ? 2 : 3;
}

/// The colours that the game gives all materials under open sky.
struct MaterialPaint {
  u16 diffuse, ambient, specular, emission;  // RGB555
};

/// Whether an area is outdoors, by its light set.
constexpr bool is_open_sky(u32 light_set) { return light_set == 0 || light_set == 3; }
/// Edge marking colours (RGB555) for polygon IDs 0 to 7, 8 to 15, ...: dark grey; indoors, the first is black. Source:
/// pret/pokeplatinum, area_data.c.
constexpr std::array<u16, 8> edge_colors(u32 light_set) {
  constexpr u16 k_dark_grey = console::rgb(4, 4, 4);
  std::array<u16, 8> out{};
  out.fill(k_dark_grey);
  if (!is_open_sky(light_set)) out[0] = 0;
  return out;
}

/// The light that the game sets for the maps of an area.
struct MapLight {
  nitro::Lighting lighting;
  std::optional<MaterialPaint> paint;  // only for light sets 0 and 3
};
/// `pitch`: camera pitch in degrees below the horizon.
MapLight compute_map_light(const LightBlock&, u32 light_set, f64 pitch);

void apply_material_paint(nitro::Model&, const MaterialPaint&);

}  // namespace dio::platinum
