#include "samples/fft/games.hpp"

#include "formats/fft/game/parts.hpp"

namespace dio::fft {

namespace {

constexpr u32 k_first_lba = 40;  // behind the directories

/// The list of a map of one mesh file.
Gns list_of_one(u32 lba, u64 size) {
  const auto row = [&](u8 type) {
    return GnsRow{k_weather_variable, {}, 1, type, k_row_mark, lba, u32(sectors_for(size) * k_sector_data), k_row_end};
  };
  Gns g;
  g.rows = {row(k_primary_type), row(k_filler), row(k_first_command)};
  g.rows.back().lba = g.rows.back().length = 0;
  g.commands = {{}};
  return g;
}

}  // namespace

std::vector<DiscFile> game_files() {
  Mesh alone = odd_mesh();
  alone.gray_palettes = valley_mesh().gray_palettes;
  const Bytes odd = bytes_of(alone);
  std::vector<DiscFile> files;
  files.push_back({"MAP/MAP000.5", odd, k_first_lba});
  u32 lba = k_first_lba + u32(sectors_for(odd.size()));
  files.push_back({"MAP/MAP000.GNS", bytes_of(list_of_one(k_first_lba, odd.size())), lba++});
  for (SampleFile& f : valley_files(lba + 1)) {  // the list lies before the files
    const u64 sectors = sectors_for(f.bytes.size());
    files.push_back({"MAP/" + f.name, std::move(f.bytes), lba});
    lba += u32(sectors);
  }
  return files;
}

std::vector<Sample> game_samples() {
  auto image = make_disc_image(game_files());
  return {{"small_tactics.bin", "a disc with two maps, one of them with weather, night and an arrangement",
           image ? std::move(*image) : Bytes()}};
}

}  // namespace dio::fft
