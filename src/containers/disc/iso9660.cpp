#include "containers/disc/iso9660.hpp"

#include <algorithm>
#include <cstring>
#include <map>
#include <set>

#include "core/file_tree.hpp"
#include "core/little_endian.hpp"
#include "core/sorting.hpp"
#include "core/text_format.hpp"

namespace dio {
namespace {

constexpr size_t k_most_deep = 16;  // the standard has 8 levels
constexpr size_t k_most_faults = 100, k_most_descriptors = 64;
constexpr u64 k_most_bytes = u64(1) << 30;
constexpr u64 k_most_shared = 64;        // times the size of the image, for all files together
constexpr u64 k_most_named = 16;         // times the size of the image, for all entries with their paths
constexpr u64 k_most_names = 256 << 20;  // bytes of entries and paths, for any size of image
constexpr u64 k_run = 64;                // sectors that are read at once

/// Offsets in a volume descriptor and in a directory record, and the bits of a record's flags. Source: ECMA-119, 8.4
/// and 9.1.
constexpr size_t k_volume_name = 40, k_volume_sectors = 80, k_table_size = 132, k_table_little = 140, k_table_big = 148,
                 k_root_record = 156;
constexpr u8 k_last_descriptor = 255;
constexpr size_t k_record_bytes = 33, k_record_attributes = 1, k_record_lba = 2, k_record_size = 10,
                 k_record_flags = 25;
constexpr u8 k_folder_flag = 2, k_more_flag = 0x80;
constexpr size_t k_xa_bytes = 14;
constexpr u8 k_xa_sound = 0x40;  // in the first byte of the attributes: CD-DA

u32 big(const u8* p) { return u32(p[0]) << 24 | u32(p[1]) << 16 | u32(p[2]) << 8 | u32(p[3]); }
void store_little(u8* p, u64 n, size_t bytes = 4) {
  for (size_t i = 0; i < bytes; ++i) p[i] = u8(n >> 8 * i);
}
void store_big(u8* p, u64 n, size_t bytes = 4) {
  for (size_t i = 0; i < bytes; ++i) p[bytes - 1 - i] = u8(n >> 8 * i);
}
void store_both_endian(u8* p, u64 n, size_t bytes = 4) {
  store_little(p, n, bytes);
  store_big(p + bytes, n, bytes);
}

ByteView whole_sector(ByteView image, SectorForm form, u64 lba) {
  return image.subspan(size_t(lba * sector_size(form)), size_t(sector_size(form)));
}

/// Reads this many sectors, which must be in the image.
Result<ByteView> sectors_of(const ByteSource& image, SectorForm form, u64 lba, u64 count, Bytes& room) {
  return image.view(lba * sector_size(form), count * sector_size(form), room);
}

bool is_descriptor(ByteView data) { return data.size() == k_sector_data && !std::memcmp(&data[1], "CD001", 5); }

/// A name without its version: README.TXT for README.TXT;1, README for README.;1.
std::string_view strip_version(std::string_view name) {
  std::string_view s = name.substr(0, name.rfind(';'));
  if (s.ends_with('.')) s.remove_suffix(1);
  return s.empty() ? name : s;
}

std::string join_path(const std::string& folder, std::string_view name) {
  return folder.empty() ? std::string(name) : folder + "/" + std::string(name);
}

/// Reads one tree of directories after another.
class TreeReader {
 public:
  TreeReader(const ByteSource& image, Disc& disc)
      : image_(image), disc_(disc), names_(std::min(k_most_named * image.size(), k_most_names)) {}
  /// Why directories could not be read: io.read.
  const std::optional<Diagnostic>& problem() const { return problem_; }

  void read(u8 tree, ByteView descriptor) {
    tree_ = tree;
    seen_.clear();
    budget_ = disc_.sectors;
    bytes_ = k_most_shared * image_.size();
    std::vector<Folder> folders = {{"", read_u32_le(&descriptor[k_root_record + k_record_lba]),
                                    read_u32_le(&descriptor[k_root_record + k_record_size]), 0}};
    for (size_t i = 0; i < folders.size() && !problem_; ++i) {
      const Folder f = folders[i];  // a copy, because the list moves as it grows
      read_folder(f, folders);
    }
  }

 private:
  struct Folder {
    std::string path;
    u32 lba;
    u32 size;
    size_t depth;
    u64 record = 0;  // offset of its record in the image; 0: in the descriptor
  };
  const ByteSource& image_;
  Disc& disc_;
  std::optional<Diagnostic> problem_;
  u8 tree_ = 0;
  std::set<u32> seen_;
  u64 budget_ = 0;  // directory sectors that may still be read; directories may share some
  u64 bytes_ = 0;   // bytes that files may still have; files may also share some
  u64 names_;       // bytes that entries of all trees may still use; each path includes the names of all parent folders

  void add_fault(u64 offset, u64 size, const std::string& path, DiagnosticText said) {
    if (disc_.faults.size() >= k_most_faults) return;
    disc_.faults.push_back(make_diagnostic(Severity::error, "archives.disc-directory",
                                           Location::of_bytes(offset, size, path), std::move(said)));
  }

