// pack_converter.hpp: converts a pack to another layout.
#pragma once
#include "formats/contract/building.hpp"
#include "formats/splashpack/companions.hpp"

namespace dio::splashpack {

/// The same scene in another layout; from v20 on with its .vram and .spu, from v21 on with its .geo. The notes list
/// parts that the layout cannot store, and added parts. Options: `layout`, `version`, `scaling` (for the player's
/// speeds). Ids: make.argument, remake_rules.
Result<Made> convert_pack_layout(const Pack&, const PackCompanions&, std::span<const Argument>);

/// splashpack.remake-*.
std::span<const Rule> remake_rules();

}  // namespace dio::splashpack
