#include <algorithm>
#include <bit>

#include "console/ds/texel_blocks.hpp"
#include "console/ds/texels.hpp"
#include "scene/quantize.hpp"

namespace dio::ds {
namespace {

using enum TexelFormat;

bool is_indexed(TexelFormat f) { return f == palette4 || f == palette16 || f == palette256; }
bool is_translucent(TexelFormat f) { return f == a3i5 || f == a5i3; }

/// A pixel as the hardware can show it: the colour in bits 0-14, five bits of alpha above. Invisible colours are also
/// kept.
u32 to_hardware_pixel(const scene::Rgba& c) { return word_of(c) | u32(to_5_bits(c[3])) << 16; }
/// The same, but transparent pixels are 0.
u32 visible_pixel(u32 stored) { return stored >> 16 ? stored : 0; }

std::vector<u32> to_hardware_pixels(const scene::Image& image) {
  std::vector<u32> all;
  if (!image.palette.empty()) {
    std::array<u32, 256> stored{};
    for (size_t i = 0; i < std::min<size_t>(image.palette.size(), 256); ++i)
      stored[i] = to_hardware_pixel(image.palette[i]);
    all.reserve(image.pixels.size());
    for (const u8 index : image.pixels) all.push_back(stored[index]);
    return all;
  }
  all.reserve(image.pixels.size() / 4);
  for (size_t i = 0; i + 3 < image.pixels.size(); i += 4)
    all.push_back(to_hardware_pixel({image.pixels[i], image.pixels[i + 1], image.pixels[i + 2], image.pixels[i + 3]}));
  return all;
}
u64 count_changes(std::span<const u32> a, std::span<const u32> b) {
  u64 changes = 0;
  for (size_t i = 0; i < a.size(); ++i) changes += visible_pixel(a[i]) != visible_pixel(b[i]);
  return changes;
}

/// The alpha of a texel of the format; 0 is transparent.
u32 quantize_alpha(TexelFormat format, u32 stored) {
  const u32 alpha = stored >> 16;
  if (format == a5i3) return alpha;
  if (format != a3i5) return alpha >= 16;
  u32 level = 0;
  while (level < 7 && level * 4 + level / 2 < alpha) ++level;  // not below alpha
  const u32 above = level * 4 + level / 2, below = level ? (level - 1) * 4 + (level - 1) / 2 : 0;
  return level && alpha - below < above - alpha ? level - 1 : level;
}
u32 max_alpha_level(TexelFormat format) { return format == a5i3 ? 31 : format == a3i5 ? 7 : 1; }

/// Pixels that the encoder treats as equal: one index of a picture with a palette, or one stored value.
struct Source {
  u32 stored = 0, count = 0;
  i32 index = -1;  // in the picture, or in the texture it was made from
};
struct Sources {
  std::vector<Source> all;
  std::vector<u32> of_pixel;
};

Sources collect_pixel_sources(const scene::Image& image, std::span<const u32> pixels) {
  Sources sources;
  sources.of_pixel.reserve(pixels.size());
  if (!image.palette.empty()) {
    for (size_t i = 0; i < image.palette.size(); ++i)
      sources.all.push_back({to_hardware_pixel(image.palette[i]), 0, i32(i)});
    for (const u8 index : image.pixels) {
      ++sources.all[index].count;
      sources.of_pixel.push_back(index);
    }
    return sources;
  }
  std::vector<u32> distinct(pixels.begin(), pixels.end());
  std::sort(distinct.begin(), distinct.end());
  distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
  for (const u32 stored : distinct) sources.all.push_back({stored, 0, -1});
  for (const u32 pixel : pixels) {
    const auto at = std::lower_bound(distinct.begin(), distinct.end(), pixel) - distinct.begin();
    ++sources.all[size_t(at)].count;
    sources.of_pixel.push_back(u32(at));
  }
  return sources;
}

class IndexEncoder {
 public:
  IndexEncoder(const scene::Image& image, const EncodeOptions& options, const Sources& sources)
      : image_(image), options_(options), sources_(sources), format_(options.format) {
    slot_bits_ = u32(std::bit_width(max_palette_colors(format_)) - 1);
    most_ = max_palette_colors(format_);
    if (options.most_colors) most_ = std::min(most_, options.most_colors);
    first_ = is_indexed(format_) && options.color0_clear ? 1 : 0;
    for (const Source& s : sources.all)
      if (is_visible(s)) visible_.push_back(s);
  }

