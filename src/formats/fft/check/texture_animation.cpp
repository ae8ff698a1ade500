// texture_animation.cpp: animations that copy texels over other texels, and palettes over palettes.
#include "formats/fft/check/checks.hpp"
#include "formats/fft/scene/texture_animation_player.hpp"

namespace dio::fft {

namespace {

using enum Severity;
constexpr Rule k_texture_animation_rules[] = {
    {"fft.texanim-mode", error, "the mode of a texture animation is 0x00 to 0x1D",
     "The game ignores a texture animation with an unknown mode. The running game uses modes 0x80 to 0x82 for "
     "animations that play backwards. If the file contains one of these three modes, the animation starts backwards.",
     "Choose another mode for the texture animation with {edit FILE set-animation mode=NAME}.",
     "a decompilation of the game", Severities{warning}},
    {"fft.texanim-rect", error,
     "the canvas (the animated area) and its frames are inside the map texture: VRAM columns 0x300 to 0x3FF, rows 0 to "
     "255",
     "If the canvas or a frame is outside the map texture, the game reads or overwrites VRAM contents that do not "
     "belong to the map. If the canvas overlaps a frame, drawing the canvas overwrites the frame.",
     "Move the canvas and the frames into the map texture with {edit FILE set-animation}.",
     "a decompilation of the game", Severities{warning}},
    {"fft.texanim-kind", error,
     "the mode of a texture animation matches the position of its canvas, which is in the texture for texels and in "
     "CLUT row 480 for palettes",
     "If the mode does not match the canvas, the game copies texels over palettes, or looks for a palette beyond the "
     "last one.",
     "Choose a mode that matches the position of the canvas, or move the canvas.",
     "a decompilation of the game; src/formats/fft/README.md#texture-animation"},
    {"fft.texanim-palette", error, "palette animations replace palettes 0 to 15 with palette frames 0 to 15",
     "If a palette animation uses a palette frame above 15, the game reads past the last frame. If the map has no "
     "palette frames, the game uses the frames of the previous map.",
     "Lower the frame count or the first frame of the palette animation with {edit FILE set-animation}.",
     "a decompilation of the game"},
    {"fft.texanim-count", error,
     "a texture animation has at least 1 frame, or 2 frames if it loops, and a duration of at least 1",
     "The game counts down from the frame count minus 1 (minus 2 in a loop). If the frame count is too small, this "
     "start value is negative. If the duration is 0, the game shows the next frame of the animation each time it draws "
     "the screen.",
     "Set the frame count and the duration of the texture animation with {edit FILE set-animation count=N "
     "duration=TICKS}.",
     "a decompilation of the game", Severities{warning}},
};

constexpr VramRect k_texture{k_vram_pages, 0, i32(k_pages) * k_page_units, i32(k_page_texels)};

bool is_in_texture(const VramRect& r) {
  return r.width > 0 && r.height > 0 && r.x >= k_texture.x && r.x + r.width <= k_texture.x + k_texture.width &&
         r.y >= k_texture.y && r.y + r.height <= k_texture.y + k_texture.height;
}
bool rects_overlap(const VramRect& a, const VramRect& b) {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}
std::string format_rect(const VramRect& r) {
  return text(r.width, " x ", r.height, " at ", r.x < 0 ? text(r.x) : format_hex(u64(r.x)), ", ", r.y);
}

void check_texel_frames(Reporter& r, const TextureAnimation& a, const std::string& row) {
  constexpr std::string_view k_outside =
      " is outside the map texture, which covers columns 0x300 to 0x3FF and rows 0 to 255";
  const VramRect canvas = canvas_rect(a);
  if (a.canvas_y == k_vram_palettes) {
    r.report("fft.texanim-kind", row + ".canvas_y",
             {.message = "the mode animates texels, but the canvas is in row 480, which holds the palettes",
              .hint = "set canvas_y to a row of the texture (0 to 255), or use a palette mode"});
    return;
  }
  if (!is_in_texture(canvas))
    return r.report("fft.texanim-rect", row + ".canvas_x",
                    {.message = text("the canvas (", format_rect(canvas), ")", k_outside)});
  const auto frames = compute_frame_rects(a);
  for (size_t k = 0; k < frames.size(); ++k)
    if (!is_in_texture(frames[k]))
      return r.report("fft.texanim-rect", row + ".frame_x",
                      {.message = text("frame ", k, " (", format_rect(frames[k]), ")", k_outside)});
  for (size_t k = 0; k < frames.size(); ++k)
    if (rects_overlap(canvas, frames[k]))
      return r.report(warning, "fft.texanim-rect", row + ".frame_x",
                      {.message = text("the canvas overlaps frame ", k, " (", format_rect(frames[k]), ")"),
                       .hint = "move the canvas away from the frames"});
}

void check_palette_frames(Reporter& r, const TextureAnimation& a, const std::string& row) {
  if (a.canvas_x >= k_vram_pages)
    return r.report("fft.texanim-kind", row + ".canvas_x",
                    {.message = text("the mode animates a palette, but canvas_x ", format_hex(u64(a.canvas_x)),
                                     " is in the texture"),
                     .hint = "set canvas_x to 16 times the palette number (0 to 0xF0), or use a texel mode"});
  if (!replaced_palette(a))
    r.report("fft.texanim-palette", row + ".canvas_x",
             {.message = text("canvas_x is ", a.canvas_x, "; it must be 16 times the palette number (0 to 240)")});
  if (a.frame_x < 0 || a.frame_x + a.frame_count > k_palette_frames)
    r.report("fft.texanim-palette", row + ".frame_x",
             {.message = text("palette frames ", a.frame_x, " to ", a.frame_x + std::max(1, int(a.frame_count)) - 1,
                              " are out of range (0 to 15)")});
}

void check_row(Reporter& r, const TextureAnimation& a, const std::string& row) {
  using Kind = TextureMotionKind;
  const Kind kind = decode_texture_motion(a);
  if (kind.what == Kind::TextureMotionTarget::unknown || kind.running_back)
    r.report(
        kind.running_back ? warning : error, "fft.texanim-mode", row + ".mode",
        {.message = kind.running_back ? text("mode is ", format_hex(a.mode, 2),
                                             ", which only the running game sets; in a file it must be 0x00 to 0x1D")
                                      : text("mode is ", format_hex(a.mode, 2), "; it must be 0x00 to 0x1D")});
  if (!kind.shows_frames()) return;
  const bool is_loop = kind.way == Kind::TextureMotionLoop::loop || kind.way == Kind::TextureMotionLoop::to_and_fro;
  if (a.frame_count < (is_loop ? 2 : 1))
    r.report(
        "fft.texanim-count", row + ".frame_count",
        {.message = text("frame_count is ", a.frame_count, "; it must be at least ", is_loop ? "2 in a loop" : "1")});
  if (a.duration == 0)
    r.report(warning, "fft.texanim-count", row + ".duration", {.message = "duration is 0; it must be at least 1"});
  kind.what == Kind::TextureMotionTarget::texels ? check_texel_frames(r, a, row) : check_palette_frames(r, a, row);
}

void check_texture_animations(MeshCheck& c) {
  if (!c.mesh.texture_animations) return;
  const auto& rows = c.mesh.texture_animations->rows;
  for (size_t i = 0; i < rows.size(); ++i) check_row(c, rows[i], text("texture_animations.rows[", i, "]"));
}

}  // namespace

constinit const Topic k_texture_animation_checks{k_texture_animation_rules, check_texture_animations};

}  // namespace dio::fft
