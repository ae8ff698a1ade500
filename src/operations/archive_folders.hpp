// archive_folders.hpp: archives as folders of files, and folders as archives.
#pragma once
#include <optional>

#include "containers/disc/cd_sector.hpp"
#include "containers/packed/lz.hpp"
#include "core/file_tree.hpp"
#include "formats/contract/any_document.hpp"
#include "operations/archive_tree.hpp"

namespace dio {

/// The members of an archive as files with safe paths (core/safe_path.hpp). Members without names become 0000.bin,
/// 0001.bin and so on. Everything else is in the folder `_system`: the programs and tables of a cartridge; nothing for
/// a NARC or a U8 archive in the usual form; the compressed data itself for packed data (one file, `data`, or a U8
/// archive); the sectors of a disc (up to 1 GiB) that belong to no file. `pack` restores the same archive. With a
/// `folder` of the archive, only what is below it. A file with parts (contract/file_parts.hpp) becomes a file for each
/// of them. Ids: archive.none, file.missing, archives.names, layout.*.
Result<MemoryTree> unpack(const Archive&, std::string_view name, std::string_view folder = {});
Result<MemoryTree> unpack(ByteView archive, std::string_view name, std::string_view folder = {});

struct PackOptions {
  bool named = false;                   // a NARC that keeps file names
  bool other_order = false;             // a NARC with FF FE 01 00 after its magic instead of FE FF 00 01
  std::optional<SectorForm> disc = {};  // the image of a disc
  std::optional<LzKind> lz = {};        // packed data: the folder has one file
  bool u8 = false;                      // a U8 archive
  bool yaz0 = false;                    // packed data: a U8 archive of the folder, or
  bool one_file = false;                // its only file
  std::optional<ByteView> base = {};    // the original cartridge, for projects of other tools (cartridge_projects.hpp)
  std::optional<u64> limit = {};  // bytes that an unpacked archive may say it had (core/memory_budget.hpp); else 1 GiB
};

/// The format that a folder is packed to: iso, lz, yaz0, u8, nds or narc, or that whose parts are in it.
const Format& choose_pack_format(const FileTree&, const PackOptions&);
/// Whether a folder is what `unpack` makes: it has `_system`, 0000.bin, a file `*.order`, or the parts of a file.
bool is_unpacked_archive(const FileTree&);

/// An archive made from a folder: a cartridge if it has `_system/header.bin`, packed data if it has
/// `_system/packed.lz` or `_system/packed.yaz0`, a U8 archive if it has `_system/u8.bin`, else a NARC. Its members are
/// in the order of 0000.bin, 0001.bin and so on, or of a file `*.order` that names them, one per line, with or without
/// extension. In an unpacked archive, what is unchanged or still fits keeps its offset; the header checksum of a
/// cartridge is updated. Without `_system/fnt.bin` and
/// `_system/fat.bin`, both are rebuilt. With `_system/disc.bin`, the disc image that was unpacked: files keep
/// their sectors, or move as in Archive::replace. If it cannot hold the files, or `disc` is another form, a new image
/// with the same system area; a note (archive.repacked) says why. With `disc` alone, a disc image of these files,
/// sorted by path with numbers in order (containers/disc/iso9660.hpp). In new images, files that say where others are
/// say so of the new places; `notes` say which cannot. The folder of another tool becomes a cartridge as well. Ids:
/// archive.full, archive.pack (a file is missing or not in a table), archives.names, archives.lz, layout.*.
Result<Bytes> pack(const FileTree&, const PackOptions& = {}, Diagnostics* notes = nullptr);

}  // namespace dio
