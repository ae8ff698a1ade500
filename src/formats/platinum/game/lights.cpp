#include "formats/platinum/game/lights.hpp"

#include <algorithm>

namespace dio::platinum {

std::optional<size_t> find_active_light_block(std::span<const LightBlock> blocks, i32 seconds) {
  if (blocks.empty()) return {};
  const i32 now = seconds / k_seconds_per_light_time;
  const auto later = std::find_if(blocks.begin(), blocks.end(), [&](const LightBlock& b) { return b.end_time > now; });
  return later == blocks.end() ? 0 : size_t(later - blocks.begin());
}

size_t find_next_light_block(std::span<const LightBlock> blocks, size_t active, i32 seconds) {
  if (blocks.size() < 2) return active;
  const i32 now = seconds / k_seconds_per_light_time;
  const i32 start = active ? blocks[active - 1].end_time : 0;
  return now >= start && now < blocks[active].end_time ? active : (active + 1) % blocks.size();
}

}  // namespace dio::platinum
