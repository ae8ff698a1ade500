#include "formats/fft/make/texture_builder.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "console/psx/color.hpp"
#include "console/psx/page_packing.hpp"
#include "formats/contract/reporter.hpp"
#include "formats/fft/make/palette_clusters.hpp"
#include "scene/math.hpp"
#include "scene/scaling.hpp"

namespace dio::fft {

namespace {

using scene::Index;
using scene::k_none;
using Wrap = scene::Texture::Wrap;

constexpr u32 k_most_side = k_page_texels;
constexpr size_t k_palettes = 16, k_colors = 15;  // besides the transparent one
constexpr u8 k_least_alpha = psx::k_least_alpha;

/// Texels from (x0, y0) up to, but not including, (x1, y1).
struct Box {
  i32 x0 = 0, y0 = 0, x1 = 0, y1 = 0;
  i32 width() const { return x1 - x0; }
  i32 height() const { return y1 - y0; }
  i64 area() const { return i64(width()) * height(); }
  bool contains(const Box& b) const { return x0 <= b.x0 && y0 <= b.y0 && b.x1 <= x1 && b.y1 <= y1; }
};
Box around(const Box& a, const Box& b) {
  return {std::min(a.x0, b.x0), std::min(a.y0, b.y0), std::max(a.x1, b.x1), std::max(a.y1, b.y1)};
}

/// A part of a picture that is packed as a whole.
struct Chart {
  size_t picture;
  Box box;
};

/// A picture in one look, in the size in which it is stored.
struct Picture {
  FaceLook look;
  std::array<Wrap, 2> wraps{};
  scene::Image image;  // RGBA
  std::string name;
  u32 own_width = 0, own_height = 0;  // of the scene
};

/// The size of a chart in a page: with a border where there is room.
psx::TexelSize packed_size(const Chart& c) {
  const auto side = [](i32 n) { return std::min(u32(n) + 1, k_most_side); };
  return {side(c.box.width()), side(c.box.height())};
}

bool are_collinear(const std::vector<psx::Uv>& uvs) {
  for (size_t i = 2; i < uvs.size(); ++i)
    if ((uvs[1].u - uvs[0].u) * (uvs[i].v - uvs[0].v) != (uvs[i].u - uvs[0].u) * (uvs[1].v - uvs[0].v)) return false;
  return true;
}
/// Faces that show a point or line of a picture, as those of models whose picture is a palette do: the coordinates are
/// moved by a texel, so that they have an area.
void spread_collinear(std::vector<psx::Uv>& uvs, const psx::PagePosition& spot, const psx::TexelSize& size) {
  if (!are_collinear(uvs)) return;
  const auto [left, right] = std::ranges::minmax(uvs, {}, &psx::Uv::u);
  const auto [top, bottom] = std::ranges::minmax(uvs, {}, &psx::Uv::v);
  const bool is_column = left.u == right.u, is_row = top.v == bottom.v;
  const auto next = [](u8 at, u32 first, u32 count) { return u8(at + 1u < first + count ? at + 1 : at - 1); };
  for (size_t i = 0; i < uvs.size(); ++i) {
    if (is_column && (i == 1 || i == 2)) uvs[i].u = next(uvs[i].u, spot.x, size.width);
    if (is_row && i >= 2) uvs[i].v = next(uvs[i].v, spot.y, size.height);
  }
  if (are_collinear(uvs)) uvs[1].u = next(uvs[1].u, spot.x, size.width);
}

class TextureBuilder {
 public:
  TextureBuilder(const scene::Scene& s, const std::vector<TexturedFace>& faces, u32 largest)
      : s_(s), faces_(faces), largest_(largest) {}

  BuiltTexture build() {
    find_looks();
    // Smaller by a sixth each time, until everything fits. That ends: a mesh has at most 1,070 textured polygons, and
    // with one texel for each repetition of a picture they need less than one page.
    f64 scale = 1;
    for (;; scale *= 5.0 / 6) {
      make_pictures(scale);
      make_charts();
      std::vector<psx::TexelSize> sizes;
      for (const Chart& c : charts_) sizes.push_back(packed_size(c));
      // The game's own maps leave the last columns and rows of a page free, and so do these, if there is room.
      constexpr psx::TexelSize k_usual{253, 250};
      const bool is_usual = std::ranges::all_of(
          sizes, [&](const auto& n) { return n.width <= k_usual.width && n.height <= k_usual.height; });
      if (is_usual) packed_ = psx::pack_rectangles(sizes, k_usual);
      if (!is_usual || packed_.pages > k_pages) packed_ = psx::pack_rectangles(sizes);
      if (packed_.pages <= k_pages) break;
    }
    if (scale < 1) note_scale(scale);
    write_texels();
    place_faces();
    return std::move(out_);
  }

