// header.cpp: the numbers of the header, and how much there may be of everything.
#include <cmath>

#include "formats/kcl/check/checks.hpp"

namespace dio::kcl {

namespace {

using enum Severity;
constexpr Rule k_header_rules[] = {
    {"kcl.thickness", error, "the prism thickness is a number above 0", "Nothing can be hit.", "Set thickness to 300.",
     "game code"},
    {"kcl.sphere", error, "the sphere radius is a number above 0",
     "The game tests no spheres that are larger, so karts fall through.", "Set sphere_radius to 250.", "game code"},
    {"kcl.usual", hint, "the thickness is 300 and the sphere radius 250", "All courses of Nintendo have these numbers.",
     "Set them, unless they are meant.", "wkclt; real files"},
    {"kcl.most", error, "there are at most 65,535 prisms", "Lists of the octree cannot number more.",
     "Remove prisms that nobody can reach.", "layout"},
};

void check_header(Check& c) {
  const Kcl& k = c.kcl;
  const auto positive = [](f32 x) { return std::isfinite(x) && x > 0; };
  if (!positive(k.thickness))
    c.report("kcl.thickness", "thickness", {.message = text("the prism thickness is ", k.thickness)});
  else if (k.is_mario_kart_wii() && k.thickness != k_usual_thickness)
    c.report("kcl.usual", "thickness", {.message = text("the prism thickness is ", k.thickness, ", not 300")});
  if (k.sphere_radius) {
    if (!positive(*k.sphere_radius))
      c.report("kcl.sphere", "sphere_radius", {.message = text("the sphere radius is ", *k.sphere_radius)});
    else if (*k.sphere_radius != k_usual_sphere_radius)
      c.report("kcl.usual", "sphere_radius", {.message = text("the sphere radius is ", *k.sphere_radius, ", not 250")});
  }
  if (k.prisms.size() > k_most_prisms)
    c.report("kcl.most", "prisms", {.message = text("there are ", k.prisms.size(), " prisms (maximum 65535)")});
}

}  // namespace

const Topic k_header_checks{k_header_rules, check_header};

}  // namespace dio::kcl
