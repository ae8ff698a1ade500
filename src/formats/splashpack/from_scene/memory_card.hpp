// memory_card.hpp: how a game is saved, as people write it in JSON: a title, and pictures as icons.
#pragma once
#include "formats/splashpack/from_scene/parts.hpp"

namespace dio::splashpack {

/// The memory card of `memory_card` in the extras, if it is written by hand, with `icons`: [{"file": "a.png"}] in the
/// place of colours. Ids: splashpack.make-picture (no such picture); of notes: splashpack.make-lost.
Result<std::optional<MemoryCard>> read_memory_card(const scene::Scene&, Diagnostics& notes);
/// Whether `memory_card` is written by hand.
bool is_authored_card(const Value& card);

}  // namespace dio::splashpack
