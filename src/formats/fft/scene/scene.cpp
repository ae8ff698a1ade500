// scene.cpp: converts a mesh file to a scene, with the texels and palettes of its companion files.
#include "formats/contract/companions.hpp"
#include "formats/contract/scenes.hpp"
#include "formats/fft/parts.hpp"
#include "formats/fft/scene/builder.hpp"

namespace dio::fft {

Result<SceneResult> to_scene(const Mesh& mesh, const SceneOptions& options) {
  const Texture* texture = nullptr;
  const Palettes* palettes = nullptr;
  for (const Companion& c : options.companions) {
    if (c.format_id() == "fft-texture") texture = &value_of<Texture>(*c.document);
    if (c.format_id() != "fft-mesh") continue;
    const Mesh& other = value_of<Mesh>(*c.document);
    if (other.palettes && !palettes) palettes = &*other.palettes;
  }
  MergedMap map = merge_mesh_and_texture(mesh, texture);
  if (!map.palettes) map.palettes = palettes;
  return build_map_scene(std::span(&map, 1),
                         {.lamps = options.lamps, .tick_rate = options.tick_rate, .sources = options.sources});
}

}  // namespace dio::fft
