// reader_parts.hpp: reads each part of a glTF file into its part of the scene. The parts share the results so far.
#pragma once
#include "bridge/gltf/source.hpp"

namespace dio::gltf {

/// How far the length of a rotation or normal may differ from 1, within the limits of a scene: valid values stay
/// unchanged.
inline constexpr f64 k_near_unit = 5e-4;

/// A glTF file being read, and the resulting parts of the scene.
struct Reading {
  Source& source;
  scene::Scene& scene;

  // By index in the file.
  std::vector<Index> textures = {};  // in the scene; none: the picture has an unknown type
  std::vector<u32> uv_sets = {};     // of a material: the texture coordinates of its textures
  std::vector<Index> lights = {};    // in the scene; none: the light has an unknown type
  std::vector<Index> nodes = {};     // in the scene; none: the node is not in the scene
  /// In the scene: roots besides the one that scales to metres. They still have to be scaled to its units.
  std::vector<Index> foreign_roots = {};

  /// Lists of the file, by their names there.
  size_t count(std::string_view list) const { return source.list(list).size(); }
};

/// Images, textures and materials.
void read_materials(Reading&);
/// After the materials. Meshes keep their index.
void read_meshes(Reading&);
void read_lights(Reading&);
/// After the meshes and lights: nodes and skins.
void read_nodes(Reading&);
/// After the nodes, which determine the units.
void read_cameras(Reading&);
/// After all others.
void read_animations(Reading&);

}  // namespace dio::gltf
