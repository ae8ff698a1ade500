// companions.hpp: the files of a scene, among the companions of a pack.
#pragma once
#include <optional>

#include "formats/contract/companions.hpp"
#include "formats/splashpack/parts.hpp"

namespace dio::splashpack {

struct PackCompanions {
  bool looked = false;  // whether they were looked for
  const Vram* vram = nullptr;
  const Spu* spu = nullptr;
  const Geo* geo = nullptr;
};
inline PackCompanions pack_companions(std::span<const Companion> all) {
  PackCompanions b{true};
  for (const Companion& c : all) {
    if (c.format_id() == "splashpack-vram" && !b.vram) b.vram = &value_of<Vram>(*c.document);
    if (c.format_id() == "splashpack-spu" && !b.spu) b.spu = &value_of<Spu>(*c.document);
    if (c.format_id() == "splashpack-geo" && !b.geo) b.geo = &value_of<Geo>(*c.document);
  }
  return b;
}

/// The location of texels that are not in the pack.
inline constexpr const char* k_in_vram =
    "texels and palettes are in the .vram file of the same name; put the .vram file next to the pack";

/// A note if such a file exists but belongs to another pack. `hint`: the consequence for the sounds.
std::optional<Diagnostic> companion_mismatch(const Vram*, const Pack&);
std::optional<Diagnostic> companion_mismatch(const Spu*, const Pack&, std::string hint);

}  // namespace dio::splashpack
