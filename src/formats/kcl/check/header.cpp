// header.cpp: checks of the header's numbers and of the limits of the format.
#include <cmath>

#include "formats/kcl/check/checks.hpp"

namespace dio::kcl {

namespace {

using enum Severity;
constexpr Rule k_header_rules[] = {
    {"kcl.thickness", error, "the prism thickness is a number above 0",
     "If the prism thickness is 0, negative or not a number, karts and items do not collide with anything.",
     "Set `thickness` to 300.", "Kinoko (decompiled game)"},
    {"kcl.sphere", error, "the sphere radius is a number above 0",
     "The game does not test spheres larger than the sphere radius. With a radius of 0, karts fall through the ground.",
     "Set `sphere_radius` to 250.", "Kinoko (decompiled game)"},
    {"kcl.usual", hint, "the prism thickness is 300 and the sphere radius is 250",
     "All Nintendo courses have a thickness of 300 and a sphere radius of 250.",
     "Set `thickness` to 300 and `sphere_radius` to 250, unless other values are intended.",
     "Wiimm's wkclt; real files"},
    {"kcl.most", error, "a collision file has at most 65,535 prisms",
     "The lists of the octree number prisms with 16 bits, starting at 1.", "Remove prisms that nobody can reach.",
     "src/formats/kcl/README.md"},
};

void check_header(Check& c) {
  const Kcl& k = c.kcl;
  const auto positive = [](f32 x) { return std::isfinite(x) && x > 0; };
  if (!positive(k.thickness))
    c.report("kcl.thickness", "thickness",
             {.message = text("the prism thickness is ", k.thickness, "; it must be above 0")});
  else if (k.is_mario_kart_wii() && k.thickness != k_usual_thickness)
    c.report("kcl.usual", "thickness", {.message = text("the prism thickness is ", k.thickness, " instead of 300")});
  if (k.sphere_radius) {
    if (!positive(*k.sphere_radius))
      c.report("kcl.sphere", "sphere_radius",
               {.message = text("the sphere radius is ", *k.sphere_radius, "; it must be above 0")});
    else if (*k.sphere_radius != k_usual_sphere_radius)
      c.report("kcl.usual", "sphere_radius",
               {.message = text("the sphere radius is ", *k.sphere_radius, " instead of 250")});
  }
  if (k.prisms.size() > k_most_prisms)
    c.report("kcl.most", "prisms",
             {.message = text("the file has ", k.prisms.size(), " prisms; the maximum is 65,535")});
}

}  // namespace

const Topic k_header_checks{k_header_rules, check_header};

}  // namespace dio::kcl
