// make_archive.hpp: builds archives from scenes, such as courses.
#pragma once
#include "formats/contract/building.hpp"

namespace dio {

/// Builds an archive with the files of `own` (Making::make_archive). Files from which the scene was exported are edited
/// as by `apply_scene`.
Result<Made> make_archive(const Making&, const scene::Scene&, std::span<const Argument>, const FileTree& own);

}  // namespace dio
