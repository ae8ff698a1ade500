// little_endian.hpp: little-endian numbers in bytes without a described structure.
#pragma once
#include "core/bytes.hpp"

namespace dio {

constexpr u16 read_u16_le(const u8* p) { return u16(p[0] | p[1] << 8); }
constexpr u32 read_u32_le(const u8* p) { return u32(p[0]) | u32(p[1]) << 8 | u32(p[2]) << 16 | u32(p[3]) << 24; }

}  // namespace dio
