// packs.hpp: a small scene made from nothing, in every layout: a room with a floor, walls and a crate.
#pragma once
#include "formats/splashpack/parts.hpp"
#include "samples/samples.hpp"

namespace dio::splashpack {

/// The files of one scene. Until layout e the pack has all; later ones have texels, palettes and sounds beside it.
struct SceneFiles {
  Pack pack;
  Vram vram;
  Spu spu;
  Geo geo;
};

/// The room. In v20 and later it has names, colliders, the tree of boxes, a floor of regions; from v22 on also an
/// agent, sprites, tiles and lights, and in v25 the walls are streamed.
SceneFiles sample_scene(Layout);
/// The same in v21 as an interior of two rooms, with something in every section.
SceneFiles sample_scene_with_everything();

}  // namespace dio::splashpack
