// material_match.hpp: which materials of an edited scene are those of the scene it was made from, and which look
// different.
#pragma once
#include <set>

#include "scene/scene.hpp"

namespace dio::scene {

/// The name of the material of the original that one of the edited scene is: programs add a number to copies. If it is
/// none of `names`, its own name.
std::string_view original_material_name(const Material& edited, const std::set<std::string_view>& names);

/// What differs in a material that both scenes have.
struct MaterialDifference {
  std::string name;  // of the original
  bool color = false, picture = false, transparency = false;
};

/// Compares the materials of the same name that both scenes are drawn with. `original_parts`, `edited_parts`: by node,
/// whether its mesh is compared. Differences that other programs cause by rounding do not count. In the order of names.
std::vector<MaterialDifference> compare_materials(const Scene& original, const Scene& edited,
                                                  const std::vector<bool>& original_parts,
                                                  const std::vector<bool>& edited_parts);

}  // namespace dio::scene
