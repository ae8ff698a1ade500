// visibility_builder.hpp: VIS0 and PAT0 files from nodes that animations of a scene show and hide.
#pragma once
#include <functional>
#include <set>
#include <span>

#include "formats/brres/from_scene/srt_builder.hpp"
#include "formats/brres/layout/animations.hpp"

namespace dio::brres {

/// A node with a mesh, and the bone of the made model that shows and hides it.
struct MadeShape {
  scene::Index node = scene::k_none, root = scene::k_none;  // the root of its model says only how it is shown
  std::string bone;
};

/// Whether a node shows a shape with another texture (see scene/visibility_motion.hpp): it is no shape itself.
bool is_picture_node(const scene::Node&);

struct BuiltPatFiles {
  std::vector<PatFile> files;
  std::vector<std::set<scene::Index>> taken;  // by animation of the scene: nodes whose visibility is in the files
};
/// Nodes that show other textures of materials become the keys of these materials. `texture_name`: of an image, in the
/// file.
BuiltPatFiles build_pat_files(const scene::Scene&, std::span<const MadeMaterial>,
                              const std::function<std::string(scene::Index image)>& texture_name);

struct BuiltVisFiles {
  std::vector<VisFile> files;
  std::vector<std::set<scene::Index>> taken;  // by animation of the scene: nodes whose visibility is in the files
  std::set<std::string> mixed;                // bones whose shapes are not all shown at the same time
};
/// `patterns`: by animation, the nodes that patterns show and hide.
BuiltVisFiles build_vis_files(const scene::Scene&, std::span<const MadeShape>,
                              std::span<const std::set<scene::Index>> patterns);

}  // namespace dio::brres
