// scenes.hpp: reads scenes (.glb, .gltf, .obj) with the files that they refer to.
#pragma once
#include <optional>

#include "bridge/scene_file/scene_file.hpp"
#include "open.hpp"

namespace dio::cli {

/// Whether an input is a scene: by its extension, or its bytes if it is the standard input, which has no name.
bool is_scene(const Input&, ByteView);

/// How many nodes, triangles, cameras and animations there are.
std::string scene_summary(const scene::Scene&);

/// The scene in a file. Nothing if it cannot be read; the report says why. `missing` receives the number of warnings:
/// parts of the scene that cannot be found.
std::optional<scene::Scene> read_scene(const Request&, const Input&, const Bytes&, Report&, u64* missing = nullptr);

/// Reads the files in the scene's folder that extras name (bridge/linked_files/). False if one cannot be read; the
/// report has the reason.
bool take_files(const Request&, scene::Scene&, const Input&, Report&);

}  // namespace dio::cli
