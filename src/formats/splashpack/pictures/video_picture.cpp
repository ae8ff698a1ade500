#include "formats/splashpack/pictures/video_picture.hpp"

#include "formats/contract/reporter.hpp"

namespace dio::splashpack {

namespace {

using scene::Rgba;

constexpr u32 k_scale = 2;  // pixels a word
constexpr u32 k_width = k_video_width * k_scale, k_height = k_video_height * k_scale, k_legend = 56;

constexpr Rgba k_back{24, 26, 32, 255}, k_grid{52, 56, 66, 255}, k_paper{12, 13, 16, 255}, k_ink{228, 230, 236, 255},
    k_dim{150, 154, 164, 255}, k_buffer{214, 84, 84, 255}, k_atlas{92, 200, 120, 255}, k_palette{240, 196, 72, 255},
    k_font{96, 156, 240, 255}, k_engine{176, 112, 224, 255};

/// Letters of 3 x 5 dots: five lines from the top, three bits each, the leftmost first.
struct Glyph3x5 {
  char letter;
  u16 dots;
};
constexpr Glyph3x5 k_letters[] = {
    {'a', 0b010'101'111'101'101}, {'b', 0b110'101'110'101'110}, {'c', 0b011'100'100'100'011},
    {'d', 0b110'101'101'101'110}, {'e', 0b111'100'110'100'111}, {'f', 0b111'100'110'100'100},
    {'g', 0b011'100'101'101'011}, {'h', 0b101'101'111'101'101}, {'i', 0b111'010'010'010'111},
    {'j', 0b001'001'001'101'010}, {'k', 0b101'101'110'101'101}, {'l', 0b100'100'100'100'111},
    {'m', 0b101'111'111'101'101}, {'n', 0b110'101'101'101'101}, {'o', 0b010'101'101'101'010},
    {'p', 0b110'101'110'100'100}, {'q', 0b010'101'101'110'011}, {'r', 0b110'101'110'101'101},
    {'s', 0b011'100'010'001'110}, {'t', 0b111'010'010'010'010}, {'u', 0b101'101'101'101'111},
    {'v', 0b101'101'101'101'010}, {'w', 0b101'101'111'111'101}, {'x', 0b101'101'010'101'101},
    {'y', 0b101'101'010'010'010}, {'z', 0b111'001'010'100'111}, {'0', 0b111'101'101'101'111},
    {'1', 0b010'110'010'010'111}, {'2', 0b111'001'111'100'111}, {'3', 0b111'001'111'001'111},
    {'4', 0b101'101'111'001'001}, {'5', 0b111'100'111'001'111}, {'6', 0b111'100'111'101'111},
    {'7', 0b111'001'001'001'001}, {'8', 0b111'101'111'101'111}, {'9', 0b111'101'111'001'111},
    {',', 0b000'000'000'010'100}, {'.', 0b000'000'000'000'010}, {':', 0b000'010'000'010'000},
    {'-', 0b000'000'111'000'000}, {'/', 0b001'001'010'100'100}, {'+', 0b000'010'111'010'000},
};
constexpr u32 k_most_labels = 64;  // of atlases; more would be unreadable
constexpr u32 k_dot = 2, k_letter_width = 4 * k_dot, k_letter_height = 5 * k_dot;

class Canvas {
 public:
  Canvas(u32 width, u32 height) : image{{}, width, height, 8, {}, std::vector<u8>(size_t(width) * height * 4)} {}
  scene::Image image;

