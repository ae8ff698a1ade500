// lz.hpp: the compressed data of the Game Boy Advance and the DS: LZ10, which the BIOS decompresses, and LZ11.
#pragma once
#include <optional>

#include "containers/packed/unpacked.hpp"
#include "core/result.hpp"

namespace dio {

enum class LzKind : u8 { lz10 = 0x10, lz11 = 0x11 };

/// The header: the decompressed size, and the offset of the data; nothing if there is no such header.
struct LzHeader {
  LzKind kind;
  u64 size;     // decompressed
  u64 data_at;  // 4, or 8 if the size has its own 32 bits
};
std::optional<LzHeader> parse_lz_header(ByteView packed);

/// Ids: archives.lz (no header; truncated; an invalid reference; more than 64 MiB). Offsets count
/// from the start of the data. Source: GBATEK, "BIOS Decompression Functions"; LZ11 as in the decompiled games.
Result<Unpacked> lz_decode(ByteView packed);
/// The compressed size, found without decompressing the data, which can become thousands of times larger. Ids: as
/// lz_decode.
Result<u64> lz_packed_size(ByteView packed);
/// Compresses so that the BIOS can also decompress into video memory, which only accepts 16-bit writes. Id: archives.lz
/// (more than 64 MiB).
Result<Bytes> lz_encode(ByteView bytes, LzKind);
/// Compresses new bytes for `packed`: unchanged data keeps its compressed form, as do the bytes that follow it. Ids:
/// archives.lz.
Result<Bytes> lz_repack(ByteView packed, ByteView bytes);

}  // namespace dio
