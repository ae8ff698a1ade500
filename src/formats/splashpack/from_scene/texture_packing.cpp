// texture_packing.cpp: packs texels into pages, and pages and palettes into VRAM.
#include "formats/splashpack/from_scene/texture_packing.hpp"

#include <algorithm>
#include <array>
#include <map>

#include "console/psx/page_packing.hpp"
#include "console/psx/palette_sharing.hpp"
#include "core/parallel.hpp"
#include "core/sorting.hpp"
#include "formats/contract/reporter.hpp"
#include "formats/splashpack/pictures/texels_encode.hpp"

namespace dio::splashpack {
namespace {

constexpr std::array<u8, 3> k_packed_depths = {16, 8, 4};  // wide pages first: the others fit between them

u32 page_width_words(u8 depth) { return k_most_side * depth / 16; }  // of an atlas, which is one page

// ---- video memory ---------------------------------------------------------------------------------------------------

class VramAllocator {
 public:
  explicit VramAllocator(std::span<const Rect> taken) : taken_(taken.begin(), taken.end()) {}
  bool is_free(const Rect& r) const {
    return r.x + r.width <= k_video_width && r.y + r.height <= k_video_height &&
           std::none_of(taken_.begin(), taken_.end(), [&](const Rect& t) { return t.overlaps(r); });
  }
  /// The first free position on a grid, rows or columns one after the other.
  std::optional<Rect> find_page(u32 width) const {
    for (u32 y = 0; y < k_video_height; y += k_page_height)
      for (u32 x = 0; x < k_video_width; x += k_page_width)
        if (const Rect r{x, y, width, k_page_height}; is_free(r)) return r;
    return {};
  }
  void mark_used(const Rect& r) { taken_.push_back(r); }

 private:
  std::vector<Rect> taken_;
};

/// The positions for palettes of a length: free space between pages, from the left, down each column. The strips below
/// the frame buffers come first.
class VramShelfPacker {
 public:
  static constexpr u32 k_step = 16;
  VramShelfPacker(VramAllocator& space, u32 length) : space_(space), length_(length) {}
  std::optional<Rect> allocate() {
    for (; x_ + length_ <= k_video_width; x_ += k_step, y_ = 0)
      for (; y_ < k_video_height; ++y_)
        if (const Rect r{x_, y_, length_, 1}; space_.is_free(r)) {
          space_.mark_used(r);
          return r;
        }
    return {};
  }

