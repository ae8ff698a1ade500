// iso9660.hpp: the files on a disc: where they lie in an image of it, what is in them, other bytes for them, and images
// made from nothing. Sources: ECMA-119 (ISO 9660), "System Description CD-ROM XA" for subheaders.
#pragma once
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "containers/disc/cd_sector.hpp"
#include "core/result.hpp"

namespace dio {

/// The first sector that tells what is on a disc; those before it are the system's.
inline constexpr u32 k_first_descriptor = 16;

/// How an image keeps its sectors, by what stands where its volume descriptor must be. Nothing: it is no such image.
std::optional<SectorForm> disc_form(ByteView image);

/// Where the data of a sector is in an image, and which sector a place belongs to. An image begins with sector 0.
constexpr u64 disc_offset(SectorForm f, u64 lba) { return lba * sector_size(f) + data_in_sector(f); }
constexpr u64 sector_at(SectorForm f, u64 offset) { return offset / sector_size(f); }

/// A file or folder as a directory of the disc names it.
struct DiscEntry {
  std::string path;  // MAP/MAP001.GNS: without the version behind ;
  u32 lba = 0;       // of its first sector
  u64 size = 0;      // in bytes, as its record tells
  bool is_folder = false;
  bool is_sound = false;  // of a track of sound, which is not in the image, or not as data
  u8 tree = 0;            // of which volume descriptor: 0 is the primary one
  u64 record = 0;         // where its directory record is in the image
  u64 next_record = 0;    // where that record ends
  u64 sectors() const { return sectors_for(size); }
  bool is_file() const { return !tree && !is_folder && !is_sound; }
};

/// A run of sectors that describe the disc.
struct DiscTable {
  enum class Kind : u8 { descriptor, path_table, directory } kind;
  u32 lba;
  u64 size;  // in bytes
  u8 tree = 0;
  bool big = false;       // a path table in big-endian order
  std::string path = {};  // of a directory
};

/// What is on a disc. Faults of directories end up in `faults`, so that what is right can still be used: folders that
/// lead back to themselves or out of the image, records that make no sense. Files may lie outside of the image.
struct Disc {
  SectorForm form = SectorForm::plain;
  u32 sectors = 0;  // of the image
  u32 volume_sectors = 0;
  std::string volume;              // its name
  std::vector<DiscEntry> entries;  // of the primary tree first; each folder before what is in it
  std::vector<DiscTable> tables;   // in the order in which they were found
  Diagnostics faults;              // ids: archives.disc-directory
};

/// Ids: archive.disc (it is no image of a disc).
Result<Disc> read_disc(ByteView image);
/// The data of a sector; none if it is not in the image.
ByteView disc_sector(ByteView image, SectorForm, u64 lba);

/// How many directory records are in the data of a sector; nothing if they make no sense.
std::optional<u32> records_in(ByteView sector_data);

/// The file that a path leads to, in whatever case it is written; null if there is none.
const DiscEntry* find_file(const Disc&, std::string_view path);
/// The same, of an image: its first sector and its size in bytes are `lba` and `size`. Ids: archive.disc,
/// file.missing.
Result<DiscEntry> find_on_disc(ByteView image, std::string_view path);

/// What is in a file: its data; of one with sectors of Form 2 (pictures, sound), all its sectors from the subheader to
/// the end, 2336 bytes each. Id: layout.truncated (it reaches out of the image).
Result<Bytes> disc_content(ByteView image, SectorForm, const DiscEntry&);

/// Other bytes for a file.
struct DiscChange {
  std::string path;
  Bytes bytes;
};
/// The image with these bytes in those files. A file stays where it is; it may grow into the sectors behind it if they
/// belong to nothing and hold nothing. Its records get the new size, changed sectors their check bytes; what is left of
/// the last sector becomes zeros, and so do sectors that it no longer needs. Files of Form 2 keep their size. Ids:
/// archive.disc, file.missing, layout.truncated, archive.full (it does not fit), archive.shared (another
/// file has the same sectors).
Result<Bytes> replace_on_disc(ByteView image, std::span<const DiscChange>);

/// A file for a new image.
struct DiscFile {
  std::string path;  // MAP/MAP001.GNS: letters A-Z, digits and _, up to 8 and 3 of them; folders up to 7 deep
  Bytes bytes;
  std::optional<u32> lba = {};  // where it shall begin; else behind the one before
};
struct DiscOptions {
  SectorForm form = SectorForm::mode2;
  std::string volume = "DIORAMA";
  u32 sectors = 0;  // at least so many in all
};
/// An image of these files, in the order given: first the descriptors, the path tables and the directories, then the
/// files without a place of their own, each behind the one before it. The same files always make the same image. With
/// subheaders (Form 1), the marks of CD-ROM XA are made too, as the PlayStation expects them. Ids: archive.pack
/// (a path that no disc can have, or one twice), archive.full (a place that is taken, or too many sectors).
Result<Bytes> make_image(std::span<const DiscFile>, const DiscOptions& = {});

}  // namespace dio
