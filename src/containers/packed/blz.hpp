// blz.hpp: programs compressed from the end, so that they can be decompressed in place: arm9 and overlays of later DS
// games.
#pragma once
#include <optional>

#include "core/result.hpp"

namespace dio {

/// Decompresses. Ids: archives.blz (an invalid footer or reference). Source: the decompression routine of
/// the decompiled games (MIi_UncompressBackward), GBATEK "DS Cartridge Overlays".
Result<Bytes> blz_decode(ByteView packed);
/// Compresses all but the first `keep` bytes (16 KiB of arm9, which may be encrypted). Nothing if it would not shrink.
std::optional<Bytes> blz_encode(ByteView bytes, size_t keep = 0);

/// The end of the compressed part of arm9 in memory, from its module parameters; 0: it is not compressed, or has no
/// such parameters.
u32 packed_arm9_end(ByteView arm9);
/// arm9 as it runs, loaded to `address`: decompressed, with updated module parameters, if they mark it as compressed.
/// Excludes the 12 bytes that follow it on a cartridge. Id: archives.blz.
Result<Bytes> decompress_arm9(ByteView arm9, u32 address);
/// The inverse: arm9 compressed like `original`, with updated module parameters; unchanged if that is not compressed.
Bytes compress_arm9(const Bytes& plain, ByteView original, u32 address);

}  // namespace dio
