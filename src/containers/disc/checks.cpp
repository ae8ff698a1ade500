// checks.cpp: checks for problems on discs, in consoles and other tools.
#include <algorithm>

#include "containers/parts.hpp"
#include "core/sorting.hpp"
#include "formats/contract/findings.hpp"
#include "formats/contract/reporter.hpp"

namespace dio::containers {
namespace {

/// Checks the numbers that are stored in both byte orders.
void check_both_endian_copies(Reporter& r, const std::string& path, const DiscRecord& record) {
  const auto check_copy = [&](const char* name, u64 is, u64 should) {
    if (is != should)
      r.report("archives.disc-orders", text(path, ".", name, ".number"),
               {.message = text("the two copies of the number differ: ", is, " (big-endian) and ", should,
                                " (little-endian)")});
  };
  check_copy("lba_big", record.lba_big.number, record.lba);
  check_copy("size_big", record.size_big.number, record.size);
  check_copy("volume_big", record.volume_big.number, record.volume);
}

void check_both_endian_copies(Reporter& r, const std::string& path, const VolumeDescriptor& d) {
  if (d.type != 1 && d.type != 2) return;
  const auto check_copy = [&](const char* name, u64 is, u64 should) {
    if (is != should)
      r.report("archives.disc-orders", text(path, ".", name, ".number"),
               {.message = text("the two copies of the number differ: ", is, " (big-endian) and ", should,
                                " (little-endian)")});
  };
  check_copy("sectors_big", d.sectors_big.number, d.sectors);
  check_copy("set_size_big", d.set_size_big.number, d.set_size);
  check_copy("number_big", d.number_big.number, d.number);
  check_copy("sector_size_big", d.sector_size_big.number, d.sector_size);
  check_copy("table_size_big", d.table_size_big.number, d.table_size);
  check_both_endian_copies(r, path + ".root", d.root);
}

/// The sort key of a name: the parts before the dot, after it, and after the semicolon.
auto name_sort_key(std::string_view name) {
  const size_t version = std::min(name.find(';'), name.size());
  const size_t point = std::min(name.substr(0, version).find('.'), version);
  return std::tuple(name.substr(0, point), name.substr(point, version - point), name.substr(version));
}

void check_name_order(Reporter& r, const std::string& part, const std::vector<DiscRecord>& records) {
  const auto is_dot = [](const std::string& name) { return name.size() == 1 && u8(name[0]) <= 1; };
  for (size_t i = 1; i < records.size(); ++i)
    if (!is_dot(records[i - 1].name) && name_sort_key(records[i].name) < name_sort_key(records[i - 1].name))
      r.report("archives.disc-order", text(part, ".records[", i, "].name"),
               {.message = text(escape_control_chars(records[i].name), " comes after ",
                                escape_control_chars(records[i - 1].name), "; the records should be sorted by name")});
}

/// Reports files whose sectors belong to something else or are outside the image.
void check_file_extents(Reporter& r, const Disc& disc) {
  struct BadSectorUse {
    u64 from, to;
    std::string what;
    const DiscEntry* file;  // null: part of the disc's own structures
  };
  std::vector<BadSectorUse> uses = {{0, k_first_descriptor, "the system area", nullptr}};
  for (const DiscTable& t : disc.tables)
    uses.push_back({t.lba, t.lba + sectors_for(t.size), "the tables of the disc", nullptr});
  for (const DiscEntry& e : disc.entries) {
    if (!e.is_file() || !e.size) continue;
    if (e.lba + e.sectors() > disc.sectors)
      r.report("archives.disc-outside", Location::of_bytes(e.record, e.next_record - e.record),
               {.message = text(e.path, " occupies sectors ", e.lba, " to ", e.lba + e.sectors() - 1,
                                ", but the image has only ", format_count(disc.sectors, "sector"))});
    else
      uses.push_back({e.lba, e.lba + e.sectors(), e.path, &e});
  }
  sort_stably(uses, [](const BadSectorUse& a, const BadSectorUse& b) { return a.from < b.from; });
  const BadSectorUse* longest = nullptr;
  for (const BadSectorUse& u : uses) {
    const bool twice = longest && u.file && longest->file && u.from == longest->from && u.to == longest->to;
    if (longest && u.from < longest->to && !twice && (u.file || longest->file)) {
      const DiscEntry& at = u.file ? *u.file : *longest->file;
      r.report("archives.disc-overlap", Location::of_bytes(at.record, at.next_record - at.record),
               {.message = text(at.path, " shares sector ", u.from, " with ", u.file ? longest->what : u.what)});
    }
    if (!longest || u.to > longest->to) longest = &u;
  }
}

/// The sectors of the folders, from a path table.
void check_path_tables(Reporter& r, const Disc& disc, const ByteSource& image) {
  constexpr size_t k_head = 8, k_largest = k_head + 256;  // bytes of a record
  for (const DiscTable& t : disc.tables) {
    if (t.kind != DiscTable::Kind::path_table) continue;
    std::vector<u32> folders, told;
    for (const DiscTable& f : disc.tables)
      if (f.kind == DiscTable::Kind::directory && f.tree == t.tree) folders.push_back(f.lba);
    // One record more than there are folders proves that the table is wrong, whatever its stated length.
    const u64 size = std::min<u64>(t.size, (folders.size() + 1) * k_largest);
    Bytes table, room;
    for (u64 i = 0; table.size() < size; ++i) {
      const auto sector = image.view_available((t.lba + i) * sector_size(disc.form), sector_size(disc.form), room);
      const ByteView data = disc_sector(sector.value_or(ByteView()), disc.form, 0);
      if (data.empty()) break;
      table.insert(table.end(), data.begin(), data.end());
    }
    if (table.size() > size) table.resize(size_t(size));
    for (size_t at = 0; at + k_head <= table.size() && table[at] && told.size() <= folders.size();
         at += k_head + size_t(table[at] + table[at] % 2)) {
      u32 lba = 0;
      for (size_t i = 0; i < 4; ++i) lba |= u32(table[at + 2 + i]) << 8 * (t.big ? 3 - i : i);
      told.push_back(lba + table[at + 1]);
    }
    sort_stably(folders);
    sort_stably(told);
    if (told == folders) continue;
    const u64 offset = std::min<u64>(image.size() - 1, disc_offset(disc.form, t.lba));
    const bool has_more = told.size() > folders.size();
    r.report(
        "archives.disc-path-table",
        Location::of_bytes(offset, std::min<u64>({t.size, k_sector_data, image.size() - offset})),
        {.message = text("the ", t.big ? "big" : "little", "-endian path table ",
                         told.size() == folders.size()
                             ? std::string("disagrees with the directories about the sectors of folders")
                             : text("lists ", has_more ? "more than " : "", has_more ? folders.size() : told.size(),
                                    " folders, but the directories contain ", folders.size()))});
  }
}

/// One finding for all sectors with the same fault, because an image has hundreds of thousands of sectors.
struct Faulty {
  u64 count = 0, first = 0;
  void add(u64 lba) {
    if (!count++) first = lba;
  }
  void report(Reporter& r, const Disc& disc, std::string_view id, const char* what) const {
    if (!count) return;
    r.report(
        id, Location::of_bytes(first * sector_size(disc.form), sector_size(disc.form)),
        {.message = count == 1 ? text("the ", what, " of sector ", first, " is wrong")
                               : text("the ", what, " is wrong in ", count, " sectors; the first is sector ", first)});
  }
};

void check_sectors(Reporter& r, const Disc& disc, const ByteSource& image) {
  if (disc.form == SectorForm::plain) return;
  constexpr u64 k_at_once = 64;
  const u64 size = sector_size(disc.form);
  Faulty edc, ecc, address;
  Bytes room;
  Result<ByteView> read;
  for (u64 lba = 0; lba < disc.sectors; ++lba) {
    const u64 in_run = lba % k_at_once;
    if (!in_run) read = image.view_uncached(lba * size, std::min<u64>(k_at_once, disc.sectors - lba) * size, room);
    if (!read) return;  // reading the file reports the error
    const ByteView sector = read->subspan(size_t(in_run * size), size_t(size));
    const SectorChecks checks = check_sector(sector, disc.form);
    if (!checks.edc) edc.add(lba);
    // If the data itself is wrong, its ECC adds no information.
    if (checks.edc && !checks.ecc) ecc.add(lba);
    const bool has_header =
        disc.form != SectorForm::headless && (has_data(sector, disc.form) || is_form2(sector, disc.form));
    if (has_header && !std::ranges::equal(sector.subspan(12, 3), sector_address_bcd(u32(lba)))) address.add(lba);
  }
  edc.report(r, disc, "archives.disc-edc", "EDC");
  ecc.report(r, disc, "archives.disc-ecc", "ECC");
  address.report(r, disc, "archives.disc-address", "address in the header");
}

}  // namespace

void check(const Document<DiscImage>& document, const ByteSource* file, Findings& findings) {
  Reporter r(findings);
  const DiscImage& d = document.value();
  for (size_t i = 0; i < d.parts.size(); ++i) {
    const std::string part = text("parts[", i, "]");
    if (d.parts[i].descriptor) check_both_endian_copies(r, part + ".descriptor", *d.parts[i].descriptor);
    for (size_t j = 0; j < d.parts[i].records.size(); ++j)
      check_both_endian_copies(r, text(part, ".records[", j, "]"), d.parts[i].records[j]);
    check_name_order(r, part, d.parts[i].records);
  }
  const auto saved = file ? Result<Bytes>() : save(document);
  if (!saved) return;
  const BorrowedByteSource made(*saved);
  const ByteSource& image = file ? *file : made;
  const auto disc = read_disc(image);
  if (!disc) return;
  for (const Diagnostic& f : disc->faults)
    r.report("archives.disc-directory", Location::of_bytes(f.place.offset, f.place.size),
             {.message = text(f.place.path.empty() ? "/" : f.place.path, ": ", f.message)});
  if (disc->volume_sectors > disc->sectors)
    for (size_t i = 0; i < d.parts.size(); ++i)
      if (d.parts[i].descriptor && d.parts[i].descriptor->type == 1)
        r.report("archives.disc-volume", text("parts[", i, "].descriptor.sectors"),
                 {.message = text("the volume has ", disc->volume_sectors, " sectors, but the image has only ",
                                  format_count(disc->sectors, "sector"))});
  check_file_extents(r, *disc);
  check_path_tables(r, *disc, image);
  check_sectors(r, *disc, image);
}

}  // namespace dio::containers
