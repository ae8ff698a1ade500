// memory_budget.hpp: how much memory an input may use.
#pragma once
#include "core/bytes.hpp"

namespace dio {

/// The limit in bytes for an input of this size. Only malicious inputs need more, or users who allow it.
constexpr u64 default_memory_budget(u64 size) { return (u64(64) << 20) + 16 * size; }

}  // namespace dio
