// scenes.hpp: formats that can be exported as scenes, and to which edited scenes can be applied.
#pragma once
#include <algorithm>
#include <map>
#include <memory>

#include "formats/contract/companions.hpp"
#include "formats/contract/edits.hpp"
#include "scene/scene.hpp"
#include "scene/tile_grid.hpp"
#include "scene/triangle_match.hpp"

namespace dio {

class CompanionScenes;

struct SceneOptions {
  std::span<const Companion> companions = {};
  /// Cached scenes of companions; null: all are built.
  CompanionScenes* companion_scenes = nullptr;
  /// Bakes the light of the game into vertex colours; otherwise the colours are those of the file.
  bool lit = false;
  /// Exports lights instead of baking them: the scene has lights, and materials that react to them.
  bool lamps = false;
  /// Ticks per second, for formats that count time in ticks of unknown length.
  f32 tick_rate = 60;
  /// Simulates the rules of the game and draws the result (Format::simulate).
  bool race = false;
  /// Numbers the vertices of every part that has a position in the file (Primitive::sources). The extras of a node then
  /// contain the path of its value, {"path"}, and its file, {"file"}, unless that is the file of the scene or of the
  /// parent node. A mesh from several files has {"parts": [{"file", "first_source"}]}: from that number on, its sources
  /// belong to that file.
  bool sources = false;
};

/// Some bytes of a file: a value, or a part of its bytes that has no value of its own.
struct ValuePart {
  std::string path;          // of the value
  u64 offset = 0, size = 0;  // of the part in the bytes of the value; size 0: the whole value
};

/// Numbers in Primitive::sources: `count` from `first` on.
struct SourceRun {
  u32 first = 0, count = 0;
};

/// A scene, and notes on missing parts and differences from the game.
struct SceneResult {
  scene::Scene scene;
  Diagnostics notes;
};

/// Scenes of companions, cached between scenes of the same file: while a course is edited, its model stays unchanged.
/// Documents are identified by address, so the documents of one scene must live until the next scene is built.
class CompanionScenes {
 public:
  CompanionScenes() = default;
  /// `before`: the cache of the previous scene. Entries requested with `get` are kept.
  explicit CompanionScenes(const CompanionScenes* before) : before_(before) {}
  /// The scene of a companion: a copy of the cached one, or the result of `make`.
  template <class Make>
  Result<SceneResult> get(const AnyDocument& document, Make make) {
    if (const auto kept = before_ ? before_->find(&document) : nullptr) {
      scenes_[&document] = kept;
      return *kept;
    }
    Result<SceneResult> made = make();
    if (made) scenes_[&document] = std::make_shared<const SceneResult>(*made);
    return made;
  }
  /// Drops the cache of the previous scene, which may then be destroyed.
  void release_before() { before_ = nullptr; }

 private:
  std::shared_ptr<const SceneResult> find(const AnyDocument* document) const {
    const auto found = scenes_.find(document);
    return found == scenes_.end() ? nullptr : found->second;
  }
  std::map<const AnyDocument*, std::shared_ptr<const SceneResult>> scenes_;
  const CompanionScenes* before_ = nullptr;
};

/// The result of applying an edited scene.
struct SceneImportResult {
  u32 unchanged = 0, changed = 0, added = 0, removed = 0;  // polygons
  u64 lost = 0;       // changes of the scene that were not applied; notes name them
  Diagnostics notes;  // changes that cannot be represented exactly

