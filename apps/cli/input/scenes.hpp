// scenes.hpp: scenes in .glb and .gltf files, with what they name beside them.
#pragma once
#include <optional>

#include "open.hpp"

namespace dio::cli {

/// Whether it is called .glb or .gltf.
bool is_gltf(const std::string& name);
/// The same of what comes on standard input and has no name: by its bytes.
bool is_gltf(const Input&, ByteView);

/// How many nodes, triangles, cameras and animations there are.
std::string scene_summary(const scene::Scene&);

/// The scene in a file. Nothing if it cannot be read; the report says why.
std::optional<scene::Scene> read_scene(const Request&, const Input&, const Bytes&, Report&);

/// Reads the files in the scene's folder that extras name (bridge/linked_files/). False if one cannot be read; the
/// report has the reason.
bool take_files(const Request&, scene::Scene&, const Input&, Report&);

}  // namespace dio::cli
