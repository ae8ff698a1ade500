// follow.cpp: updates the positions and lengths in GNS rows, and the table of GNS files in BATTLE.BIN, after files of a
// disc have changed size or moved. Sources: README.md, "Lists" [X].
#include <algorithm>
#include <array>

#include "containers/disc/cd_sector.hpp"
#include "core/little_endian.hpp"
#include "core/safe_path.hpp"
#include "core/text_format.hpp"
#include "formats/fft/game/parts.hpp"
#include "operations/archive_tree.hpp"

namespace dio::fft {
namespace {

constexpr size_t k_lba_in_row = 8, k_length_in_row = 12;

void write_u32_le(Bytes& file, size_t at, u32 number) {
  for (size_t i = 0; i < 4; ++i) file[at + i] = u8(number >> 8 * i);
}

struct FileExtent {
  u32 lba = 0, length = 0;
};
/// The new positions of files, by their old first sector.
using SectorRelocations = std::map<u64, FileExtent>;

/// Updates the rows of these files, and the filler that repeats the last row. All other bytes stay. Returns whether
/// anything changed.
bool update_row_locations(Bytes& file, const Gns& list, const SectorRelocations& places) {
  const GnsRow* last = nullptr;
  for (const GnsRow& row : list.rows)
    if (row.is_file()) last = &row;
  bool changed = false;
  for (size_t i = 0; i < list.rows.size(); ++i) {
    const GnsRow& row = list.rows[i];
    const bool repeats = row.type == k_filler && last && row.lba == last->lba && row.length == last->length;
    const auto place = row.is_file() || repeats ? places.find(row.lba) : places.end();
    if (place == places.end()) continue;
    const auto [lba, length] = place->second;
    changed |= row.lba != lba || row.length != length;
    write_u32_le(file, i * k_row_size + k_lba_in_row, lba);
    write_u32_le(file, i * k_row_size + k_length_in_row, length);
  }
  return changed;
}

/// The path of BATTLE.BIN, if it contains its table; otherwise empty.
std::string find_battle_bin_with_table(const FileTree& image, const std::vector<MapFiles>& maps) {
  if (maps.empty()) return {};
  std::string path = find_in_parent_folder(image, maps[0], "BATTLE.BIN");
  if (path.empty()) return {};
  const auto bytes = image.read(path);
  return bytes && bytes->size() >= k_table_offset + 4 * k_table_size ? path : std::string();
}

}  // namespace

Result<std::vector<DependentFile>> follow(const ArchiveTree& image, std::span<const ChangedFile> changed) {
  SectorRelocations places;
  bool any_moved = false;
  for (const ChangedFile& c : changed) {
    const auto member = image.archive().find(c.path);
    const auto lba = image.place(c.path);
    if (!member || !lba) continue;
    const u64 was_at = c.was_at.value_or(*lba);
    any_moved |= was_at != *lba;
    places[was_at] = {u32(*lba), u32(sectors_for(image.archive().members()[*member].size) * k_sector_data)};
  }
  std::vector<DependentFile> out;
  if (places.empty()) return out;
  const std::vector<MapFiles> maps = find_maps(image);
  for (const MapFiles& map : maps) {
    auto bytes = image.read(map.gns);
    if (!bytes) return refuse(std::move(bytes.error()));
    auto list = load<Gns>(*bytes);
    if (!list) {
      // Lists of other maps do not matter; without its own list, the new position of a file cannot be recorded.
      const auto is_changed = [&](const std::string& file) {
        return std::ranges::find(changed, file, &ChangedFile::path) != changed.end();
      };
      if (std::ranges::none_of(map.files, is_changed)) continue;
      list.error().place.file = map.gns;
      return refuse(std::move(list.error()));
    }
    if (update_row_locations(*bytes, list->document.value(), places)) out.push_back({map.gns, std::move(*bytes)});
  }
  const std::string path = any_moved ? find_battle_bin_with_table(image, maps) : std::string();
  if (path.empty()) return out;
  auto table = image.read(path);
  if (!table) return refuse(std::move(table.error()));
  bool is_new = false;
  for (u32 i = 0; i < k_table_size; ++i) {
    const size_t at = size_t(k_table_offset + 4 * i);
    const auto place = places.find(read_u32_le(table->data() + at));
    if (place == places.end() || place->first == place->second.lba) continue;
    write_u32_le(*table, at, place->second.lba);
    is_new = true;
  }
  if (is_new) out.push_back({path, std::move(*table)});
  return out;
}

Result<GameEdited> follow_packing(const FileTree& folder, const ArchiveTree& image) {
  GameEdited out;
  const auto on_disc = [](const std::string& path) { return upper_case(unescape_path(path)); };
  const auto find_file_extent = [&](const std::string& path) -> std::optional<FileExtent> {
    const auto member = image.archive().find(on_disc(path));
    const auto lba = member ? image.archive().sector(*member) : std::nullopt;
    if (!lba) return {};
    return FileExtent{u32(*lba), u32(sectors_for(image.archive().members()[*member].size) * k_sector_data)};
  };
  const std::vector<MapFiles> maps = find_maps(folder);
  std::optional<PlacedFiles> placed;
  for (const MapFiles& files : maps) {
    const auto map = GameMap::open(folder, files, placed);
    if (!map) {
      Diagnostic why = map.error();
      why.severity = Severity::warning;
      why.hint = "the rows of this map keep their old sectors, which now hold other files";
      out.notes.push_back(std::move(why));
      continue;
    }
    // A row that keeps its old sector, or that gets that of the wrong file, would load another file.
    if ((*map)->unpaired() || !(*map)->is_order_certain()) {
      Diagnostic why =
          (*map)->unpaired()
              ? *(*map)->unpaired()
              : make_diagnostic(Severity::error, "fft.file-count", Location::in_file(files.gns),
                                {.message = "files of this map were moved or added on the disc, and some have the same "
                                            "length, so it is unclear which file belongs to which row"});
      why.hint =
          "pack a folder that {unpack IMAGE} wrote, with its folder _system, which records the sectors of all files; "
          "or remove files that no row names, and add them with {edit FOLDER add-file}";
      return refuse(std::move(why));
    }
    SectorRelocations places;
    const Gns& list = (*map)->gns();
    for (u32 row = 0; row < list.rows.size(); ++row) {
      if (!list.rows[row].is_file()) continue;
      if ((*map)->path(row).empty())
        return refuse(
            "fft.file-count", dio::Location::in_file(files.gns, "rows[" + std::to_string(row) + "].lba"),
            {.message = "the folder lacks the file of this row, which had LBA " + std::to_string(list.rows[row].lba) +
                        " on the disc; that sector now holds another file",
             .hint = "put the file back, or remove its row with {edit FILE remove rows[" + std::to_string(row) + "]}"});
      if (const auto now = find_file_extent((*map)->path(row))) places[list.rows[row].lba] = *now;
    }
    auto bytes = folder.read(files.gns);
    if (!bytes) return refuse(std::move(bytes.error()));
    if (update_row_locations(*bytes, list, places)) out.files.push_back({on_disc(files.gns), std::move(*bytes)});
  }
  const std::string path = find_battle_bin_with_table(folder, maps);
  if (path.empty()) return out;
  auto table = folder.read(path);
  if (!table) return refuse(std::move(table.error()));
  std::array<u32, k_table_size> lbas{};  // 0: there is no such map
  for (const MapFiles& files : maps)
    if (const auto now = find_file_extent(files.gns); now && files.number < k_table_size) lbas[files.number] = now->lba;
  bool is_new = false;
  for (u32 i = 0; i < k_table_size; ++i) {
    const size_t at = size_t(k_table_offset + 4 * i);
    is_new |= read_u32_le(table->data() + at) != lbas[i];
    write_u32_le(*table, at, lbas[i]);
  }
  if (is_new) out.files.push_back({on_disc(path), std::move(*table)});
  return out;
}

bool finds_elsewhere(const FileTree& image, std::string_view path) {
  const std::vector<MapFiles> maps = find_maps(image);
  for (const MapFiles& map : maps) {
    if (std::ranges::find(map.files, path) != map.files.end()) return true;
    if (map.gns == path) return !find_battle_bin_with_table(image, maps).empty();
  }
  return false;
}

}  // namespace dio::fft
