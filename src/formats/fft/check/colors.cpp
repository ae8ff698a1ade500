// colors.cpp: palettes and lights.
#include "formats/fft/check/checks.hpp"
#include "formats/fft/scene/light.hpp"

namespace dio::fft {

namespace {

using enum Severity;
constexpr Rule k_color_rules[] = {
    {"fft.palette-transparent", hint, "in every palette in use, colour 0 is 0x0000, and no colour is 0x8000",
     "Only the colour 0x0000 is transparent. If colour 0 has another value, areas meant to be empty are filled. The "
     "colour 0x8000 is opaque black but easily mistaken for transparent.",
     "Set colour 0 of the palette to 0x0000 with {edit FILE set-palette}, and use 0x8000 only where black should be "
     "opaque.",
     "src/formats/fft/README.md#checks"},
    {"fft.gray-mismatch", warning, "the colours of the gray palettes are gray",
     "The game tints the gray palettes to highlight tiles; colours that are not gray spoil the tint.",
     "In each colour of the gray palettes, set red, green and blue to the same value with {edit FILE set-palette "
     "of=gray_palettes}.",
     "src/formats/fft/README.md#checks"},
    {"fft.lights", hint, "the components of light colours are 0 to 2047, and every light with a colour has a direction",
     "If a colour component is above 2047, the light overexposes polygons even if it hits them at an angle. A quarter "
     "of the game's light colours are above 2047. A light with a negative colour component darkens polygons. A light "
     "without a direction or a colour has no "
     "effect.",
     "Set a direction and colour components below 2048 with {edit FILE set-light}. If the overexposure is intended, "
     "keep the values.",
     "diorama's own rule; measured on the game's 1,575 files", Severities{warning}},
};

constexpr i16 k_full = 2048;  // draws the texture unchanged

/// A colour as stored in the file.
constexpr u16 pack_color(const Color& c) { return u16(c.stp << 15 | c.blue << 10 | c.green << 5 | c.red); }

void check_palettes(MeshCheck& c) {
  const Mesh& m = c.mesh;
  if (m.palettes) {
    std::array<bool, 64> used{};
    for (const NamedMesh& mesh : list_present_meshes(m))
      for_each_textured_polygon(mesh, [&](const auto& p, auto) {
        if (p.image == k_map_image) used[p.palette] = true;
      });
    Tally filled, black;
    for (size_t row = 0; row < m.palettes->rows.size(); ++row) {
      const Palette& colors = m.palettes->rows[row];
      const auto path = [&](size_t i) { return text("palettes.rows[", row, "][", i, "]"); };
      if (used[row] && !colors[0].is_clear())
        filled.add([&] { return path(0); },
                   [&] {
                     return text("colour 0 of a palette in use is ", format_hex(pack_color(colors[0]), 4),
                                 ", not 0x0000 (transparent)");
                   });
      for (size_t i = 0; i < colors.size(); ++i)
        if (const Color& k = colors[i]; k.stp && !(k.red | k.green | k.blue))
          black.add([&] { return path(i); }, [] { return "colour 0x8000 is an opaque black, not transparent"; });
    }
    filled.report(hint, c, "fft.palette-transparent");
    black.report(hint, c, "fft.palette-transparent", "use colour 0x0000 for transparent and 0x0421 for black");
  }
  if (m.gray_palettes) {
    Tally colored;
    for (size_t row = 0; row < m.gray_palettes->rows.size(); ++row)
      for (size_t i = 0; i < m.gray_palettes->rows[row].size(); ++i)
        if (const Color& k = m.gray_palettes->rows[row][i]; k.red != k.green || k.green != k.blue)
          colored.add(
              [&] { return text("gray_palettes.rows[", row, "][", i, "]"); },
              [&] { return text("the colour is not gray (red ", k.red, ", green ", k.green, ", blue ", k.blue, ")"); });
    colored.report(warning, c, "fft.gray-mismatch", "set red, green and blue of the colour to the same value");
  }
}

void check_lights(MeshCheck& c) {
  if (!c.mesh.lights || normals_are_colors(*c.mesh.lights)) return;
  const Lights& l = *c.mesh.lights;
  Tally bright, dark, nowhere, off;
  const std::pair<std::string_view, const std::array<fx16, 3>*> channels[] = {
      {"red", &l.red}, {"green", &l.green}, {"blue", &l.blue}};
  for (const auto& [name, values] : channels)
    for (size_t i = 0; i < values->size(); ++i) {
      const i16 raw = (*values)[i].raw;
      const auto path = [&] { return text("lights.", name, "[", i, "]"); };
      const auto value = [&] { return text((*values)[i].value(), " (raw ", raw, ")"); };
      if (raw >= k_full)
        bright.add(path, [&] {
          return text("the light is too bright: ", name, " is ", value(),
                      "; colours of 0.5 (raw 2048) or more overexpose polygons");
        });
      if (raw < 0) dark.add(path, [&] { return "the light colour " + value() + " is negative and darkens polygons"; });
    }
  for (size_t i = 0; i < l.directions.size(); ++i) {
    const bool shines = l.red[i].raw || l.green[i].raw || l.blue[i].raw;
    const bool has_direction = l.directions[i] != Normal{};
    const auto path = [&] { return text("lights.directions[", i, "]"); };
    if (shines && !has_direction)
      nowhere.add(path, [&] { return text("light ", i + 1, " has a colour but no direction"); });
    if (!shines && has_direction)
      off.add(path, [&] { return text("light ", i + 1, " has a direction, but its colour is black"); });
  }
  bright.report(hint, c, "fft.lights");
  dark.report(warning, c, "fft.lights");
  nowhere.report(warning, c, "fft.lights");
  off.report(hint, c, "fft.lights");
}

void check_colors(MeshCheck& c) {
  check_palettes(c);
  check_lights(c);
}

}  // namespace

constinit const Topic k_color_checks{k_color_rules, check_colors};

}  // namespace dio::fft
