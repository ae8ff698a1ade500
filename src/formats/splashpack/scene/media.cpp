// media.cpp: sounds, glyphs and pictures of canvases, which a scene keeps in its extras: adds their bytes to the fields
// of the pack's JSON.
#include "core/base64.hpp"
#include "formats/splashpack/parts.hpp"
#include "formats/splashpack/pictures/texels.hpp"
#include "formats/splashpack/pictures/texels_encode.hpp"
#include "formats/splashpack/scene/builder.hpp"

namespace dio::splashpack {
void SceneBuilder::add_sound_samples(const Spu& spu) {
  Value* clips = s_.extras.find("audio_clips");
  if (!clips) return;
  for (size_t i = 0; i < std::min(clips->size(), spu.clips.size()); ++i)
    clips->members()[i].second.add("samples", encode_base64(spu.clips[i].samples));
}

void SceneBuilder::add_font_glyphs(const Vram& vram) {
  Value* fonts = s_.extras.find("fonts");
  if (!fonts) return;
  for (size_t i = 0; i < std::min(fonts->size(), vram.fonts.size()); ++i)
    fonts->members()[i].second.add("texels", encode_base64(vram.fonts[i].texels));
}

void SceneBuilder::add_canvas_pictures(const VideoMemory& memory) {
  Value* canvases = s_.extras.find("canvases");
  if (!canvases) return;
  Value pictures = Value::list();
  u64 texels = 0, too_many = 0;
  for (const CanvasImage& image : collect_canvas_images(pack_)) {
    const TexelRegion& island = image.island;
    if (!is_region_filled(memory, island)) continue;
    if (texels + u64(island.width) * island.height > k_most_texels) {
      ++too_many;
      continue;
    }
    texels += u64(island.width) * island.height;
    const size_t number = pictures.size();
    pictures.push(encode_exact_texels(memory, island));
    for (const auto& [canvas, element] : image.shown_by) {
      if (canvas >= canvases->size()) continue;
      Value* elements = canvases->members()[canvas].second.find("elements");
      if (elements && element < elements->size()) elements->members()[element].second.add("picture", number);
    }
  }
  if (pictures.size()) s_.extras.add("canvas_pictures", std::move(pictures));
  if (too_many)
    note(Severity::warning, "splashpack.pictures", "canvases",
         {.message = text(format_count(too_many, "picture"), too_many == 1 ? " exceeds" : " exceed",
                          " the limit of eight times the texels of VRAM"),
          .hint = "these pictures are omitted from the scene"});
}

}  // namespace dio::splashpack
