// colors.hpp: the colours of types, from kmp-editor, which users know (README.md).
#pragma once
#include "scene/scene.hpp"

namespace dio::kcl {

/// A displayed (not linear) colour; alpha is below 1 for surfaces that are transparent.
scene::Vec4 color_of_type(u8 type);
/// A colour for other games; neighbouring attributes look different.
scene::Vec4 color_of_attribute(u16 attribute);

}  // namespace dio::kcl
