// gltf.hpp: a scene as glTF 2.0.
#pragma once
#include <functional>

#include "core/result.hpp"
#include "scene/scene.hpp"

namespace dio::gltf {

/// One self-contained binary file (.glb). The Khronos validator finds 0 errors and 0 warnings in it. Nodes keep their
/// index; after them comes a root above all others, which scales the scene's units to metres. Only skinned meshes,
/// whose place does not count, are roots: the node itself or, if it is needed where it is, one more of the same name.
/// What nothing uses is not written, what is equal is written once (a material that moves is equal to none); pictures
/// are PNG files in the buffer. The node above all others says so: its extras are {"diorama": {"metres_per_unit":
/// 0.0625}}. `Primitive::sources` are the attribute _SOURCE, one float a vertex.
///
/// Extensions, none of which is required: KHR_materials_unlit, KHR_texture_transform, KHR_node_visibility,
/// KHR_lights_punctual (lights shine along the negative Z axis of their nodes),
/// KHR_materials_variants (where a variant has the material that is there without it, it is not named), and
/// KHR_animation_pointer for what moves besides nodes. For programs without KHR_node_visibility, a hidden node has a
/// scale of 0, and an animation of its visibility moves its scale, too. This is left out above cameras, and above
/// joints of a mesh that is not hidden with them. Such programs show a hidden skinned mesh unless a hidden node is
/// above it and all its joints.
///
/// Ids: gltf.scene (an invariant of the scene does not hold), gltf.size (over 4 GiB).
struct Options {
  /// Meshes that stand still in several places are drawn at once: EXT_mesh_gpu_instancing, which is required then, for
  /// programs without it would show only one of each. The nodes stay, with names and extras, but without their meshes.
  bool instances = false;
  /// The PNG file of a picture, for those who know it from another scene; none: it is made.
  std::function<Bytes(const scene::Image&)> png = {};
};
Result<Bytes> write_glb(const scene::Scene&, const Options& = {});

/// The same as text (.gltf) with the buffer as a data URI.
Result<std::string> write_gltf(const scene::Scene&, const Options& = {});

}  // namespace dio::gltf
