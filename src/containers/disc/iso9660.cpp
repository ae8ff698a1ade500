#include "containers/disc/iso9660.hpp"

#include <algorithm>
#include <cstring>
#include <map>
#include <set>

#include "containers/disc/disc_sectors.hpp"
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
    return make_directory_record(
        {.name = name, .lba = lba, .size = size, .is_folder = is_folder, .has_xa = is_xa() && with_xa});
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
