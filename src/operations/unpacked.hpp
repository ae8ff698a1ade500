// unpacked.hpp: archives as folders of files, and folders as archives.
#pragma once
#include <optional>

#include "containers/disc/cd_sector.hpp"
#include "containers/packed/lz.hpp"
#include "core/file_tree.hpp"
#include "formats/contract/any_document.hpp"

namespace dio {

/// The members of an archive as files whose paths lead nowhere else (core/safe_path.hpp). Of members without names
/// the paths are 0000.bin, 0001.bin ... What the members do not tell is in the folder `_system`: of a cartridge its
/// programs and tables, of a NARC nothing if it is of the usual form, of packed data (one file, `data`) itself. `pack`
/// makes the same archive of it. With a `folder` of the archive, only what is below it. Ids: archive.none,
/// file.missing, archives.names, layout.*.
Result<MemoryTree> unpack(ByteView archive, std::string_view name, std::string_view folder = {});

struct PackOptions {
  bool named = false;                   // a NARC with the names of the files
  bool other_order = false;             // a NARC that begins with FF FE 01 00 behind its name, not with FE FF 00 01
  std::optional<SectorForm> disc = {};  // the image of a disc
  std::optional<LzKind> lz = {};        // packed data: the folder has one file
  std::optional<u64> limit = {};        // bytes that an unpacked archive may say it had (core/budget.hpp); else 1 GiB
};

/// The format of the archive that a folder is packed to: iso, lz, nds or narc.
const Format& packed_format(const FileTree&, const PackOptions&);
/// Whether a folder says by itself what it is packed to: it has `_system`, 0000.bin or a file `*.order`.
bool says_what_it_packs_to(const FileTree&);

/// An archive of a folder: a cartridge if it has `_system/header.bin`, packed data if it has `_system/packed.lz`; else
/// a NARC. Its members come in the order of 0000.bin, 0001.bin ..., or in that of a file `*.order` that names them, one
/// a line, with or without extension. Of an unpacked archive, what was not changed stays where it was, and so does what
/// still fits; a cartridge's header gets its checksum. Without `_system/fnt.bin` and `_system/fat.bin` both are made
/// anew. With `disc`, the image of a disc with these files, sorted by their paths (archives/iso9660.hpp). Ids:
/// archive.full, archive.pack (something is missing or is in no table), archives.names, archives.lz, layout.*.
Result<Bytes> pack(const FileTree&, const PackOptions& = {});

}  // namespace dio
