#include "bridge/raster/shading_style.hpp"

#include <algorithm>
#include <cmath>

#include "console/psx/gpu.hpp"
#include "scene/extras.hpp"

namespace dio::raster {

using namespace scene;

std::optional<ShadingStyle> parse_shading_style(std::string_view name) {
  if (name == "plain") return ShadingStyle::plain;
  if (name == "ds") return ShadingStyle::ds;
  if (name == "psx") return ShadingStyle::psx;
  return {};
}

namespace {

/// A list of N numbers from 0 to `most`.
template <class T, size_t N>
std::optional<std::array<T, N>> read_clamped_integers(const Value& extras, const char* name, f64 most) {
  const auto numbers = read_number_list_extra(extras, name, N);
  if (!numbers) return {};
  std::array<T, N> out{};
  for (size_t i = 0; i < N; ++i) out[i] = T(std::clamp((*numbers)[i], 0.0, most));
  return out;
}

}  // namespace

ConsoleMaterial read_console_material(const Material& m) {
  ConsoleMaterial out;
  if (const auto id = read_number_extra(m.extras, "polygon_id"); id && *id >= 0 && *id < 64) out.polygon_id = u8(*id);
  constexpr std::string_view k_modes[] = {"modulation", "decal", "toon", "shadow"};
  const auto mode = read_text_extra(m.extras, "polygon_mode");
  for (size_t i = 0; i < std::size(k_modes); ++i)
    if (mode == k_modes[i]) out.mode = PolygonMode(i);
  out.is_foggy = read_flag_extra(m.extras, "fog").value_or(false);
  if (const auto page = read_number_extra(m.extras, "page"); page && *page >= 0 && *page <= 0xFFFF) {
    const psx::TexturePage word = psx::TexturePage::from_word(u16(*page));
    out.semi_transparency = word.semi_transparency;
    out.is_dithered = word.dithered;
  }
  if (const auto times = read_number_extra(m.extras, "texels_times"); times && *times >= 1 && *times <= 2)
    out.texels_times = f32(*times);
  out.colors = read_u16_list_extra(m.extras, "colors");
  return out;
}

ScreenEffects read_screen_effects(const Scene& scene) {
  ScreenEffects out;
  out.edge_colors = read_clamped_integers<u16, 8>(scene.extras, "edge_colors", 0x7FFF);
  out.toon_colors = read_clamped_integers<u16, 32>(scene.extras, "toon_colors", 0x7FFF).value_or(out.toon_colors);
  out.is_highlight = read_text_extra(scene.extras, "toon_shading") == "highlight";
  if (const Value* table = scene.extras.find("fog_table"))
    if (const auto densities = read_clamped_integers<u8, 32>(*table, "densities", 127)) {
      const auto word = [&](const char* name, f64 most, f64 usual) {
        return u16(std::clamp(read_number_extra(*table, name).value_or(usual), 0.0, most));
      };
      out.fog_table = {.color = word("color", 0x7FFF, 0),
                       .alpha = u8(word("alpha", 31, 31)),
                       .offset = word("offset", 0x7FFF, 0),
                       .step = word("step", 0x400, 0x400),
                       .densities = *densities};
    }
  if (const Value* fog = scene.extras.find("fog"); fog && read_flag_extra(*fog, "enabled").value_or(false)) {
    const auto near = read_number_extra(*fog, "near"), far = read_number_extra(*fog, "far");
    const f32 from = f32(near.value_or(-1)), to = f32(far.value_or(-1));
    if (std::isfinite(to) && 0 <= from && from < to) {
      const auto channel = [&](const char* name) {
        return u8(std::clamp(read_number_extra(*fog, name).value_or(0), 0.0, 255.0));
      };
      out.fog = {{channel("red"), channel("green"), channel("blue")}, from, to};
    }
  }
  return out;
}

}  // namespace dio::raster
