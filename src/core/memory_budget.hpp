// memory_budget.hpp: how much an input may ask for.
#pragma once
#include "core/bytes.hpp"

namespace dio {

/// In bytes, of an input of this size: more is asked for by those made to exhaust a program, or by somebody who says
/// so.
constexpr u64 default_memory_budget(u64 size) { return (u64(64) << 20) + 16 * size; }

}  // namespace dio
