// kept_material.hpp: unused materials that are kept for animations in other files.
#pragma once
#include "scene/extras.hpp"
#include "scene/scene.hpp"

namespace dio::scene {

/// The member of the extras of a material that is written to glTF although nothing uses it.
inline constexpr std::string_view k_kept_material = "kept";
inline bool is_kept_material(const Material& m) { return read_flag_extra(m.extras, k_kept_material).value_or(false); }

}  // namespace dio::scene
