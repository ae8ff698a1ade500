// gltf.hpp: writes scenes as glTF 2.0.
#pragma once
#include <functional>

#include "core/result.hpp"
#include "scene/scene.hpp"

namespace dio::gltf {

/// `write_glb` writes one self-contained binary file (.glb), in which the Khronos validator finds no errors or
/// warnings. Nodes keep their indices; after them, a root node with the extras {"diorama": {"metres_per_unit": 0.0625}}
/// scales the scene to metres. All other roots are skinned meshes, whose transforms glTF ignores: the node itself or,
/// if its position is needed, a second node with the same name. Unused parts are left out, and equal parts are written
/// once (except animated materials); pictures are PNG files in the buffer. `Primitive::sources` becomes the attribute
/// _SOURCE, one float per vertex.
///
/// Extensions, none of which is required: KHR_materials_unlit, KHR_texture_transform, KHR_node_visibility,
/// KHR_lights_punctual (lights shine along the negative Z axis of their nodes), KHR_materials_variants (a variant with
/// the default material is not listed), and KHR_animation_pointer for all animations except those of nodes. For
/// programs without KHR_node_visibility, a hidden node has a scale of 0, and a visibility animation also animates its
/// scale, except above cameras and above joints of a mesh that is not hidden with them. Such programs show a hidden
/// skinned mesh unless it and all its joints are below a hidden node.
///
/// Errors: scene.invalid (an invariant of the scene does not hold), gltf.size (over 4 GiB).
struct Options {
  /// Writes repeated static meshes as instances (EXT_mesh_gpu_instancing). The extension is then required, because
  /// other programs would show only one instance. The nodes remain, with names and extras, but without meshes.
  bool instances = false;
  /// Returns the PNG file of a picture, if it is known from another scene. If it returns nothing, the picture is
  /// encoded.
  std::function<Bytes(const scene::Image&)> png = {};
};
Result<Bytes> write_glb(const scene::Scene&, const Options& = {});

/// Writes the same content as text (.gltf), with the buffer as a data URI.
Result<std::string> write_gltf(const scene::Scene&, const Options& = {});

}  // namespace dio::gltf
