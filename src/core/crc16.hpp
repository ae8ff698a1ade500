// crc16.hpp: the checksum of cartridge headers.
#pragma once
#include "core/bytes.hpp"

namespace dio {

/// CRC-16 with the polynomial 0xA001 (mirrored 0x8005). Source: GBATEK, "BIOS Misc Functions", GetCRC16.
constexpr u16 crc16(ByteView bytes, u16 start = 0xFFFF) {
  u16 crc = start;
  for (const u8 b : bytes) {
    crc = u16(crc ^ b);
    for (int bit = 0; bit < 8; ++bit) crc = u16(crc >> 1 ^ (crc & 1 ? 0xA001 : 0));
  }
  return crc;
}

}  // namespace dio