 private:
  void find_looks() {
    for (const TexturedFace& f : faces_) {
      const auto [known, is_new] = numbers_.try_emplace({f.look, f.wraps}, pictures_.size());
      if (is_new) {
        Picture& p = pictures_.emplace_back();
        p.look = f.look, p.wraps = f.wraps;
        if (f.look.image != k_none) {
          const scene::Image& image = s_.images[f.look.image];
          p.name = image.name.empty() ? text("images[", f.look.image, "]") : image.name;
          p.own_width = image.width, p.own_height = image.height;
        } else {
          p.own_width = p.own_height = 2;
        }
      }
      picture_of_.push_back(known->second);
    }
  }

  /// The largest part of a picture that one face shows, as a fraction of its width and height.
  std::array<f64, 2> largest_part(size_t picture) const {
    std::array<f64, 2> out{};
    for (size_t i = 0; i < faces_.size(); ++i)
      if (picture_of_[i] == picture)
        for (size_t axis = 0; axis < 2; ++axis) {
          const auto [low, high] = std::ranges::minmax(faces_[i].uvs, {}, [&](const auto& uv) { return uv[axis]; });
          out[axis] = std::max(out[axis], high[axis] - low[axis]);
        }
    return out;
  }

  void make_pictures(f64 scale) {
    for (size_t i = 0; i < pictures_.size(); ++i) {
      Picture& p = pictures_[i];
      if (p.look.image == k_none) {
        p.image = {p.name, 2, 2, 8, {}, std::vector<u8>(16, 255)};
        continue;
      }
      const std::array<f64, 2> part = largest_part(i);
      const auto side = [&](u32 own, f64 shown) {
        // No face may show more than a page.
        const f64 most = std::min<f64>(largest_, shown > 0 ? std::floor(k_most_side / shown) : own);
        const f64 of_page = shown > 0 && own * shown > k_most_side ? most : own;
        return u32(std::clamp(
            std::round(
                std::min(of_page, own > largest_ && own * shown > largest_ ? std::floor(largest_ / shown) : f64(own)) *
                scale),
            1.0, f64(own)));
      };
      const u32 width = side(p.own_width, part[0]), height = side(p.own_height, part[1]);
      const scene::Image& own = s_.images[p.look.image];
      p.image =
          width == own.width && height == own.height ? scene::to_rgba(own) : scene::resize_image(own, width, height);
      const bool is_reduced = scale == 1 && (width != own.width || height != own.height);
      if (is_reduced)
        out_.notes.push_back(make_diagnostic(
            Severity::warning, "fft.make-scaled", p.name,
            {.message = text("the picture has ", own.width, " x ", own.height,
                             " pixels, and a face shows more of it than the ", "256 x 256 texels of a page"),
             .hint = text("the picture is scaled to ", width, " x ", height)}));
    }
  }

  void note_scale(f64 scale) {
    out_.notes.push_back(make_diagnostic(
        Severity::warning, "fft.make-scaled", {},
        {.message = text("the pictures together are larger than the four pages of 256 x 256 texels"),
         .hint = text("all pictures are scaled to ", std::lround(scale * 100), " % of their width and height")}));
  }

  /// The texels that a face shows.
  Box box_of(size_t face) const {
    const TexturedFace& f = faces_[face];
    const Picture& p = pictures_[picture_of_[face]];
    constexpr i32 k_far = 1 << 20;
    Box out{k_far, k_far, 0, 0};
    constexpr f64 k_exact = 1.0 / 16;  // texels
    for (const auto& uv : f.uvs) {
      const f64 x = uv[0] * p.image.width, y = uv[1] * p.image.height;
      out.x0 = std::min(out.x0, i32(std::floor(x + k_exact))), out.x1 = std::max(out.x1, i32(std::ceil(x - k_exact)));
      out.y0 = std::min(out.y0, i32(std::floor(y + k_exact))), out.y1 = std::max(out.y1, i32(std::ceil(y - k_exact)));
    }
    const i32 right = f.wraps[0] == Wrap::clamp ? i32(p.image.width) : k_far,
              bottom = f.wraps[1] == Wrap::clamp ? i32(p.image.height) : k_far;
    out.x0 = std::clamp(out.x0, 0, right - 1), out.y0 = std::clamp(out.y0, 0, bottom - 1);
    out.x1 = std::clamp(out.x1, out.x0 + 1, right), out.y1 = std::clamp(out.y1, out.y0 + 1, bottom);
    return out;
  }

