// u8_archive.hpp: the archives of GameCube and Wii games, with folders: .arc, or .szs if compressed.
#pragma once
#include <algorithm>
#include <numeric>

#include "core/result.hpp"
#include "core/sorting.hpp"
#include "layout/document.hpp"
#include "layout/reference.hpp"

namespace dio {

inline constexpr EnumName k_u8_type_words[] = {{0, "file"}, {1, "folder"}};
inline constexpr EnumNames k_u8_types{k_u8_type_words};

/// A file or a folder; a folder contains the nodes that follow it, up to `end`. The root is node 0.
struct U8Node {
  static constexpr u64 k_least_size = 12;
  u8 type = 0;
  u32 name_offset = 0;       // from the first byte after the nodes
  u32 parent = 0, end = 0;   // of a folder
  u32 offset = 0, size = 0;  // of a file; from the start of the archive
  std::string name = {};
  FileBytes content = {};
  bool is_folder() const { return type == 1; }
  static constexpr void layout(auto& v, auto& s) {
    v.bits(u32{}, bit<8>(Key("type").words(k_u8_types), s.type),
           bit<24>(Key("name_offset").placement(), s.name_offset));
    if (s.type == 1) {
      v(Key("parent").words(k_index_from_1<"nodes">).doc("index of the parent folder; 0 is the root"), s.parent);
      v(Key("end").doc("index of the first node after the folder; 0 is the root"), s.end);
    } else {
      v(Key("offset").placement(), s.offset);
      v(Key("size").unit("bytes").placement(), s.size);
    }
  }
};

struct U8Archive {
  static constexpr std::endian k_order = std::endian::big;
  static constexpr u32 k_fixed_size = 0x10, k_node_size = 12;
  static constexpr u32 k_alignment = 0x20, k_most_alignment = 0x1000;  // of members
  static constexpr u64 k_most_shared = 64;  // times the size of the file, for all members together

  u32 nodes_offset = 0x20, table_size = 0, data_offset = 0;
  Bytes reserved = Bytes(0x10);
  U8Node root{.type = 1};
  std::vector<U8Node> nodes;  // without the root

  /// Alignment of the members. Tools that use a larger alignment than the games also align the nodes to it.
  constexpr u64 alignment() const {
    return std::clamp(nodes_offset & (~nodes_offset + 1), k_alignment, k_most_alignment);
  }

  static constexpr void layout(auto& v, auto& s) {
    v.magic(
        "U\xAA"
        "8-");
    v(Key("nodes_offset").placement(), s.nodes_offset);
    v(Key("table_size").unit("bytes").placement().doc("size of the nodes and names"), s.table_size);
    v(Key("data_offset").placement(), s.data_offset);
    v.require(s.nodes_offset >= k_fixed_size, "nodes that start after the 16-byte header");
    v.implied(s.nodes_offset - k_fixed_size, s.reserved);
    v(Key("reserved").doc("no known meaning; other tools fill it with 0xCC"), s.reserved);
    v.derive(s.nodes_offset, k_fixed_size + s.reserved.size());
    v.derive(s.root.end, 1 + s.nodes.size());
    v.there(s.nodes_offset, [&] {
      v("root", s.root);
      v.require(s.root.type == 1 && s.root.end, "a root node that is a folder and has an end above 0");
      v.implied(s.root.end - 1, s.nodes);
      v("nodes", s.nodes);
    });
    const u64 names = u64(s.nodes_offset) + k_node_size * (1 + u64(s.nodes.size()));
    v.inside("root", [&] { v.at(names, s.root.name_offset, [&] { v.cstring("name", s.root.name); }); });
    v.each("nodes", s.nodes, [&](auto& f) { v.at(names, f.name_offset, [&] { v.cstring("name", f.name); }); });
    v.derive(s.table_size, v.end() - s.nodes_offset);
    const u64 alignment = s.alignment();
    v.round(0, alignment);
    v.derive(s.data_offset, v.end());
    // In the order of their offsets, which is kept; at equal offsets, empty members come first.
    const auto place = [&](u32 i) { return std::pair(s.nodes[i].offset, !s.nodes[i].content.empty()); };
    std::vector<u32> order(s.nodes.size());
    std::iota(order.begin(), order.end(), 0u);
    u64 all = 0;
    v.each_in("nodes", s.nodes, order, [&](auto& f) {
      if (f.type == 1) return;
      if (v.growing())  // before there is memory for all of them
        v.require((all += f.size) <= k_most_shared * v.total(),
                  "members with a total size of at most 64 times the file size");
      v.implied(f.size, f.content);
    });
    if (std::ranges::any_of(s.nodes, [](auto& f) { return f.offset != 0; }))
      sort_stably(order, [&](u32 a, u32 b) { return place(a) < place(b); });
    v.each_in("nodes", s.nodes, order, [&](auto& f) {
      if (f.type == 1) return;
      v.at(0, to(f.offset).align(alignment).pad(alignment), "content", f.content);
      v.derive(f.size, f.content.size());
    });
  }
};

/// The path of each node except the root, including folders. The folder `.` below the root, which most archives have,
/// is not part of paths. Id: archives.u8-tree (folders that are not nested).
Result<std::vector<std::string>> build_paths(const U8Archive&);
/// The path of each file. A file whose path a folder or an earlier file already has gets a suffix: course_2.kmp.
/// Id: archives.u8-tree.
Result<std::vector<std::string>> build_file_paths(const U8Archive&);
/// Checks that each folder refers to its parent and ends within it. Real archives that violate this can still be read.
/// Id: archives.u8-tree.
Result<bool> check_nesting(const U8Archive&);

/// An archive of files by path, in Nintendo's order: files before folders, sorted without regard to case; everything is
/// in a folder `.`, and gaps are filled with zeros.
U8Archive make_u8(const std::vector<std::pair<std::string, Bytes>>& files);

}  // namespace dio

DIORAMA_WALKS(extern, U8Archive)
