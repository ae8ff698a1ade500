// pack_converter.hpp: a pack in another layout.
#pragma once
#include "formats/contract/building.hpp"
#include "formats/splashpack/layout/pack.hpp"
#include "formats/splashpack/layout/spu.hpp"
#include "formats/splashpack/layout/vram.hpp"

namespace dio::splashpack {

/// The same scene in another layout; from v20 on with its .vram and .spu. `vram` and `spu` are those beside a pack of
/// v20 or later, null where there are none. The notes say what the layout cannot store, and what was added.
/// Options: `layout`, `version`, `scaling` (for the player's speeds). Ids: make.argument, remake_rules.
Result<Made> convert_pack_layout(const Pack&, const Vram* vram, const Spu* spu, std::span<const Argument>);

/// splashpack.remake-*.
std::span<const Rule> remake_rules();

}  // namespace dio::splashpack
