// cartridge_projects.hpp: folders of DS cartridges as other tools lay them out, as what `unpack` makes of a cartridge.
#pragma once
#include <optional>
#include <string_view>

#include "core/file_tree.hpp"

namespace dio {

/// The tools whose folders are known. Sources: containers/README.md, "Project folders".
enum class CartridgeTool : u8 {
  ndstool,  // header.bin, arm9.bin, y9.bin, overlay/, data/; also projects of DSPRE before 1.15
  ds_rom,   // config.yaml, arm9/, arm9_overlays/, files/; also projects of DSPRE since 1.15
  sources,  // a decompilation: only its map files are taken (GameKind::build_cartridge_files)
  none,     // some files of a cartridge, by their paths there
};
/// The tool that made a folder; nothing if it is no such project.
std::optional<CartridgeTool> detect_cartridge_project(const FileTree&);
std::string_view title_of(CartridgeTool);

/// The files of a project, by the paths that `unpack` gives them in a folder of a cartridge. Archives that a project
/// keeps unpacked (DSPRE: unpacked/maps/0012) are rebuilt. `base`: the original cartridge. Its file numbers, its order
/// of files, its padding, and everything that the project has not changed or does not store stay as they are there. A
/// project of ds-rom and some files need it; without it, the files of a project of ndstool are numbered by their names.
/// `notes`: what
/// was not taken from the project. Ids: archive.pack, archives.*, layout.*, file.missing.
Result<MemoryTree> read_cartridge_project(const FileTree& project, CartridgeTool, std::optional<ByteView> base,
                                          Diagnostics& notes);

}  // namespace dio
