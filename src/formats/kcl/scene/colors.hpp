// colors.hpp: the colours of types. They are kmp-editor's, which users know: README.md.
#pragma once
#include "scene/scene.hpp"

namespace dio::kcl {

/// As displayed (not linear), with alpha below 1 for what does not hide what is behind it.
scene::Vec4 color_of_type(u8 type);
/// For other games: no two neighbours look alike.
scene::Vec4 color_of_attribute(u16 attribute);

}  // namespace dio::kcl
