// format.cpp: what the registry knows of archives.
#include "formats/contract/format.hpp"

#include <array>
#include <cstring>

#include "containers/parts.hpp"
#include "core/crc16.hpp"
#include "core/little_endian.hpp"
#include "formats/contract/archive.hpp"
#include "formats/contract/companions.hpp"
#include "formats/contract/findings.hpp"

namespace dio::containers {
namespace {

using enum Sniff::Certainty;

Sniff sniff_narc(ByteView b, std::string_view name) {
  if (b.size() >= 16 && !std::memcmp(b.data(), "NARC", 4))
    return (b[4] == 0xFE && b[5] == 0xFF) || (b[4] == 0xFF && b[5] == 0xFE)
               ? Sniff{certain, "starts with NARC"}
               : Sniff{likely, "starts with NARC, but has no byte order mark"};
  if (name.ends_with(".narc")) return {possible, "is named .narc"};
  return {};
}

Sniff sniff_lz(ByteView b, std::string_view name) {
  constexpr u64 k_padding = 32;
  const auto header = parse_lz_header(b);
  // Packed data is at most nine eighths of what it was: in a longer file it is not alone, and need not be unpacked.
  if (header && header->size && b.size() <= header->data_at + header->size + header->size / 8 + 1 + k_padding) {
    if (const auto packed = lz_packed_size(b); packed && b.size() - *packed < k_padding)
      return {likely, "decompresses to the " + std::to_string(header->size) + " bytes that its header states"};
  }
  if (header && name.ends_with(".lz")) return {possible, "is named .lz"};
  return {};
}

Sniff sniff_u8(ByteView b, std::string_view name) {
  constexpr std::array<u8, 4> k_magic{'U', 0xAA, '8', '-'};
  if (b.size() >= 4 && std::ranges::equal(b.first(4), k_magic))
    return {certain, "starts with the magic of U8 archives"};
  if (name.ends_with(".u8")) return {possible, "is named .u8"};
  return {};
}

Sniff sniff_yaz0(ByteView b, std::string_view name) {
  if (b.size() >= 4 && !std::memcmp(b.data(), "Yaz0", 4)) return {certain, "starts with Yaz0"};
  if (name.ends_with(".szs") || name.ends_with(".yaz0")) return {possible, "is named like compressed files of the Wii"};
  return {};
}

/// That of a source, of bytes in memory.
template <auto sniff>
Sniff sniff_bytes(ByteView bytes, std::string_view name) {
  return sniff(BorrowedByteSource(bytes), name);
}

template <class T>
Format make_archive_format(std::string_view id, std::string_view title, std::string_view extensions,
                           Sniff (*sniffs)(ByteView, std::string_view), const ArchiveOps& ops) {
  Format f{};
  f.id = id, f.title = title, f.platform = "DS", f.extensions = extensions;
  f.sniff = sniffs;
  f.rules = rules;
  f.check = [](const AnyDocument& d, std::optional<std::span<const Companion>>, Findings& findings) {
    const Document<T>& document = static_cast<const DocumentOf<T>&>(d).document;
    if constexpr (requires { check(document, d.source, findings); })
      check(document, d.source, findings);
    else
      check(document, findings);
  };
  f.info = [](const AnyDocument& d) {
    const Document<T>& document = static_cast<const DocumentOf<T>&>(d).document;
    if constexpr (requires { info(document, d.source); })
      return info(document, d.source);
    else
      return info(document.value());
  };
  f.archive = &ops;
  return make_document_format<T>(f);
}

/// Packed bytes have no mark: they can be unpacked, or are named.
Format without_magic(Format f) {
  f.needs_name = true;
  return f;
}

/// Says its size at a path.
Format with_size_path(std::string_view path, Format f) {
  f.size_path = path;
  return f;
}

Format with_magic(std::string_view magic, Format f) {
  f.magic = magic;
  return f;
}

Format with_platform(std::string_view platform, Format f) {
  f.platform = platform;
  return f;
}

}  // namespace

Sniff sniff_nds(const ByteSource& rom, std::string_view name) {
  const bool named = name.ends_with(".nds") || name.ends_with(".srl");
  Bytes room;
  const auto b = rom.view_available(0, 0x200, room);
  if (!b || b->size() < 0x200) return named ? Sniff{possible, "has the extension of a cartridge"} : Sniff{};
  const auto half = [&](size_t at) { return read_u16_le(b->data() + at); };
  const auto word = [&](size_t at) { return read_u32_le(b->data() + at); };
  const bool programs = word(0x20) >= 0x160 && word(0x2C) && rom.has(word(0x20), word(0x2C));
  if (programs && crc16(b->first(0x15E)) == half(0x15E)) return {certain, "has a header with a correct checksum"};
  if (programs && half(0x15C) == 0xCF56) return {named ? certain : likely, "has the checksum of the logo"};
  if (named) return {possible, "has the extension of a cartridge"};
  return {};
}

Sniff sniff_disc(const ByteSource& image, std::string_view name) {
  if (const auto form = detect_sector_form(image); form && *form)
    return {certain, "has a volume descriptor in sector 16"};
  if (name.ends_with(".iso")) return {possible, "is named .iso"};
  return {};
}

std::span<const Format> formats() {
  static const std::array<Format, 6> k_formats = {
      with_magic("NARC", with_size_path("size", make_archive_format<Narc>("narc", "NARC archives", ".narc", sniff_narc,
                                                                          k_narc_ops))),
      make_archive_format<NdsRom>("nds", "DS cartridges", ".nds .srl", sniff_bytes<sniff_nds>, k_nds_ops),
      without_magic(make_archive_format<LzFile>("lz", "Compressed files (LZ10, LZ11)", ".lz", sniff_lz, k_lz_ops)),
      with_magic(
          "U\xAA"
          "8-",
          with_platform("Wii", make_archive_format<U8Archive>("u8", "U8 archives", ".arc .u8", sniff_u8, k_u8_ops))),
      with_magic("Yaz0", with_platform("Wii", make_archive_format<Yaz0File>("yaz0", "Compressed files (Yaz0)",
                                                                            ".szs .yaz0", sniff_yaz0, k_yaz0_ops))),
      with_platform("PlayStation", make_archive_format<DiscImage>("iso", "Disc images (ISO 9660)", ".iso .bin .img",
                                                                  sniff_bytes<sniff_disc>, k_disc_ops)),
  };
  return k_formats;
}

}  // namespace dio::containers
