#include "bridge/gif/gif.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "scene/indexed.hpp"

namespace dio::gif {

using namespace scene;

namespace {

/// The part of a picture that a frame contains.
struct Area {
  u32 left = 0, top = 0, right = 0, bottom = 0;  // ends excluded
  bool is_empty() const { return right <= left || bottom <= top; }
};

/// The pixels of a frame; index 0 where the canvas shows through.
struct Frame {
  Area area;
  std::vector<u8> pixels;
};

class Writer {
 public:
  explicit Writer(Bytes& out) : out_(out) {}
  void put_byte(u32 x) { out_.push_back(u8(x)); }
  void word(u32 x) { put_byte(x & 255), put_byte(x >> 8 & 255); }
  void text(std::string_view s) { out_.insert(out_.end(), s.begin(), s.end()); }

 private:
  Bytes& out_;
};

/// Bits from the lowest on, in blocks of at most 255 bytes, each preceded by its length.
class Blocks {
 public:
  explicit Blocks(Bytes& out) : out_(out) {}
  void put(u32 code, u32 width) {
    bits_ |= u64(code) << count_;
    for (count_ += width; count_ >= 8; count_ -= 8, bits_ >>= 8) put_byte(u8(bits_));
  }
  void end() {
    if (count_) put_byte(u8(bits_));
    flush();
    out_.push_back(0);
  }

 private:
  void put_byte(u8 b) {
    block_[used_++] = b;
    if (used_ == block_.size()) flush();
  }
  void flush() {
    if (!used_) return;
    out_.push_back(u8(used_));
    out_.insert(out_.end(), block_.begin(), block_.begin() + i64(used_));
    used_ = 0;
  }
  Bytes& out_;
  std::array<u8, 255> block_{};
  size_t used_ = 0;
  u64 bits_ = 0;
  u32 count_ = 0;
};

/// The byte sequences that have a code: each is a known sequence followed by a byte.
class Codes {
 public:
  void clear() { slots_.fill({}); }
  /// The code of `before` followed by `byte`; 0 if there is none yet. Then `put` assigns one.
  u32 find(u32 before, u8 byte) {
    const u32 key = (before << 8 | byte) + 1;
    for (at_ = key * 0x9e3779b1u >> 18; slots_[at_].key; at_ = (at_ + 1) % slots_.size())
      if (slots_[at_].key == key) return slots_[at_].code;
    key_ = key;
    return 0;
  }
  void put(u32 code) { slots_[at_] = {key_, code}; }

