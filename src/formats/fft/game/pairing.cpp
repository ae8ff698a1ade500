// pairing.cpp: checks whether the files named by GNS rows exist with the given lengths, and whether the game's own
// table finds the GNS files.
#include "containers/disc/cd_sector.hpp"
#include "core/little_endian.hpp"
#include "formats/fft/game/parts.hpp"

namespace dio::fft {

namespace {}  // namespace

std::span<const Rule> pairing_rules() {
  static constexpr Rule k_rules[] = {
      {"fft.file-count", Severity::error, "every row of a GNS file has a file, and every file of the map has a row",
       "Rows name files by LBA (the sector on the disc). For a row without a file, the game loads whatever is at that "
       "sector. Outside a disc image, files can be matched to rows only if no file is missing.",
       "Put the missing file in the folder of the other map files, or remove its row from the GNS file.",
       "the file table of the disc; measured on the game's files (1,454 rows and 1,454 files, one to one)"},
      {"fft.file-length", Severity::error,
       "the length in a row of a GNS file is the size of the file, rounded up to whole sectors",
       "The game reads as many bytes as the GNS row states, even past the end of the file.",
       "Set the length in the GNS row to the file size, rounded up to a multiple of 2,048 bytes.",
       "measured on the game's files (2,987 of 2,987 rows)"},
      {"fft.sector-growth", Severity::warning, "a map file is not larger than the length in its GNS rows",
       "The game reads only as many bytes as the GNS row states, and the MAP folder of the disc has no free sectors "
       "between "
       "its files.",
       "Make the file smaller until its size does not exceed the length in its GNS rows.",
       "the file table of the disc; measured on the game's files"},
      {"fft.gns-table", Severity::error, "the map table in BATTLE.BIN contains the LBA of every GNS file",
       "The game finds maps through the map table in BATTLE.BIN, not through the directory of the disc.",
       "Set the LBA in the map table of BATTLE.BIN to the first sector of the GNS file on the disc.",
       "measured on the game's disc (126 numbers at 0x8EC74; all 121 maps agree with the directory)"},
  };
  return k_rules;
}

void check_pairing(const GameMap& map, Reporter& out) {
  const std::string& gns = map.files().gns;
  if (const auto& d = map.unpaired()) {
    out.report(d->id, dio::Location::in_file(gns, "rows"), {.message = d->message, .hint = d->hint});
    return;
  }
  for (u32 i = 0; i < map.gns().rows.size(); ++i) {
    const GnsRow& row = map.gns().rows[i];
    if (!row.is_file()) continue;
    if (map.path(i).empty()) {
      out.report("fft.file-count", dio::Location::in_file(gns, text("rows[", i, "].lba")),
                 {.message = text("no file named ", map.files().name, ".NUMBER starts at LBA ", row.lba)});
      continue;
    }
    const ReadFile& file = map.read(i);
    if (file.problem && file.size == 0) continue;
    const u64 size = sectors_for(file.size) * k_sector_data;
    if (size == row.length) continue;
    const bool grown = size > row.length;
    out.report(
        grown ? "fft.sector-growth" : "fft.file-length", dio::Location::in_file(gns, text("rows[", i, "].length")),
        {.message = text("length is ", row.length, ", but ", map.path(i), " has ", file.size,
                         " bytes; the length must be ", size),
         .hint = grown ? "shrink the file, or write it into a copy of the disc image, which updates its rows" : ""});
  }
  for (const std::string& path : map.unreferenced_files())
    out.report("fft.file-count", dio::Location::in_file(path), {.message = "no row of " + gns + " names this file"});
}

void check_battle_bin_table(const FileTree& tree, std::span<const MapFiles> maps, Reporter& out) {
  if (maps.empty() || !tree.place(maps[0].gns)) return;
  const std::string path = find_in_parent_folder(tree, maps[0], "BATTLE.BIN");
  if (path.empty()) return;
  const auto bytes = tree.read(path);
  if (!bytes || bytes->size() < k_table_offset + 4 * k_table_size) {
    out.report("fft.gns-table", dio::Location::in_file(path),
               {.message = bytes ? text("the file ends before its map table (", k_table_size, " numbers at ",
                                        format_hex(k_table_offset), ")")
                                 : std::string("the file cannot be read")});
    return;
  }
  std::array<u32, k_table_size> lbas;
  for (u32 i = 0; i < k_table_size; ++i) lbas[i] = read_u32_le(bytes->data() + k_table_offset + 4 * i);
  std::array<std::optional<u64>, k_table_size> places;
  for (const MapFiles& m : maps) {
    const auto place = tree.place(m.gns);
    if (m.number < k_table_size)
      places[m.number] = place;
    else
      out.report("fft.gns-table", dio::Location::in_file(path),
                 {.message = text("the table has no entry for ", m.gns, ", only for maps 0 to ", k_table_size - 1)});
  }
  for (u32 i = 0; i < k_table_size; ++i)
    if (lbas[i] != places[i].value_or(0)) {
      Location entry = Location::of_bytes(k_table_offset + 4 * i, 4);
      entry.file = path;
      out.report("fft.gns-table", std::move(entry),
                 {.message = places[i] ? text("the table has LBA ", lbas[i], " for map ", i,
                                              ", but the GNS file of this map is at LBA ", *places[i])
                                       : text("the table has LBA ", lbas[i], " for map ", i,
                                              ", which does not exist; the LBA must be 0")});
    }
}

}  // namespace dio::fft
