// scene_media.cpp: sounds, letters and pictures of canvases, which a scene keeps in its extras: their bytes go there,
// beside what JSON of the pack says of them.
#include <map>
#include <tuple>

#include "formats/splashpack/parts.hpp"
#include "formats/splashpack/scene_builder.hpp"
#include "formats/splashpack/texels.hpp"
#include "formats/splashpack/texels_encode.hpp"
#include "layout/base64.hpp"

namespace dio::splashpack {
namespace {

/// What an image of a canvas shows: the rectangle between its corners, in whatever order those are.
Island island_of(const UiElement& e) {
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

/// Texels with the exact words of video memory, semi-transparency and all.
Value exact_picture(const VideoMemory& memory, const Island& island) {
  std::vector<u16> words;
  for (u32 v = island.v; v < island.v + island.height; ++v)
    for (u32 u = island.u; u < island.u + island.width; ++u)
      words.push_back(texel_at(memory, island.source, u8(u), u8(v)));
  return value_of(texels_of_words(island.width, island.height, u8(bits_of(island.source)), std::move(words)));
}

}  // namespace

void SceneBuilder::add_samples(const Spu& spu) {
  Value* clips = s_.extras.find("audio_clips");
  if (!clips) return;
  for (size_t i = 0; i < std::min(clips->size(), spu.clips.size()); ++i)
    clips->members()[i].second.add("samples", base64_digits(spu.clips[i].samples));
}

void SceneBuilder::add_letters(const Vram& vram) {
  Value* fonts = s_.extras.find("fonts");
  if (!fonts) return;
  for (size_t i = 0; i < std::min(fonts->size(), vram.fonts.size()); ++i)
    fonts->members()[i].second.add("texels", base64_digits(vram.fonts[i].texels));
}

void SceneBuilder::add_canvas_pictures(const VideoMemory& memory) {
  Value* canvases = s_.extras.find("canvases");
  if (!canvases) return;
  using Place = std::tuple<TextureSource, u32, u32, u32, u32>;
  std::map<Place, size_t> known;
  Value pictures = Value::list();
  u64 texels = 0, too_many = 0;
  for (size_t i = 0; i < std::min(canvases->size(), pack_.canvases.size()); ++i) {
    Value* elements = canvases->members()[i].second.find("elements");
    const auto& all = pack_.canvases[i].elements;
    for (size_t k = 0; elements && k < std::min(elements->size(), all.size()); ++k) {
      if (all[k].type != UiType::image) continue;
      const Island island = island_of(all[k]);
      const Place place{island.source, island.u, island.v, island.width, island.height};
      auto at = known.find(place);
      if (at == known.end()) {
        if (!is_filled(memory, island)) continue;
        if (texels + u64(island.width) * island.height > k_most_texels) {
          ++too_many;
          continue;
        }
        texels += u64(island.width) * island.height;
        at = known.emplace(place, pictures.size()).first;
        pictures.push(exact_picture(memory, island));
      }
      elements->members()[k].second.add("picture", at->second);
    }
  }
  if (pictures.size()) s_.extras.add("canvas_pictures", std::move(pictures));
  if (too_many)
    note(Severity::warning, "splashpack.pictures", "canvases", "no more texels than a video memory has, eight times",
         text(counted(too_many, "picture"), " too many"), "they are left out");
}

}  // namespace dio::splashpack
