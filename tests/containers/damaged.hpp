// damaged.hpp: for each rule a file that breaks it, by as little as possible. For tests only.
#pragma once
#include "containers/packed/lz.hpp"
#include "containers/parts.hpp"
#include "engine/broken_file.hpp"
#include "layout/write_value.hpp"
#include "samples/containers/archives.hpp"

namespace dio::containers {

namespace broken {

template <class T>
constexpr std::string_view k_id = "narc";
template <>
inline constexpr std::string_view k_id<NdsRom> = "nds";
template <>
inline constexpr std::string_view k_id<U8Archive> = "u8";
template <>
inline constexpr std::string_view k_id<LzFile> = "lz";

/// Bytes with one value changed; a checksum over them follows, but for the rule about it.
template <class T>
Bytes encoded_value(const T& file, std::string_view path, const Value& value, bool seals = true) {
  Bytes bytes = bytes_of(file);
  const Bytes before = bytes;
  const TraceResult t = trace<T>(before);
  const auto spot = t.spans.find(path);
  if (!spot || !write_value(bytes, t.spans, *spot, value)) return {};
  if constexpr (requires { T::seal(bytes); })
    if (seals) T::seal(bytes);
  return bytes;
}
/// A number of the archive `folders`.
inline u32 folders_at(std::string_view path) {
  const Bytes bytes = bytes_of(folders());
  const TraceResult t = trace<U8Archive>(bytes);
  const auto spot = t.spans.find(path);
  return spot ? u32(t.spans.value(*spot).number()) : 0;
}
inline Bytes changed(Bytes bytes, size_t at, u8 value) {
  if (at < bytes.size()) bytes[at] = value;
  return bytes;
}

/// The disc with something changed at the record of a file or folder: change(image, record, entry). Its sectors are
/// sealed.
inline Bytes disc_with(SectorForm form, std::string_view path, auto change) {
  Bytes image = disc(form);
  if (const auto on = read_disc(image))
    for (const DiscEntry& e : on->entries)
      if (e.path == path) change(image, size_t(e.record), e);
  DiscImage::seal(image);
  return image;
}
/// A number in both orders.
inline void put_both(Bytes& image, size_t at, u32 number) {
  for (size_t i = 0; i < 4; ++i) image[at + i] = image[at + 7 - i] = u8(number >> 8 * i);
}

}  // namespace broken

inline std::vector<test::BrokenFile> broken_files() {
  using namespace broken;
  std::vector<test::BrokenFile> all;
  const auto corrupt_at = [&]<class T>(std::string_view id, std::string_view path, const T& file, const Value& value,
                                       std::string_view poked_path = {}) {
    all.push_back({id, path, k_id<T>, encoded_value(file, poked_path.empty() ? path : poked_path, value)});
  };
  const auto edit = [&](std::string_view id, std::string_view path, auto file, auto change) {
    change(file);
    all.push_back({id, path, k_id<decltype(file)>, bytes_of(file)});
  };

  // ---- NARC: its data begins at 0x54; the members at 0, 4, 12 and 76 of it
  corrupt_at("archives.form", "byte_order", shelf(), 0x1234);
  corrupt_at("archives.sizes", "size", shelf(), 17);
  corrupt_at("archives.overlap", "files[2]", shelf(), 13, "files[1].end");
  corrupt_at("archives.outside", "files[3]", shelf(), 84, "data_size");
  corrupt_at("archives.alignment", "files[0]", shelf(), 1, "files[0].start");
  all.push_back({"archives.gap", "", "narc", changed(bytes_of(shelf()), 0x54 + 3, 0)});
  edit("archives.empty-member", "files[1]", shelf(), [](Narc& n) { n.files[1].content = {}; });
  all.push_back({"archives.file-count", "files", "narc", bytes_of(make_narc(std::vector<Bytes>(0xF001, Bytes(1))))});
  corrupt_at("archives.names", "names", named_shelf(), 0xF007, "names.folders[0].entries[2].folder");

  // ---- cartridges
  all.push_back({"archives.header-checksum", "header.header_checksum", "nds",
                 encoded_value(cartridge(), "header.header_checksum", 1, false)});
  corrupt_at("archives.logo", "header.logo_checksum", cartridge(), 7);
  corrupt_at("archives.used-size", "header.used_size", cartridge(), 0x1000);
  edit("archives.capacity", "header.capacity", cartridge(), [](NdsRom& r) { r.arm7.resize(200 << 10); });
  all.back().bytes = changed(all.back().bytes, 0x14, 0);
  NdsRom::seal(all.back().bytes);
  corrupt_at("archives.program", "header.arm9.offset", cartridge(), 0x100);
  corrupt_at("archives.overlay", "arm9_overlays[1].file", cartridge(), 77);
  corrupt_at("archives.blz", "arm9_overlays[1].size", cartridge(), 401);

  // ---- U8: the nodes are `.`, Course.bin, empty.bin, readme.txt, effect, smoke.bin, fire, flame.bin
  corrupt_at("archives.u8-tree", "nodes[6].parent", folders(), 3, "nodes[6].parent");
  corrupt_at("archives.u8-sizes", "table_size", folders(), 12);
  corrupt_at("archives.u8-alignment", "nodes[3].offset", folders(), folders_at("nodes[3].offset") + 4,
             "nodes[3].offset");

  // ---- packed files
  Bytes szs = yaz0_samples()[0].bytes;
  all.push_back({"archives.yaz0", "data", "yaz0", changed(szs, 16, 0)});
  szs.insert(szs.end(), 8, 1);
  all.push_back({"archives.yaz0-rest", "", "yaz0", szs});
  all.push_back({"archives.lz", "data", "lz", {0x10, 5, 0, 0, 0x80, 0x00, 0x00, 0}});
  Bytes rest = lz_samples()[0].bytes;
  rest.insert(rest.end(), 8, 1);
  all.push_back({"archives.lz-rest", "", "lz", rest});

  // ---- discs: in sector 16 the descriptor, from 18 on the path tables, in 22 the root, then EVENT, MAP, EVENT/SCENE
  constexpr size_t k_lba = 2, k_size = 10, k_name = 33;  // in a record
  using enum SectorForm;
  const auto on_disc = [&](std::string_view id, std::string_view path, SectorForm form, std::string_view file,
                           auto change) { all.push_back({id, path, "iso", disc_with(form, file, change)}); };
  on_disc("archives.disc-directory", "", plain, "MAP",
          [](Bytes& b, size_t record, const DiscEntry&) { put_both(b, record + k_lba, 22); });
  // in an image with headers, these stand between the parts
  on_disc("archives.disc-orders", "parts[11].records[5].size_big.number", mode2, "SYSTEM.CNF",
          [](Bytes& b, size_t record, const DiscEntry&) { b[record + k_size + 7] += 1; });
  on_disc("archives.disc-outside", "", plain, "MAP/TOWN.A",
          [](Bytes& b, size_t record, const DiscEntry& e) { put_both(b, record + k_lba, e.lba + 1000); });
  on_disc("archives.disc-overlap", "", plain, "MAP/TOWN.B",
          [](Bytes& b, size_t record, const DiscEntry& e) { put_both(b, record + k_lba, e.lba - 1); });
  on_disc("archives.disc-path-table", "", plain, "MAP",
          [](Bytes& b, size_t, const DiscEntry&) { b[18 * 2048 + 2] += 1; });
  on_disc("archives.disc-order", "parts[7].records[5].name", plain, "SYSTEM.CNF",
          [](Bytes& b, size_t record, const DiscEntry&) { b[record + k_name] = 'A'; });
  on_disc("archives.disc-volume", "parts[1].descriptor.sectors", plain, "MAP",
          [](Bytes& b, size_t, const DiscEntry&) { put_both(b, 16 * 2048 + 80, 5000); });
  on_disc("archives.disc-address", "", mode2, "MAP",
          [](Bytes& b, size_t, const DiscEntry&) { b[20 * 2352 + 14] += 1; });
  all.push_back({"archives.disc-edc", "", "iso", changed(disc(mode2), 30 * 2352 + 24, 1)});
  all.push_back({"archives.disc-ecc", "", "iso", changed(disc(mode1), 30 * 2352 + 2076, 1)});
  return all;
}

}  // namespace dio::containers
