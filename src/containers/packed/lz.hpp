// lz.hpp: the packed data that the BIOS of the Game Boy Advance and the DS unpacks: kinds 0x10 and 0x11.
#pragma once
#include <optional>

#include "core/result.hpp"

namespace dio {

enum class LzKind : u8 { lz10 = 0x10, lz11 = 0x11 };

/// How long the unpacked data is, as the first bytes tell, and how many these are; nothing if there is no such header.
struct LzHeader {
  LzKind kind;
  u64 size;     // unpacked
  u64 data_at;  // 4, or 8 where the size takes 32 bits of its own
};
std::optional<LzHeader> lz_header(ByteView packed);

struct Unpacked {
  Bytes bytes;
  u64 packed_size = 0;  // how many bytes it took; what lies behind them is padding, or something else
};
/// Ids: archives.lz (no such data; it ends too early; it refers to what is not there; more than 64 MiB). Offsets count
/// from the start of the data. Source: GBATEK, "BIOS Decompression Functions"; LZ11 as in the decompiled games.
Result<Unpacked> lz_decode(ByteView packed);
/// How many bytes the packed data takes, found without unpacking it: it may become thousands of times as long. Ids: as
/// lz_decode.
Result<u64> lz_packed_size(ByteView packed);
/// Packs so that it can be unpacked into video memory as well, which takes 16 bits at a time. At most 64 MiB; refuses
/// more with archives.lz.
Result<Bytes> lz_encode(ByteView bytes, LzKind);

}  // namespace dio