  /// The palette to use; nothing if the given one has no usable colour.
  std::optional<std::vector<u16>> choose_palette() const {
    if (options_.palette) {
      if (options_.palette->size() <= first_ && !visible_.empty()) return std::nullopt;
      return std::vector<u16>(options_.palette->begin(), options_.palette->end());
    }
    if (options_.previous && has_all_visible_colors(options_.previous->palette))
      return std::vector<u16>(options_.previous->palette.begin(), options_.previous->palette.end());
    if (auto own = reuse_image_palette()) return own;
    return make_new_palette();
  }

  Bytes encode(std::span<const u16> palette) const {
    const auto usable = palette.first(std::min<size_t>(palette.size(), max_palette_colors(format_)));
    std::vector<scene::Rgb> shown;
    for (const u16 color : usable.subspan(std::min<size_t>(first_, usable.size())))
      shown.push_back(rgb555_to_rgb(color));
    const scene::NearestColor nearest(shown);
    std::vector<u8> texel_of_source;
    for (const Source& s : sources_.all) texel_of_source.push_back(s.count ? encode_texel(s, usable, nearest) : u8(0));
    const u32 bits = bits_per_texel(format_), per_byte = 8 / bits;
    Bytes texels(sources_.of_pixel.size() / per_byte);
    for (size_t i = 0; i < sources_.of_pixel.size(); ++i)
      texels[i / per_byte] |= u8(texel_of_source[sources_.of_pixel[i]] << (i % per_byte * bits));
    return texels;
  }

 private:
  bool is_visible(const Source& s) const { return s.count && quantize_alpha(format_, s.stored); }
  u32 slot_mask() const { return (1u << slot_bits_) - 1; }

  bool has_all_visible_colors(std::span<const u16> palette) const {
    const auto usable = palette.first(std::min<size_t>(palette.size(), max_palette_colors(format_)));
    if (usable.size() < first_) return visible_.empty();
    return std::all_of(visible_.begin(), visible_.end(), [&](const Source& s) {
      return std::any_of(usable.begin() + first_, usable.end(),
                         [&](u16 color) { return (color & 0x7fff) == u16(s.stored); });
    });
  }

  /// The palette of the picture, if texels can keep its indices.
  std::optional<std::vector<u16>> reuse_image_palette() const {
    std::vector<u16> palette;
    if (image_.palette.empty()) return std::nullopt;
    if (is_indexed(format_)) {
      if (image_.palette.size() > most_) return std::nullopt;
      for (const Source& s : visible_)
        if (u32(s.index) < first_) return std::nullopt;
      for (const scene::Rgba& color : image_.palette) palette.push_back(word_of(color));
      return palette;
    }
    // All combinations of colour and alpha, in the order of the texel values.
    if (image_.palette.size() != 256 || most_ < max_palette_colors(format_)) return std::nullopt;
    for (u32 i = 0; i < max_palette_colors(format_); ++i)
      palette.push_back(word_of(image_.palette[i | max_alpha_level(format_) << slot_bits_]));
    for (u32 i = 0; i < 256; ++i) {
      const u32 stored = to_hardware_pixel(image_.palette[i]);
      if (quantize_alpha(format_, stored) != i >> slot_bits_) return std::nullopt;
      if (stored >> 16 && u16(stored) != palette[i & slot_mask()]) return std::nullopt;
    }
    return palette;
  }

  std::vector<u16> make_new_palette() const {
    std::vector<u16> palette(first_);  // transparent entries are stored as black
    std::vector<std::pair<u16, u32>> weights;
    for (const Source& s : visible_) weights.push_back({u16(s.stored), s.count * quantize_alpha(format_, s.stored)});
    std::sort(weights.begin(), weights.end());
    std::vector<scene::WeightedColor> colors;
    for (size_t i = 0; i < weights.size(); ++i) {
      if (i && weights[i].first == weights[i - 1].first)
        colors.back().weight += weights[i].second;
      else
        colors.push_back({rgb555_to_rgb(weights[i].first), weights[i].second});
    }
    for (const scene::Rgb& c :
         scene::quantize(colors, {.most_colors = std::max(most_ - first_, 1u), .levels = k_levels}))
      palette.push_back(word_of(c));
    if (palette.empty()) palette.push_back(0);
    return palette;
  }

