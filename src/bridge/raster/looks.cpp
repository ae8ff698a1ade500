#include "bridge/raster/looks.hpp"

#include <algorithm>
#include <cmath>

#include "console/psx/gpu.hpp"
#include "scene/extras.hpp"

namespace dio::raster {

using namespace scene;

std::optional<Look> look_named(std::string_view name) {
  if (name == "plain") return Look::plain;
  if (name == "ds") return Look::ds;
  if (name == "psx") return Look::psx;
  return {};
}

Traits traits_of(const Material& m) {
  Traits out;
  if (const auto id = number_in(m.extras, "polygon_id"); id && *id >= 0 && *id < 64) out.polygon_id = u8(*id);
  out.is_decal = text_in(m.extras, "polygon_mode") == "decal";
  if (const auto page = number_in(m.extras, "page"); page && *page >= 0 && *page <= 0xFFFF) {
    const psx::TexturePage word = psx::TexturePage::of(u16(*page));
    out.semi_transparency = word.semi_transparency;
    out.is_dithered = word.dithered;
  }
  if (const auto times = number_in(m.extras, "texels_times"); times && *times >= 1 && *times <= 2)
    out.texels_times = f32(*times);
  out.colors = words_in(m.extras, "colors");
  return out;
}

ScreenEffects effects_of(const Scene& scene) {
  ScreenEffects out;
  if (const auto colors = numbers_in(scene.extras, "edge_colors", 8)) {
    std::array<u16, 8> words{};
    for (size_t i = 0; i < words.size(); ++i) words[i] = u16(std::clamp((*colors)[i], 0.0, f64(0x7FFF)));
    out.edge_colors = words;
  }
  if (const Value* fog = scene.extras.find("fog"); fog && flag_in(*fog, "enabled").value_or(false)) {
    const auto near = number_in(*fog, "near"), far = number_in(*fog, "far");
    const f32 from = f32(near.value_or(-1)), to = f32(far.value_or(-1));
    if (std::isfinite(to) && 0 <= from && from < to) {
      const auto channel = [&](const char* name) {
        return u8(std::clamp(number_in(*fog, name).value_or(0), 0.0, 255.0));
      };
      out.fog = {{channel("red"), channel("green"), channel("blue")}, from, to};
    }
  }
  return out;
}

}  // namespace dio::raster
