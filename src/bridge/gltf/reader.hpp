// reader.hpp: reads glTF 2.0 as a scene.
#pragma once
#include <functional>
#include <string>
#include <string_view>

#include "core/result.hpp"
#include "scene/scene.hpp"

namespace dio::gltf {

/// Returns the bytes of a file that a .gltf refers to, by its path relative to the folder of the .gltf: with / and
/// without "..", because paths outside the folder are rejected earlier.
using Resolve = std::function<Result<Bytes>(const std::string& name)>;

/// Reads a .glb or .gltf, of this writer or of another program. What a scene cannot represent is left out, with a note
/// for each kind (gltf.partly); everything else is an error. Every scene that is read can be written.
///
/// It reads the default scene's nodes (matrices become translation, rotation and scale), meshes of all modes (strips,
/// fans and loops become triangles and lines) and component types, sparse accessors, one set of texture coordinates,
/// joints and weights, sources (_SOURCE), base colours and textures of materials, PNG and JPEG pictures, skins,
/// cameras, and animations of nodes; splines become lines. Of extensions: KHR_materials_unlit, KHR_texture_transform,
/// KHR_lights_punctual, KHR_materials_variants, KHR_node_visibility, KHR_mesh_quantization,
/// EXT_mesh_gpu_instancing (each instance becomes a node), and KHR_animation_pointer for what scenes can move.
///
/// A root node with the extras of the writer (gltf.hpp) and the scale stated there is removed: the scene gets its
/// original units. Other roots, added by another program, are converted to these units. Without such a node the unit is
/// the metre. Likewise, a scale of 0 that hides a node for programs without KHR_node_visibility becomes the scale of
/// the visible node, or 1 if it is never visible.
///
/// A vertex whose _SOURCE is not a whole number, such as a new one on an edge that a program split, gets the highest
/// value: 2^24 - 1.
///
/// `extras.diorama` becomes the extras of a scene, node, material or animation, merged with the other extras, which
/// take precedence; without it, all extras do.
///
/// The light of a material is `emission` of its extras: emissiveFactor times KHR_materials_emissive_strength, three
/// numbers, linear. Its emissiveTexture is used as its texture if it has no other;
/// otherwise, occlusion and emission become part of the picture of its base colour, if they are placed like it.
///
/// Ids: gltf.syntax, gltf.extension, gltf.resource, gltf.budget, json.*, png.*, jpeg.*.
Result<LoadResult<scene::Scene>> read(ByteView file, const Resolve& resolve = {});

/// Whether a file with these bytes may be one, whatever is wrong with it. A document of diorama's, which is JSON as
/// well, is none.
bool looks_like_gltf(ByteView file);

/// The files that a .glb or .gltf refers to, as `resolve` would be asked for them, each once. Ids: gltf.syntax, json.*.
Result<std::vector<std::string>> list_external_files(ByteView file);

}  // namespace dio::gltf
