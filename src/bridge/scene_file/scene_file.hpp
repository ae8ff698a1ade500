// scene_file.hpp: reads scenes from files of 3D programs, whatever their type.
#pragma once
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.hpp"
#include "scene/scene.hpp"

namespace dio {

/// Whether a name ends in .glb, .gltf or .obj, in either case.
bool has_scene_extension(std::string_view name);

/// Reads a glTF scene, or an OBJ one if the name ends in .obj. `resolve` returns the files that the scene refers to, by
/// their paths relative to its folder. Ids: those of gltf::read and obj::read.
Result<LoadResult<scene::Scene>> read_scene_file(ByteView file, std::string_view name,
                                                 const std::function<Result<Bytes>(const std::string&)>& resolve);

/// The files that a scene refers to, as `resolve` would be asked for them, each once; of those that an OBJ file's
/// materials refer to, `resolve` must return the material files. Ids: gltf.syntax, json.*.
Result<std::vector<std::string>> list_external_files(ByteView file, std::string_view name,
                                                     const std::function<Result<Bytes>(const std::string&)>& resolve);

}  // namespace dio
