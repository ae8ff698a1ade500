// apply_scene.hpp: an edited scene back into the file it was made of, as edits: what was moved, turned, scaled, copied
// and deleted in another program. Formats say which of their values place a node (Scenes::place); nothing else changes.
#pragma once
#include "formats/contract/scenes.hpp"
#include "operations/editing.hpp"

namespace dio {

struct OpenedFile;

/// What an edited scene changed in its file.
struct SceneEdits {
  u64 moved = 0, added = 0, removed = 0;
  u64 changed = 0;              // elements with edited properties
  u64 deleted = 0;              // elements that are gone with all that was in them, and triangles
  SceneImportResult triangles;  // without its notes; of formats that take triangles (Scenes::write_triangles)
  SceneImportResult overlays;   // likewise, of Scenes::write_overlays
  u64 lost = 0;                 // changes of the scene that are not taken; notes name them
  Diagnostics notes;

  bool any() const { return moved || added || removed || changed || triangles.any() || overlays.any(); }
};

/// Makes the edits as one. Nodes are known by the paths in their extras, or by their names where a program has dropped
/// extras; of several that are the same, those named otherwise are copies (`object 3.001`). Edited properties in extras
/// become values of their elements. Edits that the file cannot store count as lost, with a note: scene.property,
/// scene.material, scene.light, scene.place (a mesh that only shows values). Where the scene has no camera or no light
/// at all, those of the file stay: exporters omit them by default. Triangles that differ go where their material is
/// drawn. A new node below that of a section becomes a new element of its list. The scene may be in any units. Ids:
/// scene.source (no node is of this file), scene.place (a change that the file cannot state; the message names the
/// node), and those of `remove` and `duplicate`. `file`: its path, where the scene may show it as a part of its game.
Result<SceneEdits> apply_scene_edits(Editing&, const ReadAs&, scene::Scene edited, Referrers,
                                     std::string_view file = {}, std::span<const Companion> = {});

/// A file to which an edited scene was applied. `what`: 3 moved, 0 added, 1 removed; 2 polygons changed, 40 unchanged.
struct ApplySceneResult {
  Bytes bytes;
  std::string what;
  Changes changes = {};  // of values, where the scene changed those alone
  u64 deleted = 0;       // elements or polygons that the scene no longer has
  u64 lost = 0;          // changes of the scene that are not taken; notes name them
  Diagnostics notes = {};
};
/// Puts an edited scene back into the file it was made of. The format must take edited scenes
/// (Scenes::supports_scene_import). Ids: as `apply_scene_edits` and Document::save.
Result<ApplySceneResult> apply_scene(OpenedFile&, scene::Scene edited, SaveOptions = {}, Referrers = Referrers::refuse,
                                     std::span<const Companion> = {});

/// Which results may be written although something of the scene or of the file is lost.
struct AcceptedLoss {
  bool partly = false;   // changes of the scene that are not taken
  bool deletes = false;  // more than a few elements or polygons that the scene lacks
};
/// Why a result should not be written; nothing if it may be. Ids: scene.deleted, scene.lost.
std::optional<Diagnostic> refuse_loss(const ApplySceneResult&, std::string_view file, AcceptedLoss);

}  // namespace dio
