// discs.cpp: small discs made from nothing.
#include "samples/containers/archives.hpp"

namespace dio::containers {
namespace {

Bytes text_bytes(std::string_view s) { return Bytes(s.begin(), s.end()); }

/// Whole sectors, each of its own bytes.
Bytes sectors(size_t n, u8 first) {
  Bytes b;
  for (size_t i = 0; i < n; ++i) b.resize(b.size() + k_sector_data, u8(first + i));
  return b;
}

std::vector<DiscFile> tree() {
  return {
      {"SYSTEM.CNF", text_bytes("BOOT = cdrom:\\MAIN.EXE;1\r\n")},
      {"MAP/TOWN.LST", text_bytes("TOWN.A 2\nTOWN.B 1\n")},
      {"MAP/TOWN.A", sectors(2, 8)},
      {"MAP/TOWN.B", Bytes(700, 9)},
      {"MAP/SHELF.NRC", bytes_of(shelf())},
      {"EVENT/SCENE/NOTE.TXT", text_bytes("A disc made from nothing.\n")},
      {"EMPTY.BIN", {}},
  };
}

Bytes image_of(SectorForm form, u32 sectors = 0) {
  auto image = make_disc_image(tree(), {form, "DIORAMA", sectors});
  return image ? std::move(*image) : Bytes();
}

}  // namespace

Bytes disc(SectorForm form) { return image_of(form); }

std::vector<Sample> disc_samples() {
  return {
      {"disc.bin", "2352-byte sectors of Mode 2 Form 1, usual for PlayStation images", image_of(SectorForm::mode2)},
      {"plain.iso", "2048-byte sectors, with free ones after the last file", image_of(SectorForm::plain, 40)},
      {"mode1.bin", "2352-byte sectors of Mode 1", image_of(SectorForm::mode1)},
      {"headless.img", "2336-byte sectors", image_of(SectorForm::headless)},
  };
}

}  // namespace dio::containers
