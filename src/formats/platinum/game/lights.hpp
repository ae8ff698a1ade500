// lights.hpp: which light an area has at a time of day.
#pragma once
#include <optional>
#include <span>

#include "formats/platinum/layout/area_light.hpp"

namespace dio::platinum {

/// The block that holds when an area is entered: the first that ends later, or else block 0. Nothing if there are no
/// blocks. `seconds` since midnight. Source: AreaLightManager_New in area_light.c.
std::optional<size_t> active_block(std::span<const LightBlock>, i32 seconds);

/// The block of the next frame: one further, from the last to the first, if the time is not that of `active` (which
/// begins where the one before it ends). There is no light between two blocks. Source:
/// AreaLightManager_UpdateActiveTemplate.
size_t next_block(std::span<const LightBlock>, size_t active, i32 seconds);

}  // namespace dio::platinum
