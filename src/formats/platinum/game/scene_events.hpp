// scene_events.hpp: converts events to and from node properties.
#pragma once
#include <functional>

#include "formats/platinum/from_scene/land_map_builder.hpp"
#include "formats/platinum/game/tables.hpp"

namespace dio::platinum {

/// The event that a node was exported from, if any.
struct EventSource {
  u32 file = 0;  // member of the events archive
  SceneEvent::Kind kind = SceneEvent::Kind::sign;
  size_t index = 0;
};
std::optional<EventSource> read_event_source(const scene::Node&, const GameFiles&);
/// The tile of an event in the game; nothing if the event does not exist.
std::optional<std::array<i64, 2>> find_event_tile(const EventSource&, const GameTables&);

/// The events file that a node `events of ...` was exported from.
struct ExportedEvents {
  u32 file = 0, header = 0;
  bool has_events = false, has_warps = false;
};
std::vector<ExportedEvents> find_exported_events(const scene::Scene&, const GameFiles&);

/// Which events of a file an import replaces or removes.
struct EventImportFilter {
  /// Whether the scene replaces events on a tile.
  std::function<bool(i64 x, i64 z)> is_replaced;
  /// Whether the scene was exported. If so, its events are edited, exported events missing from it are removed, and all
  /// others stay. Otherwise all events on replaced tiles are removed.
  bool is_back = false;
  std::optional<ExportedEvents> exported = {};  // exported events of the file
};
struct EventImportCounts {
  u64 added = 0, changed = 0, removed = 0;
};
/// Imports the events of a scene into a file. Fields come from node properties with the field names (`dio formats
/// zone-event` lists them), as numbers or words; x, z and the height of objects come from the node position. Warps have
/// `to`, the name or number of a header. Events with the property `number` come first, in that order, because warps are
/// counted from 0. Adds notes about properties that are not fields. Error ids: edit.argument.
Result<EventImportCounts> import_scene_events(ZoneEvent&, u32 file, const scene::Scene&, std::span<const SceneEvent>,
                                              const EventImportFilter&, const GameTables&, Diagnostics& notes);

}  // namespace dio::platinum
