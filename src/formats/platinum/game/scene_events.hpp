// scene_events.hpp: events from the nodes of a scene.
#pragma once
#include "formats/platinum/from_scene/maps.hpp"
#include "formats/platinum/game/tables.hpp"

namespace dio::platinum {

/// Adds events to those of a map. Their fields are the properties of their nodes with the names of the fields (`dio
/// formats zone-event` has them), in numbers or words; x, z, and the height of objects are where the node is. Warps
/// have `to`, the name or number of a header. Events with the property `number` come first, in its order: others count
/// warps from 0. Properties that are no fields are told of. Ids: edit.argument.
std::optional<Diagnostic> add_events(ZoneEvent&, const scene::Scene&, std::span<const SceneEvent>, const GameTables&,
                                     Diagnostics& notes);

/// A header by its number, or by its name in any case of letters.
std::optional<u32> header_named(const GameTables&, std::string_view typed);

}  // namespace dio::platinum
