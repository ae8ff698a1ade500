// texture_animation_player.hpp: the texels or palette that a row of texture animations shows at a time. Sources:
// README.md, "Texture animation".
#pragma once
#include <optional>
#include <vector>

#include "formats/fft/layout/mesh.hpp"

namespace dio::fft {

inline constexpr i32 k_page_units = 64;  // width of a page in VRAM, in 16-bit units
inline constexpr i32 k_unit_texels = 4;  // texels in a unit
inline constexpr u8 k_palette_frames = 16;

/// The target of a row of texture animations, and its movement, by mode.
struct TextureMotionKind {
  enum class TextureMotionTarget : u8 {
    none,      // an unused row: all bytes are 0
    off,       // mode 0: the game skips it
    texels,    // copies texels from elsewhere in the texture
    palette,   // replaces a palette by palette frames
    polygons,  // mode 0x1D: its effect is unknown
    unknown    // a mode that the game ignores
  } what = TextureMotionTarget::none;
  enum class TextureMotionLoop : u8 { still, loop, to_and_fro, once, once_backwards } way = TextureMotionLoop::still;
  bool on_trigger = false;    // it waits for a UseFieldObject command of an event script
  bool running_back = false;  // modes 0x80 to 0x82, which the game uses while a row runs backwards
  bool operator==(const TextureMotionKind&) const = default;
  constexpr bool shows_frames() const {
    return what == TextureMotionTarget::texels || what == TextureMotionTarget::palette;
  }
};
TextureMotionKind decode_texture_motion(const TextureAnimation&);

/// A rectangle of VRAM: x and width in 16-bit units of four texels.
struct VramRect {
  i32 x, y, width, height;
  bool operator==(const VramRect&) const = default;
};
/// A rectangle of a texture page, in texels. The right and bottom edges are exclusive.
struct TexelRect {
  u32 page, u, v, width, height;
  bool operator==(const TexelRect&) const = default;
  /// The row of the top left texel in the whole texture, 256 wide and 1024 high.
  constexpr u32 texture_v() const { return page * k_page_texels + v; }
};
/// Nothing if it is empty or not within one page of the map's texture.
std::optional<TexelRect> to_texel_rect(const VramRect&);

/// The rectangle that texels are copied to.
constexpr VramRect canvas_rect(const TextureAnimation& r) { return {r.canvas_x, r.canvas_y, r.width, r.height}; }
/// The `frame_count` frames of a row of texels in VRAM, from left to right. If the right edge of one would pass the
/// start of the page + 63 units, it is at the start + 2 (u = 8), one height lower.
std::vector<VramRect> compute_frame_rects(const TextureAnimation&);

/// The palette replaced by a palette row; nothing if it is not one of the map's 16.
constexpr std::optional<u8> replaced_palette(const TextureAnimation& r) {
  if (r.canvas_x < 0 || r.canvas_x / 16 > 15) return {};
  return u8(r.canvas_x / 16);
}
/// The palette frame loaded by frame k of a palette row; nothing if it is not one of the 16.
constexpr std::optional<u8> palette_frame(const TextureAnimation& r, u32 k) {
  const i64 at = i64(r.frame_x) + k;
  if (at < 0 || at >= k_palette_frames) return {};
  return u8(at);
}

/// A running row, stepped as in the game.
class TextureMotionRun {
 public:
  /// The state after loading, with the frame of the file and the timer at 0; rows that wait for a trigger have just
  /// received it. A row with one frame or none never moves (the game would count below 0).
  explicit TextureMotionRun(const TextureAnimation&);
  /// One tick. In modes 1 and 3, a frame lasts `duration` ticks, at least one; in the others one more, because their
  /// timer must exceed it (it is a byte: a duration of 255 never ends).
  void tick();
  u8 frame() const { return frame_; }
  bool is_running() const { return running_; }
  bool operator==(const TextureMotionRun&) const = default;

 private:
  void handle_first_or_last_frame();
  TextureMotionKind kind_;
  u8 count_, duration_, frame_, timer_ = 0;
  bool back_, running_ = false;
};

/// The frames of a row over time.
struct FrameWalk {
  struct Step {
    u32 tick;
    u8 frame;
    bool operator==(const Step&) const = default;
  };
  std::vector<Step> steps;  // when each frame starts, the first at tick 0; empty: the row shows nothing
  u32 ticks = 0;            // of a period, or of a run whose last frame has the same length as the others
  bool loops = false;
  /// The frame at a tick; after a run, its last one. There must be steps.
  u8 at(u64 tick) const;
};
/// The steps of a row that shows frames, from tick 0 of the map or of the trigger. A row that never leaves its frame
/// has one step and does not loop.
FrameWalk build_frame_walk(const TextureAnimation&);

}  // namespace dio::fft
