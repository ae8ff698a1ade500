// shading_style.hpp: the look of a console: the data that its hardware uses besides shapes, colours and textures.
#pragma once
#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <vector>

#include "console/rgb555.hpp"
#include "scene/scene.hpp"

namespace dio::raster {

enum class ShadingStyle : u8 {
  plain,  // like modern viewers: perspective-correct, colours multiplied in linear light
  ds,     // Nintendo DS
  psx     // PlayStation
};
/// plain, ds, psx.
std::optional<ShadingStyle> parse_shading_style(std::string_view);

/// The pixels of the console.
struct ScreenSize {
  u32 width, height;
};
inline constexpr ScreenSize k_ds_screen{256, 192}, k_psx_screen{320, 240};
/// For one picture: the screen of the console, or the settings of the plain look.
constexpr ScreenSize default_screen_size(ShadingStyle look, ScreenSize plain) {
  return look == ShadingStyle::ds ? k_ds_screen : look == ShadingStyle::psx ? k_psx_screen : plain;
}

/// How a DS polygon combines its texels and its colour, or its special purpose.
enum class PolygonMode : u8 { modulation, decal, toon, shadow };

/// For a material, from its extras; missing values have defaults.
struct ConsoleMaterial {
  // DS (GBATEK, 3D polygon attributes)
  u8 polygon_id = 0;  // 0 to 63
  PolygonMode mode = PolygonMode::modulation;
  bool is_foggy = false;
  /// The mask of a shadow: invisible, but the shadow falls on the surfaces that it hides.
  bool is_mask() const { return mode == PolygonMode::shadow && polygon_id == 0; }
  // PlayStation (psx-spx, GPU texpage attribute)
  u8 semi_transparency = 0;  // 0: B/2 + F/2, 1: B + F, 2: B - F, 3: B + F/4
  bool is_dithered = true;
  f32 texels_times = 1;          // brightness of the picture relative to the texels of the console
  std::vector<u16> colors = {};  // of those texels, one for each palette entry of the picture; empty: unknown
};
ConsoleMaterial read_console_material(const scene::Material&);

/// For a scene, from its extras.
struct ScreenEffects {
  /// From no fog at `near` to full fog at `far`, by the distance along the view; not in the DS look.
  struct Fog {
    std::array<u8, 3> color;
    f32 near, far;
    /// 0 for no fog, 1 for fog only.
    f32 at(f32 distance) const {
      const f32 part = (distance - near) / (far - near);
      return part > 0 ? std::min(part, 1.0f) : 0;
    }
  };
  std::optional<Fog> fog = {};
  /// DS: RGB555 for polygon ids 0 to 7, 8 to 15, ...; none: edges are not marked.
  std::optional<std::array<u16, 8>> edge_colors = {};
  /// DS: RGB555 for toon polygons, by the red of their vertices. Programs set them; if the scene has none, each level
  /// is the grey of that level.
  std::array<u16, 32> toon_colors = grey_levels();
  bool is_highlight = false;  // toon polygons add the colours to the modulated ones
  /// DS: fog density at 32 depths, 127 for full fog, the first at `offset` + `step`; 0x7FFF is the far plane.
  struct FogTable {
    u16 color;  // RGB555
    u8 alpha;   // 0 to 31
    u16 offset, step;
    std::array<u8, 32> densities;
  };
  std::optional<FogTable> fog_table = {};

  static constexpr std::array<u16, 32> grey_levels() {
    std::array<u16, 32> out{};
    for (u16 i = 0; i < 32; ++i) out[i] = console::rgb(i, i, i);
    return out;
  }
};
ScreenEffects read_screen_effects(const scene::Scene&);

}  // namespace dio::raster
