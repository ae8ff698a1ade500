// material_match.hpp: matches materials of an edited scene with those of the original scene, and finds differences.
#pragma once
#include <set>

#include "scene/scene.hpp"

namespace dio::scene {

/// The name of the original material that an edited material stands for, because programs add a number to copies, and
/// Blender cuts names off after 63 bytes. If it matches none of `names`, its own name.
std::string_view original_material_name(const Material& edited, const std::set<std::string_view>& names);

/// The differences of a material in both scenes.
struct MaterialDifference {
  std::string name;  // of the original
  bool color = false, picture = false, transparency = false;
};

/// Compares the materials with the same name that both scenes use. `original_parts`, `edited_parts`: by node, whether
/// its mesh is compared. Ignores differences from rounding in other programs. In the order of names.
std::vector<MaterialDifference> compare_materials(const Scene& original, const Scene& edited,
                                                  const std::vector<bool>& original_parts,
                                                  const std::vector<bool>& edited_parts);

}  // namespace dio::scene
