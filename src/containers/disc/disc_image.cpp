#include "containers/disc/disc_image.hpp"

#include <algorithm>
#include <set>

#include "core/sorting.hpp"

namespace dio::containers {

/// Whether the root record of a volume descriptor fits its 34 bytes.
static bool has_root(ByteView descriptor) {
  return (descriptor[0] != 1 && descriptor[0] != 2) || (descriptor[156] == 34 && descriptor[188] == 1);
}

DiscMap map_disc(ByteView image) {
  DiscMap map;
  const auto disc = read_disc(image);
  if (!disc) return map;
  map.form = disc->form;
  const u64 sector = sector_size(disc->form);
  const auto whole = [&](u64 lba) { return std::min<u64>(image.size(), lba * sector); };

  // The data of the sectors that are described as records.
  std::vector<DiscMap::Part> records;
  /// Runs of whole sectors, by kind.
  std::vector<DiscMap::Part> runs = {{DiscPartKind::system, 0, whole(k_first_descriptor)}};
  for (const DiscTable& t : disc->tables) {
    const u64 n = sectors_for(t.size);
    if (t.kind == DiscTable::Kind::path_table) {
      runs.push_back({DiscPartKind::path_table, whole(t.lba), whole(t.lba + n) - whole(t.lba)});
      continue;
    }
    const bool is_descriptor = t.kind == DiscTable::Kind::descriptor;
    for (u64 i = 0; i < n; ++i) {
      const ByteView data = disc_sector(image, disc->form, t.lba + i);
      const auto count = is_descriptor ? std::optional<u32>(0) : count_records(data);
      if (!count || data.empty() || (is_descriptor && !has_root(data))) continue;
      u64 size = 0;
      for (u32 r = 0; r < *count; ++r) size += data[size_t(size)];
      records.push_back({is_descriptor ? DiscPartKind::descriptor : DiscPartKind::directory,
                         disc_offset(disc->form, t.lba + i), k_sector_data, *count, size});
    }
  }
  for (const DiscEntry& e : disc->entries)
    if (e.is_file() && e.size)
      runs.push_back({DiscPartKind::file, whole(e.lba), whole(e.lba + e.sectors()) - whole(e.lba)});
  // Descriptors win if a directory claims the same sector.
  sort_stably(records, [](auto& a, auto& b) { return std::pair(a.offset, a.kind) < std::pair(b.offset, b.kind); });
  records.erase(std::unique(records.begin(), records.end(), [](auto& a, auto& b) { return a.offset == b.offset; }),
                records.end());
  sort_stably(runs, [](auto& a, auto& b) { return a.offset < b.offset; });

  std::vector<u64> cuts;
  for (const auto& r : runs) cuts.push_back(r.offset), cuts.push_back(r.offset + r.size);
  sort_stably(cuts);
  const auto add_bytes = [&](u64 from, u64 to) {
    auto cut = std::upper_bound(cuts.begin(), cuts.end(), from);
    while (from < to) {
      while (cut != cuts.end() && *cut <= from) ++cut;
      const u64 end = cut == cuts.end() ? to : std::min(*cut, to);
      const auto behind =
          std::upper_bound(runs.begin(), runs.end(), from, [](u64 at, auto& r) { return at < r.offset; });
      const bool inside = behind != runs.begin() && from < (behind - 1)->offset + (behind - 1)->size;
      map.parts.push_back({inside ? (behind - 1)->kind : DiscPartKind::other, from, end - from});
      from = end;
    }
  };
  u64 at = 0;
  for (const auto& r : records) {
    add_bytes(at, r.offset);
    map.parts.push_back(r);
    at = r.offset + r.size;
  }
  add_bytes(at, image.size());
  return map;
}

void DiscImage::seal(Bytes& image) {
  const auto form = detect_sector_form(image);
  if (!form || *form == SectorForm::plain) return;
  const size_t size = size_t(sector_size(*form));
  for (size_t at = 0; at + size <= image.size(); at += size) seal_sector(std::span(image).subspan(at, size), *form);
}

void DiscImage::seal_again(ByteView original, EditableCopy& image) {
  const auto form = detect_sector_form(original);
  if (!form || *form == SectorForm::plain) return;
  const u64 size = sector_size(*form);
  std::set<u64> sectors;
  for (const auto& [offset, bytes] : image.changed())
    for (u64 lba = offset / size; lba * size < offset + bytes; ++lba) sectors.insert(lba);
  for (const u64 lba : sectors) {
    if ((lba + 1) * size > std::min(original.size(), image.bytes().size())) break;
    const SectorChecks before = check_sector(original.subspan(size_t(lba * size), size_t(size)), *form);
    if (!before.edc || !before.ecc) continue;
    const ByteView now = image.bytes().subspan(size_t(lba * size), size_t(size));
    Bytes sector(now.begin(), now.end());
    seal_sector(sector, *form);
    image.replace(lba * size, size, sector);
  }
}

}  // namespace dio::containers
