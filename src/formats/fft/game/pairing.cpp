// Whether the files are there that GNS rows mean, as long as the rows say; and whether the game's own table finds the
// GNS files.
#include "containers/disc/cd_sector.hpp"
#include "core/little.hpp"
#include "formats/fft/game/parts.hpp"

namespace dio::fft {

namespace {

constexpr u64 k_table_offset = 0x8EC74;  // in BATTLE.BIN
constexpr u32 k_table_size = 126;        // u32 each

}  // namespace

std::span<const Rule> pairing_rules() {
  static constexpr Rule k_rules[] = {
      {"fft.file-count", Severity::error, "every row of a GNS file means a file, and every file of the map has a row",
       "Rows name files by their sectors on the disc: a row without one loads whatever lies there, and loose files can "
       "only be told apart while none is missing.",
       "specification 5, gns-length: table of the disc, measurements (1,454 rows and 1,454 files, one to one)"},
      {"fft.file-length", Severity::error, "the length in a row is the size of its file in whole sectors",
       "The game reads so many bytes, of this file and of what lies behind it.",
       "specification 5, gns-length: measurements (2,987 of 2,987 rows)"},
      {"fft.sector-growth", Severity::warning, "a file needs no more sectors than its rows have for it",
       "The folder MAP of the disc has no free sector between its files, and the game reads no more than the row says.",
       "specification 5, sector-growth: table of the disc, measurements"},
      {"fft.gns-table", Severity::error, "the table in BATTLE.BIN has the sectors of the GNS files",
       "The game finds maps by this table, not by the directory of the disc.",
       "specification 3: measurements (126 numbers at 0x8EC74; 121 of 121 maps are as in the directory)"},
  };
  return k_rules;
}

void check_pairing(const GameMap& map, Reporter& out) {
  const std::string& gns = map.files().gns;
  if (const auto& d = map.unpaired()) {
    out.report(d->id, dio::Place::in_file(gns, "rows"), {.expected = d->expected, .found = d->found, .hint = d->hint});
    return;
  }
  for (u32 i = 0; i < map.gns().rows.size(); ++i) {
    const GnsRow& row = map.gns().rows[i];
    if (!row.is_file()) continue;
    if (map.path(i).empty()) {
      out.report("fft.file-count", dio::Place::in_file(gns, text("rows[", i, "].lba")),
                 {.expected = "a file " + map.files().name + ".N",
                  .found = text("no file of the map begins at LBA ", row.lba)});
      continue;
    }
    const ReadFile& file = map.read(i);
    if (file.problem && file.size == 0) continue;
    const u64 size = sectors_for(file.size) * k_sector_data;
    if (size == row.length) continue;
    const bool grown = size > row.length;
    out.report(
        grown ? "fft.sector-growth" : "fft.file-length", dio::Place::in_file(gns, text("rows[", i, "].length")),
        {.expected = text(size),
         .found = text(row.length, ", but ", map.path(i), " has ", file.size, " bytes"),
         .hint =
             grown ? "make the file smaller, or write it into a copy of the disc image, where its rows follow" : ""});
  }
  for (const std::string& path : map.unused())
    out.report("fft.file-count", dio::Place::in_file(path),
               {.expected = "a row with its LBA", .found = "no row of " + gns + " means it"});
}

void check_table(const FileTree& tree, std::span<const MapFiles> maps, Reporter& out) {
  if (maps.empty() || !tree.place(maps[0].gns)) return;
  const std::string path = find_beside(tree, maps[0], "BATTLE.BIN");
  if (path.empty()) return;
  const auto bytes = tree.read(path);
  if (!bytes || bytes->size() < k_table_offset + 4 * k_table_size) {
    out.report("fft.gns-table", dio::Place::in_file(path),
               {.expected = text("a table of ", k_table_size, " numbers at ", k_table_offset),
                .found = bytes ? text(bytes->size(), " bytes") : "it cannot be read"});
    return;
  }
  std::array<u32, k_table_size> lbas;
  for (u32 i = 0; i < k_table_size; ++i) lbas[i] = little_u32(bytes->data() + k_table_offset + 4 * i);
  std::array<std::optional<u64>, k_table_size> places;
  for (const MapFiles& m : maps) {
    const auto place = tree.place(m.gns);
    if (m.number < k_table_size)
      places[m.number] = place;
    else
      out.report("fft.gns-table", dio::Place::in_file(path),
                 {.expected = text("maps 0 to ", k_table_size - 1), .found = "it has no number for " + m.gns});
  }
  for (u32 i = 0; i < k_table_size; ++i)
    if (lbas[i] != places[i].value_or(0)) {
      Place entry = Place::of_bytes(k_table_offset + 4 * i, 4);
      entry.file = path;
      out.report(
          "fft.gns-table", std::move(entry),
          {.expected = places[i] ? text("LBA ", *places[i], ", where its GNS file is") : "0, for there is no such map",
           .found = text("map ", i, " at LBA ", lbas[i])});
    }
}

}  // namespace dio::fft