  void read_folder(const Folder& f, std::vector<Folder>& folders) {
    const u64 sectors = sectors_for(f.size);
    const auto wrong = [&](DiagnosticText said) {
      add_fault(f.record, f.record ? k_record_bytes : 0, f.path, std::move(said));
    };
    if (!sectors || f.lba + sectors > disc_.sectors)
      return wrong({.message = "the folder occupies " + format_count(sectors, "sector") + " starting at sector " +
                               std::to_string(f.lba) + ", but the image has only " +
                               format_count(disc_.sectors, "sector")});
    if (!seen_.insert(f.lba).second || sectors > budget_)
      return wrong({.message = "another record refers to the same folder"});
    budget_ -= sectors;
    disc_.tables.push_back({DiscTable::Kind::directory, f.lba, f.size, tree_, false, f.path});
    Bytes room;
    for (u64 i = 0; i < sectors; i += k_run) {
      const u64 n = std::min(k_run, sectors - i);
      const auto run = sectors_of(image_, disc_.form, f.lba + i, n, room);
      if (!run) {
        problem_ = run.error();
        return;
      }
      for (u64 k = 0; k < n; ++k) read_sector(f, f.lba + i + k, disc_sector(*run, disc_.form, k), folders);
    }
  }

  void read_sector(const Folder& f, u64 lba, ByteView data, std::vector<Folder>& folders) {
    const u64 base = disc_offset(disc_.form, lba);
    for (size_t at = 0; at < data.size() && data[at];) {
      const size_t length = data[at], room = data.size() - at;
      if (length <= k_record_bytes || length > room || k_record_bytes + data[at + k_record_bytes - 1] > length)
        return add_fault(base + at, std::min(room, k_record_bytes), f.path,
                         {.message = "a record of " + format_count(length, "byte") +
                                     " is too short for its name, or extends beyond its sector"});
      read_record(f, data.subspan(at, length), base + at, folders);
      at += length;
    }
  }

