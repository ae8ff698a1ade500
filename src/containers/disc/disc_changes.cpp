// disc_changes.cpp: new content and new files in disc images.
#include <algorithm>

#include "containers/disc/disc_sectors.hpp"
#include "core/little_endian.hpp"
#include "core/sorting.hpp"

namespace dio {

namespace {

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
  const auto to =
      change.lba ? Result<u64>(*change.lba) : choose_file_sector(image, *disc, *file, *others, size, may_move);
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

// ---- adding files --------------------------------------------------------------------------------------------------

namespace {

/// A directory of the primary tree and its records, in order.
struct Directory {
  DiscTable table;
  std::vector<Bytes> records;

  u64 sectors() const { return sectors_for(table.size); }
  bool is_root() const { return table.path.empty(); }
};

Result<Directory> read_directory(const ByteSource& image, const Disc& disc, std::string_view path) {
  const auto found = std::ranges::find_if(disc.tables, [&](const DiscTable& t) {
    return t.kind == DiscTable::Kind::directory && !t.tree && upper_case(t.path) == upper_case(path);
  });
  if (found == disc.tables.end()) return refuse(missing_file(path));
  Directory out{*found, {}};
  Bytes room;
  for (u64 i = 0; i < out.sectors(); ++i) {
    const auto sector = sectors_of(image, disc.form, found->lba + i, 1, room);
    if (!sector) return refuse(sector.error());
    const ByteView data = sector->subspan(size_t(data_in_sector(disc.form)), size_t(k_sector_data));
    for (size_t at = 0; at < data.size() && data[at]; at += data[at]) {
      if (data[at] <= k_record_bytes || at + data[at] > data.size())
        return refuse("archive.disc", std::string(path), {.message = "the directory has an invalid record"});
      out.records.emplace_back(data.begin() + ptrdiff_t(at), data.begin() + ptrdiff_t(at + data[at]));
    }
  }
  if (out.records.size() < 2)
    return refuse("archive.disc", std::string(path),
                  {.message = "the directory has no records of itself and its parent"});
  return out;
}

std::string_view name_in_record(const Bytes& r) {
  return {reinterpret_cast<const char*>(&r[k_record_bytes]), r[k_record_bytes - 1]};
}
bool record_has_xa(const Bytes& r) {
  const size_t name_end = k_record_bytes + name_in_record(r).size(), xa = name_end + name_end % 2;
  return r.size() >= xa + k_xa_bytes && r[xa + 6] == 'X' && r[xa + 7] == 'A';
}

/// The records as sectors: none crosses the border of two.
Bytes directory_bytes(const std::vector<Bytes>& records) {
  Bytes out;
  for (const Bytes& r : records) {
    if (out.size() % k_sector_data + r.size() > k_sector_data)
      out.resize(size_t(sectors_for(out.size()) * k_sector_data));
    out.insert(out.end(), r.begin(), r.end());
  }
  out.resize(size_t(sectors_for(out.size()) * k_sector_data));
  return out;
}

/// Changes the data of a sector in an image.
Result<bool> change_sector(PatchedSource& image, SectorForm form, u64 lba, auto&& change) {
  const auto sector = sector_to_change(image, form, lba);
  if (!sector) return refuse(sector.error());
  change(sector->subspan(size_t(data_in_sector(form)), size_t(k_sector_data)));
  seal_sector(*sector, form);
  return true;
}

/// Sets the place of a directory in a record, by the offset of the record in the image.
Result<bool> set_record_extent(PatchedSource& image, SectorForm form, u64 record, u64 lba, u64 size) {
  const u64 sector = sector_at(form, record);
  const size_t at = size_t(record - disc_offset(form, sector));
  return change_sector(image, form, sector, [&](std::span<u8> data) {
    store_both_endian(&data[at + k_record_lba], lba);
    store_both_endian(&data[at + k_record_size], size);
  });
}

/// Replaces the sector of a directory in the path tables.
Result<bool> update_path_tables(PatchedSource& image, const Disc& disc, u32 was, u32 now) {
  for (const DiscTable& t : disc.tables) {
    if (t.kind != DiscTable::Kind::path_table || t.tree) continue;
    Bytes all;
    Bytes room;
    for (u64 i = 0; i < sectors_for(t.size); ++i) {
      const auto sector = sectors_of(image, disc.form, t.lba + i, 1, room);
      if (!sector) return refuse(sector.error());
      const ByteView data = sector->subspan(size_t(data_in_sector(disc.form)), size_t(k_sector_data));
      all.insert(all.end(), data.begin(), data.end());
    }
    constexpr size_t k_entry_head = 8;
    for (size_t at = 0; at + k_entry_head <= t.size && all[at]; at += k_entry_head + all[at] + all[at] % 2) {
      u8* lba = &all[at + 2];
      if ((t.big ? big(lba) : read_u32_le(lba)) == was) t.big ? store_big(lba, now) : store_little(lba, now);
    }
    for (u64 i = 0; i < sectors_for(t.size); ++i)
      if (auto done = change_sector(image, disc.form, t.lba + i,
                                    [&](std::span<u8> data) {
                                      std::copy_n(all.begin() + ptrdiff_t(i * k_sector_data), k_sector_data,
                                                  data.begin());
                                    });
          !done)
        return done;
  }
  return true;
}

/// The place for a directory of that many sectors: its own, if the next ones are free; else other ones.
Result<u64> choose_directory_sector(PatchedSource& image, const Disc& disc, const Directory& d, u64 needed) {
  if (needed <= d.sectors()) return d.table.lba;
  const DiscEntry none;
  auto others = find_other_extents(disc, none);
  if (!others) return refuse(others.error());
  std::erase_if(*others, [&](const OccupiedSectors& o) { return o.from == d.table.lba; });
  DiscEntry as_file;
  as_file.path = d.table.path, as_file.lba = d.table.lba, as_file.size = d.table.size;
  return choose_file_sector(image, disc, as_file, *others, needed * k_sector_data, true);
}

/// Everything that refers to a directory which has moved or grown.
Result<bool> update_directory_references(PatchedSource& image, const Disc& disc, const Directory& d, u64 lba,
                                         u64 size) {
  const auto set = [&](u64 record) { return set_record_extent(image, disc.form, record, lba, size); };
  if (d.is_root()) {
    for (const DiscTable& t : disc.tables)
      if (t.kind == DiscTable::Kind::descriptor && !t.tree)
        if (auto done = set(disc_offset(disc.form, t.lba) + k_root_record); !done) return done;
  }
  for (const DiscEntry& e : disc.entries) {
    if (!e.is_folder || e.tree) continue;
    const size_t slash = e.path.rfind('/');
    if (e.path == d.table.path)
      if (auto done = set(e.record); !done) return done;
    // The second record of a folder is that of its parent.
    if ((slash == e.path.npos ? std::string() : e.path.substr(0, slash)) != d.table.path) continue;
    Bytes room;
    const auto sector = sectors_of(image, disc.form, e.lba, 1, room);
    if (!sector) return refuse(sector.error());
    const u8 first = (*sector)[size_t(data_in_sector(disc.form))];
    if (auto done = set(disc_offset(disc.form, e.lba) + first); !done) return done;
  }
  return update_path_tables(image, disc, d.table.lba, u32(lba));
}

/// Writes a directory with other records, where it has room.
Result<bool> write_directory(PatchedSource& image, const Disc& disc, Directory d) {
  const u64 size = directory_bytes(d.records).size();
  const auto to = choose_directory_sector(image, disc, d, sectors_for(size));
  if (!to) return refuse(to.error());
  const bool moves = *to != d.table.lba || size != d.table.size;
  for (size_t i = 0; moves && i < (d.is_root() ? 2u : 1u); ++i) {
    store_both_endian(&d.records[i][k_record_lba], *to);
    store_both_endian(&d.records[i][k_record_size], size);
  }
  DiscEntry as_file;
  as_file.path = d.table.path, as_file.lba = d.table.lba, as_file.size = d.table.size;
  if (auto done = write_sectors(image, disc, as_file, *to, directory_bytes(d.records)); !done) return done;
  return moves ? update_directory_references(image, disc, d, *to, size) : Result<bool>(true);
}

/// The marks of the last sector of a file, as the PlayStation's discs have them.
Result<bool> mark_last_sector(PatchedSource& image, std::string_view path) {
  const auto disc = read_disc(image);
  if (!disc) return refuse(disc.error());
  const DiscEntry* file = find_file(*disc, path);
  if (!file || !file->size || !has_subheaders(disc->form)) return true;
  const auto sector = sector_to_change(image, disc->form, file->lba + file->sectors() - 1);
  if (!sector) return refuse(sector.error());
  const size_t at = size_t(subheader_in_sector(disc->form));
  (*sector)[at + 2] |= k_submode_end_of_file | k_submode_end_of_record;
  std::copy_n(&(*sector)[at], 4, &(*sector)[at + 4]);
  seal_sector(*sector, disc->form);
  return true;
}

/// Adds the record of an empty file.
Result<bool> add_disc_record(PatchedSource& image, const DiscChange& change) {
  const auto disc = read_disc(image);
  if (!disc) return refuse(disc.error());
  if (std::ranges::any_of(disc->tables, [](const DiscTable& t) { return t.tree; }))
    return refuse("archive.full", change.path,
                  {.message = "the disc has a second directory tree, which would lack the file"});
  const size_t slash = change.path.rfind('/');
  auto name = to_iso_file_name(std::string_view(change.path).substr(slash == change.path.npos ? 0 : slash + 1));
  if (!name) return refuse(bad_name_error(change.path, "a file on a disc cannot have this name"));
  if (find_file(*disc, change.path)) return refuse(bad_name_error(change.path, "the path occurs twice"));
  auto directory = read_directory(image, *disc, slash == change.path.npos ? "" : change.path.substr(0, slash));
  if (!directory) return refuse(std::move(directory.error()));
  std::vector<Bytes>& records = directory->records;
  Bytes record = make_directory_record({.name = *name, .has_xa = record_has_xa(records[0])});
  std::copy_n(&records[0][18], 7, &record[18]);  // its date
  const auto at = std::find_if(records.begin() + 2, records.end(),
                               [&](const Bytes& r) { return is_name_before(*name, name_in_record(r)); });
  records.insert(at, std::move(record));
  return write_directory(image, *disc, std::move(*directory));
}

/// A run of that many free sectors, or new ones at the end of the image.
Result<u64> allocate_run(PatchedSource& image, u64 sectors) {
  const auto disc = read_disc(image);
  if (!disc) return refuse(disc.error());
  const DiscEntry none;
  const auto taken = find_other_extents(*disc, none);
  if (!taken) return refuse(taken.error());
  auto run = find_free_run(*disc, image, none, *taken, sectors);
  if (run && !*run) run = append_sectors(image, *disc, sectors);
  if (!run) return refuse(run.error());
  if (*run) return **run;
  return refuse("archive.full", {},
                {.message = "the disc has no free run of " + format_count(sectors, "sector") +
                            ", and no sectors can be added to its end"});
}

}  // namespace

Result<bool> add_disc_files(PatchedSource& image, std::span<const DiscChange> changes) {
  u64 sectors = 0;
  for (const DiscChange& c : changes) {
    if (auto done = add_disc_record(image, c); !done) return done;
    sectors += sectors_for(c.bytes.size());
  }
  if (!sectors) return true;
  const auto run = allocate_run(image, sectors);
  if (!run) return refuse(run.error());
  u64 next = *run;
  for (const DiscChange& c : changes) {
    if (c.bytes.empty()) continue;
    if (auto done = replace_disc_file(image, {c.path, c.bytes, true, u32(next)}); !done) return done;
    if (auto done = mark_last_sector(image, c.path); !done) return done;
    next += sectors_for(c.bytes.size());
  }
  return true;
}

}  // namespace dio
