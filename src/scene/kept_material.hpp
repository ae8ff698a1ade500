// kept_material.hpp: materials that nothing shows, for animations that a file has elsewhere.
#pragma once
#include "scene/extras.hpp"
#include "scene/scene.hpp"

namespace dio::scene {

/// The member of extras of a material that is written to glTF though nothing shows it.
inline constexpr std::string_view k_kept_material = "kept";
inline bool is_kept_material(const Material& m) { return read_flag_extra(m.extras, k_kept_material).value_or(false); }

}  // namespace dio::scene