  void read_record(const Folder& f, ByteView r, u64 offset, std::vector<Folder>& folders) {
    const std::string_view name(reinterpret_cast<const char*>(&r[k_record_bytes]), r[k_record_bytes - 1]);
    if (name.empty() || (name.size() == 1 && u8(name[0]) <= 1)) return;  // the folder itself, and its parent
    DiscEntry e;
    const u64 cost = sizeof e + f.path.size() + name.size();
    if (cost > names_) {
      names_ = 0;
      return add_fault(
          offset, r.size(), f.path,
          {.message = "the paths on the disc need too much memory for an image of this size; this record is omitted"});
    }
    names_ -= cost;
    e.is_folder = r[k_record_flags] & k_folder_flag;
    e.path = join_path(f.path, e.is_folder ? name : strip_version(name));
    const u64 lba = u64(read_u32_le(&r[k_record_lba])) + r[k_record_attributes];  // after its extended attributes
    e.size = read_u32_le(&r[k_record_size]);
    e.tree = tree_;
    e.record = offset;
    e.next_record = offset + r.size();
    // The attributes of CD-ROM XA follow the name and its padding.
    const size_t xa = k_record_bytes + name.size() + (k_record_bytes + name.size()) % 2;
    e.is_sound = r.size() >= xa + k_xa_bytes && r[xa + 6] == 'X' && r[xa + 7] == 'A' && r[xa + 4] & k_xa_sound;
    if (lba > ~u32(0) - (u64(1) << 22))
      return add_fault(offset, r.size(), e.path,
                       {.message = "sector " + std::to_string(lba) + " is outside the image"});
    e.lba = u32(lba);
    if (r[k_record_flags] & k_more_flag || r[26] || r[27])
      return add_fault(offset, r.size(), e.path,
                       {.message = "the file is interleaved or split into several extents, which is not supported"});
    if (!e.is_folder && !e.is_sound && e.lba + e.sectors() <= disc_.sectors) {
      if (e.size > bytes_)
        return add_fault(offset, r.size(), e.path,
                         {.message = "files share sectors, so their sizes add up to far more than the size of the "
                                     "image; this file is omitted"});
      bytes_ -= e.size;
    }
    if (e.is_folder) {
      if (f.depth + 1 >= k_most_deep)
        return add_fault(offset, r.size(), e.path,
                         {.message = "folders are nested more than " + std::to_string(k_most_deep) + " levels deep"});
      folders.push_back({e.path, e.lba, u32(e.size), f.depth + 1, offset});
    }
    disc_.entries.push_back(std::move(e));
  }
};

}  // namespace

std::optional<SectorForm> detect_sector_form(ByteView image) {
  for (const SectorForm f : {SectorForm::mode2, SectorForm::mode1, SectorForm::headless, SectorForm::plain}) {
    const ByteView first = disc_sector(image, f, k_first_descriptor);
    if (!is_descriptor(first) || first[0] == k_last_descriptor) continue;
    // At least one more descriptor follows. Without a sync, its position alone tells the sector size.
    const bool is_one = f == SectorForm::plain || f == SectorForm::headless
                            ? is_descriptor(disc_sector(image, f, k_first_descriptor + 1))
                            : has_data(whole_sector(image, f, k_first_descriptor), f);
    if (is_one) return f;
  }
  return {};
}

Result<std::optional<SectorForm>> detect_sector_form(const ByteSource& image) {
  Bytes room;
  const auto head = image.view_available(0, (k_first_descriptor + 2) * sector_size(SectorForm::mode2), room);
  if (!head) return refuse(head.error());
  return detect_sector_form(*head);
}

ByteView disc_sector(ByteView image, SectorForm form, u64 lba) {
  const u64 size = sector_size(form);
  if (lba >= image.size() / size) return {};
  return image.subspan(size_t(lba * size + data_in_sector(form)), k_sector_data);
}

std::optional<u32> count_records(ByteView data) {
  u32 n = 0;
  for (size_t at = 0; at < data.size() && data[at]; ++n) {
    const size_t length = data[at];
    if (length <= k_record_bytes || length > data.size() - at ||
        k_record_bytes + data[at + k_record_bytes - 1] > length)
      return {};
    at += length;
  }
  return n;
}

Result<Disc> read_disc(ByteView image) { return read_disc(BorrowedByteSource(image)); }

Result<Disc> read_disc(const ByteSource& image) {
  const auto found = detect_sector_form(image);
  if (!found) return refuse(found.error());
  const auto form = *found;
  if (!form)
    return refuse(make_diagnostic("archive.disc", {}, {.message = "sector 16 has no volume descriptor (CD001)"}));
  Disc disc;
  disc.form = *form;
  disc.sectors = u32(image.size() / sector_size(*form));
  TreeReader reader(image, disc);
  Bytes room;
  u8 trees = 0;
  for (u32 lba = k_first_descriptor; lba < k_first_descriptor + k_most_descriptors; ++lba) {
    const auto sector = image.view_available(lba * sector_size(*form), sector_size(*form), room);
    if (!sector) return refuse(sector.error());
    const ByteView d = disc_sector(*sector, *form, 0);
    if (!is_descriptor(d)) break;
    const u8 type = d[0];
    disc.tables.push_back({DiscTable::Kind::descriptor, lba, k_sector_data});
    if (type == k_last_descriptor) break;
    if (type != 1 && type != 2) continue;
    if (!trees) {
      disc.volume_sectors = read_u32_le(&d[k_volume_sectors]);
      disc.volume.assign(reinterpret_cast<const char*>(&d[k_volume_name]), 32);
      while (!disc.volume.empty() && (disc.volume.back() == ' ' || !disc.volume.back())) disc.volume.pop_back();
    }
    const u32 table_size = read_u32_le(&d[k_table_size]);
    for (const size_t at : {size_t(0), size_t(4)}) {
      if (const u32 table = read_u32_le(&d[k_table_little + at]))
        disc.tables.push_back({DiscTable::Kind::path_table, table, table_size, trees, false});
      if (const u32 table = big(&d[k_table_big + at]))
        disc.tables.push_back({DiscTable::Kind::path_table, table, table_size, trees, true});
    }
    reader.read(trees++, d);
    if (reader.problem()) return refuse(*reader.problem());
  }
  if (!trees) return refuse("archive.disc", {}, {.message = "the disc has no primary volume descriptor"});
  return disc;
}

const DiscEntry* find_file(const Disc& disc, std::string_view path) {
  for (const DiscEntry& e : disc.entries)
    if (e.is_file() && e.path == path) return &e;
  const std::string wanted = upper_case(path);
  for (const DiscEntry& e : disc.entries)
    if (e.is_file() && upper_case(e.path) == wanted) return &e;
  return nullptr;
}

Result<DiscEntry> find_disc_file(ByteView image, std::string_view path) {
  auto disc = read_disc(image);
  if (!disc) return refuse(std::move(disc.error()));
  const DiscEntry* e = find_file(*disc, path);
  if (!e) return refuse(missing_file(path));
  return *e;
}

namespace {

std::span<u8> whole_sector(Bytes& image, SectorForm form, u64 lba) {
  return std::span<u8>(image).subspan(size_t(lba * sector_size(form)), size_t(sector_size(form)));
}

Result<bool> has_form2(const ByteSource& image, SectorForm form, const DiscEntry& e) {
  Bytes room;
  for (u64 i = 0; has_subheaders(form) && i < e.sectors(); ++i) {
    const auto sector = sectors_of(image, form, e.lba + i, 1, room);
    if (!sector) return refuse(sector.error());
    if (is_form2(*sector, form)) return true;
  }
  return false;
}
constexpr u64 k_with_subheader = 2336;  // a sector from its subheader to its end

Result<bool> check_inside_image(u64 image_size, SectorForm form, const DiscEntry& e) {
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

}  // namespace

Result<Bytes> read_disc_file(ByteView image, SectorForm form, const DiscEntry& e) {
  return read_disc_file(BorrowedByteSource(image), form, e);
}

Result<Bytes> read_disc_file(const ByteSource& image, SectorForm form, const DiscEntry& e) {
  if (auto inside = check_inside_image(image.size(), form, e); !inside) return refuse(std::move(inside.error()));
  Bytes out, room;
  out.reserve(size_t(e.size));
  bool whole = false;  // whether a sector is in Form 2; then all sectors are read from the subheader on
  for (u64 i = 0; i < e.sectors();) {
    const u64 n = std::min(k_run, e.sectors() - i);
    const auto run = sectors_of(image, form, e.lba + i, n, room);
    if (!run) return refuse(run.error());
    const auto sector = [&](u64 k) { return whole_sector(*run, form, k); };
    bool is_first_of_form2 = false;
    for (u64 k = 0; k < n && !whole && has_subheaders(form); ++k) is_first_of_form2 |= is_form2(sector(k), form);
    if (is_first_of_form2) {  // from the start
      whole = true;
      out.clear();
      out.reserve(size_t(e.sectors() * k_with_subheader));
      i = 0;
      continue;
    }
    for (u64 k = 0; k < n; ++k) {
      const ByteView part = whole
                                ? sector(k).last(k_with_subheader)
                                : sector(k).subspan(size_t(data_in_sector(form)),
                                                    size_t(std::min(k_sector_data, e.size - (i + k) * k_sector_data)));
      out.insert(out.end(), part.begin(), part.end());
    }
    i += n;
  }
  return out;
}

// ---- replacing files -----------------------------------------------------------------------------------------------

namespace {

/// Sectors that belong to a file or structure.
struct OccupiedSectors {
  u64 from, to;
  std::string what;
};

bool has_same_extent(const DiscEntry& a, const DiscEntry& b) { return a.lba == b.lba && a.size == b.size; }

/// Everything on a disc except one file, under all its names in other trees.
Result<std::vector<OccupiedSectors>> find_other_extents(const Disc& disc, const DiscEntry& file) {
  std::vector<OccupiedSectors> all = {{0, k_first_descriptor, "the system area"}};
  for (const DiscTable& t : disc.tables)
    all.push_back({t.lba, t.lba + sectors_for(t.size),
                   t.kind == DiscTable::Kind::descriptor   ? "a volume descriptor"
                   : t.kind == DiscTable::Kind::path_table ? "a path table"
                                                           : "the folder " + (t.path.empty() ? "/" : t.path)});
  for (const DiscEntry& e : disc.entries)
    if (&e != &file && !e.is_folder && !e.is_sound && e.size && !(e.tree && has_same_extent(e, file)))
      all.push_back({e.lba, e.lba + e.sectors(), e.path});
  for (const OccupiedSectors& t : all)
    if (t.from < file.lba + file.sectors() && file.lba < t.to)
      return refuse(
          make_diagnostic("archive.shared", file.path,
                          {.message = "the file shares sectors with " + t.what + " and cannot be changed alone"}));
  return all;
}

Result<std::span<u8>> sector_to_change(PatchedSource& image, SectorForm form, u64 lba) {
  return image.block(lba * sector_size(form), sector_size(form));
}

/// Whether an unreferenced sector is empty, so that a file may grow into it.
bool is_blank(ByteView sector, SectorForm form) {
  if (is_form2(sector, form)) return false;
  const ByteView data = sector.subspan(size_t(data_in_sector(form)), k_sector_data);
  return std::all_of(data.begin(), data.end(), [](u8 b) { return !b; });
}

/// The sectors available to a file, both its own and free ones after them, and what follows. Searches no further than
/// needed.
Result<OccupiedSectors> find_available_sectors(const Disc& disc, const ByteSource& image, const DiscEntry& file,
                                               const std::vector<OccupiedSectors>& others, u64 needed) {
  OccupiedSectors room{file.lba, std::min(disc.volume_sectors, disc.sectors), "the end of the volume"};
  for (const OccupiedSectors& t : others)
    if (t.to > file.lba && t.from < room.to) room.to = std::max<u64>(t.from, file.lba), room.what = t.what;
  const u64 own = file.lba + file.sectors();
  Bytes read;
  for (u64 lba = own; lba < room.to && lba < file.lba + needed; ++lba) {
    const auto sector = sectors_of(image, disc.form, lba, 1, read);
    if (!sector) return refuse(sector.error());
    if (is_blank(*sector, disc.form)) continue;
    room.to = lba;
    room.what = "unreferenced data";
  }
  room.to = std::max(room.to, own);
  return room;
}

/// The first run of this many empty, unreferenced sectors of the volume, if there is one.
Result<std::optional<u64>> find_free_run(const Disc& disc, const ByteSource& image, const DiscEntry& file,
                                         std::vector<OccupiedSectors> taken, u64 needed) {
  taken.push_back({file.lba, file.lba + file.sectors(), file.path});
  const u64 end = std::min(disc.volume_sectors, disc.sectors);
  taken.push_back({end, end, {}});
  sort_stably(taken, {}, &OccupiedSectors::from);
  Bytes read;
  u64 from = 0;
  for (const OccupiedSectors& t : taken) {
    for (u64 lba = from; lba < t.from && from + needed <= t.from; ++lba) {
      const auto sector = sectors_of(image, disc.form, lba, 1, read);
      if (!sector) return refuse(sector.error());
      if (!is_blank(*sector, disc.form))
        from = lba + 1;
      else if (lba + 1 - from == needed)
        return std::optional(from);
    }
    from = std::max(from, t.to);
  }
  return std::optional<u64>();
}

/// Writes the sectors of a file from `to` on, and zeros its old sectors that are no longer used.
Result<bool> write_sectors(PatchedSource& image, const Disc& disc, const DiscEntry& file, u64 to, ByteView bytes) {
  const SectorForm form = disc.form;
  const bool moves = to != file.lba;
  const u64 before = file.sectors(), now = sectors_for(bytes.size());
  constexpr u8 k_ends = k_submode_end_of_file | k_submode_end_of_record;
  std::array<u8, 4> subheader = {0, 0, k_submode_data, 0};  // as in the file's sectors
  u8 ends = 0;                                              // the marks of its last one
  const size_t at = size_t(subheader_in_sector(form)), start = size_t(data_in_sector(form));
  Bytes room;
  if (has_subheaders(form) && before) {
    const auto first = sectors_of(image, form, file.lba, 1, room);
    if (!first) return refuse(first.error());
    std::copy_n(&(*first)[at], 4, subheader.begin());
    const auto last = sectors_of(image, form, file.lba + before - 1, 1, room);
    if (!last) return refuse(last.error());
    ends = (*last)[at + 2] & k_ends;
    subheader[2] &= u8(~k_ends);
  }
  for (u64 i = 0; i < now; ++i) {
    const auto old = sectors_of(image, form, to + i, 1, room);
    if (!old) return refuse(old.error());
    const ByteView part = bytes.subspan(size_t(i * k_sector_data))
                              .first(size_t(std::min<u64>(k_sector_data, bytes.size() - i * k_sector_data)));
    Bytes data(k_sector_data);
    std::copy(part.begin(), part.end(), data.begin());
    const bool is_new = moves || i >= before || !has_data(*old, form);
    const bool moves_end = before != now && ends && (i + 1 == before || i + 1 == now);
    if (!is_new && !moves_end && std::ranges::equal(old->subspan(start, k_sector_data), data)) continue;
    const auto changed = sector_to_change(image, form, to + i);
    if (!changed) return refuse(changed.error());
    const std::span<u8> sector = *changed;
    if (is_new) init_sector(sector, form, u32(to + i));
    if (has_subheaders(form) && (is_new || moves_end)) {
      std::copy(subheader.begin(), subheader.end(), sector.begin() + std::ptrdiff_t(at));
      if (i + 1 == now) sector[at + 2] |= ends;
      std::copy_n(&sector[at], 4, &sector[at + 4]);
    }
    std::ranges::copy(data, sector.begin() + std::ptrdiff_t(start));
    seal_sector(sector, form);
  }
  for (u64 i = moves ? 0 : now; i < before; ++i) {
    const auto sector = sector_to_change(image, form, file.lba + i);
    if (!sector) return refuse(sector.error());
    init_sector(*sector, form, u32(file.lba + i));
    seal_sector(*sector, form);
  }
  return true;
}

/// Adds empty sectors to the end of an image and to its volume; returns the first one. Nothing if the image does not
/// end with a data sector, such as one with audio tracks, or if a CD cannot have so many sectors. Ids: io.read.
Result<std::optional<u64>> append_sectors(PatchedSource& image, const Disc& disc, u64 count) {
  constexpr u64 k_most_sectors = 99 * 60 * 75 - k_lead_in_sectors;  // of an address
  const u64 bytes = sector_size(disc.form), before = image.size() / bytes;
  if (image.size() % bytes || before + count > k_most_sectors) return std::optional<u64>();
  Bytes room;
  const auto last = sectors_of(image, disc.form, before - 1, 1, room);
  if (!last) return refuse(last.error());
  if (!has_data(*last, disc.form) && !is_form2(*last, disc.form)) return std::optional<u64>();
  image.grow(count * bytes);
  for (u64 i = 0; i < count; ++i) {
    const auto sector = sector_to_change(image, disc.form, before + i);
    if (!sector) return refuse(sector.error());
    init_sector(*sector, disc.form, u32(before + i));
    seal_sector(*sector, disc.form);
  }
  const size_t start = size_t(data_in_sector(disc.form));
  for (u64 lba = k_first_descriptor;; ++lba) {
    const auto read = sectors_of(image, disc.form, lba, 1, room);
    if (!read) return refuse(read.error());
    if (!is_descriptor(read->subspan(start, k_sector_data)) || (*read)[start] == k_last_descriptor) break;
    if ((*read)[start] != 1 && (*read)[start] != 2) continue;
    const auto sector = sector_to_change(image, disc.form, lba);
    if (!sector) return refuse(sector.error());
    store_both_endian(&(*sector)[start + k_volume_sectors], before + count);
    seal_sector(*sector, disc.form);
  }
  return std::optional(before);
}

/// The first sector for a file of that size: the old one, unless the file does not fit and may move; then a free run,
/// or new sectors at the end of the image. Ids: archive.full, io.read.
Result<u64> choose_file_sector(PatchedSource& image, const Disc& disc, const DiscEntry& file,
                               const std::vector<OccupiedSectors>& others, u64 size, bool may_move) {
  const u64 needed = sectors_for(size);
  const auto room = find_available_sectors(disc, image, file, others, needed);
  if (!room) return refuse(room.error());
  const u64 there = room->to - room->from;
  if (needed <= there) return file.lba;
  if (may_move) {
    const auto run = find_free_run(disc, image, file, others, needed);
    if (!run) return refuse(run.error());
    if (*run) return **run;
    const auto added = append_sectors(image, disc, needed);
    if (!added) return refuse(added.error());
    if (*added) return **added;
  }
  return refuse(
      "archive.full", file.path,
      {.message = "the new content has " + format_count(size, "byte") + " (" + format_count(needed, "sector") +
                  "), but there is room for only " + format_count(there * k_sector_data, "byte") + " (" +
                  format_count(there, "sector") + ") before " + room->what +
                  (may_move ? ", the disc has no free run of " + format_count(needed, "sector") +
                                  ", and no sectors can be added to its end"
                            : "")});
}

Result<bool> replace_disc_file(PatchedSource& image, const DiscChange& change) {
  auto disc = read_disc(image);
  if (!disc) return refuse(std::move(disc.error()));
  const DiscEntry* file = find_file(*disc, change.path);
  if (!file) return refuse(missing_file(change.path));
  if (auto inside = check_inside_image(image.size(), disc->form, *file); !inside) return inside;
  auto others = find_other_extents(*disc, *file);
  if (!others) return refuse(std::move(others.error()));
  const u64 size = change.bytes.size();
  const auto is_form2_file = has_form2(image, disc->form, *file);
  if (!is_form2_file) return is_form2_file;
  if (*is_form2_file) {
    if (size != file->sectors() * k_with_subheader)
      return refuse("archive.full", file->path,
                    {.message = "the new content has " + format_count(size, "byte") +
                                "; a file with Form 2 sectors must keep its size of " +
                                std::to_string(file->sectors() * k_with_subheader) + " bytes (2336 per sector)"});
    for (u64 i = 0; i < file->sectors(); ++i) {
      const auto sector = sector_to_change(image, disc->form, file->lba + i);
      if (!sector) return refuse(sector.error());
      std::copy_n(change.bytes.begin() + std::ptrdiff_t(i * k_with_subheader), k_with_subheader,
                  sector->last(k_with_subheader).begin());
    }
    return true;
  }
  Bytes read;
  const auto attributes = image.view(file->record + k_record_attributes, 1, read);
  if (!attributes) return refuse(attributes.error());
  const bool may_move = change.may_move && !(*attributes)[0];  // attributes come before the file
  const auto to = choose_file_sector(image, *disc, *file, *others, size, may_move);
  if (!to) return refuse(to.error());
  if (auto done = write_sectors(image, *disc, *file, *to, change.bytes); !done) return done;
  if (size == file->size && *to == file->lba) return true;
  for (const DiscEntry& e : disc->entries) {
    if (&e != file && !(e.tree && file->size && has_same_extent(e, *file))) continue;
    const auto sector = sector_to_change(image, disc->form, sector_at(disc->form, e.record));
    if (!sector) return refuse(sector.error());
    u8* record = &(*sector)[size_t(e.record % sector_size(disc->form))];
    store_both_endian(record + k_record_size, size);
    if (*to != file->lba) store_both_endian(record + k_record_lba, *to);
    seal_sector(*sector, disc->form);
  }
  return true;
}

}  // namespace

Result<bool> replace_disc_files(PatchedSource& image, std::span<const DiscChange> changes) {
  for (const DiscChange& c : changes)
    if (auto done = replace_disc_file(image, c); !done) return done;
  return true;
}

Result<Bytes> replace_disc_files(ByteView image, std::span<const DiscChange> changes) {
  PatchedSource changed(std::make_shared<BorrowedByteSource>(image));
  if (auto done = replace_disc_files(changed, changes); !done) return refuse(std::move(done.error()));
  Bytes out(image.begin(), image.end());
  out.resize(size_t(changed.size()));
  changed.apply_to(out);
  return out;
}

// ---- new images ----------------------------------------------------------------------------------------------------

namespace {

struct NewFile {
  std::string name;  // as the directory has it: MAP001.GNS;1
  const DiscFile* file;
  u32 lba = 0;
};
struct NewFolder {
  std::string name, path;
  size_t parent = 0;  // its number in the path tables, from 0
  std::vector<size_t> folders, files;
  u32 lba = 0, size = 0;
};

bool is_valid_disc_name(std::string_view s, size_t most) {
  return s.size() <= most && std::all_of(s.begin(), s.end(), [](char c) {
           return (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
         });
}

Diagnostic bad_name_error(std::string_view path, const char* message) {
  return make_diagnostic("archive.pack", std::string(path),
                         {.message = message,
                          .hint = "names have up to 8 characters (letters, digits and _), and the extensions of files "
                                  "up to 3; folders are nested at most 7 deep"});
}

/// The name as stored in a directory, in upper case; nothing if it is invalid.
std::optional<std::string> to_iso_file_name(std::string_view part) {
  const std::string s = upper_case(part);
  const size_t point = std::min(s.find('.'), s.size());
  const std::string_view stem = std::string_view(s).substr(0, point);
  const std::string_view extension = point < s.size() ? std::string_view(s).substr(point + 1) : "";
  if (!is_valid_disc_name(stem, 8) || !is_valid_disc_name(extension, 3) || stem.size() + extension.size() == 0)
    return {};
  return std::string(stem) + "." + std::string(extension) + ";1";
}

/// Compares names in the order of the standard (9.3): first the part before the dot, then the extension.
bool is_name_before(std::string_view a, std::string_view b) {
  const auto parts = [](std::string_view name) {
    const std::string_view s = name.substr(0, name.find(';'));
    const size_t point = std::min(s.find('.'), s.size());
    return std::pair(s.substr(0, point), s.substr(point));
  };
  return parts(a) < parts(b);
}

class IsoImageBuilder {
 public:
  IsoImageBuilder(std::span<const DiscFile> files, const DiscOptions& options)
      : files_(files), options_(options), form_(options.form) {}

  Result<Bytes> make() {
    if (auto bad = collect_folders_and_files()) return refuse(std::move(*bad));
    if (auto bad = assign_sectors()) return refuse(std::move(*bad));
    image_.resize(size_t(sectors_ * sector_size(form_)));
    for (u64 lba = 0; lba < sectors_; ++lba) init_sector(whole_sector(image_, form_, lba), form_, u32(lba));
    store_content(k_first_descriptor, descriptor(), k_submode_end_of_record);
    Bytes end(k_sector_data);
    end[0] = k_last_descriptor;
    std::memcpy(&end[1], "CD001\1", 6);
    store_content(k_first_descriptor + 1, end);
    for (size_t copy = 0; copy < 4; ++copy) store_content(first_table_ + copy * table_sectors_, path_table(copy >= 2));
    for (size_t i = 0; i < folders_.size(); ++i) store_content(folders_[i].lba, directory(i));
    for (const NewFile& f : placed_) store_content(f.lba, f.file->bytes);
    for (u64 lba = 0; lba < sectors_; ++lba) seal_sector(whole_sector(image_, form_, lba), form_);
    const u64 system_size = std::min<u64>(options_.system_area.size(), k_first_descriptor * sector_size(form_));
    std::copy_n(options_.system_area.begin(), system_size, image_.begin());
    return std::move(image_);
  }

 private:
  std::span<const DiscFile> files_;
  const DiscOptions& options_;
  SectorForm form_;
  std::vector<NewFolder> folders_;  // in the order of the path tables
  std::vector<NewFile> placed_;     // in the order given
  u64 first_table_ = k_first_descriptor + 2, table_sectors_ = 0, table_size_ = 0, sectors_ = 0;
  Bytes image_;

  bool is_xa() const { return has_subheaders(form_); }

  /// Folders and names.
  std::optional<Diagnostic> collect_folders_and_files() {
    folders_.push_back({});
    std::set<std::string> paths;
    for (const DiscFile& f : files_) {
      size_t folder = 0, depth = 0;
      std::string_view rest = f.path;
      for (size_t slash; (slash = rest.find('/')) != rest.npos; rest.remove_prefix(slash + 1)) {
        const std::string name = upper_case(rest.substr(0, slash));
        if (name.empty() || !is_valid_disc_name(name, 8) || ++depth > 7)
          return bad_name_error(
              f.path, "this folder cannot be stored on a disc: its name is invalid, or it is nested too deep");
        const auto& inside = folders_[folder].folders;
        const auto known =
            std::find_if(inside.begin(), inside.end(), [&](size_t i) { return folders_[i].name == name; });
        if (known != inside.end()) {
          folder = *known;
          continue;
        }
        const size_t made = folders_.size();
        folders_.push_back({name, join_path(folders_[folder].path, name), folder, {}, {}, 0, 0});
        folders_[folder].folders.push_back(made);
        folder = made;
      }
      auto name = to_iso_file_name(rest);
      if (!name) return bad_name_error(f.path, "a file on a disc cannot have this name");
      if (!paths.insert(join_path(folders_[folder].path, strip_version(*name))).second)
        return bad_name_error(f.path, "the path occurs twice");
      folders_[folder].files.push_back(placed_.size());
      placed_.push_back({std::move(*name), &f});
    }
    for (const NewFolder& f : folders_)
      if (!f.path.empty() && paths.contains(f.path))
        return bad_name_error(f.path, "a file and a folder have the same name");
    order_folders();
    return {};
  }

  /// Orders folders as in the path tables: by level, then by parent folder, then by name.
  void order_folders() {
    for (NewFolder& f : folders_) {
      sort_stably(f.folders, [&](size_t a, size_t b) { return folders_[a].name < folders_[b].name; });
      sort_stably(f.files, [&](size_t a, size_t b) { return is_name_before(placed_[a].name, placed_[b].name); });
    }
    std::vector<size_t> order = {0}, number(folders_.size());
    for (size_t i = 0; i < order.size(); ++i) {
      number[order[i]] = i;
      const auto& inside = folders_[order[i]].folders;
      order.insert(order.end(), inside.begin(), inside.end());
    }
    std::vector<NewFolder> sorted;
    for (const size_t i : order) {
      NewFolder f = std::move(folders_[i]);
      f.parent = number[f.parent];
      for (size_t& inside : f.folders) inside = number[inside];
      sorted.push_back(std::move(f));
    }
    folders_ = std::move(sorted);
  }

  std::optional<Diagnostic> assign_sectors() {
    for (const NewFolder& f : folders_) table_size_ += path_record_size(f);
    table_sectors_ = sectors_for(table_size_);
    u64 next = first_table_ + 4 * table_sectors_;
    for (size_t i = 0; i < folders_.size(); ++i) {
      NewFolder& f = folders_[i];
      f.lba = u32(next);
      f.size = u32(directory(i).size());
      next += sectors_for(f.size);
    }
    const u64 first = next;
    std::vector<OccupiedSectors> taken = {{0, first, "a directory"}};
    sectors_ = std::max<u64>(first, options_.sectors);
    for (NewFile& f : placed_) {
      const u64 lba = f.file->lba ? *f.file->lba : next;
      next = lba + sectors_for(f.file->bytes.size());
      sectors_ = std::max(sectors_, next);
      if (sectors_ > k_most_bytes / sector_size(form_))
        return make_diagnostic("archive.full", f.file->path, {.message = "the image would be larger than 1 GiB"});
      f.lba = u32(lba);
      if (next > lba) taken.push_back({lba, next, f.file->path});
    }
    if (sectors_ > k_most_bytes / sector_size(form_))
      return make_diagnostic("archive.full", {}, {.message = "the image would be larger than 1 GiB"});
    sort_stably(taken, [](const OccupiedSectors& a, const OccupiedSectors& b) { return a.from < b.from; });
    for (size_t i = 1; i < taken.size(); ++i)
      if (taken[i].from < taken[i - 1].to)
        return make_diagnostic("archive.full", taken[i].what,
                               {.message = "the file would start at sector " + std::to_string(taken[i].from) +
                                           ", which " + taken[i - 1].what + " occupies"});
    return {};
  }

  void store_content(u64 lba, ByteView bytes, u8 ends = k_submode_end_of_file | k_submode_end_of_record) {
    for (u64 i = 0, n = sectors_for(bytes.size()); i < n; ++i) {
      const auto sector = whole_sector(image_, form_, lba + i);
      if (is_xa() && i + 1 == n) {
        const size_t at = size_t(subheader_in_sector(form_));
        sector[at + 2] = sector[at + 6] = u8(k_submode_data | ends);
      }
      const ByteView part = bytes.subspan(size_t(i * k_sector_data));
      std::copy_n(part.begin(), std::min<size_t>(part.size(), k_sector_data),
                  sector.begin() + std::ptrdiff_t(data_in_sector(form_)));
    }
  }

  static u64 path_record_size(const NewFolder& f) {
    const u64 name = std::max<u64>(1, f.name.size());
    return 8 + name + name % 2;
  }
  Bytes path_table(bool is_big) const {
    Bytes out(static_cast<size_t>(table_size_));
    size_t at = 0;
    const auto store = is_big ? store_big : store_little;
    for (const NewFolder& f : folders_) {
      out[at] = u8(std::max<size_t>(1, f.name.size()));
      store(&out[at + 2], f.lba, 4);
      store(&out[at + 6], f.parent + 1, 2);
      std::copy(f.name.begin(), f.name.end(), out.begin() + std::ptrdiff_t(at + 8));
      at += size_t(path_record_size(f));
    }
    return out;
  }

  /// A directory record (9.1), with the XA attributes of an image that has subheaders.
  Bytes make_record(std::string_view name, u64 lba, u64 size, bool is_folder, bool with_xa = true) const {
    const u64 xa_bytes = is_xa() && with_xa ? k_xa_bytes : 0, name_end = k_record_bytes + name.size();
    Bytes r(size_t(name_end + name_end % 2 + xa_bytes));
    r[k_record_bytes - 1] = u8(name.size());
    std::copy(name.begin(), name.end(), r.begin() + k_record_bytes);
    if (xa_bytes) {
      // Readable by everyone; a Form 1 file, or a folder.
      const size_t at = size_t(name_end + name_end % 2);
      r[at + 4] = is_folder ? 0x8D : 0x0D, r[at + 5] = 0x55, r[at + 6] = 'X', r[at + 7] = 'A';
    }
    r[0] = u8(r.size());
    store_both_endian(&r[k_record_lba], lba);
    store_both_endian(&r[k_record_size], size);
    r[k_record_flags] = is_folder ? k_folder_flag : 0;
    store_both_endian(&r[28], 1, 2);
    return r;
  }

  Bytes directory(size_t number) const {
    const NewFolder& f = folders_[number];
    Bytes out;
    const auto add = [&](const Bytes& r) {
      if (out.size() % k_sector_data + r.size() > k_sector_data)
        out.resize(size_t(sectors_for(out.size()) * k_sector_data));
      out.insert(out.end(), r.begin(), r.end());
    };
    const NewFolder& around = folders_[f.parent];
    add(make_record(std::string_view("\0", 1), f.lba, f.size, true));
    add(make_record("\1", around.lba, around.size, true));
    size_t i = 0, j = 0;
    while (i < f.folders.size() || j < f.files.size()) {
      const bool folder_next =
          j == f.files.size() ||
          (i < f.folders.size() && is_name_before(folders_[f.folders[i]].name, placed_[f.files[j]].name));
      if (folder_next) {
        const NewFolder& inside = folders_[f.folders[i++]];
        add(make_record(inside.name, inside.lba, inside.size, true));
      } else {
        const NewFile& file = placed_[f.files[j++]];
        add(make_record(file.name, file.lba, file.file->bytes.size(), false));
      }
    }
    out.resize(size_t(sectors_for(out.size()) * k_sector_data));
    return out;
  }

  Bytes descriptor() const {
    Bytes d(k_sector_data);
    const auto put_text = [&](size_t at, size_t size, std::string_view s) {
      std::fill_n(&d[at], size, u8(' '));
      std::copy_n(s.begin(), std::min(size, s.size()), &d[at]);
    };
    d[0] = 1;
    std::memcpy(&d[1], "CD001\1", 6);
    put_text(8, 32, is_xa() ? "PLAYSTATION" : "");
    put_text(k_volume_name, 32, upper_case(options_.volume));
    store_both_endian(&d[k_volume_sectors], sectors_);
    store_both_endian(&d[120], 1, 2);
    store_both_endian(&d[124], 1, 2);
    store_both_endian(&d[128], k_sector_data, 2);
    store_both_endian(&d[k_table_size], table_size_);
    for (size_t copy = 0; copy < 2; ++copy) {
      store_little(&d[k_table_little + 4 * copy], first_table_ + copy * table_sectors_);
      store_big(&d[k_table_big + 4 * copy], first_table_ + (2 + copy) * table_sectors_);
    }
    const Bytes root = make_record(std::string_view("\0", 1), folders_[0].lba, folders_[0].size, true, false);
    std::copy(root.begin(), root.end(), &d[k_root_record]);
    put_text(190, 128, options_.volume.empty() ? "" : upper_case(options_.volume));
    put_text(318, 128, "");
    put_text(446, 128, "");
    put_text(574, 128, is_xa() ? "PLAYSTATION" : "");
    put_text(702, 111, "");
    for (const size_t at : {813, 830, 847, 864}) std::fill_n(&d[at], 16, u8('0'));  // dates: not specified
    d[881] = 1;
    if (is_xa()) std::memcpy(&d[1024], "CD-XA001", 8);
    return d;
  }
};

}  // namespace

Result<Bytes> make_disc_image(std::span<const DiscFile> files, const DiscOptions& options) {
  return IsoImageBuilder(files, options).make();
}

}  // namespace dio
