#include "formats/fft/scene/texture_animation_player.hpp"

#include <algorithm>

namespace dio::fft {

using TextureMotionTarget = TextureMotionKind::TextureMotionTarget;
using TextureMotionLoop = TextureMotionKind::TextureMotionLoop;

TextureMotionKind decode_texture_motion(const TextureAnimation& r) {
  const u8 m = r.mode;
  if (m == 0)
    return {r == TextureAnimation{} ? TextureMotionTarget::none : TextureMotionTarget::off, TextureMotionLoop::still};
  if (m == 0x01) return {TextureMotionTarget::texels, TextureMotionLoop::loop};
  if (m == 0x02) return {TextureMotionTarget::texels, TextureMotionLoop::to_and_fro};
  if (m == 0x03) return {TextureMotionTarget::palette, TextureMotionLoop::loop};
  if (m == 0x04) return {TextureMotionTarget::palette, TextureMotionLoop::to_and_fro};
  if (m <= 0x0C) return {TextureMotionTarget::texels, TextureMotionLoop::once, true};
  if (m <= 0x14) return {TextureMotionTarget::palette, TextureMotionLoop::once, true};
  if (m <= 0x1C) return {TextureMotionTarget::texels, TextureMotionLoop::once_backwards, true};
  if (m == 0x1D) return {TextureMotionTarget::polygons, TextureMotionLoop::still};
  if (m == 0x80) return {TextureMotionTarget::texels, TextureMotionLoop::to_and_fro, false, true};
  if (m == 0x81) return {TextureMotionTarget::palette, TextureMotionLoop::to_and_fro, false, true};
  if (m == 0x82) return {TextureMotionTarget::texels, TextureMotionLoop::once_backwards, false, true};
  return {TextureMotionTarget::unknown, TextureMotionLoop::still};
}

std::optional<TexelRect> to_texel_rect(const VramRect& r) {
  const i32 x = r.x - k_vram_pages;
  if (r.width <= 0 || r.height <= 0 || x < 0 || r.y < 0) return {};
  const i32 page = x / k_page_units, left = x % k_page_units;
  if (page >= i32(k_pages) || left + r.width > k_page_units || r.y + r.height > i32(k_page_texels)) return {};
  return TexelRect{u32(page), u32(left * k_unit_texels), u32(r.y), u32(r.width * k_unit_texels), u32(r.height)};
}

std::vector<VramRect> compute_frame_rects(const TextureAnimation& r) {
  constexpr i32 k_last_unit = k_page_units - 1, k_next_row_start = 2;
  std::vector<VramRect> out;
  i32 x = r.frame_x, y = r.frame_y;
  const i32 page_start = x & ~k_last_unit;
  for (u32 k = 0; k < r.frame_count; ++k) {
    if (k && x + r.width > page_start + k_last_unit) x = page_start + k_next_row_start, y += r.height;
    out.push_back({x, y, r.width, r.height});
    x += r.width;
  }
  return out;
}

TextureMotionRun::TextureMotionRun(const TextureAnimation& r)
    : kind_(decode_texture_motion(r)),
      count_(r.frame_count),
      duration_(r.duration),
      frame_(r.frame),
      back_(kind_.running_back) {
  const bool backwards = kind_.way == TextureMotionLoop::once_backwards;
  if (kind_.on_trigger) frame_ = backwards && count_ ? u8(count_ - 1) : u8(0);
  if (frame_ >= count_) frame_ = 0;
  running_ = kind_.shows_frames() && count_ > 1;
  if (running_) handle_first_or_last_frame();
}

void TextureMotionRun::tick() {
  if (!running_) return;
  ++timer_;
  if (kind_.way == TextureMotionLoop::loop ? timer_ < duration_ : timer_ <= duration_) return;
  timer_ = 0;
  if (kind_.way == TextureMotionLoop::loop)
    frame_ = frame_ + 1 < count_ ? u8(frame_ + 1) : u8(0);
  else
    frame_ = back_ || kind_.way == TextureMotionLoop::once_backwards ? u8(frame_ - 1) : u8(frame_ + 1);
  handle_first_or_last_frame();
}

/// At the first or last frame: reverses or stops.
void TextureMotionRun::handle_first_or_last_frame() {
  const bool first = frame_ == 0, last = frame_ + 1 == count_;
  if (kind_.way == TextureMotionLoop::to_and_fro) back_ = last || (back_ && !first);
  if ((kind_.way == TextureMotionLoop::once && last) || (kind_.way == TextureMotionLoop::once_backwards && first))
    running_ = false;
}

u8 FrameWalk::at(u64 tick) const {
  if (loops) tick %= ticks;
  const auto behind =
      std::upper_bound(steps.begin(), steps.end(), tick, [](u64 t, const Step& s) { return t < s.tick; });
  return std::prev(behind)->frame;
}

FrameWalk build_frame_walk(const TextureAnimation& r) {
  FrameWalk out;
  if (!decode_texture_motion(r).shows_frames() || r.frame_count == 0) return out;
  TextureMotionRun run(r);
  const TextureMotionRun start = run;
  out.steps.push_back({0, run.frame()});
  u32 tick = 0;
  while (run.is_running()) {
    run.tick(), ++tick;
    if (run == start) break;
    if (run.frame() != out.steps.back().frame) out.steps.push_back({tick, run.frame()});
  }
  out.loops = out.steps.size() > 1 && run.is_running();
  out.ticks = out.loops ? tick : out.steps.back().tick + r.duration + 1u;
  return out;
}

}  // namespace dio::fft