  u8 encode_texel(const Source& s, std::span<const u16> palette, const scene::NearestColor& nearest) const {
    const u32 level = quantize_alpha(format_, s.stored);
    const u32 alpha_bits = is_translucent(format_) ? level << slot_bits_ : 0;
    const u32 old_slot = s.index < 0 ? ~0u : u32(s.index) & slot_mask();
    if (!level) return is_translucent(format_) && s.index >= 0 && u32(s.index) <= slot_mask() ? u8(s.index) : u8(0);
    const auto has_color = [&](u32 slot) { return (palette[slot] & 0x7fff) == u16(s.stored); };
    if (old_slot >= first_ && old_slot < palette.size() && has_color(old_slot)) return u8(old_slot | alpha_bits);
    for (u32 slot = first_; slot < palette.size(); ++slot)
      if (has_color(slot)) return u8(slot | alpha_bits);
    return u8((first_ + nearest.of(rgb555_to_rgb(u16(s.stored)))) | alpha_bits);
  }

  const scene::Image& image_;
  const EncodeOptions& options_;
  const Sources& sources_;
  TexelFormat format_;
  u32 slot_bits_, most_, first_;  // slots from first_ on contain a colour
  std::vector<Source> visible_;
};

Bytes encode_direct(std::span<const u32> pixels) {
  Bytes texels;
  texels.reserve(2 * pixels.size());
  for (const u32 pixel : pixels) {
    const u16 texel = u16(pixel) | (quantize_alpha(direct, pixel) ? 0x8000 : 0);
    texels.insert(texels.end(), {u8(texel), u8(texel >> 8)});
  }
  return texels;
}

bool is_valid_texture_side(u32 side) { return std::has_single_bit(side) && side >= 8 && side <= 1024; }

bool same_palette(std::span<const u16> a, std::span<const u16> b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end());
}

}  // namespace

tl::expected<EncodedTexels, Unencodable> encode_texels(const scene::Image& image, const EncodeOptions& options) {
  const TexelFormat format = options.format;
  if (!is_valid_texture_side(image.width) || !is_valid_texture_side(image.height))
    return tl::unexpected(Unencodable::size);
  const std::vector<u32> pixels = to_hardware_pixels(image);
  if (format == none || pixels.size() != size_t(image.width) * image.height)
    return tl::unexpected(Unencodable::nothing);

  // The previous texture, if it is usable.
  const TexelView* previous = options.previous;
  const bool fits = previous && previous->format == format && previous->width == image.width &&
                    previous->height == image.height &&
                    (previous->color0_clear == options.color0_clear || !is_indexed(format)) &&
                    (!options.palette || same_palette(*options.palette, previous->palette));
  std::vector<u32> before;
  if (fits) {
    before = to_hardware_pixels(decode_texels(*previous));
    if (!count_changes(pixels, before))
      return EncodedTexels{Bytes(previous->texels.begin(), previous->texels.end()),
                           Bytes(previous->blocks.begin(), previous->blocks.end()),
                           std::vector<u16>(previous->palette.begin(), previous->palette.end()), 0};
  }

  EncodedTexels out;
  if (is_indexed(format) && !options.color0_clear &&
      std::any_of(pixels.begin(), pixels.end(), [&](u32 pixel) { return !quantize_alpha(format, pixel); }))
    return tl::unexpected(Unencodable::clear);
  if (format == direct) {
    out.texels = encode_direct(pixels);
  } else if (format == block4x4) {
    const bool any =
        std::any_of(pixels.begin(), pixels.end(), [&](u32 pixel) { return quantize_alpha(format, pixel) != 0; });
    if (options.palette && options.palette->size() < 2 && any) return tl::unexpected(Unencodable::few_colors);
    BlockTask task{image.width, image.height, pixels, {}, options.palette, options.most_colors, nullptr};
    if (fits) {
      task.before = before;
      task.previous = previous;
    }
    EncodedBlocks blocks = encode_blocks(task);
    out.texels = std::move(blocks.texels);
    out.blocks = std::move(blocks.words);
    out.palette = std::move(blocks.palette);
  } else {
    EncodeOptions own = options;
    if (!fits) own.previous = nullptr;
    const Sources sources = collect_pixel_sources(image, pixels);
    const IndexEncoder encoder(image, own, sources);
    auto palette = encoder.choose_palette();
    if (!palette) return tl::unexpected(Unencodable::no_color);
    out.palette = std::move(*palette);
    out.texels = encoder.encode(out.palette);
  }
  const TexelView now{format, image.width, image.height, options.color0_clear, out.texels, out.blocks, out.palette};
  out.changed_texels = count_changed_texels(now, image);
  return out;
}

u64 count_changed_texels(const TexelView& texture, const scene::Image& image) {
  if (texture.width != image.width || texture.height != image.height) return u64(texture.width) * texture.height;
  return count_changes(to_hardware_pixels(image), to_hardware_pixels(decode_texels(texture)));
}

}  // namespace dio::ds
