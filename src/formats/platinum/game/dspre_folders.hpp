// dspre_folders.hpp: the folders in which projects of DSPRE keep archives unpacked: unpacked/maps/0012.
#pragma once
#include <string>
#include <string_view>

#include "core/file_tree.hpp"

namespace dio::platinum {

/// The folder, beside the folder of the cartridge's files, with the members of an archive of the cartridge:
/// unpacked/maps/ for fielddata/land_data/land_data.narc. Empty if DSPRE does not unpack it.
std::string dspre_folder_of(std::string_view archive);
/// GameKind::find_packed_archive.
std::string find_packed_archive(std::string_view folder, std::string_view game_code, const FileTree& cartridge);

}  // namespace dio::platinum
