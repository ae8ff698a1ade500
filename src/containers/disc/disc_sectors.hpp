// disc_sectors.hpp: sectors, records and names of discs, for the files of this folder that read, change and make
// images.
#pragma once
#include <algorithm>
#include <cstring>
#include <string>

#include "containers/disc/iso9660.hpp"
#include "core/file_tree.hpp"
#include "core/text_format.hpp"

namespace dio {

/// Offsets in a volume descriptor and in a directory record, and the bits of a record's flags. Source: ECMA-119, 8.4
/// and 9.1.
inline constexpr size_t k_volume_name = 40, k_volume_sectors = 80, k_table_size = 132, k_table_little = 140,
                        k_table_big = 148, k_root_record = 156;
inline constexpr u8 k_last_descriptor = 255;
inline constexpr size_t k_record_bytes = 33, k_record_attributes = 1, k_record_lba = 2, k_record_size = 10,
                        k_record_flags = 25;
inline constexpr u8 k_folder_flag = 2, k_more_flag = 0x80;
inline constexpr size_t k_xa_bytes = 14;
inline constexpr u8 k_xa_sound = 0x40;  // in the first byte of the attributes: CD-DA

inline u32 big(const u8* p) { return u32(p[0]) << 24 | u32(p[1]) << 16 | u32(p[2]) << 8 | u32(p[3]); }
inline void store_little(u8* p, u64 n, size_t bytes = 4) {
  for (size_t i = 0; i < bytes; ++i) p[i] = u8(n >> 8 * i);
}
inline void store_big(u8* p, u64 n, size_t bytes = 4) {
  for (size_t i = 0; i < bytes; ++i) p[bytes - 1 - i] = u8(n >> 8 * i);
}
inline void store_both_endian(u8* p, u64 n, size_t bytes = 4) {
  store_little(p, n, bytes);
  store_big(p + bytes, n, bytes);
}

inline ByteView whole_sector(ByteView image, SectorForm form, u64 lba) {
  return image.subspan(size_t(lba * sector_size(form)), size_t(sector_size(form)));
}

/// Reads this many sectors, which must be in the image.
inline Result<ByteView> sectors_of(const ByteSource& image, SectorForm form, u64 lba, u64 count, Bytes& room) {
  return image.view(lba * sector_size(form), count * sector_size(form), room);
}

inline bool is_descriptor(ByteView data) { return data.size() == k_sector_data && !std::memcmp(&data[1], "CD001", 5); }

/// A name without its version: README.TXT for README.TXT;1, README for README.;1.
inline std::string_view strip_version(std::string_view name) {
  std::string_view s = name.substr(0, name.rfind(';'));
  if (s.ends_with('.')) s.remove_suffix(1);
  return s.empty() ? name : s;
}

inline std::string join_path(const std::string& folder, std::string_view name) {
  return folder.empty() ? std::string(name) : folder + "/" + std::string(name);
}

inline std::span<u8> whole_sector(Bytes& image, SectorForm form, u64 lba) {
  return std::span<u8>(image).subspan(size_t(lba * sector_size(form)), size_t(sector_size(form)));
}

inline Result<bool> has_form2(const ByteSource& image, SectorForm form, const DiscEntry& e) {
  Bytes room;
  for (u64 i = 0; has_subheaders(form) && i < e.sectors(); ++i) {
    const auto sector = sectors_of(image, form, e.lba + i, 1, room);
    if (!sector) return refuse(sector.error());
    if (is_form2(*sector, form)) return true;
  }
  return false;
}
inline constexpr u64 k_with_subheader = 2336;  // a sector from its subheader to its end

inline Result<bool> check_inside_image(u64 image_size, SectorForm form, const DiscEntry& e) {
  const u64 sectors = image_size / sector_size(form);
  if (e.lba <= sectors && e.sectors() <= sectors - e.lba) return true;
  Diagnostic d = make_diagnostic(
      "layout.truncated", e.path,
      {.message = "the file occupies " + format_count(e.sectors(), "sector") + " starting at sector " +
                  std::to_string(e.lba) + ", but the image has only " + format_count(sectors, "sector")});
  d.place.offset = e.record;
  d.place.size = e.next_record - e.record;
  return refuse(std::move(d));
}

inline bool is_valid_disc_name(std::string_view s, size_t most) {
  return s.size() <= most && std::all_of(s.begin(), s.end(), [](char c) {
           return (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
         });
}

inline Diagnostic bad_name_error(std::string_view path, const char* message) {
  return make_diagnostic("archive.pack", std::string(path),
                         {.message = message,
                          .hint = "names have up to 8 characters (letters, digits and _), and the extensions of files "
                                  "up to 3; folders are nested at most 7 deep"});
}

/// The name as stored in a directory, in upper case; nothing if it is invalid.
inline std::optional<std::string> to_iso_file_name(std::string_view part) {
  const std::string s = upper_case(part);
  const size_t point = std::min(s.find('.'), s.size());
  const std::string_view stem = std::string_view(s).substr(0, point);
  const std::string_view extension = point < s.size() ? std::string_view(s).substr(point + 1) : "";
  if (!is_valid_disc_name(stem, 8) || !is_valid_disc_name(extension, 3) || stem.size() + extension.size() == 0)
    return {};
  return std::string(stem) + "." + std::string(extension) + ";1";
}

/// Compares names in the order of the standard (9.3): first the part before the dot, then the extension.
inline bool is_name_before(std::string_view a, std::string_view b) {
  const auto parts = [](std::string_view name) {
    const std::string_view s = name.substr(0, name.find(';'));
    const size_t point = std::min(s.find('.'), s.size());
    return std::pair(s.substr(0, point), s.substr(point));
  };
  return parts(a) < parts(b);
}

struct DirectoryRecord {
  std::string_view name;  // MAP001.GNS;1
  u64 lba = 0, size = 0;
  bool is_folder = false;
  bool has_xa = false;  // attributes of CD-ROM XA: readable by everyone; a Form 1 file, or a folder
};
inline Bytes make_directory_record(const DirectoryRecord& d) {
  const size_t name_end = k_record_bytes + d.name.size(), xa = name_end + name_end % 2;
  Bytes r(xa + (d.has_xa ? k_xa_bytes : 0));
  r[k_record_bytes - 1] = u8(d.name.size());
  std::copy(d.name.begin(), d.name.end(), r.begin() + k_record_bytes);
  if (d.has_xa) r[xa + 4] = d.is_folder ? 0x8D : 0x0D, r[xa + 5] = 0x55, r[xa + 6] = 'X', r[xa + 7] = 'A';
  r[0] = u8(r.size());
  store_both_endian(&r[k_record_lba], d.lba);
  store_both_endian(&r[k_record_size], d.size);
  r[k_record_flags] = d.is_folder ? k_folder_flag : 0;
  store_both_endian(&r[28], 1, 2);
  return r;
}

/// Sectors that belong to a file or structure.
struct OccupiedSectors {
  u64 from, to;
  std::string what;
};

}  // namespace dio
