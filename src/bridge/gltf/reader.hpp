// reader.hpp: glTF 2.0 as a scene.
#pragma once
#include <functional>
#include <string>

#include "core/result.hpp"
#include "scene/scene.hpp"

namespace dio::gltf {

/// Gives the bytes of a file that a .gltf names, by its path below the folder that the .gltf lies in: with /, and
/// without "..", as paths that lead elsewhere are refused before anyone is asked.
using Resolve = std::function<Result<Bytes>(const std::string& name)>;

/// A .glb or a .gltf, of this writer or of another program. What a scene has no place for is left out, with a note for
/// each kind (gltf.partly); everything else is a fault. Every scene that comes out is one that can be written.
///
/// Read are: the default scene's nodes (matrices become translation, rotation and scale), meshes of all modes (strips,
/// fans and loops become triangles and lines) and component types, sparse accessors, one set of texture coordinates,
/// joints and weights, sources (_SOURCE), base colours and textures of materials, PNG and JPEG pictures, skins,
/// cameras, and animations of nodes; splines become lines. Of extensions: KHR_materials_unlit, KHR_texture_transform,
/// KHR_lights_punctual, KHR_materials_variants, KHR_node_visibility, KHR_mesh_quantization,
/// EXT_mesh_gpu_instancing (each instance becomes a node), and KHR_animation_pointer for what scenes can move.
///
/// A node above all others whose extras are those of the writer (gltf.hpp) and whose scale is what they say is taken
/// away again: the scene is in the units it was in. Roots beside it, which another program added, are brought to these
/// units. Without such a node the unit is the metre. Likewise the scale of 0 that hides a node for programs without
/// KHR_node_visibility becomes what it was while the node is seen, or 1 if it never is.
///
/// A vertex whose _SOURCE is no whole number, as between two others that a program cut apart, has the highest: 2^24
/// - 1.
///
/// `extras.diorama` become the extras of a scene, node, material or animation, with what stands beside them, which
/// goes before; where there are none of this name, all extras do.
///
/// The light of a material is `emission` of its extras: emissiveFactor times KHR_materials_emissive_strength, three
/// numbers, linear. Its emissiveTexture is its texture where it has no other.
///
/// Ids: gltf.syntax, gltf.extension, gltf.resource, gltf.budget, json.*, png.*, jpeg.*.
Result<Loaded<scene::Scene>> read(ByteView file, const Resolve& resolve = {});

}  // namespace dio::gltf