  void set_pixel(u32 x, u32 y, const Rgba& c) {
    if (x < image.width && y < image.height)
      std::copy(c.begin(), c.end(), image.pixels.begin() + (size_t(y) * image.width + x) * 4);
  }
  void fill_rect(u32 x, u32 y, u32 width, u32 height, const Rgba& c) {
    for (u32 i = 0; i < height; ++i)
      for (u32 k = 0; k < width; ++k) set_pixel(x + k, y + i, c);
  }
  void draw_frame(u32 x, u32 y, u32 width, u32 height, const Rgba& c) {
    fill_rect(x, y, width, 1, c), fill_rect(x, y + height - 1, width, 1, c);
    fill_rect(x, y, 1, height, c), fill_rect(x + width - 1, y, 1, height, c);
  }
  /// Lower-case letters on a background of their own. Returns the position after them.
  u32 draw_text(u32 x, u32 y, std::string_view words, const Rgba& c) {
    fill_rect(x - k_dot, y - k_dot, u32(words.size()) * k_letter_width + k_dot, k_letter_height + 2 * k_dot, k_paper);
    for (const char w : words) {
      for (const Glyph3x5& l : k_letters)
        for (u32 i = 0; i < 15 && l.letter == w; ++i)
          if (l.dots >> (14 - i) & 1) fill_rect(x + i % 3 * k_dot, y + i / 3 * k_dot, k_dot, k_dot, c);
      x += k_letter_width;
    }
    return x;
  }
};

Rgba opaque(const Rgba& c) { return c[3] ? c : Rgba{0, 0, 0, 255}; }

void draw_vram_words(Canvas& canvas, const VideoMemory& memory, std::span<const TexelRegion> islands) {
  for (const VideoBlock& b : memory.blocks)
    for (u32 y = b.rect.y; y < b.rect.y + b.rect.height; ++y)
      for (u32 x = b.rect.x; x < b.rect.x + b.rect.width; ++x)
        canvas.fill_rect(x * k_scale, y * k_scale, k_scale, k_scale, opaque(rgb555_to_rgba(memory.at(x, y))));
  u64 texels = 0;
  for (const TexelRegion& i : islands) {
    texels += u64(i.width) * i.height;
    if (texels > k_most_texels) return;
    if (!is_region_filled(memory, i)) continue;
    const TexturePage page = TexturePage::from_word(i.source.page);
    const u32 per_word = page.texels_per_word();
    const u32 first = i.u * k_scale / per_word, last = (i.u + i.width) * k_scale / per_word;
    for (u32 v = i.v; v < i.v + i.height; ++v)
      for (u32 x = first; x < last; ++x) {
        const Rgba c = opaque(rgb555_to_rgba(texel_at(memory, i.source, u8(x * per_word / k_scale), u8(v))));
        for (u32 k = 0; k < k_scale; ++k) canvas.set_pixel(page.x * k_scale + x, (page.y + v) * k_scale + k, c);
      }
  }
}

void draw_frame(Canvas& canvas, const Rect& r, const Rgba& c, const std::string& words) {
  canvas.draw_frame(r.x * k_scale, r.y * k_scale, r.width * k_scale, r.height * k_scale, c);
  if (!words.empty()) canvas.draw_text(r.x * k_scale + 6, r.y * k_scale + 6, words, c);
}

/// The depths of texels in an atlas, by its islands: "8 bits", "4 and 8 bits".
std::string describe_depths(const Rect& atlas, std::span<const TexelRegion> islands) {
  std::array<bool, 3> any{};
  for (const TexelRegion& i : islands) {
    const TexturePage page = TexturePage::from_word(i.source.page);
    if (atlas.contains(page.x + i.u / page.texels_per_word(), page.y + i.v)) any[std::min<u8>(page.depth, 2)] = true;
  }
  std::string out;
  for (size_t d = 0; d < any.size(); ++d)
    if (any[d]) out += text(out.empty() ? "" : "+", 4u << d);
  return out.empty() ? "unused" : out + " bits";
}

}  // namespace

scene::Image render_video_memory(const Pack& pack, const VideoMemory& memory, std::span<const TexelRegion> islands) {
  Canvas canvas(k_width, k_height + k_legend);
  canvas.fill_rect(0, 0, k_width, k_height, k_back);
  canvas.fill_rect(0, k_height, k_width, k_legend, k_paper);
  const bool is_new = u32(pack.form) >= k_sections;
  for (const Rect& r : Reserved::k_buffers)  // stripes, because the content changes with every frame
    for (u32 y = r.y * k_scale; y < (r.y + r.height) * k_scale; ++y)
      for (u32 x = r.x * k_scale; x < (r.x + r.width) * k_scale; ++x)
        if ((x + y) / 8 % 4 == 0) canvas.set_pixel(x, y, k_grid);
  draw_vram_words(canvas, memory, islands);
  for (u32 x = 0; x <= k_video_width; x += k_page_width)
    for (u32 y = 0; y < k_height; y += 4) canvas.set_pixel(x * k_scale, y, k_grid);
  canvas.fill_rect(0, k_page_height * k_scale, k_width, 1, k_grid);
  for (u32 i = 0; i < 2; ++i) draw_frame(canvas, Reserved::k_buffers[i], k_buffer, text("frame buffer ", i));
  if (is_new)
    draw_frame(canvas, Reserved::k_new_column, k_engine, "engine");
  else
    draw_frame(canvas, Reserved::k_old_font, k_engine, "system font");
  u32 palettes = 0, colors = 0, atlases = 0, fonts = 0;
  std::vector<Rect> strips;  // neighbouring palettes
  for (const VideoBlock& b : memory.blocks) {
    if (b.kind == VideoBlock::Kind::atlas)
      draw_frame(
          canvas, b.rect, k_atlas,
          atlases++ < k_most_labels ? text("atlas ", b.index, ": ", describe_depths(b.rect, islands)) : std::string());
    else if (b.kind == VideoBlock::Kind::font)
      draw_frame(canvas, b.rect, k_font, text("font ", b.index)), ++fonts;
    else {
      ++palettes, colors += b.rect.width;
      Rect strip = b.rect;
      for (size_t i = 0; i < strips.size();) {
        const Rect near{strips[i].x, strips[i].y, strips[i].width + 1, strips[i].height + 1};
        if (!near.overlaps(strip) && !Rect{strip.x, strip.y, strip.width + 1, strip.height + 1}.overlaps(strips[i])) {
          ++i;
          continue;
        }
        strip = bounding_rect(strip, strips[i]);
        strips.erase(strips.begin() + std::ptrdiff_t(i));
        i = 0;
      }
      if (strips.size() < 256) strips.push_back(strip);
    }
  }
  for (const Rect& r : strips)  // around the colours, not over them
    canvas.draw_frame(std::max(r.x * k_scale, 1u) - 1, std::max(r.y * k_scale, 1u) - 1, r.width * k_scale + 2,
                      r.height * k_scale + 2, k_palette);
  for (u32 row = 0; row < 2; ++row)
    for (u32 i = 0; i < k_video_width / k_page_width; ++i)
      canvas.draw_text(i * k_page_width * k_scale + 6, (row + 1) * k_page_height * k_scale - k_letter_height - 6,
                       text(i + 16 * row), k_dim);

  struct VramLegendEntry {
    Rgba color;
    std::string words;
  };
  const VramLegendEntry marks[] = {
      {k_buffer, "frame buffer"},
      {k_engine, is_new ? "engine" : "system font"},
      {k_atlas, text(atlases, atlases == 1 ? " atlas" : " atlases")},
      {k_palette, text(format_count(palettes, "palette"), ", ", format_count(colors, "colour"))},
      {k_font, format_count(fonts, "font")},
      {k_dim, "texture pages: numbers below"},
      {k_ink, "1024 x 512 words of 16 bits"}};
  u32 x = 12;
  for (const VramLegendEntry& m : marks) {
    canvas.fill_rect(x, k_height + 22, k_letter_height, k_letter_height, m.color);
    x = canvas.draw_text(x + 2 * k_letter_height, k_height + 22, m.words, k_ink) + 3 * k_letter_height;
  }
  return std::move(canvas.image);
}

}  // namespace dio::splashpack
