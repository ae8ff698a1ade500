// archives.cpp: small archives made from nothing.
#include "samples/containers/archives.hpp"

#include <cstring>

#include "containers/packed/blz.hpp"

namespace dio::containers {
namespace {

Bytes text_bytes(std::string_view s) { return Bytes(s.begin(), s.end()); }

/// Bytes that repeat themselves, but not only.
Bytes pattern(size_t n) {
  Bytes b(n);
  u32 x = 1;
  for (size_t i = 0; i < n; ++i) {
    x = x * 1664525 + 1013904223;
    b[i] = i % 48 < 32 ? u8(i % 16) : u8(x >> 24);
  }
  return b;
}

/// What is the same in every cartridge is not ours to give away; the checks say what is missing.
RomHeader header_of_a_cartridge() {
  RomHeader h{};
  std::memcpy(h.title.data(), "DIORAMA", 7);
  std::memcpy(h.game_code.data(), "ADIE", 4);
  std::memcpy(h.maker_code.data(), "00", 2);
  h.arm9.entry = h.arm9.address = 0x02000000;
  h.arm7.entry = h.arm7.address = 0x02380000;
  h.header_size = 0x200;
  return h;
}

}  // namespace

Narc shelf() { return make_narc({text_bytes("one"), text_bytes("twelve"), pattern(64), text_bytes("!")}); }

Narc named_shelf() {
  const std::vector<std::string> paths = {"maps/town.bin", "maps/route/1.bin", "readme.txt", "Maps.lst"};
  const char* contents[] = {"the town", "the way to the town", "read me", "town route"};
  std::vector<u16> numbers;
  auto names = build_name_table(paths, 0, numbers);
  Narc n = make_narc(std::vector<Bytes>(paths.size()));
  if (names) n.names = std::move(*names);
  for (size_t i = 0; i < paths.size() && i < numbers.size(); ++i) n.files[numbers[i]].content = text_bytes(contents[i]);
  n.byte_order = 0xFEFF;
  n.version = 0x0001;
  return n;
}

NdsRom cartridge() {
  NdsRom r;
  r.header = header_of_a_cartridge();
  r.header_rest.resize(size_t(NdsRom::header_rest_size(r.header)));
  r.arm9 = pattern(300);
  const u8 footer[] = {0x21, 0x06, 0xC0, 0xDE, 0, 0, 0, 0, 0, 0, 0, 0};
  r.arm9_footer.assign(std::begin(footer), std::end(footer));
  r.arm7 = pattern(80);
  r.banner.resize(size_t(NdsRom::banner_size(1)));
  r.banner[0] = 1;
  const std::vector<std::string> paths = {"data/shelf.narc", "data/maps/town.lz", "data/empty.bin", "readme.txt"};
  std::vector<u16> numbers;
  const u16 overlays = 2;
  if (auto names = build_name_table(paths, overlays, numbers)) r.names = std::move(*names);
  r.files.resize(overlays + paths.size());
  const Bytes program = pattern(400);
  const auto packed = blz_encode(program);
  r.files[0].content = pattern(100);
  if (packed) r.files[1].content = *packed;
  r.arm9_overlays = {{0, 0x02100000, 100, 0x20, 0, 0, 0, 0, 0},
                     {1, 0x02100000, u32(program.size()), 0, 0, 0, 1, u32(r.files[1].content.size()), 1}};
  Bytes contents[] = {bytes_of(shelf()), {}, {}, text_bytes("A cartridge made from nothing.\n")};
  if (auto town = lz_encode(pattern(200), LzKind::lz10)) contents[1] = std::move(*town);
  for (size_t i = 0; i < paths.size() && i < numbers.size(); ++i) r.files[numbers[i]].content = std::move(contents[i]);
  r.header.logo_checksum = 0xCF56;
  return r;
}

std::vector<Sample> narc_samples() {
  return {
      {"shelf.narc", "without names, as in Pokémon Platinum", bytes_of(shelf())},
      {"named.narc", "with names and folders, and the other byte order mark", bytes_of(named_shelf())},
      {"empty.narc", "no members", bytes_of(make_narc({}))},
  };
}

std::vector<Sample> nds_samples() {
  NdsRom filled = cartridge();
  filled.padded_to = 0x4000;
  filled.signature.resize(0x88);
  filled.signature[0] = 0x61, filled.signature[1] = 0x63, filled.signature[2] = 1;
  NdsRom bare;
  bare.header = header_of_a_cartridge();
  bare.header_rest.resize(size_t(NdsRom::header_rest_size(bare.header)));
  bare.names = make_nameless_table();
  bare.arm9 = pattern(40);
  return {
      {"cartridge.nds", "two overlays, folders, an archive and a compressed file", bytes_of(cartridge())},
      {"filled.nds", "the same, signed, and padded at its end", bytes_of(filled)},
      {"bare.nds", "nothing but a program", bytes_of(bare)},
  };
}

std::vector<Sample> lz_samples() {
  std::vector<Sample> all;
  const auto add = [&](const char* name, const char* about, const Bytes& content, LzKind kind) {
    if (auto packed = lz_encode(content, kind)) all.push_back({name, about, std::move(*packed)});
  };
  add("pattern.lz", "LZ10", pattern(400), LzKind::lz10);
  add("long.lz", "LZ11, with long repetitions", Bytes(5000, 7), LzKind::lz11);
  add("short.lz", "LZ11, with repetitions of each length", pattern(700), LzKind::lz11);
  return all;
}

U8Archive folders() {
  return make_u8({{"readme.txt", text_bytes("Made from nothing.\n")},
                  {"Course.bin", pattern(100)},
                  {"effect/fire/flame.bin", pattern(48)},
                  {"effect/smoke.bin", pattern(33)},
                  {"empty.bin", {}}});
}

std::vector<Sample> u8_samples() {
  // As other tools fill them.
  U8Archive odd = folders();
  odd.reserved.assign(0x30, 0xCC);
  Bytes moved = bytes_of(odd);
  moved.insert(moved.end(), {0x64, 0x69, 0x6F, 0x21});
  U8Archive bare;
  return {
      {"folders.arc", "folders in folders, an empty file", bytes_of(folders())},
      {"odd.arc", "bytes that mean nothing in its header and at its end", std::move(moved)},
      {"empty.u8", "no files, not even the folder that usually holds all", bytes_of(bare)},
  };
}

std::vector<Sample> yaz0_samples() {
  std::vector<Sample> all;
  const auto add = [&](const char* name, const char* about, const Bytes& content, std::initializer_list<u8> rest = {}) {
    auto packed = yaz0_encode(content);
    if (!packed) return;
    packed->insert(packed->end(), rest);
    all.push_back({name, about, std::move(*packed)});
  };
  add("folders.szs", "an archive", bytes_of(folders()));
  add("pattern.yaz0", "repetitions of each length", pattern(700));
  add("long.yaz0", "long repetitions, and padding", Bytes(5000, 7), {0, 0, 0});
  return all;
}

std::span<const SampleList> samples() {
  static constexpr SampleList all[] = {
      {"narc", narc_samples}, {"nds", nds_samples},   {"u8", u8_samples},
      {"lz", lz_samples},     {"yaz0", yaz0_samples}, {"iso", disc_samples},
  };
  return all;
}

}  // namespace dio::containers
