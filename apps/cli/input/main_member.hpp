// main_member.hpp: the file that people mean when they name an archive of files that belong together.
#pragma once
#include "inputs.hpp"

namespace dio::cli {

/// The one member of an archive that has a scene, or whose companions the others with scenes are: the course in a
/// course archive. Nothing if there is none, or more than one; `candidates` gets those with scenes.
std::optional<Input> find_main_member(const Input& archive, std::vector<std::string>& candidates);

}  // namespace dio::cli
