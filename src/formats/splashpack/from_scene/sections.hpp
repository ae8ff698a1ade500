// sections.hpp: what packs of v20 and later have besides objects, from a scene.
#pragma once
#include "formats/splashpack/from_scene/motion.hpp"
#include "formats/splashpack/from_scene/scripts.hpp"
#include "formats/splashpack/layout/vram.hpp"

namespace dio::splashpack {

/// A scene, and what has been derived from it.
struct MakeSource {
  const scene::Scene& scene;
  const MakeSettings& settings;
  std::span<const Affine> places;
  std::span<const Role> roles;
  std::span<const Index> objects;  // the node of each object of the pack
  Index player;                    // node; none if there is none
};

/// A box around the mesh of a node; of one without a mesh, around the cube that Blender draws for it, 1 to each side.
/// None for an empty mesh. Id: splashpack.make-range.
Result<std::optional<Box>> compute_node_box(const MakeSource&, size_t node);

/// Names, boxes, BVH, floor, rooms, colliders, triggers, interactables, movement and fog. `pack` has its objects, its
/// player and its navmesh, which becomes regions. Returns the refusal, if any.
std::optional<Diagnostic> add_sections(const MakeSource&, Pack&, Scripts&, Diagnostics& notes);

/// Cutscenes, animations and the memory card, which scenes of packs keep in their extras; and notes of what such scenes
/// have and the pack cannot store. `pack` has its sounds; `clips`: of the skins that it has.
void add_extras_sections(const scene::Scene&, std::span<const Role>, const MakeSettings&, const ClipNumbers& clips,
                         Pack&, Diagnostics& notes);

/// Takes texels and palettes out of a pack, into a file of their own.
Vram extract_vram(Pack&);

}  // namespace dio::splashpack
