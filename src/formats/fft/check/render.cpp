// render.cpp: the table of render properties.
#include "formats/fft/check/checks.hpp"

namespace dio::fft {

namespace {

using enum Severity;
constexpr Rule k_render_rules[] = {
    {"fft.render-header", warning, "the first 896 bytes of the render properties match those in the game's files",
     "The first 896 bytes are the same in all 159 files of the game that have render properties. The game does not "
     "read these bytes, but tools may use them to recognise render properties.",
     "Copy the first 896 bytes of the render properties from another file of the game.",
     "measured on the game's 1,575 files; diorama's own rule"},
    {"fft.render-missing", warning, "a file with polygons has render properties",
     "Ten files of the game have polygons but no render properties. It is unknown how the game lights and hides "
     "polygons without render properties.",
     "Copy the render properties of a similar file of the game.", "measured on the game's 1,575 files"},
    {"fft.render-unused", hint, "unused slots of the render property table contain 0x8000",
     "In the game's files, 171,626 of 172,488 unused slots contain 0x8000. If an unused slot has another value, the "
     "value may be left over from a polygon that an editor moved.",
     "Set the unused slot to 0x8000.", "measured on the game's 1,575 files"},
    {"fft.render-hidden", warning, "every polygon is visible from at least one of the twelve camera directions",
     "The game never draws a polygon that is hidden from every camera direction.",
     "Make the polygon visible with {edit FILE set-polygons hidden-from=0}, or remove the polygon.",
     "the map editor Ganesha"},
};

constexpr u16 k_all_directions = 0xFFF;

void check_render(MeshCheck& c) {
  const Mesh& m = c.mesh;
  if (!m.render_properties) {
    if (m.primary)
      c.report("fft.render-missing", "primary",
               {.message = "the file has polygons but no render properties (pointer at 0xB0)"});
    return;
  }
  const RenderProperties& r = *m.render_properties;
  if (const auto [found, known] = std::ranges::mismatch(r.head, k_render_head); found != r.head.end())
    c.report("fft.render-header", "render_properties.head",
             {.message = text("byte ", found - r.head.begin(), " of the render properties is ", format_hex(*found, 2),
                              "; it must be ", format_hex(*known, 2))});
  Tally unused, hidden;
  const auto slots = [&](std::string_view name, const std::vector<RenderWord>& words) {
    for (size_t i = 0; i < words.size(); ++i)
      if (words[i] != k_plain_render)
        unused.add([&] { return text("render_properties.unused_", name, "[", i, "]"); },
                   [] { return "no polygon uses this slot, so the slot should contain 0x8000"; });
  };
  slots("textured_triangles", r.unused_textured_triangles);
  slots("textured_quads", r.unused_textured_quads);
  slots("untextured_triangles", r.unused_untextured_triangles);
  slots("untextured_quads", r.unused_untextured_quads);
  if (m.primary)
    for_each_polygon_kind([&](std::string_view name, auto kind, size_t, size_t with_word, size_t) {
      const auto& polygons = (*m.primary).*kind;
      for (size_t i = 0; i < std::min(polygons.size(), with_word); ++i)
        if (polygons[i].render.hidden_from == k_all_directions)
          hidden.add([&] { return text("primary.", name, "[", i, "].render"); },
                     [] { return "the polygon is hidden from all twelve camera directions"; });
    });
  unused.report(hint, c, "fft.render-unused");
  hidden.report(warning, c, "fft.render-hidden",
                "make the polygon visible from at least one camera direction, or remove the polygon");
}

}  // namespace

constinit const Topic k_render_checks{k_render_rules, check_render};

}  // namespace dio::fft
