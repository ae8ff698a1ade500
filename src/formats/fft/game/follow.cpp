// follow.cpp: updates the lengths in GNS rows after files have changed their sizes. Sources: README.md, "Lists" [X].
#include <algorithm>

#include "containers/disc/cd_sector.hpp"
#include "formats/fft/game/parts.hpp"
#include "operations/inside.hpp"

namespace dio::fft {
namespace {

constexpr size_t k_length_in_row = 12;

void store(Bytes& file, size_t at, u32 number) {
  for (size_t i = 0; i < 4; ++i) file[at + i] = u8(number >> 8 * i);
}

/// Sets the length in the rows of the file at that LBA, and in the filler that repeats the last row. All other bytes
/// stay. Returns whether anything changed.
bool set_length(Bytes& file, const Gns& list, u64 lba, u32 length) {
  const GnsRow* last = nullptr;
  for (const GnsRow& row : list.rows)
    if (row.is_file()) last = &row;
  bool changed = false;
  for (size_t i = 0; i < list.rows.size(); ++i) {
    const GnsRow& row = list.rows[i];
    const bool repeats = row.type == k_filler && last && row.lba == last->lba && row.length == last->length;
    if (!(row.is_file() || repeats) || row.lba != lba || row.length == length) continue;
    store(file, i * k_row_size + k_length_in_row, length);
    changed = true;
  }
  return changed;
}

}  // namespace

Result<std::vector<FollowingFile>> follow(const ArchiveTree& image, std::span<const std::string> changed) {
  struct Place {
    u64 lba;
    u32 length;
  };
  std::vector<Place> places;
  for (const std::string& path : changed) {
    const auto member = image.archive().find(path);
    const auto lba = image.place(path);
    if (!member || !lba) continue;
    places.push_back({*lba, u32(sectors_for(image.archive().members()[*member].size) * k_sector_data)});
  }
  std::vector<FollowingFile> out;
  if (places.empty()) return out;
  for (const MapFiles& map : find_maps(image)) {
    auto bytes = image.read(map.gns);
    if (!bytes) return refuse(std::move(bytes.error()));
    auto list = load<Gns>(*bytes);
    if (!list) {
      // The list of another map does not matter; without its own list, the new length of a file has nowhere to go.
      if (std::ranges::none_of(map.files, [&](const std::string& f) { return std::ranges::count(changed, f) > 0; }))
        continue;
      list.error().place.file = map.gns;
      return refuse(std::move(list.error()));
    }
    bool is_new = false;
    for (const Place& p : places) {
      is_new |= set_length(*bytes, list->document.value(), p.lba, p.length);
      if (places.size() > 1) list = load<Gns>(*bytes);  // filler repeats what the row says now
    }
    if (is_new) out.push_back({map.gns, std::move(*bytes)});
  }
  return out;
}

}  // namespace dio::fft
