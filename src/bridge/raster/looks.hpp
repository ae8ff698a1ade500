// looks.hpp: how a console draws: what its hardware reads of a scene besides shapes, colours and textures.
#pragma once
#include <array>
#include <optional>
#include <string_view>
#include <vector>

#include "scene/scene.hpp"

namespace dio::raster {

enum class Look : u8 {
  plain,  // as modern viewers draw: perspective-correct, colours multiplied in linear light
  ds,     // Nintendo DS
  psx     // PlayStation
};
/// plain, ds, psx.
std::optional<Look> look_named(std::string_view);

/// The console's pixels.
struct ScreenSize {
  u32 width, height;
};
inline constexpr ScreenSize k_ds_screen{256, 192}, k_psx_screen{320, 240};
/// Of one picture: the screen of the console, or what the plain look has.
constexpr ScreenSize usual_size(Look look, ScreenSize plain) {
  return look == Look::ds ? k_ds_screen : look == Look::psx ? k_psx_screen : plain;
}

/// Of a material, from its extras; defaults where they have none.
struct Traits {
  // DS (GBATEK, 3D polygon attributes)
  u8 polygon_id = 0;  // 0 to 63
  bool is_decal = false;
  // PlayStation (psx-spx, GPU texpage attribute)
  u8 semi_transparency = 0;  // 0: B/2 + F/2, 1: B + F, 2: B - F, 3: B + F/4
  bool is_dithered = true;
  f32 texels_times = 1;          // how much brighter the picture is than the texels of the console
  std::vector<u16> colors = {};  // of those texels, one for each palette entry of the picture; empty: not known
};
Traits traits_of(const scene::Material&);

/// Of a scene, from its extras.
struct ScreenEffects {
  /// PlayStation: from none at `near` to nothing else at `far`, by the distance along the view.
  struct Fog {
    std::array<u8, 3> color;
    f32 near, far;
  };
  std::optional<Fog> fog = {};
  /// DS: RGB555 of polygon ids 0 to 7, 8 to 15, ...; none: edges are not marked.
  std::optional<std::array<u16, 8>> edge_colors = {};
};
ScreenEffects effects_of(const scene::Scene&);

}  // namespace dio::raster