  bool any() const { return changed || added || removed; }
};

/// The path in the extras of a node; empty if there is none.
inline std::string_view path_from_extras(const Value& extras) {
  const Value* path = extras.find("path");
  return path ? std::string_view(path->text()) : std::string_view();
}

/// An edited node whose transform differs from the one that `to_scene` gives it. Poses are relative to its parent.
struct NodeTransformChange {
  const Value& extras;  // of the node, as created by `to_scene`
  scene::Pose before, after;
};

/// How viewers show the nodes of one kind: their layer, and the operations on them.
struct NodeKind {
  std::string_view kind;       // as in the extras of nodes
  std::string_view path = {};  // only nodes with this path in their extras
  std::string_view layer =
      {};  // the title of the layer of these nodes and their descendants; empty: the layer of the parent
  std::string_view overlay = {};  // the game overlay or scene option that adds the layer
  bool is_content = false;        // part of the map itself, in its own colours; otherwise drawn over it
  enum class Shown : u8 { fully, faintly, hidden } shown = Shown::fully;  // at first
  bool is_state = false;        // the map in another state: only one state is shown at a time
  bool has_label = true;        // false: it only groups other nodes
  std::string_view label = {};  // the member of its extras with its name; empty: the name of the node
  bool hides_as_game = false;   // a camera for which the game hides geometry that would block its view
  bool has_tiles = false;       // the question `tile` works for its file, and named edits change rectangles of tiles
  bool shows_values = false;    // its mesh only shows values of the file
  std::optional<scene::TileGrid> tile_grid = {};  // relative to the node; otherwise the grid of the scene
  bool has_height = false;                        // the question `height` works for its file
  bool is_point = false;                          // a point of a path: copies are added point by point
  std::string_view added_with = {};               // PATH=VALUE for such a copy, besides its position
  f64 cell =
      0;  // its element counts cells of this width in `x` and `z`, by which it is moved; 0: it cannot be moved this way
};

/// The scene of a file and an edited one, unified so that their triangles can be compared: equal names for materials,
/// and the same meaning of texture coordinates and colours.
struct ComparedScenes {
  scene::Scene original, edited;
  std::vector<scene::Index> original_nodes;        // by node of `edited`: the matching original node, or k_none
  std::vector<bool> original_parts, edited_parts;  // by node: whether its mesh is compared
  std::vector<bool> edited_overlays = {};          // by node of `edited`: whether `write_overlays` reads its mesh
  u64 lost = 0;                                    // parts of the edited scene that cannot be compared; notes name them
  Diagnostics notes;
};

struct Scenes {
  Result<SceneResult> (*to_scene)(const AnyDocument&, const SceneOptions&);
  /// The members of SceneOptions that `to_scene` uses, by their command-line names: lit, lamps, tick-rate, race.
  std::span<const std::string_view> options = {};
  /// Whether its notes report companions that do not match: a check builds the scene to get them.
  bool notes_companions = true;
  /// Kinds of nodes that can be placed: each stands for an element of a list and occurs once.
  std::span<const std::string_view> placed = {};
  /// Properties of nodes that only scenes with companions have.
  std::span<const std::string_view> companion_properties = {};
  /// Kinds of nodes that only illustrate such an element, such as its movement; they never become elements.
  std::span<const std::string_view> beside = {};
  std::span<const NodeKind> kinds = {};
  /// The values of the file that place such a node, by path. Ids: scene.place (the node cannot be placed there).
  Result<std::vector<Argument>> (*place)(const AnyDocument&, const NodeTransformChange&) = nullptr;
  /// Whether its scene is complete only with companions: edited scenes are then compared with that scene.
  bool needs_companions = false;
  /// Whether new triangles must stay in the node in which they were made: its parts move apart from others.
  bool has_separate_nodes = false;
  bool supports_scene_import() const { return place || write_triangles; }
  /// The part of the file that a vertex with this number in Primitive::sources comes from. `extras`: those of its node,
  /// or of the nearest ancestor with a path. Nothing if there is no such vertex. Null: no primitive has sources.
  std::optional<ValuePart> (*value_of_source)(const AnyDocument&, const Value& extras, u32 source) = nullptr;
  /// The inverse: the numbers of all vertices that come from a value of the file or from values below it.
  std::vector<SourceRun> (*sources_of_value)(const AnyDocument&, const Value& extras, std::string_view path) = nullptr;
  /// Applies triangles of an edited scene that differ from the scene that `to_scene` builds without options: changes
  /// only geometry. Notes name triangles that cannot be applied. Null: not supported.
  Result<SceneImportResult> (*write_triangles)(AnyDocument&, const scene::TriangleDifferences&) = nullptr;
  /// Whether `write_triangles` turns flipped triangles over; otherwise they are removed and added.
  bool flips_triangles = false;
  /// Whether `write_triangles` also adds triangles that no primitive can receive (TriangleDifferences::unplaced).
  bool adds_materials = false;
  /// Moves a node of the scene at rest, with all that is below it. False: the file cannot store that, so its triangles
  /// move instead. Null: never.
  bool (*move_node)(AnyDocument&, const NodeTransformChange&) = nullptr;
  /// The number of changes applied by `write_triangles`.
  std::string_view counted = "triangle";
  /// The scenes to compare, if the one that `to_scene` builds without options and the edited one are not directly
  /// comparable; nodes keep their numbers. Ids: scene.source. Null: these two.
  Result<ComparedScenes> (*prepare_comparison)(const AnyDocument&, const scene::Scene& edited) = nullptr;
  /// Writes values that the file stores for each triangle, such as its collision type, as texture coordinates into both
  /// scenes, and gives triangles that differ only in them one material. Null: none.
  void (*encode_triangle_values)(const AnyDocument&, ComparedScenes&) = nullptr;
  /// Whether the functions above and below read an edited property from these extras of a node or material; other
  /// edited properties must be fields of an element. Null: none is read.
  bool (*reads_property)(const AnyDocument&, const Value& extras, std::string_view name) = nullptr;
  /// Applies other changes of an edited scene that the file can store, such as heights of tiles. Its result counts
  /// `overlays_counted`. Null: none.
  Result<SceneImportResult> (*write_overlays)(AnyDocument&, const scene::Scene& edited) = nullptr;
  std::string_view overlays_counted = {};
  /// A scene with one mesh where exports have several that are shown one at a time, such as the pictures of an
  /// animation. Nodes keep their transforms. Null: no such meshes.
  scene::Scene (*without_alternates)(const scene::Scene&) = nullptr;
};

/// Whether the `kind` of a node is one of these.
inline bool is_of_kind(std::span<const std::string_view> kinds, const scene::Node& node) {
  const Value* kind = node.extras.find("kind");
  return kind && std::ranges::find(kinds, std::string_view(kind->text())) != kinds.end();
}
/// Whether a node of a scene stands for an element that can be placed.
inline bool is_placed(const Scenes& scenes, const scene::Node& node) {
  return scenes.place && is_of_kind(scenes.placed, node);
}
/// Whether a node of a scene only illustrates an element that can be placed.
inline bool is_auxiliary_node(const Scenes& scenes, const scene::Node& node) { return is_of_kind(scenes.beside, node); }

}  // namespace dio
