// blz.hpp: programs packed from their end, so that they are unpacked where they lie: arm9 and overlays of later DS
// games.
#pragma once
#include <optional>

#include "core/result.hpp"

namespace dio {

/// Unpacks. Ids: archives.blz (no footer that fits; it refers to what is not there). Source: the unpacking routine of
/// the decompiled games (MIi_UncompressBackward), GBATEK "DS Cartridge Overlays".
Result<Bytes> blz_decode(ByteView packed);
/// Packs all but the first `keep` bytes (16 KiB of arm9, which may be encrypted). Nothing if that makes it no smaller.
std::optional<Bytes> blz_encode(ByteView bytes, size_t keep = 0);

/// Where the module parameters of arm9 say that its packed part ends, in memory; 0: it is not packed, or has no such
/// parameters.
u32 packed_arm9_end(ByteView arm9);
/// arm9 as it runs, loaded to `address`: unpacked if its parameters say that it is packed, and then they say no longer
/// so. The 12 bytes behind it on a cartridge are no part of it. Id: archives.blz.
Result<Bytes> decompressed_arm9(ByteView arm9, u32 address);

}  // namespace dio
