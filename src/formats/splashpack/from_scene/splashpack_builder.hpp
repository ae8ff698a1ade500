// splashpack_builder.hpp: a pack from a scene of any origin. What nodes mean, and how their triangles become the
// pack's: README.md, "From glTF".
#pragma once
#include "formats/contract/building.hpp"
#include "formats/splashpack/layout/pack.hpp"

namespace dio::splashpack {

/// The options of making a pack. `layout` and `version` are also those of `remake`.
inline constexpr MakeOption k_make_options[] = {
    {"layout", "LAYOUT",
     "the layout of the new pack: a1, a2, a3, b, b2, c, d, e, v20, v21, v22, v23, v24 or v25; default v21, or the "
     "first that has what the scene needs",
     true},
    {"version", "N", "version number of the pack: 1 (layout d), or 20 to 25", true},
    {"scaling", "UNITS",
     "units of the scene in 1.0 of the pack: a larger number allows larger scenes, a smaller one finer positions; "
     "default 100",
     true},
    {"axes", "AXES", "forward direction of the scene: gltf, or unity (turned by 180 degrees); default gltf"},
    {"depth", "BITS", "bits per texel: 4, 8, 16, or auto (the fewest that keep all colours, else 8); default auto"},
    {"subdivide", "TEXELS",
     "longest edge of textured triangles, or none: with shorter edges textures warp less; default 64"},
    {"dither", "yes|no", "dither pictures with more colours than texels can show; default no"},
    {"lights", "bake|none", "bake lights into vertex colours, or ignore them (none); default bake"},
    {"exposure", "FACTOR", "brightness of lights; at 1, a sun of 3.14 lux shows colours unchanged; default 1"},
    {"ambient", "LIGHT", "light where no lamp shines, if the scene has lamps: 0 to 1; default 0"},
};

/// The files of a pack: .splashpack, and from v20 on .vram and .spu. Ids: make.argument, make_rules.
Result<Made> make_pack_from_scene(const scene::Scene&, std::span<const Argument>);

/// splashpack.make-*.
std::span<const Rule> make_rules();

}  // namespace dio::splashpack
