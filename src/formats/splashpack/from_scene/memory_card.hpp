// memory_card.hpp: the memory card of a game as hand-written JSON: a title, and pictures as icons.
#pragma once
#include "formats/splashpack/from_scene/parts.hpp"

namespace dio::splashpack {

/// The memory card from `memory_card` in the extras, if it is hand-written, with `icons`: [{"file": "a.png"}] instead
/// of colours. Ids: splashpack.make-picture (no such picture); of notes: splashpack.make-lost.
Result<std::optional<MemoryCard>> read_memory_card(const scene::Scene&, Diagnostics& notes);
/// Whether `memory_card` is hand-written.
bool is_authored_card(const Value& card);

}  // namespace dio::splashpack
