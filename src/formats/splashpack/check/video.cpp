// video.cpp: rules about texels and palettes, and their positions in VRAM.
#include <algorithm>
#include <bit>
#include <map>
#include <numeric>

#include "console/rgb555.hpp"
#include "formats/splashpack/check/checks.hpp"
#include "formats/splashpack/layout/vram.hpp"

namespace dio::splashpack {
namespace {

constexpr Rule k_video_rule_table[] = {
    {"splashpack.tpage-depth", error, "each triangle reads its atlas (a texture page) at the texel depth of the atlas",
     "Texels have 4, 8 or 16 bits, and the corresponding atlases are 64, 128 or 256 words wide. If a triangle uses the "
     "wrong depth, it shows the wrong texels.",
     "In the texture page of the triangle, set the depth to the texel depth of the atlas.",
     "psx-spx, GPU; no exception in real packs", Severities{warning}},
    {"splashpack.tpage-missing", error, "the texture page of a triangle starts inside an atlas",
     "If the texture page starts outside every atlas, the triangle shows unrelated contents of VRAM.",
     "Set the texture page of the triangle to an atlas, or add an atlas at the position of the texture page.",
     "measured on real packs"},
    {"splashpack.tpage-fb", error, "no triangle reads its texels from a frame buffer",
     "A triangle that reads from a frame buffer shows part of the screen as its texture.",
     "Set the texture page of the triangle to an atlas.", "psxsplash, renderer.cpp"},
    {"splashpack.atlas-fb", error, "no atlas overlaps a frame buffer",
     "If an atlas overlaps a frame buffer, the engine draws over the atlas in every frame.",
     "Move the atlas to a VRAM position outside the frame buffers.", "psxsplash, renderer.cpp"},
    {"splashpack.clut-fb", error, "no palette overlaps a frame buffer",
     "If a palette overlaps a frame buffer, the engine draws over the palette in every frame.",
     "Move the palette to a VRAM position outside the frame buffers.", "psxsplash, renderer.cpp"},
    {"splashpack.atlas-font", warning, "no atlas overlaps the font of the engine",
     "At startup, the engine loads its font into VRAM. Up to layout e, the font is at (960, 464). From v20 on, the "
     "engine reserves all of VRAM from x = 960.",
     "Move the atlas to a VRAM position outside the area that the engine reserves.", "psxsplash, run in an emulator"},
    {"splashpack.atlas-bounds", error, "the atlases of a pack are inside VRAM",
     "VRAM has 1,024 x 512 words. Data that extends beyond an edge of VRAM wraps around and overwrites data at the "
     "opposite edge.",
     "Move the atlas to a position inside VRAM.", "psx-spx, GPU"},
    {"splashpack.clut-bounds", error, "the palettes of a pack are inside VRAM",
     "VRAM has 1,024 x 512 words. Data that extends beyond an edge of VRAM wraps around and overwrites data at the "
     "opposite edge.",
     "Move the palette to a position inside VRAM.", "psx-spx, GPU"},
    {"splashpack.atlas-overlap", error, "the atlases of a pack do not overlap each other",
     "If two atlases overlap in VRAM, the atlas that is loaded later overwrites the other atlas.",
     "Move one of the two overlapping atlases.", "psxsplash, renderer.cpp"},
    {"splashpack.clut-overlap", error, "the palettes of a pack do not overlap each other or an atlas",
     "If a palette overlaps another palette or an atlas, the data that is loaded later overwrites the data that is "
     "loaded earlier.",
     "Move the palette, or move the palette or atlas that it overlaps.", "psxsplash, renderer.cpp"},
    {"splashpack.atlas-size", warning, "each atlas is 64, 128 or 256 words wide and 256 rows high",
     "The exporter writes only atlases that are 64, 128 or 256 words wide and 256 rows high. If an atlas has an odd "
     "number of words, the engine halts.",
     "Make the atlas 64, 128 or 256 words wide and 256 rows high, and export the scene again.",
     "SplashEdit; psyqo (\"Odd number of pixels\")", Severities{error}},
    {"splashpack.atlas-dma", error, "each atlas fits in one DMA transfer",
     "A DMA transfer has at most 65,535 blocks of up to 32 bytes. If an atlas needs more blocks, the engine halts.",
     "Split the atlas into several smaller atlases.", "psyqo (\"Transfer too big\")"},
    {"splashpack.clut-odd", error, "each palette has an even number of colours",
     "If a palette has an odd number of colours, the engine halts.",
     "Add a colour to the palette with {check FILE --fix -i}.",
     "psyqo (\"Odd number of pixels\"); SplashEdit, pull request 28"},
    {"splashpack.clut-count", warning, "each palette has 16 or 256 colours",
     "The exporter writes only palettes of 16 or 256 colours, plus up to 4 colours of padding.",
     "If the texels use only existing colours of the palette, no action is needed.",
     "SplashEdit; splashedit-ng, list of mismatches (M4)"},
    {"splashpack.clut-missing", error, "the palette of every triangle is in the pack",
     "If the palette of a triangle is missing, the console uses unrelated contents of VRAM as colours.",
     "Set the palette of the triangle to a palette of the pack, or add the missing palette to the pack.",
     "measured on real packs"},
    {"splashpack.clut-short", warning, "each palette contains every colour that its texels use",
     "If a texel uses a colour beyond the end of the palette, the console uses the VRAM data after the palette as the "
     "colour.",
     "Add colours to the palette, or correct the texels.", "psx-spx, GPU"},
    {"splashpack.uv-out", error, "all texels of a triangle are inside the atlas of its texture page",
     "Textures do not repeat on this console. Beyond the edge of the atlas, VRAM contains unrelated textures or no "
     "data.",
     "Move the texture coordinates of the triangle inside the atlas. If the texture repeats on the triangle, split the "
     "triangle.",
     "SplashEdit, issue 23; no exception in real packs"},
    {"splashpack.uv-bleed", hint, "textures in an atlas do not touch each other",
     "The console rounds texture coordinates, so a row of a neighbouring texture may be visible at the edge of a "
     "texture.",
     "Leave a border of texels between the textures, or move texture coordinates to the centres of texels.",
     "src/formats/splashpack/README.md#checks"},
    {"splashpack.black-hole", warning, "opaque black is not stored as colour 0x0000",
     "The console does not draw colour 0x0000. If texels use this colour and the palette contains no opaque black, the "
     "texels were probably meant to be black.",
     "Store opaque black as 0x8000. If the texels with colour 0x0000 should be transparent, no action is needed.",
     "psx-spx, GPU"},
    {"splashpack.stp", hint, "the colours of opaque triangles do not have the semi-transparency bit set",
     "On opaque triangles, the semi-transparency bit (bit 15 of a colour) has only one effect: 0x8000 is opaque black, "
     "but 0x0000 is transparent.",
     "Clear the semi-transparency bit of each colour, except opaque black (0x8000).", "psx-spx, GPU"},
    {"splashpack.vram-unused", hint,
     "at least half of each atlas is used, unless no other atlas of the same texel depth has room for the used texels",
     "Texels that no triangle shows waste space in the file and in VRAM. If the pack has only one atlas with a certain "
     "texel depth, no space can be saved, because every atlas takes at least one texture page.",
     "Arrange the textures of the scene in fewer atlases.", "src/formats/splashpack/README.md#checks"},
    {"splashpack.duplicate-texture", hint, "a pack does not contain the same texels or the same palette twice",
     "Duplicate texels and palettes waste space in the file and in VRAM.",
     "Use the same copy of the texels or palette for all triangles, and remove the other copies.",
     "src/formats/splashpack/README.md#checks"},
    {"splashpack.vram-budget", hint, "at most three quarters of the texture pages in VRAM are used",
     "If more than three quarters of the texture pages are used, little room is left for new textures. {budget FILE} "
     "shows how much space is free.",
     "Use smaller textures, or 4 bits per texel instead of 8.", "src/formats/splashpack/README.md#budgets"},
};

constexpr u32 k_shared_black[] = {0x8000, 0x0421, 0x8421};
constexpr size_t k_most_sources = 4096;      // more than fit into video memory
constexpr u64 k_most_texels = u64(1) << 26;  // the limit for one file
constexpr u32 k_side = 256;

Rect rect_of(const Atlas& a) { return {a.x, a.y, a.width, a.height}; }
Rect rect_of(const Clut& c) { return {c.x * 16u, c.y, c.length, 1}; }
std::string rect_text(const Rect& r) { return text(r.width, " x ", r.height, " words at ", r.x, ", ", r.y); }
std::string describe_rect(std::string_view what, const Rect& r) { return text("the ", what, " (", rect_text(r), ")"); }
bool overlaps_frame_buffer(const Rect& r) {
  return std::any_of(std::begin(Reserved::k_buffers), std::end(Reserved::k_buffers),
                     [&](const Rect& b) { return r.overlaps(b); });
}
bool exceeds_vram(const Rect& r) { return r.x + r.width > k_video_width || r.y + r.height > k_video_height; }

/// Texels and colours, wherever they are stored; none if the .vram file is unknown or belongs to another scene.
ByteView atlas_texels(const Pack& p, const Vram* vram, size_t i) {
  if (!vram) return p.atlases[i].texels;
  return i < vram->atlases.size() ? ByteView(vram->atlases[i].texels) : ByteView();
}
std::span<const u16> clut_colors(const Pack& p, const Vram* vram, size_t i) {
  if (!vram) return p.cluts[i].colors;
  return i < vram->cluts.size() ? std::span<const u16>(vram->cluts[i].colors) : std::span<const u16>();
}

// ---- blocks

void check_atlases(Reporter& r, const Pack& p, const Vram* vram) {
  const Rect font = is_old(p) ? Reserved::k_old_font : Reserved::k_new_column;
  for (size_t i = 0; i < p.atlases.size(); ++i) {
    const Atlas& a = p.atlases[i];
    const Rect rect = rect_of(a);
    const std::string path = text("atlases[", i, "]");
    if (exceeds_vram(rect))
      r.report("splashpack.atlas-bounds", path,
               {.message = text(describe_rect("atlas", rect), " reaches beyond VRAM (1024 x 512 words)")});
    if (overlaps_frame_buffer(rect))
      r.report("splashpack.atlas-fb", path,
               {.message = text(describe_rect("atlas", rect), " overlaps a frame buffer")});
    if (rect.overlaps(font))
      r.report("splashpack.atlas-font", path,
               {.message = text(describe_rect("atlas", rect), " overlaps the area reserved by the engine (",
                                rect_text(font), ")")});
    const u64 words = u64(a.width) * a.height;
    if (words % 2)
      r.report(error, "splashpack.atlas-size", path,
               {.message = text("the atlas has ", words, " words; the number must be even")});
    else if (a.height != k_page_height || (a.width != 64 && a.width != 128 && a.width != 256))
      r.report("splashpack.atlas-size", path,
               {.message = text("the atlas is ", a.width, " words wide and ", a.height,
                                " rows high; it should be 64, 128 or 256 words wide and 256 rows high")});
    if (const u64 blocks = words / 2 / std::gcd(words / 2, u64(8)); blocks >= 65536)
      r.report(
          "splashpack.atlas-dma", path,
          {.message = text("the atlas has ", words * 2, " bytes and takes ", blocks, " DMA blocks (limit: 65535)")});
    for (size_t k = 0; k < i; ++k) {
      if (rect.overlaps(rect_of(p.atlases[k])))
        r.report("splashpack.atlas-overlap", path,
                 {.message = text(describe_rect("atlas", rect), " overlaps atlases[", k, "]")});
      const ByteView texels = atlas_texels(p, vram, i), others = atlas_texels(p, vram, k);
      if (!texels.empty() && std::equal(texels.begin(), texels.end(), others.begin(), others.end()))
        r.report("splashpack.duplicate-texture", path,
                 {.message = text("the texels are the same as those of atlases[", k, "]")});
    }
  }
}

void check_cluts(Reporter& r, const Pack& p, const Vram* vram) {
  for (size_t i = 0; i < p.cluts.size(); ++i) {
    const Clut& c = p.cluts[i];
    const Rect rect = rect_of(c);
    const std::string path = text("cluts[", i, "]");
    if (exceeds_vram(rect))
      r.report("splashpack.clut-bounds", path,
               {.message = text(describe_rect("palette", rect), " reaches beyond VRAM (1024 x 512 words)")});
    if (overlaps_frame_buffer(rect))
      r.report("splashpack.clut-fb", path,
               {.message = text(describe_rect("palette", rect), " overlaps a frame buffer")});
    if (c.length % 2)
      r.report("splashpack.clut-odd", path + ".length",
               {.message = text("the palette has ", format_count(c.length, "colour"), "; the number must be even")});
    else if (c.length % 4 || c.length > 260)
      r.report("splashpack.clut-count", path + ".length",
               {.message = text("the palette has ", c.length, " colours; it should have 16 or 256")});
    for (size_t k = 0; k < p.atlases.size(); ++k)
      if (rect.overlaps(rect_of(p.atlases[k])))
        r.report("splashpack.clut-overlap", path,
                 {.message = text(describe_rect("palette", rect), " overlaps atlases[", k, "]")});
    for (size_t k = 0; k < i; ++k) {
      if (rect.overlaps(rect_of(p.cluts[k])))
        r.report("splashpack.clut-overlap", path,
                 {.message = text(describe_rect("palette", rect), " overlaps cluts[", k, "]")});
      const auto colors = clut_colors(p, vram, i), others = clut_colors(p, vram, k);
      if (!colors.empty() && c.length == p.cluts[k].length &&
          std::equal(colors.begin(), colors.end(), others.begin(), others.end()))
        r.report("splashpack.duplicate-texture", path,
                 {.message = text("the colours are the same as those of cluts[", k, "]")});
    }
  }
}

// ---- the texels read by triangles

/// The texels of a page that are read with a palette, and the first triangle that reads them.
struct Use {
  std::string path;  // of the first triangle
  size_t count = 0;
  std::bitset<k_side * k_side> texels;
};
using Uses = std::map<TextureSource, Use>;

/// The texels of a triangle: those whose positions are in it, including its edges.
void mark_triangle_texels(const Triangle& t, std::bitset<k_side * k_side>& texels, u64& left) {
  const auto& [a, b, c] = t.uvs;
  const auto [u0, u1] = std::minmax({a.u, b.u, c.u});
  const auto [v0, v1] = std::minmax({a.v, b.v, c.v});
  const auto side = [](const Uv& from, const Uv& to, int u, int v) {
    return (to.u - from.u) * (v - from.v) - (to.v - from.v) * (u - from.u);
  };
  const u64 count = u64(u1 - u0 + 1) * u64(v1 - v0 + 1);
  if (count > left) return;
  left -= count;
  for (int v = v0; v <= v1; ++v)
    for (int u = u0; u <= u1; ++u) {
      const int x = side(a, b, u, v), y = side(b, c, u, v), z = side(c, a, u, v);
      if ((x >= 0 && y >= 0 && z >= 0) || (x <= 0 && y <= 0 && z <= 0)) texels.set(size_t(v) * k_side + size_t(u));
    }
}

Uses collect_texture_uses(const Pack& p) {
  Uses all;
  u64 left = k_most_texels;
  for_each_triangle(p, [&](const Object& o, const Triangle& t, size_t i, size_t k) {
    const auto source = texture_of(p, o, t);
    if (!source) return;
    if (all.size() >= k_most_sources && !all.contains(*source)) return;
    Use& use = all[*source];
    if (!use.count++) use.path = u32(p.form) < k_pages_in_triangles ? object_path(i) : triangle_path(i, k);
    mark_triangle_texels(t, use.texels, left);
  });
  return all;
}

const Atlas* find_atlas(const Pack& p, u32 x, u32 y) {
  for (const Atlas& a : p.atlases)
    if (rect_of(a).contains(x, y)) return &a;
  return nullptr;
}

std::string triangle_count_suffix(const Use& u) {
  return text("; ", format_count(u.count, "triangle"), u.count == 1 ? " has this problem" : " have this problem");
}

/// The smallest rectangle around the texels, in words of video memory.
Rect used_words_rect(const TextureSource& s, const Use& use) {
  const TexturePage page = TexturePage::from_word(s.page);
  u32 u0 = k_side, u1 = 0, v0 = k_side, v1 = 0;
  for (u32 v = 0; v < k_side; ++v)
    for (u32 u = 0; u < k_side; ++u)
      if (use.texels[v * k_side + u])
        u0 = std::min(u0, u), u1 = std::max(u1, u), v0 = std::min(v0, v), v1 = std::max(v1, v);
  if (u0 > u1) return {};
  const u32 n = page.texels_per_word();
  return {page.x + u0 / n, page.y + v0, u1 / n - u0 / n + 1, v1 - v0 + 1};
}

void check_page(Reporter& r, const Pack& p, const Uses& uses, const TextureSource& s, const Use& use) {
  const TexturePage page = TexturePage::from_word(s.page);
  const std::string path = use.path + ".page", found = text("texture page ", format_hex(s.page));
  if (page.depth > 2)
    return r.report("splashpack.tpage-depth", path,
                    {.message = text("the texel depth is 3; it must be 0, 1 or 2 (4, 8 or 16 bits per texel)",
                                     triangle_count_suffix(use))});
  const Rect words = used_words_rect(s, use);
  if (overlaps_frame_buffer(words))
    return r.report("splashpack.tpage-fb", path,
                    {.message = text("the texels of ", found, " (", rect_text(words), ") overlap a frame buffer",
                                     triangle_count_suffix(use))});
  const Atlas* a = find_atlas(p, page.x, page.y);
  if (!a)
    return r.report("splashpack.tpage-missing", path,
                    {.message = text(found, " (at ", page.x, ", ", page.y, ") is outside every atlas",
                                     triangle_count_suffix(use))});
  const bool is_usual = a->width == 64 || a->width == 128 || a->width == 256;
  if (is_usual && a->width != 64u << page.depth) {
    // If it is only read at this depth, that may be intended.
    const bool is_mixed = std::any_of(uses.begin(), uses.end(), [&](const auto& other) {
      const TexturePage o = TexturePage::from_word(other.first.page);
      return o.depth != page.depth && o.depth < 3 && find_atlas(p, o.x, o.y) == a;
    });
    r.report(is_mixed ? error : warning, "splashpack.tpage-depth", path,
             {.message = text("texels are read with ", k_depths.of(page.depth), ", but an atlas ", a->width,
                              " words wide has ",
                              k_depths.of(a->width == 64    ? 0
                                          : a->width == 128 ? 1
                                                            : 2),
                              triangle_count_suffix(use))});
  }
  if (words.width && (words.x + words.width > u32(a->x) + a->width || words.y + words.height > u32(a->y) + a->height ||
                      words.x < a->x || words.y < a->y))
    r.report("splashpack.uv-out", use.path + ".uvs",
             {.message = text("the texels (", rect_text(words), ") extend beyond the edge of the atlas (",
                              rect_text(rect_of(*a)), ")", triangle_count_suffix(use))});
}

struct Palette {
  u32 length;
  std::span<const u16> colors;  // none: not known
  std::string path;
};

/// The palette at that position: of the pack or, in layout a2, of the object.
std::optional<Palette> find_palette(const Pack& p, const Vram* vram, const TextureSource& s, u8 depth) {
  if (p.form == Layout::a2)
    for (size_t i = 0; i < p.objects.size(); ++i)
      if (p.objects[i].clut_x == s.clut_x && p.objects[i].clut_y == s.clut_y)
        return Palette{depth == 0 ? 16u : 256u, p.objects[i].colors, object_path(i, ".colors")};
  for (size_t i = 0; i < p.cluts.size(); ++i) {
    const Clut& c = p.cluts[i];
    if (c.x != s.clut_x || c.y != s.clut_y) continue;
    return Palette{c.length, clut_colors(p, vram, i), text("cluts[", i, "]")};
  }
  return {};
}

/// Whether texels of 0x0000 look like black that was meant to be drawn: most of their edges touch dark colours, or they
/// are lines and specks. Holes in leaves and fences are wider and next to any colour; undrawn texels are no holes.
bool is_likely_opaque_black(const std::bitset<k_side * k_side>& shown, auto color_at) {
  constexpr u32 k_dark = 4;  // of 31
  const auto drawn = [&](u32 u, u32 v) -> u32 {
    return u < k_side && v < k_side && shown[v * k_side + u] ? color_at(u, v) : 0;
  };
  const auto is_dark = [](u32 c) { return c && std::ranges::max(console::channels_of(u16(c))) < k_dark; };
  size_t edges = 0, black = 0;
  for (u32 v = 0; v < k_side; ++v)
    for (u32 u = 0; u < k_side; ++u) {
      if (!shown[v * k_side + u] || color_at(u, v)) continue;
      const u32 left = drawn(u - 1, v), right = drawn(u + 1, v), up = drawn(u, v - 1), down = drawn(u, v + 1);
      edges += left || right || up || down;
      black += (left && right) || (up && down) || is_dark(left) || is_dark(right) || is_dark(up) || is_dark(down);
    }
  return black * 2 >= edges;
}

void check_colors(Reporter& r, const VideoMemory& memory, const TextureSource& s, const Use& use, const Palette& c) {
  const TexturePage page = TexturePage::from_word(s.page);
  const u32 n = page.texels_per_word(), bits = 16 / n;
  const auto index_at = [&](u32 u, u32 v) -> u32 {
    return memory.at(page.x + u / n, page.y + v) >> (u % n * bits) & ((1u << bits) - 1);
  };
  std::array<u32, 256> counts{};
  for (u32 i = 0; i < use.texels.size(); ++i)
    if (use.texels[i]) ++counts[index_at(i % k_side, i / k_side)];
  u32 most = 0;
  for (u32 i = 0; i < 256; ++i)
    if (counts[i]) most = i;
  if (most >= c.length)
    r.report("splashpack.clut-short", use.path,
             {.message = text("texels use colour ", most, ", but ", c.path, " has only ",
                              format_count(c.length, "colour"), triangle_count_suffix(use))});
  const auto has = [&](u32 color) { return std::find(c.colors.begin(), c.colors.end(), color) != c.colors.end(); };
  if (std::any_of(std::begin(k_shared_black), std::end(k_shared_black), has)) return;
  const auto color_at = [&](u32 u, u32 v) -> u32 {
    const u32 i = index_at(u, v);
    return i < c.colors.size() ? c.colors[i] : 0;
  };
  for (size_t i = 0; i < std::min<size_t>(c.colors.size(), 256); ++i)
    if (counts[i] && i < c.length && c.colors[i] == 0 && is_likely_opaque_black(use.texels, color_at))
      return r.report("splashpack.black-hole", c.path,
                      {.message = text(format_count(counts[i], "texel"), " of colour ", i, " (0x0000) ",
                                       counts[i] == 1 ? "is" : "are", " not drawn"),
                       .hint = text("if these texels are meant to be black, store the colour as 0x8000")});
}

/// The number of neighbouring texels of different textures in each atlas, and how much of each atlas is used.
void check_atlas_usage(Reporter& r, const Pack& p, const Uses& uses) {
  std::vector<u32> owners(size_t(k_video_width) * k_video_height);  // for each word: the source from 1 on; 0: none
  std::vector<u8> parts(owners.size());                             // quarters of the word that are read
  u32 number = 0;
  for (const auto& [s, use] : uses) {
    const TexturePage page = TexturePage::from_word(s.page);
    const u32 n = page.texels_per_word();
    ++number;
    for (u32 i = 0; i < use.texels.size(); ++i)
      if (use.texels[i]) {
        const u32 x = page.x + i % k_side / n, y = page.y + i / k_side;
        if (x >= k_video_width || y >= k_video_height) continue;
        owners[size_t(y) * k_video_width + x] = number;
        parts[size_t(y) * k_video_width + x] |= u8((n == 4 ? 1 : n == 2 ? 3 : 15) << i % k_side % n * (4 / n));
      }
  }
  struct Use {
    size_t atlas;
    u64 used, all;  // quarters of a word
  };
  std::vector<Use> atlases;
  std::map<u32, u64> free;  // by the width of atlases, which is their depth: 4-bit texels are not moved to 8 bits
  for (size_t i = 0; i < p.atlases.size(); ++i) {
    const Rect a = rect_of(p.atlases[i]);
    if (exceeds_vram(a) || !a.width || !a.height) continue;
    u64 used = 0, touching = 0;
    for (u32 y = a.y; y < a.y + a.height; ++y)
      for (u32 x = a.x; x < a.x + a.width; ++x) {
        const size_t at = size_t(y) * k_video_width + x;
        used += u64(std::popcount(parts[at]));
        const auto other = [&](size_t neighbour) { return owners[neighbour] && owners[neighbour] != owners[at]; };
        if (!owners[at]) continue;
        touching += (x + 1 < a.x + a.width && other(at + 1)) || (y + 1 < a.y + a.height && other(at + k_video_width));
      }
    const u64 all = u64(a.width) * a.height * 4;
    atlases.push_back({i, used, all});
    free[a.width] += all - used;
    if (touching)
      r.report("splashpack.uv-bleed", text("atlases[", i, "]"),
               {.message = text("textures touch each other along ", format_count(touching, "word"),
                                ", so their colours can bleed"),
                .hint = "leave a border of texels between the textures"});
  }
  for (const Use& u : atlases)
    if (u.used * 2 < u.all && (!u.used || free[p.atlases[u.atlas].width] - (u.all - u.used) >= u.used))
      r.report("splashpack.vram-unused", text("atlases[", u.atlas, "]"),
               {.message = text(100 - u.used * 100 / u.all, " % of the texels in the atlas are unused"),
                .hint = u.used ? "the other atlases of this depth have room for the used texels" : ""});
}

void check_stp(Reporter& r, const Pack& p, const Vram* vram) {
  u64 colors = 0, palettes = 0;
  std::string first;
  for (size_t i = 0; i < p.cluts.size(); ++i) {
    const auto all = clut_colors(p, vram, i);
    const auto n = std::count_if(all.begin(), all.end(), [](u16 c) { return c & 0x8000 && c != 0x8000; });
    if (!n) continue;
    if (!palettes++) first = text("cluts[", i, vram ? "]" : "].colors");
    colors += u64(n);
  }
  if (palettes)
    r.report("splashpack.stp", first,
             {.message = text(format_count(colors, "colour"), " in ", format_count(palettes, "palette"),
                              colors == 1 ? " has" : " have", " the semi-transparency bit (15) set")});
}

}  // namespace
const std::span<const Rule> k_video_rules = k_video_rule_table;

void check_video(Reporter& r, const Pack& p, const Vram* vram) {
  if (is_old(p)) vram = nullptr;  // the texels are in the pack
  check_atlases(r, p, vram);
  check_cluts(r, p, vram);
  check_stp(r, p, vram);
  const Uses uses = collect_texture_uses(p);
  const bool has_texels = is_old(p) || vram;
  const VideoMemory memory = has_texels ? build_video_memory(p, vram) : VideoMemory{};
  for (const auto& [s, use] : uses) {
    check_page(r, p, uses, s, use);
    const TexturePage page = TexturePage::from_word(s.page);
    if (page.depth >= 2) continue;
    const auto palette = find_palette(p, vram, s, page.depth);
    if (!palette)
      r.report(
          "splashpack.clut-missing", use.path + ".clut_x",
          {.message = text("the pack has no palette at ", s.clut_x * 16u, ", ", s.clut_y, triangle_count_suffix(use))});
    else if (has_texels && find_atlas(p, page.x, page.y))
      check_colors(r, memory, s, use, *palette);
  }
  check_atlas_usage(r, p, uses);
  if (const u64 used = pages_used(p), of = pages_of(p.form); used * 4 > of * 3)
    r.report("splashpack.vram-budget", "atlases",
             {.message = text(used, " of ", of, " texture pages (64 x 256 words) are used")});
}

}  // namespace dio::splashpack