 private:
  VramAllocator& space_;
  u32 length_, x_ = 0, y_ = 0;
};

// ---- textures -------------------------------------------------------------------------------------------------------

/// All textures of one depth, without duplicates.
struct TexelGroup {
  u8 depth;
  std::vector<const Texels*> textures;  // sorted by size and colours
  psx::SharedPalettes palettes;
  psx::PackedPages packed;
  std::vector<Rect> pages, rows;  // in VRAM: the position of each page and of each palette
  u64 texels() const {
    u64 sum = 0;
    for (const Texels* t : textures) sum += u64(t->width) * t->height;
    return sum;
  }
};

TexelGroup make_texel_group(u8 depth, std::vector<const Texels*> textures) {
  TexelGroup g{depth, std::move(textures), {}, {}, {}, {}};
  std::vector<psx::TexelSize> sizes;
  std::vector<std::vector<u16>> sets;
  for (const Texels* t : g.textures) {
    sizes.push_back({t->width, t->height});
    sets.push_back(t->palette);
  }
  g.packed = psx::pack_rectangles(sizes);
  if (depth != 16) g.palettes = psx::share_palettes(sets, most_colors(depth));
  return g;
}

constexpr std::string_view k_smaller_textures =
    "use fewer or smaller textures, or fewer bits per texel: half the bits take half the space";

u32 count_free_pages(const PackingOptions& options) {
  const VramAllocator space(options.reserved);
  u32 free = 0;
  for (u32 y = 0; y < k_video_height; y += k_page_height)
    for (u32 x = 0; x < k_video_width; x += k_page_width) free += space.is_free({x, y, k_page_width, k_page_height});
  return free;
}

/// The reason why the textures do not fit; `without_place` is the first one without a position.
Diagnostic vram_full_error(std::span<const TexelGroup> groups, const PackingOptions& options,
                           const std::string& without_place) {
  const u32 free_pages = count_free_pages(options);
  u64 needed = 0;
  std::string list;
  for (const TexelGroup& g : groups) {
    if (g.textures.empty()) continue;
    const u64 pages = g.packed.pages * (page_width_words(g.depth) / k_page_width);
    needed += pages;
    list += text(list.empty() ? "" : "; ", format_count(g.textures.size(), "texture"), " with ", int(g.depth),
                 " bits per texel: ", g.texels(), " texels, ", format_count(pages, "page"));
    if (g.depth != 16) list += text(", ", format_count(g.palettes.palettes.size(), "palette"));
  }
  const bool lacks_page =
      std::any_of(groups.begin(), groups.end(), [](const TexelGroup& g) { return g.pages.size() < g.packed.pages; });
  return make_diagnostic(
      "splashpack.vram-full", {},
      {.message = text("VRAM has no room for ", without_place, ": the textures need ", format_count(needed, "page"),
                       " of 64 x 256 words, ", needed > free_pages ? "but only " : "and ", free_pages,
                       free_pages == 1 ? " is" : " are", " free",
                       lacks_page && needed <= free_pages ? ", but too few free pages are adjacent (8-bit textures "
                                                            "need 2 adjacent pages, and 16-bit textures need 4)"
                                                          : "",
                       " (", list, ")"),
       .hint = std::string(k_smaller_textures)});
}

/// Finds positions for the pages and palettes of all groups, or returns an error.
std::optional<std::string> allocate_vram(std::span<TexelGroup> groups, const PackingOptions& options) {
  VramAllocator space(options.reserved);
  for (TexelGroup& g : groups)
    for (size_t i = 0; i < g.packed.pages; ++i) {
      const auto page = space.find_page(page_width_words(g.depth));
      if (!page) return text(int(g.depth), "-bit page ", i + 1);
      space.mark_used(*page);
      g.pages.push_back(*page);
    }
  for (TexelGroup& g : groups) {
    VramShelfPacker rows(space, most_colors(g.depth));
    for (size_t i = 0; i < g.palettes.palettes.size(); ++i) {
      const auto row = rows.allocate();
      if (!row) return text(most_colors(g.depth), "-colour palette ", i + 1);
      g.rows.push_back(*row);
    }
  }
  return {};
}

/// Puts the texels of a group into atlases.
std::vector<Atlas> build_atlases(const TexelGroup& g) {
  std::vector<Atlas> atlases;
  for (const Rect& r : g.pages)
    atlases.push_back({0, u16(r.width), u16(r.height), u16(r.x), u16(r.y), Bytes(size_t(r.width) * r.height * 2)});
  for (size_t i = 0; i < g.textures.size(); ++i) {
    const Texels& t = *g.textures[i];
    const psx::PagePosition& spot = g.packed.spots[i];
    Atlas& atlas = atlases[spot.page];
    for (u32 y = 0; y < t.height; ++y)
      for (u32 x = 0; x < t.width; ++x) {
        const u16 color = t.colors[size_t(y) * t.width + x];
        const size_t texel = size_t(spot.y + y) * k_most_side + spot.x + x;
        if (g.depth == 16) {
          atlas.texels[texel * 2] = u8(color);
          atlas.texels[texel * 2 + 1] = u8(color >> 8);
          continue;
        }
        const auto& palette = g.palettes.palettes[g.palettes.palette_of[i]];
        const auto index = u8(std::lower_bound(palette.begin(), palette.end(), color) - palette.begin());
        if (g.depth == 8)
          atlas.texels[texel] = index;
        else
          atlas.texels[texel / 2] |= u8(index << (texel % 2 * 4));  // the low half is on the left
      }
  }
  return atlases;
}

PlacedTexture make_placed_texture(const TexelGroup& g, size_t i) {
  const psx::PagePosition& spot = g.packed.spots[i];
  const Rect& page = g.pages[spot.page];
  PlacedTexture out;
  out.source.page = TexturePage{.x = u16(page.x),
                                .y = u16(page.y),
                                .depth = u8(g.depth == 16  ? 2
                                            : g.depth == 8 ? 1
                                                           : 0),
                                .semi_transparency = 0,
                                .dithered = true}
                        .word();
  if (g.depth != 16) {
    const Rect& row = g.rows[g.palettes.palette_of[i]];
    out.source.clut_x = u16(row.x / VramShelfPacker::k_step);
    out.source.clut_y = u16(row.y);
  }
  out.u = u8(spot.x);
  out.v = u8(spot.y);
  out.width = g.textures[i]->width;
  out.height = g.textures[i]->height;
  return out;
}

// ---- wishes ---------------------------------------------------------------------------------------------------------

constexpr u32 k_largest_picture = 1u << 14;

bool has_pixels(const scene::Image* image) {
  if (!image || !image->width || !image->height || image->width > k_largest_picture ||
      image->height > k_largest_picture)
    return false;
  const size_t count = size_t(image->width) * image->height;
  if (image->palette.empty()) return image->pixels.size() == count * 4;
  return image->pixels.size() == count && std::all_of(image->pixels.begin(), image->pixels.end(),
                                                      [&](u8 index) { return index < image->palette.size(); });
}

std::string request_name(const TextureRequest& wish, size_t i) {
  return wish.image && !wish.image->name.empty() ? wish.image->name : text("textures[", i, "]");
}

void add_loss_notes(const psx::EncodedPicture& shown, const std::string& name, Diagnostics& notes) {
  const auto& [texels, losses] = shown;
  if (losses.scaled_from_width)
    notes.push_back(make_diagnostic(Severity::warning, "splashpack.texture-size", name,
                                    {.message = text("the picture has ", losses.scaled_from_width, " x ",
                                                     losses.scaled_from_height, " pixels (limit: 256 x 256)"),
                                     .hint = text("the picture is scaled to ", texels.width, " x ", texels.height)}));
  if (losses.partial)
    notes.push_back(
        make_diagnostic(Severity::hint, "splashpack.texture-alpha", name,
                        {.message = text(format_count(losses.partial, "pixel"), losses.partial == 1 ? " is" : " are",
                                         " partially transparent"),
                         .hint = "pixels with an alpha below one half became fully transparent, all others opaque"}));
  if (losses.colors)
    notes.push_back(
        make_diagnostic(Severity::hint, "splashpack.texture-colors", name,
                        {.message = text("the picture has ", losses.colors, " 15-bit colours; ", int(texels.depth),
                                         " bits per texel allow ", most_colors(texels.depth)),
                         .hint = "the other colours are replaced by the nearest ones"}));
}

/// The texels of a picture, before its colours are chosen, as far as size and colours determine them.
struct ExpectedTexels {
  u64 words = 0;
  u8 depth = 0;
  u64 hash = 0;  // of equal texels, which are stored once
};
ExpectedTexels expect_texels(const TextureRequest& wish, const PackingOptions& options) {
  const scene::Image& image = *wish.image;
  std::vector<bool> seen(1 << 16);
  u32 colors = 0;
  ExpectedTexels out;
  for (u32 y = 0; y < image.height; ++y)
    for (u32 x = 0; x < image.width; ++x) {
      const scene::Rgba c = scene::color_of(image, x, y);
      const u32 word = c[3] < 128 ? 1u << 15 : u32(c[0] >> 3 | c[1] >> 3 << 5 | c[2] >> 3 << 10);
      colors += !seen[word];
      seen[word] = true;
      out.hash = (out.hash ^ word) * 1099511628211u;
    }
  out.depth = wish.depth ? wish.depth : colors <= most_colors(4) ? u8(4) : options.most_depth;
  out.words = u64(std::min(image.width, k_most_side)) * std::min(image.height, k_most_side) * out.depth / 16;
  return out;
}

/// A check before palettes are computed, which takes long: rejects pictures that need more words than are free.
std::optional<Diagnostic> find_certain_excess(std::span<const TextureRequest> wishes, const PackingOptions& options) {
  std::map<std::pair<u64, u64>, ExpectedTexels> all;
  for (const TextureRequest& w : wishes)
    if (!w.exact && has_pixels(w.image)) {
      const ExpectedTexels e = expect_texels(w, options);
      all.try_emplace({e.hash, e.words}, e);
    }
  u64 needed = 0;
  std::map<u8, std::pair<u64, u64>> by_depth;  // their number and their words
  for (const auto& [unused, e] : all) needed += e.words, ++by_depth[e.depth].first, by_depth[e.depth].second += e.words;
  const u64 free = count_free_pages(options) * k_page_width * k_page_height;
  if (needed <= free) return {};
  std::string list;
  for (const auto& [depth, n] : by_depth)
    list += text(list.empty() ? "" : "; ", format_count(n.first, "picture"), " with ", int(depth),
                 " bits per texel: ", n.second, " words");
  return make_diagnostic("splashpack.vram-full", {},
                         {.message = text("VRAM has no room: the pictures need ", needed, " words, but only ", free,
                                          " are free (", list, ")"),
                          .hint = std::string(k_smaller_textures)});
}

}  // namespace

std::vector<Rect> reserved_areas(Layout layout) {
  std::vector<Rect> all(std::begin(Reserved::k_buffers), std::end(Reserved::k_buffers));
  all.push_back(layout >= Layout::v20 ? Reserved::k_new_column : Reserved::k_old_font);
  return all;
}

Result<PlacedTextures> place_textures(std::span<const TextureRequest> wishes, const PackingOptions& options) {
  PlacedTextures out;
  if (auto excess = find_certain_excess(wishes, options)) return refuse(*std::move(excess));
  // Each picture once per depth, each texture once: the order of the wishes does not matter.
  std::map<std::pair<const void*, u8>, const Texels*> of_wish;
  const auto key_of = [](const TextureRequest& w) {
    return w.exact ? std::pair<const void*, u8>(w.exact, 0) : std::pair<const void*, u8>(w.image, w.depth);
  };
  std::map<Texels, std::pair<size_t, size_t>> textures;  // the group, and the index in it
  std::vector<size_t> pictures;                          // wishes that are not exact, each picture and depth once
  for (size_t i = 0; i < wishes.size(); ++i) {
    const auto& [image, depth, exact] = wishes[i];
    const std::string name = request_name(wishes[i], i);
    if (!exact && !has_pixels(image))
      return refuse("splashpack.texture-picture", name,
                    {.message = image && (image->width > k_largest_picture || image->height > k_largest_picture)
                                    ? text("the picture has ", image->width, " x ", image->height,
                                           " pixels (limit: ", k_largest_picture, " x ", k_largest_picture, ")")
                                    : std::string("the picture has no pixels")});
    const auto [known, is_new] = of_wish.try_emplace(key_of(wishes[i]), nullptr);
    if (!is_new) continue;
    if (exact)
      known->second = &textures.try_emplace(*exact).first->first;
    else
      pictures.push_back(i);
  }
  std::vector<psx::EncodedPicture> shown(pictures.size());
  parallel_for(pictures.size(), [&](size_t k) {
    const TextureRequest& w = wishes[pictures[k]];
    shown[k] = psx::encode_texels(*w.image, w.depth, options.most_depth, options.dither);
  });
  for (size_t k = 0; k < pictures.size(); ++k) {
    const TextureRequest& w = wishes[pictures[k]];
    add_loss_notes(shown[k], request_name(w, pictures[k]), out.notes);
    of_wish.at(key_of(w)) = &textures.try_emplace(std::move(shown[k].texels)).first->first;
  }

  std::vector<TexelGroup> groups;
  for (const u8 depth : k_packed_depths) {
    std::vector<const Texels*> own;
    for (auto& [texels, place] : textures)
      if (texels.depth == depth) {
        place = {groups.size(), own.size()};
        own.push_back(&texels);
      }
    groups.push_back(make_texel_group(depth, std::move(own)));
  }
  if (const auto without_place = allocate_vram(groups, options))
    return refuse(vram_full_error(groups, options, *without_place));

  for (const TextureRequest& wish : wishes) {
    const auto [group, i] = textures.at(*of_wish.at(key_of(wish)));
    out.textures.push_back(make_placed_texture(groups[group], i));
  }
  for (const TexelGroup& g : groups) {
    for (Atlas& atlas : build_atlases(g)) out.atlases.push_back(std::move(atlas));
    for (size_t i = 0; i < g.rows.size(); ++i) {
      std::vector<u16> colors = g.palettes.palettes[i];
      colors.resize(most_colors(g.depth));
      out.cluts.push_back({.x = u16(g.rows[i].x / VramShelfPacker::k_step),
                           .y = u16(g.rows[i].y),
                           .length = u16(colors.size()),
                           .colors = std::move(colors)});
    }
  }
  return out;
}

std::span<const Rule> packing_rules() {
  static constexpr Rule k_rules[] = {
      {"splashpack.texture-picture", Severity::stop, "every texture has a picture with pixels",
       "If a texture has no pixels, the pack has no texels to draw.",
       "Give the texture a picture, or remove it from the material.", "diorama's own rule"},
      {"splashpack.texture-size", Severity::warning, "a texture has at most 256 x 256 pixels",
       "A coordinate in a texture page is one byte, so diorama scales pictures with more than 256 x 256 pixels down.",
       "To control the quality of the scaled picture, scale it to at most 256 x 256 pixels in an image editor.",
       "psx-spx, GPU, texture pages"},
      {"splashpack.texture-alpha", Severity::hint, "the pixels of a texture are opaque or fully transparent",
       "The engine cannot draw partial transparency.", "Make each pixel of the texture opaque or fully transparent.",
       "src/formats/splashpack/README.md#textures"},
      {"splashpack.texture-colors", Severity::hint,
       "a texture has no more colours than its number of bits per texel allows",
       "A palette has 16 or 256 colours of 15 bits. If a picture has too many colours, some are replaced by the "
       "nearest palette colours.",
       "Reduce the number of colours in an image editor, or choose 8 bits per texel for the picture.",
       "psx-spx, GPU, palettes"},
      {"splashpack.vram-full", Cause::limit, "the textures and palettes of a scene fit in VRAM",
       "The frame buffers, the font and all textures share 1 MB of VRAM.",
       "Use fewer or smaller textures in the scene, or 4 bits per texel instead of 8.",
       "src/formats/splashpack/README.md#textures"},
  };
  return k_rules;
}

}  // namespace dio::splashpack
