// scene_events.hpp: events as the properties of nodes, and back.
#pragma once
#include <functional>

#include "formats/platinum/from_scene/land_map_builder.hpp"
#include "formats/platinum/game/tables.hpp"

namespace dio::platinum {

/// The event that a node was exported from, if it was.
struct EventSource {
  u32 file = 0;  // the member of the events
  SceneEvent::Kind kind = SceneEvent::Kind::sign;
  size_t index = 0;
};
std::optional<EventSource> read_event_source(const scene::Node&, const GameFiles&);
/// Where the event is in the game: tiles. Nothing if there is none.
std::optional<std::array<i64, 2>> find_event_tile(const EventSource&, const GameTables&);

/// The file of events that a node `events of ...` was exported from, and which of its lists.
struct ExportedEvents {
  u32 file = 0, header = 0;
  bool has_events = false, has_warps = false;
};
std::vector<ExportedEvents> find_exported_events(const scene::Scene&, const GameFiles&);

/// What becomes of the events of a file.
struct EventImportFilter {
  /// Whether the scene replaces what was on a tile.
  std::function<bool(i64 x, i64 z)> is_replaced;
  /// The scene was exported: events that it shows are edited, those that it showed and does not show any more are gone,
  /// and all others stay. Null: all on tiles that are replaced are gone.
  bool is_back = false;
  std::optional<ExportedEvents> exported = {};  // of the file
};
struct EventImportCounts {
  u64 added = 0, changed = 0, removed = 0;
};
/// Brings the events of a scene into a file. Their fields are the properties of their nodes with the names of the
/// fields
/// (`dio formats zone-event` has them), in numbers or words; x, z, and the height of objects are where the node is.
/// Warps have `to`, the name or number of a header. Events with the property `number` come first, in its order: others
/// count warps from 0. Properties that are no fields are told of. Ids: edit.argument.
Result<EventImportCounts> import_scene_events(ZoneEvent&, u32 file, const scene::Scene&, std::span<const SceneEvent>,
                                              const EventImportFilter&, const GameTables&, Diagnostics& notes);

}  // namespace dio::platinum
