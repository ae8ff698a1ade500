// surface_names.hpp: reads flags from the names and extras of materials and meshes.
#pragma once
#include <optional>
#include <string_view>

#include "core/value.hpp"
#include "formats/kcl/parts.hpp"

namespace dio::kcl {

/// The flags in a name: `_F0016` or 0x0016 anywhere in it, as in other tools; else a type's name at its start, in any
/// case, with `_` or `-` for spaces, and optionally a colon and a variant's name: `off-road: grass`.
/// Suffixes such as .001 are ignored. Nothing if the name has no flags.
std::optional<u16> parse_flags_from_name(std::string_view);

/// The flags in extras: `flags` (a number, or a text such as 0x0016), else `type` with `variant`, `light`,
/// `wheel_depth`, `trickable`, `reject_road` and `soft_wall`, each as a number or by name. Nothing if the extras have
/// none.
std::optional<u16> parse_flags_from_extras(const Value& extras);
/// Whether a property in extras states flags, and has a value that is a number or a name of these flags.
bool states_flags(const Value& extras, std::string_view name);

/// The flags of a triangle for which the scene states none. It is a wall if it faces down, or if it is steeper than 60
/// degrees and higher than half a metre; otherwise an off-road that the material is named after (grass, sand, mud,
/// gravel), or a road.
u16 default_flags(const FlaggedTriangle&, std::string_view material, f64 units_per_metre);

}  // namespace dio::kcl
