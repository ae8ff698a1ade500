// sections.hpp: the parts of packs of v20 and later besides objects, from a scene.
#pragma once
#include "formats/splashpack/from_scene/motion.hpp"
#include "formats/splashpack/from_scene/scripts.hpp"
#include "formats/splashpack/layout/vram.hpp"

namespace dio::splashpack {

/// A scene, and derived data.
struct MakeSource {
  const scene::Scene& scene;
  const MakeSettings& settings;
  std::span<const Affine> places;
  std::span<const Role> roles;
  std::span<const Index> objects;  // the node of each object of the pack
  Index player;                    // its node; none if there is none
};

/// A box around the mesh of a node; for a node without a mesh, around the cube that Blender draws for it, 1 to each
/// side. None for an empty mesh. Id: splashpack.make-range.
Result<std::optional<Box>> compute_node_box(const MakeSource&, size_t node);

/// Adds names, boxes, BVH, floor, rooms, colliders, triggers, interactables, movement and fog. `pack` has its objects,
/// its player and its navmesh, which becomes regions. Returns the error, if any.
std::optional<Diagnostic> add_sections(const MakeSource&, Pack&, Scripts&, Diagnostics& notes);

/// Adds cutscenes, animations and the memory card, which scenes from packs keep in their extras, and notes on parts of
/// such scenes that the pack cannot store. `pack` has its sounds; `clips`: those of its skins.
void add_extras_sections(const scene::Scene&, std::span<const Role>, const MakeSettings&, const ClipNumbers& clips,
                         Pack&, Diagnostics& notes);

/// Moves texels and palettes from a pack to a separate file.
Vram extract_vram(Pack&);

}  // namespace dio::splashpack
