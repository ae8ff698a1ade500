// reader_parts.hpp: the parts of a glTF file, each into its part of the scene. They share what is known so far.
#pragma once
#include "bridge/gltf/source.hpp"

namespace dio::gltf {

/// How far the length of a rotation or normal may be from 1, within what a scene demands: what is good stays as it is.
inline constexpr f64 k_near_unit = 5e-4;

/// A file that is being read, and what has become of it in the scene.
struct Reading {
  Source& source;
  scene::Scene& scene;

  // By index in the file.
  std::vector<Index> textures = {};  // in the scene; none: its picture is of no kind that is known
  std::vector<u32> uv_sets = {};     // of a material: which texture coordinates it is for
  std::vector<Index> lights = {};    // in the scene; none: it is of no kind that is known
  std::vector<Index> nodes = {};     // in the scene; none: it is not in it
  /// In the scene: roots beside the one that scales to metres. They still have to be scaled to its units.
  std::vector<Index> foreign_roots = {};

  /// Lists of the file, by the names they have there.
  size_t count(std::string_view list) const { return source.list(list).size(); }
};

/// Images, textures and materials.
void read_materials(Reading&);
/// After the materials. Meshes keep their index.
void read_meshes(Reading&);
void read_lights(Reading&);
/// After the meshes and lights: nodes and skins.
void read_nodes(Reading&);
/// After the nodes, which say the units.
void read_cameras(Reading&);
/// After all others.
void read_animations(Reading&);

}  // namespace dio::gltf
