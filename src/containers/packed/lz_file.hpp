// lz_file.hpp: a file that is compressed as a whole.
#pragma once
#include "containers/packed/lz.hpp"
#include "layout/document.hpp"

namespace dio::containers {

inline constexpr EnumName k_lz_kind_words[] = {{0x10, "LZ10"}, {0x11, "LZ11"}};
inline constexpr EnumNames k_lz_kinds{k_lz_kind_words};

struct LzFile {
  static constexpr std::endian k_order = std::endian::little;
  u32 size = 0;
  u8 kind = 0x10;
  u32 long_size = 0;  // used if size is 0
  Bytes data;
  static constexpr void layout(auto& v, auto& s) {
    v.bits(u32{}, bit<24>(Key("size").unit("bytes").doc("decompressed size; 0: stored in the next field"), s.size),
           bit<8>(Key("kind").words(k_lz_kinds), s.kind));
    v.require(s.kind == 0x10 || s.kind == 0x11, "kind 0x10 or 0x11");
    if (!s.size) v("long_size", s.long_size);
    v.upto([&] { return v.total() - v.here(); }, s.data);
    v("data", s.data);
  }
};

}  // namespace dio::containers

DIORAMA_WALKS(extern, containers::LzFile)
