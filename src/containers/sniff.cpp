// sniff.cpp: recognises archives by their bytes.
#include <array>
#include <cstring>

#include "containers/parts.hpp"
#include "core/crc16.hpp"
#include "core/little_endian.hpp"

namespace dio::containers {

using enum Sniff::Certainty;

static constexpr size_t k_nds_header = 0x200;

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
  // Packed data has at most 9/8 of its original size: a longer file has trailing data, so skip unpacking.
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
  if (name.ends_with(".szs") || name.ends_with(".yaz0"))
    return {possible, "has the extension of a compressed Wii file"};
  return {};
}

namespace {

/// Recognises a cartridge by its first bytes and its size.
Sniff sniff_nds(ByteView head, u64 size, std::string_view name) {
  const bool named = name.ends_with(".nds") || name.ends_with(".srl");
  if (head.size() < k_nds_header) return named ? Sniff{possible, "has the extension of a cartridge"} : Sniff{};
  const auto half = [&](size_t at) { return read_u16_le(head.data() + at); };
  const auto word = [&](size_t at) { return read_u32_le(head.data() + at); };
  const bool programs = word(0x20) >= 0x160 && word(0x2C) && u64(word(0x20)) + word(0x2C) <= size;
  if (programs && crc16(head.first(0x15E)) == half(0x15E)) return {certain, "has a header with a correct checksum"};
  if (programs && half(0x15C) == 0xCF56) return {named ? certain : likely, "has the checksum of Nintendo's logo"};
  if (named) return {possible, "has the extension of a cartridge"};
  return {};
}

Sniff describe_disc(bool has_descriptor, std::string_view name) {
  if (has_descriptor) return {certain, "has a volume descriptor in sector 16"};
  if (name.ends_with(".iso")) return {possible, "is named .iso"};
  return {};
}

}  // namespace

Sniff sniff_nds(ByteView rom, std::string_view name) {
  return sniff_nds(rom.first(std::min(rom.size(), k_nds_header)), rom.size(), name);
}
Sniff sniff_nds(const ByteSource& rom, std::string_view name) {
  Bytes room;
  const auto head = rom.view_available(0, k_nds_header, room);
  return sniff_nds(head ? *head : ByteView(), rom.size(), name);
}

Sniff sniff_disc(ByteView image, std::string_view name) {
  return describe_disc(detect_sector_form(image).has_value(), name);
}
Sniff sniff_disc(const ByteSource& image, std::string_view name) {
  const auto form = detect_sector_form(image);
  return describe_disc(form && *form, name);
}

}  // namespace dio::containers