  /// Boxes that overlap, or that cost no more together, become one chart.
  void make_charts() {
    charts_.clear();
    chart_of_.assign(faces_.size(), 0);
    for (size_t picture = 0; picture < pictures_.size(); ++picture) {
      std::vector<Box> boxes;
      for (size_t i = 0; i < faces_.size(); ++i)
        if (picture_of_[i] == picture) {
          const Box b = box_of(i);
          if (std::ranges::none_of(boxes, [&](const Box& o) { return o.contains(b); })) {
            std::erase_if(boxes, [&](const Box& o) { return b.contains(o); });
            boxes.push_back(b);
          }
        }
      merge_boxes(boxes);
      const size_t first = charts_.size();
      for (const Box& b : boxes) charts_.push_back({picture, b});
      for (size_t i = 0; i < faces_.size(); ++i) {
        if (picture_of_[i] != picture) continue;
        const Box b = box_of(i);
        for (size_t c = first; c < charts_.size(); ++c)
          if (charts_[c].box.contains(b)) {
            chart_of_[i] = c;
            break;
          }
      }
    }
  }

  static void merge_boxes(std::vector<Box>& boxes) {
    const auto cost = [](const Box& b) { return i64(b.width() + 1) * (b.height() + 1); };
    for (bool any = true; any;) {
      any = false;
      for (size_t a = 0; a < boxes.size(); ++a)
        for (size_t b = a + 1; b < boxes.size(); ++b) {
          const Box both = around(boxes[a], boxes[b]);
          if (both.width() > i32(k_most_side) || both.height() > i32(k_most_side)) continue;
          if (cost(both) > cost(boxes[a]) + cost(boxes[b])) continue;
          boxes[a] = both;
          boxes.erase(boxes.begin() + std::ptrdiff_t(b));
          any = true;
          b = a;
        }
    }
  }

  /// A pixel of a chart as a word. A chart may show repetitions of its picture, and one texel more.
  u16 word_at(const Chart& c, i32 x, i32 y) const {
    const Picture& p = pictures_[c.picture];
    const auto inside = [](i32 at, u32 size, Wrap wrap) {
      if (wrap == Wrap::clamp) return std::min(u32(at), size - 1);
      const u32 within = u32(at) % size;
      return wrap == Wrap::mirror && u32(at) / size % 2 ? size - 1 - within : within;
    };
    const scene::Rgba pixel =
        scene::color_of(p.image, inside(x, p.image.width, p.wraps[0]), inside(y, p.image.height, p.wraps[1]));
    if (pixel[3] < k_least_alpha && !p.look.is_half_transparent) return psx::k_clear;
    if (pixel[3] == 0) return psx::k_clear;
    const auto channel = [&](size_t k) {
      // Both are display colours of light that multiply.
      const f64 light =
          f64(scene::srgb_to_linear(f32(pixel[k]) / 255)) * scene::srgb_to_linear(f32(p.look.color[k]) / 255);
      return u8(std::lround(std::clamp(scene::linear_to_srgb(light), 0.0, 1.0) * 255));
    };
    std::array<u8, 3> shown{pixel[0], pixel[1], pixel[2]};
    if (p.look.color[0] != 255 || p.look.color[1] != 255 || p.look.color[2] != 255)
      shown = {channel(0), channel(1), channel(2)};
    for (u8& x8 : shown) x8 = psx::k_levels[psx::nearest_5_bits(x8)];
    u16 word = psx::word_of(shown);
    if (word == psx::k_clear) word = k_darkest;
    return p.look.is_half_transparent ? word | psx::k_semi_transparent : word;
  }

