// samples.hpp: a small scene made from nothing, in every layout: a room with a floor, walls and a crate.
#pragma once
#include "formats/splashpack/parts.hpp"

namespace dio::splashpack {

/// The files of one scene. Until layout e the pack has all; later ones have texels, palettes and sounds beside it.
struct SceneFiles {
  Pack pack;
  Vram vram;
  Spu spu;
};

/// The room. In v20 and later it has names, colliders, the tree of boxes, a floor of regions; from v22 on also parts
/// whose structure is unknown.
SceneFiles sample_scene(Layout);
/// The same in v21 as an interior of two rooms, with something in every section.
SceneFiles sample_scene_with_everything();

/// The file of a document that was made; nothing if it cannot be written.
template <class T>
Bytes bytes_of(const T& value) {
  Document<T> d;
  d.edit() = value;
  auto bytes = save(d);
  return bytes ? std::move(*bytes) : Bytes();
}

}  // namespace dio::splashpack
