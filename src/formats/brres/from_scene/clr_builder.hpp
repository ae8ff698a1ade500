// clr_builder.hpp: CLR0 files from animated colours of materials.
#pragma once
#include <set>
#include <span>

#include "formats/brres/from_scene/srt_builder.hpp"
#include "formats/brres/layout/animations.hpp"

namespace dio::brres {

struct BuiltClrFiles {
  std::vector<ClrFile> files;
  std::vector<size_t> taken;     // by animation of the scene: the number of its channels that are in the files
  std::set<std::string> vertex;  // materials whose vertices have colours, so that the material's colour is not used
};
BuiltClrFiles build_clr_files(const scene::Scene&, std::span<const MadeMaterial>);

}  // namespace dio::brres
