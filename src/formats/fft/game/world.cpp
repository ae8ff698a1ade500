// world.cpp: maps of a game as scenes.
#include "formats/contract/scenes.hpp"
#include "formats/fft/game/parts.hpp"
#include "formats/fft/scene/builder.hpp"

namespace dio::fft {

Result<Staged> stage(std::span<const MergedMap> states, const WorldOptions& options) {
  return stage_map(states, {.lamps = options.lamps, .tick_rate = options.tick_rate, .sources = options.sources});
}

}  // namespace dio::fft
