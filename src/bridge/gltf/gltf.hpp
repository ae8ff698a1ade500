// gltf.hpp: a scene as glTF 2.0.
#pragma once
#include "layout/result.hpp"
#include "scene/scene.hpp"

namespace dio::gltf {

/// One self-contained binary file (.glb). The Khronos validator finds 0 errors and 0 warnings in it. On top stands a
/// node that scales the scene's units to metres. Ids: gltf.scene (an invariant of the scene does not hold),
/// gltf.size (over 4 GiB).
Result<Bytes> write_glb(const scene::Scene&);

/// The same as text (.gltf) with the buffer as a data URI.
Result<std::string> write_gltf(const scene::Scene&);

}  // namespace dio::gltf
