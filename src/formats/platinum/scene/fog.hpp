// fog.hpp: the fog of each weather. It is in the game's code, not in a file: README.md, "The world".
#pragma once
#include <array>
#include <optional>

#include "console/rgb555.hpp"

namespace dio::platinum {

/// Registers of the 3D engine (GBATEK, "DS 3D Toon, Edge, Fog").
struct Fog {
  u16 color;         // RGB555
  u16 offset, step;  // depths, of 0x7FFF at the far plane
};

/// The fog of a weather number of map headers; nothing if it has none. Source: pret/pokeplatinum, ov5_021D5EB8.c.
constexpr std::optional<Fog> find_weather_fog(u32 weather) {
  constexpr auto grey = [](u32 level) { return console::rgb(level, level, level); };
  constexpr auto fog = [](u16 color, int slope, int offset) { return Fog{color, u16(offset), u16(0x400 >> slope)}; };
  constexpr int k_usual = 0x6F6F;
  switch (weather) {
    case 2:
    case 5:
      return fog(grey(26), 3, k_usual + 0x300);
    case 3:
    case 4:
      return fog(grey(26), 3, k_usual);
    case 6:
      return fog(grey(24), 3, k_usual - 0x200);
    case 7:
      return fog(grey(24), 3, k_usual - 0x400);
    case 8:
      return fog(grey(31), 5, k_usual + 0xAA0);
    case 9:
      return fog(console::rgb(20, 20, 14), 3, k_usual - 0x40);
    case 10:
      return fog(console::rgb(26, 20, 5), 3, 28399);
    case 11:
      return fog(grey(26), 3, k_usual + 0x200);
    case 14:
      return fog(grey(31), 6, 30037);
    case 15:
      return fog(grey(0), 7, 30287);
    default:
      return {};
  }
}

/// The fog density at 32 depths, out of 128, after the weather has faded in.
constexpr std::array<u8, 32> fog_densities() {
  std::array<u8, 32> out{};
  for (u8 i = 0; i < 32; ++i) out[i] = u8(i * 4);
  return out;
}

}  // namespace dio::platinum