 private:
  struct Slot {
    u32 key = 0, code = 0;
  };
  std::array<Slot, 1u << 14> slots_{};
  u32 at_ = 0, key_ = 0;
};

/// LZW with codes of increasing width (GIF89a, appendix F).
void write_lzw_pixels(const std::vector<u8>& pixels, u32 depth, Codes& codes, Bytes& out) {
  const u32 least = std::max(depth, 2u), clear = 1u << least, end = clear + 1;
  constexpr u32 k_most = 1u << 12;
  out.push_back(u8(least));
  Blocks blocks(out);
  u32 width = least + 1, next = end + 1;
  codes.clear();
  blocks.put(clear, width);
  u32 before = pixels[0];
  for (size_t i = 1; i < pixels.size(); ++i) {
    if (const u32 longer = codes.find(before, pixels[i])) {
      before = longer;
      continue;
    }
    blocks.put(before, width);
    before = pixels[i];
    if (next < k_most) {
      codes.put(next++);
      // The decoder learns a code one step after it is assigned.
      if (next - 1 == 1u << width && width < 12) ++width;
    } else {
      blocks.put(clear, width);
      codes.clear();
      width = least + 1, next = end + 1;
    }
  }
  blocks.put(before, width);
  if (next == 1u << width && width < 12) ++width;  // for the decoder, that code is assigned already
  blocks.put(end, width);
  blocks.end();
}

Area find_changed_area(const Image& image, auto&& holds) {
  Area out{image.width, image.height, 0, 0};
  for (u32 y = 0; y < image.height; ++y)
    for (u32 x = 0; x < image.width; ++x)
      if (holds(size_t(y) * image.width + x)) {
        out.left = std::min(out.left, x), out.right = std::max(out.right, x + 1);
        out.top = std::min(out.top, y), out.bottom = std::max(out.bottom, y + 1);
      }
  if (out.is_empty()) out = {0, 0, 1, 1};  // a frame has at least one pixel
  return out;
}

std::vector<u8> crop_pixels(const Image& image, const Area& area) {
  std::vector<u8> out;
  out.reserve(size_t(area.right - area.left) * (area.bottom - area.top));
  for (u32 y = area.top; y < area.bottom; ++y) {
    const auto row = image.pixels.begin() + i64(size_t(y) * image.width);
    out.insert(out.end(), row + area.left, row + area.right);
  }
  return out;
}

}  // namespace

Bytes write_gif(std::span<const Image> images, u16 milliseconds) {
  const bool moves = images.size() > 1;
  std::vector<Image> frames = convert_to_indexed(images, {.has_clear = moves});
  const std::vector<Rgba>& palette = frames[0].palette;
  const bool has_clear = palette[0][3] == 0;
  u32 depth = 1;
  while (palette.size() > size_t(1) << depth) ++depth;

  // Pixels cannot become transparent by drawing: the previous frame is removed before the next one.
  bool removes = false;
  for (size_t f = 0; f < frames.size() && moves && !removes; ++f) {
    const Image &was = frames[f ? f - 1 : frames.size() - 1], &is = frames[f];
    for (size_t i = 0; i < is.pixels.size() && !removes; ++i) removes = was.pixels[i] && !is.pixels[i];
  }

  Bytes out;
  Writer w(out);
  w.text("GIF89a");
  w.word(frames[0].width), w.word(frames[0].height);
  w.put_byte(0x80 | (depth - 1) << 4 | (depth - 1));  // a palette for all frames
  w.put_byte(0), w.put_byte(0);                       // background colour and pixel aspect ratio: not used
  for (size_t i = 0; i < size_t(1) << depth; ++i)
    for (size_t c = 0; c < 3; ++c) w.put_byte(i < palette.size() ? palette[i][c] : 0);
  if (moves)
    w.put_byte(0x21), w.put_byte(0xff), w.put_byte(11), w.text("NETSCAPE2.0"), w.put_byte(3), w.put_byte(1), w.word(0),
        w.put_byte(0);

  Codes codes;
  u64 shown = 0;  // 1/100 s
  for (size_t f = 0, next = 0; f < frames.size(); f = next) {
    // Identical frames become one longer frame, up to the limit of 16 bits.
    const auto ends = [&](size_t frame) { return (u64(frame) * std::max<u16>(milliseconds, 20) + 5) / 10; };
    for (next = f + 1;
         next < frames.size() && ends(next + 1) - shown <= 65535 && frames[next].pixels == frames[f].pixels;)
      ++next;
    const Image& is = frames[f];
    Frame frame;
    if (moves && !removes && f) {
      const Image& was = frames[f - 1];
      frame.area = find_changed_area(is, [&](size_t i) { return was.pixels[i] != is.pixels[i]; });
      Image changed = is;
      for (size_t i = 0; i < is.pixels.size(); ++i)
        if (was.pixels[i] == is.pixels[i]) changed.pixels[i] = 0;
      frame.pixels = crop_pixels(changed, frame.area);
    } else {
      frame.area = moves && f ? find_changed_area(is, [&](size_t i) { return is.pixels[i] != 0; })
                              : Area{0, 0, is.width, is.height};
      frame.pixels = crop_pixels(is, frame.area);
    }
    const u32 stays = removes ? 2 : 1;
    u32 delay = 0;
    if (moves) {
      delay = u32(std::clamp<u64>(ends(next) - shown, 2, 65535));
      shown += delay;
    }
    w.put_byte(0x21), w.put_byte(0xf9), w.put_byte(4), w.put_byte(stays << 2 | u32(has_clear)), w.word(delay),
        w.put_byte(0), w.put_byte(0);
    w.put_byte(0x2c), w.word(frame.area.left), w.word(frame.area.top);
    w.word(frame.area.right - frame.area.left), w.word(frame.area.bottom - frame.area.top), w.put_byte(0);
    write_lzw_pixels(frame.pixels, depth, codes, out);
  }
  w.put_byte(0x3b);
  return out;
}

}  // namespace dio::gif
