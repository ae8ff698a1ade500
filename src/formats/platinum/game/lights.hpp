// lights.hpp: the light of an area at a time of day.
#pragma once
#include <optional>
#include <span>

#include "formats/platinum/layout/area_light.hpp"

namespace dio::platinum {

/// The active block when the player enters an area: the first block that ends after `seconds` since midnight, or else
/// block 0. Nothing if there are no blocks. Source: AreaLightManager_New in pret/pokeplatinum, area_light.c.
std::optional<size_t> find_active_light_block(std::span<const LightBlock>, i32 seconds);

/// The block of the next frame: the block after `active` (the first after the last) if the time is outside `active`,
/// which begins at the end of the previous block. Light is not interpolated between blocks. Source:
/// AreaLightManager_UpdateActiveTemplate.
size_t find_next_light_block(std::span<const LightBlock>, size_t active, i32 seconds);

}  // namespace dio::platinum
