// checks_colours.cpp: palettes and lights.
#include "formats/fft/check/checks.hpp"

namespace dio::fft {

namespace {

using enum Severity;
constexpr Rule k_color_rules[] = {
    {"fft.palette-transparent", hint, "colour 0 of a palette in use is 0x0000, and no colour is 0x8000",
     "Only the word 0 is not drawn: elsewhere what is meant to be empty is filled. 0x8000 is black that is drawn, "
     "easily taken for it.",
     "specification 5, palette-transparent: source document"},
    {"fft.gray-mismatch", warning, "the colours of the gray palettes are gray",
     "They are what highlighted tiles are drawn with, tinted: other colours spoil the tint.",
     "specification 5, gray-mismatch: source document"},
    {"fft.lights", hint, "the colours of lights are 0 to 2047, and lights that shine have a direction",
     "From 2048 on the texture is as bright as it can be before the light shines straight on it; a quarter of the "
     "game's are so. Below 0 a light darkens. One without a direction shines nowhere, one without a colour not at all.",
     "specification 5, lights: own, 1,575 real files", Severities{warning}},
};

constexpr i16 k_full = 2048;  // draws the texture as it is

void check_palettes(MeshCheck& c) {
  const Mesh& m = c.mesh;
  if (m.palettes) {
    std::array<bool, 64> used{};
    for (const NamedMesh& mesh : meshes_of(m))
      each_textured(mesh, [&](const auto& p, auto) {
        if (p.image == k_map_image) used[p.palette] = true;
      });
    Tally filled, black;
    for (size_t row = 0; row < m.palettes->rows.size(); ++row) {
      const Palette& colors = m.palettes->rows[row];
      const auto path = [&](size_t i) { return text("palettes.rows[", row, "][", i, "]"); };
      if (used[row] && !colors[0].is_clear())
        filled.add([&] { return path(0); }, [] { return "a colour that is drawn"; });
      for (size_t i = 0; i < colors.size(); ++i)
        if (const Color& k = colors[i]; k.stp && !(k.red | k.green | k.blue))
          black.add([&] { return path(i); }, [] { return "0x8000: black that is drawn"; });
    }
    filled.report(hint, c, "fft.palette-transparent", {.expected = "0x0000: not drawn"});
    black.report(hint, c, "fft.palette-transparent", {.expected = "0x0000 for what is not drawn, or another black"});
  }
  if (m.gray_palettes) {
    Tally colored;
    for (size_t row = 0; row < m.gray_palettes->rows.size(); ++row)
      for (size_t i = 0; i < m.gray_palettes->rows[row].size(); ++i)
        if (const Color& k = m.gray_palettes->rows[row][i]; k.red != k.green || k.green != k.blue)
          colored.add([&] { return text("gray_palettes.rows[", row, "][", i, "]"); },
                      [&] { return text("red ", k.red, ", green ", k.green, ", blue ", k.blue); });
    colored.report(warning, c, "fft.gray-mismatch", {.expected = "red, green and blue alike"});
  }
}

void check_lights(MeshCheck& c) {
  if (!c.mesh.lights) return;
  const Lights& l = *c.mesh.lights;
  Tally bright, dark, nowhere, off;
  const std::pair<std::string_view, const std::array<fx16, 3>*> channels[] = {
      {"red", &l.red}, {"green", &l.green}, {"blue", &l.blue}};
  for (const auto& [name, values] : channels)
    for (size_t i = 0; i < values->size(); ++i) {
      const i16 raw = (*values)[i].raw;
      const auto path = [&] { return text("lights.", name, "[", i, "]"); };
      const auto found = [&] { return text((*values)[i].value(), " (", raw, ")"); };
      if (raw >= k_full) bright.add(path, found);
      if (raw < 0) dark.add(path, found);
    }
  for (size_t i = 0; i < l.directions.size(); ++i) {
    const bool shines = l.red[i].raw || l.green[i].raw || l.blue[i].raw;
    const bool has_direction = l.directions[i] != Normal{};
    const auto path = [&] { return text("lights.directions[", i, "]"); };
    if (shines && !has_direction) nowhere.add(path, [&] { return text("no direction for light ", i + 1); });
    if (!shines && has_direction)
      off.add(path, [&] { return text("a direction for light ", i + 1, ", which is black"); });
  }
  bright.report(hint, c, "fft.lights", {.expected = "below 0.5 (2048)"});
  dark.report(warning, c, "fft.lights", {.expected = "0 or more"});
  nowhere.report(warning, c, "fft.lights", {.expected = "a direction, or black"});
  off.report(hint, c, "fft.lights", {.expected = "a colour, or no direction"});
}

void check_colors(MeshCheck& c) {
  check_palettes(c);
  check_lights(c);
}

}  // namespace

constinit const Topic k_color_checks{k_color_rules, check_colors};

}  // namespace dio::fft
