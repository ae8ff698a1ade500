// surface_names.hpp: flags by the names that people give to materials and meshes.
#pragma once
#include <optional>
#include <string_view>

#include "core/value.hpp"
#include "formats/kcl/layout.hpp"

namespace dio::kcl {

/// The flags that a name states: `_F0016` or 0x0016 anywhere in it, as other tools have it; else the name of a type at
/// its start, whatever the case, with `_` or `-` for spaces, and after a colon that of a variant: `off-road: grass`.
/// Endings such as .001 are ignored. Nothing if it states none.
std::optional<u16> parse_flags_from_name(std::string_view);

/// The flags that extras state: `flags` (a number, or a text such as 0x0016), else `type` with `variant`, `light`,
/// `wheel_depth`, `trickable`, `reject_road` and `soft_wall`, each as a number or by name. Nothing if they state none.
std::optional<u16> parse_flags_from_extras(const Value& extras);

}  // namespace dio::kcl
