// matched_scenes.hpp: the scene of a file and an edited one, and which of their nodes stand for each other.
#pragma once
#include <optional>

#include "formats/contract/format.hpp"
#include "formats/contract/scenes.hpp"
#include "operations/editing.hpp"
#include "scene/affine.hpp"

namespace dio {

struct MatchedScenes {
  const AnyDocument& file;  // before the edits
  const ReadAs& as;
  std::string_view path;  // of the file
  std::span<const Companion> companions;
  scene::Scene edited;                          // in the units of the original
  scene::Scene original = {};                   // the scene of the file
  std::optional<scene::Scene> with_lamps = {};  // likewise with lights, if the edited scene has some
  std::vector<scene::Affine> original_places = {}, edited_places = {};
  std::vector<std::vector<scene::Index>> edited_nodes = {};  // by node of the original: copies come after it
  std::vector<scene::Index> original_nodes = {};             // by node of the edited scene; k_none: it is of none
  std::vector<bool> is_animated = {};                        // by node of the edited scene, or one above it
  bool is_part_of_game = false;                              // the edited scene shows more than the file
  bool is_known = false;                                     // some node of the edited scene is of the file
  std::string doubt = {};                                    // why the scene may be of another file; empty: it is not
  bool has_no_cameras = false, has_no_lights = false;        // the edited scene

  const Scenes& format() const { return *as.format->scenes; }
  /// Of the scene to compare with.
  SceneOptions options() const;
  /// Of a node of the original.
  std::string_view path_of(scene::Index i) const { return path_from_extras(original.nodes[i].extras); }

  // Of nodes of the edited scene:
  bool is_of_this_file(scene::Index n) const;
  bool is_below_same_parent(scene::Index original_node, scene::Index n) const;
  /// By node, whether it shows what a node of the file shows.
  std::vector<bool> find_known_nodes() const;
  /// Whether a program has applied the transforms of all nodes that stand for something of the file, so that none says
  /// where that is.
  bool has_applied_transforms() const;
};

/// The arguments must outlive the result. Ids: scene.source (no node is of this file), and those of Scenes::to_scene.
Result<MatchedScenes> match_scenes(const Editing&, const ReadAs&, scene::Scene edited, std::string_view file,
                                   std::span<const Companion>);

Diagnostic foreign_scene_error();

}  // namespace dio
