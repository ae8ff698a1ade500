// decompilation_files.hpp: the map files of a decompilation as files of a cartridge.
#pragma once
#include "formats/contract/game.hpp"

namespace dio::platinum {

/// GameKind::is_source_tree.
bool is_decompilation(const FileTree&);
/// GameKind::build_cartridge_files.
Result<std::vector<DependentFile>> build_cartridge_files(const FileTree& decompilation, const FileTree& cartridge,
                                                         Diagnostics& notes);

}  // namespace dio::platinum
