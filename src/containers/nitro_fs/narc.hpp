// narc.hpp: NARC, an archive of files by number, with names or without.
#pragma once
#include "containers/nitro_fs/name_table.hpp"
#include "core/sorting.hpp"
#include "layout/document.hpp"

namespace dio {

struct NarcFile {
  static constexpr u64 k_least_size = 8;
  u32 start = 0, end = 0;  // from the first byte of the data
  FileBytes content;
  static constexpr void layout(auto& v, auto& s) {
    v(Key("start").placement(), s.start);
    v(Key("end").placement(), s.end);
  }
};

/// Everything after the version is little-endian, whatever the byte order mark says.
inline constexpr EnumName k_narc_order_words[] = {{0xFFFE, "FE FF"}, {0xFEFF, "FF FE"}};
inline constexpr EnumNames k_narc_orders{k_narc_order_words};

struct Narc {
  static constexpr std::endian k_order = std::endian::little;
  static constexpr u8 k_fill = 0xff;
  static constexpr u32 k_most_files = 0xF000;  // larger numbers are ids of folders
  static constexpr u64 k_most_shared = 64;     // times the size of the file, for all members together

  u16 byte_order = 0xFFFE, version = 0x0100;  // as Pokémon Platinum has them: the bytes FE FF 00 01
  u32 size = 0;
  u16 header_size = 16, sections = 3;
  u32 table_size = 0;
  u16 reserved = 0;  // the upper half of the file count in some tools
  std::vector<NarcFile> files;
  u32 names_size = 0;
  NameTable names;
  u32 data_size = 0;

  static constexpr void layout(auto& v, auto& s) {
    v.magic("NARC");
    v(Key("byte_order").words(k_narc_orders).doc("the data after the version is little-endian in both cases"),
      s.byte_order);
    v("version", s.version);
    v(Key("size").unit("bytes").placement(), s.size);
    v(Key("header_size").unit("bytes").placement(), s.header_size);
    v("sections", s.sections);
    v.derive(s.header_size, 16);
    u64 at = s.header_size;
    v.require(at >= 16, "a header of at least 16 bytes");
    v.there(at, [&] {
      v.magic("BTAF");
      v(Key("table_size").unit("bytes").placement(), s.table_size);
      v.count(u16{}, "count", s.files);
      v("reserved", s.reserved);
      v("files", s.files);
    });
    v.derive(s.table_size, 12 + 8 * s.files.size());
    at += s.table_size;
    v.there(at, [&] {
      v.magic("BTNF");
      v(Key("names_size").unit("bytes").placement(), s.names_size);
      v.require(s.names_size >= 16, "a name table of at least 16 bytes");
      v.nested(s.names_size - 8, "names", s.names);
    });
    v.round(0, 4);
    v.derive(s.names_size, v.end() - at);
    at += s.names_size;
    v.there(at, [&] {
      v.magic("GMIF");
      v(Key("data_size").unit("bytes").placement(), s.data_size);
    });
    const u64 data = at + 8;
    // In the order of their offsets, which is kept; at equal offsets, empty members come first. New ones come last.
    const auto place = [&](u32 i) {
      const auto& f = s.files[i];
      const bool is_new = f.start == 0 && f.end == 0 && !f.content.empty();
      return std::tuple(is_new, f.start, !f.content.empty());
    };
    std::vector<u32> order(s.files.size());
    std::iota(order.begin(), order.end(), 0u);
    u64 all = 0;
    v.each_in("files", s.files, order, [&](auto& f) {
      v.require(f.start <= f.end, "a member that starts at or before its end");
      if (v.growing())  // before there is memory for all of them
        v.require((all += f.end - f.start) <= k_most_shared * v.total(),
                  "members with a total size of at most 64 times the file size");
      v.implied(f.end - f.start, f.content);
    });
    if (!is_unplaced(s)) sort_stably(order, [&](u32 a, u32 b) { return place(a) < place(b); });
    v.each_in("files", s.files, order, [&](auto& f) {
      v.at(data, to(f.start).align(4).pad(4), "content", f.content);
      v.derive(f.end, f.start + f.content.size());
    });
    v.derive(s.data_size, v.end() - at);
    v.derive(s.size, v.end());
  }

 private:
  /// In a new archive, all files start at the same offset; sorting keeps them in the order of their numbers, including
  /// empty files.
  static constexpr bool is_unplaced(const auto& s) {
    return std::ranges::all_of(s.files, [](auto& f) { return f.start == 0; }) &&
           std::ranges::count_if(s.files, [](auto& f) { return !f.content.empty(); }) > 1;
  }
};

/// A NARC without names, as in Pokémon Platinum.
Narc make_narc(std::vector<Bytes> files);

/// The base offset of `Narc::files[i].start`.
u64 data_offset(const Narc&);

}  // namespace dio

DIORAMA_WALKS(extern, Narc)
