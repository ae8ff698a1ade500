#include "formats/splashpack/pictures/video_memory.hpp"

#include <algorithm>

#include "core/little_endian.hpp"
#include "formats/splashpack/layout/vram.hpp"

namespace dio::splashpack {
namespace {

/// Stores rows of words like the console: data that crosses an edge wraps around.
class Uploader {
 public:
  explicit Uploader(VideoMemory& memory) : memory_(memory) {}

  /// `word(i)` is word i, row by row; there are `count` of them, perhaps fewer than the rectangle has.
  template <class VramWord>
  void upload(VideoBlock::Kind kind, size_t index, const Rect& rect, size_t count, VramWord word) {
    if (!rect.width) return;
    for (size_t i = 0; i < std::min(count, size_t(rect.width) * rect.height); ++i) {
      const size_t x = (rect.x + i % rect.width) % k_video_width, y = (rect.y + i / rect.width) % k_video_height;
      memory_.words[y * k_video_width + x] = word(i);
    }
    record_block(kind, index, rect);
  }
  void upload(VideoBlock::Kind kind, size_t index, const Rect& rect, ByteView bytes) {
    upload(kind, index, rect, bytes.size() / 2, [&](size_t i) { return read_u16_le(bytes.data() + 2 * i); });
  }
  void upload(VideoBlock::Kind kind, size_t index, const Rect& rect, std::span<const u16> words) {
    upload(kind, index, rect, words.size(), [&](size_t i) { return words[i]; });
  }
  /// Marks a rectangle as loaded, with or without known words.
  void record_block(VideoBlock::Kind kind, size_t index, Rect rect) {
    if (rect.x >= k_video_width || rect.y >= k_video_height) return;
    rect.width = std::min(rect.width, k_video_width - rect.x);
    rect.height = std::min(rect.height, k_video_height - rect.y);
    if (rect.width && rect.height) memory_.blocks.push_back({kind, u32(index), rect});
  }

 private:
  VideoMemory& memory_;
};

/// In the order in which the engine reads a .vram file.
void upload_vram(Uploader& uploader, const Vram& vram) {
  using enum VideoBlock::Kind;
  for (size_t i = 0; i < vram.atlases.size(); ++i) {
    const VramAtlas& a = vram.atlases[i];
    uploader.upload(atlas, i, {a.x, a.y, a.width, a.height}, a.texels);
  }
  for (size_t i = 0; i < vram.cluts.size(); ++i) {
    const VramClut& c = vram.cluts[i];
    uploader.upload(palette, i, {c.x * 16u, c.y, u32(c.colors.size()), 1}, std::span(c.colors));
  }
  for (size_t i = 0; i < vram.fonts.size(); ++i) {
    const VramFont& f = vram.fonts[i];
    if (f.texels.empty()) continue;
    uploader.upload(font, i, {f.x, f.y, 64, f.height}, f.texels);
    // Their palette overwrites the first eight texels.
    static constexpr std::array<u16, 2> k_white = {0, 0x7FFF};
    uploader.upload(palette, vram.cluts.size() + i, {f.x, f.y, 2, 1}, std::span(k_white));
  }
}

}  // namespace

VideoMemory build_video_memory(const Pack& pack, const Vram* vram) {
  using enum VideoBlock::Kind;
  VideoMemory memory;
  memory.words.resize(size_t(k_video_width) * k_video_height);
  Uploader uploader(memory);
  if (u32(pack.form) >= k_sections) {
    if (vram) upload_vram(uploader, *vram);
    return memory;
  }
  // The engine of that layout loads the palette of each object while it reads the objects.
  if (pack.form == Layout::a2)
    for (size_t i = 0; i < pack.objects.size(); ++i) {
      const Object& o = pack.objects[i];
      const u8 depth = TexturePage::from_word(o.page).depth;
      const u32 length = depth == 0 ? 16 : depth == 1 ? 256 : 0;
      uploader.upload(palette, i, {o.clut_x * 16u, o.clut_y, length, 1}, std::span(o.colors));
    }
  for (size_t i = 0; i < pack.atlases.size(); ++i) {
    const Atlas& a = pack.atlases[i];
    uploader.upload(atlas, i, {a.x, a.y, a.width, a.height}, a.texels);
  }
  for (size_t i = 0; i < pack.cluts.size(); ++i) {
    const Clut& c = pack.cluts[i];
    uploader.upload(palette, i, {c.x * 16u, c.y, c.length, 1}, std::span(c.colors));
  }
  return memory;
}

std::optional<TextureSource> texture_of(const Pack& pack, const Object& o, const Triangle& t) {
  // The engine of the oldest pack always used the page at (320, 0): 29cbd54, renderer.cpp.
  if (pack.form == Layout::a1 && !(o.page & 0x1F)) return TextureSource{u16(o.page | 320 / k_page_width), 0, 0};
  if (u32(pack.form) < k_pages_in_triangles) return TextureSource{o.page, o.clut_x, o.clut_y};
  if (u32(pack.form) >= k_sections && t.page == k_untextured) return {};
  return TextureSource{t.page, t.clut_x, t.clut_y};
}

}  // namespace dio::splashpack
