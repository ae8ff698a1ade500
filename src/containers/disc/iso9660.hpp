// iso9660.hpp: the files in a disc image: their positions and contents, replacing them, and new images. Sources:
// ECMA-119 (ISO 9660), "System Description CD-ROM XA" for subheaders.
#pragma once
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "containers/disc/cd_sector.hpp"
#include "core/patched_source.hpp"

namespace dio {

/// The first volume descriptor; the sectors before it are the system area.
inline constexpr u32 k_first_descriptor = 16;

/// The sector form of an image, detected by its volume descriptor. Nothing if it is not an ISO 9660 image.
std::optional<SectorForm> detect_sector_form(ByteView image);
/// Same, for an image read in chunks. Id: io.read.
Result<std::optional<SectorForm>> detect_sector_form(const ByteSource& image);

/// The offset of a sector's data in an image, and the sector at an offset. An image starts with sector 0.
constexpr u64 disc_offset(SectorForm f, u64 lba) { return lba * sector_size(f) + data_in_sector(f); }
constexpr u64 sector_at(SectorForm f, u64 offset) { return offset / sector_size(f); }

/// A file or folder in a directory of the disc.
struct DiscEntry {
  std::string path;  // MAP/MAP001.GNS: without the version
  u32 lba = 0;       // of its first sector
  u64 size = 0;      // in bytes, as in its record
  bool is_folder = false;
  bool is_sound = false;  // an audio track, which is not in the image, or not as data
  u8 tree = 0;            // index of its volume descriptor; 0 is the primary one
  u64 record = 0;         // offset of its directory record in the image
  u64 next_record = 0;    // end of that record
  u64 sectors() const { return sectors_for(size); }
  bool is_file() const { return !tree && !is_folder && !is_sound; }
};

/// A run of sectors with a descriptor, a path table or a directory.
struct DiscTable {
  enum class Kind : u8 { descriptor, path_table, directory } kind;
  u32 lba;
  u64 size;  // in bytes
  u8 tree = 0;
  bool big = false;       // a path table in big-endian order
  std::string path = {};  // of a directory
};

/// The contents of a disc. Faults of directories are collected in `faults`, so that the rest can be used: folders that
/// contain themselves or lie outside the image, and invalid records. Files may lie outside the image.
struct Disc {
  SectorForm form = SectorForm::plain;
  u32 sectors = 0;  // of the image
  u32 volume_sectors = 0;
  std::string volume;              // its name
  std::vector<DiscEntry> entries;  // the primary tree first; each folder before its contents
  std::vector<DiscTable> tables;   // in the order in which they were found
  Diagnostics faults;              // ids: archives.disc-directory
};

/// Ids: archive.disc (not a disc image).
Result<Disc> read_disc(ByteView image);
/// Reads only the descriptors and directories of an image. Ids: archive.disc, io.read.
Result<Disc> read_disc(const ByteSource& image);
/// The data of a sector; none if it is not in the image.
ByteView disc_sector(ByteView image, SectorForm, u64 lba);

/// The number of directory records in the data of a sector; nothing if they are invalid.
std::optional<u32> count_records(ByteView sector_data);

/// The file with this path, without regard to case; null if there is none.
const DiscEntry* find_file(const Disc&, std::string_view path);
/// Same, for an image: `lba` is the first sector of the file, `size` its size in bytes. Ids: archive.disc,
/// file.missing.
Result<DiscEntry> find_disc_file(ByteView image, std::string_view path);

/// The content of a file: its data; for files with Form 2 sectors (video, audio) all sectors from the subheader on,
/// 2336 bytes each. Ids: layout.truncated (it extends beyond the image), io.read.
Result<Bytes> read_disc_file(const ByteSource& image, SectorForm, const DiscEntry&);
Result<Bytes> read_disc_file(ByteView image, SectorForm, const DiscEntry&);

/// New bytes for a file.
struct DiscChange {
  std::string path;
  Bytes bytes;
  bool may_move = false;        // whether users of the disc also find the file at another sector
  std::optional<u32> lba = {};  // a free run for the file; default: the old one, or another if it may move
};
/// The image with new bytes in these files. A file keeps its first sector and may grow into unreferenced, empty sectors
/// after it. If they do not suffice, the file moves to the first long enough run of such sectors, or to new sectors at
/// the end of the image, if it may. Updates its records, and the EDC and ECC of changed sectors; zeros the rest of the
/// last sector and sectors that are no longer needed. Files with Form 2 sectors keep their size and place. Ids:
/// archive.disc, file.missing, layout.truncated, archive.full (it does not fit), archive.shared (another file has the
/// same sectors).
Result<Bytes> replace_disc_files(ByteView image, std::span<const DiscChange>);
/// Same, in place: reads only the sectors of these files and returns changed sectors as blocks. Also io.read.
Result<bool> replace_disc_files(PatchedSource& image, std::span<const DiscChange>);

/// Adds files, in folders of the disc: one after another in a run of free sectors, or at the end of the image. A
/// directory without room for the record moves likewise, and the records and path tables that refer to it change. Ids:
/// archive.disc, file.missing (no such folder), archive.pack (an invalid or duplicate name), archive.full, io.read.
Result<bool> add_disc_files(PatchedSource& image, std::span<const DiscChange>);

/// A file for a new image.
struct DiscFile {
  std::string path;  // MAP/MAP001.GNS: 8.3 names of A-Z, digits and _; folders up to 7 deep
  Bytes bytes;
  std::optional<u32> lba = {};  // its first sector; default: after the previous file
};
struct DiscOptions {
  SectorForm form = SectorForm::mode2;
  std::string volume = "DIORAMA";
  u32 sectors = 0;         // minimum size of the image
  Bytes system_area = {};  // the first 16 sectors, complete, in this form; default: empty sectors
};
/// An image of these files, in the given order: the descriptors, the path tables, the directories, then the files
/// without a sector of their own, one after another. The same files always make the same image. With subheaders (Form
/// 1), the CD-ROM XA marks that the PlayStation expects are written. Ids: archive.pack (an invalid or duplicate path),
/// archive.full (a sector that is occupied, or too many sectors).
Result<Bytes> make_disc_image(std::span<const DiscFile>, const DiscOptions& = {});

}  // namespace dio
