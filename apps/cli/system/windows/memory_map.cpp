#include "../memory_map.hpp"

namespace dio::cli::os {

void* map_file(int, size_t, bool) { return nullptr; }
void unmap_file(void*, size_t) {}
void run_on_unreadable_page(void (*)(const void* address)) {}

}  // namespace dio::cli::os
