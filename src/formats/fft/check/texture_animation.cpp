// texture_animation.cpp: texels that are copied over others, and palettes over palettes.
#include "formats/fft/check/checks.hpp"
#include "formats/fft/scene/texture_motion_played.hpp"

namespace dio::fft {

namespace {

using enum Severity;
constexpr Rule k_texture_animation_rules[] = {
    {"fft.texanim-mode", error, "the mode of a texture animation is 0 to 0x1D",
     "The game does nothing with others. 0x80 to 0x82 it sets itself while an animation is on its way back: in a file "
     "it would start so.",
     "specification 5, texanim-mode: decompilation", Severities{warning}},
    {"fft.texanim-rect", error,
     "canvas and frames lie in the texture of the map: columns 0x300 to 0x3FF, rows 0 to 255",
     "The game copies from, or over, what else is in video memory. A canvas that lies on frames of its own spoils "
     "them.",
     "specification 5, texanim-rect: decompilation", Severities{warning}},
    {"fft.texanim-kind", error, "the mode fits the canvas: texels in the texture, palettes in row 480",
     "The game copies texels over palettes, or looks for a palette behind the last one.",
     "specification 5, texanim-kind: decompilation, source document"},
    {"fft.texanim-palette", error, "palette animations replace palettes 0 to 15 with palette frames 0 to 15",
     "The game reads behind the frames, or, where the map has none, those of the map before.",
     "specification 5, texanim-palette: decompilation"},
    {"fft.texanim-count", error, "a texture animation has frames, and at least 2 if it loops",
     "The game counts down from the number of frames less 1 or 2, below 0. With a duration of 0 it shows another frame "
     "each time it draws.",
     "specification 5, texanim-count: decompilation", Severities{warning}},
};

constexpr VramRect k_texture{k_vram_pages, 0, i32(k_pages) * k_page_units, i32(k_page_texels)};

bool is_in_texture(const VramRect& r) {
  return r.width > 0 && r.height > 0 && r.x >= k_texture.x && r.x + r.width <= k_texture.x + k_texture.width &&
         r.y >= k_texture.y && r.y + r.height <= k_texture.y + k_texture.height;
}
bool overlap(const VramRect& a, const VramRect& b) {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}
std::string rect_text(const VramRect& r) {
  return text(r.width, " x ", r.height, " at ", r.x < 0 ? text(r.x) : hex_number(u64(r.x)), ", ", r.y);
}

void check_texels(Reporter& r, const TextureAnimation& a, const std::string& row) {
  constexpr std::string_view k_inside = "columns 0x300 to 0x3FF, rows 0 to 255";
  const VramRect canvas = canvas_of(a);
  if (a.canvas_y == k_vram_palettes) {
    r.report("fft.texanim-kind", row + ".canvas_y",
             {.expected = "a row of the texture, 0 to 255, or the mode of a palette",
              .found = "texels in row 480, that of the palettes"});
    return;
  }
  if (!is_in_texture(canvas))
    return r.report("fft.texanim-rect", row + ".canvas_x",
                    {.expected = std::string(k_inside), .found = rect_text(canvas)});
  const auto frames = frames_of(a);
  for (size_t k = 0; k < frames.size(); ++k)
    if (!is_in_texture(frames[k]))
      return r.report("fft.texanim-rect", row + ".frame_x",
                      {.expected = std::string(k_inside), .found = text("frame ", k, ": ", rect_text(frames[k]))});
  for (size_t k = 0; k < frames.size(); ++k)
    if (overlap(canvas, frames[k]))
      return r.report(warning, "fft.texanim-rect", row + ".frame_x",
                      {.expected = "frames beside the canvas",
                       .found = text("frame ", k, ", ", rect_text(frames[k]), ", under the canvas")});
}

void check_palette(Reporter& r, const TextureAnimation& a, const std::string& row) {
  if (a.canvas_x >= k_vram_pages)
    return r.report("fft.texanim-kind", row + ".canvas_x",
                    {.expected = "16 times the palette, 0 to 0xF0, or the mode of texels",
                     .found = text("a palette at ", hex_number(u64(a.canvas_x)))});
  if (!palette_of(a))
    r.report("fft.texanim-palette", row + ".canvas_x",
             {.expected = "16 times the palette, 0 to 240", .found = text(a.canvas_x)});
  if (a.frame_x < 0 || a.frame_x + a.frame_count > k_palette_frames)
    r.report("fft.texanim-palette", row + ".frame_x",
             {.expected = "0 to 15", .found = text("frames ", a.frame_x, " to ", a.frame_x + a.frame_count - 1)});
}

void check_row(Reporter& r, const TextureAnimation& a, const std::string& row) {
  using Kind = TextureMotionKind;
  const Kind kind = kind_of(a);
  if (kind.what == Kind::What::unknown || kind.running_back)
    r.report(kind.running_back ? warning : error, "fft.texanim-mode", row + ".mode",
             {.expected = "0 to 0x1D", .found = hex_number(a.mode, 2)});
  if (!kind.shows_frames()) return;
  const bool is_loop = kind.way == Kind::Way::loop || kind.way == Kind::Way::to_and_fro;
  if (a.frame_count < (is_loop ? 2 : 1))
    r.report("fft.texanim-count", row + ".frame_count",
             {.expected = is_loop ? "at least 2" : "at least 1", .found = text(a.frame_count)});
  if (a.duration == 0)
    r.report(warning, "fft.texanim-count", row + ".duration", {.expected = "at least 1", .found = "0"});
  kind.what == Kind::What::texels ? check_texels(r, a, row) : check_palette(r, a, row);
}

void check_texture_animations(MeshCheck& c) {
  if (!c.mesh.texture_animations) return;
  const auto& rows = c.mesh.texture_animations->rows;
  for (size_t i = 0; i < rows.size(); ++i) check_row(c, rows[i], text("texture_animations.rows[", i, "]"));
}

}  // namespace

constinit const Topic k_texture_animation_checks{k_texture_animation_rules, check_texture_animations};

}  // namespace dio::fft
