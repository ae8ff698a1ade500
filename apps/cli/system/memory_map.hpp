// memory_map.hpp: memory that is filled from a file where somebody looks at it.
#pragma once
#include "core/bytes.hpp"

namespace dio::cli::os {

/// `is_own`: bytes that are written stay in memory. Null where that is impossible; on Windows always, because a mapped
/// file cannot be replaced there.
void* map_file(int descriptor, size_t size, bool is_own);
void unmap_file(void* at, size_t size);
/// Calls a function with the address if a mapped page cannot be read. If it returns, the program ends.
void run_on_unreadable_page(void (*function)(const void* address));

}  // namespace dio::cli::os
