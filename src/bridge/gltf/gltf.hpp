// gltf.hpp: a scene as glTF 2.0.
#pragma once
#include <functional>

#include "core/result.hpp"
#include "scene/scene.hpp"

namespace dio::gltf {

/// One self-contained binary file (.glb), in which the Khronos validator finds no errors or warnings. Nodes keep their
/// index; after them comes a root with the extras {"diorama": {"metres_per_unit": 0.0625}}, which scales the scene to
/// metres. Other roots are only skinned meshes, whose transform is ignored: the node itself or, if its position is
/// needed, a second one of the same name. Unused parts are not written, and equal ones are written once (an animated
/// material is equal to no other); pictures are PNG files in the buffer. `Primitive::sources` becomes the attribute
/// _SOURCE, one float per vertex.
///
/// Extensions, none of which is required: KHR_materials_unlit, KHR_texture_transform, KHR_node_visibility,
/// KHR_lights_punctual (lights shine along the negative Z axis of their nodes), KHR_materials_variants (a variant with
/// the default material is not listed), and KHR_animation_pointer for all animations but those of nodes. For programs
/// without KHR_node_visibility, a hidden node has a scale of 0, and a visibility animation also animates its scale,
/// except above cameras and above joints of a mesh that is not hidden with them. Such programs show a hidden skinned
/// mesh unless it and all its joints are below a hidden node.
///
/// Ids: scene.invalid (an invariant of the scene does not hold), gltf.size (over 4 GiB).
struct Options {
  /// Static meshes that are used several times are drawn as instances: EXT_mesh_gpu_instancing, which is then required,
  /// because other programs would show only one of each. The nodes remain, with names and extras, but without meshes.
  bool instances = false;
  /// Returns the PNG file of a picture, if it is known from another scene; nothing: it is encoded.
  std::function<Bytes(const scene::Image&)> png = {};
};
Result<Bytes> write_glb(const scene::Scene&, const Options& = {});

/// The same as text (.gltf) with the buffer as a data URI.
Result<std::string> write_gltf(const scene::Scene&, const Options& = {});

}  // namespace dio::gltf
