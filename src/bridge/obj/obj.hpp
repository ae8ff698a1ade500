// obj.hpp: reads Wavefront OBJ files, with their material files (.mtl) and pictures, as scenes.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "core/result.hpp"
#include "scene/scene.hpp"

namespace dio::obj {

/// Returns the bytes of a file by its path relative to the folder of the .obj: with / and without "..".
using Resolve = std::function<Result<Bytes>(const std::string& name)>;

/// Reads polygons (cut into triangles), lines and points, with normals, texture coordinates and the vertex colours that
/// Blender and MeshLab write behind the positions (sRGB). Each object (`o`), or each group (`g`) if there are no
/// objects, becomes a node with a mesh, and each material of it a primitive. An OBJ file states no unit: its numbers
/// are metres, and Y points up.
///
/// Of materials it reads Kd, d or Tr, Ke (as `emission` of the extras, like glTF), map_Kd with its options -s, -o and
/// -clamp, and map_d if it has another picture than map_Kd: the brightness of its texels is the alpha. A picture with
/// transparent texels makes its material an alpha test, or blending if texels are partly transparent. A material file
/// or picture that does not exist is a warning, because an OBJ file has its geometry without them.
///
/// Ids: obj.syntax, obj.missing, obj.partly, png.*, jpeg.*.
Result<LoadResult<scene::Scene>> read(ByteView file, const Resolve& resolve = {});

/// The material files, and the pictures that those say which `resolve` returns; each once.
Result<std::vector<std::string>> list_external_files(ByteView file, const Resolve& resolve = {});

}  // namespace dio::obj
