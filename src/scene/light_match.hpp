// light_match.hpp: matches lights of an edited scene with those of the original scene, and finds differences.
#pragma once
#include <vector>

#include "scene/scene.hpp"

namespace dio::scene {

/// The differences of a light in both scenes.
struct LightDifference {
  Index node = k_none;  // of the original
  bool kind = false, color = false, brightness = false, range = false, cone = false, place = false;
  bool removed = false;

  bool any() const { return kind || color || brightness || range || cone || place || removed; }
};

/// Compares lights of nodes with the same name, also below a node with that name, because programs turn lights with
/// another node. `edited_nodes`: by node, whether it is compared. Ignores differences from rounding in other programs,
/// and ranges that the edited scene lacks. Programs omit lights by default: one is removed only if others are there.
std::vector<LightDifference> compare_lights(const Scene& original, const Scene& edited,
                                            const std::vector<bool>& edited_nodes);

}  // namespace dio::scene
