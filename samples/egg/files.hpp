// files.hpp: files of lights, fog, bloom and focus made from nothing, for tests that change them.
#pragma once
#include "formats/egg/parts.hpp"

namespace dio::egg {

Blight lights();
Blmap light_textures();
Bfg fogs();
Bblm bloom();
Bdof focus();

}  // namespace dio::egg
