// world.cpp: maps of a game as scenes.
#include "formats/contract/scenes.hpp"
#include "formats/fft/game/parts.hpp"
#include "formats/fft/scene/builder.hpp"

namespace dio::fft {

Result<SceneResult> build_state_scene(std::span<const MergedMap> states, const WorldOptions& options) {
  return build_map_scene(states, {.lamps = options.lamps, .tick_rate = options.tick_rate, .sources = options.sources});
}

}  // namespace dio::fft
