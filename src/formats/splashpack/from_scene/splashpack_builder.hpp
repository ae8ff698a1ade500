// splashpack_builder.hpp: builds a pack from any scene. Meaning of nodes, and conversion of triangles: README.md, "From
// glTF".
#pragma once
#include "formats/contract/building.hpp"
#include "formats/splashpack/layout/pack.hpp"

namespace dio::splashpack {

/// The options for building a pack. `remake` also uses `layout` and `version`.
inline constexpr MakeOption k_make_options[] = {
    {"layout", "LAYOUT",
     "the layout of the new pack: a1, a2, a3, b, b2, c, d, e, v20, v21, v22, v23, v24 or v25; default v21, or the "
     "first layout that supports the scene",
     true},
    {"version", "N", "version number of the pack: 1 (layout d), or 20 to 25", true},
    {"scaling", "UNITS",
     "scene units per 1.0 in the pack: larger values allow larger scenes, smaller values allow finer positions; "
     "default 100",
     true},
    {"axes", "AXES", "forward direction of the scene: gltf, or unity (turned by 180 degrees); default gltf"},
    {"depth", "BITS", "bits per texel: 4, 8, 16, or auto (the fewest that keep all colours, else 8); default auto"},
    {"subdivide", "TEXELS",
     "longest edge of textured triangles, or none: shorter edges reduce texture warping; default 64"},
    {"dither", "yes|no", "dither pictures with more colours than the texels can show; default no"},
    {"lights", "bake|none", "bake lights into vertex colours, or ignore them (none); default bake"},
    {"exposure", "FACTOR", "brightness of lights; at 1, a sun of 3.14 lux shows colours unchanged; default 1"},
    {"ambient", "LIGHT", "ambient light of a scene that has lights, 0 to 1; default 0"},
};

/// The files of a pack: .splashpack, and from v20 on .vram and .spu. Ids: make.argument, make_rules.
Result<Made> make_pack_from_scene(const scene::Scene&, std::span<const Argument>);

/// splashpack.make-*.
std::span<const Rule> make_rules();

}  // namespace dio::splashpack
