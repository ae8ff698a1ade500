// shading_style.hpp: how a console draws: what its hardware reads of a scene besides shapes, colours and textures.
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
  plain,  // as modern viewers draw: perspective-correct, colours multiplied in linear light
  ds,     // Nintendo DS
  psx     // PlayStation
};
/// plain, ds, psx.
std::optional<ShadingStyle> parse_shading_style(std::string_view);

/// The console's pixels.
struct ScreenSize {
  u32 width, height;
};
inline constexpr ScreenSize k_ds_screen{256, 192}, k_psx_screen{320, 240};
/// Of one picture: the screen of the console, or what the plain look has.
constexpr ScreenSize default_screen_size(ShadingStyle look, ScreenSize plain) {
  return look == ShadingStyle::ds ? k_ds_screen : look == ShadingStyle::psx ? k_psx_screen : plain;
}

/// How a polygon of the DS mixes its texels and its colour, or what it is instead of a surface.
enum class PolygonMode : u8 { modulation, decal, toon, shadow };

/// Of a material, from its extras; defaults where they have none.
struct ConsoleMaterial {
  // DS (GBATEK, 3D polygon attributes)
  u8 polygon_id = 0;  // 0 to 63
  PolygonMode mode = PolygonMode::modulation;
  bool is_foggy = false;
  /// The mask of a shadow: not seen, but what it hides is where the shadow falls.
  bool is_mask() const { return mode == PolygonMode::shadow && polygon_id == 0; }
  // PlayStation (psx-spx, GPU texpage attribute)
  u8 semi_transparency = 0;  // 0: B/2 + F/2, 1: B + F, 2: B - F, 3: B + F/4
  bool is_dithered = true;
  f32 texels_times = 1;          // how much brighter the picture is than the texels of the console
  std::vector<u16> colors = {};  // of those texels, one for each palette entry of the picture; empty: not known
};
ConsoleMaterial read_console_material(const scene::Material&);

/// Of a scene, from its extras.
struct ScreenEffects {
  /// From none at `near` to nothing else at `far`, by the distance along the view; not in the look of the DS.
  struct Fog {
    std::array<u8, 3> color;
    f32 near, far;
    /// 0 for none, 1 for nothing else.
    f32 at(f32 distance) const {
      const f32 part = (distance - near) / (far - near);
      return part > 0 ? std::min(part, 1.0f) : 0;
    }
  };
  std::optional<Fog> fog = {};
  /// DS: RGB555 of polygon ids 0 to 7, 8 to 15, ...; none: edges are not marked.
  std::optional<std::array<u16, 8>> edge_colors = {};
  /// DS: RGB555 of toon polygons, by the red of their vertices. Programs set them; where the scene has none, each
  /// level is the grey of that level.
  std::array<u16, 32> toon_colors = grey_levels();
  bool is_highlight = false;  // toon polygons add them to what they modulate
  /// DS: how much fog there is at 32 depths, 127 for nothing else, the first at `offset` + `step`, of 0x7FFF at the far
  /// plane.
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
