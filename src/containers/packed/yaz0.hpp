// yaz0.hpp: the compressed data of GameCube and Wii games.
#pragma once
#include <optional>

#include "containers/packed/unpacked.hpp"
#include "core/result.hpp"
#include "layout/document.hpp"

namespace dio {

/// Ids: archives.yaz0 (no header; truncated; an invalid reference; more than 64 MiB). Source: README, Packed data.
Result<Unpacked> yaz0_decode(ByteView packed);
/// The compressed size, found without decompressing the data. Ids: as yaz0_decode.
Result<u64> yaz0_packed_size(ByteView packed);
/// Compresses to the fewest bits. Id: archives.yaz0 (more than 64 MiB).
Result<Bytes> yaz0_encode(ByteView bytes);
/// Compresses new bytes for `packed`: unchanged data keeps its compressed form, as do the rest of the header and the
/// bytes that follow the data. Ids: archives.yaz0.
Result<Bytes> yaz0_repack(ByteView packed, ByteView bytes);

namespace containers {

/// A file that is compressed as a whole.
struct Yaz0File {
  static constexpr std::endian k_order = std::endian::big;
  static constexpr u64 k_header_size = 16;
  u32 size = 0, alignment = 0, reserved = 0;
  Bytes data;
  static constexpr void layout(auto& v, auto& s) {
    v.magic("Yaz0");
    v(Key("size").unit("bytes").doc("decompressed size"), s.size);
    v(Key("alignment").unit("bytes").doc("alignment of the decompressed data in memory; 0 on the Wii"), s.alignment);
    v("reserved", s.reserved);
    v.upto([&] { return v.total() - v.here(); }, s.data);
    v("data", s.data);
  }
};

}  // namespace containers
}  // namespace dio

DIORAMA_WALKS(extern, containers::Yaz0File)
