#include "formats/splashpack/pictures/texels.hpp"

#include <cmath>
#include <map>

#include "core/sorting.hpp"

namespace dio::splashpack {
namespace {

constexpr size_t k_most_islands = 256;  // of a page with a palette; above, all become one

/// Adds a rectangle to a list without overlaps: rectangles that overlap or are closer than `margin` are merged.
void merge_rect(std::vector<Rect>& apart, Rect r, u32 margin) {
  const bool together = apart.size() >= k_most_islands;
  for (size_t i = 0; i < apart.size();) {
    const Rect& other = apart[i];
    const bool near = other.x < r.x + r.width + margin && r.x < other.x + other.width + margin &&
                      other.y < r.y + r.height + margin && r.y < other.y + other.height + margin;
    if (!together && !near) {
      ++i;
      continue;
    }
    r = bounding_rect(r, apart[i]);
    apart[i] = apart.back();
    apart.pop_back();
    i = 0;  // now larger, it may overlap earlier rectangles
  }
  apart.push_back(r);
}

Rect uv_bounds(const std::array<Uv, 3>& uvs) {
  const auto [u0, u1] = std::minmax({uvs[0].u, uvs[1].u, uvs[2].u});
  const auto [v0, v1] = std::minmax({uvs[0].v, uvs[1].v, uvs[2].v});
  return {u0, v0, u1 - u0 + 1u, v1 - v0 + 1u};
}

/// Calls `visit(v, u0, u1)` for each line of texels that the triangle touches.
template <class Visit>
void for_each_texel_line(const std::array<Uv, 3>& uvs, Visit visit) {
  const Rect r = uv_bounds(uvs);
  for (u32 v = r.y; v < r.y + r.height; ++v) {
    // The parts of the edges between v and v + 1: the triangle is between their ends.
    const f64 top = v, bottom = std::min(v + 1, r.y + r.height - 1);
    f64 first = 255, last = 0;
    for (size_t i = 0; i < 3; ++i) {
      const Uv &a = uvs[i], &b = uvs[(i + 1) % 3];
      if (std::max(a.v, b.v) < top || std::min(a.v, b.v) > bottom) continue;
      for (const f64 y : {std::clamp<f64>(a.v, top, bottom), std::clamp<f64>(b.v, top, bottom)}) {
        const f64 u = a.v == b.v ? a.u : a.u + (f64(b.u) - a.u) * (y - a.v) / (f64(b.v) - a.v);
        first = std::min(first, u), last = std::max(last, u);
      }
      if (a.v == b.v) first = std::min<f64>(first, b.u), last = std::max<f64>(last, b.u);
    }
    if (first <= last) visit(v, u32(first), u32(last));
  }
}

TexelRegion element_texel_region(const UiElement& e) {
  TextureSource source;
  source.page = TexturePage{.x = u16(e.page_x % 16 * k_page_width),
                            .y = u16(e.page_y % 2 * k_page_height),
                            .depth = std::min<u8>(e.depth, 2),
                            .semi_transparency = 0,
                            .dithered = false}
                    .word();
  if (e.depth < 2) source.clut_x = e.clut_x, source.clut_y = e.clut_y;
  const auto [u0, u1] = std::minmax(e.from.u, e.to_uv.u);
  const auto [v0, v1] = std::minmax(e.from.v, e.to_uv.v);
  return {source, u0, v0, u1 - u0 + 1u, v1 - v0 + 1u};
}

}  // namespace

TexelRegions::TexelRegions(const Pack& pack) {
  std::map<TextureSource, std::vector<Rect>> rects;
  for (const Object& o : pack.objects) {
    std::map<TextureSource, std::vector<Rect>>
        of_object;  // the parts of a texture that was cut together with its triangles touch
    for (const Triangle& t : o.triangles)
      if (const auto source = texture_of(pack, o, t)) merge_rect(of_object[*source], uv_bounds(t.uvs), 1);
    for (const auto& [source, apart] : of_object)
      for (const Rect& r : apart) merge_rect(rects[source], r, 0);
  }
  for (auto& [source, apart] : rects) {
    sort_stably(apart, {}, [](const Rect& r) { return std::pair(r.y, r.x); });
    for (const Rect& r : apart) all_.push_back({source, r.x, r.y, r.width, r.height});
  }
}

size_t TexelRegions::index_of(const TextureSource& source, const Triangle& t) const {
  const auto same = std::ranges::equal_range(all_, source, {}, &TexelRegion::source);
  return size_t(std::ranges::find_if(same, [&](const TexelRegion& i) { return i.contains(t.uvs[0]); }) - all_.begin());
}

TexelRegion sheet_texel_region(const SpriteSheet& s) {
  const TexturePage page{.x = u16(s.page_x % 16 * k_page_width),
                         .y = u16(s.page_y % 2 * k_page_height),
                         .depth = std::min<u8>(s.depth, 2),
                         .semi_transparency = 0,
                         .dithered = false};
  constexpr u32 k_side = 256;
  const auto length = [](u32 first, u32 texels) { return std::min(texels, k_side - first); };
  return {{page.word(), s.clut_x, s.clut_y},
          s.origin.u,
          s.origin.v,
          length(s.origin.u, u32(s.cell_width) * s.columns),
          length(s.origin.v, u32(s.cell_height) * s.rows)};
}

std::vector<CanvasImage> collect_canvas_images(const Pack& pack) {
  std::vector<CanvasImage> images;
  std::map<TexelRegion, size_t> known;
  for (u32 i = 0; i < pack.canvases.size(); ++i)
    for (u32 k = 0; k < pack.canvases[i].elements.size(); ++k) {
      const UiElement& e = pack.canvases[i].elements[k];
      if (e.type != UiType::image) continue;
      const auto [at, fresh] = known.try_emplace(element_texel_region(e), images.size());
      if (fresh) images.push_back({at->first, {}});
      images[at->second].shown_by.push_back({i, k});
    }
  return images;
}

scene::Image picture_of(const VideoMemory& memory, const TexelRegion& i) {
  return psx::decode_vram_picture(memory, i.source, {i.u, i.v, i.width, i.height});
}

bool has_clear_texel(const VideoMemory& memory, const TextureSource& source, const std::array<Uv, 3>& uvs) {
  bool any = false;
  for_each_texel_line(uvs, [&](u32 v, u32 u0, u32 u1) {
    for (u32 u = u0; u <= u1 && !any; ++u) any = texel_at(memory, source, u8(u), u8(v)) == 0;
  });
  return any;
}

bool is_region_filled(const VideoMemory& memory, const TexelRegion& island) {
  const TexturePage page = TexturePage::from_word(island.source.page);
  const u32 per_word = page.texels_per_word();
  const u32 first = island.u / per_word, last = (island.u + island.width - 1) / per_word;
  const Rect texels{page.x + first, page.y + island.v, last - first + 1, island.height};
  const Rect palette{island.source.clut_x * 16u % k_video_width, island.source.clut_y % k_video_height, 1, 1};
  bool any_texel = false, any_color = per_word == 1;
  for (const VideoBlock& b : memory.blocks) {
    any_texel |= b.kind == VideoBlock::Kind::atlas && b.rect.overlaps(texels);
    any_color |= b.kind == VideoBlock::Kind::palette && b.rect.overlaps(palette);
  }
  return any_texel && any_color;
}

}  // namespace dio::splashpack