  void write_texels() {
    std::vector<std::vector<u16>> words;
    std::vector<ColorHistogram> histograms;
    for (const Chart& c : charts_) {
      const psx::TexelSize size = packed_size(c);
      std::vector<u16>& all = words.emplace_back();
      std::map<u16, u32> counts;
      for (u32 y = 0; y < size.height; ++y)
        for (u32 x = 0; x < size.width; ++x) {
          all.push_back(word_at(c, c.box.x0 + i32(x), c.box.y0 + i32(y)));
          if (all.back() != psx::k_clear) ++counts[all.back()];
        }
      ColorHistogram& h = histograms.emplace_back();
      for (const auto& [word, pixels] : counts) h.colors.push_back({word, pixels});
    }
    const PaletteClusters clusters = cluster_palettes(histograms, k_palettes, k_colors);
    if (clusters.changed_pixels)
      out_.notes.push_back(
          make_diagnostic(Severity::hint, "fft.make-colors", {},
                          {.message = text("the 16 palettes of 15 colours do not hold all colours of the pictures"),
                           .hint = text(clusters.changed_pixels, " of ", clusters.pixels,
                                        " texels have another colour; the mean difference is ",
                                        format_real(std::round(clusters.mean_error * 10) / 10, false), " of 255")}));
    out_.texture.pages.resize(k_pages);
    for (TexturePage& page : out_.texture.pages) page.texels.assign(size_t(k_page_size), 0);
    for (size_t i = 0; i < charts_.size(); ++i) {
      const auto& palette = clusters.palettes[clusters.palette_of[i]];
      std::map<u16, u8> entries{{psx::k_clear, u8(0)}};
      const psx::TexelSize size = packed_size(charts_[i]);
      const psx::PagePosition& spot = packed_.spots[i];
      for (u32 y = 0; y < size.height; ++y)
        for (u32 x = 0; x < size.width; ++x) {
          const u16 word = words[i][size_t(y) * size.width + x];
          const auto [entry, is_new] = entries.try_emplace(word, u8(0));
          if (is_new) entry->second = u8(nearest_entry(palette, word) + 1);
          const u32 u = spot.x + x, v = spot.y + y;
          out_.texture.pages[spot.page].texels[v * (k_page_texels / 2) + u / 2] |= u8(entry->second << (u % 2 * 4));
        }
    }
    palette_of_ = clusters.palette_of;
    for (size_t p = 0; p < clusters.palettes.size(); ++p)
      for (size_t i = 0; i < clusters.palettes[p].size(); ++i) {
        const u16 word = clusters.palettes[p][i];
        const auto [red, green, blue] = console::channels_of(word);
        out_.palettes.rows[p][i + 1] = {u8(word >> 15), u8(blue), u8(green), u8(red)};
        // The brightness of the colour, as television weights it (ITU-R BT.601).
        const u8 gray = std::max<u8>(u8((299 * red + 587 * green + 114 * blue + 500) / 1000), 1);
        out_.gray_palettes.rows[p][i + 1] = {u8(word >> 15), gray, gray, gray};
      }
  }

  void place_faces() {
    for (size_t i = 0; i < faces_.size(); ++i) {
      const Chart& c = charts_[chart_of_[i]];
      const Picture& p = pictures_[c.picture];
      const psx::PagePosition& spot = packed_.spots[chart_of_[i]];
      FaceTexels& out = out_.faces.emplace_back();
      out.page = u8(spot.page);
      out.palette = u8(palette_of_[chart_of_[i]]);
      for (const auto& uv : faces_[i].uvs) {
        const auto texel = [](f64 at, u32 size, i32 from, u32 to) {
          return u8(std::clamp<f64>(std::round(at * size - from) + to, 0, k_most_side - 1));
        };
        out.uvs.push_back(
            {texel(uv[0], p.image.width, c.box.x0, spot.x), texel(uv[1], p.image.height, c.box.y0, spot.y)});
      }
      spread_collinear(out.uvs, spot, packed_size(c));
    }
  }

  const scene::Scene& s_;
  const std::vector<TexturedFace>& faces_;
  u32 largest_;
  std::map<std::pair<FaceLook, std::array<Wrap, 2>>, size_t> numbers_;
  std::vector<Picture> pictures_;
  std::vector<size_t> picture_of_, chart_of_;  // by face
  std::vector<Chart> charts_;
  std::vector<size_t> palette_of_;  // by chart
  psx::PackedPages packed_;
  BuiltTexture out_;
};

}  // namespace

FaceLook look_of(const scene::Scene& s, const FaceKind& kind) {
  FaceLook out;
  if (kind.material == k_none) return out;
  const scene::Material& m = s.materials[kind.material];
  for (size_t k = 0; k < 3; ++k)
    out.color[k] = u8(std::lround(std::clamp(scene::linear_to_srgb(m.color[k]), 0.0, 1.0) * 255));
  if (m.texture != k_none) out.image = s.textures[m.texture].image;
  out.is_half_transparent = m.alpha == scene::Material::Alpha::blend;
  return out;
}

BuiltTexture build_texture(const scene::Scene& s, const std::vector<TexturedFace>& faces, u32 largest) {
  return TextureBuilder(s, faces, largest).build();
}

}  // namespace dio::fft
