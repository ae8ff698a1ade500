// chr_builder.hpp: CHR0 files from animated nodes of a scene.
#pragma once
#include <array>
#include <set>
#include <span>

#include "formats/brres/from_scene/skeleton_builder.hpp"
#include "formats/brres/layout/animations.hpp"

namespace dio::brres {

struct BuiltChrFiles {
  std::vector<ChrFile> files;
  std::vector<size_t> taken;       // by animation of the scene: the number of its channels that are in the files
  std::set<std::string> clashing;  // bones of several models that have one name but move differently
  u64 skewed = 0;                  // bones that could not have the pose of their nodes, because that is skewed
};

/// Each animation of nodes that are bones becomes a file of its name.
BuiltChrFiles build_chr_files(const scene::Scene&, std::span<const MadeBone>);

/// Curves through samples at the frames 0, 1, 2 and so on: scale x, y, z, rotation x, y, z (degrees), translation x, y,
/// z. Each three numbers have the format that needs the fewest bytes.
ChrBone build_chr_bone(const std::array<std::vector<f64>, 9>& samples);

}  // namespace dio::brres
