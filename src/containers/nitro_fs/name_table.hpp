// name_table.hpp: the file name table of the DS, in cartridges and NARC archives.
#pragma once
#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include "core/result.hpp"
#include "core/sorting.hpp"
#include "layout/field_types.hpp"

namespace dio {

/// An entry of a folder: a file, another folder, or the end of the folder.
struct NameEntry {
  static constexpr u64 k_least_size = 1;
  u8 is_folder = 0, length = 0;  // both 0: the end
  std::string name;
  u16 folder = 0;  // of a folder: its id, from 0xF000
  bool is_end() const { return !is_folder && !length; }
  static constexpr void layout(auto& v, auto& s) {
    v.derive(s.length, s.name.size());
    v.bits(u8{}, bit<1>("is_folder", s.is_folder), bit<7>(Key("length").unit("bytes").placement(), s.length));
    v.implied(s.length, s.name);
    v("name", s.name);
    if (s.is_folder) v(Key("folder").doc("the id of the folder: 0xF000 plus its number"), s.folder);
  }
};

struct NameFolder {
  static constexpr u64 k_least_size = 8;
  u32 offset = 0;
  u16 first_file = 0;  // the number of its first file; the others follow
  u16 parent = 0;      // the id of the parent folder; in the first folder, the number of folders
  std::vector<NameEntry> entries;
  static constexpr void layout(auto& v, auto& s) {
    v(Key("offset").placement(), s.offset);
    v("first_file", s.first_file);
    v(Key("parent").doc("the id of the parent folder; in the first folder, the number of folders"), s.parent);
  }
};

/// Source: the file name table of the DS cartridge (GBATEK, "DS Cartridge NitroROM and NitroARC File Systems").
struct NameTable {
  static constexpr std::endian k_order = std::endian::little;
  static constexpr u16 k_first_folder = 0xF000;
  /// The offset of the first folder in a table without names: its end mark is a byte of the record itself.
  static constexpr u32 k_nameless = 4;

  std::vector<NameFolder> folders;

  bool has_names() const { return !folders.empty() && folders[0].offset != k_nameless; }

  static constexpr void layout(auto& v, auto& s) {
    const u64 start = v.here();
    u16 count = 0;
    v.there(start + 6, [&] { count = v.template peek<u16>(); });
    v.upto([&] { return u64(count); }, s.folders);
    if (!s.folders.empty()) v.derive(s.folders[0].parent, s.folders.size());
    v("folders", s.folders);
    if (!s.has_names()) return;
    // In the order of their entries, which is kept.
    std::vector<u32> order(s.folders.size());
    std::iota(order.begin(), order.end(), 0u);
    sort_stably(order, [&](u32 a, u32 b) { return s.folders[a].offset < s.folders[b].offset; });
    v.each_in("folders", s.folders, order, [&](auto& f) {
      v.at(start, f.offset, [&] { v.until("entries", f.entries, [](auto& e) { return e.is_end(); }); });
    });
  }
};

/// The table of an archive whose members have no names.
NameTable make_nameless_table();

/// The path of each of `count` files, by number; empty if the table has none. Paths are as stored and may contain
/// anything. Id: archives.names (a folder that does not exist or has two paths; a file number that is out of range or
/// has two names; paths that are too long).
Result<std::vector<std::string>> build_paths(const NameTable&, size_t count);

/// A table for these paths in the usual order: in each folder first the files, then the folders, both sorted without
/// regard to case. `numbers[i]` becomes the number of the file paths[i], counted from `first`. Ids: archives.names (an
/// empty part, one longer than 127 bytes, a file twice, a file that is also a folder; more than 4096 folders).
Result<NameTable> build_name_table(const std::vector<std::string>& paths, u16 first, std::vector<u16>& numbers);

}  // namespace dio
