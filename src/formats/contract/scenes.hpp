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
  /// Scenes of companions that were made before; null: all are made.
  CompanionScenes* companion_scenes = nullptr;
  /// Bake the light of the game into vertex colours; else the colours are those of the file.
  bool lit = false;
  /// Export lights instead of baking them: the scene has lights, and materials that they affect.
  bool lamps = false;
  /// Ticks per second, for formats that count time in ticks of unknown length.
  f32 tick_rate = 60;
  /// Play it by the rules of the game, and draw what comes of it (Format::simulate).
  bool race = false;
  /// Number the vertices of everything that has a place in the file (Primitive::sources). Extras then say of each node
  /// which value it stands for, {"path"}, and in which file,
  /// {"file"}, if that is not the file of the scene or of the node above; a mesh of several files has {"parts":
  /// [{"file", "first_source"}]}: from that number on, its sources are those of that file.
  bool sources = false;
};

/// Some bytes of a file: a value, or a part of its bytes where these have no values of their own.
struct ValuePart {
  std::string path;          // of the value
  u64 offset = 0, size = 0;  // of the part in the bytes of the value; size 0: all of it
};

/// Numbers in Primitive::sources: `count` from `first` on.
struct SourceRun {
  u32 first = 0, count = 0;
};

/// A scene, and notes on what is missing from it or differs from the game.
struct SceneResult {
  scene::Scene scene;
  Diagnostics notes;
};

/// Scenes of companions, kept from one scene of a file to the next: while a course is edited, its model stays as it is.
/// Documents are known by their addresses, so the documents of the scene before have to outlive the making of the next.
class CompanionScenes {
 public:
  CompanionScenes() = default;
  /// `before`: those of the scene before. It keeps those that `get` is asked for.
  explicit CompanionScenes(const CompanionScenes* before) : before_(before) {}
  /// The scene of a companion: a copy of the one before, or what `make` returns.
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
  /// From now on without the scene before, which may go.
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
  u64 lost = 0;                                            // changes of the scene that are not taken; notes name them
  Diagnostics notes;                                       // what cannot be represented exactly

  bool any() const { return changed || added || removed; }
};

/// The path in the extras of a node; empty if there is none.
inline std::string_view path_from_extras(const Value& extras) {
  const Value* path = extras.find("path");
  return path ? std::string_view(path->text()) : std::string_view();
}

/// A node of a scene that shall be elsewhere than where `to_scene` puts it, turned or scaled. Poses are in its parent.
struct NodeTransformChange {
  const Value& extras;  // of the node, as `to_scene` makes them
  scene::Pose before, after;
};

/// How viewers show the nodes of one kind: which layer they are in, and what they offer.
struct NodeKind {
  std::string_view kind;          // as in the extras of nodes
  std::string_view path = {};     // only nodes with this path in their extras
  std::string_view layer = {};    // its title, of these nodes and of those below them; empty: the layer of the parent
  std::string_view overlay = {};  // the overlay of the game, or the option of scenes, that adds the layer
  bool is_content = false;        // part of the map itself, in its own colours; else drawn over it
  enum class Shown : u8 { fully, faintly, hidden } shown = Shown::fully;  // at first
  bool is_state = false;        // the map in another state: one of them is shown at a time
  bool has_label = true;        // false: it only groups others
  std::string_view label = {};  // the member of its extras that names it; empty: the name of the node
  bool hides_as_game = false;   // a camera for which the game leaves out what nobody should see from there
  bool has_tiles = false;       // its file answers `tile`, and named edits change rectangles of tiles
  std::optional<scene::TileGrid> tile_grid = {};  // relative to the node; without one: the grid of the scene
  bool has_height = false;                        // its file answers `height`
  bool is_point = false;                          // of a path: copies of it are added point by point
  std::string_view added_with = {};               // PATH=VALUE of such a copy, besides its position
  f64 cell = 0;  // its element counts cells of this width, in `x` and `z`: so it is moved; 0: it does not
};

/// The scene of a file and an edited one, made alike so that their triangles can be compared: materials of the same
/// names, texture coordinates and colours of the same meaning.
struct ComparedScenes {
  scene::Scene original, edited;
  std::vector<scene::Index> original_nodes;        // by node of `edited`: the one that it stands for, or k_none
  std::vector<bool> original_parts, edited_parts;  // by node: whether its mesh is compared
  u64 lost = 0;                                    // what of the edited scene cannot be compared; notes name it
  Diagnostics notes;
};

struct Scenes {
  Result<SceneResult> (*to_scene)(const AnyDocument&, const SceneOptions&);
  /// The members of SceneOptions that `to_scene` uses, by their command-line names: lit, lamps, tick-rate, race.
  std::span<const std::string_view> options = {};
  /// Whether its notes tell of companions that do not match: a check makes the scene for them.
  bool notes_companions = true;
  /// Kinds of nodes that can be placed: each stands for an element of a list, and is there once.
  std::span<const std::string_view> placed = {};
  /// Kinds of nodes that only show more of such an element, as where it moves: they never become one.
  std::span<const std::string_view> beside = {};
  std::span<const NodeKind> kinds = {};
  /// The values of the file, by their paths, that place such a node. Ids: scene.place (it cannot be there).
  Result<std::vector<Argument>> (*place)(const AnyDocument&, const NodeTransformChange&) = nullptr;
  bool supports_scene_import() const { return place || write_triangles; }
  /// What a vertex with this number in Primitive::sources is in the file. `extras`: those of its node, or of the
  /// nearest node above that has a path. Nothing if there is no such vertex. Null: no primitive has sources.
  std::optional<ValuePart> (*value_of_source)(const AnyDocument&, const Value& extras, u32 source) = nullptr;
  /// The other way: the numbers of all vertices that are a value of the file or are below it.
  std::vector<SourceRun> (*sources_of_value)(const AnyDocument&, const Value& extras, std::string_view path) = nullptr;
  /// Takes triangles of an edited scene that differ from the scene that `to_scene` makes without options: only what
  /// draws them changes. Notes name what cannot be taken. Null: not supported.
  Result<SceneImportResult> (*write_triangles)(AnyDocument&, const scene::TriangleDifferences&) = nullptr;
  /// What `write_triangles` counts.
  std::string_view counted = "triangle";
  /// The scenes that are compared, where that of `to_scene` without options and the edited one are not alike; nodes
  /// keep their numbers. Ids: scene.source. Null: these two.
  Result<ComparedScenes> (*prepare_comparison)(const AnyDocument&, const scene::Scene& edited) = nullptr;
  /// Takes what else of an edited scene has a place in the file, as heights of tiles. Null: nothing.
  Result<SceneImportResult> (*write_overlays)(AnyDocument&, const scene::Scene& edited) = nullptr;
  /// A scene with one mesh where exports have several, of which one is shown at a time: the pictures of an animation.
  /// Nodes keep their places. Null: there are none.
  scene::Scene (*without_alternates)(const scene::Scene&) = nullptr;
};

/// Whether the `kind` of a node is one of these.
inline bool is_of_kind(std::span<const std::string_view> kinds, const scene::Node& node) {
  const Value* kind = node.extras.find("kind");
  return kind && std::ranges::find(kinds, std::string_view(kind->text())) != kinds.end();
}
/// Whether a node of a scene stands for something that can be placed.
inline bool is_placed(const Scenes& scenes, const scene::Node& node) {
  return scenes.place && is_of_kind(scenes.placed, node);
}
/// Whether a node of a scene only shows more of something that can be placed.
inline bool is_auxiliary_node(const Scenes& scenes, const scene::Node& node) { return is_of_kind(scenes.beside, node); }

}  // namespace dio
