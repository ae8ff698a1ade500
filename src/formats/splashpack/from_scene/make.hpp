// make.hpp: a pack from a scene of any origin. What nodes mean, and how their triangles become the pack's: README.md,
// "From glTF".
#pragma once
#include "formats/contract/making.hpp"
#include "formats/splashpack/layout/pack.hpp"

namespace dio::splashpack {

/// What making a pack may be told. `layout` and `version` are those of `remake`, too.
inline constexpr MakeOption k_make_options[] = {
    {"layout", "LAYOUT", "a1, a2, a3, b, b2, c, d, e, v20, v21, v22, v23, v24; v21 unless told", true},
    {"version", "N", "the number that the pack says: 1 (layout d), 20, 21, 22, 23, 24", true},
    {"scaling", "UNITS", "world units that are 1.0 in the pack: more of them reach farther, fewer are finer; 100",
     true},
    {"axes", "AXES", "which way a scene looks from the start: gltf, or unity, turned half round; gltf"},
    {"depth", "BITS", "of texels: 4, 8, 16, or auto, the fewest that keep all colours, else 8; auto"},
    {"subdivide", "TEXELS", "how long the edges of textured triangles may be, or none: textures warp less; 64"},
    {"dither", "yes|no", "scatter the colours of pictures that have more of them than texels can show; no"},
    {"lights", "bake|none", "what lamps do to vertex colours; bake"},
    {"exposure", "FACTOR", "how bright lamps are; 1, where a sun of 3.14 lux shows colours as they are"},
    {"ambient", "LIGHT", "where no lamp shines, if there are any: 0 to 1; 0"},
};

/// The files of a pack: .splashpack, and from v20 on .vram and .spu. Ids: make.argument, make_rules.
Result<Made> make(const scene::Scene&, std::span<const Argument>);

/// splashpack.make-*.
std::span<const Rule> make_rules();

}  // namespace dio::splashpack
